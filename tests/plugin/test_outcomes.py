"""From tasks to verdicts, outcomes, records and properties, in real sessions of pytest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit import COUNTER, DEAD_COUNTER, Benchmark

UNDECIDED = """
    import pytest

    @pytest.fixture
    def appbench_judge():
        from pytest_appbench.judges.verdict import Reason, Verdict

        def judge(judging):
            reason = Reason(dimension=None, text="the coin stood on its edge")
            return Verdict(
                status="uncertain", judge="coin", protocol="coin", threshold=0.8, reasons=(reason,)
            )

        return judge
    """


@pytest.fixture
def three(benchmark: Benchmark) -> Benchmark:
    """A good app, one whose button is dead, and a good one that no check covers."""
    benchmark.task("good")
    benchmark.task("dead", app=DEAD_COUNTER)
    benchmark.task("unchecked", checks=None)
    return benchmark


def outcomes(benchmark: Benchmark) -> dict[str, str]:
    return {record.task.id: record.outcome for record in benchmark.records()}


def test_a_run_gives_verdicts_with_evidence_records_and_a_table(three: Benchmark) -> None:
    result = three.run("--junitxml=report.xml")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert outcomes(three) == {"good": "pass", "dead": "fail", "unchecked": "uncertain"}
    text = result.stdout.str()
    assert "appbench: generator reference, judge probe" in text
    assert "a press of Add one is not counted" in text
    assert "(and 1 more)" in text
    assert "UNCERTAIN" in text or "uncertain" in text
    assert "judged by probe" in text
    assert "outcome.py" not in text
    table = next(line for line in result.outlines if line.startswith("tools"))
    assert table.split()[:5] == ["tools", "1", "1", "1", "0"]
    assert "33 % (6-79 %)" in table

    record = next(r for r in three.records() if r.task.id == "dead")
    assert record.verdict is not None
    assert record.verdict.scores.dynamic == 0.0
    assert record.verdict.scores.static == 1.0
    assert [c.outcome for c in record.verdict.checks] == ["failed", "passed", "failed"]
    assert record.verdict.evidence is not None
    evidence = three.runs()[-1] / record.verdict.evidence
    assert json.loads((evidence / "verdict.json").read_text())["status"] == "fail"
    assert (evidence / "trajectory.jsonl").read_text().strip()
    assert list(evidence.glob("*.jp*g"))
    joined = (three.runs()[-1] / "results.jsonl").read_text().splitlines()
    assert len(joined) == 3


def test_junit_carries_each_property_once_and_numbers_as_numbers(three: Benchmark) -> None:
    properties = three.junit("-k", "good or dead", "--reruns=1")
    assert properties["good[chromium]"]["appbench.verdict"] == "pass"
    dead = properties["dead[chromium]"]
    assert dead["appbench.verdict"] == "fail"
    assert float(dead["appbench.dynamic"]) == 0.0
    assert dead["appbench.judge"] == "probe"
    assert dead["appbench.generator"] == "reference:good"
    assert "appbench.cost_usd" not in dead
    assert (three.runs()[-1] / dead["appbench.evidence"]).is_dir()
    report = (three.root / "report.xml").read_text()
    final = report[report.rindex("<testcase", 0, report.rindex("appbench.verdict")) :]
    assert final.count('name="appbench.verdict"') == 1
    record = next(r for r in three.records() if r.task.id == "dead")
    assert record.rerun == 1
    assert "1-rerun1" in dead["appbench.evidence"]


@pytest.mark.parametrize(("policy", "code"), [("fail", 1), ("skip", 0), ("xfail", 0), ("pass", 0)])
def test_an_uncertain_verdict_counts_by_policy_and_stays_uncertain_on_record(
    benchmark: Benchmark, policy: str, code: int
) -> None:
    benchmark.task()
    benchmark.write("bench/conftest.py", UNDECIDED)
    result = benchmark.run(f"--appbench-uncertain={policy}")
    assert result.ret == code
    assert "1 uncertain" in result.outlines[-1]
    assert "the coin stood on its edge" in result.stdout.str()
    assert "judged by coin" in result.stdout.str()
    assert outcomes(benchmark) == {"counter": "uncertain"}


def test_workers_and_a_single_process_come_to_the_same(three: Benchmark) -> None:
    def comparable(properties: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        return {
            name: {k: v for k, v in values.items() if k != "appbench.seconds"}
            for name, values in properties.items()
        }

    serial = comparable(three.junit("-p", "no:xdist"))
    first = {
        r.nodeid: (r.outcome, r.artifact, r.verdict and r.verdict.scores) for r in three.records()
    }
    spread = comparable(three.junit("-n", "2"))
    second = {
        r.nodeid: (r.outcome, r.artifact, r.verdict and r.verdict.scores) for r in three.records()
    }
    assert serial == spread
    assert first == second
    assert len(three.runs()) == 2


def test_a_killed_worker_costs_the_task_that_was_running_and_nothing_else(
    three: Benchmark,
) -> None:
    three.task("killer")
    three.write(
        "bench/conftest.py",
        """
        import os

        import pytest

        @pytest.fixture
        def appbench_site(appbench_site, appbench_task):
            if appbench_task.id == "killer":
                os._exit(1)
            return appbench_site
        """,
    )
    result = three.run("-n", "2", "--junitxml=report.xml")
    assert outcomes(three) == {
        "good": "pass",
        "dead": "fail",
        "unchecked": "uncertain",
        "killer": "error",
    }
    lost = next(r for r in three.records() if r.task.id == "killer")
    assert lost.error is not None
    assert "crashed" in lost.error
    assert lost.task.domain == "tools"
    assert "1 error" in result.outlines[-1]
    assert result.ret == 1


def test_a_killed_browser_is_an_error_and_the_next_task_gets_a_new_one(
    benchmark: Benchmark,
) -> None:
    benchmark.task("a-killer")
    benchmark.task("b-good")
    benchmark.write(
        "bench/conftest.py",
        """
        import psutil
        import pytest

        @pytest.fixture
        def appbench_judge(appbench_judge, appbench_task):
            def judge(judging):
                if appbench_task.id == "a-killer":
                    for child in psutil.Process().children(recursive=True):
                        if "chrom" in child.name():
                            child.kill()
                return appbench_judge(judging)
            return judge
        """,
    )
    result = benchmark.run("-p", "no:xdist")
    assert outcomes(benchmark) == {"a-killer": "error", "b-good": "pass"}
    assert "the browser died" in result.stdout.str()


def test_a_missing_app_and_a_broken_check_are_errors_of_their_task_only(
    benchmark: Benchmark,
) -> None:
    benchmark.task("good")
    benchmark.task("homeless", app=None)
    benchmark.task("typo", checks="def check_static_typo(page):\n    pgae.title()\n")
    result = benchmark.run("-p", "no:xdist")
    assert outcomes(benchmark) == {"good": "pass", "homeless": "error", "typo": "error"}
    text = result.stdout.str()
    assert "no app for task 'homeless'" in text
    assert "typo.py:2" in text
    assert "Traceback" not in text
    result.assert_outcomes(passed=1, errors=2)


def test_apps_of_a_folder_are_judged_and_last_failed_runs_what_did_not_pass(
    pytester: pytest.Pytester, three: Benchmark
) -> None:
    three.write("out/good/index.html", COUNTER)
    three.write("out/dead.html", DEAD_COUNTER)
    arguments = ["--appbench-generator=dir:out", "-k", "not unchecked", "-p", "no:xdist"]
    pytester.runpytest_subprocess(*arguments)
    assert outcomes(three) == {"good": "pass", "dead": "fail"}
    three.write("out/dead.html", COUNTER)
    again = pytester.runpytest_subprocess("--lf", *arguments)
    again.assert_outcomes(passed=1)
    assert outcomes(three) == {"dead": "pass"}


def test_the_users_own_playwright_tests_keep_their_browser(benchmark: Benchmark) -> None:
    benchmark.task("good")
    benchmark.write(
        "conftest.py",
        """
        import pytest
        from pytest_appbench.browser.launch import find_chromium, guard_arguments

        @pytest.fixture(scope="session")
        def browser_type_launch_args(browser_type_launch_args):
            own = [a for a in guard_arguments(0) if a == "--no-sandbox"]
            path = find_chromium().executable
            return {**browser_type_launch_args, "executable_path": path, "args": own}
        """,
    )
    benchmark.write(
        "bench/test_zz_own.py",
        """
        import http.server
        import threading

        def test_reaches_loopback(page):
            server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            assert page.goto(f"http://127.0.0.1:{server.server_port}/").ok
            server.shutdown()
        """,
    )
    benchmark.run("-p", "no:xdist").assert_outcomes(passed=2)


def test_generator_and_judge_fixtures_may_be_async(benchmark: Benchmark) -> None:
    benchmark.task("good", app=None)
    benchmark.write("elsewhere/index.html", COUNTER)
    benchmark.write(
        "bench/conftest.py",
        """
        from pathlib import Path

        import anyio
        import pytest

        @pytest.fixture
        def appbench_generator():
            async def generate(task):
                await anyio.sleep(0.05)
                return Path("elsewhere").resolve()
            return generate
        """,
    )
    benchmark.run("-p", "no:xdist").assert_outcomes(passed=1)


def test_an_ordinary_test_judges_an_app_and_asserts_on_the_verdict(benchmark: Benchmark) -> None:
    benchmark.write("dist/index.html", DEAD_COUNTER)
    benchmark.write(
        "test_mine.py",
        """
        def check_dynamic_counts(page):
            page.get_by_role("button").click()
            assert page.get_by_role("status").inner_text() == "1", "a press is not counted"

        def test_verdict(appbench, tmp_path):
            verdict = appbench.judge("dist", query="a counter", checks=[check_dynamic_counts])
            assert verdict.status == "fail"
            assert verdict.scores.dynamic == 0
            assert verdict.checks[0].message.splitlines()[0] == "a press is not counted"
            assert verdict.judge == "probe"
        """,
    )
    benchmark.run("-p", "no:xdist").assert_outcomes(passed=1)
    record = benchmark.records()[0]
    assert record.nodeid == "test_mine.py::test_verdict[chromium]"
    assert record.verdict is not None
    assert Path(benchmark.runs()[-1], record.verdict.evidence or "-").is_dir()


def test_verbose_output_lists_every_check(benchmark: Benchmark) -> None:
    benchmark.task("good")
    result = benchmark.run("-v", "-p", "no:xdist")
    result.stdout.fnmatch_lines(
        [
            "*tools.task.yaml::good* PASSED*",
            "*passed *check_intention_counts*A press counts.*",
            "*passed *check_static_has_a_button*",
            "*passed *check_dynamic_goes_on_counting*",
        ]
    )
