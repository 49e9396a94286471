"""What a model judge works with: the app under its hands, the app's files, and the record.

Whatever came from the app is fenced here, on its way to the model, and put on record, so that a
verdict can cite it. Which tools a judge has is decided by `tools`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.errors import PageLost
from pytest_appbench.browser.hands import Hands, HandsError
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.judging import Judging, require_browser
from pytest_appbench.judges.patience import Patience
from pytest_appbench.judges.untrusted import Untrusted
from pytest_appbench.models.chat import Image, Tool

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session
    from pytest_appbench.browser.workbench import Workbench

T = TypeVar("T")

LOOKS = frozenset(
    {
        "open", "look", "read", "readAll", "count", "evaluate", "console", "screenshot", "note",
        "script", "url", "title", "storage", "viewport", "changedRegions", "sounds",
    }
)  # fmt: skip
"""Steps that do nothing to the app."""
MOST_SHOWN = 12_000
"""Characters of one answer; the rest can be asked for."""


@dataclass(frozen=True)
class Answer:
    """What a tool says to the model."""

    text: str
    images: tuple[Image, ...] = ()
    is_error: bool = False


@dataclass(frozen=True)
class Skill:
    """A tool and what answers it. `run` is called on the main thread."""

    tool: Tool
    run: Callable[[Mapping[str, Any]], Answer]


@dataclass
class Desk:
    """What a judge works with: the app under its hands, the app's files, and the record.

    Attributes:
        judging: The app and its limits.
        untrusted: Fences what came from the app.
        records: What was shown, for citations.
        hands: The app in the browser, or None for a judge that must not use it.
        workbench: Where scripts run, or None likewise.
        max_actions: The most actions in the browser.
        sees: Whether screenshots may be shown.
        patience: Ends waits and loops, or None to let them go on.
        output: All that the last script printed.
        pending: Steps that are not in the trajectory yet.
    """

    judging: Judging
    untrusted: Untrusted
    records: Records
    hands: Hands | None = None
    session: Session | None = None
    workbench: Workbench | None = None
    max_actions: int = 400
    sees: bool = False
    patience: Patience | None = None
    output: str = ""
    pending: list[Step] = field(default_factory=list)
    _seen: int = 0

    @property
    def actions(self) -> int:
        """How many actions were done so far."""
        steps = self.hands.steps if self.hands else []
        return sum(map(self.is_action, steps))

    @staticmethod
    def is_action(step: Step) -> bool:
        """Whether a step did something to the app."""
        return step.action not in LOOKS

    def take_steps(self) -> list[Step]:
        """The steps since the last time, now on record."""
        if self.hands is None:
            return []
        fresh, self._seen = self.hands.steps[self._seen :], len(self.hands.steps)
        for step in fresh:
            text = f"{step.action} {step.target}: {step.changed}"
            is_action = step.action not in LOOKS
            self.records.add("step", str(step.number), text, is_action=is_action)
        self.pending += fresh
        return fresh

    def catch_up(self) -> None:
        """Take the picture that the last step may still be without."""
        if self.hands is not None:
            self.hands.catch_up()

    def call(self, name: str, *arguments: Any) -> tuple[Any, list[Step]]:
        """Do one thing with the app and record it.

        Raises:
            HandsError: It cannot be done; the message is for the judge.
        """
        assert self.hands is not None
        if name not in LOOKS and self.actions >= self.max_actions:
            raise HandsError(f"all {self.max_actions} actions are used: conclude from what you saw")
        self._be_patient(name, arguments)
        try:
            value = self.hands.call(name, arguments)
        except PageLost as error:
            assert self.session is not None
            require_browser(self.session)
            raise HandsError(f"the page is lost for good: {error}; conclude from that") from error
        finally:
            steps = self.take_steps()
            if self.patience is not None:
                for step in steps:
                    self.patience.saw(step, arguments, is_action=self.is_action(step))
        return value, steps

    def _be_patient(self, name: str, arguments: Sequence[Any]) -> None:
        ended = self.patience.ends(name, arguments) if self.patience is not None else None
        if ended is None:
            return
        if ended.is_new:
            assert self.hands is not None
            self.hands.call("note", (f"{ended.claim}: {name}", ended.why))
            self.take_steps()
        raise HandsError(ended.why)

    def in_other_windows(self, show: Callable[[int, int], T]) -> tuple[list[T], str]:
        """Show the app in the judging's windows after the first, and come back to that.

        Args:
            show: Takes the size of the window that the app is in now, in CSS pixels.

        Returns:
            What `show` returned for each, and why others could not be shown, as the model is sent
            it; empty if all were.
        """
        shown: list[T] = []
        first, *others = self.judging.viewports
        size = first
        try:
            for size in others:
                self.call("viewport", *size, {"compare": False})
                shown.append(show(*size))
            if others:
                size = first
                self.call("viewport", *size, {"compare": False})
        except HandsError as error:
            told = self.untrusted.fence("page", str(error))
            return shown, f"In a window of {size[0]} x {size[1]} it cannot be used:\n{told}"
        return shown, ""

    def look(self, where: str = "", most: int = MOST_SHOWN) -> str:
        """Look at the page, as a step on record, and tell it as the model is sent it.

        Args:
            where: What to say of the step besides its number.
            most: How many characters to show.
        """
        value, steps = self.call("look")
        shown = self.shown("page", str(value), steps[-1], most=most)
        return f"Step {steps[-1].number}{where and f', {where}'}:\n{shown}"

    def shown(
        self,
        source: str,
        text: str,
        step: Step | None = None,
        *,
        start: int = 0,
        most: int = MOST_SHOWN,
    ) -> str:
        """A text of the app as the model is sent it, put on record under its step.

        Args:
            source: Where the text came from, in the words of `Untrusted.fence`.
            text: The text.
            step: The step that brought it to light, if one did.
            start: Where to begin.
            most: How many characters to show.
        """
        fenced = self.untrusted.fence(source, text, part=(start, start + most))
        if step is not None:
            self.records.add("step", str(step.number), body_of(fenced))
        left = len(text) - start - most
        return f"{fenced}\n({left} more characters were left out)" if left > 0 else fenced

    def listed(self, steps: Iterable[Step], most: int = 400) -> str:
        """Steps as the model is sent them, a line each, put on record as they are shown.

        Args:
            steps: The steps.
            most: How many characters to show of each.
        """
        lines: list[str] = []
        left_out = ""
        for step in steps:
            if sum(map(len, lines)) > MOST_SHOWN:
                left_out = f"\n(the steps from {step.number} on were left out)"
                break
            # On one line, so that no text of the app can pass for another step.
            text = " ".join(f"{step.action} {step.target}: {step.changed}".split())
            shown = body_of(self.untrusted.fence("page", text, part=(0, most)))
            self.records.add("step", str(step.number), shown)
            lines.append(f"#{step.number} {shown}")
        return self.untrusted.fence("page", "\n".join(lines)) + left_out


def body_of(fenced: str) -> str:
    """What stands between the lines of a fence: the text as the model saw it and may quote it.

    Args:
        fenced: What `Untrusted.fence` gave.
    """
    return "\n".join(fenced.split("\n")[1:-1])


def source_text(path: Path) -> str:
    """A file of an app as text; what is no text is said to be none.

    Args:
        path: The file.
    """
    content = path.read_bytes()
    if b"\0" in content[:4096]:
        return f"(binary, {len(content):,} bytes)"
    return content.decode("utf-8", errors="replace")
