"""From a task file to tasks, or to everything that is wrong with it.

This module knows how documents, the defaults of their folders and the task model come together,
and what must be unique. YAML belongs to `reader`, wording to `explain`; nothing here knows pytest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from pytest_appbench.errors import Problem, TaskFileError
from pytest_appbench.tasks.defaults import Defaults, defaults_of, merge
from pytest_appbench.tasks.explain import KEYS, departures, not_a_mapping
from pytest_appbench.tasks.model import Task
from pytest_appbench.tasks.places import problems_of_places
from pytest_appbench.tasks.reader import MAX_PROBLEMS, Document, Mapping, read_documents
from pytest_appbench.tasks.wording import quote

_KEYS = frozenset(KEYS)


class Ids:
    """The ids that are taken, for each folder apart; it fills as files are loaded, in any order."""

    def __init__(self) -> None:
        self._places: dict[tuple[Path, str], tuple[Path, int]] = {}

    def claim(self, task: Task) -> Problem | None:
        """Take a task's id.

        Args:
            task: The task. Claiming it again is no clash.

        Returns:
            None, or that another task of the same folder has this id, naming both places.
        """
        place = (task.path, task.line)
        first = self._places.setdefault((task.folder, task.id), place)
        if first == place:
            return None
        return Problem(*place, _clash(task.id, f"at {first[0].name}:{first[1]}"))


def load_file(path: Path, root: Path | None = None) -> list[Task]:
    """Read the tasks of a file.

    Args:
        path: The file.
        root: The folder at which the search for `defaults.task.yaml` ends, going up from the file;
            None, or a folder that is not above the file: only the file's own folder is searched.

    Returns:
        The tasks in the order of the file, defaults applied.

    Raises:
        TaskFileError: Something is wrong with the file or with the defaults that hold for it; the
            error carries all problems, in the order of their lines.
    """
    tasks, problems = read_file(path, root)
    if problems:
        raise TaskFileError(problems)
    return tasks


def read_file(path: Path, root: Path | None = None) -> tuple[list[Task], list[Problem]]:
    """Read what can be read of a task file.

    Args:
        path: The file.
        root: As in `load_file`.

    Returns:
        The tasks that are in order, and what is wrong with the rest; the problems of the defaults
        come first, then those of the file in the order of their lines.
    """
    defaults = defaults_of(path.parent, root)
    tasks: list[Task] = []
    problems: list[Problem] = []
    try:
        for found in _read(path, defaults):
            if isinstance(found, Task):
                tasks.append(found)
            else:
                problems.append(found)
                if len(problems) > MAX_PROBLEMS:
                    problems[-1] = Problem(
                        path, found.line, "there may be more problems; mend those above first"
                    )
                    break
    except TaskFileError as error:
        problems.extend(error.problems)
    # Those of a file that a task names come after the task file's own.
    problems.sort(key=lambda problem: (problem.path != path, str(problem.path), problem.line))
    return tasks, [*defaults.problems, *problems]


def _read(path: Path, defaults: Defaults) -> Iterator[Task | Problem]:
    lines: dict[str, int] = {}
    document: Document | None = None
    for document in read_documents(path):
        task = _task_of(document, path, defaults)
        clash = _repeated(document, path, lines)
        if clash:
            yield clash
        if task is None:
            yield from _problems_of(document, path, defaults)
        elif wrong := list(problems_of_places(task, _lines_of(document))):
            yield from wrong
        elif not clash:
            yield task
    if document is None:
        yield Problem(
            path,
            1,
            "the file holds no task; write one, with id, domain and query at least, or delete "
            "the file",
        )


def _lines_of(document: Document) -> Callable[[str], int]:
    """The line of a key; what comes from the defaults is told at the task's first line."""
    lines = document.data.lines
    return lambda key: lines.get(key, document.line)


def _task_of(document: Document, path: Path, defaults: Defaults) -> Task | None:
    """The task, or None if anything is wrong with the document."""
    data = document.data
    if document.problems or type(data) is not Mapping or not data.keys() <= _KEYS:
        return None
    try:
        return Task.model_validate(
            {**merge(defaults.values, data), "path": path, "line": document.line}
        )
    except ValidationError:
        return None


def _problems_of(document: Document, path: Path, defaults: Defaults) -> Iterator[Problem]:
    yield from document.problems
    data = document.data
    if isinstance(data, Mapping):
        told = {problem.line for problem in document.problems}
        for line, message in departures(data, merge(defaults.values, data)):
            if line not in told:
                yield Problem(path, line, message)
    elif not document.problems:
        yield Problem(path, document.line, not_a_mapping(data))


def _repeated(document: Document, path: Path, lines: dict[str, int]) -> Problem | None:
    """Whether an id was there before in this file; bad tasks count too."""
    data = document.data
    name = data.get("id") if isinstance(data, Mapping) else None
    if not isinstance(name, str):
        return None
    line = data.lines["id"]
    first = lines.setdefault(name, line)
    return None if first == line else Problem(path, line, _clash(name, f"on line {first}"))


def _clash(name: str, place: str) -> str:
    return (
        f"the id {quote(name)} is taken already {place}; ids are unique among the task files of "
        f"one folder, so write another one here (and rename what belongs to it in apps/ and "
        "checks/)"
    )
