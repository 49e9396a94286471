"""Many generators side by side, for each judge: pass rates by domain and level, with ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_appbench.reports.results import whole
from pytest_appbench.reports.tables import aligned, csv_text, percent, percent_within
from pytest_appbench.reports.ways import judged_ways, task_of, ways
from pytest_appbench.statistics.paired import Side, pair, sides
from pytest_appbench.statistics.standings import Rate, ranks

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import RunFile

ALL = ("all", "")
LEVELS = ("easy", "mid", "hard")
Group = tuple[str, str]
"""What a rate is over: all tasks, or those of a `domain` or `level` with that name."""


@dataclass(frozen=True)
class Entry:
    """One generator under one judge.

    Attributes:
        name: The generator's, or what the user calls the run.
        tasks: Node id to what became of the task.
    """

    name: str
    tasks: Mapping[str, Side]

    def rate(self, group: Group = ALL) -> Rate:
        """Its pass rate over a group of tasks.

        Args:
            group: Which tasks.
        """
        counts = self._counts.get(group, Counter())
        return Rate(counts["pass"], counts.total())

    @cached_property
    def _counts(self) -> dict[Group, Counter[str]]:
        found: dict[Group, Counter[str]] = {}
        for side in self.tasks.values():
            outcome, task = side.outcome, side.record.task
            groups = (ALL, ("domain", task.domain), ("level", task.level))
            for by, name in groups if outcome != "error" else ():
                if name is not None:
                    found.setdefault((by, name), Counter())[outcome] += 1
        return found

    @property
    def errors(self) -> int:
        """How many tasks have no verdict."""
        return sum(side.outcome == "error" for side in self.tasks.values())


@dataclass(frozen=True)
class Board:
    """The entries that one judge judged; those of different judges are never in one table.

    Attributes:
        judge: Who gave every verdict, with the protocol and the threshold.
        entries: The best pass rate first.
    """

    judge: str
    entries: tuple[Entry, ...]

    @property
    def groups(self) -> list[Group]:
        """All tasks, then each domain, then each level."""
        words = [side.record.task for entry in self.entries for side in entry.tasks.values()]
        domains = sorted({task.domain for task in words if task.domain})
        levels = {task.level for task in words if task.level}
        return [
            ALL,
            *(("domain", name) for name in domains),
            *(("level", name) for name in sorted(levels, key=_by_difficulty)),
        ]

    def ranks(self, group: Group = ALL) -> list[int | None]:
        """The entries' ranks over a group of tasks.

        Args:
            group: Which tasks.
        """
        return ranks([entry.rate(group) for entry in self.entries])

    def unlike(self) -> list[str]:
        """Which entries were not judged over the tasks that the others were, in words."""
        every = {nodeid for entry in self.entries for nodeid in entry.tasks}
        short = [(entry, len(every) - len(entry.tasks)) for entry in self.entries]
        return [
            f"{entry.name} lacks {lacks} of {len(every)} tasks: its rates are over others"
            for entry, lacks in short
            if lacks
        ]


@dataclass(frozen=True)
class Source:
    """A run that takes part.

    Attributes:
        place: Where its records are, which tells it from others.
        records: Its records.
        name: What the user calls it; None to name it by its generator.
        file: What it was asked to do, if that is known.
    """

    place: str
    records: Sequence[Record]
    name: str | None = None
    file: RunFile | None = None


def boards(sources: Sequence[Source]) -> list[Board]:
    """Sort the records of many runs into tables.

    Runs of one name under one judge are one entry as long as they share no task, as shards do. One
    that judges tasks again is an entry of its own, named by its place besides: it may be another
    version of an agent, and two runs that disagree have no outcome in common. What was judged in
    several ways within a run stands in several tables.

    Args:
        sources: The runs.

    Returns:
        A board for each judge, that with the most verdicts first.
    """
    first: list[Record] = []
    kept: dict[str, dict[str, dict[str, Side]]] = {}
    judged = [judged_ways(source.records) for source in sources]
    every = [way for one in judged for way in one.values()]
    for source, own_ways in zip(sources, judged, strict=True):
        way_of = ways(source.records, own_ways, every, source.file)
        alike, known = _same_nodeids(first, source.records), {record.nodeid for record in first}
        first += [record for record in alike if record.nodeid not in known]
        by_way: dict[str, list[Record]] = {}
        for record, renamed in zip(source.records, alike, strict=True):
            if (task := task_of(record)) in way_of:
                by_way.setdefault(str(way_of[task] or "nobody"), []).append(renamed)
        for way, its in by_way.items():
            for generator, own in _by_generator(its).items():
                name = source.name or generator
                _enter(kept.setdefault(way, {}), name, source.place, sides(own))
    found = [
        Board(judge, tuple(sorted((Entry(n, tasks) for n, tasks in entries.items()), key=_best)))
        for judge, entries in kept.items()
    ]
    return sorted(found, key=lambda board: -sum(e.rate().judged for e in board.entries))


def table(board: Board) -> list[str]:
    """A board as lines of text.

    Args:
        board: Any.

    Returns:
        Overall rates with intervals and ranks, then a column for each domain and level.
    """
    rest = board.groups[1:]
    heads = ["generator", "rank", "tasks", "error", "pass rate (95 %)"]
    rows = [[*heads, *(name for _, name in rest)]]
    for entry, rank in zip(board.entries, board.ranks(), strict=True):
        rate = entry.rate()
        rows.append(
            [
                entry.name,
                "-" if rank is None else str(rank),
                str(rate.judged),
                str(entry.errors),
                percent_within(rate.value, rate.interval),
                *(percent(entry.rate(group).value) for group in rest),
            ]
        )
    return aligned(rows)


def csv_of(found: Sequence[Board]) -> str:
    """All boards as CSV, one line for each judge, generator and group.

    Args:
        found: Any.
    """
    rows: list[Sequence[object]] = [
        ("judge", "generator", "by", "group", "rank", "passed", "judged", "rate", "low", "high")
    ]
    for board in found:
        for group in board.groups:
            for entry, rank in zip(board.entries, board.ranks(group), strict=True):
                rate = entry.rate(group)
                low, high = rate.interval or (None, None)
                figures = (rank, rate.passed, rate.judged, rate.value, low, high)
                rows.append((board.judge, entry.name, *group, *figures))
    return csv_text(rows)


def html_of(found: Sequence[Board]) -> str:
    """All boards as one page that needs nothing else.

    Args:
        found: Any.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pytest_appbench.reports", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    return environment.get_template("leaderboard.html.jinja").render(boards=found, all=ALL)


def _same_nodeids(first: Sequence[Record], records: Sequence[Record]) -> list[Record]:
    """The records under the node ids by which the earlier runs know the same tasks."""
    names = {
        found.after.record.nodeid: found.before.record.nodeid
        for found in pair(first, records).pairs
        if found.before and found.after
    }
    return [
        record.model_copy(update={"nodeid": names.get(record.nodeid, record.nodeid)})
        for record in records
    ]


def _by_generator(records: Sequence[Record]) -> dict[str, list[Record]]:
    """Records by generator; parts go with what they sum up."""
    of_task = {record.nodeid: record.generator or "unknown" for record in whole(records)}
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(of_task.get(record.nodeid, "unknown"), []).append(record)
    return found


def _enter(
    entries: dict[str, dict[str, Side]], name: str, place: str, tasks: Mapping[str, Side]
) -> None:
    if entries.get(name, {}).keys() & tasks.keys():
        name = f"{name} ({place})"
    entries.setdefault(name, {}).update(tasks)


def _by_difficulty(level: str) -> tuple[int, str]:
    return LEVELS.index(level) if level in LEVELS else len(LEVELS), level


def _best(entry: Entry) -> tuple[float, str]:
    value = entry.rate().value
    return (1.0 if value is None else -value), entry.name
