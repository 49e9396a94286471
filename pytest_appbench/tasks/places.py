"""Finds the files that a task names, inside the task's folder and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_appbench.errors import Problem
from pytest_appbench.tasks.model import Task
from pytest_appbench.tasks.wording import quote

MOST_BYTES = 20_000_000
"""Of one file; it is shown to models and copied into workspaces."""


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
        A problem for each that is not there, is of the wrong kind, or leads elsewhere.
    """
    wanted = [("materials", name, False) for name in task.materials]
    wanted += [("spec", task.spec, False)] if task.spec else []
    wanted += [("steps", task.steps, True)] if task.steps else []
    if task.project is not None and task.project.packages:
        wanted += [("project", task.project.packages, True)]
    for key, name, is_folder in wanted:
        if wrong := _problem(task, name, is_folder):
            yield Problem(task.path, line_of(key), f'"{key}": {quote(name)} {wrong}')


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
