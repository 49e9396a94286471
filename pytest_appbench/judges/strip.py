"""A film strip and a log of sounds, for judges whose models take neither video nor audio.

The pictures are those that the camera took of the steps and of what moved within them, each once,
with the step and the page time at which it was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.sounds import Sound
from pytest_appbench.judges.desk import Answer, Skill
from pytest_appbench.models.chat import Image, Text, Tool

MOST_PICTURES = 24
"""Of one film strip; of more, evenly chosen ones are shown."""
MOST_SOUNDS = 100


@dataclass(frozen=True)
class Shot:
    """One picture of the strip.

    Attributes:
        step: The number of the step.
        action: What was done.
        at: Page time in ms since the session began.
        file: Its name within the evidence.
    """

    step: int
    action: str
    at: float
    file: str

    def __str__(self) -> str:
        return f"step {self.step} ({self.action}), {self.at:g} ms of page time"


def shots_of(steps: Iterable[Step]) -> list[Shot]:
    """The pictures of steps, in order; what looks as before is left out.

    Args:
        steps: Steps with their pictures.
    """
    found: list[Shot] = []
    for step in steps:
        taken = [(frame.at, frame.file) for frame in step.frames]
        if step.picture:
            taken.append((step.at or 0.0, step.picture))
        for at, file in taken:
            if not found or found[-1].file != file:
                found.append(Shot(step.number, step.action, at, file))
    return found


def chosen(shots: Sequence[Shot], most: int = MOST_PICTURES) -> list[Shot]:
    """So many of the pictures as may be shown: the first, the last, and others evenly between.

    Args:
        shots: The pictures.
        most: How many, at least 2.
    """
    if len(shots) <= most:
        return list(shots)
    last = len(shots) - 1
    return [shots[round(index * last / (most - 1))] for index in range(most)]


def strip(shots: Sequence[Shot], evidence: Path) -> list[Text | Image]:
    """The film strip as a model is sent it: a line, then the picture, and so on.

    Args:
        shots: The pictures.
        evidence: The folder of the evidence.
    """
    parts: list[Text | Image] = []
    for shot in shots:
        content = (evidence / shot.file).read_bytes()
        parts += [Text(text=f"Picture: {shot}"), Image.of(content, "image/jpeg", shot.file)]
    return parts


def sound_log(steps: Iterable[Step]) -> str:
    """What sounded, a line each, by step and page time; empty if nothing did.

    Args:
        steps: The steps.
    """
    lines = [f"step {step.number}: {_sound(one)}" for step in steps for one in step.sounds]
    left = len(lines) - MOST_SOUNDS
    return "\n".join(lines[:MOST_SOUNDS] + ([f"({left} more)"] if left > 0 else []))


def film_skill(steps: Sequence[Step], evidence: Path) -> Skill:
    """A tool that shows the film strip of some steps.

    Args:
        steps: All steps.
        evidence: The folder of the evidence.
    """

    def run(arguments: Mapping[str, Any]) -> Answer:
        first, last = int(arguments["first"]), int(arguments["last"])
        shots = chosen(shots_of(one for one in steps if first <= one.number <= last))
        if not shots:
            return Answer("There is no picture of these steps.", is_error=True)
        parts = strip(shots, evidence)
        listed = "\n".join(f"Picture {n}: {shot}" for n, shot in enumerate(shots, start=1))
        return Answer(listed, tuple(part for part in parts if isinstance(part, Image)))

    number = {"type": "integer", "description": "Number of a step"}
    return Skill(
        Tool(
            name="see_film",
            description="See the pictures of some steps and of what moved within them, in order.",
            parameters={
                "type": "object",
                "properties": {"first": number, "last": number},
                "required": ["first", "last"],
                "additionalProperties": False,
            },
        ),
        run,
    )


def _sound(facts: Mapping[str, Any]) -> str:
    return str(Sound(**{**facts, "hz": tuple(facts.get("hz", ()))}))
