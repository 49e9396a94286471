"""The Python API: judge an app from an ordinary test, and assert on the verdict."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.candidate import enumerate_names
from pytest_appbench.browser.guard import CONTEXT_OPTIONS, SURROUNDINGS, Guard, protect
from pytest_appbench.browser.sessions import ContextSessions
from pytest_appbench.errors import AppbenchError, MissingArtifact
from pytest_appbench.judges import resolve
from pytest_appbench.judges.judging import Judging
from pytest_appbench.judges.probe import ProbeScreen
from pytest_appbench.judges.probe.checks import from_functions, load_checks
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.judges.votes import combine
from pytest_appbench.reports.results import Record, TaskWords
from pytest_appbench.tasks.model import Reference
from pytest_appbench.waiting import serving
from pytest_appbench.workshop import Order, told_apart

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.browser.launch import BrowserKeeper
    from pytest_appbench.browser.watchdog import Watchdog
    from pytest_appbench.workshop import Workshop

Checks = Path | str | Iterable[Callable[..., object]]


class Appbench:
    """What the `appbench` fixture gives to a test.

    Args:
        nodeid: The test's node id, under which its verdicts are recorded.
        workshop: The shared means of the process.
        browser: The guarded browser.
        server: Serves the apps.
        watchdog: Bounds the calls on their pages.
        rerun: How often pytest ran the test before.
    """

    def __init__(
        self,
        *,
        nodeid: str,
        workshop: Workshop,
        browser: BrowserKeeper,
        server: AppServer,
        watchdog: Watchdog,
        rerun: int = 0,
    ) -> None:
        self._rerun = rerun
        self._nodeid, self._workshop, self._browser = nodeid, workshop, browser
        self._server, self._watchdog = server, watchdog
        self._count = 0
        self._judged: Counter[str] = Counter()

    def __repr__(self) -> str:
        return "<appbench>"

    def judge(
        self,
        artifact: Path | str,
        *,
        query: str,
        checks: Checks = (),
        reference: Reference | None = None,
        threshold: float | None = None,
    ) -> Verdict:
        """Judge an app with the judges of the run.

        Args:
            artifact: The app: a folder with an `index.html`, or a single HTML file.
            query: The request that the app should meet.
            checks: Executable checks: a file of `check_<dimension>_<what>` functions, or the
                functions themselves.
            reference: Statements that guide a model judge; the query wins over them.
            threshold: The least score, 0..1, that each dimension must reach; by default that of
                the run.

        Returns:
            The verdict. `assert verdict.passed, verdict` is a good last line of a test.

        Raises:
            MissingArtifact: The app is not there, or the folder holds no page to open.
            CheckError: A check is itself broken.
        """
        __tracebackhide__ = True  # of a failed test pytest shows the test, and what went wrong
        try:
            return self._judge(artifact, query, checks, reference, threshold)
        except AppbenchError as error:
            raise error.with_traceback(None) from None

    def _judge(
        self,
        artifact: Path | str,
        query: str,
        checks: Checks,
        reference: Reference | None,
        threshold: float | None,
    ) -> Verdict:
        shop, name = self._workshop, Path(artifact).name
        settings = shop.settings
        self._count += 1
        count = self._count
        if not Path(artifact).exists():
            raise MissingArtifact(
                f"there is no app at {artifact}; build it first, or mend the path"
            )
        app = shop.store.add(Path(artifact), f"path:{artifact}")
        if app.entry is None:
            names = [file for file in app.files if "/" not in file]
            raise MissingArtifact(
                f"{artifact} is not an app, it needs an index.html, or exactly one .html file, at "
                f"its top (found: {enumerate_names(names)})"
            )

        def guarded() -> tuple[BrowserContext, Guard]:
            width, height = settings.viewport[0]
            size: Any = {"width": width, "height": height}
            keeper = self._browser
            browser, confinement = keeper.get(), keeper.confinement
            own = {**CONTEXT_OPTIONS, **confinement.context_options(browser.browser_type.name)}
            context = browser.new_context(**SURROUNDINGS, viewport=size, **own)
            return context, protect(context, confinement)

        site = self._server.mount(app)
        judging = Judging(
            task_id=name,
            query=query,
            artifact=app,
            url=site.url,
            sessions=ContextSessions(guarded, self._watchdog, seed=settings.seed),
            checks=_loaded(checks),
            threshold=settings.threshold if threshold is None else threshold,
            viewports=settings.viewport,
            max_turns=settings.max_turns,
            max_actions=settings.max_actions,
            time_limit=settings.time_limit,
            reference=reference or Reference(),
            protocol=settings.protocol,
            pass_label=settings.pass_label,
            without=settings.without,
            seed=settings.seed,
            vision=settings.vision,
            clock=settings.clock,
            screen=ProbeScreen() if settings.screen == "on" else None,
            chat=lambda spec: shop.chat(spec, name, nodeid=f"{self._nodeid} {count}"),
        )
        level = self._browser.confinement.level
        orders = []
        for vote, spec in enumerate(settings.judge, start=1):
            evidence = shop.run.evidence(self._nodeid, self._count, vote, self._rerun)
            own = replace(judging, evidence=evidence)
            order = Order(resolve(spec), own, evidence, {"guard": level})
            orders.append(told_apart(order, self._judged))
        try:
            votes = shop.judge(orders, serving(self._browser.get()), guard=level)
        finally:
            self._server.unmount(site)
        verdict = combine(votes, settings.vote, unit="judge")
        words = TaskWords.model_validate({"id": name, "query": query, "reference": reference})
        for vote, one in enumerate(votes, start=1):
            self._record(app, words, one, vote, part=len(votes) > 1)
        if len(votes) > 1:
            self._record(app, words, verdict, 0)
        return verdict

    def _record(
        self, app: Artifact, words: TaskWords, verdict: Verdict, vote: int, *, part: bool = False
    ) -> None:
        run = self._workshop.run
        run.write(
            Record(
                run=run.id,
                nodeid=self._nodeid,
                attempt=self._count,
                rerun=self._rerun,
                vote=vote,
                part=part,
                outcome=verdict.status,
                task=words,
                generator=app.origin,
                artifact=app.digest,
                verdict=verdict,
                time=time.time(),
            )
        )


def _loaded(checks: Checks) -> Any:
    return load_checks(Path(checks)) if isinstance(checks, Path | str) else from_functions(checks)
