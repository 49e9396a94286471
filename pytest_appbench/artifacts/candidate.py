"""What a generator is and what it hands over: files on disk, and what makes them an app.

This module owns those words and nothing else. It does not know which generators there are, and a
candidate's files have not been copied, checked or served yet.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pytest_appbench.errors import MissingArtifact, SettingsError

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Usage
    from pytest_appbench.models.chat import Chat
    from pytest_appbench.tasks.model import Task

OWN_SERVER = "own server"
"""Stands in records for the digest of what was served, where an app's own server answered."""


@dataclass(frozen=True)
class Candidate:
    """The app that a generator made or found for one task.

    Attributes:
        source: A folder of files, or a single HTML file.
        origin: Where it came from, such as `reference:good`.
        notes: What the generator had to say about it.
        temporary: Whether the folder is to be removed once its files are in the store.
        usage: What a model consumed to make it, or None where no model did.
        sandbox: How a process that is not ours was kept in while it made it, if one did.
    """

    source: Path
    origin: str
    notes: str = ""
    temporary: bool = False
    usage: Usage | None = None
    sandbox: str | None = None


@dataclass(frozen=True)
class Means:
    """What a generator is given beside its specification.

    Attributes:
        chat: Gives the model that a specification such as `anthropic:MODEL` names, for one task,
            with the limits of the run around it; `TimeoutError` says that an answer took too long.
        environment: Names of environment variables that an agent may see.
        version: What the user calls the present version of an agent; empty if unknown.
        hidden: Folders that an agent must not see: the repository, the cache, earlier runs.
        sandbox: How processes that are not ours are kept in: auto or none.
        time_limit: Seconds for one app.
        images: Whether models that write apps are sent pictures.
    """

    chat: Callable[[str, str], Chat]
    environment: tuple[str, ...] = ()
    version: str = ""
    hidden: tuple[Path, ...] = ()
    sandbox: str = "auto"
    time_limit: float = 900.0
    images: bool = True


class Generator(Protocol):
    """Turns a task into a candidate."""

    @property
    def identity(self) -> str | None:
        """What, together with the task, decides the app; None if an app must not be reused.

        It holds everything the app depends on: the model, its decoding, the prompt, or the version
        that a user gave to an agent.
        """
        ...

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders outside the cache that hold untrusted files; pytest must not collect there.

        The `apps/` folders beside task files are known without being listed here.
        """
        ...

    def __call__(self, task: Task) -> Candidate | Awaitable[Candidate]:
        """Make or find the app for a task.

        Args:
            task: The task.

        Returns:
            The app's files and where they came from.

        Raises:
            MissingArtifact: There is no app for this task.
            GenerationFailed: The candidate's own fault: it refused, timed out or wrote no app.
        """
        ...


def entry_point(names: Iterable[str]) -> str | None:
    """The page that opens first among the names at the top of a folder.

    Args:
        names: File names, without folders.

    Returns:
        `index.html` if it is there, else the only `*.html`, else None: the files are not an app.
    """
    pages = [name for name in names if name.endswith(".html")]
    if "index.html" in pages:
        return "index.html"
    return pages[0] if len(pages) == 1 else None


def require_app(task: Task, folder: Path, shown: str) -> None:
    """Make sure that a folder is an app.

    Args:
        task: The task it is for, named in the error.
        folder: The folder.
        shown: How to name the folder in the error.

    Raises:
        MissingArtifact: No page at the top of the folder can be the one that opens first.
    """
    from pytest_appbench.artifacts.builders import of

    form = of(task.format)
    listed = list(_near_the_top(folder))
    root = form.root(listed)
    if root == "":
        return
    found = enumerate_names(sorted(name for name in listed if "/" not in name))
    hint = f"; there is one in {root}/" if root else ""
    raise MissingArtifact(
        f"no app for task '{task.id}': {shown} is not an app, it needs {form.wanted} "
        f"(found: {found}{hint})"
    )


def require_files(built: str | None, name: str) -> None:
    """Make sure that an app was served from files, so that it can be opened from them again.

    Args:
        built: What was served, as its record has it.
        name: How to name the app in the error.

    Raises:
        MissingArtifact: It has a server of its own.
    """
    if built == OWN_SERVER:
        raise MissingArtifact(
            f"{name}: the app has a server of its own and cannot be opened from its files: judge "
            "the task again instead"
        )


def _near_the_top(folder: Path) -> Iterator[str]:
    """The relative paths of the files at the top of a folder and in the folders there."""
    for path in folder.iterdir():
        if path.is_file():
            yield path.name
        elif path.is_dir() and path.name != "node_modules":
            yield from (f"{path.name}/{inner.name}" for inner in path.iterdir() if inner.is_file())


def display(path: Path, root: Path) -> str:
    """A path as a user would write it: relative to a folder where that is possible.

    Args:
        path: The path to show.
        root: The folder that the user is in.

    Returns:
        The path with forward slashes.
    """
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def enumerate_names(names: Iterable[str], limit: int = 8) -> str:
    """Names as part of a sentence, cut short where there are many.

    Args:
        names: The names, in the order to show them.
        limit: How many to show.

    Returns:
        `a, b and 3 more`, or `nothing` where there are none.
    """
    listed = list(names)
    if not listed:
        return "nothing"
    rest = len(listed) - limit
    return ", ".join(listed[:limit]) + (f" and {rest} more" if rest > 0 else "")


def identity_of(generator: object, version: str | None) -> str | None:
    """What stands for a generator in the keys of the cache.

    Args:
        generator: The callable.
        version: What the user calls the present version of their own, if they do.

    Returns:
        The generator's own `identity`; of a user's generator the version; None where nothing is
        known, and nothing may be taken from the cache.
    """
    if hasattr(generator, "identity"):
        identity: str | None = generator.identity
        return identity
    return f"own:{version}" if version else None


def own_name(generator: object, version: str | None) -> str:
    """What a user's own generator is called on record.

    Args:
        generator: The callable.
        version: What the user calls its present version, if they do.

    Returns:
        Such as `own:build`, or `own:build 2.1` with a version.
    """
    whole = getattr(generator, "__qualname__", type(generator).__qualname__)
    # A function within the fixture, or the fixture where that returns a lambda.
    name = [part for part in whole.split(".") if part.isidentifier()][-1]
    return f"own:{name} {version}" if version else f"own:{name}"


def as_candidate(value: object, origin: str) -> Candidate:
    """What a generator answered, as a candidate.

    Args:
        value: A candidate, or the path of an app from a user's own generator.
        origin: What a user's own generator is called.

    Returns:
        The candidate.

    Raises:
        SettingsError: It is neither.
    """
    if isinstance(value, Candidate):
        return value
    if isinstance(value, str | Path):
        return Candidate(Path(value), origin)
    raise SettingsError(
        f"the appbench_generator fixture answered {value!r}; it must return a callable that takes "
        "the task and returns the app's folder as a path, or a Candidate"
    )
