"""Runs a project's tests of the steps 1 to N on the files as they are.

A suite is handed an artifact and never lets it touch the tests: checks in Python stay in the
project's folder and see only the served page, built first where the task's format asks for it;
Playwright's own tests run in a fresh copy of the project. A suite knows nothing of attempts,
figures or generators.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pytest_appbench.errors import BuildFailed
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.probe.checks import load_checks, run_check

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Format
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.judges.judging import Check, Judging
    from pytest_appbench.judges.verdict import CheckResult
    from pytest_appbench.sites import Served
    from pytest_appbench.stepwise.project import Project

MOST_ERRORS = 12
"""Failed tests that are told to the generator; the rest is counted."""


@dataclass(frozen=True)
class Ran:
    """How the tests of the steps 1 to N ended.

    Attributes:
        failures: A line or more for each test that failed; none means that all passed. Cleaned:
            without colours, without paths of this machine.
        tests: How many tests there were.
        sandbox: How foreign processes of the tests were kept in, if any ran; those of the app
            are the site's.
        touched: Files of the project that were written to while the tests ran, or that it was
            tried on.
        site: Where the app was served, or why it could not be; None where the tests serve it.
    """

    failures: tuple[str, ...]
    tests: int = 0
    sandbox: str | None = None
    touched: tuple[str, ...] = ()
    site: Served | BuildFailed | None = None

    @property
    def kept_in(self) -> str | None:
        """How foreign processes were kept in, those of the tests or of the app."""
        return self.sandbox or (self.site.sandbox if self.site is not None else None)

    @property
    def error(self) -> str:
        """What went wrong, for the generator's second attempt; empty if all passed."""
        shown = list(self.failures[:MOST_ERRORS])
        if more := len(self.failures) - len(shown):
            shown.append(f"and {more} more")
        return "\n".join(shown)


class Suite(Protocol):
    """The tests of a project."""

    def run(self, app: Artifact, names: tuple[str, ...]) -> Steps[Ran]:
        """Run the tests of some steps.

        Args:
            app: The files as they are.
            names: The ids of the steps whose tests are run; the last one was just taken.
        """
        ...


@dataclass
class CheckSuite:
    """A project's checks in Python, each on a fresh and guarded page.

    Attributes:
        project: The project.
        form: What the app is made of.
        judging: What a check needs, for an app and where it is served.
        serve: Serves an app at an address of its own until the stack ends; an app that has to be
            built or started is so before.
    """

    project: Project
    form: Format
    judging: Callable[[Artifact, Served], Judging]
    serve: Callable[[Artifact, ExitStack], Steps[Served]]
    _checks: dict[str, tuple[Check, ...]] = field(default_factory=dict)
    _known: dict[tuple[str, str, str], CheckResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read all checks, so that a broken one is told before anything is spent."""
        self._checks = {name: load_checks(path) for name, path in self.project.tests.items()}

    def run(self, app: Artifact, names: tuple[str, ...]) -> Steps[Ran]:
        """Run the checks of some steps; on the same files no check is run twice.

        Args:
            app: The files as they are.
            names: The ids of the steps.
        """
        if self.form.root(app.files) != "":
            return Ran((self.form.missing,))
        with ExitStack() as stack:
            try:
                site = yield from self.serve(app, stack)
            except BuildFailed as failure:
                return Ran((str(failure),), site=failure)
            judging = self.judging(app, site)
            failures, tests = [], 0
            for name in names:
                for check in self._checks.get(name, ()):
                    key = app.digest, name, check.name
                    if key not in self._known:
                        self._known[key] = yield BrowserCall(_running(check, judging))
                    result, tests = self._known[key], tests + 1
                    if result.outcome == "failed":
                        earlier = "" if name == names[-1] else f"{name} no longer holds: "
                        failures.append(f"{earlier}{result.claim}\n  {result.message}")
            return Ran(tuple(failures), tests, site=site)


def _running(check: Check, judging: Judging) -> Callable[[], CheckResult]:
    return lambda: run_check(check, judging)
