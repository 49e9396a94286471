"""What a run writes down besides its records: its settings, and which tasks it was to judge.

`run.json` holds the settings; each file of `expected/` holds the tasks that one session selected,
under a name made from its content, so that many processes and machines write without asking each
other. What was expected and is not on record lowers the coverage. Nothing here knows pytest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_appbench import __version__
from pytest_appbench.errors import RecordsError
from pytest_appbench.reports.results import (
    JOINED,
    Record,
    TaskWords,
    no_records,
    no_such_run,
    read,
    whole,
)
from pytest_appbench.reports.writing import write_whole

if TYPE_CHECKING:
    from pytest_appbench.settings import Settings

NAME = "run.json"
EXPECTED = "expected"
NOT_RUN = "not run: the run ended before its turn"
DECISIVE = (
    "generator",
    "generator_version",
    "judge",
    "protocol",
    "threshold",
    "pass_label",
    "viewport",
    "seed",
    "without",
    "vision",
    "clock",
    "screen",
    "attempts",
    "reducer",
    "vote",
    "max_turns",
    "max_actions",
    "time_limit",
    "task_tokens",
    "task_cost",
    "sandbox",
    "guard",
)
"""The settings that a verdict depends on; runs that differ in one are not halves of a whole."""


class Expected(BaseModel):
    """A task that a run was to judge."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    nodeid: str
    task: TaskWords


class RunFile(BaseModel):
    """What a run was asked to do.

    Attributes:
        version: Of this format.
        run: Id of the run.
        plugin: Version of pytest-appbench.
        settings: The settings that its verdicts depend on.
        uncertain: How pytest counted an uncertain verdict.
        merged: Ids of the runs that were joined, if this is no run of its own.
        spent: Tokens and US dollars (each None if not known) of joined runs.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = 1
    run: str
    plugin: str = __version__
    settings: Mapping[str, Any]
    uncertain: str = "fail"
    merged: tuple[str, ...] = ()
    spent: tuple[int | None, float | None] | None = None

    def differences(self, other: RunFile) -> list[str]:
        """What two runs were asked differently.

        Args:
            other: The other one.

        Returns:
            One phrase for each difference, this run's value first.
        """
        ours = {**self.settings, "plugin version": self.plugin}
        theirs = {**other.settings, "plugin version": other.plugin}
        return [
            f"{name.replace('_', '-')} {ours.get(name)} and {theirs.get(name)}"
            for name in (*DECISIVE, "plugin version")
            if ours.get(name) != theirs.get(name)
        ]


@dataclass(frozen=True)
class Results:
    """The records of a run, and what else it wrote down.

    Attributes:
        path: Where they were read from.
        records: All of them, attempts and votes included.
        file: What the run was asked to do, if that is known.
        expected: The tasks that it was to judge, as far as known.
        shards: Which parts of how many it judged, by pytest-split.
        spent: Tokens and US dollars (each None if not known) it spent on models, if told at all.
    """

    path: Path
    records: tuple[Record, ...]
    file: RunFile | None = None
    expected: tuple[Expected, ...] = ()
    shards: frozenset[tuple[int, int]] = frozenset()
    spent: tuple[int | None, float | None] | None = None

    @cached_property
    def whole(self) -> tuple[Record, ...]:
        """The records that stand for a task."""
        return tuple(whole(self.records))

    @cached_property
    def by_task(self) -> Mapping[str, Sequence[Record]]:
        """All records of each node id."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.nodeid, []).append(record)
        return found

    @cached_property
    def missing(self) -> tuple[Expected, ...]:
        """The expected tasks that are not on record."""
        there = {record.nodeid for record in self.whole}
        return tuple(one for one in self.expected if one.nodeid not in there)

    @cached_property
    def settled(self) -> tuple[Record, ...]:
        """One record for each task; for one that did not run, an error that says so."""
        run = self.file.run if self.file else ""
        absent = (
            Record(run=run, nodeid=one.nodeid, outcome="error", task=one.task, error=NOT_RUN)
            for one in self.missing
        )
        return (*self.whole, *absent)

    @property
    def folder(self) -> Path:
        """The folder from which the paths of evidence start."""
        return self.path if self.path.is_dir() else self.path.parent


def describe(settings: Settings, run: str) -> RunFile:
    """Write down what a run is asked to do.

    Args:
        settings: The settings of the run.
        run: Its id.

    Returns:
        The description, in plain values.
    """
    own = {name: _plain(getattr(settings, name)) for name in DECISIVE}
    return RunFile(run=run, settings=own, uncertain=settings.uncertain)


def begin(run: Path, file: RunFile) -> None:
    """Put `run.json` into a run's directory, unless it is there.

    Args:
        run: The directory.
        file: What the run is asked to do.
    """
    if not (run / NAME).exists():
        write_whole(run / NAME, file.model_dump_json(indent=2, exclude_none=True) + "\n")


def expect(run: Path, tasks: Sequence[Expected], shard: tuple[int, int] | None = None) -> None:
    """Write down the tasks that a session selected; processes that select alike write one file.

    Args:
        run: The run's directory.
        tasks: The tasks.
        shard: Which part of how many they are, counted from 1, or None.
    """
    text = "".join(task.model_dump_json(exclude_none=True) + "\n" for task in tasks)
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    part = f".{shard[0]}of{shard[1]}" if shard else ""
    path = run / EXPECTED / f"{name}{part}.jsonl"
    if not path.exists():
        write_whole(path, text)


def load(path: Path, *, may_be_empty: bool = False) -> Results:
    """Read what a run or a merge of runs left.

    Args:
        path: A run directory, its `results.jsonl`, or any file of records.
        may_be_empty: Whether a directory without records is a run all the same.

    Returns:
        The records and what lies beside them.

    Raises:
        RecordsError: There are no records, or a file cannot be read.
    """
    if not path.exists():
        raise no_such_run(path, path.parent)
    if path.is_file() and path.name == JOINED and (path.parent / NAME).is_file():
        path = path.parent
    file = _file_of(path)
    expected = _read_expected(path) if path.is_dir() else ()
    records = tuple(read(path))
    if not (records or expected or may_be_empty):
        raise no_records(path)
    return Results(path, records, file, expected, _shards(path), _spent(path, file))


def spent_at(path: Path) -> tuple[int | None, float | None] | None:
    """What a run spent on models, also for what then came to nothing.

    Args:
        path: A run directory, or any file of records.

    Returns:
        Tokens and US dollars (each None if not known); None if nothing tells.
    """
    return _spent(path, _file_of(path))


def read_file(path: Path) -> RunFile:
    """Read what a run was asked to do.

    Args:
        path: Its `run.json`.

    Returns:
        The description.

    Raises:
        RecordsError: The file is none.
    """
    try:
        return RunFile.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise RecordsError(f"{path}: this does not describe a run: {error}") from None


def find(name: str, base: Path, run_dir: Path) -> Path:
    """Find a run or a file of records that a user named.

    Args:
        name: A path, or the id of a run.
        base: Where a relative path starts.
        run_dir: The folder of runs.

    Returns:
        The path, which exists.

    Raises:
        RecordsError: There is neither.
    """
    for path in (base / name, run_dir / name):
        if path.exists():
            return path.resolve()
    raise no_such_run(name, run_dir)


def sidecar(path: Path) -> Path:
    """Where the description of a file of records lies: `all.run.json` beside `all.jsonl`.

    Args:
        path: The file of records.
    """
    return path.with_name(f"{path.name.removesuffix('.jsonl')}.{NAME}")


def _read_expected(run: Path) -> tuple[Expected, ...]:
    found: dict[str, Expected] = {}
    for file in sorted((run / EXPECTED).glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                one = Expected.model_validate_json(line)
            except ValidationError:
                raise RecordsError(f"{file}:{number}: this names no task; was it edited?") from None
            found.setdefault(one.nodeid, one)
    return tuple(found.values())


def _file_of(path: Path) -> RunFile | None:
    beside = path / NAME if path.is_dir() else sidecar(path)
    return read_file(beside) if beside.is_file() else None


def _shards(run: Path) -> frozenset[tuple[int, int]]:
    names = (file.name for file in (run / EXPECTED).glob("*.jsonl"))
    found = (re.search(r"\.(\d+)of(\d+)\.jsonl$", name) for name in names)
    return frozenset((int(match[1]), int(match[2])) for match in found if match)


def _spent(path: Path, file: RunFile | None) -> tuple[int | None, float | None] | None:
    if file and file.spent is not None:
        return file.spent
    if path.is_file() or file is None:
        return None
    if not (path / "ledger").is_dir():
        return 0, 0.0
    from pytest_appbench.models.limits import Ledger

    ledger = Ledger(path / "ledger")
    tokens, cost = ledger.spent()
    return tokens if ledger.counts_all() else None, cost


def _plain(value: Any) -> Any:
    """A setting as JSON has it, always the same for equal values."""
    if isinstance(value, frozenset):
        return sorted(value)
    return json.loads(json.dumps(value))


def done(records: Iterable[Record]) -> frozenset[str]:
    """The node ids that have a verdict.

    Args:
        records: The records of a run.
    """
    return frozenset(r.nodeid for r in whole(records) if r.outcome != "error")
