"""`visual-quality`: the second static comparator of RealDevWorld (section 6.1).

As published: a model that sees grades screenshots of the app for their looks. The paper borrows its
prompt from WebGen-Bench and does not print it, so ours is: four grades of 1 to 5, version 1 of our
own sheet. Their mean, spread from 0 to 1, is the score, which must reach the threshold. The app is
opened and not used, and the probe does not look at it before.
"""

from __future__ import annotations

from contextlib import ExitStack
from statistics import fmean
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.errors import JudgeError
from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.prompts import render
from pytest_appbench.judges.protocols import Protocol, mean_score
from pytest_appbench.judges.verdict import Citation, Part, Reason, Verdict, meets
from pytest_appbench.models.chat import Image, Text

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk

GRADES = ("rendering", "relevance", "layout", "finish")
WORST, BEST = 1, 5
SETTLES_MS = 1_000
"""Page time that passes before the first picture: fonts, entrances and images come to rest."""


class Grade(BaseModel):
    """One thing, graded."""

    model_config = ConfigDict(extra="ignore")

    grade: int = Field(ge=WORST, le=BEST)
    reason: str = Field(min_length=1)


class Sheet(BaseModel):
    """All grades."""

    model_config = ConfigDict(extra="ignore")

    rendering: Grade
    relevance: Grade
    layout: Grade
    finish: Grade
    uncertain: str = Field(default="", description="Why you cannot grade; empty if you can.")


def judge(case: Case) -> Steps[Verdict]:
    """Look at one app.

    Args:
        case: The app, the model and the limits.

    Raises:
        JudgeError: No picture can be shown, which leaves nothing of the protocol.
    """
    judging = case.judging
    if not case.sees or judging.evidence is None:
        raise JudgeError(
            "the protocol visual-quality judges by pictures of the app: leave out "
            "--appbench-vision=off, and judge with a run directory"
        )
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(lambda: case.sit_down(stack, Records(frozenset({"step"}))))
        cited, shown = yield BrowserCall(lambda: _pictures(case, desk))
        case.trajectory.actions("look", desk.pending)
        desk.pending.clear()
    ended = yield from Conversation(
        case=case,
        name="look",
        system=render("visual-quality.md", preamble=case.untrusted.preamble),
        opening=(Text(text=f"# The request\n\n{judging.query.strip()}\n\n# The app"), *shown),
        skills=(),
        form=Sheet,
        submit="submit_grades",
        submit_help="Hand in the four grades, each with its reason.",
    ).run()
    if isinstance(ended, Unfinished):
        return case.undecided(ended.why)
    return _verdict(case, ended.answer, cited)


def _pictures(case: Case, desk: Desk) -> tuple[tuple[Citation, ...], tuple[Text | Image, ...]]:
    """The window in each size: where it is on record, and what the model is shown."""
    evidence = case.judging.evidence
    assert evidence is not None
    cited: list[Citation] = []
    shown: list[Text | Image] = []
    for width, height in case.judging.viewports:
        desk.call("viewport", width, height, {"compare": False})
        if not cited:
            desk.call("advance", SETTLES_MS)
        value, steps = desk.call("screenshot")
        name = str(value["file"])
        cited.append(Citation(source="step", where=str(steps[-1].number), quote=name))
        shown += [
            Text(text=f"A window of {width} x {height}:"),
            Image.of((evidence / name).read_bytes(), "image/webp", name),
        ]
    return tuple(cited), tuple(shown)


def _verdict(case: Case, given: Sheet, cited: tuple[Citation, ...]) -> Verdict:
    grades: dict[str, Grade] = {name: getattr(given, name) for name in GRADES}
    # A picture cannot be quoted: what was shown is cited as a whole.
    reasons = [
        Reason(text=f"{name} {one.grade} of {BEST}: {one.reason}", evidence=cited)
        for name, one in grades.items()
    ]
    if given.uncertain:
        told = Reason(text=f"the judge cannot decide: {given.uncertain}", evidence=cited)
        return case.verdict(status="uncertain", reasons=(told, *reasons))
    grade = fmean(one.grade for one in grades.values())
    score = (grade - WORST) / (BEST - WORST)
    threshold = case.judging.threshold
    parts = tuple(
        Part(
            kind="grade",
            name=name,
            status="pass" if meets((one.grade - WORST) / (BEST - WORST), threshold) else "fail",
            score=float(one.grade),
            message=one.reason,
            evidence=cited,
        )
        for name, one in grades.items()
    )
    return case.verdict(
        status="pass" if meets(score, threshold) else "fail",
        score=score,
        figures={"grade": grade},
        parts=parts,
        reasons=tuple(reasons),
    )


PROTOCOL = Protocol(
    name="visual-quality",
    judge=judge,
    prompts=("visual-quality.md",),
    sees=True,
    max_turns=4,
    nothing={"score": 0.0, "scores": {}, "figures": {"grade": 1.0}},
    uses_app=False,
    needs=frozenset({"agent"}),
    summary=mean_score("visual quality"),
)
