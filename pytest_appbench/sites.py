"""From an app's files to a live site: built or started where its format asks for it, and served.

It ties the build stage, the apps' own servers and our server together for whoever judges. It knows
no pytest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from pytest_appbench.artifacts import builders
from pytest_appbench.artifacts.build import Builds, Built
from pytest_appbench.artifacts.candidate import OWN_SERVER
from pytest_appbench.errors import BuildFailed
from pytest_appbench.judges.loop import Await, Steps, drive
from pytest_appbench.threads import in_thread

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Runner, Running
    from pytest_appbench.artifacts.proxy import Connect
    from pytest_appbench.artifacts.serve import AppServer, Site
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.waiting import Wait
    from pytest_appbench.workshop import Workshop


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
    if form.builder is not None or form.runner is not None:
        shop.status.begin(task.id, "building" if form.builder is not None else "starting")
    with ExitStack() as stack:
        steps = [serving(shop, server, task, artifact, stack) for artifact in artifacts]
        sites: list[Served | BuildFailed] = []
        for outcome in drive(steps, shop.portal, until):
            if isinstance(outcome, Exception) and not isinstance(outcome, BuildFailed):
                raise outcome
            sites.append(outcome)
        yield sites


def serving(
    shop: Workshop, server: AppServer, task: Task, artifact: Artifact, stack: ExitStack
) -> Steps[Served]:
    """Serve one app until a stack ends; it is built or started in a thread where it has to be.

    Args:
        shop: Builds it.
        server: Serves it.
        task: The task it is for.
        artifact: Its files.
        stack: Ends what was begun.

    Returns:
        Where it is served.

    Raises:
        BuildFailed: It cannot be, by its own fault.
        AppbenchError: It could not be tried.
    """
    form = builders.of(task.format)
    if form.builder is not None:
        builds = Builds(shop.store, shop.cache, shop.yard())
        built: Built = yield Await(in_thread(partial(builds.now, form.builder, task, artifact)))
        site, digest = _mounted(server, built.artifact, None, stack), built.artifact.digest
        return Served(site.url, digest, built.sandbox, "\n".join(built.notes), digest)
    if form.runner is not None:
        start = partial(_started, form.runner, shop, task, artifact, stack)
        running: Running = yield Await(in_thread(start))
        site = _mounted(server, artifact, running.connect, stack)
        return Served(site.url, OWN_SERVER, running.sandbox, "", running.identity)
    return Served(_mounted(server, artifact, None, stack).url)


def _mounted(
    server: AppServer, artifact: Artifact, connect: Connect | None, stack: ExitStack
) -> Site:
    site = server.mount(artifact, connect)
    stack.callback(server.unmount, site)
    return site


def _started(
    runner: Runner, shop: Workshop, task: Task, artifact: Artifact, stack: ExitStack, stop: Event
) -> Running:
    """Start a server; the stack ends it."""
    return stack.enter_context(runner.start(artifact, task, shop.yard(), stop))
