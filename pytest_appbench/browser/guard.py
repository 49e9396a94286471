"""Protects a browser context before its first page.

What keeps an app inside its site is the browser's own name resolution (see `launch`), or where that
is not ours to set, a look at each request (see `routing`). This module adds what must hold in every
page of the context, popups included: permissions denied, dialogs answered and floods capped in the
page. What one page does is the business of its session.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.routing import Confinement, Routing

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

CONTEXT_OPTIONS: dict[str, Any] = {"accept_downloads": False, "service_workers": "block"}
"""Arguments that every guarded context must be created with."""

SURROUNDINGS: dict[str, Any] = {
    "locale": "en-US",
    "timezone_id": "UTC",
    "color_scheme": "light",
    "reduced_motion": "no-preference",
}
"""What an app finds on every machine alike, unless the user's context arguments say otherwise."""

GRANTED = ("clipboard-write", "accelerometer", "gyroscope", "magnetometer")
"""Permissions that a browser gives without asking; all others are denied."""


class Guard:
    """The protection of one context. Made by `protect`.

    Attributes:
        confinement: How the apps are kept in. Browsers other than Chromium have routing only.
        secret: Names that pages cannot guess are made from it.
    """

    def __init__(self, context: BrowserContext, confinement: Confinement) -> None:
        self.is_chromium = engine_of(context) == "chromium"
        self.confinement = (
            confinement if self.is_chromium else replace(confinement, level="routing")
        )
        self.secret = secrets.token_hex(12)
        hooks, asks = page_script("hooks.js"), page_script("asks.js")
        context.add_init_script(f"({hooks})({json.dumps(self.secret)}, {asks});")
        if self.is_chromium:
            context.grant_permissions(list(GRANTED))
        self._routing = None
        if self.confinement.level == "routing":
            self._routing = Routing(self.confinement)
            context.route("**/*", self._routing.request)
            context.route_web_socket("**/*", self._routing.socket)
        context.on("page", _close_popup)

    def tell_of_sockets(self, receive: Callable[[str], None]) -> None:
        """Tells of the web sockets that routing stops; nobody else does.

        Args:
            receive: Gets the address of each from now on.
        """
        if self._routing is not None:
            self._routing.on_socket = receive

    @property
    def world(self) -> str:
        """The name of the isolated world in the context's pages."""
        return f"appbench-{self.secret}"

    @property
    def report(self) -> str:
        """The name of the function by which that world reports to the harness."""
        return f"report-{self.secret}"


def engine_of(context: BrowserContext) -> str:
    """Which browser a context belongs to, by Playwright's name for it.

    Args:
        context: Any context.
    """
    return context.browser.browser_type.name if context.browser else "chromium"


def protect(context: BrowserContext, confinement: Confinement | None = None) -> Guard:
    """Protects a context; call it before the context's first page.

    Args:
        context: Created with `CONTEXT_OPTIONS` and those of the confinement.
        confinement: How the apps are kept in; None for a browser launched with `guard_arguments`.
    """
    return Guard(context, confinement or Confinement())


@cache
def page_script(name: str) -> str:
    """The text of a script of ours that runs in pages.

    Args:
        name: The file's name in `browser/page/`.
    """
    path = files("pytest_appbench.browser").joinpath("page", name)
    return path.read_text(encoding="utf-8").strip()


def _close_popup(page: Page) -> None:
    """Closes a page that an app opened; one that a check opens has neither opener nor address."""
    from playwright.sync_api import Error

    with suppress(Error):
        if page.opener() is not None or page.url != "about:blank":
            page.close()
