"""Keeps an app in by looking at each of its requests, where the browser's own rules cannot.

A browser that we start knows the apps' server by its host rules. One that somebody else started
(Firefox and WebKit have no such rules, a remote browser none of ours) asks us for every request:
those to other sites are stopped. For a remote browser the others are answered from here, so that it
needs no way to our machine, and gets none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import SplitResult, urljoin, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Request, Route, WebSocketRoute

DOMAIN = ".app.localhost"
UNREACHABLE: dict[str, Any] = {"proxy": {"server": "http://127.0.0.1:0"}}
"""Context arguments that lead every request, web sockets of workers and the browser's loopback
included, to a port that nobody can listen on. Requests that are answered from here ask no proxy."""

_NOT_FORWARDED = frozenset(("accept-encoding", "connection", "content-length", "host"))
_NOT_RETURNED = frozenset(("connection", "transfer-encoding"))
_INSIDE = frozenset(("about", "blob", "data"))
_PATIENCE = 10.0
_MOST_REDIRECTS = 5


@dataclass(frozen=True)
class Confinement:
    """How the apps in a browser are kept in.

    Attributes:
        level: `full` by host rules that the browser was started with, or `routing` request by
            request, which some ways (WebRTC for one) escape.
        is_remote: Whether the browser is somebody else's: none of its processes is ours to measure
            or end.
        port: The port of the apps' server on our loopback interface; 0 where any port is taken for
            it.
    """

    level: Literal["full", "routing"] = "full"
    is_remote: bool = False
    port: int = 0

    def context_options(self, engine: str = "chromium") -> dict[str, Any]:
        """Arguments that contexts need besides those of every guarded context.

        Args:
            engine: Playwright's name of the browser.
        """
        return dict(UNREACHABLE) if self.is_remote and engine == "chromium" else {}


class Routing:
    """Stops requests of one context that lead to other sites, and answers the others if need be.

    Args:
        confinement: How the apps are kept in.

    Attributes:
        on_socket: Told the address of each web socket that was stopped; of requests that were
            stopped Playwright tells.
    """

    def __init__(self, confinement: Confinement) -> None:
        from playwright.sync_api import Error

        self._error, self._confinement = Error, confinement
        self.on_socket: Callable[[str], None] = lambda _: None

    def request(self, route: Route) -> None:
        """Handle a request.

        Args:
            route: The request, as Playwright hands it over.
        """
        with suppress(self._error):  # the page went away meanwhile
            if self._is_foreign(route.request.url):
                route.abort()
            elif self._confinement.is_remote:
                self._answer(route)
            else:
                route.continue_()

    def socket(self, route: WebSocketRoute) -> None:
        """Handle a web socket of a page.

        Args:
            route: The socket, as Playwright hands it over.
        """
        with suppress(self._error):
            if self._is_foreign(route.url):
                self.on_socket(route.url)
                route.close()
            elif self._confinement.is_remote:
                route.close()  # the apps' server speaks no web sockets
            else:
                route.connect_to_server()

    def _is_foreign(self, url: str) -> bool:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https", "ws", "wss"):
            return parts.scheme not in _INSIDE
        if not (parts.hostname or "").endswith(DOMAIN):
            return True
        return self._confinement.port not in (0, _port_of(parts))

    def _answer(self, route: Route) -> None:
        request = route.request
        try:
            status, headers, body = self._asked(request, request.url)
            for _ in range(_MOST_REDIRECTS):
                there = urljoin(request.url, headers.get("location", ""))
                if "location" not in headers or self._is_foreign(there):
                    break
                if request.resource_type == "document":
                    # What follows a redirection is asked of the network, not of us. A document that
                    # leads on is a request of its own, and gives the next one its address.
                    status, body = 200, b""
                    headers = {"content-type": "text/html", "refresh": f"0; url={there}"}
                    break
                status, headers, body = self._asked(request, there)
        except (OSError, HTTPException, ValueError):
            route.abort("connectionfailed")
            return
        route.fulfill(status=status, headers=headers, body=body)

    def _asked(self, request: Request, url: str) -> tuple[int, dict[str, str], bytes]:
        """What the apps' server answers: status, headers, body."""
        parts = urlsplit(url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kept = {k: v for k, v in request.headers.items() if k not in _NOT_FORWARDED}
        connection = HTTPConnection("127.0.0.1", self._confinement.port, timeout=_PATIENCE)
        with closing(connection):
            headers = {**kept, "host": parts.netloc, "accept-encoding": "identity"}
            connection.request(request.method, path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
        returned = {k.lower(): v for k, v in answer.getheaders() if k.lower() not in _NOT_RETURNED}
        return answer.status, returned, body


def _port_of(parts: SplitResult) -> int | None:
    with suppress(ValueError):
        return parts.port or {"http": 80, "ws": 80, "https": 443, "wss": 443}[parts.scheme]
    return None
