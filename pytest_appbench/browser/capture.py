"""Pictures of a judge's steps: what the window showed after each, and what moved in between.

Each picture is small and cheap: enough to see what happened, not to measure it. Taking it tells the
page nothing, and page time stands still meanwhile.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import PageLost

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

WIDTH = 640
"""CSS pixels; a wider window is shown smaller."""
QUALITY = 60
"""Of 100, as JPEG counts it."""
FILM_MS = 125.0
"""Page time between two pictures of a film strip, at least."""
MOST_FRAMES = 4
"""In the film strip of one run of page time."""
MOST_PICTURES = 600
"""Of one judging; the steps after that go without."""


@dataclass(frozen=True)
class Frame:
    """One picture.

    Attributes:
        at: When it was taken, in ms of page time since the session began.
        file: Its name within the evidence.
    """

    at: float
    file: str


class Camera:
    """Takes the pictures of one session.

    Args:
        session: The page, in Chromium.
        evidence: The folder of the evidence.
        name: The folder within it that the pictures go to.
    """

    def __init__(self, session: Session, evidence: Path, name: str) -> None:
        self._session, self._evidence, self._name = session, evidence, name
        self._began = time.monotonic()
        self._taken = 0
        self._last: tuple[bytes, str] = (b"", "")
        self._strip: list[tuple[float, bytes]] = []

    @property
    def now(self) -> float:
        """Page time since the session began, in ms; real time where time flows."""
        clock = self._session.clock
        if clock is None:
            return round((time.monotonic() - self._began) * 1000)
        return round(clock.now, 1)

    def parts_of(self, ms: float) -> list[float]:
        """How a run of page time is divided so that it can be filmed.

        Args:
            ms: How long it is.

        Returns:
            The parts, together as long; one part where nothing is about to move.
        """
        clock = self._session.clock
        if clock is None or ms < 2 * FILM_MS or self._is_spent:
            return [ms]
        ahead = clock.ahead()
        if not ahead.moves and (ahead.due is None or ahead.due >= ms):
            return [ms]
        count = min(MOST_FRAMES, int(ms // FILM_MS))
        part = float(ms // count)  # whole, so that they add up to no other time
        return [part] * (count - 1) + [ms - part * (count - 1)]

    def film(self) -> None:
        """Take a picture within a step."""
        if len(self._strip) < 2 * MOST_FRAMES and (picture := self._shot()):
            self._strip.append((self.now, picture))

    def finish(self, step: int, *, is_same: bool = False) -> tuple[str, tuple[Frame, ...]]:
        """Take the picture of the end of a step, and keep what was filmed within it.

        Args:
            step: Its number.
            is_same: Whether the window is known to show what it showed before the step: if that was
                taken, it is not taken again.

        Returns:
            The picture's name, that of an earlier one if nothing looks different, empty if there is
            none; and the film strip, empty if nothing moved.
        """
        strip, self._strip = self._strip, []
        last = self._last[0] if is_same and not strip else b""
        last = last or self._shot()
        if not last:
            return "", ()
        frames: list[Frame] = []
        for at, picture in strip:
            if picture not in (self._last[0], last):
                name = f"{step:04}-{len(frames) + 1}"
                frames.append(Frame(at, self._kept(picture, name)))
        return self._kept(last, f"{step:04}"), tuple(frames)

    @property
    def _is_spent(self) -> bool:
        return self._taken >= MOST_PICTURES

    def _kept(self, picture: bytes, name: str) -> str:
        if picture != self._last[0]:
            path = self._evidence / self._name / f"{name}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture)
            self._taken += 1
            self._last = picture, path.relative_to(self._evidence).as_posix()
        return self._last[1]

    def _shot(self) -> bytes:
        """What the window shows, or nothing if that cannot be had."""
        from playwright.sync_api import Error

        if self._is_spent:
            return b""
        size: Any = self._session.page.viewport_size or {"width": 1280, "height": 720}
        options = {
            "format": "jpeg",
            "quality": QUALITY,
            "optimizeForSpeed": True,
            "clip": {"x": 0, "y": 0, **size, "scale": min(1.0, WIDTH / size["width"])},
        }
        # A page that is lost is for the step to tell, not for its picture.
        with suppress(PageLost, Error):
            return self._session.picture(options, timeout=5.0)
        return b""
