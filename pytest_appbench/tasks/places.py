"""Finds the files that a task names, inside the task's folder and nowhere else."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_appbench.errors import Problem
from pytest_appbench.tasks.model import Task
from pytest_appbench.tasks.specification import SpecificationError, parse
from pytest_appbench.tasks.wording import quote

MOST_BYTES = 20_000_000
"""Of one file; it is shown to models and copied into workspaces."""


@dataclass(frozen=True)
class Material:
    """A file that comes with a request.

    Attributes:
        name: Its path as the task gives it, with forward slashes; an app finds it under this name.
        path: Where it is.
    """

    name: str
    path: Path

    @property
    def suffix(self) -> str:
        """What its name ends with, in lower case and without the dot."""
        return self.path.suffix.lower().removeprefix(".")

    @cached_property
    def content(self) -> bytes:
        """What is in it."""
        return self.path.read_bytes()

    @property
    def text(self) -> str | None:
        """Its words, or None if it is no text."""
        if b"\0" in self.content:
            return None
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None


def materials_of(task: Task) -> tuple[Material, ...]:
    """The files that come with a task's request, in its order.

    Args:
        task: A task whose files are there.
    """
    found = []
    for name in task.materials:
        path, plain = place(task, name), posixpath.normpath(name)
        inside = not plain.startswith("../")
        found.append(
            Material(plain if inside else path.relative_to(task.folder.resolve()).as_posix(), path)
        )
    return tuple(found)


def place(task: Task, name: str) -> Path:
    """Where a file or folder of a task is.

    Args:
        task: The task.
        name: Its path, relative to the task's folder.

    Returns:
        Its absolute path, links followed.

    Raises:
        ValueError: It leads out of the task's folder; the message continues its name.
    """
    folder = task.folder.resolve()
    path = (folder / name).resolve()
    if Path(name).is_absolute() or not path.is_relative_to(folder):
        raise ValueError("leads out of the task's folder; copy it there")
    return path


def problems_of_places(task: Task, line_of: Callable[[str], int]) -> Iterator[Problem]:
    """What is wrong with the files that a task names.

    Args:
        task: The task.
        line_of: The line on which a key of the document stands.

    Yields:
        A problem for each that is not there, is of the wrong kind, or leads elsewhere; and for each
        line of its specification that is wrong.
    """
    wanted = [("materials", name, False) for name in task.materials]
    wanted += [("spec", task.spec, False)] if task.spec else []
    wanted += [("steps", task.steps, True)] if task.steps else []
    if task.project is not None and task.project.packages:
        wanted += [("project", task.project.packages, True)]
    for key, name, is_folder in wanted:
        if wrong := _problem(task, name, is_folder):
            yield Problem(task.path, line_of(key), f'"{key}": {quote(name)} {wrong}')
        elif key == "spec":
            yield from _problems_of_specification(place(task, name))


def _problems_of_specification(path: Path) -> Iterator[Problem]:
    try:
        parse(path.read_text(encoding="utf-8"))
    except SpecificationError as error:
        yield from (Problem(path, line, message) for line, message in error.problems)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        yield Problem(path, line, "this line is not UTF-8; save the file as UTF-8")


def _problem(task: Task, name: str, is_folder: bool) -> str | None:
    kind = "folder" if is_folder else "file"
    try:
        path = place(task, name)
    except ValueError as error:
        return str(error)
    if not (path.is_dir() if is_folder else path.is_file()):
        other = ", but something else is there" if path.exists() else ""
        return f"is no {kind}{other}; write the path of a {kind}, relative to the task file"
    if not is_folder and path.stat().st_size > MOST_BYTES:
        return f"is larger than {MOST_BYTES // 1_000_000} MB; use a smaller one"
    return None
