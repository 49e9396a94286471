"""The registry of formats: what an app of each is made of, and what makes it a site.

Every module in this folder that defines `FORMAT` takes part; adding a format is adding one file
(and its word to the task model). The registry knows what a format is and nothing of how one is
built or run.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pytest_appbench.artifacts.proxy import Connect
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class Yard:
    """What building and running an app needs of the run.

    Attributes:
        cache_dir: The cache directory, in which builds share what is installed.
        hidden: Folders that no build may see: the repository, the cache, earlier runs.
        sandbox: How processes that are not ours are kept in: auto or none.
    """

    cache_dir: Path
    hidden: tuple[Path, ...] = ()
    sandbox: str = "auto"


@dataclass(frozen=True)
class Output:
    """What a build left.

    Attributes:
        folder: The files to serve, in a temporary folder.
        sandbox: What kept the build in.
        notes: What was left out or assumed, as sentences.
    """

    folder: Path
    sandbox: str
    notes: tuple[str, ...] = ()


class Builder(Protocol):
    """Turns an app's files into the files that are served."""

    def identity(self, task: Task) -> str:
        """What, together with the app's files, decides what is built."""
        ...

    def manifest(self) -> AbstractContextManager[Path]:
        """A folder with the `package.json` and the lock file of what its builds share."""
        ...

    def build(
        self, source: Artifact, task: Task, yard: Yard, stop: Event
    ) -> AbstractContextManager[Output]:
        """Build an app.

        Args:
            source: Its files.
            task: The task.
            yard: Where and how.
            stop: Set by another thread to end it.

        Returns:
            A context manager around what was built; the files are gone on leaving it.

        Raises:
            BuildFailed: The app does not build.
            AppbenchError: It could not be tried; the app is not to blame.
        """
        ...


@dataclass(frozen=True)
class Running:
    """An app's own server that has answered.

    Attributes:
        connect: Opens a connection to it; raises OSError where it has ended.
        sandbox: What keeps it in.
        identity: What, beside the app's files, decides how it behaves.
    """

    connect: Connect
    sandbox: str
    identity: str


class Runner(Protocol):
    """Runs an app that has a server of its own."""

    def start(
        self, source: Artifact, task: Task, yard: Yard, stop: Event
    ) -> AbstractContextManager[Running]:
        """Start an app's server and wait until it answers.

        Args:
            source: The app's files.
            task: The task.
            yard: Where and how.
            stop: Set by another thread to give up waiting.

        Returns:
            A context manager around the server; it has ended with all it started on leaving it.

        Raises:
            BuildFailed: The app cannot be built or does not answer.
            AppbenchError: It could not be tried; the app is not to blame.
        """
        ...


def _nothing(task: Task) -> str:
    return ""


@dataclass(frozen=True)
class Format:
    """One word that a task's `format` may be.

    Attributes:
        name: The word.
        wanted: What makes files an app of this format, to follow "it needs".
        missing: What is wrong where an agent's workspace has no such files.
        page: What a reply without an app lacks.
        root: Gives the place of an app among relative paths with forward slashes: an empty text
            for the top, a folder's path, or None where there is no app.
        prompt: The prompt of a model that is asked once, a file in `artifacts/prompts/`.
        rules: What an agent is told of the format, as a Markdown list.
        builder: Builds apps of this format; None where there is nothing to build.
        runner: Runs apps of this format; None where their files are served.
        adopted: For a word after a code fence, the file that a block without a name becomes; None
            where such blocks are examined for pages.
        terms: What a task says of how its app is run, to follow what is asked for; empty where
            it says nothing.
    """

    name: str
    wanted: str
    missing: str
    page: str
    root: Callable[[Iterable[str]], str | None]
    prompt: str
    rules: str
    builder: Builder | None = None
    runner: Runner | None = None
    adopted: Mapping[str, str] | None = None
    terms: Callable[[Task], str] = _nothing


@cache
def formats() -> Mapping[str, Format]:
    """All known formats, by name."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        declared = importlib.import_module(f"{__name__}.{module.name}")
        found += [declared.FORMAT] if hasattr(declared, "FORMAT") else []
    return {one.name: one for one in found}


def of(name: str) -> Format:
    """The format of a name.

    Args:
        name: As in a task, which has been validated.
    """
    return formats()[name]
