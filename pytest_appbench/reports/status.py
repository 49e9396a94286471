"""What a process is doing at the moment, in a small file of its own for whoever watches.

Only a run that somebody watches has a folder for it; it lies outside of the run's directory, and
nothing depends on it. Nothing here knows pytest.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from pytest_appbench.judges.loop import ModelCall, Steps

T = TypeVar("T")


@dataclass(frozen=True)
class Doing:
    """What a process is doing.

    Attributes:
        task: The task.
        stage: Such as generating or judging.
        steps: For each judging under way, the answers that its model was asked for.
        limit: The most answers of one judging; 0 without a model.
        since: When the stage began, seconds since 1970-01-01 UTC.
    """

    task: str
    stage: str
    steps: tuple[int, ...] = ()
    limit: int = 0
    since: float = 0.0

    def __str__(self) -> str:
        """In words, such as `pendulum-lab: judging, step 7 of 30`."""
        text = f"{self.task}: {self.stage}"
        if any(self.steps):
            word = "step" if len(self.steps) == 1 else "steps"
            text += f", {word} {', '.join(map(str, self.steps))}"
            text += f" of {self.limit}" if self.limit else ""
        return text


class Status:
    """Tells what this process is doing.

    Args:
        folder: The folder to tell it in, or None where nobody watches.
        process: The name of this process, such as `main` or `gw0`.
    """

    def __init__(self, folder: Path | None, process: str = "main") -> None:
        self._folder, self._process = folder, process
        self._doing: Doing | None = None

    @property
    def is_watched(self) -> bool:
        """Whether somebody watches."""
        return self._folder is not None

    def begin(self, task: str, stage: str, judgings: int = 0, limit: int = 0) -> None:
        """Say that a stage begins.

        Args:
            task: The task.
            stage: Such as generating or judging.
            judgings: How many judgings it carries out side by side.
            limit: The most answers of one of them.
        """
        self._tell(Doing(task, stage, (0,) * judgings, limit, time.time()))

    def counted(self, steps: Steps[T], number: int) -> Steps[T]:
        """A judging that tells of each answer it asks its model for.

        Args:
            steps: The judging.
            number: Which of those side by side, counted from 0.

        Returns:
            The same judging.
        """
        return steps if self._folder is None else _watched(steps, lambda: self._step(number))

    def end(self) -> None:
        """Say that nothing is done at the moment."""
        self._doing = None
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / f"{self._process}.json").unlink(missing_ok=True)

    def _step(self, number: int) -> None:
        if self._doing is not None and number < len(self._doing.steps):
            steps = [*self._doing.steps]
            steps[number] += 1
            self._tell(Doing(**{**asdict(self._doing), "steps": tuple(steps)}))

    def _tell(self, doing: Doing) -> None:
        self._doing = doing
        if self._folder is None:
            return
        path = self._folder / f"{self._process}.json"
        with suppress(OSError):  # nothing depends on it
            draft = path.with_suffix(".tmp")
            draft.write_text(json.dumps(asdict(doing)), encoding="utf-8")
            draft.replace(path)


def read(folder: Path) -> dict[str, Doing]:
    """What the processes of a run are doing.

    Args:
        folder: The folder they tell it in.

    Returns:
        Name of the process to what it is doing, in the order of the names.
    """
    found = {}
    for path in sorted(folder.glob("*.json"), key=lambda path: (len(path.stem), path.stem)):
        with suppress(OSError, ValueError, TypeError):
            data = json.loads(path.read_text(encoding="utf-8"))
            found[path.stem] = Doing(**{**data, "steps": tuple(data["steps"])})
    return found


def _watched(steps: Steps[T], noticed: Callable[[], None]) -> Generator[Any, Any, T]:
    """Pass on whatever goes between a generator and its driver, noticing calls of the model."""
    resume: Callable[[], Any] = lambda: next(steps)  # noqa: E731
    while True:
        try:
            call = resume()
        except StopIteration as end:
            result: T = end.value
            return result
        if isinstance(call, ModelCall):
            noticed()
        try:
            value = yield call
        except GeneratorExit:
            steps.close()
            raise
        except BaseException as error:
            failure = error
            resume = lambda: steps.throw(failure)  # noqa: B023, E731
        else:
            sent = value
            resume = lambda: steps.send(sent)  # noqa: B023, E731
