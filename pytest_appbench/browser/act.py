"""Real input by coordinates, each action recorded as a step.

Input goes through the browser's own pipeline (hit testing, focus, default actions), so an app
cannot tell it from a person's. Coordinates are CSS pixels of the viewport. What an action changed
is for others to find out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_appbench.browser.capture import Frame
    from pytest_appbench.browser.session import Session

ACTION_SECONDS = 5.0
"""How long one action may take before the page counts as unresponsive."""
DRAG_MOVES = 12
"""In how many moves the pointer goes from one end of a drag to the other."""


@dataclass
class Step:
    """One action on a page.

    Attributes:
        number: Counted from 1 within its session.
        action: open, click, double_click, hover, type_text, press, drag or wheel.
        target: Where or what: `(120, 48)`, the text, the key, the address.
        changed: What changed, filled in by whoever looks afterwards.
        seconds: How long the action took.
        at: Page time at its end, in ms since the session began, where pictures are taken.
        picture: What the window showed at its end: the name of a file within the evidence.
        frames: What moved meanwhile.
        sounds: What sounded meanwhile, as JSON.
        surprise: What nobody could foresee from the page: an uncaught exception, a dialog, or
            another document; the first of them in words.
    """

    number: int
    action: str
    target: str
    changed: str = ""
    seconds: float = 0.0
    at: float | None = None
    picture: str = ""
    frames: tuple[Frame, ...] = ()
    sounds: tuple[dict[str, Any], ...] = ()
    surprise: str = ""

    def as_json(self) -> dict[str, Any]:
        """The step for a record, without what there is nothing of."""
        extras = ("at", "picture", "frames", "sounds", "surprise")
        return {k: v for k, v in asdict(self).items() if k not in extras or v not in (None, "", ())}


class Actions:
    """The hands of a session.

    Args:
        session: Whose page is used.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.steps: list[Step] = []

    @contextmanager
    def step(self, action: str, target: str, seconds: float = ACTION_SECONDS) -> Iterator[Step]:
        """Bounds and records one action.

        Args:
            action: Its name.
            target: What it is done to.
            seconds: How long it may take.
        """
        step = Step(len(self.steps) + 1, action, target)
        started = time.monotonic()
        with self._session.bounded(seconds):
            self.steps.append(step)
            try:
                yield step
            finally:
                step.seconds = round(time.monotonic() - started, 3)

    def click(self, x: float, y: float) -> Step:
        """Clicks at a point."""
        with self.step("click", _point(x, y)) as step:
            self._session.page.mouse.click(x, y)
        return step

    def double_click(self, x: float, y: float) -> Step:
        """Clicks twice at a point."""
        with self.step("double_click", _point(x, y)) as step:
            self._session.page.mouse.dblclick(x, y)
        return step

    def hover(self, x: float, y: float) -> Step:
        """Moves the pointer to a point."""
        with self.step("hover", _point(x, y)) as step:
            self._session.page.mouse.move(x, y)
        return step

    def type_text(self, text: str) -> Step:
        """Types text into what has the focus, key by key."""
        with self.step("type_text", text, ACTION_SECONDS + len(text) / 50) as step:
            self._session.page.keyboard.type(text)
        return step

    def press(self, key: str) -> Step:
        """Presses a key or chord."""
        with self.step("press", key) as step:
            self._session.page.keyboard.press(key)
        return step

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> Step:
        """Presses at one point, moves to the other in small moves, and lets go."""
        with self.step("drag", f"{_point(*start)} to {_point(*end)}") as step:
            mouse = self._session.page.mouse
            mouse.move(*start)
            mouse.down()
            mouse.move(*end, steps=DRAG_MOVES)
            mouse.up()
        return step

    def wheel(self, dx: float, dy: float) -> Step:
        """Turns the wheel where the pointer is."""
        with self.step("wheel", _point(dx, dy)) as step:
            self._session.page.mouse.wheel(dx, dy)
        return step


def _point(x: float, y: float) -> str:
    return f"({x:g}, {y:g})"
