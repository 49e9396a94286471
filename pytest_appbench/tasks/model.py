"""What a task is: the document a user writes, and the same with its place in a file.

This module knows the shape of one task. Reading files belongs to `load`. Descriptions and examples
are shown by editors, through the JSON Schema that `schema` makes of this model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

Level = Literal["easy", "mid", "hard"]
Format = Literal["html", "react", "project"]

Word = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Text = Annotated[str, Field(pattern=r"\S")]

Viewport = Annotated[str, Field(pattern=r"^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$")]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
Place = Annotated[str, Field(min_length=1, max_length=300)]
"""A file or folder, relative to the task's folder; whether it is there is for `places` to say."""


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


class Project(BaseModel):
    """How an app with a server of its own is run; every command in its top folder, by `/bin/sh`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packages: Place | None = Field(
        default=None,
        description="A folder with a package.json and its package-lock.json, relative to the "
        "task's folder: these packages are installed beforehand and lie in node_modules/.",
        examples=["packages"],
    )
    install: Text | None = Field(
        default=None,
        description="Prepares the app, without network.",
        examples=["python3 -m compileall ."],
    )
    build: Text | None = Field(
        default=None, description="Builds the app.", examples=["node build.js"]
    )
    serve: Text = Field(
        description="Runs the server in the foreground; it listens on 127.0.0.1 at the port that "
        "the environment variable PORT names.",
        examples=["node server.js"],
    )
    ready: Annotated[str, Field(pattern=r"^/\S*$", max_length=300)] = Field(
        default="/",
        description="The path that answers once the server is ready.",
        examples=["/health"],
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
    project: Project | None = Field(
        default=None,
        validate_default=True,
        description='How the app is run, for "format: project".',
        examples=["{serve: node server.js}"],
    )
    protocol: Word | None = Field(
        default=None,
        description="The way in which a model judges this task, such as miniapp or blind.",
        examples=["miniapp", "blind"],
    )
    features: tuple[Text, ...] = Field(
        default=(),
        max_length=50,
        description="What the app must be able to do, one statement each, for protocols that "
        "judge features apart.",
        examples=[["The chart can be filtered by month."]],
    )
    materials: tuple[Place, ...] = Field(
        default=(),
        max_length=20,
        description="Files that come with the request, given to whoever writes the app and to the "
        "judge; paths relative to the task's folder.",
        examples=[["materials/sales.csv"]],
    )
    spec: Place | None = Field(
        default=None,
        description="A structured specification of the app, as Markdown; a path relative to the "
        "task's folder.",
        examples=["specs/brick-breaker.md"],
    )
    steps: Place | None = Field(
        default=None,
        description="A project of steps that build on each other, as Web-Bench lays it out; a "
        "folder relative to the task's folder.",
        examples=["projects/notebook"],
    )
    language: Language | None = Field(
        default=None,
        description="The language that the app's page must be in, as in HTML's lang attribute.",
        examples=["en", "zh"],
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

    @field_validator("project")
    @classmethod
    def _goes_with_the_format(cls, value: Project | None, info: ValidationInfo) -> Project | None:
        form = info.data.get("format")
        if form == "project" and value is None:
            raise PydanticCustomError("missing", "a project must say how it is run")
        if form not in ("project", None) and value is not None:
            raise PydanticCustomError("needless", "only a project is run")
        return value


class Task(TaskDocument):
    """A task document and the place it was read from."""

    path: Path
    line: int
    """Line of the document's first key, counted from 1."""

    @property
    def folder(self) -> Path:
        """The folder that holds the task file, its `apps/` and its `checks/`."""
        return self.path.parent
