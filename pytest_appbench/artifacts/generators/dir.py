"""`dir` takes apps that somebody else wrote to a folder, one per task id."""

from __future__ import annotations

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
class DirGenerator:
    """Finds each task's app in one folder.

    Attributes:
        folder: The folder that holds `<task id>/` or `<task id>.html`.
        root: Paths in messages are shown relative to this folder.
    """

    folder: Path
    root: Path

    @property
    def identity(self) -> None:
        """Nothing: the folder is read each time."""
        return None

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folder: whatever lies in it was written by others."""
        return (self.folder,)

    def __call__(self, task: Task) -> Candidate:
        """Find the task's app.

        Args:
            task: The task.

        Returns:
            The folder `<task id>/`, else the file `<task id>.html`.

        Raises:
            MissingArtifact: Neither is there, the folder is not an app, or it is a link that leads
                elsewhere.
        """
        folder, page = self.folder / task.id, self.folder / f"{task.id}.html"
        shown = display(folder, self.root)
        source = folder if folder.is_dir() else page
        if not (folder.is_dir() or page.is_file()):
            raise MissingArtifact(
                f"no app for task '{task.id}': expected a folder {shown} or a file {shown}.html "
                f"({self._found()}); other tasks are not affected"
            )
        if not source.resolve().is_relative_to(self.folder):
            raise MissingArtifact(
                f"no app for task '{task.id}': {display(source, self.root)} is a link that leads "
                f"out of its folder, to {source.resolve()}: copy the files instead"
            )
        if source is folder:
            require_app(task, folder, shown)
        return Candidate(source, f"dir:{display(self.folder, self.root)}")

    def step(self, order: StepOrder) -> StepReply:
        """Find what was recorded for a step in the task's folder.

        Args:
            order: The step.

        Returns:
            The files after it.

        Raises:
            MissingArtifact: There is no such folder, or a link leads out of it.
        """
        folder = self.folder / order.task.id
        shown = display(folder, self.root)
        if not folder.is_dir() or not folder.resolve().is_relative_to(self.folder):
            raise MissingArtifact(
                f"no solution for task '{order.task.id}': expected a folder {shown} "
                f"({self._found()}); other tasks are not affected"
            )
        return recorded(folder, order, f"dir:{display(self.folder, self.root)}")

    def _found(self) -> str:
        shown = display(self.folder, self.root)
        if not self.folder.is_dir():
            return f"there is no folder {shown}; relative paths start at {self.root}"
        names = enumerate_names(sorted(path.name for path in self.folder.iterdir()))
        return f"found in {shown}: {names}"


def _make(argument: str, root: Path, _: Means) -> DirGenerator:
    if not argument:
        raise SettingsError("'dir' needs the folder that holds the apps, such as dir:out/")
    root = root.resolve()
    folder = (root / Path(argument).expanduser()).resolve()
    if root.is_relative_to(folder):
        raise SettingsError(
            f"'dir:{argument}' holds the folder that pytest was started in, and pytest collects "
            "nothing from a folder of apps: put the apps into a folder of their own, such as "
            "dir:out/"
        )
    return DirGenerator(folder, root)


SCHEMES = (
    Scheme(
        name="dir",
        help="the app in <folder>/<task id>/ or <folder>/<task id>.html",
        example="dir:out/",
        make=_make,
    ),
)
