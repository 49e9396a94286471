"""Points that start at a level, gain by merits and lose by deductions, by a table with a version.

The table is data beside the prompts, so that it is part of what a verdict depends on. What is said
of an app is the judge's business; that it is said in the table's words, and adds up, is checked
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from pytest_appbench.judges.prompts import source
from pytest_appbench.judges.verdict import Citation

Severity = Literal["critical", "major", "minor"]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Level(_Row):
    """Where a figure starts."""

    name: str
    points: float
    when: str


class Merit(_Row):
    """What adds to a figure, once."""

    name: str
    figure: str
    points: float
    when: str


class Kind(_Row):
    """What takes from a figure: between the least and the most of `points`."""

    name: str
    figure: str
    severity: Severity
    points: tuple[float, float]
    when: str


class Table(_Row):
    """All levels, merits and deductions of a protocol.

    Attributes:
        version: Changes with every number in it.
        best: The highest figure; the lowest is 0.
        grain: Deductions are multiples of it.
    """

    version: str
    best: float
    grain: float
    levels: dict[str, tuple[Level, ...]]
    merits: tuple[Merit, ...]
    deductions: tuple[Kind, ...]

    def base(self, figure: str, name: str) -> float | None:
        """The points that a level stands for, or None if there is no such level."""
        return next((one.points for one in self.levels[figure] if one.name == name), None)

    def merit(self, figure: str, name: str) -> float | None:
        """The points of a merit, or None if the figure has no such merit."""
        wanted = (figure, name)
        return next((m.points for m in self.merits if (m.figure, m.name) == wanted), None)

    def kind(self, name: str) -> Kind | None:
        """A row of the deductions."""
        return next((one for one in self.deductions if one.name == name), None)

    def told(self) -> str:
        """The table as Markdown, for a judge."""
        lines: list[str] = []
        for figure, levels in self.levels.items():
            lines += [f"# Points of {figure}", "", "Levels:"]
            lines += [f"- {one.name}, {one.points:g}: {one.when}" for one in levels]
            added = [one for one in self.merits if one.figure == figure]
            lines += ["", "Merits, each once:"] if added else []
            lines += [f"- {one.name}, +{one.points:g}: {one.when}" for one in added]
            lines += ["", f"Deductions, in multiples of {self.grain:g}:"]
            for kind in self.deductions:
                least, most = kind.points
                if kind.figure == figure:
                    cost = f"{least:g}" if least == most else f"{least:g} to {most:g}"
                    lines.append(f"- {kind.name} ({kind.severity}), {cost}: {kind.when}")
            lines.append("")
        return "\n".join(lines).strip()

    def wrong(self, figure: str, name: str, points: float) -> str:
        """What is wrong with a deduction, in words; empty if the table allows it.

        Args:
            figure: The figure that it is taken from.
            name: Its kind.
            points: How much is taken, as a positive number.
        """
        kind = self.kind(name)
        if kind is None or kind.figure != figure:
            known = ", ".join(one.name for one in self.deductions if one.figure == figure)
            return f"{figure} has no deduction {name!r}; it has {known}"
        least, most = kind.points
        if not least <= points <= most:
            return f"{name} takes {least:g} to {most:g}, not {points:g}"
        if round(points / self.grain, 9) % 1:
            return f"{name}: {points:g} is no multiple of {self.grain:g}"
        return ""


@cache
def table(name: str) -> Table:
    """Read a table.

    Args:
        name: Its file beside the prompts.
    """
    return Table.model_validate(yaml.safe_load(source(name)))


@dataclass(frozen=True)
class Entry:
    """One deduction on a sheet.

    Attributes:
        name: Its own on the sheet, such as `S1`.
        figure: What it is taken from.
        kind: The row of the table.
        severity: That of the row.
        points: How much is taken, as a positive number.
        text: What went wrong.
        evidence: Citations that hold.
        state: It *stands*, was *disproved*, or is *unproven*, as nothing was found of its evidence.
        why: What was said of it since.
    """

    name: str
    figure: str
    kind: str
    severity: str
    points: float
    text: str
    evidence: tuple[Citation, ...] = ()
    state: Literal["stands", "disproved", "unproven"] = "stands"
    why: str = ""


@dataclass(frozen=True)
class Sheet:
    """How a figure comes about.

    Attributes:
        table: The points.
        figure: Its name.
        level: Where it starts.
        merits: Names of merits.
        entries: The deductions of this and of other figures, in order.
    """

    table: Table
    figure: str
    level: str
    merits: tuple[str, ...]
    entries: tuple[Entry, ...]

    def value(self, states: Sequence[str] = ("stands",)) -> float:
        """The figure.

        Args:
            states: The deductions in these states are taken off.
        """
        taken = [entry.points for entry in self._taken(states)]
        added = [self.table.merit(self.figure, name) or 0.0 for name in self.merits]
        sum_ = (self.table.base(self.figure, self.level) or 0.0) + sum(added) - sum(taken)
        return round(min(self.table.best, max(0.0, sum_)), 9)

    def working(self, states: Sequence[str] = ("stands",)) -> str:
        """The sum as one writes it, such as `8 (complete) - 2 (S1 crash) = 6`.

        Args:
            states: As in `value`.
        """
        parts = [f"{self.table.base(self.figure, self.level) or 0:g} ({self.level})"]
        parts += [f"+ {self.table.merit(self.figure, m) or 0:g} ({m})" for m in self.merits]
        parts += [f"- {e.points:g} ({e.name} {e.kind})" for e in self._taken(states)]
        return f"{' '.join(parts)} = {self.value(states):g}"

    def problems(self) -> list[str]:
        """What the table does not allow, in words for the judge."""
        found = []
        if self.table.base(self.figure, self.level) is None:
            known = ", ".join(level.name for level in self.table.levels[self.figure])
            found.append(f"{self.figure} has no level {self.level!r}; it has {known}")
        for name in dict.fromkeys(self.merits):
            if self.table.merit(self.figure, name) is None:
                found.append(f"{self.figure} has no merit {name!r}")
            elif self.merits.count(name) > 1:
                found.append(f"{self.figure}: the merit {name} counts once")
        for entry in self.entries:
            if entry.figure == self.figure:
                wrong = self.table.wrong(self.figure, entry.kind, entry.points)
                found += [f"{entry.name}: {wrong}"] if wrong else []
        return found

    def disagreement(self, score: float, states: Sequence[str]) -> str:
        """Why a score is not the sum, in words for the judge; empty if it is.

        Args:
            score: What the judge says the figure is.
            states: As in `value`.
        """
        if round(score, 9) == self.value(states):
            return ""
        return f"{self.figure} does not add up: {self.working(states)}, not {score:g}"

    def _taken(self, states: Sequence[str]) -> list[Entry]:
        return [e for e in self.entries if e.figure == self.figure and e.state in states]
