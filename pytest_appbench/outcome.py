"""A verdict becomes a pytest outcome.

pytest knows passed, failed and skipped; a verdict may also be uncertain. An uncertain task maps to
a real outcome by policy and keeps its own category in the terminal. An error of the harness is
raised before the test function runs and stays pytest's own error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_appbench.artifacts.candidate import own_name
from pytest_appbench.artifacts.store import Artifact
from pytest_appbench.browser.launch import is_alive
from pytest_appbench.errors import AppbenchError, BrowserUnavailable, SettingsError
from pytest_appbench.fixtures import MADE, RUN_ID, SETTINGS, SITE, STARTED
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.judges.votes import summed
from pytest_appbench.models.scrub import scrub
from pytest_appbench.reports.junit import NAMES, properties
from pytest_appbench.reports.results import Record, Run, TaskWords
from pytest_appbench.reports.terminal import CATEGORY, CHECKS, EXPLANATION
from pytest_appbench.reports.text import explain

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from pytest_appbench.attempts import Attempt, Candidate
    from pytest_appbench.browser.guard import Guard
    from pytest_appbench.browser.watchdog import Watchdog
    from pytest_appbench.collect import TaskItem

VERDICT: pytest.StashKey[Verdict] = pytest.StashKey()
ATTEMPTS: pytest.StashKey[Sequence[Attempt]] = pytest.StashKey()
GENERATOR: pytest.StashKey[str] = pytest.StashKey()
_NO_FFMPEG = (
    "--video needs Playwright's own ffmpeg: run `playwright install ffmpeg`, or leave --video out; "
    "--appbench-capture=on keeps pictures of every step without it"
)
_DIED = (
    "the browser died while this task was judged: run it again with --lf, and see whether the "
    "machine ran out of memory"
)


class AppFailed(AssertionError):
    """The judge decided that the app does not meet the request."""

    __module__ = "builtins"  # so that pytest prints the bare name, as for its own outcomes


class AppUncertain(Exception):
    """The judge could not decide."""

    __module__ = "builtins"


def report(verdict: Verdict) -> None:
    """Raise what pytest should see for a verdict.

    Args:
        verdict: The verdict of a task item.

    Raises:
        AppFailed: The verdict is fail.
        AppUncertain: The verdict is uncertain.
    """
    if verdict.status == "fail":
        raise AppFailed(explain(verdict))
    if verdict.status == "uncertain":
        raise AppUncertain(explain(verdict))


def set_property(item: pytest.Item, name: str, value: str | int | float | None) -> None:
    """Set a user property, replacing an earlier value so that reruns do not pile up.

    Args:
        item: The item.
        name: The property's name.
        value: Its value; None leaves the property out.
    """
    kept = [(n, v) for n, v in item.user_properties if n != name]
    item.user_properties[:] = kept if value is None else [*kept, (name, value)]


def set_properties(item: pytest.Item, verdict: Verdict, generator: str, attempts: int = 1) -> None:
    """Put a verdict into the item's properties, from where JUnit and other reports read it.

    Args:
        item: The item that was judged.
        verdict: Its verdict.
        generator: Spec of the generator the app came from.
        attempts: How many attempts the verdict sums up.
    """
    values = properties(verdict, generator, attempts)
    kept = [(name, v) for name, v in item.user_properties if name not in NAMES]
    item.user_properties[:] = [*kept, *values.items()]


def reshape(item: TaskItem, report: pytest.TestReport, call: pytest.CallInfo[Any]) -> None:
    """Give a task item's report its outcome and its short text.

    Args:
        item: The item.
        report: The report that pytest made, changed in place.
        call: The phase it reports on.
    """
    policy = item.config.stash[SETTINGS].uncertain
    verdict = item.stash.get(VERDICT, None)
    if verdict is not None and report.when == "call":
        setattr(report, CHECKS, [(c.name, c.outcome, c.claim) for c in verdict.checks])
    if call.excinfo is None:
        return
    error = call.excinfo.value
    if type(error).__module__.startswith("playwright.") and "requires ffmpeg" in str(error):
        report.longrepr = _NO_FFMPEG
    if isinstance(error, AppFailed | AppUncertain | AppbenchError):
        shown = call.excinfo.getrepr(style="value")
        if shown.reprcrash:  # what pytest's summary quotes: the bare name leaves room for the words
            shown.reprcrash.message = f"{type(error).__name__}: {error}"
        report.longrepr = shown
    if not isinstance(error, AppUncertain):
        return
    setattr(report, CATEGORY, "uncertain")
    setattr(report, EXPLANATION, str(error))
    path, line, _ = report.location
    text = f"uncertain: {str(error).splitlines()[0]}"
    if policy == "skip":
        report.outcome, report.longrepr = "skipped", (str(path), (line or 0) + 1, text)
    elif policy == "xfail":
        report.outcome, report.wasxfail = "skipped", text
    elif policy == "pass":
        report.outcome, report.longrepr = "passed", None


def run_of(config: pytest.Config) -> Run:
    """The run that this process works for, and the part it writes.

    Args:
        config: pytest's configuration.

    Returns:
        The run.
    """
    worker = getattr(config, "workerinput", {}).get("workerid", "main")
    return Run(config.stash[SETTINGS].run_dir, config.stash[RUN_ID], worker)


def first_candidate(request: pytest.FixtureRequest) -> Candidate:
    """The app of the first attempt, from the fixtures that a user may have overridden.

    Args:
        request: Of the fixture that judges.

    Returns:
        The app and where it is served, or why the candidate wrote none or it does not build: a
        fail, and no error.
    """
    from pytest_appbench.attempts import Candidate
    from pytest_appbench.errors import BuildFailed, GenerationFailed
    from pytest_appbench.sites import Served
    from pytest_appbench.workshop import Made

    stash = request.node.stash
    try:
        artifact = request.getfixturevalue("appbench_artifact")
    except GenerationFailed as failure:
        return Candidate(failure)
    if not isinstance(artifact, Artifact):
        raise SettingsError(
            f"the appbench_artifact fixture answered {artifact!r}; it must return an Artifact, as "
            "the fixture of this name does; a folder of files is what `appbench_generator` gives"
        )
    made = stash.get(MADE, None)
    made = made if made and made.artifact is artifact else Made(artifact)
    try:
        url = request.getfixturevalue("appbench_site")
    except BuildFailed as failure:
        return Candidate(made, failure)
    site = stash.get(SITE, None)
    return Candidate(made, site if site and site.url == url else Served(url))


def rerun_of(item: pytest.Item) -> int:
    """How often the item was run before by a plugin that repeats failed tests, from 0."""
    return int(getattr(item, "execution_count", 1)) - 1


def guard_of(page: Page, guards: Mapping[BrowserContext, Guard]) -> Guard:
    """The protection of the page that a task is given.

    Args:
        page: The page, from a fixture that a user may have overridden.
        guards: The protection of every context that `new_context` made.

    Raises:
        SettingsError: The page's context was made in another way, so that nothing protects it.
    """
    if page.context not in guards:
        raise SettingsError(
            "the page of this task lies in a context that nothing guards: an override of the "
            "fixtures `page` or `context` must make its contexts with the fixture `new_context`, "
            "once for each test, not with `browser.new_context` or `browser.new_page`; their "
            "options come from `browser_context_args`"
        )
    return guards[page.context]


@contextmanager
def browser_required(browser: Browser, watchdog: Watchdog) -> Iterator[None]:
    """Blame a browser that died, instead of the app, for whatever a judging came to.

    Where the app could only be stopped by ending the browser, what was concluded from that stands.

    Args:
        browser: The browser in which the block judges.
        watchdog: Knows whether a browser had to be ended.

    Raises:
        BrowserUnavailable: The browser is gone; the next task gets a new one.
    """
    is_spent = watchdog.from_now()
    try:
        yield
    except Exception:  # what stops the session, as Ctrl-C does, ends the browser, too
        if not is_alive(browser):
            raise BrowserUnavailable(_DIED) from None
        raise
    if not is_spent() and not is_alive(browser):
        raise BrowserUnavailable(_DIED)


def record(item: TaskItem, run: Run, attempts: Sequence[Attempt], verdict: Verdict) -> None:
    """Put what came of a task on record: in the run's results and in the item's properties.

    Args:
        item: The item that was judged.
        run: The run.
        attempts: Its attempts, each with the verdicts of its judges.
        verdict: What they come to together.
    """
    several = len(attempts) > 1
    for attempt in attempts:
        for vote, one in enumerate(attempt.votes, start=1):
            part = several or len(attempt.votes) > 1
            run.write(_record_of(item, run, attempt, one, vote=vote, part=part))
        if several and len(attempt.votes) > 1:
            run.write(_record_of(item, run, attempt, attempt.verdict, vote=0, part=True))
    if several or len(attempts[0].votes) > 1:
        _record_whole(item, run, attempts, verdict)
    _keep(item, attempts, verdict)


def amend(item: TaskItem, verdict: Verdict) -> None:
    """Put a verdict on record that an override of `appbench_verdict` made of the judges' own.

    Args:
        item: The item that was judged.
        verdict: What its test function was given.

    Raises:
        SettingsError: It is no verdict, or nobody judged.
    """
    if not isinstance(verdict, Verdict) or (attempts := item.stash.get(ATTEMPTS, None)) is None:
        raise SettingsError(
            "an override of the fixture `appbench_verdict` must take the verdict of the fixture "
            "of this name and return it or a changed copy; to judge in another way, override "
            "`appbench_judge`"
        )
    if verdict is not item.stash[VERDICT]:
        _record_whole(item, run_of(item.config), attempts, verdict)
        _keep(item, attempts, verdict)


def _record_whole(item: TaskItem, run: Run, attempts: Sequence[Attempt], verdict: Verdict) -> None:
    if len(attempts) > 1:
        spent = [a.made.usage for a in attempts if a.made.usage]
        whole = _record_of(item, run, replace(attempts[0], number=0), verdict, vote=0)
        own = {"artifact": None, "built": None, "generation": summed(spent) if spent else None}
        run.write(whole.model_copy(update=own))
    else:
        vote = 0 if len(attempts[0].votes) > 1 else 1
        run.write(_record_of(item, run, attempts[0], verdict, vote=vote))


def _keep(item: TaskItem, attempts: Sequence[Attempt], verdict: Verdict) -> None:
    item.stash[VERDICT], item.stash[ATTEMPTS] = verdict, attempts
    set_properties(item, verdict, _origin(item, attempts[0]), len(attempts))
    sandboxes = (attempt.sandbox for attempt in attempts)
    set_property(item, "appbench.sandbox", next((name for name in sandboxes if name), None))


def _origin(item: TaskItem, attempt: Attempt) -> str:
    made = attempt.made
    return _generator(item) if isinstance(made, Exception) else made.artifact.origin


def note_generator(item: TaskItem, generator: Callable[..., Any]) -> None:
    """Remember what a generator is called on record where it leaves no app that says so.

    Args:
        item: The item.
        generator: What `appbench_generator` gave: one that the settings name, or a user's own.
    """
    settings = item.config.stash[SETTINGS]
    is_named = type(generator).__module__.startswith("pytest_appbench.")
    own = own_name(generator, settings.generator_version)
    item.stash[GENERATOR] = settings.generator if is_named else own


def _generator(item: TaskItem) -> str:
    return item.stash.get(GENERATOR, item.config.stash[SETTINGS].generator)


def record_error(item: TaskItem, report: pytest.TestReport, call: pytest.CallInfo[Any]) -> None:
    """Put an error of the harness on record, if that is what ended the item.

    Args:
        item: The item.
        report: The report of one phase.
        call: The phase it reports on.
    """
    if report.when != "setup" or not report.failed or call.excinfo is None:
        return
    run, message = run_of(item.config), call.excinfo.exconly()
    for name in ("intention", "static", "dynamic", "score", "label", "cause", "evidence"):
        set_property(item, f"appbench.{name}", None)
    set_property(item, "appbench.verdict", "error")
    made = item.stash.get(MADE, None)
    run.write(
        Record(
            run=run.id,
            nodeid=item.nodeid,
            rerun=rerun_of(item),
            outcome="error",
            task=TaskWords.model_validate(item.task, from_attributes=True),
            generator=made.artifact.origin if made else _generator(item),
            artifact=made.artifact.digest if made else None,
            error=scrub(message),
            seconds=_seconds(item),
            time=time.time(),
        )
    )


def _record_of(
    item: TaskItem, run: Run, attempt: Attempt, verdict: Verdict, *, vote: int, part: bool = False
) -> Record:
    made = attempt.made
    return Record(
        run=run.id,
        nodeid=item.nodeid,
        attempt=attempt.number,
        vote=vote,
        part=part,
        rerun=rerun_of(item),
        outcome=verdict.status,
        task=TaskWords.model_validate(item.task, from_attributes=True),
        generator=_origin(item, attempt),
        artifact=None if isinstance(made, Exception) else made.artifact.digest,
        built=attempt.built,
        generation=made.usage,
        sandbox=attempt.sandbox,
        verdict=verdict,
        seconds=None if part else _seconds(item),
        time=time.time(),
    )


def _seconds(item: pytest.Item) -> float | None:
    """How long the item has run so far."""
    started = item.stash.get(STARTED, None)
    return None if started is None else round(time.monotonic() - started, 3)
