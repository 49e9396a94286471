"""Two runs side by side: which tasks they share, and what became of each.

Plain data in and out, from the records alone: gates, reports and tests of significance all start
from the same pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_appbench.reports.results import whole

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.reports.results import Record

Outcome = Literal["pass", "fail", "uncertain", "error"]


@dataclass(frozen=True)
class Side:
    """What became of one task on one side of a comparison.

    Attributes:
        nodeid: pytest's node id on this side, with `#n` behind it for the n-th app that one test
            judged.
        records: The records that stand for the task, one for each run.
        parts: The records of attempts and votes that those sum up.
    """

    nodeid: str
    records: tuple[Record, ...]
    parts: tuple[Record, ...] = ()

    @property
    def record(self) -> Record:
        """The record to show: the first one with the outcome, else the first."""
        same = [record for record in self.records if record.outcome == self.outcome]
        return (same or list(self.records))[0]

    @property
    def outcome(self) -> Outcome:
        """What the runs come to: what more than half of those that judged say, else uncertain."""
        judged = Counter(r.outcome for r in self.records if r.outcome != "error")
        if not judged:
            return "error"
        outcome, times = judged.most_common(1)[0]
        return outcome if 2 * times > judged.total() else "uncertain"

    @property
    def attempts(self) -> tuple[Outcome, ...]:
        """The outcome of every single attempt in every run, errors of the harness left out."""
        found = [o for record in self.records for o in self._attempts_of(record).values()]
        return tuple(outcome for outcome in found if outcome != "error")

    @property
    def by_attempt(self) -> dict[int, Outcome]:
        """The outcome of each attempt of the first run by its number, counted from 1."""
        return self._attempts_of(self.records[0])

    def _attempts_of(self, record: Record) -> dict[int, Outcome]:
        own = [part for part in self.parts if part.run == record.run]
        # An attempt with several judges has a record of vote 0 for what they come to.
        voted = {part.attempt for part in own if part.vote == 0}
        each = [part for part in own if part.vote == 0 or part.attempt not in voted]
        if record.attempt == 0 and each:
            return {part.attempt: part.outcome for part in each}
        return {1: record.outcome}

    @property
    def flaky(self) -> bool:
        """Whether the attempts disagree."""
        return len(set(self.attempts)) > 1

    @property
    def score(self) -> float | None:
        """The score that decided, 0..1, as a mean over the runs; None where one has none."""
        return self.mean_score()

    def mean_score(self, dimension: str | None = None) -> float | None:
        """A score as a mean over the runs.

        Args:
            dimension: intention, static or dynamic; None for the score that decided.

        Returns:
            0..1, or None where a run has none.
        """
        verdicts = [record.verdict for record in self.records if record.verdict]
        scores = [
            deciding_score(v) if dimension is None else getattr(v.scores, dimension)
            for v in verdicts
        ]
        known = [float(score) for score in scores if score is not None]
        return sum(known) / len(known) if known and len(known) == len(scores) else None

    @property
    def evidence(self) -> tuple[str, ...]:
        """Folders with evidence, relative to their run's directory, those of the outcome first."""
        several = self.parts if any(r.attempt == 0 or r.vote == 0 for r in self.records) else ()
        kept = [r for r in (*self.records, *several) if r.verdict and r.verdict.evidence]
        kept.sort(key=lambda record: record.outcome != self.outcome)
        return tuple(r.verdict.evidence for r in kept if r.verdict and r.verdict.evidence)


@dataclass(frozen=True)
class Pair:
    """One task in two runs.

    Attributes:
        key: The node id, of the later run if it has the task.
        before: What became of it in the earlier run, or None if it was not there.
        after: What became of it in the later run, or None.
    """

    key: str
    before: Side | None
    after: Side | None

    @property
    def flaky(self) -> bool:
        """Whether attempts disagree within a run."""
        return any(side.flaky for side in (self.before, self.after) if side)

    @property
    def judged(self) -> bool:
        """Whether both runs came to a verdict."""
        return all(side and side.outcome != "error" for side in (self.before, self.after))

    def went(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether the outcome went from one of these to one of those.

        Args:
            before: Outcomes.
            after: Outcomes.
        """
        if self.before is None or self.after is None:
            return False
        return self.before.outcome in before and self.after.outcome in after


@dataclass(frozen=True)
class Pairing:
    """The tasks of two runs, side by side.

    A task that either run lacks is a pair all the same. `regressions`, `lost`, `improvements`,
    `flaky`, `new` and `missing` pick from `pairs`; `lost` and `missing` overlap, as do `flaky` and
    any other.

    Attributes:
        pairs: Every task, in the order of the earlier run, then what only the later one has.
    """

    pairs: tuple[Pair, ...]

    @property
    def judged(self) -> tuple[Pair, ...]:
        """The tasks that both runs judged: what rates and scores are compared over."""
        return tuple(pair for pair in self.pairs if pair.judged)

    @property
    def regressions(self) -> tuple[Pair, ...]:
        """From pass to fail or uncertain, unless the attempts disagree."""
        worse = (p for p in self.pairs if p.went(["pass"], ["fail", "uncertain"]))
        return tuple(pair for pair in worse if not pair.flaky)

    @property
    def lost(self) -> tuple[Pair, ...]:
        """From pass to an error of the harness or to nothing: nobody knows whether it regressed."""
        passed = (p for p in self.pairs if p.before and p.before.outcome == "pass")
        return tuple(p for p in passed if p.after is None or p.after.outcome == "error")

    @property
    def improvements(self) -> tuple[Pair, ...]:
        """From fail or uncertain to pass, unless the attempts disagree."""
        better = (p for p in self.pairs if p.went(["fail", "uncertain"], ["pass"]))
        return tuple(pair for pair in better if not pair.flaky)

    @property
    def flaky(self) -> tuple[Pair, ...]:
        """Attempts disagree within a run; such a task is no regression by itself."""
        return tuple(pair for pair in self.pairs if pair.flaky)

    @property
    def new(self) -> tuple[Pair, ...]:
        """Only in the later run."""
        return tuple(pair for pair in self.pairs if pair.before is None)

    @property
    def missing(self) -> tuple[Pair, ...]:
        """Only in the earlier run."""
        return tuple(pair for pair in self.pairs if pair.after is None)


def pair(before: Iterable[Record], after: Iterable[Record]) -> Pairing:
    """Pair the tasks of two runs.

    Tasks are the same if their node ids are. What is left over is paired by the rest of the path
    where the folders in front differ, as they do when two machines or two working directories gave
    pytest another root: the longest common end of the path, with the file's name at least, that
    names one task on each side and no more.

    Args:
        before: The records of the earlier run, or of several.
        after: The records of the later run, or of several.

    Returns:
        The pairs.
    """
    old, new = sides(before), sides(after)
    partner = _partners(old, new)
    taken = set(partner.values())
    pairs = []
    for nodeid, side in old.items():
        other = partner.get(nodeid)
        pairs.append(Pair(other or nodeid, side, new[other] if other else None))
    pairs += [Pair(nodeid, None, side) for nodeid, side in new.items() if nodeid not in taken]
    return Pairing(tuple(pairs))


def sides(records: Iterable[Record]) -> dict[str, Side]:
    """Group the records of one side by task.

    Args:
        records: Those of a run, or of several.

    Returns:
        Node id to what became of the task, in the order of first appearance.
    """
    every = list(records)
    heads: dict[str, list[Record]] = {}
    for record in whole(every):
        # One test may judge several apps: each is a task of its own.
        several = f"#{record.attempt}" if record.attempt > 1 else ""
        heads.setdefault(record.nodeid + several, []).append(record)
    parts: dict[str, list[Record]] = {}
    for record in every:
        if record.part:
            parts.setdefault(record.nodeid, []).append(record)

    def own(head: Record) -> list[Record]:
        """The parts that a record sums up; one of attempt 0 sums up every attempt."""
        found = (part for part in parts.get(head.nodeid, ()) if part.run == head.run)
        return [part for part in found if head.attempt in (0, part.attempt)]

    return {
        nodeid: Side(nodeid, tuple(group), tuple(part for head in group for part in own(head)))
        for nodeid, group in heads.items()
    }


def deciding_score(verdict: Verdict) -> float | None:
    """The score that a verdict rests on.

    Args:
        verdict: Any verdict.

    Returns:
        The protocol's own single score if it has one, else the least of those that count; 0..1, or
        None where the judge gave none.
    """
    return verdict.least


def _partners(old: Iterable[str], new: Iterable[str]) -> dict[str, str]:
    """The node id on the one side to that of the same task on the other."""
    there = set(new)
    found = {nodeid: nodeid for nodeid in old if nodeid in there}
    left = [nodeid for nodeid in old if nodeid not in found]
    right = [nodeid for nodeid in new if nodeid not in found]
    longest = max((nodeid.partition("::")[0].count("/") for nodeid in (*left, *right)), default=0)
    for length in range(longest + 1, 0, -1):
        ends, others = _by_end(left, length), _by_end(right, length)
        for end, nodeids in ends.items():
            candidates = others.get(end, [])
            if len(nodeids) == len(candidates) == 1:
                found[nodeids[0]] = candidates[0]
        taken = set(found.values())
        left = [nodeid for nodeid in left if nodeid not in found]
        right = [nodeid for nodeid in right if nodeid not in taken]
    return found


def _by_end(nodeids: Iterable[str], length: int) -> dict[tuple[str, ...], list[str]]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for nodeid in nodeids:
        file, _, name = nodeid.partition("::")
        groups.setdefault((*file.split("/")[-length:], name), []).append(nodeid)
    return groups
