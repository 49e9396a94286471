"""Everything that can be said of task files, their defaults and their checks without running them.

It finds the files below the folders it is given, and never looks into places that hold apps or
evidence: what lies there came out of a model or an agent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from pytest_appbench.errors import Problem
from pytest_appbench.tasks import defaults
from pytest_appbench.tasks.checkfile import problems_of_checks
from pytest_appbench.tasks.load import Ids, read_file
from pytest_appbench.tasks.model import Task
from pytest_appbench.tasks.wording import quote

_SUFFIXES = (".task.yaml", ".task.yml")
_CLOSED_FOLDERS = frozenset({"apps", "appbench-runs"})


class Validation(NamedTuple):
    """What was looked at and what is wrong with it.

    Attributes:
        problems: Everything that is wrong, file by file.
        tasks: How many tasks are in order.
        files: How many task files were read.
    """

    problems: list[Problem]
    tasks: int
    files: int


def validate(paths: Iterable[Path], root: Path | None = None) -> Validation:
    """Check task files and what belongs to them.

    Args:
        paths: Task files, files of defaults, and folders, which are searched.
        root: Where the search for files of defaults ends, going up; None for the working directory.
            A path outside it is its own root.

    Returns:
        The problems, and the numbers of tasks and files.
    """
    read, problems = _read(paths, root)
    ids = Ids()
    tasks = [task for found, _ in read.values() for task in found]
    problems.extend(problem for task in tasks if (problem := ids.claim(task)))
    problems.extend(_problems_of_checks(tasks, {file for file in read if not read[file][1]}))
    distinct = {str(problem): problem for problem in problems}
    return Validation(list(distinct.values()), len(tasks), len(read))


def read_tasks(paths: Iterable[Path]) -> tuple[list[Task], list[Problem]]:
    """Read the tasks of files and folders.

    Args:
        paths: As in `validate`.

    Returns:
        The tasks that are in order, file by file, and what is wrong with the rest.
    """
    read, problems = _read(paths, None)
    return [task for tasks, _ in read.values() for task in tasks], problems


_Read = dict[Path, tuple[list[Task], list[Problem]]]


def _read(paths: Iterable[Path], root: Path | None) -> tuple[_Read, list[Problem]]:
    """The tasks and problems of each task file, and all problems with those of the defaults."""
    top = (root or Path.cwd()).absolute()
    read: _Read = {}
    problems: list[Problem] = []
    for given in paths:
        path = Path(os.path.abspath(given))  # noqa: PTH100, because links must not be followed
        files = list(task_files(path)) if path.is_dir() else [path]
        if message := _nothing_to_read(path, files):
            problems.append(Problem(path, 1, message))
            continue
        for file in files:
            if file.name in defaults.NAMES:
                problems.extend(defaults.read_defaults(file).problems)
            elif file not in read:
                read[file] = read_file(file, top if top in file.parents else path)
                problems.extend(read[file][1])
    return read, problems


def _nothing_to_read(path: Path, files: list[Path]) -> str | None:
    if not path.exists():
        return "there is no such file or folder; check the path"
    if path.is_dir() and all(file.name in defaults.NAMES for file in files):
        return "no file in or below this folder is named *.task.yaml; check the path"
    return None


def task_files(folder: Path) -> Iterator[Path]:
    """Find task files and files of defaults.

    Args:
        folder: Where to search; not in `apps/` folders, run directories and hidden folders below.

    Yields:
        The files, folder by folder in the order of their names.
    """
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _CLOSED_FOLDERS and not name.startswith(".")
        )
        yield from (Path(parent, name) for name in sorted(files) if name.endswith(_SUFFIXES))


def _problems_of_checks(tasks: list[Task], whole: set[Path]) -> Iterator[Problem]:
    """What is wrong in the `checks/` of the tasks' folders.

    Args:
        tasks: The tasks that are known.
        whole: The task files of which all tasks are known.

    Yields:
        The problems, file by file.
    """
    ids: dict[Path, list[str]] = {}
    for task in tasks:
        ids.setdefault(task.folder, []).append(task.id)
    for folder, known in ids.items():
        complete = all(file in whole for file in _task_files_in(folder))
        for path in sorted((folder / "checks").glob("*.py")):
            if not _real(path).is_relative_to(_real(folder)):
                yield Problem(path, 1, "the link leads out of the task's folder; copy the file")
            elif path.stem in known:
                yield from problems_of_checks(path)
            elif complete and not path.name.startswith("_"):
                yield Problem(path, 1, _of_no_task(path.stem, known))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # links in a circle are no error here, unlike resolve()


def _task_files_in(folder: Path) -> Iterator[Path]:
    names = (entry.name for entry in os.scandir(folder))
    return (
        folder / name for name in names if name.endswith(_SUFFIXES) and name not in defaults.NAMES
    )


def _of_no_task(name: str, ids: list[str]) -> str:
    near = get_close_matches(name, ids, n=1)
    return f"no task of the folder has the id {quote(name)}, so these checks never run; " + (
        f"rename the file to {near[0]}.py" if near else "give it the name of its task's id"
    )
