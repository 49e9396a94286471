"""From an app's files to a live site: built or started where its format asks for it, and served.

It ties the build stage, the apps' own servers and our server together for whoever judges. It knows
no pytest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from pytest_appbench.artifacts import builders
from pytest_appbench.artifacts.build import Builds, Built
from pytest_appbench.artifacts.candidate import OWN_SERVER
from pytest_appbench.errors import BuildFailed
from pytest_appbench.judges.loop import Await, Steps, drive
from pytest_appbench.threads import in_thread

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Builder, Runner, Running
    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.waiting import Wait
    from pytest_appbench.workshop import Workshop

T = TypeVar("T")


@dataclass(frozen=True)
class Served:
    """An app that is served.

    Attributes:
        url: Where it opens.
        built: The digest of the files that are served, where they were built from the app's own;
            `own server` where the app has one.
        sandbox: What keeps processes of the app in, if there are or were any.
        notes: What was left out or assumed on the way, a sentence on each line.
        identity: What beside the app's files decides how it behaves; empty where nothing does.
    """

    url: str
    built: str = ""
    sandbox: str | None = None
    notes: str = ""
    identity: str = ""


@contextmanager
def opened(
    shop: Workshop, server: AppServer, task: Task, artifacts: Sequence[Artifact], until: Wait
) -> Iterator[list[Served | BuildFailed]]:
    """Serve apps for the time of a block; those that must be built or started are so side by side.

    Args:
        shop: Builds them.
        server: Serves them.
        task: The task they are for.
        artifacts: Their files.
        until: Waits while the browser is served.

    Yields:
        For each app where it is served, or why it cannot be by its own fault.
    """
    form = builders.of(task.format)
    made: Sequence[Built | Running | BuildFailed | None] = [None] * len(artifacts)
    with ExitStack() as stack:
        if form.builder is not None:
            made = _built(shop, form.builder, task, artifacts, until)
        elif form.runner is not None:
            made = _started(shop, form.runner, task, artifacts, until, stack)
        sites: list[Served | BuildFailed] = []
        for artifact, one in zip(artifacts, made, strict=True):
            if isinstance(one, BuildFailed):
                sites.append(one)
                continue
            connect = None if one is None or isinstance(one, Built) else one.connect
            site = server.mount(one.artifact if isinstance(one, Built) else artifact, connect)
            stack.callback(server.unmount, site)
            if one is None:
                sites.append(Served(site.url))
            elif isinstance(one, Built):
                digest = one.artifact.digest
                notes = "\n".join(one.notes)
                sites.append(Served(site.url, digest, one.sandbox, notes, digest))
            else:
                sites.append(Served(site.url, OWN_SERVER, one.sandbox, "", one.identity))
        yield sites


def _built(
    shop: Workshop, builder: Builder, task: Task, artifacts: Sequence[Artifact], until: Wait
) -> list[Built | BuildFailed]:
    builds = Builds(shop.store, shop.cache, shop.yard())
    jobs = [partial(builds.now, builder, task, artifact) for artifact in artifacts]
    return _aside(shop, task, "building", jobs, until)


def _started(
    shop: Workshop,
    runner: Runner,
    task: Task,
    artifacts: Sequence[Artifact],
    until: Wait,
    stack: ExitStack,
) -> list[Running | BuildFailed]:
    """Start servers; the stack ends those that run."""

    def start(artifact: Artifact, stop: Event) -> Running:
        return stack.enter_context(runner.start(artifact, task, shop.yard(), stop))

    jobs = [partial(start, artifact) for artifact in artifacts]
    return _aside(shop, task, "starting", jobs, until)


def _aside(
    shop: Workshop, task: Task, stage: str, jobs: Sequence[Callable[[Event], T]], until: Wait
) -> list[T | BuildFailed]:
    """Do jobs for apps in threads, side by side, while the browser is served.

    Each is given an event that is set when nobody waits for it any more. An error that is not the
    app's own is raised once all have come to an end.
    """

    def waiting(job: Callable[[Event], T]) -> Steps[T]:
        result: T = yield Await(in_thread(job))
        return result

    shop.status.begin(task.id, stage)
    done: list[T | BuildFailed] = []
    for outcome in drive([waiting(job) for job in jobs], shop.portal, until):
        if isinstance(outcome, Exception) and not isinstance(outcome, BuildFailed):
            raise outcome
        done.append(outcome)
    return done
