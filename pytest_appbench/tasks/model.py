"""What a task is: the document a user writes, and the same with its place in a file.

This module knows the shape of one task. Reading files belongs to `load`. Descriptions and examples
are shown by editors, through the JSON Schema that `schema` makes of this model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

Level = Literal["easy", "mid", "hard"]
Format = Literal["html"]

Word = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Text = Annotated[str, Field(pattern=r"\S")]

Viewport = Annotated[str, Field(pattern=r"^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$")]


class Reference(BaseModel):
    """Verifiable statements that guide a judge; the query wins over them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intention: tuple[Text, ...] = Field(
        default=(),
        description="Statements: does it do what was asked, on the principles the request implies?",
        examples=[["The period follows the formula for small angles."]],
    )
    static: tuple[Text, ...] = Field(
        default=(),
        description="Statements on what is seen without interaction: required elements, structure, "
        "layout, accessibility.",
        examples=[["There is a slider labelled Length."]],
    )
    dynamic: tuple[Text, ...] = Field(
        default=(),
        description="Statements on what happens in use: multi-step interaction, consistent and "
        "reversible state, boundaries and bad input survived.",
        examples=[["Reset restores the first state."]],
    )


class TaskDocument(BaseModel):
    """One app request, as written in a `*.task.yaml` file."""

    model_config = ConfigDict(frozen=True, extra="forbid", title="pytest-appbench task")

    id: Word = Field(
        description="The task's name: lower-case letters, digits, - and _. Unique among the task "
        "files of one folder; apps/<id>/ and checks/<id>.py belong to it.",
        examples=["pendulum-lab"],
    )
    domain: Word = Field(
        description="What the app is about: one of the six usual domains, or a word of your own.",
        examples=["science", "games", "tools", "humanities", "lifestyle", "visualization"],
    )
    subclass: Word | None = Field(
        default=None, description="A finer word within the domain.", examples=["physics"]
    )
    level: Level | None = Field(default=None, description="How hard the request is.")
    query: Text = Field(
        description="The request, as a person would put it. It wins over the reference.",
        examples=["A pendulum lab with a slider for the length and a Reset button."],
    )
    reference: Reference = Field(
        default=Reference(),
        description="Verifiable statements that guide a judge. The query wins over them.",
    )
    format: Format = Field(default="html", description="What the app is made of.")
    protocol: Word | None = Field(
        default=None,
        description="The way in which a model judges this task, such as miniapp or blind.",
        examples=["miniapp", "blind"],
    )
    threshold: Annotated[float, Strict()] | None = Field(
        default=None,
        ge=0,
        le=1,
        description="The least score, 0..1, that each dimension must reach.",
        examples=[0.8],
    )
    seed: Annotated[int, Strict()] | None = Field(
        default=None,
        ge=0,
        le=2**32 - 1,
        description="Seeds the page's random numbers.",
        examples=[7],
    )
    viewports: tuple[Viewport, ...] | None = Field(
        default=None,
        min_length=1,
        description="Window sizes in CSS pixels, width x height. The app is used in the first.",
        examples=[["1280x720", "390x844"]],
    )


class Task(TaskDocument):
    """A task document and the place it was read from."""

    path: Path
    line: int
    """Line of the document's first key, counted from 1."""

    @property
    def folder(self) -> Path:
        """The folder that holds the task file, its `apps/` and its `checks/`."""
        return self.path.parent
