"""The logical clock of a page: time stands still until a judge runs it forward.

It owns when page time passes and how much of it has. What page time is (timers, animation frames,
Date, performance, CSS animations, workers, what plays) is the business of `page/clock.js` with its
parts, and of `page/clock_driver.js`.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.devtools import Devtools
from pytest_appbench.browser.errors import PageNavigated

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

EPOCH = 1_750_000_000_000
"""What Date says when a page's time begins, in ms since 1970: 15 June 2025, 15:06:40 UTC."""

_LOADING = 1000.0
"""A next document begins at a multiple of this, in ms: loading takes time."""

_PARTS = ("time.js", "workers.js", "media.js", "audio.js", "worker.js", "random.js")
"""What `clock.js` is made of."""


@dataclass(frozen=True)
class Ahead:
    """What the page is about to do.

    Attributes:
        due: Milliseconds until its next timer or animation frame; None if there is none.
        ends: Milliseconds until the last of its animations that end has ended.
        moves: Whether an animation is under way, be it without end.
    """

    due: float | None
    ends: float
    moves: bool = False


class Clock:
    """Owns a page's time. Made by the session; a check gets it as its `clock` argument.

    Timers, animation frames, `Date`, `performance.now` and CSS animations follow this clock, in
    frames of the same site and in their workers too, and so do audio and video elements and audio
    contexts. Shared workers, media streams, network and all else that the browser measures by
    itself do not.

    Args:
        session: The session of the page whose time this is.
        devtools: The same page's protocol.
    """

    def __init__(self, session: Session, devtools: Devtools) -> None:
        self._session = session
        self._passed = self._ahead = 0.0
        self._secret = secrets.token_hex(12)
        devtools.prepare_isolated_script("clock_driver.js", self._secret)
        devtools.prepare("Animation.enable")
        devtools.prepare("Animation.setPlaybackRate", {"playbackRate": 0})
        given = (self._secret, secrets.token_hex(12), session.seed, EPOCH)
        devtools.prepare_script("clock.js", *given, parts=_PARTS)
        self._devtools, self._script = devtools, ""

    @property
    def now(self) -> float:
        """How much page time was run so far, over all documents of the page, in milliseconds."""
        return self._passed

    def run_for(self, ms: float, *, timeout: float = 30.0) -> None:
        """Let page time pass: due timers and frames run in order, animations follow.

        What a callback throws is reported as an uncaught exception and does not stop the clock. If
        the page loads another document meanwhile, the rest of the time is not run.

        Args:
            ms: How much page time passes, in milliseconds.
            timeout: How long that may take in real time, in seconds.

        Raises:
            PageUnresponsive: A callback did not return, or all of them took too long.
        """
        if not ms >= 0:
            raise ValueError(f"time runs forward only: run_for({ms!r})")
        self._run("run", ms, timeout)
        self._pass(ms)

    def settle(self, least: float, most: float, *, timeout: float = 30.0) -> Ahead:
        """Let page time pass until no CSS animation is under way.

        Args:
            least: How much passes at least, in milliseconds.
            most: Animations that end later than this are not waited for, in milliseconds.
            timeout: How long that may take in real time, in seconds.

        Returns:
            What is to come next.

        Raises:
            PageUnresponsive: A callback did not return, or all of them took too long.
        """
        found = self._run("settle", {"least": least, "most": most}, timeout)
        self._pass(found["passed"] if found else least)
        return Ahead(found["due"], found["ends"], found["moves"]) if found else Ahead(None, 0.0)

    def ahead(self) -> Ahead:
        """What the page is about to do; no time passes."""
        found = self._run("pending", None, 10.0)
        return Ahead(found["due"], found["ends"], found["moves"]) if found else Ahead(None, 0.0)

    def _run(self, name: str, argument: Any, timeout: float) -> Any:
        try:
            call = f"(argument) => appbenchClock.{name}(argument)"
            return self._session.evaluate(call, argument, timeout=timeout)
        except PageNavigated:
            with self._session.bounded(timeout):
                self._session.page.wait_for_load_state()
        return None

    def _pass(self, ms: float) -> None:
        self._passed += ms
        if self._passed > self._ahead:
            with self._session.bounded(5.0):
                self._date_next_document()

    def _date_next_document(self) -> None:
        from playwright.sync_api import Error

        old, self._ahead = self._script, (self._passed // _LOADING + 1) * _LOADING
        date = EPOCH + self._ahead
        self._script = self._devtools.add_isolated_script("clock_date.js", date)
        # In the middle of a navigation the browser may not know the old one: the later date wins.
        with suppress(Error):
            if old:
                self._devtools.remove_script(old)
