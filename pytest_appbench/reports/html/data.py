"""A run as the data of its report: a short row for each task, and details for when it is opened.

Names of fields are short where there are many of them; the scripts in `assets` read them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_appbench.judges.grounding import place
from pytest_appbench.judges.verdict import Citation, Part, Reason, Usage, Verdict
from pytest_appbench.reports.html.clean import clean
from pytest_appbench.reports.html.pictures import Pictures
from pytest_appbench.reports.html.steps import read_steps
from pytest_appbench.reports.results import Record, no_records, read, whole
from pytest_appbench.reports.text import headline

_QUOTE, _TEXT, _QUERY = 300, 3_000, 12_000


@dataclass(frozen=True)
class Side:
    """A run as it is read.

    Attributes:
        place: The run directory or file of records.
        folder: Where evidence is looked for.
        records: All records.
    """

    place: Path
    folder: Path
    records: tuple[Record, ...]
    _parts: dict[str, list[Record]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path) -> Side:
        """Read a run.

        Args:
            path: A run directory, or a file of records.

        Raises:
            RecordsError: Nothing is on record there, or a file of records is damaged.
        """
        records = read(path)
        if not records:
            raise no_records(path)
        side = cls(path, path if path.is_dir() else path.parent, tuple(records))
        for record in records:
            if record.part:
                side._parts.setdefault(record.nodeid, []).append(record)
        return side

    @property
    def tasks(self) -> list[Record]:
        """The records that stand for a task, in the order of their node ids."""
        return sorted(whole(self.records), key=lambda record: record.nodeid)

    @property
    def name(self) -> str:
        """What the run is called: the ids of its runs."""
        runs = sorted({record.run for record in self.records})
        return clean(", ".join(runs[:3]) + (f" and {len(runs) - 3} more" if runs[3:] else ""), 200)

    @property
    def when(self) -> str:
        """When its last record was written, UTC."""
        last = max(record.time for record in self.records)
        return time.strftime("%d %B %Y, %H:%M UTC", time.gmtime(last)).lstrip("0") if last else ""

    @property
    def generators(self) -> list[str]:
        """Where its apps come from."""
        return sorted({clean(r.generator, 200) for r in self.tasks if r.generator})

    def parts(self, record: Record) -> list[Record]:
        """The attempts and votes that a record sums up; none if it stands for itself."""
        found = self._parts.get(record.nodeid, [])
        # An attempt of 0 stands for all attempts, a vote of 0 for all votes of one.
        own = [r for r in found if not record.attempt or r.attempt == record.attempt]
        return sorted(own, key=lambda r: (r.attempt, r.vote))

    def evidence(self, record: Record) -> Path | None:
        """The folder with the evidence of a judging, if it is inside the run and there."""
        if record.verdict is None or not record.verdict.evidence:
            return None
        top = self.folder.resolve()
        folder = (top / record.verdict.evidence).resolve()
        return folder if folder.is_relative_to(top) and folder.is_dir() else None


def key(record: Record) -> str:
    """What a task is called in addresses and when runs are paired.

    Args:
        record: What came of the task.

    Returns:
        Its node id; a test that judged several apps has one for each.
    """
    return record.nodeid if record.attempt < 2 else f"{record.nodeid} #{record.attempt}"


def row(record: Record, other: Record | None = None) -> dict[str, Any]:
    """The row of a task in the list.

    Args:
        record: What came of the task.
        other: What came of it in the run that is compared with.
    """
    verdict, task = record.verdict, record.task
    values: dict[str, Any] = {
        "k": clean(key(record), 400),
        "id": clean(task.id, 120) or "–",
        "d": clean(task.domain or "", 60),
        "s": clean(task.subclass or "", 60),
        "l": clean(task.level or "", 40),
        "o": record.outcome,
        "g": clean(record.generator or "", 120),
        "w": _why(record),
    }
    if verdict:
        values |= {
            "j": clean(verdict.judge, 120),
            "sc": [verdict.scores.intention, verdict.scores.static, verdict.scores.dynamic],
            "x": verdict.score,
            "lb": clean(verdict.label or "", 40),
            "t": round(verdict.seconds, 1),
            "n": _tokens(verdict.usage),
            "c": verdict.usage.cost_usd,
        }
    if other is not None:
        values["ao"] = other.outcome
        if other.verdict:
            values["aj"] = clean(other.verdict.judge, 120)
    return values


def _why(record: Record) -> str:
    if record.verdict is None:
        return clean((record.error or "").strip().partition("\n")[0], 160)
    return "" if record.verdict.passed else clean(headline(record.verdict), 160)


def _tokens(usage: Usage) -> int | None:
    if usage.tokens_in is None and usage.tokens_out is None:
        return None
    return (usage.tokens_in or 0) + (usage.tokens_out or 0)


def detail(side: Side, record: Record, pictures: Pictures) -> dict[str, Any]:
    """All that the page of a task shows of one run.

    Args:
        side: The run.
        record: What came of the task.
        pictures: Takes in screenshots.
    """
    parts = side.parts(record)
    shown = [_part(side, one, pictures) for one in [record, *parts]]
    words = next((head for _, head in shown if head), {})
    reference = record.task.reference or words.get("reference") or {}
    return {
        "run": clean(record.run, 80),
        "at": str(side.place),
        "q": clean(record.task.query or str(words.get("query") or ""), _QUERY).strip(),
        "ref": {
            name: [clean(str(text), _TEXT) for text in texts]
            for name, texts in reference.items()
            if texts
        },
        "p": [part for part, _ in shown],
    }


def _part(
    side: Side, record: Record, pictures: Pictures
) -> tuple[dict[str, Any], Mapping[str, Any] | None]:
    values: dict[str, Any] = {
        "a": record.attempt,
        "v": record.vote,
        "r": record.rerun,
        "o": record.outcome,
        "g": clean(record.generator or "", 200),
        "f": record.artifact or "",
        "sb": clean(record.sandbox or "", 60),
        "gen": _usage(record.generation),
    }
    if record.verdict is None:
        values["err"] = clean((record.error or "").strip(), 6_000)
        return values, None
    values |= _verdict(record.verdict)
    folder = side.evidence(record)
    if folder is None:
        return values, None
    head, steps = read_steps(folder)
    shown: set[str] = set()
    for step in steps:
        names = step.pop("p", ())
        shown.update(names)
        if strip := [one for name in names if (one := pictures.one(folder, name))]:
            step["p"] = strip
    values |= {"st": steps, "im": [one for one in pictures.of(folder) if one["n"] not in shown]}
    return values, head


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "j": clean(verdict.judge, 200),
        "m": clean(verdict.model or "", 200),
        "pr": clean(verdict.protocol, 60),
        "th": verdict.threshold,
        "sc": dict(verdict.scores),
        "x": verdict.score,
        "lb": clean(verdict.label or "", 60),
        "fg": [[clean(name, 60), value] for name, value in list(verdict.figures.items())[:40]],
        "pa": [_judged_apart(one) for one in verdict.parts[:500]],
        "ca": verdict.cause or "",
        "re": [_reason(one) for one in verdict.reasons[:100]],
        "ch": [
            {
                "n": clean(one.name, 200),
                "d": one.dimension,
                "o": one.outcome,
                "x": clean(one.claim, 500),
                "m": clean(one.message.strip(), _TEXT),
                "w": clean(one.where, 300),
                "t": one.seconds,
            }
            for one in verdict.checks[:500]
        ],
        "fi": [
            {
                "n": clean(one.kind, 80),
                "s": one.severity,
                "x": clean(one.text, _TEXT),
                "e": _cited(one.evidence),
            }
            for one in verdict.findings[:200]
        ],
        "at": [
            f"{clean(one.kind, 40)} {clean(one.url, 300)}"
            + (f" ({one.count} times)" if one.count > 1 else "")
            for one in verdict.attempted[:50]
        ],
        "dv": [clean(text, 200) for text in verdict.deviations],
        "u": _usage(verdict.usage),
        "t": verdict.seconds,
        "gu": clean(verdict.guard, 40),
        "cut": verdict.cut_short,
        "old": verdict.cached,
        "ev": clean(verdict.evidence or "", 400),
    }


def _judged_apart(part: Part) -> dict[str, Any]:
    return {
        "k": clean(part.kind, 40),
        "n": clean(part.name, 200),
        "o": part.status,
        "x": clean(part.text, _TEXT),
        "g": clean(part.group, 200),
        "d": part.dimension or "",
        "s": part.score,
        "m": clean(part.message.strip(), _TEXT),
        "e": _cited(part.evidence),
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {"d": reason.dimension, "x": clean(reason.text, _TEXT), "e": _cited(reason.evidence)}


def _cited(citations: Sequence[Citation]) -> list[list[str]]:
    return [
        [one.source, clean(place(one), 300), clean(one.quote, _QUOTE)] for one in citations[:40]
    ]


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    return usage.model_dump() if usage else None
