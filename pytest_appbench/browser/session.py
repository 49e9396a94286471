"""One page of one app in one fresh context: all that a judge knows of a browser.

Every call is bounded. A page that crashed or cannot be regained makes every later call raise at once.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.act import Actions, Step
from pytest_appbench.browser.clock import Clock
from pytest_appbench.browser.errors import PageGone, ScriptFailed
from pytest_appbench.browser.events import Events
from pytest_appbench.browser.guard import Guard, page_script
from pytest_appbench.browser.watchdog import Watchdog, send_from_any_thread

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Session:
    """A page under a judge's hands. Made by `attach`.

    Attributes:
        page: Playwright's own page, for checks and axe; call it under `bounded`.
        cdp: The protocol session of the page.
        clock: The logical clock, or None where time flows.
        events: What happened on the page.
        seed: What the page's Math.random was seeded with.
    """

    def __init__(
        self, page: Page, guard: Guard, watchdog: Watchdog, *, clock: bool, seed: int
    ) -> None:
        self.page, self.seed = page, seed
        self._guard, self._watchdog = guard, watchdog
        self.events = Events()
        self.cdp = page.context.new_cdp_session(page)
        self.clock = Clock(self) if clock else None
        self._actions = Actions(self)
        page.on("pageerror", lambda error: self.events.add_exception(str(error)))
        page.on("console", lambda line: self.events.add_console(line.type, line.text))
        page.on("crash", lambda _: setattr(self.events, "crashed", True))
        if clock:
            page.add_init_script(page_script("clock.js"))

    @classmethod
    def attach(
        cls, page: Page, guard: Guard, watchdog: Watchdog, *, clock: bool = False, seed: int = 0
    ) -> Session:
        """Takes hold of a page that has not been navigated yet.

        Args:
            page: The first page of the guarded context.
            guard: What `guard.protect` returned for the context.
            watchdog: Bounds the calls.
            clock: Whether the page's time stands still until `session.clock.run_for`.
            seed: Seeds the page's Math.random and crypto.
        """
        return cls(page, guard, watchdog, clock=clock, seed=seed)

    @property
    def steps(self) -> list[Step]:
        """The actions so far."""
        return self._actions.steps

    @property
    def url(self) -> str:
        """Where the page is."""
        return self.page.url

    def open(self, url: str, *, timeout: float = 20.0) -> None:
        """Goes to an app and waits until it has loaded or can be used.

        Args:
            url: The app's address.
            timeout: Seconds until the page counts as unresponsive.

        Raises:
            PageUnresponsive: The page never answered.
            PageGone: The page crashed.
        """
        with self.bounded(timeout):
            self.page.goto(url, wait_until="commit", timeout=timeout * 1000)
            self.page.wait_for_load_state("load", timeout=timeout * 1000)

    def bounded(self, seconds: float) -> AbstractContextManager[None]:
        """Bounds a block of raw Playwright calls on this page.

        Args:
            seconds: How long the block may take.

        Raises:
            PageUnresponsive: (at the end of the block) It took longer.
            PageGone: The page is gone already.
        """
        if self.events.crashed:
            raise PageGone("the page crashed earlier")
        return self._watchdog.bounded(
            seconds,
            [
                (1.0, lambda: send_from_any_thread(self.cdp, "Runtime.terminateExecution")),
                (3.0, lambda: send_from_any_thread(self.cdp, "Page.crash")),
            ],
        )

    def evaluate(self, function: str, arg: Any = None, *, timeout: float = 5.0) -> Any:
        """Calls a function in the page's isolated world: the app can neither see nor change it.

        Args:
            function: Source of a JavaScript function of one argument; may be async.
            arg: Its argument, as JSON.
            timeout: Seconds until the page counts as unresponsive.

        Returns:
            What the function returned, as JSON.

        Raises:
            ScriptFailed: The function threw.
            PageUnresponsive: It did not return in time.
            PageGone: The page is gone.
        """
        with self.bounded(timeout):
            frames = self.cdp.send("Page.getFrameTree")
            world = self.cdp.send(
                "Page.createIsolatedWorld",
                {"frameId": frames["frameTree"]["frame"]["id"], "worldName": self._guard.world},
            )
            answer = self.cdp.send(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": function,
                    "executionContextId": world["executionContextId"],
                    "arguments": [{"value": json.loads(json.dumps(arg))}],
                    "returnByValue": True,
                    "awaitPromise": True,
                },
            )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptFailed(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def settle(self, ms: float = 500) -> None:
        """Waits until the page is quiet, or lets that much logical time pass.

        Args:
            ms: The longest wait, in milliseconds.
        """
        if self.clock is not None:
            self.clock.run_for(ms)
            return
        with self.bounded(ms / 1000 + 5):
            self.page.wait_for_timeout(ms)

    def click(self, x: float, y: float) -> Step:
        """Clicks at a point of the viewport, in CSS pixels."""
        return self._actions.click(x, y)

    def double_click(self, x: float, y: float) -> Step:
        """Clicks twice at a point."""
        return self._actions.click(x, y, count=2)

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
        """Turns the wheel at the pointer's place, in CSS pixels."""
        return self._actions.wheel(dx, dy)

    def close(self) -> None:
        """Makes the page ready to be closed by whoever owns its context; never hangs."""
        if self.events.unresponsive and not self.events.crashed:
            send_from_any_thread(self.cdp, "Page.crash")
