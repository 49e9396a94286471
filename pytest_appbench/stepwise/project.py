"""Reads a project folder as Web-Bench lays it out: its steps, its initial code, its tests.

    tasks.jsonl (or tasks.yml, tasks.yaml)   the steps: id, description, date, level
    src-init/                                the code that the first step starts from
    src/                                     the project's own solution after the last step
    src-faulty/                              another one, which the generator reference:faulty takes
    test/<id>.spec.js                        Playwright's tests of a step, with package.json, or
    checks/<id>.py                           checks in Python, which need no Node

An entry with the id `init` asks the generator for the initial code; it is no step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_appbench.artifacts.store import JUNK
from pytest_appbench.errors import AppbenchError, Problem, TaskFileError
from pytest_appbench.stepwise.layout import LISTS, SPECS, is_source
from pytest_appbench.tasks.reader import Sequence, read_documents

INIT = "init"
_MOST_BYTES = 2_000_000
_MOST_STEPS = 200


class ProjectError(AppbenchError):
    """A project of steps cannot be used; the message lists what is wrong, each with its place."""


class Step(BaseModel):
    """One step, as the project's list has it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    description: str = Field(pattern=r"\S", max_length=50_000)
    level: str = Field(default="", max_length=40)


@dataclass(frozen=True)
class Project:
    """A project folder that can be used.

    Attributes:
        folder: Its place.
        steps: The steps, in order.
        init: What the generator is asked for the initial code, if the project does not bring it.
        tests: The file of tests of each step, by the step's id.
        uses_node: Whether the tests are Playwright's own, run by Node.
    """

    folder: Path
    steps: tuple[Step, ...]
    init: Step | None
    tests: dict[str, Path]
    uses_node: bool

    @cached_property
    def own(self) -> frozenset[str]:
        """Relative paths of what is the project's and no part of any solution.

        These are its tests, its configuration and its scripts. A name that the initial code or the
        project's own solution has is a solution's to write.
        """
        theirs = {
            path.relative_to(self.folder).as_posix()
            for top in sorted(self.folder.iterdir())
            if not is_source(top.name) and top.name not in JUNK
            for path in (top.rglob("*") if top.is_dir() else (top,))
            if path.is_file()
        }
        written = {
            path.relative_to(source).as_posix()
            for source in self._sources
            for path in source.rglob("*")
            if path.is_file()
        }
        return frozenset(theirs - written)

    @property
    def _sources(self) -> tuple[Path, ...]:
        return tuple(self.folder / name for name in ("src", "src-init"))

    def owns(self, name: str) -> bool:
        """Whether a name of a solution's file is one of the project's own.

        Args:
            name: A relative path, as a solution has it. Any file below the project's folder of
                tests counts.
        """
        folder = name.partition("/")[0]
        return name in self.own or (
            folder in {path.parent.name for path in self.tests.values()}
            and not any((source / folder).is_dir() for source in self._sources)
        )


def read_project(folder: Path) -> Project:
    """Read a project folder.

    Args:
        folder: The folder.

    Returns:
        The project.

    Raises:
        ProjectError: It has no list of steps, a bad one, or steps without tests.
    """
    found = [folder / name for name in LISTS if (folder / name).is_file()]
    if len(found) != 1:
        raise ProjectError(
            f"{folder}: a project of steps has one list of steps, {' or '.join(LISTS)} (found: "
            f"{', '.join(path.name for path in found) or 'none'})"
        )
    listed, problems = [], []
    for line, data in _entries(found[0]):
        try:
            listed.append((line, Step.model_validate(data)))
        except ValidationError as error:
            said = error.errors(include_url=False)[0]
            where = ".".join(map(str, said["loc"]))
            problems.append(Problem(found[0], line, f"{where or 'the entry'}: {said['msg']}"))
    names: set[str] = set()
    for line, step in listed:
        if step.id in names:
            problems.append(Problem(found[0], line, f"a second {step.id!r}; give it its own id"))
        names.add(step.id)
    steps = tuple(step for _, step in listed if step.id != INIT)
    init = next((step for _, step in listed if step.id == INIT), None)
    if not steps and not problems:
        problems.append(Problem(found[0], 1, "it lists no step; write at least one"))
    tests, uses_node = _tests(folder, [step.id for _, step in listed])
    for line, step in listed:
        if step.id not in tests and step.id != INIT:
            wanted = f"test/{step.id}.spec.js" if uses_node else f"checks/{step.id}.py"
            problems.append(
                Problem(found[0], line, f"{step.id!r} has no tests; write {wanted} in {folder}")
            )
    if init is None and not (folder / "src-init").is_dir():
        problems.append(
            Problem(found[0], 1, "there is no src-init/ to start from, and no entry 'init'")
        )
    if problems:
        raise ProjectError("\n".join(map(str, problems)))
    asks = init if not (folder / "src-init").is_dir() else None
    return Project(folder, steps, asks, tests, uses_node)


def _tests(folder: Path, names: list[str]) -> tuple[dict[str, Path], bool]:
    """The tests of the steps, and whether they are Playwright's own."""
    checks = {name: folder / "checks" / f"{name}.py" for name in names}
    own = {name: path for name, path in checks.items() if path.is_file()}
    specs = {
        name: path
        for name in names
        for suffix in reversed(SPECS)
        if (path := folder / "test" / (name + suffix)).is_file()
    }
    return (own, False) if own or not (folder / "test").is_dir() else (specs, True)


def _entries(path: Path) -> list[tuple[int, Any]]:
    """The entries of a list of steps, each with its line."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise ProjectError(f"{path}:1: it cannot be read: {error}") from None
    if size > _MOST_BYTES:
        raise ProjectError(f"{path}:1: it is larger than {_MOST_BYTES // 1_000_000} MB")
    entries = list(_lines(path) if path.suffix == ".jsonl" else _items(path))
    if len(entries) > _MOST_STEPS:
        raise ProjectError(f"{path}:1: it lists more than {_MOST_STEPS} steps")
    return entries


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ProjectError(f"{path}:1: it cannot be read: {error}") from None
    # Only a line feed ends a line of JSON Lines; a description may hold other line separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ProjectError(f"{path}:{number}: it is not JSON: {error}") from None


def _items(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        documents = list(read_documents(path))
    except TaskFileError as error:
        raise ProjectError(str(error)) from None
    if problems := [problem for document in documents for problem in document.problems]:
        raise ProjectError("\n".join(map(str, problems)))
    if len(documents) != 1 or not isinstance(documents[0].data, Sequence):
        raise ProjectError(f"{path}:1: it must be a list of steps, each with id and description")
    yield from zip(documents[0].data.lines, documents[0].data, strict=True)
