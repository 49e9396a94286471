"""Cases are written: from the request, its features and its files, by somebody who sees no app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import plain
from pytest_appbench.judges.loop import Steps
from pytest_appbench.judges.materials import material_images, materials_text
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.verdict import Dimension
from pytest_appbench.models.chat import Text
from pytest_appbench.tasks.wording import numbered

LEAST, MOST = 15, 20
"""Cases of one app, as published."""
WRITING_TURNS = 6

Line = Annotated[str, Field(min_length=1, max_length=1_000)]


class Written(BaseModel):
    """One case as the model writes it: data, which is never evaluated."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=200)]
    feature: int | Line = Field(description="Its number in the list, from 1, or its text.")
    dimension: Dimension
    steps: tuple[Line, ...] = Field(min_length=1, max_length=20)
    expected: Line = Field(description="What must be seen in the end, decidable by looking.")


class Suite(BaseModel):
    """All cases of an app."""

    model_config = ConfigDict(extra="ignore")

    cases: tuple[Written, ...] = Field(min_length=1, max_length=MOST)


@dataclass(frozen=True)
class Planned:
    """A case with its place.

    Attributes:
        number: Counted from 1.
        written: The case.
        feature: The feature that it belongs to, or None if it names none of the list.
    """

    number: int
    written: Written
    feature: str | None


def write(case: Case) -> Steps[Suite | Unfinished]:
    """Have the cases written.

    Args:
        case: The judging.
    """
    features = case.judging.brief.features
    ended = yield from Conversation(
        case=case,
        name="write",
        system=render(
            "cases-write.md",
            preamble=case.untrusted.preamble,
            least=LEAST,
            most=MOST,
            numbered=bool(features),
        ),
        opening=(
            Text(text=sections(asked(case), materials_text(case))),
            *material_images(case),
        ),
        skills=(),
        form=Suite,
        submit="submit_cases",
        submit_help=f"Hand in {LEAST} to {MOST} cases.",
        objections=lambda given: objections(given, features),
        max_turns=min(WRITING_TURNS, case.max_turns),
    ).run()
    return ended if isinstance(ended, Unfinished) else ended.answer


def asked(case: Case) -> str:
    """The request and its features, as a section of a prompt.

    Args:
        case: The judging.
    """
    features = case.judging.brief.features
    own = f"\n\n# Its features\n\n{numbered(features)}" if features else ""
    return f"# The request\n\n{case.judging.query.strip()}{own}"


def plan(suite: Suite, features: Sequence[str]) -> tuple[tuple[str, ...], tuple[Planned, ...]]:
    """Tie cases to features.

    Args:
        suite: The cases.
        features: The task's features; where it has none, those that the cases name stand for them.

    Returns:
        The features, and the cases with their places.
    """
    if not features:
        names: dict[str, str] = {}
        for one in suite.cases:
            names.setdefault(plain(str(one.feature)), str(one.feature).strip())
        features = tuple(names.values())
        found = [names[plain(str(one.feature))] for one in suite.cases]
    else:
        found = [feature_of(one.feature, features) or "" for one in suite.cases]
    return tuple(features), tuple(
        Planned(number, written, feature or None)
        for number, (written, feature) in enumerate(zip(suite.cases, found, strict=True), start=1)
    )


def feature_of(named: int | str, features: Sequence[str]) -> str | None:
    """The feature that a case means.

    Args:
        named: Its number, counted from 1, or its text, or a part of it that no other has.
        features: The features.
    """
    wanted = plain(str(named))
    same = [feature for feature in features if plain(feature) == wanted]
    if same:
        return same[0]
    if number := re.fullmatch(r"(?:feature )?#?(\d{1,3})[.:)]?", wanted):
        index = int(number.group(1))
        return features[index - 1] if 1 <= index <= len(features) else None
    near = [one for one in features if len(wanted) > 3 and (wanted in plain(one))]
    near = near or [one for one in features if plain(one) in wanted]
    return near[0] if len(near) == 1 else None


def objections(suite: Suite, features: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with cases, in words for whoever wrote them.

    Args:
        suite: The cases.
        features: The task's features, none if it has none.
    """
    every, planned = plan(suite, features)
    said = []
    if len(planned) < LEAST:
        said.append(f"there are {len(planned)} cases; write {LEAST} to {MOST}")
    for one in planned:
        if one.feature is None:
            named = one.written.feature
            said.append(f"case {one.number} names the feature {named!r}, which is not in the list")
    seen: dict[str, int] = {}
    for one in planned:
        content = plain(" ".join((*one.written.steps, one.written.expected)))
        first = seen.setdefault(content, one.number)
        if first != one.number:
            said.append(f"case {one.number} says the same as case {first}")
    for number, feature in enumerate(every, start=1):
        own = [one.written.dimension for one in planned if one.feature == feature]
        if not own:
            said.append(f"feature {number} has no case")
        elif set(own) == {"static"}:
            said.append(
                f"feature {number} is only looked at: write a case in which it does its work, "
                "unless being in sight is all of it"
            )
    return tuple(said)
