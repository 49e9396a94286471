"""The fixtures of a task, each small enough to override in the conftest.py beside the tasks.

They are the way through the house: task, generator, artifact, site, judge, verdict. Those with a
leading underscore are shared machinery, one per process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_appbench.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType, Page

    from pytest_appbench.api import Appbench
    from pytest_appbench.artifacts.candidate import Generator
    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.browser.guard import Guard
    from pytest_appbench.browser.launch import BrowserKeeper
    from pytest_appbench.browser.watchdog import Watchdog
    from pytest_appbench.errors import GenerationFailed
    from pytest_appbench.judges.judging import Judge, Judging
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.sites import Served
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.workshop import Made, Workshop

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
RUN_ID: pytest.StashKey[str] = pytest.StashKey()
MADE: pytest.StashKey[Made] = pytest.StashKey()
SITE: pytest.StashKey[Served] = pytest.StashKey()
STARTED: pytest.StashKey[float] = pytest.StashKey()
FURTHER: pytest.StashKey[list[Made | GenerationFailed]] = pytest.StashKey()


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
def appbench_generator(
    request: pytest.FixtureRequest, appbench_settings: Settings, _appbench_workshop: Workshop
) -> Generator | Callable[[Task], Any]:
    """A callable, plain or async, that takes the task and returns the folder of an app."""
    from pytest_appbench.artifacts.generators import resolve

    settings, means = appbench_settings, _appbench_workshop.means(request.node.nodeid)
    return resolve(settings.generator, settings.base("generator"), means)


@pytest.fixture
def appbench_artifact(
    request: pytest.FixtureRequest,
    page: Page,
    appbench_task: Task,
    appbench_settings: Settings,
    appbench_generator: Callable[[Task], Any],
    _appbench_workshop: Workshop,
) -> Artifact:
    """The files of the app of the first attempt, copied into the store.

    The apps of all attempts are made side by side; `appbench_verdict` takes the others.
    """
    from pytest_appbench.errors import GenerationFailed
    from pytest_appbench.waiting import serving

    numbers, until = range(1, appbench_settings.attempts + 1), serving(page)
    made, *further = _appbench_workshop.generate(appbench_generator, appbench_task, numbers, until)
    request.node.stash[FURTHER] = further
    if isinstance(made, GenerationFailed):
        raise made
    request.node.stash[MADE] = made
    return made.artifact


@pytest.fixture
def appbench_site(
    request: pytest.FixtureRequest,
    page: Page,
    appbench_task: Task,
    appbench_artifact: Artifact,
    _appbench_server: AppServer,
    _appbench_workshop: Workshop,
) -> Iterator[str]:
    """The URL at which the app is served, on a host name of its own; built first if it must be."""
    from pytest_appbench.errors import BuildFailed
    from pytest_appbench.sites import opened
    from pytest_appbench.waiting import serving

    shop, server, until = _appbench_workshop, _appbench_server, serving(page)
    with opened(shop, server, appbench_task, [appbench_artifact], until) as (site,):
        if isinstance(site, BuildFailed):
            raise site
        request.node.stash[SITE] = site
        yield site.url


@pytest.fixture
def appbench_judge(
    appbench_settings: Settings,
) -> Judge | Callable[[Judging], Any] | Sequence[Callable[[Judging], Any]]:
    """A callable, plain or async, that takes a judging and returns a verdict; several are votes."""
    from pytest_appbench.judges import resolve

    judges = [resolve(spec) for spec in appbench_settings.judge]
    return judges[0] if len(judges) == 1 else judges


@pytest.fixture
def appbench_verdict(
    request: pytest.FixtureRequest,
    page: Page,
    browser: Browser,
    browser_context_args: dict[str, Any],
    browser_name: str,
    new_context: Callable[[], BrowserContext],
    appbench_task: Task,
    appbench_settings: Settings,
    appbench_generator: Callable[[Task], Any],
    appbench_judge: Callable[[Judging], Any] | Sequence[Callable[[Judging], Any]],
    _appbench_guards: dict[BrowserContext, Guard],
    _appbench_server: AppServer,
    _appbench_watchdog: Watchdog,
    _appbench_workshop: Workshop,
) -> Verdict:
    """The verdict of all attempts and judges, on record and ready to be reported."""
    from pytest_appbench import outcome
    from pytest_appbench.attempts import Bench, Candidate, judge_all, make_all, outcome_of
    from pytest_appbench.browser.sessions import ContextSessions
    from pytest_appbench.guarded import context_arguments, surroundings
    from pytest_appbench.waiting import serving

    guard = outcome.guard_of(page, _appbench_guards)

    def guarded() -> tuple[BrowserContext, Guard]:
        context = new_context()
        return context, _appbench_guards[context]

    shop, settings, until = _appbench_workshop, appbench_settings, serving(page)
    rerun = outcome.rerun_of(request.node)
    outcome.note_generator(request.node, appbench_generator)

    def candidates() -> list[Candidate]:
        first = outcome.first_candidate(request)
        further = request.node.stash.get(FURTHER, None)
        if further is None:  # the artifact fixture was replaced
            numbers = range(2, settings.attempts + 1)
            further = shop.generate(appbench_generator, appbench_task, numbers, until)
        return [first, *(Candidate(made) for made in further)]

    bench = Bench(
        workshop=shop,
        settings=settings,
        judges=[appbench_judge] if callable(appbench_judge) else appbench_judge,
        sessions=ContextSessions(
            guarded,
            _appbench_watchdog,
            seed=settings.seed,
            viewport=settings.chosen_viewport(),
            own=(page, guard),
        ),
        server=_appbench_server,
        place=lambda attempt, vote: shop.run.evidence(request.node.nodeid, attempt, vote, rerun),
        until=until,
        guard=guard.confinement.level,
        rerun=rerun,
        surroundings=surroundings(
            browser_name, context_arguments(request.node, browser_context_args)
        ),
        nodeid=request.node.nodeid,
    )
    with outcome.browser_required(browser, _appbench_watchdog):
        attempts = make_all(bench, appbench_task, appbench_generator)
        attempts = attempts or judge_all(bench, appbench_task, candidates())
    verdict = outcome_of(attempts, settings.reducer)
    outcome.record(request.node, shop.run, attempts, verdict)
    return verdict


@pytest.fixture
def appbench(
    request: pytest.FixtureRequest,
    appbench_browser: BrowserKeeper,
    _appbench_server: AppServer,
    _appbench_watchdog: Watchdog,
    _appbench_workshop: Workshop,
) -> Appbench:
    """Judges an app from an ordinary test: `appbench.judge("dist/", query="...")`."""
    from pytest_appbench import outcome
    from pytest_appbench.api import Appbench

    return Appbench(
        nodeid=request.node.nodeid,
        workshop=_appbench_workshop,
        browser=appbench_browser,
        server=_appbench_server,
        watchdog=_appbench_watchdog,
        rerun=outcome.rerun_of(request.node),
    )


@pytest.fixture(scope="session")
def appbench_browser(
    pytestconfig: pytest.Config,
    launch_browser: Callable[..., Browser],
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_name: str,
    connect_options: dict[str, Any] | None,
    _appbench_server: AppServer,
) -> Iterator[BrowserKeeper]:
    """The guarded browser of this worker, started (or connected to) again whenever it died."""
    from pytest_appbench.browser.launch import (
        BrowserKeeper,
        find_chromium,
        guard_arguments,
        quieting_arguments,
    )
    from pytest_appbench.browser.remote import WHY_ROUTING, connect
    from pytest_appbench.browser.routing import Confinement
    from pytest_appbench.errors import SettingsError

    settings, port = pytestconfig.stash[SETTINGS], _appbench_server.port
    is_chromium, endpoint = browser_name == "chromium", settings.browser_endpoint
    is_remote = bool(endpoint or connect_options)
    if is_remote and settings.guard != "routing":
        raise SettingsError(f"connect_options: {WHY_ROUTING}")
    arguments: dict[str, Any] = {}
    if is_chromium:
        given = browser_type_launch_args.get("args", [])
        own = quieting_arguments() if is_remote else guard_arguments(port)
        arguments["args"] = [*given, *own]
        if not is_remote and not {"executable_path", "channel"} & browser_type_launch_args.keys():
            headed = not browser_type_launch_args.get("headless", True)
            arguments["executable_path"] = find_chromium(headed=headed).executable

    def start() -> Browser:
        if is_remote:
            wanted = {**browser_type_launch_args, **arguments}
            return connect(browser_type, endpoint, connect_options or {}, wanted)
        return launch_browser(**arguments)

    level: Literal["full", "routing"] = "routing"
    if is_chromium and settings.guard == "full":
        level = "full"
    keeper = BrowserKeeper(start, Confinement(level, is_remote, port))
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
def _appbench_watchdog(appbench_browser: BrowserKeeper) -> Iterator[Watchdog]:
    from pytest_appbench.browser.watchdog import Watchdog

    keeper = appbench_browser
    watchdog = Watchdog(keeper.end, blames=not keeper.confinement.is_remote)
    yield watchdog
    watchdog.stop()


@pytest.fixture(scope="session")
def _appbench_workshop(pytestconfig: pytest.Config) -> Iterator[Workshop]:
    from pytest_appbench.outcome import run_of
    from pytest_appbench.running import status_of
    from pytest_appbench.workshop import Workshop

    again = bool(pytestconfig.getoption("lf", False))
    workshop = Workshop(
        pytestconfig.stash[SETTINGS],
        run_of(pytestconfig),
        reuse_last=again,
        status=status_of(pytestconfig),
    )
    yield workshop
    workshop.close()


@pytest.fixture
def _appbench_guards() -> dict[BrowserContext, Guard]:
    return {}
