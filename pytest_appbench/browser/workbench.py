"""A blank page where a judge's script runs: in a worker, in a context of its own, with no network.

It knows how a program is started there, heard and ended, and replaces a page that was lost. What
the program is, and what its messages mean, is decided by whoever runs it. Nothing of an app is ever
in the page, and nothing of a program outlives its worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pytest_appbench.browser.devtools import as_text
from pytest_appbench.browser.errors import PageLost
from pytest_appbench.browser.guard import CONTEXT_OPTIONS, page_script, protect
from pytest_appbench.browser.routing import UNREACHABLE, Confinement
from pytest_appbench.browser.session import Session
from pytest_appbench.browser.watchdog import Watchdog
from pytest_appbench.errors import BrowserUnavailable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# A worker takes over the policy of the page that starts it. Its origin is opaque, as the page's is,
# so that there is no storage either.
_POLICY = "default-src 'none'; script-src 'unsafe-eval'; worker-src blob:"
_BLANK = "data:text/html," + quote(
    f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
)
# Every request goes to a proxy at a port that nobody can listen on, those to the apps' own server
# and those of web sockets included. Offline mode alone lets sockets of workers through.
_NO_NETWORK: dict[str, Any] = {"offline": True, **UNREACHABLE}

_SLACK = 10.0
"""Seconds that the page may answer late before it counts as lost."""
_GONE = (
    "the browser died while a judge's scripts were run; run it again, and see whether the machine "
    "ran out of memory"
)


class WorkbenchLost(Exception):
    """The page of the scripts is gone, and the program with it; the next one gets a new page.

    No `PageLost`: that would be an app's doing.
    """


@dataclass(frozen=True)
class SyntaxFault:
    """Why a text is no program.

    Attributes:
        message: The engine's words.
        line: The line of the text, counted from 1.
        column: The column, counted from 1.
    """

    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Heard:
    """What a program said.

    Attributes:
        printed: Its output since the last time.
        message: Its next message, or None if the time was up before it said anything.
    """

    printed: str
    message: list[Any] | None


class Workbench:
    """Runs one program at a time. Its page is opened at first use.

    Args:
        browser: Gives the browser, which must be a guarded Chromium.
        watchdog: Bounds the calls.
        confinement: How apps are kept in there.
    """

    def __init__(
        self,
        browser: Callable[[], Browser],
        watchdog: Watchdog,
        confinement: Callable[[], Confinement] = Confinement,
    ) -> None:
        self._browser, self._watchdog, self._confinement = browser, watchdog, confinement
        self._open: tuple[BrowserContext, Session] | None = None
        self._is_spent = watchdog.from_now()

    def check(self, source: str) -> SyntaxFault | None:
        """Looks for syntax errors; nothing of the text is run.

        Args:
            source: An expression or script.

        Raises:
            WorkbenchLost: The page is gone.
            BrowserUnavailable: The browser is gone.
        """
        with self._using() as session, session.bounded(_SLACK):
            answer = session.cdp.send(
                "Runtime.compileScript",
                {"expression": source, "sourceURL": "", "persistScript": False},
            )
        fault = answer.get("exceptionDetails")
        if fault is None:
            return None
        message = as_text(fault.get("exception", {})) or fault["text"]
        return SyntaxFault(message, fault["lineNumber"] + 1, fault["columnNumber"] + 1)

    def start(self, program: str) -> None:
        """Starts a program in a fresh worker; one that still runs is ended.

        Args:
            program: The text of a classic script.

        Raises:
            WorkbenchLost: The page is gone.
            BrowserUnavailable: The browser is gone.
        """
        self._ask("(program) => appbenchBench.start(program)", program, _SLACK)

    def exchange(self, answer: list[Any] | None, seconds: float) -> Heard:
        """Answers the program and waits for what it says next.

        Args:
            answer: What is posted to the worker first, if anything.
            seconds: The longest wait. The worker may be busy for as long as it likes meanwhile.

        Raises:
            WorkbenchLost: The page is gone, for want of memory perhaps.
            BrowserUnavailable: The browser is gone.
        """
        order = {"answer": answer, "ms": max(0.0, seconds) * 1000}
        said = self._ask("(order) => appbenchBench.exchange(order)", order, seconds + _SLACK)
        return Heard(said["printed"], said["message"])

    def stop(self) -> None:
        """Ends the program, whatever it does."""
        if self._open is not None:
            with suppress(WorkbenchLost):
                self._ask("() => appbenchBench.stop()", None, _SLACK)

    def close(self) -> None:
        """Closes the page; never hangs."""
        if self._open is None:
            return
        from playwright.sync_api import Error

        (context, session), self._open = self._open, None
        session.close()
        with suppress(Error):
            context.close()

    def _ask(self, function: str, arg: Any, seconds: float) -> Any:
        with self._using() as session:
            return session.evaluate(function, arg, timeout=seconds)

    @contextmanager
    def _using(self) -> Iterator[Session]:
        if self._open is None:
            self._open = self._opened()
        session = self._open[1]
        try:
            yield session
        except PageLost as error:
            self.close()
            browser = session.page.context.browser
            if browser is not None and not browser.is_connected() and not self._is_spent():
                raise BrowserUnavailable(_GONE) from error
            raise WorkbenchLost(str(error)) from error

    def _opened(self) -> tuple[BrowserContext, Session]:
        from playwright.sync_api import Error

        self._is_spent = self._watchdog.from_now()
        try:
            context = self._browser().new_context(**CONTEXT_OPTIONS, **_NO_NETWORK)
        except Error as error:
            raise BrowserUnavailable(_GONE) from error
        try:
            guard = protect(context, self._confinement())
            session = Session.attach(context.new_page(), guard, self._watchdog)
            session.open(_BLANK)
            session.evaluate(page_script("script_bench.js"))
        except BaseException:
            context.close()
            raise
        return context, session
