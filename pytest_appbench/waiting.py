"""Waits for the answer of a user's own callable, which may be plain or async.

Async code runs on an event loop in a thread of its own, because sync Playwright keeps the main
thread's loop busy; meanwhile the main thread serves the page, whose dialogs and routes would
otherwise stand still.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

PUMP_MS = 20


def finished(value: Any, page: Page) -> Any:
    """The value itself, or what it comes to when it is awaited.

    Args:
        value: Any value, perhaps awaitable.
        page: A page of this thread, served while waiting.

    Returns:
        The final value; an exception of the awaited code is raised.
    """
    if not inspect.isawaitable(value):
        return value
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        future = portal.start_task_soon(_awaited, value)
        while not future.done():
            page.wait_for_timeout(PUMP_MS)
        return future.result()


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value
