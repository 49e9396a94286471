"""Web-Bench: folders of projects, each with steps that build on each other and their tests.

The source is one project or a folder of projects. A project becomes one task of protocol
`webbench`; its folder is copied as it is, so the tests stay the project's own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import ExchangeError, Problem
from pytest_appbench.tasks.importers import Draft, Format

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task

_STEPS = ("tasks.jsonl", "tasks.json", "tasks.yml", "tasks.yaml")


def _read(source: Path) -> Iterator[Draft | Problem]:
    if not source.is_dir():
        raise ExchangeError(f"{source}: name the folder of a project, or of several projects")
    folders = [source] if _steps_of(source) else sorted(p for p in source.iterdir() if p.is_dir())
    projects = [folder for folder in folders if _steps_of(folder)]
    if not projects:
        raise ExchangeError(
            f"{source}: no project here; a project's folder holds {' or '.join(_STEPS)}"
        )
    yield from map(_draft, projects)


def _steps_of(folder: Path) -> Path | None:
    return next((folder / name for name in _STEPS if (folder / name).is_file()), None)


def _draft(folder: Path) -> Draft | Problem:
    from pytest_appbench.tasks.records import BadRecord
    from pytest_appbench.tasks.wording import numbered

    path = _steps_of(folder) or folder
    try:
        steps = _steps(path)
    except BadRecord as error:
        return Problem(path, 1, str(error))
    if not (folder / "test").is_dir():
        return Problem(folder, 1, "the project has no folder test, so nothing can judge its steps")
    name = folder.resolve().name
    keys: dict[str, Any] = {
        "domain": "projects",
        "query": f"Build the project {name} in {len(steps)} steps, each on top of the one before:"
        f"\n\n{numbered(steps)}",
        "protocol": "webbench",
    }
    return Draft(path, 1, name, keys, steps=folder)


def _steps(path: Path) -> list[str]:
    """What each step asks for."""
    from pytest_appbench.errors import TaskFileError
    from pytest_appbench.tasks.reader import read_documents
    from pytest_appbench.tasks.records import BadRecord, drafts

    if path.suffix in (".yml", ".yaml"):
        try:
            documents = list(read_documents(path))
        except TaskFileError as error:
            raise BadRecord(error.problems[0].message) from None
        for document in documents:
            for problem in document.problems:
                raise BadRecord(f"line {problem.line}: {problem.message}")
        found = documents[0].data if documents else None
    else:
        found = []
        for each in drafts(path, lambda record: Draft(path, 1, record.text("description"), {})):
            if isinstance(each, Problem):
                raise BadRecord(f"line {each.line}: {each.message}")
            found.append({"description": each.title})
    if not isinstance(found, list) or not found:
        raise BadRecord("a list of steps is wanted, each with id and description")
    for number, step in enumerate(found, 1):
        if not (isinstance(step, dict) and str(step.get("description") or "").strip()):
            raise BadRecord(f'step {number} has no "description"; add it')
    return [str(step["description"]).strip() for step in found]


def _write(tasks: Sequence[Task], out: Path) -> None:
    from pytest_appbench.tasks.places import place

    for task in tasks:
        if task.steps:
            shutil.copytree(place(task, task.steps), out / task.id)


FORMAT = Format(
    "web-bench",
    "Web-Bench: the folder of a project with tasks and tests, or of several",
    _read,
    _write,
    frozenset({"domain", "query", "protocol", "steps"}),
)
