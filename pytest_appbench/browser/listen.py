"""Turns what the browser reports about a page into its record of events.

It knows how Playwright and the DevTools protocol name things. What is worth recording is decided by
`events`; what an event means is decided by judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_appbench.browser.devtools import Devtools, as_text
from pytest_appbench.browser.events import Events
from pytest_appbench.browser.guard import Guard

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Download, Page, Request, WebSocket

DIALOGS = ("alert", "confirm", "prompt", "print")
_INSIDE = ("about", "blob", "data", "javascript", "")


class Listener:
    """Fills the record of one page.

    Attributes:
        site: Host and port of the app; requests to any other place are attempts.
    """

    def __init__(self, page: Page, events: Events) -> None:
        from playwright.sync_api import Error

        self._error = Error
        self.site = ""
        self._events, self._page = events, page
        page.on("crash", self._crashed)
        page.on("close", self._closed)
        page.on("download", self._downloaded)
        page.on("filechooser", lambda _: events.add_dialog("filechooser", "", "ignored"))
        page.on("requestfailed", self._request_failed)
        page.on("websocket", self._socket_opened)

    def use_playwright(self) -> None:
        """Takes console and exceptions from Playwright, for browsers without DevTools."""
        self._page.on("console", self._console_message)
        self._page.on("pageerror", lambda error: self._events.add_exception(str(error)))

    def use_devtools(self, devtools: Devtools, guard: Guard) -> None:
        """Takes console, exceptions and the hooks' reports from the protocol.

        Args:
            devtools: The page.
            guard: Names the function by which the hooks report.
        """
        cdp = devtools.cdp
        cdp.on("Runtime.consoleAPICalled", self._console_called)
        cdp.on("Runtime.exceptionThrown", self._exception_thrown)
        cdp.on("Page.javascriptDialogOpening", self._native_dialog)
        cdp.on("Page.windowOpen", lambda event: self._events.add_attempt("popup", event["url"]))
        devtools.add_binding(guard.report, self._reported)

    def _reported(self, report: Mapping[str, str]) -> None:
        kind, text = report["kind"], report["text"]
        if kind == "flood":
            self._events.add_flood(text)
        elif kind in DIALOGS:
            self._events.add_dialog(kind, text, report["answer"])
        else:
            self._events.add_attempt(kind, text)

    def _console_called(self, event: Mapping[str, Any]) -> None:
        frames = event.get("stackTrace", {}).get("callFrames", [])
        # The innermost frames are the hook's own, which have no address.
        nowhere: Mapping[str, Any] = {"url": "", "lineNumber": -1}
        place = next((frame for frame in frames if frame["url"]), nowhere)
        text = " ".join(as_text(value) for value in event["args"])
        self._events.add_console(event["type"], text, place["url"], place["lineNumber"] + 1)

    def _console_message(self, message: ConsoleMessage) -> None:
        self._events.add_console(message.type, message.text, message.location["url"])

    def _exception_thrown(self, event: Mapping[str, Any]) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        stack = str(thrown.get("description", "")) if thrown.get("subtype") == "error" else ""
        text = stack.split("\n    at ")[0] if stack else f"{details['text']} {as_text(thrown)}"
        place = (details.get("stackTrace", {}).get("callFrames") or [details])[0]
        self._events.add_exception(
            text, stack, place.get("url", details.get("url", "")), place["lineNumber"] + 1
        )

    def _native_dialog(self, event: Mapping[str, Any]) -> None:
        # Playwright answers it: leaving is accepted, everything else dismissed.
        self._events.add_dialog(event["type"], event["message"])

    def _crashed(self, page: Page) -> None:
        self._events.crashed = True
        # Commands on a protocol session of a crashed page are never answered; closing fails them.
        with suppress(self._error):
            page.close()

    def _closed(self, _: Page) -> None:
        self._events.closed = True

    def _downloaded(self, download: Download) -> None:
        self._events.add_attempt("download", download.url)

    def _socket_opened(self, socket: WebSocket) -> None:
        if self._is_foreign(socket.url):
            self._events.add_attempt("websocket", socket.url)

    def _request_failed(self, request: Request) -> None:
        if not self._is_foreign(request.url):
            return
        kind = request.resource_type
        if kind == "document":
            is_main = request.frame == self._page.main_frame
            kind = "navigation" if is_main else "frame"
        self._events.add_attempt("beacon" if kind == "ping" else kind, request.url)

    def _is_foreign(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme not in _INSIDE and parts.netloc != self.site
