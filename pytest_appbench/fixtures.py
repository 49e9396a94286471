"""The fixtures of a task, each small enough to override in the conftest.py beside the tasks.

They are the way through the house: task, generator, artifact, site, judge, verdict. Those with a
leading underscore are shared machinery, one per process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pytest_appbench.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from pytest_appbench.api import Appbench
    from pytest_appbench.artifacts.candidate import Generator
    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.browser.guard import Guard
    from pytest_appbench.browser.launch import BrowserKeeper
    from pytest_appbench.browser.watchdog import Watchdog
    from pytest_appbench.judges.judging import Judge, Judging
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.reports.results import Run
    from pytest_appbench.tasks.model import Task

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
RUN_ID: pytest.StashKey[str] = pytest.StashKey()
ARTIFACT: pytest.StashKey[Artifact] = pytest.StashKey()


@pytest.fixture
def appbench_task(request: pytest.FixtureRequest) -> Task:
    """The task of this item."""
    task: Task = request.node.task
    return task


@pytest.fixture
def appbench_settings(request: pytest.FixtureRequest, appbench_task: Task) -> Settings:
    """The settings of this task: command line, then task, then ini file, then default."""
    return request.config.stash[SETTINGS].for_task(appbench_task)


@pytest.fixture
def appbench_generator(appbench_settings: Settings) -> Generator | Callable[[Task], Any]:
    """A callable, plain or async, that takes the task and returns the folder of an app."""
    from pytest_appbench.artifacts.generators import resolve

    return resolve(appbench_settings.generator, appbench_settings.base("generator"))


@pytest.fixture
def appbench_artifact(
    request: pytest.FixtureRequest,
    page: Page,
    appbench_task: Task,
    appbench_settings: Settings,
    appbench_generator: Callable[[Task], Any],
) -> Artifact:
    """The app's files, copied into the store."""
    from pytest_appbench.artifacts.candidate import as_candidate
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.waiting import finished

    candidate = as_candidate(finished(appbench_generator(appbench_task), page))
    artifact = Store(appbench_settings.cache_dir).add(candidate.source, candidate.origin)
    request.node.stash[ARTIFACT] = artifact
    return artifact


@pytest.fixture
def appbench_site(appbench_artifact: Artifact, _appbench_server: AppServer) -> Iterator[str]:
    """The URL at which the app is served, on a host name of its own."""
    site = _appbench_server.mount(appbench_artifact)
    yield site.url
    _appbench_server.unmount(site)


@pytest.fixture
def appbench_judge(appbench_settings: Settings) -> Judge | Callable[[Judging], Any]:
    """A callable, plain or async, that takes a judging and returns a verdict."""
    from pytest_appbench.judges import resolve

    return resolve(appbench_settings.judge)


@pytest.fixture
def appbench_verdict(
    request: pytest.FixtureRequest,
    page: Page,
    browser: Browser,
    new_context: Callable[[], BrowserContext],
    appbench_task: Task,
    appbench_settings: Settings,
    appbench_artifact: Artifact,
    appbench_site: str,
    appbench_judge: Callable[[Judging], Any],
    _appbench_guards: dict[BrowserContext, Guard],
    _appbench_watchdog: Watchdog,
    _appbench_run: Run,
) -> Verdict:
    """The judge's verdict, on record and ready to be reported."""
    from pytest_appbench import outcome
    from pytest_appbench.browser.sessions import ContextSessions
    from pytest_appbench.judges.evidence import keep
    from pytest_appbench.judges.judging import Judging
    from pytest_appbench.judges.probe.checks import load_checks
    from pytest_appbench.waiting import finished

    def guarded() -> tuple[BrowserContext, Guard]:
        context = new_context()
        return context, _appbench_guards[context]

    checks = appbench_task.folder / "checks" / f"{appbench_task.id}.py"
    evidence = _appbench_run.evidence(request.node.nodeid, 1, 1, outcome.rerun_of(request.node))
    judging = Judging(
        task_id=appbench_task.id,
        query=appbench_task.query,
        artifact=appbench_artifact,
        url=appbench_site,
        sessions=ContextSessions(
            guarded,
            _appbench_watchdog,
            seed=appbench_settings.seed,
            viewport=appbench_settings.chosen_viewport(),
            own=(page, _appbench_guards[page.context]),
        ),
        checks=load_checks(checks) if checks.is_file() else (),
        threshold=appbench_settings.threshold,
        viewports=appbench_settings.viewport,
        max_actions=appbench_settings.max_actions,
        time_limit=appbench_settings.time_limit,
        evidence=evidence,
    )
    with outcome.browser_required(browser):
        verdict = finished(appbench_judge(judging), page)
    verdict = keep(
        verdict,
        evidence,
        _appbench_run.path,
        capture=appbench_settings.capture,
        guard=_appbench_guards[page.context].level,
    )
    outcome.record(request.node, _appbench_run, verdict, appbench_artifact)
    return verdict


@pytest.fixture
def appbench(
    request: pytest.FixtureRequest,
    appbench_browser: BrowserKeeper,
    _appbench_server: AppServer,
    _appbench_watchdog: Watchdog,
    _appbench_run: Run,
) -> Appbench:
    """Judges an app from an ordinary test: `appbench.judge("dist/", query="...")`."""
    from pytest_appbench.api import Appbench

    return Appbench(
        nodeid=request.node.nodeid,
        settings=request.config.stash[SETTINGS],
        browser=appbench_browser,
        server=_appbench_server,
        watchdog=_appbench_watchdog,
        run=_appbench_run,
    )


@pytest.fixture(scope="session")
def appbench_browser(
    launch_browser: Callable[..., Browser],
    browser_type_launch_args: dict[str, Any],
    browser_name: str,
    _appbench_server: AppServer,
) -> Iterator[BrowserKeeper]:
    """The guarded browser of this worker, started again whenever it died."""
    from pytest_appbench.browser.launch import BrowserKeeper, find_chromium, guard_arguments

    arguments: dict[str, Any] = {}
    if browser_name == "chromium":
        given = browser_type_launch_args.get("args", [])
        arguments["args"] = [*given, *guard_arguments(_appbench_server.port)]
        if not {"executable_path", "channel"} & browser_type_launch_args.keys():
            arguments["executable_path"] = find_chromium().executable
    keeper = BrowserKeeper(lambda: launch_browser(**arguments))
    yield keeper
    keeper.close()


@pytest.fixture(scope="session")
def _appbench_server() -> Iterator[AppServer]:
    from pytest_appbench.artifacts.serve import AppServer

    server = AppServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _appbench_watchdog() -> Iterator[Watchdog]:
    from pytest_appbench.browser.launch import end_guarded_browsers
    from pytest_appbench.browser.watchdog import Watchdog

    watchdog = Watchdog(end_guarded_browsers)
    yield watchdog
    watchdog.stop()


@pytest.fixture(scope="session")
def _appbench_run(pytestconfig: pytest.Config) -> Run:
    from pytest_appbench.outcome import run_of

    return run_of(pytestconfig)


@pytest.fixture
def _appbench_guards() -> dict[BrowserContext, Guard]:
    return {}
