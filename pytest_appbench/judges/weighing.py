"""Weighs deductions in two rounds: what was claimed at first sight, and what use has shown of it.

A deduction counts as far as its evidence is found. One of the first round stands unless a step in
which something was done to the app disproves it. Sums are checked against what a judge claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.deductions import Entry, Sheet, Table
from pytest_appbench.judges.desk import source_text
from pytest_appbench.judges.grounding import Records, ground, place, plain
from pytest_appbench.judges.verdict import Citation

CLAIMED = ("stands", "unproven")
_BLOCKED = "blocked "
"""Begins what a step says of a request that the guard stopped: that is no fault of the app."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Deduction(_Answer):
    """Something that costs points."""

    kind: str = Field(description="A deduction of the table.")
    points: float = Field(gt=0)
    what: str = Field(min_length=1, description="What is wrong, for the app's author.")
    evidence: tuple[Citation, ...] = Field(max_length=8)


class Column(_Answer):
    """A figure, worked out."""

    level: str = Field(description="A level of the table.")
    merits: tuple[str, ...] = Field(default=(), description="Names of merits of the table.")
    deductions: tuple[Deduction, ...] = Field(default=(), max_length=30)
    score: float = Field(ge=0)


class Mark(Column):
    """A figure, worked out for good."""

    reason: str = Field(min_length=1)
    evidence: tuple[Citation, ...] = Field(max_length=20)


class Settled(_Answer):
    """What became of a deduction of the first round."""

    id: str = Field(description="Such as S1.")
    disproved: bool
    why: str
    evidence: tuple[Citation, ...] = Field(default=(), max_length=8)


@dataclass(frozen=True)
class Weighed:
    """What a round comes to.

    Attributes:
        sheets: How each figure comes about; all of them hold the same entries.
        faults: What the table does not allow, and sums that are wrong: it cannot stand with them.
        doubts: Evidence that was not found: it can stand without it.
        evidence: For each figure the citations for it that hold.
    """

    sheets: Mapping[str, Sheet]
    faults: tuple[str, ...]
    doubts: tuple[str, ...]
    evidence: Mapping[str, tuple[Citation, ...]]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The deductions of all figures."""
        return next(iter(self.sheets.values())).entries

    @property
    def objections(self) -> tuple[str, ...]:
        """What a judge is to mend."""
        return (*self.faults, *self.doubts)


@dataclass(frozen=True)
class Scales:
    """What is the same in both rounds.

    Attributes:
        table: The points.
        records: What the judge was shown.
        measured: Deductions that the harness made by itself.
        barred: Kinds that a judge may not deduct, as the harness has measured them.
    """

    table: Table
    records: Records
    measured: tuple[Entry, ...] = ()
    barred: frozenset[str] = frozenset()

    def first(self, columns: Mapping[str, Column]) -> Weighed:
        """Weigh what was claimed at first sight.

        Args:
            columns: Figure to what the judge worked out.
        """
        entries, faults, doubts = self._entries("S", columns)
        sheets = self._sheets(columns, {}, (*self.measured, *entries))
        for figure, column in columns.items():
            faults += self._checked(sheets[figure], column.score)
        return Weighed(sheets, tuple(faults), tuple(doubts), {})

    def final(
        self,
        first: Weighed,
        marks: Mapping[str, Mark],
        settled: Sequence[Settled],
        *,
        needs_action: frozenset[str],
    ) -> Weighed:
        """Weigh what was claimed in the end.

        Args:
            first: What the first round came to.
            marks: Figure to what the judge worked out.
            settled: What became of the deductions of the first round.
            needs_action: Figures that cannot stand without a step that did something to the app.
        """
        fresh, faults, doubts = self._entries("D", marks)
        said = {one.id.strip().upper(): one for one in settled}
        old, claimed = [], []
        for entry in first.entries:
            word = said.get(entry.name)
            kept, problem = self._settled(entry, word)
            doubts += [problem] if problem else []
            old.append(kept)
            if word is None or not word.disproved or entry in self.measured:
                claimed.append(entry)
        sheets = self._sheets(marks, first.sheets, (*old, *fresh))
        for figure, mark in marks.items():
            as_claimed = replace(sheets[figure], entries=(*claimed, *fresh))
            faults += self._checked(as_claimed, mark.score)
        cited = {figure: mark.evidence for figure, mark in marks.items()}
        grounded = ground(cited, self.records, needs_action=needs_action)
        return Weighed(sheets, tuple(faults), (*doubts, *grounded.problems), grounded.kept)

    def _entries(
        self, letter: str, columns: Mapping[str, Column]
    ) -> tuple[list[Entry], list[str], list[str]]:
        entries: list[Entry] = []
        faults: list[str] = []
        doubts: list[str] = []
        for figure, column in columns.items():
            for given in column.deductions:
                name = f"{letter}{len(entries) + 1}"
                kept, problems = self._found(given.evidence)
                doubts += [f"{name} ({given.kind}): {problem}" for problem in problems]
                if given.kind in self.barred:
                    faults.append(f"{name}: {given.kind} was measured, it is not yours to deduct")
                kind = self.table.kind(given.kind)
                entries.append(
                    Entry(
                        name=name,
                        figure=figure,
                        kind=given.kind,
                        severity=kind.severity if kind else "",
                        points=given.points,
                        text=given.what,
                        evidence=kept,
                        state="stands" if kept else "unproven",
                    )
                )
        return entries, faults, doubts

    def _found(self, cited: Iterable[Citation]) -> tuple[tuple[Citation, ...], list[str]]:
        kept, problems = [], []
        for citation in cited:
            problem = self.records.problem(citation)
            if problem is None and plain(citation.quote).startswith(_BLOCKED):
                problem = "what the sandbox blocked counts as working"
            problems += [problem] if problem else []
            kept += [] if problem else [citation]
        if not kept:
            problems.append("no evidence is left, so it does not count")
        return tuple(kept), problems

    def _settled(self, entry: Entry, word: Settled | None) -> tuple[Entry, str]:
        """A deduction of the first round as it is now, and what is wrong with its settling."""
        if entry in self.measured:
            return entry, ""
        if word is None:
            return entry, f"{entry.name} is not settled: it stands"
        if not word.disproved:
            return replace(entry, why=word.why), ""
        seen = [c for c in word.evidence if self.records.problem(c) is None]
        if any(map(self.records.is_action, seen)):
            return replace(entry, state="disproved", why=word.why, evidence=tuple(seen)), ""
        why = "disproved by no step in which something was done to the app"
        return replace(entry, why=why), f"{entry.name} is {why}: it stands"

    def _sheets(
        self,
        columns: Mapping[str, Column],
        before: Mapping[str, Sheet],
        entries: tuple[Entry, ...],
    ) -> dict[str, Sheet]:
        found = {}
        for figure, column in columns.items():
            earlier = before[figure].merits if figure in before else ()
            # A merit that is named in both rounds is one merit, so repeating it is no fault.
            fresh = tuple(name for name in column.merits if name not in earlier)
            found[figure] = Sheet(self.table, figure, column.level, (*earlier, *fresh), entries)
        return found

    @staticmethod
    def _checked(sheet: Sheet, score: float) -> list[str]:
        wrong = sheet.problems()
        return wrong or [one for one in [sheet.disagreement(score, CLAIMED)] if one]


def code_place(entry: Entry, root: Path) -> str:
    """Where in the source a deduction has its cause, such as `app.js:42`; empty if it cites none.

    Args:
        entry: The deduction.
        root: The folder of the app's files.
    """
    for citation in entry.evidence:
        if citation.source != "file":
            continue
        name = place(citation)
        quote = plain(citation.quote)
        lines = source_text(root / name).splitlines()
        numbers = [n for n, line in enumerate(lines, start=1) if quote in plain(line)]
        return f"{name}:{numbers[0]}" if numbers else name
    return ""


def step_of(entry: Entry) -> str:
    """The number of the step in which a deduction shows; empty if it cites none."""
    return next((place(c) for c in entry.evidence if c.source == "step"), "")
