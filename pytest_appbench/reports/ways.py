"""How each task of several runs was judged, so that only what was judged alike shares a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_appbench.judges.verdict import BETWEEN, UNJUDGED
from pytest_appbench.reports.results import whole

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import RunFile

_SCREEN = "probe"
"""Judges by a protocol of its own; in any other it only keeps what is dead from the judge."""


Task = tuple[str, str]
"""A run and a node id: a file may hold the records of several runs."""


@dataclass(frozen=True)
class Way:
    """A judge with what its verdicts depend on.

    Attributes:
        judge: Who gave the verdicts.
        protocol: By which protocol.
        threshold: What the least score was compared with.
        deviations: Where that departed from the protocol.
    """

    judge: str
    protocol: str
    threshold: float
    deviations: tuple[str, ...] = ()

    def __str__(self) -> str:
        named = f"{self.judge}, protocol {self.protocol}, threshold {self.threshold:g}"
        return ", ".join((named, *self.deviations))

    def agrees(self, protocol: str, threshold: float) -> bool:
        """Whether verdicts by this protocol and threshold belong here.

        Args:
            protocol: Theirs.
            threshold: Theirs.
        """
        return (self.protocol, self.threshold) == (protocol, threshold)


def task_of(record: Record) -> Task:
    """Which task of which run a record is about.

    Args:
        record: Of the task, or of an attempt at it.
    """
    return record.run, record.nodeid


def who_judged(verdict: Verdict) -> str:
    """Who judged, without those who only stand in for a judge.

    Args:
        verdict: Any verdict.

    Returns:
        A judge or several, or nothing if nobody judged, as what was never built or is dead.
    """
    names = verdict.judge.split(BETWEEN)
    standing_in = UNJUDGED if verdict.protocol == _SCREEN else UNJUDGED | {_SCREEN}
    return BETWEEN.join(name for name in names if name not in standing_in)


def judged_ways(records: Sequence[Record]) -> dict[Task, Way]:
    """How the tasks of a run were judged; what nobody judged, or the screen refused, is left out.

    Args:
        records: Of one run.

    Returns:
        Each task's way. The deviations of a judge, protocol and threshold are those of most of
        their verdicts, as some tell of a single task.
    """
    verdicts = {task_of(r): r.verdict for r in whole(records) if r.verdict}
    found = {
        task: Way(verdict.judge, verdict.protocol, verdict.threshold)
        for task, verdict in verdicts.items()
        if who_judged(verdict)
    }
    # Where one of several attempts was dead, the screen stands beside the judge of the others.
    alone = {task: replace(way, judge=who_judged(verdicts[task])) for task, way in found.items()}
    there = set(found.values())
    found = {task: alone[task] if alone[task] in there else way for task, way in found.items()}
    departed: dict[Way, Counter[tuple[str, ...]]] = {}
    for task, way in found.items():
        departed.setdefault(way, Counter())[verdicts[task].deviations] += 1
    most = {way: counts.most_common(1)[0][0] for way, counts in departed.items()}
    return {task: replace(way, deviations=most[way]) for task, way in found.items()}


def ways(
    records: Sequence[Record],
    judged: Mapping[Task, Way],
    every: Iterable[Way],
    file: RunFile | None,
) -> dict[Task, Way | None]:
    """Where each task of a run belongs, judged or not.

    Args:
        records: Of the run.
        judged: What `judged_ways` said of it.
        every: How the tasks of all runs were judged.
        file: What the run was asked to do, if that is known.

    Returns:
        Each task's way. A task that was not judged goes with what its own run judged alike, else
        with the judge that its run was asked for, else with those who judge by its protocol and
        threshold; it has None where there is none of these.
    """
    own, all_of = Counter(judged.values()), Counter(every)
    asked = _asked(file)
    found: dict[Task, Way | None] = {}
    for record in whole(records):
        task, verdict = task_of(record), record.verdict
        if task in judged:
            found[task] = judged[task]
            continue
        by: tuple[str, float] | None = None
        if verdict:
            by = verdict.protocol, verdict.threshold
        elif asked and not own:
            by = asked.protocol, asked.threshold
        way = _most(own, by)
        if way is None and by is not None:
            # The screen is asked for by default also where the protocol judges in its own way.
            judge = asked.judge if asked and (asked.judge != _SCREEN or by[0] == _SCREEN) else None
            way = _most(all_of, by, judge) or (Way(judge, *by) if judge else None)
        found[task] = way
    return found


def _asked(file: RunFile | None) -> Way | None:
    """The judge, protocol and threshold that a run was asked for, as far as it says all three."""
    settings = file.settings if file else {}
    judges, protocol, threshold = map(settings.get, ("judge", "protocol", "threshold"))
    if not judges or not isinstance(protocol, str) or not isinstance(threshold, int | float):
        return None
    judge = BETWEEN.join(map(str, judges))
    return Way(judge, _SCREEN if judge == _SCREEN else protocol, threshold)


def _most(
    counts: Counter[Way], by: tuple[str, float] | None, judge: str | None = None
) -> Way | None:
    """The way of most tasks among those of a protocol, threshold and judge, where told."""
    for way, _ in counts.most_common():
        if (by is None or way.agrees(*by)) and judge in (None, way.judge):
            return way
    return None
