"""What the tests of judges share: pages written in the test, ready to be judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from browserkit import Sites
from pytest_appbench.artifacts.store import Artifact
from pytest_appbench.browser.guard import CONTEXT_OPTIONS, Guard, protect
from pytest_appbench.browser.launch import BrowserKeeper
from pytest_appbench.browser.sessions import ContextSessions
from pytest_appbench.browser.watchdog import Watchdog
from pytest_appbench.judges.judging import Judging
from pytest_appbench.judges.probe.checks import from_functions

SIZE: Any = {"width": 1280, "height": 720}


class Judgings:
    """Makes judgings of pages: `judging("<h1>Hello</h1>", check_static_greets)`."""

    def __init__(
        self, keeper: BrowserKeeper, sites: Sites, watchdog: Watchdog, folder: Path
    ) -> None:
        self._keeper, self._sites, self._watchdog, self._folder = keeper, sites, watchdog, folder

    def __call__(
        self, html: str, *checks: Callable[..., object], url: str | None = None, **limits: Any
    ) -> Judging:
        """A judging of a page with this text, or of what is at an address."""
        return Judging(
            task_id="sample",
            query="an app",
            artifact=Artifact(self._folder, "0" * 64, "test"),
            url=url or self._sites.add(html),
            sessions=ContextSessions(self._guarded, self._watchdog),
            checks=from_functions(checks),
            evidence=self._folder / "evidence",
            **limits,
        )

    def _guarded(self) -> tuple[BrowserContext, Guard]:
        context = self._keeper.get().new_context(viewport=SIZE, **CONTEXT_OPTIONS)
        return context, protect(context)
