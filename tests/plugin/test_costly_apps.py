"""Apps that can be stopped only by ending their browser are judged all the same, in a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from brains import clicker
from kit import COUNTER, COUNTER_CHECKS, Benchmark
from provider import Provider

JUDGE = "anthropic:claude-opus-4-8"
# What ends a page's script or renderer does nothing, as where a browser is too busy to listen.
ONLY_THE_BROWSER = """\
from pytest_appbench.browser import session

session.chromium_rungs = lambda *_: []
"""

DARK = """
import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.browser_context_args(color_scheme="dark"))
"""
IS_DARK = """

def check_static_is_dark(page):
    '''It is shown in the dark.'''
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
"""

LOST_ONCE = """\
from pytest_appbench.browser.errors import PageUnresponsive
from pytest_appbench.browser.session import Session

come_up = Session.open

def fail_once(self, url, **options):
    Session.open = come_up
    raise PageUnresponsive("the machine was too slow")

Session.open = fail_once
"""


def hanging(when: str) -> str:
    """A counter that hangs on an event of its window, such as a click."""
    script = f"addEventListener('{when}', () => {{ while (true); }})"
    return COUNTER.replace("</body>", f"<script>{script}</script></body>")


def test_what_is_left_of_a_judging_is_done_in_a_new_browser(benchmark: Benchmark) -> None:
    benchmark.write("conftest.py", ONLY_THE_BROWSER + DARK)
    benchmark.task(app=hanging("click"), checks=COUNTER_CHECKS + IS_DARK)
    benchmark.task("plain")
    result = benchmark.run()
    verdict = benchmark.verdict()
    (fault,) = [finding for finding in verdict.findings if finding.severity == "fault"]
    assert fault.text == 'the page no longer answered after this: button "Add one": click'
    outcomes = {check.name: check.outcome for check in verdict.checks}
    assert outcomes == {
        "check_intention_counts": "failed",
        "check_static_has_a_button": "passed",
        "check_static_is_dark": "passed",
        "check_dynamic_goes_on_counting": "failed",
    }
    assert verdict.status == "fail"
    result.assert_outcomes(passed=1, failed=1)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider whose judge clicks once and concludes."""
    with Provider(clicker) as provider:
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)
        yield provider


def test_a_model_is_told_and_concludes(benchmark: Benchmark, provider: Provider) -> None:
    benchmark.write("conftest.py", ONLY_THE_BROWSER)
    benchmark.task(app=hanging("click"))
    benchmark.run(f"--appbench-judge={JUDGE}", "--appbench-screen=off")
    _, after_script, after_look = provider.requests
    assert "the page did not answer within 5 s; its browser was ended" in after_script.said
    assert "the page is lost for good" in after_look.said
    assert benchmark.verdict().judge == JUDGE


def test_a_model_is_told_of_a_window_in_which_an_app_hangs(
    benchmark: Benchmark, provider: Provider
) -> None:
    benchmark.task(app=hanging("resize"))
    benchmark.run(f"--appbench-judge={JUDGE}", "--appbench-screen=off")
    assert re.search(
        "In a window of 390 x 844 it cannot be used:\n.*begin untrusted page.*\n"
        "the page did not answer within 5 s; its script was ended",
        provider.requests[1].said,
    )
    assert benchmark.verdict().judge == JUDGE


@pytest.mark.parametrize("conftest", [ONLY_THE_BROWSER, ""], ids=["browser", "script"])
def test_an_app_that_cannot_be_opened_for_a_model_is_dead_also_where_nobody_looked_before(
    benchmark: Benchmark, provider: Provider, conftest: str
) -> None:
    benchmark.write("conftest.py", conftest)
    benchmark.task(app=hanging("load"))
    benchmark.run(f"--appbench-judge={JUDGE}", "--appbench-screen=off")
    verdict = benchmark.verdict()
    assert (verdict.status, verdict.cause, verdict.judge) == ("fail", "load", "probe")
    assert verdict.reasons[0].text.startswith("the page hangs while it loads")
    assert provider.requests == []


def test_an_app_that_is_lost_before_a_model_can_look_and_else_comes_up_is_undecided(
    benchmark: Benchmark, provider: Provider
) -> None:
    benchmark.write("conftest.py", LOST_ONCE)
    benchmark.task()
    benchmark.run(f"--appbench-judge={JUDGE}", "--appbench-screen=off")
    verdict = benchmark.verdict()
    assert (verdict.status, verdict.judge, verdict.cut_short) == ("uncertain", JUDGE, True)
    assert verdict.reasons[0].text == (
        "the app was lost while it was opened for the judge: the machine was too slow"
    )
    assert provider.requests == []
