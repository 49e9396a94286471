"""The tasks that fared worst, with what was held against them and where the evidence lies."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.judges.verdict import DIMENSIONS
from pytest_appbench.reports.escape import line
from pytest_appbench.reports.text import reasons_in_short

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.reports.results import Record

SHOWN = 3
_LONGEST = 400
"""Characters of a reason; the verdict beside the evidence has all of it."""


@dataclass(frozen=True)
class Worst:
    """One task that did not pass.

    Attributes:
        record: Its record.
        scores: Its scores in words, with the judge that gave them.
        reasons: What was held against it, one line each.
        evidence: The folder with its evidence, or None.
    """

    record: Record
    scores: str
    reasons: tuple[str, ...]
    evidence: Path | None


def worst(records: Iterable[Record], folder: Path, shown: int = SHOWN) -> list[Worst]:
    """Choose the tasks that fared worst.

    Args:
        records: The records of a run, attempts and votes included.
        folder: The folder from which paths of evidence start.
        shown: How many at most.

    Returns:
        Failed ones first, then uncertain ones, each by their scores.
    """
    every = list(records)
    judged = [
        (record, record.verdict)
        for record in every
        if record.verdict and not record.part and record.outcome != "pass"
    ]
    judged.sort(key=lambda pair: (pair[0].outcome != "fail", _grade(pair[1]), pair[0].nodeid))
    return [
        Worst(record, _scores(verdict), _reasons(verdict), _evidence(record, every, folder))
        for record, verdict in judged[:shown]
    ]


def described(found: Iterable[Worst], width: int, start: Path) -> list[str]:
    """The worst tasks as lines of text.

    Args:
        found: The tasks.
        width: Of the terminal, in characters; paths are never broken.
        start: Paths are told from here.
    """
    lines = []
    for one in found:
        words = [one.record.task.domain, one.record.task.level]
        kind = "/".join(word for word in words if word)
        lines.append(f"{one.record.task.id}  {kind}  {one.record.outcome}, {one.scores}".rstrip())
        for reason in one.reasons:
            lines += textwrap.wrap(
                reason,
                max(width - 1, 20),
                initial_indent="  ",
                subsequent_indent="    ",
                break_on_hyphens=False,
            )
        if one.evidence:
            path = one.evidence
            shown = path.relative_to(start) if path.is_relative_to(start) else path
            lines.append(f"  evidence: {line(str(shown))}")
    return lines


def _grade(verdict: Verdict) -> tuple[float, float]:
    """The least score, then the mean; a verdict without scores comes after those with some."""
    own = [getattr(verdict.scores, name) for name in DIMENSIONS]
    scores = [score for score in (*own, verdict.score) if score is not None]
    return (min(scores), sum(scores) / len(scores)) if scores else (2.0, 2.0)


def _scores(verdict: Verdict) -> str:
    own = [(name, getattr(verdict.scores, name)) for name in DIMENSIONS]
    told = [f"{name} {score:.2f}" for name, score in own if score is not None]
    if verdict.score is not None:
        told.append(f"score {verdict.score:.2f}")
    return f"{', '.join(told) or 'no scores'} by {verdict.judge}"


def _reasons(verdict: Verdict) -> tuple[str, ...]:
    told = (line(reason) for reason in reasons_in_short(verdict))
    return tuple(
        reason if len(reason) <= _LONGEST else reason[: _LONGEST - 1] + "…" for reason in told
    )


def _evidence(record: Record, every: Iterable[Record], folder: Path) -> Path | None:
    """The evidence of a record, or of the first attempt or vote that came to the same."""
    parts = [r for r in every if r.part and r.nodeid == record.nodeid]
    same = [r for r in parts if r.outcome == record.outcome]
    for one in (record, *same, *parts):
        if one.verdict and one.verdict.evidence:
            return folder / one.verdict.evidence
    return None
