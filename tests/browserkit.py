"""What the tests of the browser share: a guarded Chromium, a small server, a way to open pages."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright

from pytest_appbench.browser.guard import CONTEXT_OPTIONS, SURROUNDINGS, Guard, protect
from pytest_appbench.browser.launch import (
    BrowserKeeper,
    end_guarded_browsers,
    find_chromium,
    guard_arguments,
)
from pytest_appbench.browser.session import Session
from pytest_appbench.browser.watchdog import Watchdog


@dataclass
class Sites:
    """Small sites, each at a host of its own, on one loopback server.

    Attributes:
        never: Set when the tests end; the path /never answers nothing until then.
    """

    pages: dict[tuple[str, str], str] = field(default_factory=dict)
    never: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def add(self, html: str, files: dict[str, str] | None = None) -> str:
        """Serve a page and the files beside it at a new host; gives the address."""
        host = f"{secrets.token_hex(4)}.app.localhost"
        for path, text in {"": html, **(files or {})}.items():
            self.pages[host, f"/{path}"] = text
        return f"http://{host}:{self.port}/"


def eventually(session: Session, condition: Callable[[], bool]) -> None:
    """Serve the page until the condition holds.

    Raises:
        AssertionError: It does not come to hold.
    """
    for _ in range(400):
        if condition():
            return
        session.page.wait_for_timeout(50)
    raise AssertionError(f"did not come to hold; the record is {session.events}")


class Visit:
    """Opens sessions and closes them with the test."""

    def __init__(self, keeper: BrowserKeeper, sites: Sites, watchdog: Watchdog) -> None:
        self.keeper, self.sites, self.watchdog = keeper, sites, watchdog
        self._contexts: list[BrowserContext] = []

    def attach(self, *, clock: bool = False, seed: int = 0) -> Session:
        """A session whose page was not navigated yet."""
        browser, confinement = self.keeper.get(), self.keeper.confinement
        own = {**CONTEXT_OPTIONS, **confinement.context_options()}
        context = browser.new_context(**SURROUNDINGS, **own)
        self._contexts.append(context)
        guard: Guard = protect(context, confinement)
        return Session.attach(context.new_page(), guard, self.watchdog, clock=clock, seed=seed)

    def __call__(
        self,
        html: str,
        files: dict[str, str] | None = None,
        *,
        clock: bool = False,
        seed: int = 0,
    ) -> Session:
        """A session at a page with this text."""
        session = self.attach(clock=clock, seed=seed)
        session.open(self.sites.add(html, files))
        return session

    def close(self) -> None:
        """Close what was opened."""
        for context in self._contexts:
            with suppress(Exception):
                context.close()


@pytest.fixture(scope="session")
def sites() -> Iterator[Sites]:
    """The server of the tests' pages."""
    sites = Sites()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/never":
                sites.never.wait()
                return
            host = (self.headers["Host"] or "").partition(":")[0]
            text = sites.pages.get((host, self.path.partition("?")[0]))
            self.send_response(200 if text is not None else 404)
            is_script = self.path.endswith(".js")
            self.send_header("Content-Type", "text/javascript" if is_script else "text/html")
            self.end_headers()
            self.wfile.write((text or "").encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    sites.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield sites
    sites.never.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def start_browser(playwright: Playwright, sites: Sites) -> Callable[[], Browser]:
    """Starts a guarded browser."""
    arguments = guard_arguments(sites.port)
    executable = find_chromium().executable
    return lambda: playwright.chromium.launch(executable_path=executable, args=arguments)


@pytest.fixture(scope="session")
def keeper(start_browser: Callable[[], Browser]) -> Iterator[BrowserKeeper]:
    """The guarded browser of these tests."""
    keeper = BrowserKeeper(start_browser)
    yield keeper
    keeper.close()


@pytest.fixture(scope="session")
def watchdog() -> Iterator[Watchdog]:
    """Bounds the calls of all sessions."""
    watchdog = Watchdog(end_guarded_browsers)
    yield watchdog
    watchdog.stop()


@pytest.fixture
def visit(keeper: BrowserKeeper, sites: Sites, watchdog: Watchdog) -> Iterator[Visit]:
    """Opens a page with given text: `visit("<h1>Hello</h1>")`."""
    visit = Visit(keeper, sites, watchdog)
    yield visit
    visit.close()
