"""What `defaults.task.yaml` sets for the task files in and below its folder.

This module finds these files, reads each once, and merges them, the nearest one last. A file of
defaults holds no task: it may set every key except those that make a task that task.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_appbench.errors import Problem, TaskFileError
from pytest_appbench.tasks import reader
from pytest_appbench.tasks.explain import KEYS, departures
from pytest_appbench.tasks.wording import describe

NAMES = ("defaults.task.yml", "defaults.task.yaml")
_OF_ONE_TASK = ("id", "query")
_SETTABLE = frozenset(KEYS) - {*_OF_ONE_TASK}


@dataclass(frozen=True)
class Defaults:
    """What holds where a task file says nothing.

    Attributes:
        values: Keys of a task with their values, as YAML gave them.
        problems: What is wrong in the files of defaults; the values beside it cannot be relied on.
    """

    values: dict[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def defaults_of(folder: Path, root: Path | None) -> Defaults:
    """Collect the defaults for the task files of a folder.

    Args:
        folder: The folder.
        root: The farthest folder that counts; None, or one that is not above: only the folder.

    Returns:
        The defaults of all folders on the way, nearer ones over farther ones.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for path in _files_above(folder, root):
        defaults = read_defaults(path)
        values = merge(values, defaults.values)
        problems.extend(defaults.problems)
    return Defaults(values, tuple(problems))


def merge(farther: dict[str, Any], nearer: dict[str, Any]) -> dict[str, Any]:
    """Lay values over others: mappings key by key, everything else as a whole.

    Args:
        farther: The values below; they are not changed.
        nearer: The values that win; they are not changed.

    Returns:
        The merged values.
    """
    if not farther:
        return nearer
    merged = {**farther, **nearer}
    for key in farther.keys() & nearer.keys():
        if isinstance(farther[key], dict) and isinstance(nearer[key], dict):
            merged[key] = merge(farther[key], nearer[key])
    return merged


def _files_above(folder: Path, root: Path | None) -> Iterator[Path]:
    """Where files of defaults may be, the farthest first."""
    nearest = Path(os.path.abspath(folder))  # noqa: PTH100, because links must not be followed
    lineage = [nearest, *nearest.parents]
    farthest = Path(os.path.abspath(root)) if root else nearest  # noqa: PTH100
    count = lineage.index(farthest) + 1 if farthest in lineage else 1
    for each in reversed(lineage[:count]):
        for name in NAMES:
            yield each / name


def read_defaults(path: Path) -> Defaults:
    """Read one file of defaults; as long as it does not change it is read once.

    Args:
        path: The file; it need not be there.

    Returns:
        What it sets, and what is wrong with it.
    """
    try:
        status = path.stat()
    except OSError:
        return Defaults()
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, mtime_ns: int, size: int) -> Defaults:
    try:
        documents = list(islice(reader.read_documents(path), 2))
    except TaskFileError as error:
        return Defaults(problems=error.problems)
    problems = sorted(_problems_of(path, documents), key=lambda problem: problem.line)
    data = documents[0].data if documents else None
    if not isinstance(data, reader.Mapping):
        return Defaults(problems=tuple(problems))
    return Defaults({key: data[key] for key in data if key in _SETTABLE}, tuple(problems))


def _problems_of(path: Path, documents: list[reader.Document]) -> Iterator[Problem]:
    for extra in documents[1:]:
        yield Problem(
            path,
            extra.line,
            "a file of defaults is one document; move these keys above and delete the line with "
            '"---"',
        )
    if not documents:
        yield Problem(
            path, 1, 'the file sets nothing; write for example "domain: science", or delete it'
        )
        return
    document = documents[0]
    yield from document.problems
    data = document.data
    if isinstance(data, reader.Mapping):
        yield from _problems_of_keys(path, data, {problem.line for problem in document.problems})
    elif not document.problems:
        yield Problem(
            path,
            document.line,
            f"defaults are a mapping of keys such as domain and level, but this document is "
            f'{describe(data)}; write "key: value" lines',
        )


def _problems_of_keys(path: Path, data: reader.Mapping, told: set[int]) -> Iterator[Problem]:
    for key in _OF_ONE_TASK:
        if key in data:
            yield Problem(
                path,
                data.lines[key],
                f'"{key}" belongs to one task, so a file of defaults cannot set it; move it into '
                "the task",
            )
    complete = {"domain": "any", **data, **dict.fromkeys(_OF_ONE_TASK, "any")}
    for line, message in departures(data, complete):
        if line not in told:
            yield Problem(path, line, message)
