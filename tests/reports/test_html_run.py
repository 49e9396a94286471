"""`--appbench-html`, `appbench report` and `appbench view`, from a real run on two workers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from kit import COUNTER, COUNTER_CHECKS, DEAD_COUNTER, OF_A_SERVICE, Benchmark, SharedBenchmark
from reportkit import unpacked

TALKATIVE = COUNTER.replace(
    "let n = 0",
    "let n = 0; console.error('\\x1b[31mit says'); fetch('http://elsewhere.example/').catch(() => 0);",
)
TASKS = """\
id: good
domain: tools
level: easy
query: A counter with a button "Add one".
reference:
  dynamic: [Three presses make three.]
---
id: dead
domain: tools
query: A counter.
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A good app that says something, and a dead one."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("html"))
    bench.write("bench/tools.task.yaml", TASKS)
    for name, app in (("good", TALKATIVE), ("dead", DEAD_COUNTER)):
        bench.app(name, app)
        bench.write(f"bench/checks/{name}.py", COUNTER_CHECKS)
    bench.write("pytest.ini", "[pytest]\nappbench_html = out/report.html\n")
    bench.start("-n2", environment={})
    return bench


def appbench(
    bench: SharedBenchmark, *arguments: str, entered: str = ""
) -> subprocess.CompletedProcess[str]:
    """Use the command line beside the run."""
    return subprocess.run(
        [sys.executable, "-m", "pytest_appbench.cli", *arguments],
        cwd=bench.root,
        env={name: value for name, value in os.environ.items() if name not in OF_A_SERVICE},
        input=entered,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_session_writes_its_report_and_says_where(ran: SharedBenchmark) -> None:
    report = ran.root / "out" / "report.html"
    assert f"generated report: {Path('out/report.html')}" in ran.output
    dead, good = (detail["main"] for detail in unpacked(report))
    assert good["q"] == 'A counter with a button "Add one".'
    assert good["ref"] == {"dynamic": ["Three presses make three."]}
    (judged,) = dead["p"]
    assert (judged["o"], judged["j"]) == ("fail", "probe")
    assert [check["o"] for check in judged["ch"]].count("failed") == 2
    assert judged["st"][0]["a"] == "open"
    pictures = [report.parent / picture["u"] for picture in judged["im"]]
    assert [path.is_file() for path in pictures] == [True, True]


def test_the_command_makes_the_same_report_of_the_run(ran: SharedBenchmark) -> None:
    first = ran.root / "out" / "report.html"
    done = appbench(ran, "report", str(ran.runs()[-1]), "-o", "out/again.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "out/again.html: 0.1 MB\n"
    assert (ran.root / "out" / "again.html").read_text() == first.read_text()
    done = appbench(
        ran,
        *("report", str(ran.runs()[-1] / "results.jsonl"), "-o", "out/embedded.html"),
        "--screenshots=embed",
    )
    assert done.returncode == 0
    (dead, _) = unpacked(ran.root / "out" / "embedded.html")
    assert {picture["t"] for picture in dead["main"]["p"][0]["im"]} == {"jpeg"}


def test_a_judged_app_is_opened_again_under_guard(ran: SharedBenchmark) -> None:
    done = appbench(ran, "view", str(ran.runs()[-1]), "good", "--headless", entered="")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pass: ")
    assert "open at http://" in done.stdout
    assert "console error: [U+001B][31mit says" in done.stdout
    assert "blocked fetch http://elsewhere.example/" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["view", "RUN", "gone"], "no task 'gone' was judged here; there are dead, good"),
        (["view", "RUN", "good", "--attempt=7"], "good has no attempt 7 on record"),
        (["view", "RUN", "good", "--cache-dir=other"], "its app is not in other any more"),
        (["report", "nowhere"], "nowhere: there is no such run"),
        (["report", "RUN", "-o", "out/report.html/x"], "report.html/x cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    ran: SharedBenchmark, arguments: Sequence[str], told: str
) -> None:
    run = str(ran.runs()[-1])
    done = appbench(ran, *(run if word == "RUN" else word for word in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("appbench: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_report_that_cannot_be_written_costs_no_result(benchmark: Benchmark) -> None:
    benchmark.task(checks=None)
    (benchmark.root / "file").write_text("")
    result = benchmark.run("--appbench-html=file/report.html", "--appbench-generator=dir:nowhere")
    result.stdout.fnmatch_lines(["*report.html cannot be written: *"])
    assert benchmark.record().outcome == "error"


def test_a_folder_in_place_of_the_report_is_refused_at_the_start(benchmark: Benchmark) -> None:
    benchmark.task(checks=None)
    (benchmark.root / "report.html").mkdir()
    result = benchmark.run("--appbench-html=report.html")
    result.stderr.fnmatch_lines(["*report.html is a folder; name a file in it"])
    assert result.ret == 4


def test_a_run_that_cannot_be_written_is_refused_before_an_app_is_judged(
    benchmark: Benchmark,
) -> None:
    benchmark.task(checks=None)
    (benchmark.root / "file").write_text("")
    result = benchmark.run("--appbench-run-dir=file/runs")
    result.stderr.fnmatch_lines(["ERROR: --appbench-run-dir: * cannot be written: *"])
    assert result.ret == 4
    result = benchmark.run("-o", "appbench_cache_dir=file/cache")
    result.stderr.fnmatch_lines(["ERROR: appbench_cache_dir: * cannot be made: *"])
    assert result.ret == 4


def test_a_session_without_tasks_writes_no_report(benchmark: Benchmark) -> None:
    benchmark.write("test_plain.py", "def test_plain():\n    pass\n")
    result = benchmark.run("--appbench-html=report.html")
    result.stdout.fnmatch_lines(["*no app was judged, so *report.html was not written*"])
    assert result.ret == 0
    assert not (benchmark.root / "report.html").exists()
