"""The report of a judge of games, and what holds of it: WebGameBench, D.2 to D.5.

The judge hands in the five published parts. What it says counts as far as the record bears it out:
quotes must be found, what is done must be done by real input, a constructed state must be seen
before the last action, and the label must follow from the report. Whatever does not hold is not a
failure of the game: it is unverified.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.grounding import Records, place
from pytest_appbench.judges.seats import session_of
from pytest_appbench.judges.verdict import Citation, Part
from pytest_appbench.tasks.specification import WHOLE, Axis, Point, Specification

Label = Literal["UNUSABLE", "USABLE", "EXCELLENT"]
LABELS: tuple[Label, ...] = get_args(Label)
"""The worst first."""
Core = Literal["entry", "input", "mapping", "rules", "state", "ending", "restart"]
CORE: tuple[Core, ...] = get_args(Core)
"""The checks of the main playable loop, by the published list (section 3.1), named by us."""
Result = Literal["pass", "fail", "unverified"]
_STATUS: Mapping[Result, Literal["pass", "fail", "uncertain"]] = {
    "pass": "pass",
    "fail": "fail",
    "unverified": "uncertain",
}


class _Form(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Checked(_Form):
    result: Result
    observed: str = Field(
        min_length=1,
        description="The state before, what you did, and what came of it, with numbers.",
    )
    evidence: tuple[Citation, ...] = Field(default=(), max_length=12)


class CoreCheck(_Checked):
    """Part 2: one check of the main playable loop."""

    name: Core


class Acceptance(_Checked):
    """Part 4: one functional point of the specification."""

    point: str = Field(description="P1, P2, ...")
    text: str = Field(default="", description="What must hold, if the point is one of your own.")
    kind: str = Field(default="", description="B1, B2, S1, S2, T1 or T2, if it is your own.")
    aimed_at: str = Field(default="", description="S2 points: the place that was operated.")
    took_effect_at: str = Field(default="", description="S2 points: the place of the effect.")


class Issue(_Form):
    """Part 3: a defect that is not of the main loop."""

    text: str = Field(min_length=1)
    affects_label: bool
    evidence: tuple[Citation, ...] = Field(default=(), max_length=12)


class Unverified(_Form):
    """Part 5: why a check or point is open."""

    item: str = Field(description="The name of the check or point.")
    reason: str = Field(min_length=1)
    attempted: str = Field(default="", description="What you tried.")
    needs_review: bool = True


class Report(_Form):
    """What the judge hands in; parts 1 to 5 of D.5."""

    label: Label
    summary: str = Field(min_length=1, description="The conclusion in one sentence.")
    core: tuple[CoreCheck, ...]
    issues: tuple[Issue, ...] = ()
    acceptance: tuple[Acceptance, ...]
    unverified: tuple[Unverified, ...] = ()
    uncertain: str = Field(default="", description="Why you cannot decide; empty if you can.")


@dataclass(frozen=True)
class Item:
    """A check or a point as the record bears it out.

    Attributes:
        name: `entry`, ... of the checks; `P1`, ... of the points.
        result: What holds of it.
        observed: What was seen, or why nothing holds.
        evidence: The quotes that were found.
        point: The point, unless it is a check of the main loop.
    """

    name: str
    result: Result
    observed: str
    evidence: tuple[Citation, ...] = ()
    point: Point | None = None

    def part(self) -> Part:
        """The item as records and reports show it."""
        point = self.point
        return Part(
            kind="point" if point else "core",
            name=self.name,
            status=_STATUS[self.result],
            text=f"{point.bound}: {point.text}" if point else "",
            group=f"{point.part} {point.tag}" if point else "",
            dimension=None if point is None else "static" if point.axis == "S" else "dynamic",
            message=self.observed,
            evidence=self.evidence,
        )


@dataclass(frozen=True)
class Settled:
    """A report as the record bears it out.

    Attributes:
        report: As it was handed in.
        items: The checks of the main loop, then the points of the specification, every one.
        issues: The other defects, with the quotes that were found.
        label: The label that holds, or None where none does.
        remarks: Why the label is not the judge's own.
        problems: What the judge should mend, in words for it.
    """

    report: Report
    items: tuple[Item, ...]
    issues: tuple[Issue, ...]
    label: Label | None
    remarks: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def points(self) -> tuple[Item, ...]:
        """The points of the specification."""
        return tuple(item for item in self.items if item.point)

    def share(self, axes: str) -> float | None:
        """The passed share of the points of some axes, 0..1, or None if there is no such point.

        Those that are open are not passed.

        Args:
            axes: Such as `BT`.
        """
        results = [item.result for item in self.points if item.point and item.point.axis in axes]
        return results.count("pass") / len(results) if results else None


def settle(
    report: Report, specification: Specification, records: Records, constructed: Collection[int]
) -> Settled:
    """See what holds of a report.

    Args:
        report: The report.
        specification: What the game was to be.
        records: What the judge was shown and did.
        constructed: The steps in which the judge may have put the game into a state: JavaScript in
            its own world.
    """
    problems: list[str] = []
    bench = _Bench(records, sorted(constructed), problems)
    items = (*_core(report, bench), *_points(report, specification, bench))
    issues = tuple(
        issue.model_copy(update={"evidence": bench.found(f"issue {number}", issue.evidence)})
        for number, issue in enumerate(report.issues, start=1)
    )
    label, remarks = _label(report, items, issues)
    problems += remarks
    if label == "USABLE" and not _flaws(items, issues):
        problems.append("label: USABLE, but no defect is named; name it, or say EXCELLENT")
    return Settled(report, items, issues, label, tuple(remarks), tuple(problems))


def _core(report: Report, bench: _Bench) -> Iterator[Item]:
    given = {check.name: check for check in report.core}
    for name in CORE:
        check = given.get(name)
        if check is None:
            yield bench.missing(Item(name, "unverified", "the judge did not report on it"))
            continue
        item = Item(name, check.result, check.observed, check.evidence)
        # A game may begin by itself; all else is known only by playing.
        yield bench.borne_out(item, needs_action=name != "entry")


def _points(report: Report, specification: Specification, bench: _Bench) -> Iterator[Item]:
    given = {found.point.strip().upper(): found for found in report.acceptance}
    points = specification.points or tuple(_own_points(given, bench))
    for name in given.keys() - {point.name for point in points}:
        bench.problems.append(f"{name}: the specification has no such point")
    for point in points:
        found = given.get(point.name)
        if found is None:
            silent = Item(point.name, "unverified", "the judge did not report on it", point=point)
            yield bench.missing(silent)
            continue
        item = Item(point.name, found.result, found.observed, found.evidence, point)
        if point.is_spatial:
            places = (found.aimed_at.strip(), found.took_effect_at.strip())
            if found.result == "pass" and not all(places):
                bench.problems.append(
                    f"{point.name}: say what was aimed at and where it took effect"
                )
                item = replace(
                    item,
                    result="unverified",
                    observed="a reaction was seen, but not that its place is the place aimed at: "
                    + found.observed,
                )
            elif all(places):
                told = f"{found.observed} (aimed at {places[0]}, took effect at {places[1]})"
                item = replace(item, observed=told)
        # What the board looks like is seen; everything else is known only by doing something.
        yield bench.borne_out(item, needs_action=point.part != "S1")


def _own_points(given: Mapping[str, Acceptance], bench: _Bench) -> Iterator[Point]:
    """The points that the judge derived, where the specification names none."""
    if not given:
        bench.problems.append("acceptance: derive points from the specification and report on them")
    for name, found in given.items():
        kind, text = found.kind.strip().upper(), found.text.strip()
        if not re.fullmatch("[BST][1-9]", kind) or not text:
            bench.problems.append(f"{name}: say what must hold, and its kind: B1 to T2")
            kind = kind if re.fullmatch("[BST][1-9]", kind) else "B2"
        yield Point(name, cast("Axis", kind[0]), kind, "derived", WHOLE, text)


@dataclass
class _Bench:
    """Holds items against the record."""

    records: Records
    constructed: Sequence[int]
    problems: list[str]

    def missing(self, item: Item) -> Item:
        self.problems.append(f"{item.name}: report on it")
        return item

    def found(self, name: str, cited: Sequence[Citation]) -> tuple[Citation, ...]:
        """The citations that hold; what is wrong with the others is noted."""
        sound = []
        for citation in cited:
            problem = self.records.problem(citation)
            if problem is None:
                sound.append(citation)
            else:
                self.problems.append(f"{name}: {problem}")
        return tuple(sound)

    def borne_out(self, item: Item, *, needs_action: bool) -> Item:
        """The item, unverified unless the record bears it out."""
        sound = self.found(item.name, item.evidence)
        item = replace(item, evidence=sound)
        if item.result == "unverified":
            return item
        why = self._lacking(sound, needs_action)
        if not why:
            return item
        self.problems.append(f"{item.name}: {why}")
        return replace(
            item, result="unverified", observed=f"{why}; the judge said: {item.observed}"
        )

    def _lacking(self, sound: Sequence[Citation], needs_action: bool) -> str:
        if not any(citation.source == "step" for citation in sound):
            return "no step on record shows it"
        done = [int(place(one)) for one in sound if self.records.is_action(one)]
        if not done:
            told = "no action by real input is cited, so nothing shows that using the game does it"
            return told if needs_action else ""
        last = max(done)
        seen = [
            int(place(one))
            for one in sound
            if one.source == "step" and not self.records.is_action(one)
        ]
        before = [n for n in self.constructed if session_of(n) == session_of(last) and n < last]
        # A look after the construction and before the action; reading the state back is one, too.
        if before and not any(
            step < last
            and session_of(step) == session_of(last)
            and any(n < step for n in before)
            and all(n <= step for n in before)
            for step in seen
        ):
            return (
                f"step {before[-1]} may have put the game into a state, and no look between it and "
                f"the action of step {last} is cited that shows that state"
            )
        return ""


def _flaws(items: Sequence[Item], issues: Sequence[Issue]) -> list[str]:
    """What stands between a playable game and the best label."""
    flawed = [f"{one.name} {_worded(one.result)}" for one in items if one.result != "pass"]
    return flawed + [f"the issue {one.text!r}" for one in issues if one.affects_label]


def _worded(result: Result) -> str:
    return "failed" if result == "fail" else "is unverified"


def _label(
    report: Report, items: Sequence[Item], issues: Sequence[Issue]
) -> tuple[Label | None, list[str]]:
    """The label that the report bears out, and why it is not the judge's own.

    A failed check of the main loop is UNUSABLE and nothing else is; EXCELLENT is for a game of
    which everything was seen to hold.
    """
    core = [item for item in items if item.point is None]
    failed = [item.name for item in core if item.result == "fail"]
    unknown = [item.name for item in core if item.result == "unverified"]
    if failed and report.label != "UNUSABLE":
        return None, [f"label: {report.label}, but the main loop fails at {', '.join(failed)}"]
    if failed:
        return "UNUSABLE", []
    if len(core) == len(items):
        return None, ["label: no requirement of the specification was checked"]
    if unknown:
        return None, [f"label: the main loop is not verified: {', '.join(unknown)}"]
    if report.label == "UNUSABLE":
        return None, ["label: UNUSABLE, but no check of the main loop failed"]
    flaws = _flaws(items, issues)
    if report.label == "EXCELLENT" and flaws:
        few = ", ".join(flaws[:6])
        return "USABLE", [f"label: EXCELLENT is for games without a flaw, but {few}"]
    return report.label, []
