"""Waits for what runs elsewhere while the browser goes on being served.

Sync Playwright serves its pages (dialogs, routes, events) only while the main thread is inside one
of its calls. So whoever waits for a model does it in here, on Playwright's own loop, and wakes as
soon as there is an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Wait = Callable[[Sequence[Future[Any]]], None]


def serving(thing: Page | Browser) -> Wait:
    """A way to wait that serves all pages of the thread meanwhile.

    Args:
        thing: Anything of this thread's Playwright; it may be dead or closed.

    Returns:
        Waits until one of several futures is done.
    """
    private: Any = thing

    def until_one_is_done(futures: Sequence[Future[Any]]) -> None:
        loop = private._loop

        async def first() -> None:
            ours = [asyncio.wrap_future(future, loop=loop) for future in futures]
            await asyncio.wait(ours, return_when=asyncio.FIRST_COMPLETED)
            for one in ours:
                # whoever asked for the result gets the exception; this copy of it is nobody's
                if one.done() and not one.cancelled():
                    one.exception()

        private._sync(first())

    return until_one_is_done


def idle(futures: Sequence[Future[Any]]) -> None:
    """Wait where there is no browser to serve."""
    wait(futures, return_when=FIRST_COMPLETED)
