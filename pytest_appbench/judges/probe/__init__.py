"""The probe: a judge without a model. It opens the app, explores it and runs the task's checks.

Scores come from checks alone. The app fails without them only on evidence that would convince its
author, and it never passes where no check looked.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_appbench.errors import JudgeError, SettingsError
from pytest_appbench.judges.judging import Judge, Judging, require_browser
from pytest_appbench.judges.verdict import (
    DIMENSIONS,
    Attempted,
    CheckResult,
    Citation,
    Dimension,
    Finding,
    Reason,
    Scores,
    Status,
    Usage,
    Verdict,
    meets,
)

if TYPE_CHECKING:
    from pytest_appbench.browser.act import Step
    from pytest_appbench.browser.errors import PageLost
    from pytest_appbench.browser.session import Session

NAME = "probe"
MAX_ACTIONS = 40
"""The most uses of controls in an exploration; entering one value is one use."""
TIME_LIMIT = 120.0
"""The most seconds of one judging."""
CAP = 0.4
"""The most that a dimension can score when one of its checks failed or the app has a fault."""


def make_judge(options: str) -> Judge:
    """Make the probe.

    Args:
        options: What follows the colon in the specification; the probe takes nothing.

    Raises:
        SettingsError: There were options.
    """
    if options:
        raise SettingsError(f"the probe takes no options, but {options!r} follows the colon")
    return judge


@dataclass
class _Record:
    """What a judging has gathered so far."""

    findings: list[Finding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    attempted: dict[tuple[str, str], int] = field(default_factory=dict)
    failed_to_load: bool = False
    unfinished: bool = False

    def take_attempts(self, session: Session) -> None:
        """Add what this page tried and the guard stopped."""
        for tried in session.events.attempted:
            key = tried.kind, tried.url
            self.attempted[key] = self.attempted.get(key, 0) + tried.count


def judge(judging: Judging) -> Verdict:
    """Judge an app by looking at it, using it, and running its task's checks.

    Args:
        judging: The app, the checks and the limits.

    Returns:
        The verdict.

    Raises:
        CheckError: A check is itself broken.
        BrowserUnavailable: The browser died.
        JudgeError: The browser is not Chromium.
    """
    started = time.monotonic()
    record = _explored(judging)
    if not record.failed_to_load:
        _run_checks(judging, record, started + _time_limit(judging))
    verdict = _verdict(judging, record, time.monotonic() - started)
    if judging.evidence is not None:
        judging.evidence.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(step.as_json()) + "\n" for step in record.steps)
        (judging.evidence / "trajectory.jsonl").write_text(lines, encoding="utf-8")
    return verdict


class ProbeScreen:
    """Looks at an app and uses it, without checks, before a model is asked to judge it."""

    def __init__(self) -> None:
        self._record: _Record | None = None

    def findings(self, judging: Judging) -> Sequence[Finding]:
        """What the probe noticed.

        Args:
            judging: The app; it is looked at once, however often this is asked.
        """
        return tuple(self._seen(judging).findings)

    def verdict(self, judging: Judging) -> Verdict | None:
        """The probe's verdict if the app is dead on arrival, else None.

        Args:
            judging: The app.
        """
        record = self._seen(judging)
        return _verdict(judging, record, 0.0) if record.failed_to_load else None

    def _seen(self, judging: Judging) -> _Record:
        if self._record is None:
            self._record = _explored(judging)
        return self._record


def _explored(judging: Judging) -> _Record:
    from pytest_appbench.browser.errors import NotSupported

    record = _Record()
    try:
        _look_at(judging, record)
        if not record.failed_to_load:
            _use(judging, record)
    except NotSupported as error:
        raise JudgeError(f"the probe needs Chromium; choose it with --browser: {error}") from error
    return record


def _look_at(judging: Judging, record: _Record) -> None:
    from pytest_appbench.browser.errors import PageLost
    from pytest_appbench.judges.probe.accessibility import check_accessibility
    from pytest_appbench.judges.probe.health import (
        asks_for_automation,
        check_calm,
        check_health,
        photograph,
    )

    lost: PageLost | None = None
    began = time.monotonic()
    with judging.sessions.open() as session:
        health = check_health(session, judging)
        record.findings += health.findings
        failure = health.failure
        if failure is None:
            try:
                record.findings += photograph(session, judging)
                record.findings += check_accessibility(session)
                failure = check_calm(session)
            except PageLost as error:
                require_browser(session)
                lost = error
        seconds = time.monotonic() - began
        record.findings += asks_for_automation(session, judging)
        record.take_attempts(session)
    if lost is not None:
        _weigh(lost, session, judging, record, seconds)
    if failure is not None:
        record.findings.insert(0, failure)
        record.failed_to_load = True


def _use(judging: Judging, record: _Record) -> None:
    from pytest_appbench.browser.errors import PageLost
    from pytest_appbench.judges.probe.conclude import conclude
    from pytest_appbench.judges.probe.explore import SECONDS, explore

    lost: PageLost | None = None
    began = time.monotonic()
    with judging.sessions.open(clock=True) as session:
        try:
            session.open(judging.url)
            seconds = min(SECONDS, _time_limit(judging) / 2)
            most = judging.max_actions or MAX_ACTIONS
            found = explore(session, judging.url, most, seconds)
        except PageLost as error:  # before it was used, or between two uses
            require_browser(session)
            lost = error
        finally:
            record.steps += session.steps
            record.take_attempts(session)
    if lost is None:
        record.findings += conclude(found, judging.sessions.open, judging.url)
    else:
        _weigh(lost, session, judging, record, time.monotonic() - began)


def _weigh(
    lost: PageLost, session: Session, judging: Judging, record: _Record, seconds: float
) -> None:
    """Find out what it means that a page was lost that was only looked at."""
    from pytest_appbench.judges.probe.health import look_again, resize_again

    found = look_again(lost, session, judging, seconds)
    if found.severity == "fault":
        record.findings.insert(0, found)
        record.failed_to_load = True
    else:
        record.findings.append(resize_again(judging) or found)


def _run_checks(judging: Judging, record: _Record, deadline: float) -> None:
    from pytest_appbench.judges.probe.checks import run_check

    for check in judging.checks:
        if time.monotonic() > deadline:
            record.unfinished = True
            return
        record.checks.append(run_check(check, judging))


def _time_limit(judging: Judging) -> float:
    return TIME_LIMIT if judging.time_limit is None else judging.time_limit


# The verdict


def _verdict(judging: Judging, record: _Record, seconds: float) -> Verdict:
    scores = _scores(judging, record)
    status, summary = _status(judging, record, scores)
    reasons = [*summary, *_reasons(record, scores)]
    return Verdict(
        status=status,
        judge=NAME,
        protocol=NAME,
        threshold=judging.threshold,
        scores=scores,
        cause="load" if record.failed_to_load else None,
        reasons=tuple(reasons),
        checks=tuple(record.checks),
        findings=tuple(record.findings),
        attempted=tuple(
            Attempted(kind=kind, url=url, count=count)
            for (kind, url), count in record.attempted.items()
        ),
        usage=Usage(actions=len(record.steps)),
        seconds=round(seconds, 3),
    )


def _scores(judging: Judging, record: _Record) -> Scores:
    if record.failed_to_load:
        return Scores(intention=0.0, static=0.0, dynamic=0.0)
    values = {dimension: _score(dimension, judging, record) for dimension in DIMENSIONS}
    if _faults(record.findings) and values["dynamic"] is not None:
        values["dynamic"] = min(CAP, values["dynamic"])
    return Scores(**values)


def _score(dimension: Dimension, judging: Judging, record: _Record) -> float | None:
    """The share of checks that passed, or None where that share is not known."""
    wanted = sum(check.dimension == dimension for check in judging.checks)
    results = [result for result in record.checks if result.dimension == dimension]
    passed = sum(result.outcome == "passed" for result in results)
    if passed < len(results):
        return min(CAP, passed / len(results))
    return 1.0 if results and len(results) == wanted else None


def _status(judging: Judging, record: _Record, scores: Scores) -> tuple[Status, list[Reason]]:
    """The status, and the reason for it where no score gives one."""
    present = [value for _, value in scores if value is not None]
    if record.failed_to_load or _faults(record.findings):
        return "fail", []
    if present and not meets(min(present), judging.threshold):
        return "fail", []
    if len(present) == len(DIMENSIONS):
        return "pass", []
    if record.unfinished:
        text = (
            f"the time limit of {_time_limit(judging):g} s was reached before all checks were run"
        )
    elif not judging.checks:
        text = "there are no checks for this task, so nothing says that the app does what was asked"
    else:
        missing = [name for name, value in scores if value is None]
        text = f"no check covers {' and '.join(missing)}"
    return "uncertain", [Reason(dimension=None, text=text)]


def _reasons(record: _Record, scores: Scores) -> Iterable[Reason]:
    faults = _faults(record.findings)
    if record.failed_to_load:
        for dimension in DIMENSIONS:
            yield Reason(dimension=dimension, text=faults[0].text, evidence=_cite(faults[:1]))
        return
    for fault in faults:
        yield Reason(dimension="dynamic", text=fault.text, evidence=_cite([fault]))
    for dimension in DIMENSIONS:
        results = [result for result in record.checks if result.dimension == dimension]
        failed = [result for result in results if result.outcome == "failed"]
        for result in failed:
            citation = Citation(source="probe", where=result.name, quote=result.message)
            yield Reason(dimension=dimension, text=result.message, evidence=(citation,))
        if results and not failed:
            yield Reason(
                dimension=dimension,
                text=f"{len(results)} of {len(results)} checks passed",
                evidence=tuple(
                    Citation(source="probe", where=result.name, quote=result.claim)
                    for result in results
                ),
            )


def _cite(findings: list[Finding]) -> tuple[Citation, ...]:
    own = (Citation(source="probe", where=one.kind, quote=one.text) for one in findings)
    steps = (citation for one in findings for citation in one.evidence)
    return (*own, *steps)


def _faults(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == "fault"]
