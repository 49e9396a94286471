"""What users of pytest and Playwright do every day, done to tasks."""

from __future__ import annotations

import pytest

from kit import COUNTER_CHECKS, Benchmark

INTERRUPTED = """
import psutil


def check_static_is_interrupted(page):
    '''As Ctrl-C, which a terminal sends to the browser, too.'''
    for process in psutil.Process().children(recursive=True):
        process.kill()
    raise KeyboardInterrupt
"""


def test_ctrl_c_stops_the_session_and_blames_no_browser(benchmark: Benchmark) -> None:
    benchmark.task("first", checks=INTERRUPTED)
    benchmark.task("second")
    result = benchmark.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert [record.outcome for record in benchmark.records()] == []


def test_arguments_of_contexts_are_overridden_in_any_scope(benchmark: Benchmark) -> None:
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture
        def browser_context_args(browser_context_args):
            return {**browser_context_args, "locale": "de-DE"}
        """,
    )
    german = """
def check_static_is_german(page):
    assert page.evaluate("navigator.language") == "de-DE"
"""
    benchmark.task(checks=COUNTER_CHECKS + german)
    benchmark.run().assert_outcomes(passed=1)


def test_a_context_that_nothing_guards_is_refused_with_the_way_to_make_one(
    benchmark: Benchmark,
) -> None:
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture
        def context(browser, browser_context_args):
            made = browser.new_context(**browser_context_args)
            yield made
            made.close()
        """,
    )
    benchmark.task()
    result = benchmark.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines("*lies in a context that nothing guards*")
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture
        def context(new_context):
            return new_context(base_url="http://base.test")
        """,
    )
    benchmark.run().assert_outcomes(passed=1)


def test_a_fixture_that_fails_when_it_is_torn_down_fails_the_run_whatever_gates_say(
    benchmark: Benchmark,
) -> None:
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture(autouse=True)
        def untidy():
            yield
            raise RuntimeError("left a mess")
        """,
    )
    benchmark.task()
    result = benchmark.run("--appbench-gate=pass_rate >= 1")
    result.assert_outcomes(passed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_what_pytest_expects_to_fail_fails_no_run_that_is_resumed(benchmark: Benchmark) -> None:
    benchmark.write(
        "conftest.py",
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                if item.name.startswith("bad"):
                    item.add_marker(pytest.mark.xfail)
        """,
    )
    benchmark.task("good")
    benchmark.task("bad", app="<!doctype html><title>x</title><p>nothing</p>")
    assert benchmark.run("--appbench-resume=r", "-k", "good").ret == 0
    result = benchmark.run("--appbench-resume=r")
    result.assert_outcomes(xfailed=1, deselected=1)
    assert result.ret == 0


def test_each_rerun_of_a_test_keeps_its_evidence(benchmark: Benchmark) -> None:
    benchmark.task()
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_protocol(item, nextitem):
            from _pytest.runner import runtestprotocol

            for item.execution_count in (1, 2):
                item._initrequest()
                runtestprotocol(item, nextitem=nextitem)
            return True
        """,
    )
    benchmark.write(
        "test_own.py",
        """
        def test_own(appbench):
            assert appbench.judge("bench/apps/counter/good", query="A counter")
        """,
    )
    benchmark.run("test_own.py")
    kept = sorted(path.name for path in benchmark.runs()[-1].glob("tasks/test_own.py/*/*"))
    assert kept == ["1", "1-rerun1"]


def test_a_verdict_that_a_fixture_changes_is_the_one_on_record(benchmark: Benchmark) -> None:
    override = """
        import pytest

        @pytest.fixture
        def appbench_verdict({0}):
            return {1}
        """
    benchmark.task(app="<!doctype html><title>x</title><p>nothing</p>")
    pardoned = override.format(
        "appbench_verdict", "appbench_verdict.model_copy(update={'status': 'pass'})"
    )
    benchmark.write("conftest.py", pardoned)
    properties = benchmark.junit()
    assert benchmark.verdict().status == "pass"
    assert properties["counter[chromium]"]["appbench.verdict"] == "pass"
    benchmark.write("conftest.py", override.format("", "True"))
    result = benchmark.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines("*to judge in another way, override `appbench_judge`*")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("judge", "'probe'", "*it must return a callable that takes a judging*"),
        (
            "judge",
            "lambda judging: None",
            "*the judge <lambda> answered None; it must return a Ver*",
        ),
        ("artifact", "'dist'", "*'dist'; it must return an Artifact*"),
    ],
)
def test_a_fixture_that_answers_what_it_must_not_is_told_what_it_must(
    benchmark: Benchmark, name: str, value: str, said: str
) -> None:
    benchmark.write(
        "conftest.py",
        f"""
        import pytest

        @pytest.fixture
        def appbench_{name}():
            return {value}
        """,
    )
    benchmark.task()
    result = benchmark.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(said)
