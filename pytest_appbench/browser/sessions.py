"""Opens sessions for one judging: each a fresh, guarded context, the first one a page given.

It ties context, guard, page and watchdog together and closes what it opened. Where contexts come
from (pytest-playwright, or a browser of our own) is the caller's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from pytest_appbench.browser.guard import Guard
from pytest_appbench.browser.routing import Confinement
from pytest_appbench.browser.session import Session
from pytest_appbench.browser.watchdog import Watchdog
from pytest_appbench.browser.workbench import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

GuardedContext = Callable[[], tuple["BrowserContext", Guard]]


class ContextSessions:
    """The sessions of one judging.

    Args:
        new_context: Makes a context and protects it.
        watchdog: Bounds the calls on the pages.
        seed: Seeds the pages' random numbers.
        viewport: Width and height in CSS pixels, or None to leave the context's own.
        own: A page that nobody has navigated yet, and its guard, to be used first and left open.
    """

    def __init__(
        self,
        new_context: GuardedContext,
        watchdog: Watchdog,
        *,
        seed: int = 0,
        viewport: tuple[int, int] | None = None,
        own: tuple[Page, Guard] | None = None,
    ) -> None:
        self._new_context, self._watchdog = new_context, watchdog
        self._seed, self._viewport, self._own = seed, viewport, own
        self._browser = own[0].context.browser if own else None
        self._confinement = own[1].confinement if own else Confinement()
        self._is_spent = watchdog.from_now()
        self._guards: dict[Session, Guard] = {}

    @contextmanager
    def open(
        self,
        *,
        clock: bool = False,
        viewport: tuple[int, int] | None = None,
        beside: Session | None = None,
        person: int = 0,
    ) -> Iterator[Session]:
        """Open an empty page of a context of its own, or of another session's.

        Args:
            clock: Whether the page's time stands still until it is run forward.
            viewport: Width and height in CSS pixels; None for the judging's first.
            beside: An open session of this judging. The page becomes a second tab of its window,
                with the same storage and channels; None for a context that shares nothing.
            person: Counts the sessions that meet each other, from 0. Each has random numbers of its
                own, else two players would draw the same name for themselves.

        Yields:
            The session; it is closed afterwards, with its context unless that was given or is
            another session's.
        """
        from playwright.sync_api import Error

        size = viewport or self._viewport
        if beside is not None:
            page = beside.page.context.new_page()
            try:
                with self._attached(page, self._guards[beside], clock, size, person) as session:
                    yield session
            finally:
                with suppress(Error):
                    page.close()
            return
        if self._own and viewport is None:
            (page, guard), self._own = self._own, None
            with self._attached(page, guard, clock, size, person) as session:
                yield session
            return
        context, guard = self._fresh_context()
        try:
            with self._attached(context.new_page(), guard, clock, size, person) as session:
                yield session
        finally:
            context.close()

    @contextmanager
    def open_blank(self) -> Iterator[Workbench]:
        """A place for scripts: a page with nothing of the app in it, and no network.

        Its context is not one of the caller's, whose traces, videos and screenshots show the app.

        Yields:
            The workbench; it is closed afterwards.
        """
        bench = Workbench(self._current_browser, self._watchdog, lambda: self._confinement)
        try:
            yield bench
        finally:
            bench.close()

    def _fresh_context(self) -> tuple[BrowserContext, Guard]:
        context, guard = self._new_context()
        self._browser, self._confinement = context.browser, guard.confinement
        self._is_spent = self._watchdog.from_now()
        return context, guard

    def _current_browser(self) -> Browser:
        if self._browser is None or self._is_spent():
            context, _ = self._fresh_context()
            context.close()
        assert self._browser is not None, "a context was made without a browser"
        return self._browser

    @contextmanager
    def _attached(
        self, page: Page, guard: Guard, clock: bool, size: tuple[int, int] | None, person: int
    ) -> Iterator[Session]:
        if size and page.viewport_size != {"width": size[0], "height": size[1]}:
            page.set_viewport_size({"width": size[0], "height": size[1]})
        seed = (self._seed + person) % 2**32
        session = Session.attach(page, guard, self._watchdog, clock=clock, seed=seed)
        self._guards[session] = guard
        try:
            yield session
        finally:
            del self._guards[session]
            session.close()
