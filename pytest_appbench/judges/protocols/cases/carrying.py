"""A case is carried out on a page of its own, and ends pass, fail or uncertain with evidence."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records, ground
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.materials import materials_text
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols.cases.writing import Line, Planned, asked
from pytest_appbench.judges.verdict import Citation, Part, meets
from pytest_appbench.models.chat import Text
from pytest_appbench.tasks.wording import numbered

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk

APART = 100_000
"""Between the first steps of two cases: more than one conversation can reach."""
MOST_MATERIAL = 6_000
"""Characters of the files that are shown with each case; the rest can be read with a tool."""

Status = Literal["pass", "fail", "uncertain"]


class Number(BaseModel):
    """Something that was counted or measured."""

    model_config = ConfigDict(extra="ignore")

    what: Line
    value: float
    at_least: float | None = None
    at_most: float | None = None

    def wrong(self) -> str | None:
        """How it breaks its bounds, in words; None if it keeps them."""
        if self.at_least is not None and not meets(self.value, self.at_least):
            return f"{self.what} is {self.value:g}, and at least {self.at_least:g} is expected"
        if self.at_most is not None and not meets(self.at_most, self.value):
            return f"{self.what} is {self.value:g}, and at most {self.at_most:g} is expected"
        return None


class Outcome(BaseModel):
    """What came of a case, as the model hands it in."""

    model_config = ConfigDict(extra="ignore")

    result: Status
    observed: str = Field(min_length=1)
    numbers: tuple[Number, ...] = Field(default=(), max_length=20)
    evidence: tuple[Citation, ...] = Field(max_length=20)


@dataclass(frozen=True)
class Ended:
    """A case that was carried out, or could not be.

    Attributes:
        part: What came of it.
        cut_short: Whether a limit or a refusal ended it.
    """

    part: Part
    cut_short: bool = False


def carry_out(case: Case, one: Planned, seconds: float) -> Steps[Ended]:
    """Do one case on a page of its own, in a conversation of its own.

    Args:
        case: The judging.
        one: The case.
        seconds: How long it may take.
    """
    from pytest_appbench.browser.hands import HandsError
    from pytest_appbench.judges.tools import skills_of

    if case.seconds_left() <= 0:
        return _unfinished(one, f"the time limit of {case.time_limit:g} s was reached before it")
    records = Records(frozenset({"step"}))
    needs_action = one.written.dimension == "dynamic"
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(
            lambda: case.sit_down(stack, records, first=APART * one.number + 1)
        )
        try:
            opening = yield BrowserCall(lambda: _opening(case, one, desk))
        except HandsError as error:
            return _unfinished(one, f"the page could not be looked at: {error}")
        ended = yield from Conversation(
            case=case,
            name=f"case-{one.number}",
            system=render(
                "cases-run.md",
                preamble=case.untrusted.preamble,
                logical=case.judging.owns_time,
                sees=desk.sees,
                needs_action=needs_action,
            ),
            opening=(Text(text=opening),),
            # As published, a case is carried out as a person would: nobody reads the source.
            skills=[one for one in skills_of(desk) if one.tool.name != "read_source"],
            form=Outcome,
            submit="submit_case",
            submit_help="Hand in what came of the case, with its evidence.",
            objections=lambda given: _problems(given, records, needs_action=needs_action),
            desk=desk,
            max_seconds=seconds,
        ).run()
    if isinstance(ended, Unfinished):
        case.trajectory.note(f"case {one.number}: {ended.why}")
        return _unfinished(one, ended.why)
    return Ended(_concluded(one, ended.answer, records, needs_action=needs_action))


def _opening(case: Case, one: Planned, desk: Desk) -> str:
    written = one.written
    return sections(
        asked(case),
        materials_text(case, most=MOST_MATERIAL),
        f"# The case to carry out\n\n{written.name}\n\nFeature: {one.feature or 'none of the list'}"
        f"\nDimension: {written.dimension}\n\n" + numbered(written.steps) + f"\n\nExpected: "
        f"{written.expected}",
        f"# The app, opened and not yet used\n\n{desk.look()}",
    )


def _problems(given: Outcome, records: Records, *, needs_action: bool) -> tuple[str, ...]:
    if given.result == "uncertain":
        return ()
    needs = frozenset({"case"}) if needs_action else frozenset()
    found = ground({"case": given.evidence}, records, needs_action=needs).problems
    wrong = [text for number in given.numbers if (text := number.wrong())]
    if given.result == "pass" and wrong:
        found += tuple(f"the result is pass, but {text}" for text in wrong)
    return found


def _concluded(one: Planned, given: Outcome, records: Records, *, needs_action: bool) -> Part:
    needs = frozenset({"case"}) if needs_action else frozenset()
    kept = ground({"case": given.evidence}, records, needs_action=needs).kept["case"]
    wrong = [text for number in given.numbers if (text := number.wrong())]
    status: Status = given.result
    message = given.observed
    if status != "uncertain" and not kept:
        status, message = "uncertain", f"no evidence could be found for {status}: {message}"
    elif status == "pass" and wrong:
        status = "uncertain"
        message = f"it was called a pass, but {'; '.join(wrong)}: {message}"
    return _part(one, status, message, kept)


def _part(one: Planned, status: Status, message: str, evidence: tuple[Citation, ...] = ()) -> Part:
    written = one.written
    return Part(
        kind="case",
        name=f"{one.number} {written.name}",
        status=status,
        text=f"{'; '.join(written.steps)} -> {written.expected}",
        group=one.feature or "",
        dimension=written.dimension,
        message=message,
        evidence=evidence,
    )


def _unfinished(one: Planned, why: str) -> Ended:
    return Ended(_part(one, "uncertain", why), cut_short=True)
