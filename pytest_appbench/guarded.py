"""The fixtures that replace pytest-playwright's own, for task items only.

They are put into the synthetic module of each task file. This module must not be registered as a
plugin: an app under test gets the guarded browser, every other test keeps the browser it had.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_appbench.fixtures import SETTINGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

    from pytest_appbench.browser.guard import Guard
    from pytest_appbench.browser.launch import BrowserKeeper
    from pytest_appbench.browser.watchdog import Watchdog


@pytest.fixture(name="browser")
def guarded_browser(appbench_browser: BrowserKeeper) -> Browser:
    """The guarded browser; function-scoped, so that a dead one is replaced."""
    return appbench_browser.get()


@pytest.fixture(name="browser_context_args")
def guarded_context_args(
    request: pytest.FixtureRequest,
    browser_context_args: dict[str, Any],
    browser_name: str,
    appbench_browser: BrowserKeeper,
) -> dict[str, Any]:
    """The user's context arguments, over our viewport and under the guard's conditions."""
    from pytest_appbench.browser.guard import CONTEXT_OPTIONS, SURROUNDINGS

    width, height = request.config.stash[SETTINGS].viewport[0]
    default = {"viewport": {"width": width, "height": height}}
    own = {**CONTEXT_OPTIONS, **appbench_browser.confinement.context_options(browser_name)}
    return {**SURROUNDINGS, **default, **browser_context_args, **own}


@pytest.fixture(name="new_context")
def guarded_new_context(
    request: pytest.FixtureRequest,
    browser: Browser,
    browser_context_args: dict[str, Any],
    new_context: Callable[..., BrowserContext],
    appbench_browser: BrowserKeeper,
    _appbench_guards: dict[BrowserContext, Guard],
    _appbench_watchdog: Watchdog,
) -> Callable[..., BrowserContext]:
    """pytest-playwright's contexts (with their traces and videos), each of them protected.

    Where an app could only be stopped by ending the browser, its judging goes on in a new one, of
    which there are no traces and videos.
    """
    from pytest_appbench.browser.guard import protect

    is_spent = _appbench_watchdog.from_now()
    given = context_arguments(request.node, browser_context_args)

    def make(**arguments: Any) -> BrowserContext:
        if is_spent():
            context = appbench_browser.get().new_context(**given, **arguments)
        else:
            context = new_context(**arguments)
        context.close = _Closing(context, context.close)  # type: ignore[method-assign]
        _appbench_guards[context] = protect(context, appbench_browser.confinement)
        return context

    return make


def context_arguments(item: pytest.Item, fixture: dict[str, Any]) -> dict[str, Any]:
    """What the contexts of an item are created with, its mark included.

    Args:
        item: The item.
        fixture: The value of `browser_context_args`.
    """
    mark = item.get_closest_marker("browser_context_args")
    return {**fixture, **(mark.kwargs if mark else {})}


def surroundings(browser_name: str, arguments: dict[str, Any]) -> str:
    """What tells apart the browsers and contexts in which an app may be judged differently.

    Args:
        browser_name: Playwright's name of the browser.
        arguments: From `context_arguments`.

    Returns:
        A digest, since arguments may hold passwords, and values that are no JSON.
    """
    # Where a video goes is another temporary folder each time, and shows the app nothing.
    seen = {name: arg for name, arg in arguments.items() if not name.startswith("record_")}
    return hashlib.sha256(repr((browser_name, sorted(seen.items()))).encode()).hexdigest()[:16]


class _Closing:
    """Closes a context once, whoever does so first; a check may.

    Its trace, which is written then, needs a browser that has not died.
    """

    def __init__(self, context: BrowserContext, close: Callable[..., None]) -> None:
        self._context, self._close, self._is_closed = context, close, False

    def __call__(self, *arguments: Any, **options: Any) -> None:
        from playwright.sync_api import Error

        from pytest_appbench.browser.launch import is_alive

        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._close(*arguments, **options)
        except Error:
            browser = self._context.browser
            if browser is None or is_alive(browser):
                raise
