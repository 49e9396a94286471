"""Several sessions of one app in the hands of one judge: tabs side by side, and people apart.

The judge has one set of tools. They act on the session it sits at; two more tools open a session
and change to another. Each session has step numbers of its own, so that a number means one step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.errors import PageLost
from pytest_appbench.browser.hands import HandsError
from pytest_appbench.judges.desk import Answer, Desk, Skill
from pytest_appbench.judges.tools import skills_of
from pytest_appbench.models.chat import Tool

BAND = 10_000
"""The steps of session n are numbered from (n - 1) * BAND + 1 on."""

OpenDesk = Callable[[int, "Desk | None"], Desk]
"""Opens a session: the number of its first step, and the desk whose storage it shares, if any."""


def session_of(number: int) -> int:
    """The session that a step belongs to, counted from 1.

    Args:
        number: The step's number.
    """
    return (number - 1) // BAND + 1


@dataclass
class Seats:
    """The sessions of a judge.

    Attributes:
        first: The session that is open from the beginning.
        open_desk: Opens another.
        most: How many there may be.
    """

    first: Desk
    open_desk: OpenDesk
    most: int
    _desks: list[Desk] = field(default_factory=list)
    _at: int = 0

    def __post_init__(self) -> None:
        self._desks.append(self.first)

    @property
    def steps(self) -> list[Step]:
        """What was done so far, session by session."""
        return [step for desk in self._desks if desk.hands for step in desk.hands.steps]

    def skills(self) -> tuple[Skill, ...]:
        """The tools of the judge; those for sessions only where there may be more than one."""
        own = tuple(Skill(skill.tool, self._seated(skill)) for skill in skills_of(self.first))
        return (*own, _skill_to_open(self), _skill_to_change(self)) if self.most > 1 else own

    def _seated(self, skill: Skill) -> Callable[[Mapping[str, Any]], Answer]:
        def run(arguments: Mapping[str, Any]) -> Answer:
            desk = self._desks[self._at]
            mine = next(s for s in skills_of(desk) if s.tool.name == skill.tool.name)
            try:
                return mine.run(arguments)
            finally:
                self._collect(desk)

        return run

    def open(self, *, shares: bool) -> Answer:
        """Open a session and sit down at it.

        Args:
            shares: Whether it is a second tab of the session that the judge sits at.

        Raises:
            HandsError: The app cannot be opened there; the message is for the judge.
        """
        if len(self._desks) >= self.most:
            return Answer(f"There may be {self.most} sessions, and all are open.", is_error=True)
        number = len(self._desks) + 1
        beside = self._desks[self._at] if shares else None
        try:
            self._desks.append(self.open_desk((number - 1) * BAND + 1, beside))
        except PageLost as error:
            raise HandsError(f"the app cannot be opened there: {error}") from error
        return self.change(number)

    def change(self, number: int) -> Answer:
        """Sit down at a session and look at it.

        Args:
            number: Which one, counted from 1.
        """
        if not 1 <= number <= len(self._desks):
            return Answer(
                f"There is no session {number}; {len(self._desks)} are open.", is_error=True
            )
        self._at = number - 1
        desk = self._desks[self._at]
        try:
            value, steps = desk.call("look")
            seen = desk.shown("page", str(value), steps[-1])
        finally:
            self._collect(desk)
        return Answer(f"You are at session {number}. Step {steps[-1].number}\n{seen}")

    def _collect(self, desk: Desk) -> None:
        """Keep the steps of every session in one list, in the order in which they were done."""
        if desk is not self.first:
            self.first.pending += desk.pending
            desk.pending.clear()


def _skill_to_open(seats: Seats) -> Skill:
    tool = Tool(
        name="open_session",
        description="Open another session of the game and go on there. A tab shares storage and "
        "channels with the session you are at, as a second tab of one browser does; one that is "
        "apart shares nothing, as another person's browser does.",
        parameters={
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": ["tab", "apart"]}},
            "required": ["kind"],
            "additionalProperties": False,
        },
    )
    return Skill(
        tool, lambda given: seats.open(shares={"tab": True, "apart": False}[given["kind"]])
    )


def _skill_to_change(seats: Seats) -> Skill:
    tool = Tool(
        name="change_session",
        description="Go on in another session that is open, and look at it. All other tools act on "
        "the session you are at. The first is 1.",
        parameters={
            "type": "object",
            "properties": {"session": {"type": "integer", "minimum": 1}},
            "required": ["session"],
            "additionalProperties": False,
        },
    )
    return Skill(tool, lambda given: seats.change(int(given["session"])))
