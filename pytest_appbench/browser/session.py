"""One page of one app in one fresh context: all that a judge knows of a browser.

Every call is bounded. A page that crashed or cannot be regained makes every later call raise
`PageGone` at once, and closing never hangs.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_appbench.browser.act import Actions, Step
from pytest_appbench.browser.clock import EPOCH, Clock
from pytest_appbench.browser.devtools import Devtools
from pytest_appbench.browser.errors import (
    NotSupported,
    PageGone,
    PageLost,
    PageNavigated,
    PageOverloaded,
    PageUnresponsive,
)
from pytest_appbench.browser.events import Events
from pytest_appbench.browser.guard import Guard
from pytest_appbench.browser.listen import Listener
from pytest_appbench.browser.renderers import Renderer
from pytest_appbench.browser.sounds import Sounds
from pytest_appbench.browser.watchdog import (
    Vitals,
    Watchdog,
    chromium_rungs,
    chromium_vitals,
    end_renderer,
    other_rungs,
)

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

_SETTLED = """(most) => new Promise((resolve) => {
  let quiet = 0;
  const end = performance.now() + most;
  const observer = new MutationObserver(() => { quiet = 0; });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, all);
  // Counted in turns of the page, not by the clock: a busy machine must not look like peace.
  const check = () => {
    quiet += 1;
    if (quiet <= 6 && performance.now() < end) return setTimeout(check, 20);
    observer.disconnect();
    resolve(quiet > 6);
  };
  check();
})"""


class Session:
    """A page under a judge's hands. Made by `attach`.

    Attributes:
        page: Playwright's own page, for checks and axe; call it under `bounded`.
        clock: The logical clock, or None where time flows.
        events: What happened on the page.
        sounds: What sounded on the page; always empty outside Chromium.
        seed: What the page's Math.random was seeded with.
        cost_the_browser: The page could only be regained by ending its browser.
    """

    cost_the_browser = False

    def __init__(
        self, page: Page, guard: Guard, watchdog: Watchdog, *, clock: bool, seed: int
    ) -> None:
        self.page, self.seed, self.events, self.sounds = page, seed, Events(), Sounds()
        self._watchdog = watchdog
        self._actions = Actions(self)
        self._vitals = Vitals()
        self._listener = Listener(page, self.events, lambda *why: self._vitals.end(*why))
        self._devtools: Devtools | None = None
        self.clock: Clock | None = None
        guard.tell_of_sockets(self._listener.socket_stopped)
        if not guard.is_chromium:
            if clock:
                raise NotSupported("the logical clock needs Chromium; use the real one")
            self._rungs = other_rungs(page)
            self._listener.use_playwright()
            return
        self._devtools = Devtools(page.context.new_cdp_session(page), guard.world)
        # A renderer that came up on this machine meanwhile is never that of a remote page.
        is_remote = guard.confinement.is_remote
        renderer = None if is_remote else watchdog.renderers.newest()
        self._rungs = chromium_rungs(self._devtools.cdp, renderer)
        self._vitals = chromium_vitals(self._devtools.cdp, renderer)
        with self.bounded(10.0):
            self._prepare(self._devtools, guard, clock)

    @classmethod
    def attach(
        cls, page: Page, guard: Guard, watchdog: Watchdog, *, clock: bool = False, seed: int = 0
    ) -> Session:
        """Takes hold of a page that has not been navigated yet.

        Args:
            page: A new page of the guarded context.
            guard: What `guard.protect` returned for the context.
            watchdog: Bounds the calls.
            clock: Whether the page's time stands still until `session.clock.run_for`.
            seed: Seeds the page's Math.random and random bytes.
        """
        return cls(page, guard, watchdog, clock=clock, seed=seed)

    @property
    def cdp(self) -> CDPSession:
        """The protocol session of the page.

        Raises:
            NotSupported: The browser is not Chromium.
        """
        return self._protocol.cdp

    @property
    def world(self) -> int:
        """The execution context of the isolated world that `evaluate` uses.

        Raises:
            NotSupported: The browser is not Chromium.
        """
        return self._protocol.world()

    @property
    def steps(self) -> list[Step]:
        """The actions so far."""
        return self._actions.steps

    @property
    def url(self) -> str:
        """Where the page is."""
        return self.page.url

    def open(self, url: str, *, timeout: float = 20.0) -> None:
        """Goes to an app and waits until it has loaded, or can be used without having loaded.

        Args:
            url: The app's address.
            timeout: Seconds for the server to answer. The app may then load for half as long, and
                must answer within a quarter of it.

        Raises:
            PageUnresponsive: The app does not answer.
            PageGone: The page crashed.
        """
        from playwright.sync_api import TimeoutError as TimeoutReached

        self._listener.site = urlsplit(url).netloc
        with self._actions.step("open", url, timeout * 1.75):
            self.page.goto(url, wait_until="commit", timeout=timeout * 1000)
            with suppress(TimeoutReached):
                self.page.wait_for_load_state("load", timeout=timeout * 500)
        self.evaluate("() => document.readyState", timeout=timeout / 4)

    @contextmanager
    def bounded(self, seconds: float) -> Iterator[None]:
        """Bounds a block of calls on this page, raw Playwright calls included.

        Args:
            seconds: How long the block may take.

        Raises:
            PageUnresponsive: It took longer. The page may be alive, its script ended.
            PageOverloaded: It took too much memory, or flooded whoever listens to it.
            PageGone: The page is gone, or was lost in the block.
        """
        self._require_page()
        documents, is_spent = self.events.documents, self._watchdog.from_now()
        try:
            with self._watchdog.bounded(seconds, self._rungs, self._vitals):
                yield
        except PageUnresponsive:
            self.events.unresponsive = True
            self.cost_the_browser = is_spent()
            raise
        except PageLost:
            raise
        except Exception as error:
            if self._is_gone():
                raise PageGone(f"the page is gone: {error}") from error
            if documents != self.events.documents and "Protocol error (" in str(error):
                raise PageNavigated("the page loaded another document meanwhile") from error
            raise

    def evaluate(self, function: str, arg: Any = None, *, timeout: float = 5.0) -> Any:
        """Calls a function in the page's isolated world: the app can neither see nor change it.

        With a browser other than Chromium it runs in the app's own world.

        Args:
            function: Source of a JavaScript function of one argument; may be async.
            arg: Its argument, as JSON.
            timeout: Seconds it may take.

        Returns:
            What the function returned, as JSON.

        Raises:
            ScriptFailed: The function threw, or returned what is no JSON.
            PageNavigated: The page loaded another document meanwhile.
            PageUnresponsive: It did not return in time.
            PageGone: The page is gone.
        """
        with self.bounded(timeout):
            if self._devtools is None:
                return self.page.evaluate(function, arg)
            return self._devtools.evaluate(function, arg)

    def picture(self, options: Mapping[str, Any], *, timeout: float = 10.0) -> bytes:
        """Takes a picture of the page as the browser shows it.

        Args:
            options: What `Page.captureScreenshot` takes.
            timeout: Seconds it may take.

        Returns:
            The picture's file.

        Raises:
            PageNavigated: There is none to be had, as between two documents.
            PageLost: As `bounded` says.
        """
        from playwright.sync_api import Error

        with self.bounded(timeout):
            try:
                shot = self.cdp.send("Page.captureScreenshot", dict(options))
            except Error as error:
                if "Unable to capture screenshot" in str(error):
                    raise PageNavigated("the browser has no picture of the page") from error
                raise
        return base64.b64decode(shot["data"])

    def settle(self, ms: float = 500) -> None:
        """Waits until the page's elements stop changing, or lets that much logical time pass.

        Args:
            ms: The longest wait, or the logical time, in milliseconds.
        """
        if self.clock is not None:
            self.clock.run_for(ms)
        else:
            self.evaluate(_SETTLED, ms, timeout=ms / 1000 + 5)

    def click(self, x: float, y: float) -> Step:
        """Clicks at a point of the viewport, in CSS pixels."""
        return self._actions.click(x, y)

    def double_click(self, x: float, y: float) -> Step:
        """Clicks twice at a point."""
        return self._actions.double_click(x, y)

    def hover(self, x: float, y: float) -> Step:
        """Moves the pointer to a point."""
        return self._actions.hover(x, y)

    def type_text(self, text: str) -> Step:
        """Types text into what has the focus."""
        return self._actions.type_text(text)

    def press(self, key: str) -> Step:
        """Presses a key or chord, such as `Enter` or `Control+A`."""
        return self._actions.press(key)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> Step:
        """Drags from one point to another."""
        return self._actions.drag(start, end)

    def wheel(self, dx: float, dy: float) -> Step:
        """Turns the wheel where the pointer is, in CSS pixels."""
        return self._actions.wheel(dx, dy)

    def close(self) -> None:
        """Makes the page safe to be closed by whoever owns its context; never hangs.

        A page that answers keeps its looks, for a screenshot, and runs no more script. One that
        does not answer loses its renderer.
        """
        if self._is_gone() or self._devtools is None:
            return
        with suppress(Exception):
            self.evaluate("() => 0", timeout=2.0)
            with self.bounded(2.0):
                self.cdp.send("Emulation.setScriptExecutionDisabled", {"value": True})
            return
        if not self._is_gone():
            self.end()
            with suppress(Exception):
                self.page.wait_for_event("close", timeout=3000)

    def end(self) -> None:
        """Ends the page's renderer, without waiting for it."""
        if self.renderer is not None:
            self.renderer.end()
        else:
            end_renderer(self.cdp)

    @property
    def renderer(self) -> Renderer | None:
        """The page's process, or None where it is not known."""
        return self._vitals.renderer

    @property
    def _protocol(self) -> Devtools:
        if self._devtools is None:
            raise NotSupported("this needs the DevTools protocol, which only Chromium speaks")
        return self._devtools

    def _prepare(self, devtools: Devtools, guard: Guard, clock: bool) -> None:
        self._listener.use_devtools(devtools, guard)
        devtools.prepare_isolated_script("relay.js", guard.secret, guard.report)
        if clock:  # before all that reads the time
            self.clock = Clock(self, devtools)
        begin = self.sounds.listen(devtools)
        if clock:
            begin(EPOCH)
        devtools.prepare_script("random.js", self.seed)
        devtools.install()

    def _require_page(self) -> None:
        if self._vitals.overload:
            raise PageOverloaded(self._vitals.kind, self._vitals.overload)
        if self._is_gone():
            raise PageGone("the page is gone: it crashed, was closed, or its browser ended")

    def _is_gone(self) -> bool:
        events = self.events
        return events.crashed or events.closed or not self._has_browser() or self.page.is_closed()

    def _has_browser(self) -> bool:
        browser = self.page.context.browser
        return browser is None or browser.is_connected()
