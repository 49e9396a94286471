"""Protects a browser context before its first page.

What keeps an app inside its site is the browser's own name resolution (see `launch`). This module
adds what must hold in every page of the context, popups included: permissions denied, dialogs
answered and floods capped in the page. What one page does is the business of its session.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute

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

DOMAIN = ".app.localhost"


class Guard:
    """The protection of one context. Made by `protect`.

    Attributes:
        level: `full` with Chromium; `routing` with other browsers, where requests to other sites
            are stopped by the driver, which some ways (WebRTC, workers' sockets) escape.
        secret: Names that pages cannot guess are made from it.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.is_chromium = engine_of(context) == "chromium"
        self.level: Literal["full", "routing"] = "full" if self.is_chromium else "routing"
        self.secret = secrets.token_hex(12)
        hooks, asks = page_script("hooks.js"), page_script("asks.js")
        context.add_init_script(f"({hooks})({json.dumps(self.secret)}, {asks});")
        if self.is_chromium:
            context.grant_permissions(list(GRANTED))
        else:
            context.route("**/*", _stop_foreign)
            context.route_web_socket("**/*", _stop_foreign_socket)
        context.on("page", _close_popup)

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


def protect(context: BrowserContext) -> Guard:
    """Protects a context; call it before the context's first page.

    Args:
        context: Created with `CONTEXT_OPTIONS`, in a browser launched with `guard_arguments`.
    """
    return Guard(context)


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


def _is_foreign(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "ws", "wss"):
        return parts.scheme not in ("about", "blob", "data")
    return not (parts.hostname or "").endswith(DOMAIN)


def _stop_foreign(route: Route) -> None:
    if _is_foreign(route.request.url):
        route.abort()
    else:
        route.continue_()


def _stop_foreign_socket(route: WebSocketRoute) -> None:
    if _is_foreign(route.url):
        route.close()
    else:
        route.connect_to_server()
