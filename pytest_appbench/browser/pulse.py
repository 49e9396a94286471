"""Feels whether a page still takes up work while a call on it is under way.

A long call may be a page that is busy with much, piece by piece, or one that is caught in a single
task for ever. Only the second leaves a small question unanswered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

QUIET = 1.0
"""How long a call runs before the page is asked, and how long between questions, in seconds."""
STALLED = 5.0
"""How long a question may stay unanswered, in seconds."""
BUSY = 3.0
"""How much processor time the page must have had meanwhile: on a machine with much to do it takes
longer to get that. One that waits for something else is given three times as long."""
_GRACE = 0.2


class Pulse:
    """The pulse of one page. All but the questions themselves runs on the watchdog's thread.

    Args:
        loop: The event loop on which the page's answers arrive.
        ask: Asks the page for next to nothing; answered when its main thread is free.
        spent: How much processor time the page has had so far, in seconds.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        ask: Callable[[], Awaitable[Any]],
        spent: Callable[[], float],
    ) -> None:
        self._loop, self._ask, self._spent = loop, ask, spent
        self._beat: _Beat | None = None

    def reset(self) -> None:
        """Begin anew; an answer that is still out does not count."""
        self._beat = None

    def has_stopped(self, now: float) -> bool:
        """Whether the page has left a question unanswered for too long.

        Args:
            now: `time.monotonic()`; to be asked several times a second.
        """
        beat = self._beat
        if beat is None or beat.answered:
            self._beat = _Beat(now)
        elif not beat.is_asked:
            if now - beat.begun >= QUIET:
                beat.is_asked, beat.spent = True, self._spent()
                self._start(self._put(beat))
        elif beat.asked is not None and self._is_long(beat, now - beat.asked):
            # Answers arrive only while the loop runs: it must have had its turn since.
            if not beat.is_checked:
                beat.is_checked = True
                self._start(self._listen(beat))
            return beat.heard_nothing
        return False

    def _is_long(self, beat: _Beat, waited: float) -> bool:
        if waited < STALLED:
            return False
        return waited >= 3 * STALLED or self._spent() - beat.spent >= BUSY

    async def _put(self, beat: _Beat) -> None:
        beat.asked = time.monotonic()
        with suppress(Exception):  # a page that is gone has answered, too
            await self._ask()
        beat.answered = True

    async def _listen(self, beat: _Beat) -> None:
        await asyncio.sleep(_GRACE)
        beat.heard_nothing = not beat.answered

    def _start(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop)


class _Beat:
    def __init__(self, begun: float) -> None:
        self.begun = begun
        self.asked: float | None = None
        self.spent = 0.0
        self.is_asked = self.is_checked = self.answered = self.heard_nothing = False
