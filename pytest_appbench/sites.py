"""From an app's files to a live site: built where its format asks for it, served at its own origin.

It ties the build stage and the server together for whoever judges. It knows no pytest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_appbench.artifacts import builders
from pytest_appbench.errors import BuildFailed

if TYPE_CHECKING:
    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.waiting import Wait
    from pytest_appbench.workshop import Workshop


@dataclass(frozen=True)
class Served:
    """An app that is served.

    Attributes:
        url: Where it opens.
        built: The digest of the files that are served, where they were built from the app's own.
        sandbox: What kept processes of the app in, if there were any.
        notes: What was left out or assumed on the way, a sentence on each line.
    """

    url: str
    built: str = ""
    sandbox: str | None = None
    notes: str = ""


@contextmanager
def opened(
    shop: Workshop, server: AppServer, task: Task, artifacts: Sequence[Artifact], until: Wait
) -> Iterator[list[Served | BuildFailed]]:
    """Serve apps for the time of a block; those that must be built are built side by side.

    Args:
        shop: Builds them.
        server: Serves them.
        task: The task they are for.
        artifacts: Their files.
        until: Waits while the browser is served.

    Yields:
        For each app where it is served, or why it cannot be by its own fault.
    """
    builder = builders.of(task.format).builder
    built = shop.build(builder, task, artifacts, until) if builder else [None] * len(artifacts)
    with ExitStack() as stack:
        sites: list[Served | BuildFailed] = []
        for artifact, made in zip(artifacts, built, strict=True):
            if isinstance(made, BuildFailed):
                sites.append(made)
                continue
            site = server.mount(made.artifact if made else artifact)
            stack.callback(server.unmount, site)
            sites.append(
                Served(site.url, made.artifact.digest, made.sandbox, "\n".join(made.notes))
                if made
                else Served(site.url)
            )
        yield sites
