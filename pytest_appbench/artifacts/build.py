"""The build stage: an app's files become the files that are served, once for each content.

What was built is kept in the store and found again by what decided it: the app's files, the
template and the task's part in it. An app that does not build is never kept.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from threading import BoundedSemaphore, Event
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.cache import key_of
from pytest_appbench.errors import ArtifactRefused, BuildFailed

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Builder, Yard
    from pytest_appbench.artifacts.cache import Cache
    from pytest_appbench.artifacts.store import Artifact, Store
    from pytest_appbench.tasks.model import Task

_TURNS = BoundedSemaphore(os.cpu_count() or 1)
"""Builds of one process that run side by side."""


@dataclass(frozen=True)
class Built:
    """What an app was built to.

    Attributes:
        artifact: The files to serve.
        sandbox: What kept the build in.
        notes: What was left out or assumed, as sentences.
        reused: Whether it was built in an earlier run.
    """

    artifact: Artifact
    sandbox: str
    notes: tuple[str, ...] = ()
    reused: bool = False


@dataclass(frozen=True)
class Builds:
    """Builds apps, or finds what they were built to.

    Attributes:
        store: Keeps what was built.
        cache: Knows what was built from what.
        yard: What builds need of the run.
    """

    store: Store
    cache: Cache
    yard: Yard

    def now(
        self, builder: Builder, task: Task, source: Artifact, stop: Event | None = None
    ) -> Built:
        """Build an app while the caller waits.

        Args:
            builder: Of the task's format.
            task: The task.
            source: The app's files.
            stop: Set by another thread to end it.

        Raises:
            BuildFailed: It does not build.
            AppbenchError: It could not be tried.
        """
        key = key_of(builder=builder.identity(task), source=source.digest)
        data = self.cache.get("build", key)
        kept = self.store.find(data["digest"], source.origin) if data else None
        if data is not None and kept is not None:
            return Built(kept, data["sandbox"], tuple(data["notes"]), reused=True)
        with _TURNS, builder.build(source, task, self.yard, stop or Event()) as output:
            try:
                artifact = self.store.add(output.folder, source.origin)
            except ArtifactRefused as error:
                raise BuildFailed(str(error), sandbox=output.sandbox) from error
        facts = {"digest": artifact.digest, "sandbox": output.sandbox, "notes": output.notes}
        self.cache.put("build", key, facts)
        return Built(artifact, output.sandbox, output.notes)
