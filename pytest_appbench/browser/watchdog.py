"""Bounds every call on an app's page, and regains control when the page does not answer.

It works on Playwright's private event loop: while the main thread waits inside a Playwright call,
only a coroutine on that loop can still speak to the browser.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.devtools import rest_of
from pytest_appbench.browser.errors import PageOverloaded, PageUnresponsive
from pytest_appbench.browser.pulse import STALLED, Pulse
from pytest_appbench.browser.renderers import MOST_BYTES, Renderer, Renderers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

TICK = 0.2
"""How often a page is looked after while a call on it is under way, in seconds."""
_MB = 1 << 20
_LAST_WORDS = 3.0
# That a script was ended takes milliseconds to be known, and on a crowded machine much longer.
_NEWS = 4.0


@dataclass(frozen=True)
class Rung:
    """One way to regain control.

    Attributes:
        done: What was done, for the error message.
        act: Does it, from the watchdog's thread, without waiting.
        patience: Seconds until the next rung, if the block has not ended by then.
    """

    done: str
    act: Callable[[], None]
    patience: float


@dataclass
class Vitals:
    """What is looked after on one page while a call on it is under way.

    Attributes:
        pulse: Tells whether the page takes up work, or None where nobody can ask.
        renderer: The page's process, or None where it is not known.
        most_bytes: How much memory that process may hold.
        crash: Ends the page where its process is not known.
        overload: Of what the page took too much, so that its process was ended; in words.
        kind: The same in one word: memory, or what there was a flood of.
    """

    pulse: Pulse | None = None
    renderer: Renderer | None = None
    most_bytes: int = MOST_BYTES
    crash: Callable[[], None] | None = None
    overload: str = ""
    kind: str = ""

    def end(self, kind: str, text: str) -> None:
        """End the page's process because it takes too much.

        Args:
            kind: Of what, in one word.
            text: The same as a sentence.
        """
        if not self.overload:
            self.kind, self.overload = kind, text
        if self.renderer is not None:
            self.renderer.end()
        elif self.crash is not None:
            self.crash()

    def weigh(self) -> bool:
        """End the page's process if it holds too much memory, and say whether it was ended."""
        held = self.renderer.held() if self.renderer is not None else 0
        if held > self.most_bytes:
            text = (
                f"the page took {held // _MB:,} MB of memory, "
                f"more than the {self.most_bytes // _MB:,} MB that a page may take"
            )
            self.end("memory", text)
        return held > self.most_bytes


class Watchdog:
    """One thread that waits for deadlines; one serves all pages of a process.

    Args:
        last_resort: Ends the browser, for when ending the page's renderer did not help.
        blames: Whether it takes an app to come to that. A remote browser may just as well be out
            of reach.

    Attributes:
        renderers: Tells which process draws a page.
    """

    def __init__(
        self, last_resort: Callable[[], None] | None = None, *, blames: bool = True
    ) -> None:
        self._last_resort, self._blames = last_resort, blames
        self._last = [Rung("its browser was ended", self._resort, 0.0)] if last_resort else []
        self._browsers_ended = 0
        self._changed = threading.Condition()
        self._armed: list[_Bound] = []
        self.renderers = Renderers()
        self._looked_after = 0.0
        self._stopped = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def bounded(
        self, seconds: float, rungs: Sequence[Rung] = (), vitals: Vitals | None = None
    ) -> Iterator[None]:
        """Climbs the rungs, one after the other, while the block takes too long.

        Args:
            seconds: How long the block may take.
            rungs: Ways to regain control, mildest first. The last resort follows them.
            vitals: What is looked after meanwhile. A page that is caught in one task loses its
                time at once, one that holds too much memory its process.

        Raises:
            PageUnresponsive: The block took longer, whether or not it ended with an error.
            PageOverloaded: The page took too much meanwhile.
        """
        bound = _Bound(seconds, [*rungs, *self._last], vitals)
        self._arm(bound)
        try:
            yield
        except Exception as error:
            if lost := bound.lost():
                raise lost from error
            raise
        finally:
            with self._changed:
                self._armed.remove(bound)
        if lost := bound.lost():
            raise lost

    def from_now(self) -> Callable[[], bool]:
        """Begin to notice whether it comes to the last resort by an app's doing.

        Returns:
            Tells whether a browser was ended since this call.
        """
        before = self._browsers_ended
        return lambda: self._browsers_ended > before

    def _resort(self) -> None:
        self._browsers_ended += self._blames
        if self._last_resort is not None:
            self._last_resort()

    def stop(self) -> None:
        """Ends the thread; blocks that are still open are no longer bounded."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _arm(self, bound: _Bound) -> None:
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="appbench-watchdog", daemon=True
                )
                self._thread.start()
            vitals = bound.vitals
            if vitals and vitals.pulse and all(vitals is not one.vitals for one in self._armed):
                vitals.pulse.reset()
            self._armed.append(bound)
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                if now - self._looked_after >= TICK:
                    self._looked_after = now
                    self._look_after(now)
                for bound in self._armed:
                    if bound.rungs and bound.deadline <= now:
                        rung = bound.rungs.pop(0)
                        bound.done, bound.deadline = rung.done, now + rung.patience
                        with suppress(Exception):  # a rung that fails leaves the next one
                            rung.act()
                waiting = [bound.deadline for bound in self._armed if bound.rungs]
                if any(bound.vitals for bound in self._armed):
                    waiting.append(self._looked_after + TICK)
                self._changed.wait(max(0.0, min(waiting) - time.monotonic()) if waiting else None)

    def _look_after(self, now: float) -> None:
        """See to each page on which a call is under way; of nested calls the innermost is cut."""
        seen: list[Vitals] = []
        for bound in reversed(self._armed):
            vitals = bound.vitals
            if vitals is None or any(vitals is one for one in seen):
                continue
            seen.append(vitals)
            if vitals.weigh():
                bound.deadline = min(bound.deadline, now + _LAST_WORDS)
            elif not bound.done and vitals.pulse and vitals.pulse.has_stopped(now):
                bound.deadline, bound.seconds = now, min(bound.seconds, STALLED)


class _Bound:
    def __init__(self, seconds: float, rungs: list[Rung], vitals: Vitals | None) -> None:
        self.deadline, self.seconds = time.monotonic() + seconds, seconds
        self.rungs, self.vitals, self.done = rungs, vitals, ""

    def lost(self) -> Exception | None:
        """Why the page was lost meanwhile, or None."""
        if self.vitals and self.vitals.overload:
            return PageOverloaded(self.vitals.kind, self.vitals.overload)
        if self.done:
            text = f"the page did not answer within {self.seconds:g} s; {self.done}"
            return PageUnresponsive(text)
        return None


def chromium_rungs(cdp: CDPSession, renderer: Renderer | None = None) -> list[Rung]:
    """How to regain control of a page of Chromium.

    The first ends the running script and leaves the page alive. The second ends the process, by
    its id where that is known: that works even where the browser is too busy to listen. Else the
    browser's own process does it, whatever the page's renderer is busy with.

    Args:
        cdp: The protocol session of the page.
        renderer: The page's process.
    """
    end = renderer.end if renderer is not None else lambda: end_renderer(cdp)
    return [
        Rung("its script was ended", lambda: _send(cdp, "Runtime.terminateExecution"), _NEWS),
        Rung("its renderer was ended", end, 8.0),
    ]


def chromium_vitals(cdp: CDPSession, renderer: Renderer | None) -> Vitals:
    """What can be looked after on a page of Chromium.

    Args:
        cdp: The protocol session of the page.
        renderer: The page's process.
    """
    inner: Any = cdp._impl_obj
    question = [{"expression": "0"}, *rest_of(inner)[1:]]
    if renderer is None:
        return Vitals(crash=lambda: end_renderer(cdp))
    ask = partial(inner.send, "Runtime.evaluate", *question)
    return Vitals(Pulse(inner._loop, ask, renderer.spent), renderer)


def other_rungs(page: Page) -> list[Rung]:
    """How to regain control of a page of another browser.

    Args:
        page: The page.
    """
    inner: Any = page._impl_obj

    def close() -> None:
        _schedule(inner._loop, lambda: inner.close())

    return [Rung("it was closed", close, 4.0)]


def end_renderer(cdp: CDPSession) -> None:
    """Ends the renderer of a page, without waiting for it.

    Args:
        cdp: The protocol session of the page.
    """
    _send(cdp, "Page.crash")


def disconnect(browser: Browser) -> None:
    """Lets go of a remote browser, without waiting for it.

    Args:
        browser: The browser, as its connection gave it.
    """
    inner: Any = browser._impl_obj
    _schedule(inner._loop, lambda: inner.close(None))


def _send(cdp: CDPSession, method: str) -> None:
    inner: Any = cdp._impl_obj
    _schedule(inner._loop, lambda: inner.send(method, *rest_of(inner)))


def _schedule(loop: asyncio.AbstractEventLoop, call: Callable[[], Awaitable[Any]]) -> None:
    async def forgiving() -> None:
        with suppress(Exception):
            await call()

    # A renderer that is being ended never answers, so nobody waits for the result.
    asyncio.run_coroutine_threadsafe(forgiving(), loop)
