"""Work that blocks, done in a thread for those who wait on the portal."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[Event], T]) -> T:
    """Do blocking work in a thread.

    Args:
        work: Is given an event that is set once nobody waits for it any more; it then has to end.

    Returns:
        What the work returns.

    Raises:
        BaseException: What the work raises.
    """
    import anyio

    over = Event()
    try:
        return await anyio.to_thread.run_sync(work, over, abandon_on_cancel=True)
    finally:
        over.set()
