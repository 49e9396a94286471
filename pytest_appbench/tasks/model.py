"""What a task is: the document a user writes, and the same with its place in a file.

This module knows the shape of one task. Reading files belongs to `load`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["easy", "mid", "hard"]
Format = Literal["html"]
Clock = Literal["logical", "real"]

Word = Annotated[str, Field(min_length=1, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Statement = Annotated[str, Field(min_length=1)]
Viewport = Annotated[str, Field(pattern=r"^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$")]


class Reference(BaseModel):
    """Verifiable statements that guide a judge; the query wins over them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intention: tuple[Statement, ...] = Field(
        default=(), description="Does it do what was asked, on the principles the request implies."
    )
    static: tuple[Statement, ...] = Field(
        default=(), description="Required elements, structure, layout, accessibility."
    )
    dynamic: tuple[Statement, ...] = Field(
        default=(), description="Multi-step interaction, state, boundaries and bad input."
    )


class TaskDocument(BaseModel):
    """One app request, as written in a `*.task.yaml` file."""

    model_config = ConfigDict(frozen=True, extra="forbid", title="pytest-appbench task")

    id: Word = Field(description="Unique among the task files of one folder.")
    domain: Word = Field(
        description="science, games, tools, humanities, lifestyle, visualization, or your own word."
    )
    subclass: Word | None = Field(default=None, description="A finer word within the domain.")
    level: Level | None = Field(default=None, description="How hard the request is.")
    query: Annotated[str, Field(min_length=1)] = Field(
        description="The request, as a person would put it. It wins over the reference."
    )
    reference: Reference = Field(default=Reference(), description="A guide for the judge.")
    format: Format = Field(default="html", description="What the app is made of.")
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="The least score a dimension must reach, 0..1."
    )
    seed: int | None = Field(default=None, ge=0, description="Seeds the page's Math.random.")
    viewports: tuple[Viewport, ...] | None = Field(
        default=None, min_length=1, description='Window sizes in CSS pixels, such as "1280x720".'
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
