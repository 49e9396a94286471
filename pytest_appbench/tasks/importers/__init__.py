"""The formats in which others keep their tasks, one module each; adding one touches no other file.

A module defines `FORMAT`. It knows what a record of the format means for a task, and nothing of
ids, YAML and folders: those belong to `importing`. It imports what it needs when it reads, so that
the formats can be listed at no cost.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pytest_appbench.errors import ExchangeError, Problem

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class Draft:
    """What one record comes to: a task without its id, and the files that belong to it.

    Attributes:
        path: The file or folder that it was read from.
        line: Where it begins there, counted from 1.
        title: What the id is made of; a name, or the request itself.
        keys: The keys of the task but for `id`, `materials`, `spec` and `steps`.
        own: The record's own number or name. It tells records of one title apart.
        materials: Files that come with the request.
        spec: Its specification.
        steps: The folder of its project.
        lost: What the record says and a task cannot hold, such as `index`.
    """

    path: Path
    line: int
    title: str
    keys: dict[str, Any]
    own: str = ""
    materials: tuple[Path, ...] = ()
    spec: Path | None = None
    steps: Path | None = None
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """A format of tasks.

    Attributes:
        name: As in `appbench import NAME`.
        help: What it is and what its source is, in one line.
        read: Reads a source. Yields each record that can be used, and for each other one what is
            wrong with it. Raises ExchangeError where the source as a whole cannot be read.
        write: Writes tasks to a file or folder that is not there yet; None where the format asks
            for what a task does not hold.
        holds: The keys of a task that `write` keeps, beside `id`.
    """

    name: str
    help: str
    read: Callable[[Path], Iterator[Draft | Problem]]
    write: Callable[[Sequence[Task], Path], None] | None = None
    holds: frozenset[str] = field(default_factory=frozenset)


def known() -> dict[str, Format]:
    """All formats by name, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [cast(Format, import_module(f"{__name__}.{name}").FORMAT) for name in names]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def resolve(name: str) -> Format:
    """Find a format.

    Args:
        name: As in `appbench import NAME`.

    Raises:
        ExchangeError: There is no such format; the message lists those that there are.
    """
    formats = known()
    if name in formats:
        return formats[name]
    near = get_close_matches(name.lower(), formats, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise ExchangeError(f"there is no format {name!r}{hint} Known formats:\n{listed()}")


def listed(*, writable: bool = False) -> str:
    """The formats with one line each.

    Args:
        writable: Only those that can be written.
    """
    formats = [each for each in known().values() if each.write or not writable]
    width = max(len(each.name) for each in formats)
    return "\n".join(f"  {each.name:<{width}}  {each.help}" for each in formats)
