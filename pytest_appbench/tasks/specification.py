"""Structured specifications of games, as Markdown: WebGameBench's template (A.2), points, S x L.

The paper publishes what a specification says, not how it is written down. The writing is ours:
a title, the annotations as a list, a heading for each published section, and one item for each
functional point. A document without any annotation is read, too: then the points are for the judge
to derive. This module reads text and knows neither tasks nor judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from pytest_appbench.tasks.wording import quote

Axis = Literal["B", "S", "T"]

SECTIONS = (
    "Game overview",
    "Page and flow",
    "Input controls",
    "Game objects",
    "Rules and state changes",
    "Visual feedback",
    "Technical and deployment constraints",
    "Evaluable functional points",
)
"""The sections of the published template (A.2)."""
POINTS = SECTIONS[-1]
FAMILIES = (
    "Puzzle/Matching",
    "Action/Arcade/Platform",
    "Shooting/Combat",
    "Racing/Sports/Skill",
    "Strategy/Simulation/Management",
    "Casual/Reaction/Idle",
    "Board/Card/Local Multiplayer",
)
"""The published families of games (section 3.2)."""
LEVELS: Mapping[str, Sequence[int]] = {
    "S1": (1, 1, 3, 3),
    "S2": (1, 2, 3, 3),
    "S3": (2, 2, 3, 4),
    "S4": (2, 3, 4, 4),
}
"""D by S (rows) and L1 to L4 (columns), as the table of C.2 has it. C.4 says D2 of S4 with L2 in a
sentence and names the table as what decides, so the table's D3 stands."""
WHOLE = "whole game"
"""What a point is bound to where it names no part of the page."""
MOST_SESSIONS = 4

_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t]*#*")
_NUMBERING = re.compile(r"^[\d.]+[.)]?\s+")
_FIELD = re.compile(r"[-*][ \t]+([A-Za-z]+):[ \t]*(.*)")
_ITEM = re.compile(r"[-*][ \t]+(.*)")
_POINT = re.compile(
    r"(?P<axis>[BST])(?P<part>[1-9]) (?P<tag>[a-z][a-z -]*[a-z])"
    r"(?: \((?P<bound>[^()]+)\))?: (?P<text>\S.*)"
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HOW = '"- B1 entry (Start button): Pressing Start shows the board."'
_FIELDS = ("Family", "S", "L", "D", "Sessions")


@dataclass(frozen=True)
class Point:
    """A functional point: one behaviour or fact that can be observed by itself (L4).

    Attributes:
        name: `P1`, `P2`, ... in the order of the specification.
        axis: B behaviour, S space, T state (L1).
        part: The sub-dimension, such as `B1` entry and controls or `S2` spatial precision (L2).
        tag: The kind, such as `input response` (L3).
        bound: The part of the page that it is about.
        text: What must hold.
    """

    name: str
    axis: Axis
    part: str
    tag: str
    bound: str
    text: str

    @property
    def is_spatial(self) -> bool:
        """Whether the place that is aimed at and the place of the effect must agree (S2)."""
        return self.part == "S2"


@dataclass(frozen=True)
class Specification:
    """A structured specification of a game.

    Attributes:
        title: The game's name.
        family: One of `FAMILIES`; this and the next two are empty where nothing is annotated.
        structure: The structural scale, S1 to S4.
        logic: The logical depth, L1 to L4.
        sessions: How many sessions side by side its checks need; 1 for most.
        points: The functional points; none where nothing is annotated.
        sections: Section to its text, without the points'.
    """

    title: str
    family: str
    structure: str
    logic: str
    sessions: int
    points: tuple[Point, ...]
    sections: Mapping[str, str]

    @property
    def level(self) -> int:
        """The level of difficulty, 1 for D1 to 4 for D4, by the published table; 0 if unknown."""
        if not self.structure:
            return 0
        return LEVELS[self.structure][int(self.logic[1]) - 1]


class SpecificationError(ValueError):
    """A text is no specification.

    Args:
        problems: Line, counted from 1, and what is wrong there, in the order of the lines.
    """

    def __init__(self, problems: Sequence[tuple[int, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(f"line {line}: {message}" for line, message in problems))


def parse(text: str) -> Specification:
    """Read a specification.

    Args:
        text: Markdown.

    Raises:
        SpecificationError: It is none; the error carries everything that is wrong, by line.
    """
    reading = _Reading()
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for number, line in enumerate(lines, start=1):
        reading.line(number, line.rstrip())
    return reading.conclude()


@dataclass
class _Item:
    """An item of a list with the lines that continue it."""

    line: int
    text: str


@dataclass
class _Reading:
    """What was read so far."""

    title: str = ""
    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)
    items: list[_Item] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    section: str | None = None
    fence: str = ""
    last: int = 1

    def line(self, number: int, line: str) -> None:
        self.last = number if line else self.last
        fence = _FENCE.match(line)
        if self.fence:
            if fence and fence[1].startswith(self.fence):
                self.fence = ""
        elif fence:
            self.fence = fence[1]
        elif (heading := _HEADING.fullmatch(line)) and len(heading[1]) <= 2:
            self._heading(number, len(heading[1]), heading[2])
            return
        if self.section is None:
            self._field(number, line)
        elif self.section == POINTS:
            self._item(number, line)
        else:
            self.texts[self.section].append(line)

    def _heading(self, number: int, depth: int, words: str) -> None:
        if depth == 1:
            if self.title:
                self._wrong(number, 'a second title; write sections as "## ..."')
            self.title = self.title or words
            return
        name = _NUMBERING.sub("", words)
        self.section = next((s for s in SECTIONS if s.casefold() == name.casefold()), name)
        first = self.starts.setdefault(self.section, number)
        self.texts.setdefault(self.section, [])
        if first != number:
            self._wrong(number, f"the section {quote(name)} is here twice, first on line {first}")

    def _field(self, number: int, line: str) -> None:
        match = _FIELD.fullmatch(line)
        if match is None:
            return
        name = match[1]
        if name not in _FIELDS:
            self._wrong(number, f"there is no {quote(name)}; there are {', '.join(_FIELDS)}")
        elif name in self.fields:
            self._wrong(number, f"{name} is here twice, first on line {self.fields[name][0]}")
        else:
            self.fields[name] = number, match[2].strip()

    def _item(self, number: int, line: str) -> None:
        if match := _ITEM.fullmatch(line):
            self.items.append(_Item(number, match[1].strip()))
        elif line.startswith((" ", "\t")) and line.strip() and self.items:
            self.items[-1].text += " " + line.strip()
        elif line.strip() and not line.startswith("#"):
            self._wrong(number, f"this is no point; write one as {_HOW}")

    def conclude(self) -> Specification:
        if not self.title:
            self._wrong(1, 'there is no title; begin with "# " and the name of the game')
        elif not self.fields and POINTS not in self.starts:
            return self._unannotated()
        family = self._family()
        structure, logic = self._axis("S"), self._axis("L")
        sessions = self._sessions()
        points = tuple(self._points())
        self._sections(points)
        found = Specification(
            title=self.title,
            family=family,
            structure=structure,
            logic=logic,
            sessions=sessions,
            points=points,
            sections={
                name: "\n".join(lines).strip()
                for name, lines in self.texts.items()
                if name != POINTS
            },
        )
        if structure and logic:
            self._level(found.level)
        if self.problems:
            raise SpecificationError(sorted(self.problems))
        return found

    def _unannotated(self) -> Specification:
        """What nobody annotated is taken as it is; how many sessions it needs is not known."""
        texts = {name: "\n".join(lines).strip() for name, lines in self.texts.items()}
        return Specification(self.title, "", "", "", MOST_SESSIONS, (), texts)

    def _family(self) -> str:
        line, given = self._given("Family", f"Family: {FAMILIES[0]}")
        known = {family.casefold(): family for family in FAMILIES}
        found = known.get(given.casefold(), "")
        if given and not found:
            self._wrong(line, f"there is no family {quote(given)}; write {_one_of(FAMILIES)}")
        return found

    def _axis(self, axis: str) -> str:
        line, given = self._given(axis, f"{axis}: {axis}2 | why")
        value = given.partition("|")[0].strip()
        if value and not re.fullmatch(f"{axis}[1-4]", value):
            self._wrong(
                line, f"{axis} is {quote(value)}; write {axis}1, {axis}2, {axis}3 or {axis}4"
            )
            return ""
        return value

    def _level(self, level: int) -> None:
        line, given = self.fields.get("D", (0, ""))
        if given and given.partition("|")[0].strip() != f"D{level}":
            structure, logic = self.fields["S"][1][:2], self.fields["L"][1][:2]
            told = f"{structure} and {logic} make D{level} by the published table"
            self._wrong(line, f"D is {quote(given)}, but {told}; write that, or leave D out")

    def _sessions(self) -> int:
        line, given = self.fields.get("Sessions", (0, "1"))
        value = given.partition("|")[0].strip()
        if value not in map(str, range(1, MOST_SESSIONS + 1)):
            self._wrong(
                line, f"Sessions is {quote(value)}; write a number from 1 to {MOST_SESSIONS}"
            )
            return 1
        return int(value)

    def _given(self, name: str, example: str) -> tuple[int, str]:
        line, value = self.fields.get(name, (0, ""))
        if not value:
            self._wrong(line or 1, f'there is no {name}; write "- {example}" below the title')
        return line, value

    def _points(self) -> Iterator[Point]:
        told: dict[str, int] = {}
        for number, item in enumerate(self.items, start=1):
            match = _POINT.fullmatch(item.text)
            if match is None:
                self._wrong(item.line, f"{quote(item.text)} is no point; write one as {_HOW}")
                continue
            first = told.setdefault(match["text"].casefold(), item.line)
            if first != item.line:
                self._wrong(item.line, f"this point is here twice, first on line {first}")
            yield Point(
                name=f"P{number}",
                axis=match["axis"],  # type: ignore[arg-type]
                part=match["axis"] + match["part"],
                tag=match["tag"],
                bound=(match["bound"] or WHOLE).strip(),
                text=match["text"],
            )

    def _sections(self, points: Sequence[Point]) -> None:
        for name in SECTIONS:
            if name not in self.starts:
                near = get_close_matches(name, [s for s in self.starts if s not in SECTIONS], n=1)
                line = self.starts[near[0]] if near else self.last
                hint = f"; is it {quote(near[0])}?" if near else ""
                self._wrong(line, f'there is no section "## {name}"{hint}')
            elif name != POINTS and not "".join(self.texts[name]).strip():
                self._wrong(self.starts[name], f"the section {quote(name)} is empty; write it")
        if POINTS not in self.starts:
            return
        for axis, about in {"B": "behaviour", "S": "space", "T": "state"}.items():
            if self.items and all(point.axis != axis for point in points):
                self._wrong(self.starts[POINTS], f"no point is about {about} ({axis}1, {axis}2)")
        if not self.items:
            self._wrong(self.starts[POINTS], f"there is no point; write them as {_HOW}")

    def _wrong(self, line: int, message: str) -> None:
        self.problems.append((line, message))


def _one_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
