"""Bounds every call on an app's page, and regains control of a page that does not answer.

The one place that touches Playwright's private event loop: while the main thread waits inside a
Playwright call, only a coroutine on that loop can still speak to the browser. A rung of the ladder is
a protocol command: first end the running script, then end the page's renderer.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import PageUnresponsive

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession


class Watchdog:
    """One thread that waits for deadlines; shared by all sessions of a browser."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._armed: list[_Bound] = []
        self._stopped = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def bounded(self, seconds: float, rungs: Rungs) -> Iterator[None]:
        """Runs the ladder when the block takes too long.

        Args:
            seconds: How long the block may take.
            rungs: How to regain control, mildest first.

        Raises:
            PageUnresponsive: The block took longer; it replaces whatever error the cut-off call raised.
        """
        bound = _Bound(time.monotonic() + seconds, list(rungs))
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="appbench-watchdog", daemon=True
                )
                self._thread.start()
            self._armed.append(bound)
            self._changed.notify()
        try:
            yield
        except Exception as error:
            if bound.expired:
                raise PageUnresponsive(f"the page did not answer within {seconds:g} s") from error
            raise
        finally:
            with self._changed:
                self._armed.remove(bound)
        if bound.expired:
            raise PageUnresponsive(f"the page did not answer within {seconds:g} s")

    def stop(self) -> None:
        """Ends the thread. Blocks that are still open are no longer bounded."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._stopped:
                due = [bound for bound in self._armed if bound.rungs]
                now = time.monotonic()
                for bound in due:
                    if bound.deadline <= now:
                        bound.expired = True
                        grace, act = bound.rungs.pop(0)
                        bound.deadline = now + grace
                        act()
                due = [bound for bound in self._armed if bound.rungs]
                next_deadline = min((bound.deadline for bound in due), default=None)
                self._changed.wait(
                    None if next_deadline is None else max(0.0, next_deadline - time.monotonic())
                )


Rungs = list[tuple[float, Callable[[], None]]]
"""Pairs of seconds to wait after the rung, and the rung."""


class _Bound:
    def __init__(self, deadline: float, rungs: Rungs) -> None:
        self.deadline, self.rungs, self.expired = deadline, rungs, False


def send_from_any_thread(cdp: CDPSession, method: str) -> None:
    """Sends a protocol command while another thread waits inside a Playwright call.

    The answer is not waited for: a renderer that is being ended never gives one.

    Args:
        cdp: The protocol session of the page.
        method: A command without parameters, such as `Page.crash`.
    """
    inner: Any = cdp._impl_obj
    arguments: list[Any] = [method]
    for name in list(inspect.signature(inner.send).parameters)[1:]:
        arguments.append({} if name == "params" else None)

    async def send() -> None:
        try:
            await inner.send(*arguments)
        except Exception:
            return

    asyncio.run_coroutine_threadsafe(send(), inner._loop)
