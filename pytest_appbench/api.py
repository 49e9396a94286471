"""The Python API: judge an app from an ordinary test, and assert on the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.store import Store
from pytest_appbench.browser.guard import CONTEXT_OPTIONS, Guard, protect
from pytest_appbench.browser.sessions import ContextSessions
from pytest_appbench.judges import resolve
from pytest_appbench.judges.evidence import keep
from pytest_appbench.judges.judging import Judging
from pytest_appbench.judges.probe.checks import from_functions, load_checks
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.reports.results import Record, Run, TaskWords

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.browser.launch import BrowserKeeper
    from pytest_appbench.browser.watchdog import Watchdog
    from pytest_appbench.settings import Settings

Checks = Path | str | Iterable[Callable[..., object]]


class Appbench:
    """What the `appbench` fixture gives to a test.

    Args:
        nodeid: The test's node id, under which its verdicts are recorded.
        settings: The settings of the run.
        browser: The guarded browser.
        server: Serves the apps.
        watchdog: Bounds the calls on their pages.
        run: Keeps records and evidence.
    """

    def __init__(
        self,
        *,
        nodeid: str,
        settings: Settings,
        browser: BrowserKeeper,
        server: AppServer,
        watchdog: Watchdog,
        run: Run,
    ) -> None:
        self._nodeid, self._settings, self._browser = nodeid, settings, browser
        self._server, self._watchdog, self._run = server, watchdog, run
        self._count = 0

    def judge(
        self,
        artifact: Path | str,
        *,
        query: str,
        checks: Checks = (),
        threshold: float | None = None,
    ) -> Verdict:
        """Judge an app.

        Args:
            artifact: The app: a folder with an `index.html`, or a single HTML file.
            query: The request that the app should meet.
            checks: Executable checks: a file of `check_<dimension>_<what>` functions, or the
                functions themselves.
            threshold: The least score, 0..1, that each dimension must reach; by default that of
                the run.

        Returns:
            The verdict. `assert verdict.passed, verdict` is a good last line of a test.

        Raises:
            MissingArtifact: The app is not there.
            CheckError: A check is itself broken.
        """
        self._count += 1
        app = Store(self._settings.cache_dir).add(Path(artifact), f"path:{artifact}")
        evidence = self._run.evidence(self._nodeid, self._count, 1)
        guards: list[Guard] = []

        def guarded() -> tuple[BrowserContext, Guard]:
            width, height = self._settings.viewport[0]
            size: Any = {"width": width, "height": height}
            context = self._browser.get().new_context(viewport=size, **CONTEXT_OPTIONS)
            guards.append(protect(context))
            return context, guards[-1]

        site = self._server.mount(app)
        try:
            verdict = resolve(self._settings.judge)(
                Judging(
                    task_id=Path(artifact).name,
                    query=query,
                    artifact=app,
                    url=site.url,
                    sessions=ContextSessions(guarded, self._watchdog, seed=self._settings.seed),
                    checks=_loaded(checks),
                    threshold=self._settings.threshold if threshold is None else threshold,
                    viewports=self._settings.viewport,
                    max_actions=self._settings.max_actions,
                    time_limit=self._settings.time_limit,
                    evidence=evidence,
                )
            )
        finally:
            self._server.unmount(site)
        verdict = keep(
            verdict,
            evidence,
            self._run.path,
            capture=self._settings.capture,
            guard=guards[0].level if guards else "full",
        )
        self._run.write(
            Record(
                run=self._run.id,
                nodeid=self._nodeid,
                attempt=self._count,
                outcome=verdict.status,
                task=TaskWords(id=Path(artifact).name),
                generator=app.origin,
                artifact=app.digest,
                verdict=verdict,
                time=time.time(),
            )
        )
        return verdict


def _loaded(checks: Checks) -> Any:
    return load_checks(Path(checks)) if isinstance(checks, Path | str) else from_functions(checks)
