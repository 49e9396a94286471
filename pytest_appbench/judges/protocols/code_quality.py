"""`code-quality`: the first static comparator of RealDevWorld (section 6.1, C.2).

As published: the source files are concatenated, a model gives each feature 0 to 100, more than 75
passes, and the score is the share of features that pass. Ours: the prompt, quotes that must be
found, a feature without evidence is uncertain and counts 0, and the score must reach the threshold.
The app is never run, and the probe does not look at it before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records, ground
from pytest_appbench.judges.loop import Steps
from pytest_appbench.judges.materials import materials_text
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols import Protocol, mean_score
from pytest_appbench.judges.protocols.miniapp import source_of
from pytest_appbench.judges.verdict import Citation, Part, Reason, Verdict, meets
from pytest_appbench.models.chat import Text
from pytest_appbench.tasks.wording import numbered

BAR = 75
"""A feature needs more points than this."""
SOURCES = (".py", ".html", ".css", ".js", ".ts", ".tsx", ".jsx")
"""The files that are read, as published."""


class Reviewed(BaseModel):
    """One feature, reviewed."""

    model_config = ConfigDict(extra="ignore")

    feature: int = Field(ge=1, description="Its number in the list.")
    points: int = Field(ge=0, le=100)
    reason: str = Field(min_length=1)
    evidence: tuple[Citation, ...] = Field(max_length=20)


class Review(BaseModel):
    """All features."""

    model_config = ConfigDict(extra="ignore")

    features: tuple[Reviewed, ...] = Field(min_length=1, max_length=60)


def judge(case: Case) -> Steps[Verdict]:
    """Read the source of one app.

    Args:
        case: The app, the model and the limits.
    """
    from pytest_appbench.judges.desk import Desk
    from pytest_appbench.judges.tools import skills_of

    judging = case.judging
    features = judging.brief.features or (judging.query.strip(),)
    records = Records(frozenset({"file"}))
    opening = sections(
        f"# The request\n\n{judging.query.strip()}",
        f"# Its features\n\n{numbered(features)}",
        materials_text(case),
        source_of(case, records, only=SOURCES),
    )
    desk = Desk(judging=judging, untrusted=case.untrusted, records=records)
    ended = yield from Conversation(
        case=case,
        name="review",
        system=render("code-quality.md", preamble=case.untrusted.preamble, bar=BAR),
        opening=(Text(text=opening),),
        skills=skills_of(desk),
        form=Review,
        submit="submit_review",
        submit_help="Hand in the points of every feature, each with its reason and evidence.",
        objections=lambda given: _objections(given, len(features), records),
    ).run()
    if isinstance(ended, Unfinished):
        return case.undecided(ended.why)
    return _verdict(case, features, _by_number(ended.answer), records)


def _by_number(given: Review) -> dict[int, Reviewed]:
    return {one.feature: one for one in reversed(given.features)}


def _objections(given: Review, count: int, records: Records) -> tuple[str, ...]:
    found = _by_number(given)
    said = [f"feature {n} is missing" for n in range(1, count + 1) if n not in found]
    said += [f"there is no feature {n}; there are {count}" for n in found if n > count]
    cited = {f"feature {n}": one.evidence for n, one in found.items()}
    return (*said, *ground(cited, records).problems)


def _verdict(
    case: Case, features: Sequence[str], given: Mapping[int, Reviewed], records: Records
) -> Verdict:
    parts = []
    for number, text in enumerate(features, start=1):
        one = given.get(number)
        kept = ground({"it": one.evidence}, records).kept["it"] if one else ()
        status = "uncertain" if one is None or not kept else _passes(one)
        message = "no points were given" if one is None else one.reason
        if one is not None and not kept:
            message = f"no evidence could be found for {one.points} points: {message}"
        parts.append(
            Part(
                kind="feature",
                name=str(number),
                status=status,
                text=text,
                score=float(one.points) if one else None,
                message=message,
                evidence=kept,
            )
        )
    passed = sum(part.status == "pass" for part in parts)
    is_open = sum(part.status == "uncertain" for part in parts)
    points = [part.score or 0.0 for part in parts]
    rate, threshold = passed / len(parts), case.judging.threshold
    could = meets((passed + is_open) / len(parts), threshold)
    told = f"{passed} of {len(parts)} features have more than {BAR} points"
    return case.verdict(
        status="pass" if meets(rate, threshold) else "uncertain" if could else "fail",
        score=rate,
        figures={"feature_rate": rate, "points": round(sum(points) / len(points), 3)},
        parts=tuple(parts),
        reasons=(
            Reason(text=told, evidence=tuple(c for part in parts for c in part.evidence)[:10]),
        ),
    )


def _passes(one: Reviewed) -> Literal["pass", "fail"]:
    return "pass" if one.points > BAR else "fail"


PROTOCOL = Protocol(
    name="code-quality",
    judge=judge,
    prompts=("code-quality.md",),
    max_turns=10,
    nothing={"score": 0.0, "scores": {}, "figures": {"feature_rate": 0.0, "points": 0.0}},
    uses_app=False,
    needs=frozenset({"code"}),
    summary=mean_score("code quality"),
)
