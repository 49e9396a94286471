"""`blind`: the double-blind judging of MiniAppBench (section C, D.3).

As published: a first stage describes the app without knowing the request; a second stage compares
that description with the request and never sees the app. The result is one completion score.
Ours: the prompts, the rule that the score must reach the threshold to pass, and quotes that must be
found.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records, ground
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols import Protocol
from pytest_appbench.judges.protocols.miniapp import (
    first_look,
    further_looks,
    reference_text,
    sit_down,
    source_of,
)
from pytest_appbench.judges.verdict import Citation, Reason, Verdict, meets
from pytest_appbench.models.chat import Text

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk


class Item(BaseModel):
    """Something on the page."""

    model_config = ConfigDict(extra="ignore")

    type: str
    description: str


class Description(BaseModel):
    """What the first stage hands in."""

    model_config = ConfigDict(extra="ignore")

    page_summary: str = Field(min_length=1)
    layout: str = ""
    visual_elements: tuple[Item, ...] = ()
    interactive_elements: tuple[Item, ...] = Field(
        default=(), description="Each control, what was done with it, and what happened."
    )
    raw_observations: str = ""

    def sections(self) -> dict[str, str]:
        """Section to text, as the second stage reads and cites it."""
        return {
            "page_summary": self.page_summary,
            "layout": self.layout,
            "visual_elements": "\n".join(
                f"{i.type}: {i.description}" for i in self.visual_elements
            ),
            "interactive_elements": "\n".join(
                f"{i.type}: {i.description}" for i in self.interactive_elements
            ),
            "raw_observations": self.raw_observations,
        }


class Comparison(BaseModel):
    """What the second stage hands in."""

    model_config = ConfigDict(extra="ignore")

    completion_score: float = Field(ge=0, le=1)
    reason: str = Field(min_length=1)
    evidence: tuple[Citation, ...] = Field(max_length=20)
    satisfied_requirements: tuple[str, ...] = ()
    missing_requirements: tuple[str, ...] = ()
    confidence: Literal["high", "medium", "low"] = "medium"
    uncertain: str = Field(default="", description="Why you cannot decide; empty if you can.")


def judge(case: Case) -> Steps[Verdict]:
    """Judge one app blindly.

    Args:
        case: The app, the model and the limits.
    """
    described = yield from _describe(case)
    if isinstance(described, Unfinished):
        return case.undecided(f"while the app was described: {described.why}")
    records = Records(frozenset({"description"}))
    question = _question(case, described.sections(), records)
    compared = yield from Conversation(
        case=case,
        name="compare",
        system=render(
            "blind-compare.md",
            preamble=case.untrusted.preamble,
            reference="reference" not in case.judging.without,
        ),
        opening=(Text(text=question),),
        skills=(),
        form=Comparison,
        submit="submit_comparison",
        submit_help="Hand in how far the described app does what was asked.",
        objections=lambda given: (
            () if given.uncertain else ground({"score": given.evidence}, records).problems
        ),
    ).run()
    if isinstance(compared, Unfinished):
        return case.undecided(f"while the description was compared: {compared.why}")
    return _verdict(case, compared.answer, records)


def _describe(case: Case) -> Steps[Description | Unfinished]:
    from pytest_appbench.judges.tools import skills_of

    judging = case.judging
    browse = "agent" not in judging.without
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(lambda: sit_down(case, stack, Records(frozenset())))
        opening = yield BrowserCall(lambda: _shown(case, desk))
        ended = yield from Conversation(
            case=case,
            name="describe",
            system=render(
                "blind-describe.md",
                preamble=case.untrusted.preamble,
                browse=browse,
                logical=judging.owns_time,
                sizes=judging.sizes,
            ),
            opening=(Text(text=opening),),
            skills=skills_of(desk),
            form=Description,
            submit="submit_description",
            submit_help="Hand in the description.",
            desk=desk,
            later=lambda: further_looks(desk),
        ).run()
    return ended if isinstance(ended, Unfinished) else ended.answer


def _shown(case: Case, desk: Desk) -> str:
    parts = []
    if "code" not in case.judging.without:
        parts.append(source_of(case, desk.records))
    if desk.hands is not None:
        parts.append(first_look(desk))
    return "\n\n".join(parts)


def _question(case: Case, described: dict[str, str], records: Records) -> str:
    from pytest_appbench.judges.desk import body_of

    judging = case.judging
    parts = [f"# The request\n\n{judging.query.strip()}"]
    if "reference" not in judging.without:
        parts.append(reference_text(case))
    parts.append("# The description")
    for name, text in described.items():
        if text:
            fenced = case.untrusted.fence("description", text)
            records.add("description", name, body_of(fenced))
            parts.append(f"{name}:\n{fenced}")
    return sections(*parts)


def _verdict(case: Case, given: Comparison, records: Records) -> Verdict:
    grounded = ground({"score": given.evidence}, records)
    missing = (
        f" Missing: {'; '.join(given.missing_requirements)}." if given.missing_requirements else ""
    )
    reason = Reason(text=given.reason + missing, evidence=grounded.kept["score"])
    if given.uncertain:
        text = f"the judge cannot decide: {given.uncertain}"
        return case.verdict(status="uncertain", reasons=(Reason(text=text), reason))
    if grounded.missing:
        text = "no evidence could be found for the score, also when asked again"
        return case.verdict(status="uncertain", reasons=(Reason(text=text), reason))
    passed = meets(given.completion_score, case.judging.threshold)
    return case.verdict(
        status="pass" if passed else "fail", score=given.completion_score, reasons=(reason,)
    )


PROTOCOL = Protocol(
    name="blind",
    judge=judge,
    prompts=("blind-describe.md", "blind-compare.md"),
    nothing={"score": 0.0, "scores": {}},
)
