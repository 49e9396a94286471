"""Bounds every call on an app's page, and regains control when the page does not answer.

The one place that touches Playwright's private event loop: while the main thread waits inside a
Playwright call, only a coroutine on that loop can still speak to the browser.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import PageUnresponsive

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page


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


class Watchdog:
    """One thread that waits for deadlines; one serves all pages of a process.

    Args:
        last_resort: Ends the browser, for when ending the page's renderer did not help.
    """

    def __init__(self, last_resort: Callable[[], None] | None = None) -> None:
        self._last = [Rung("its browser was ended", last_resort, 0.0)] if last_resort else []
        self._changed = threading.Condition()
        self._armed: list[_Bound] = []
        self._stopped = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def bounded(self, seconds: float, rungs: Sequence[Rung] = ()) -> Iterator[None]:
        """Climbs the rungs, one after the other, while the block takes too long.

        Args:
            seconds: How long the block may take.
            rungs: Ways to regain control, mildest first. The last resort follows them.

        Raises:
            PageUnresponsive: The block took longer, whether or not it ended with an error.
        """
        bound = _Bound(time.monotonic() + seconds, [*rungs, *self._last])
        self._arm(bound)
        try:
            yield
        except Exception as error:
            if bound.done:
                raise PageUnresponsive(bound.message(seconds)) from error
            raise
        finally:
            with self._changed:
                self._armed.remove(bound)
        if bound.done:
            raise PageUnresponsive(bound.message(seconds))

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
            self._armed.append(bound)
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                for bound in self._armed:
                    if bound.rungs and bound.deadline <= now:
                        rung = bound.rungs.pop(0)
                        bound.done, bound.deadline = rung.done, now + rung.patience
                        with suppress(Exception):  # a rung that fails leaves the next one
                            rung.act()
                waiting = [bound.deadline for bound in self._armed if bound.rungs]
                self._changed.wait(max(0.0, min(waiting) - time.monotonic()) if waiting else None)


class _Bound:
    def __init__(self, deadline: float, rungs: list[Rung]) -> None:
        self.deadline, self.rungs, self.done = deadline, rungs, ""

    def message(self, seconds: float) -> str:
        return f"the page did not answer within {seconds:g} s; {self.done}"


def chromium_rungs(cdp: CDPSession) -> list[Rung]:
    """How to regain control of a page of Chromium.

    The first ends the running script and leaves the page alive. The second is carried out by the
    browser's own process, so it works whatever the page's renderer is busy with.

    Args:
        cdp: The protocol session of the page.
    """
    return [
        Rung("its script was ended", lambda: _send(cdp, "Runtime.terminateExecution"), 1.0),
        Rung("its renderer was ended", lambda: _send(cdp, "Page.crash"), 4.0),
    ]


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


def _send(cdp: CDPSession, method: str) -> None:
    inner: Any = cdp._impl_obj
    # Newer versions of Playwright have a third parameter, the time-out.
    rest = [None] * (len(inspect.signature(inner.send).parameters) - 1)
    _schedule(inner._loop, lambda: inner.send(method, *rest))


def _schedule(loop: asyncio.AbstractEventLoop, call: Callable[[], Awaitable[Any]]) -> None:
    async def forgiving() -> None:
        with suppress(Exception):
            await call()

    # A renderer that is being ended never answers, so nobody waits for the result.
    asyncio.run_coroutine_threadsafe(forgiving(), loop)
