"""Turns what the browser reports about a page into its record of events.

It knows how Playwright and the DevTools protocol name things. What is worth recording is decided by
`events`; what an event means is decided by judges.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_appbench.browser.devtools import Devtools, as_text
from pytest_appbench.browser.events import Events
from pytest_appbench.browser.guard import Guard

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Download, Page, Request, WebSocket

DIALOGS = ("alert", "confirm", "prompt", "print", "filechooser")
MOST_PER_SECOND = 1000
"""How many events of a kind may arrive in a second. The page is held to far fewer of those that it
can be held to; more of the others would keep the harness from being heard."""
_INSIDE = ("about", "blob", "data", "javascript", "")


class Listener:
    """Fills the record of one page.

    Args:
        page: The page.
        events: Its record.
        end: Ends the page because of a flood; takes its kind, and a sentence.

    Attributes:
        site: Host and port of the app; requests to any other place are attempts.
    """

    def __init__(self, page: Page, events: Events, end: Callable[[str, str], None]) -> None:
        from playwright.sync_api import Error

        self._error, self._end = Error, end
        self._second, self._arrived = 0, Counter[str]()
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
        cdp.on("Page.frameNavigated", self._navigated)
        cdp.on("Page.windowOpen", lambda event: self._attempted("popup", event["url"]))
        devtools.prepare_binding(guard.report, self._reported)

    def _reported(self, report: Mapping[str, str]) -> None:
        kind, text = report["kind"], report["text"]
        if kind == "flood":
            self._events.add_flood(text)
        elif kind == "automation":
            self._events.add_sniffing(text)
        elif kind in DIALOGS:
            self._events.add_dialog(kind, text, report["answer"])
        else:
            self._attempted(kind, text)

    def _navigated(self, event: Mapping[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self._events.documents += 1

    def _attempted(self, kind: str, url: str) -> None:
        self._events.add_attempt(kind, url)
        self._keep_pace(kind)

    def _keep_pace(self, kind: str) -> None:
        """End a page of which more arrives than can be taken in."""
        second = int(time.monotonic())
        if second != self._second:
            self._second = second
            self._arrived.clear()
        self._arrived[kind] += 1
        if self._arrived[kind] == MOST_PER_SECOND:
            self._events.add_flood(kind)
            times = f"more than {MOST_PER_SECOND:,} times in a second"
            self._end(f"{kind}-flood", f"the page tried {kind} {times}")

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
        self._attempted("download", download.url)

    def _socket_opened(self, socket: WebSocket) -> None:
        if self._is_foreign(socket.url):
            self._attempted("websocket", socket.url)

    def socket_stopped(self, url: str) -> None:
        """Notes a web socket that was stopped before the browser knew of it.

        Args:
            url: Its address.
        """
        self._attempted("websocket", url)

    def _request_failed(self, request: Request) -> None:
        if not self._is_foreign(request.url):
            return
        kind = request.resource_type
        if kind == "document":
            is_main = request.frame == self._page.main_frame
            kind = "navigation" if is_main else "frame"
        self._attempted("beacon" if kind == "ping" else kind, request.url)

    def _is_foreign(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme not in _INSIDE and parts.netloc != self.site
