"""`reference` takes an app that ships beside its task, in `apps/<task id>/<name>/`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.candidate import Candidate, display, enumerate_names, require_app
from pytest_appbench.artifacts.generators import Scheme
from pytest_appbench.artifacts.steps import recorded
from pytest_appbench.errors import MissingArtifact, SettingsError

if TYPE_CHECKING:
    from pytest_appbench.artifacts.candidate import Means
    from pytest_appbench.artifacts.steps import StepOrder, StepReply
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class ReferenceGenerator:
    """Finds the reference app of one name for each task.

    Attributes:
        name: The folder's name below `apps/<task id>/`.
        root: Paths in messages are shown relative to this folder.
    """

    name: str
    root: Path

    @property
    def identity(self) -> None:
        """Nothing: the folder is read each time."""
        return None

    @property
    def roots(self) -> tuple[Path, ...]:
        """None besides the `apps/` folders beside the task files."""
        return ()

    def __call__(self, task: Task) -> Candidate:
        """Find the task's app.

        Args:
            task: The task.

        Returns:
            The folder `apps/<task id>/<name>`.

        Raises:
            MissingArtifact: It is not there, is not an app, or leads out of the task's folder.
        """
        apps = task.folder / "apps" / task.id
        folder = apps / self.name
        shown = folder.relative_to(task.folder).as_posix()
        beside = display(task.path, self.root)
        if not folder.is_dir():
            raise MissingArtifact(
                f"no app for task '{task.id}': expected a folder {shown} beside {beside} "
                f"(found: {_found(apps)})"
            )
        if not folder.resolve().is_relative_to(task.folder.resolve()):
            raise MissingArtifact(
                f"no app for task '{task.id}': {shown} beside {beside} is a link that leads out of "
                f"the task's folder, to {folder.resolve()}: copy the files instead"
            )
        require_app(task, folder, f"{shown} beside {beside}")
        return Candidate(folder, f"reference:{self.name}")

    def step(self, order: StepOrder) -> StepReply:
        """Find what was recorded for a step.

        Args:
            order: The step.

        Returns:
            What `apps/<task id>/<name>` holds for it, else the project's own solution `src/` for
            the name good, or `src-<name>/`.

        Raises:
            MissingArtifact: Neither is there, or a link leads out of it.
        """
        own = order.project / ("src" if self.name == "good" else f"src-{self.name}")
        apps = order.task.folder / "apps" / order.task.id
        for folder in (apps / self.name, own):
            inside = folder.resolve().is_relative_to(order.task.folder.resolve())
            if folder.is_dir() and inside:
                return recorded(folder, order, f"reference:{self.name}")
        raise MissingArtifact(
            f"no solution for task '{order.task.id}': expected {own.name}/ in "
            f"{display(order.project, self.root)}, or a folder apps/{order.task.id}/{self.name} "
            f"beside {display(order.task.path, self.root)} (found: {_found(apps)})"
        )


def _found(apps: Path) -> str:
    return enumerate_names(
        sorted(path.name for path in apps.iterdir() if path.is_dir()) if apps.is_dir() else ()
    )


def _make(argument: str, root: Path, _: Means) -> ReferenceGenerator:
    name = argument or "good"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise SettingsError(
            f"'reference:{argument}' is not the name of a reference app: write the name of a "
            "folder below apps/<task id>/, such as reference:faulty"
        )
    return ReferenceGenerator(name, root)


SCHEMES = (
    Scheme(
        name="reference",
        help="the app in apps/<task id>/good (or another name) beside the task file",
        example="reference:faulty",
        make=_make,
    ),
)
