"""A guarded browser, a server and a watchdog of our own, for judging outside pytest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.serve import AppServer
from pytest_appbench.browser.guard import CONTEXT_OPTIONS, SURROUNDINGS, Guard, protect
from pytest_appbench.browser.launch import (
    BrowserKeeper,
    end_guarded_browsers,
    find_chromium,
    guard_arguments,
)
from pytest_appbench.browser.sessions import ContextSessions
from pytest_appbench.browser.watchdog import Watchdog

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from pytest_appbench.artifacts.store import Artifact


@dataclass(frozen=True)
class Equipment:
    """What judging needs of the machine.

    Attributes:
        browser: The guarded browser, started when it is first asked for.
        server: Serves the apps.
        watchdog: Bounds the calls on their pages.
    """

    browser: BrowserKeeper
    server: AppServer
    watchdog: Watchdog

    @contextmanager
    def site(self, artifact: Artifact) -> Iterator[str]:
        """Serve an app for the time of a block.

        Args:
            artifact: The app.

        Yields:
            Its address.
        """
        site = self.server.mount(artifact)
        try:
            yield site.url
        finally:
            self.server.unmount(site)

    def sessions(self, seed: int, viewport: tuple[int, int]) -> ContextSessions:
        """The way to pages, each in a guarded context.

        Args:
            seed: Seeds the pages' random numbers.
            viewport: Width and height in CSS pixels.
        """

        def guarded() -> tuple[BrowserContext, Guard]:
            context = self.browser.get().new_context(**SURROUNDINGS, **CONTEXT_OPTIONS)
            return context, protect(context, self.browser.confinement)

        return ContextSessions(guarded, self.watchdog, seed=seed, viewport=viewport)


@contextmanager
def equipped(*, headed: bool = False) -> Iterator[Equipment]:
    """Start what judging needs, and end it afterwards.

    Args:
        headed: Whether the browser is to be seen.

    Raises:
        BrowserUnavailable: There is no browser; the message says how to get one.
    """
    from playwright.sync_api import sync_playwright

    executable = find_chromium(headed=headed).executable
    with ExitStack() as stack:
        server = AppServer()
        server.start()
        stack.callback(server.stop)
        playwright = stack.enter_context(sync_playwright())
        arguments = guard_arguments(server.port)
        keeper = BrowserKeeper(
            lambda: playwright.chromium.launch(
                executable_path=executable, args=arguments, headless=not headed
            )
        )
        stack.callback(keeper.close)
        watchdog = Watchdog(end_guarded_browsers)
        stack.callback(watchdog.stop)
        yield Equipment(keeper, server, watchdog)
