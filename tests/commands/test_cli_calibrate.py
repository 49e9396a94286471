"""`appbench calibrate`: a judge against apps whose quality is known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from brains import clicker
from kit import COUNTER, DEAD_COUNTER, Benchmark
from provider import Provider
from pytest_appbench.calibration import (
    Calibration,
    Judged,
    LabelledApp,
    conclude,
    estimate,
    find,
    find_for,
    labelled_apps,
    place_of,
)
from pytest_appbench.cli import main
from pytest_appbench.judges.verdict import Usage, Verdict
from pytest_appbench.reports.results import Record
from pytest_appbench.settings import Settings, resolve
from pytest_appbench.statistics.agreement import Case
from pytest_appbench.tasks.model import Task
from recordkit import a_record

MODEL = "anthropic:claude-opus-4-8"
SET = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")
FAULTS = """\
- `faulty`: dead control: the button does nothing.
- `planted-1`: wrong count: every tenth press counts twice.
"""
LATE = COUNTER.replace("++n", "(n += n % 10 == 9 ? 2 : 1)")
RENAMED = COUNTER.replace(">Add one<", ">Increase<")


@pytest.fixture
def benchmark_dir(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """A task with good and faulty apps, one of each wrongly judged by its checks."""
    bench = Benchmark(pytester)
    bench.task()
    bench.task("bare", app=None, checks=None)
    for name, page in (("good2", RENAMED), ("faulty", DEAD_COUNTER), ("planted-1", LATE)):
        bench.app("counter", page, name)
    bench.app("counter", COUNTER, "draft")
    bench.write("bench/apps/counter/FAULTS.md", FAULTS)
    monkeypatch.chdir(bench.root)
    return bench


def calibrate(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    usual = {name: value for name, value in os.environ.items() if name not in SET}
    return subprocess.run(
        [sys.executable, "-m", "pytest_appbench.cli", "calibrate", "bench", *arguments],
        env={**usual, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_probe_is_told_its_misses_and_wrongs_and_later_runs_carry_them(
    benchmark_dir: Benchmark,
) -> None:
    done = calibrate("-o", "kept.json", "-n", "2")
    assert (done.returncode, done.stderr) == (1, ""), done.stdout
    assert done.stdout.startswith(
        "4 labelled apps of 1 task: 2 good, 2 faulty, to be judged by probe\n"
        "estimate: $0.00, no model is asked\n"
    )
    assert "The probe sees the checks that were written for these very apps." in done.stdout
    assert (
        "good              1     1          0\nfaulty            1     1          0\n"
        in done.stdout
    )
    assert (
        "dead control     1  100 % (21-100 %)\nwrong count      1      0 % (0-79 %)" in done.stdout
    )
    assert "faults missed: 1\n  counter/planted-1: wrong count\n" in done.stdout
    assert "good apps wronged: 1\n  counter/good2\n" in done.stdout
    assert "pass rate" not in done.stdout, "good and faulty apps together have no pass rate"
    kept = Calibration.model_validate_json((benchmark_dir.root / "kept.json").read_bytes())
    assert (kept.counts.tp, kept.counts.fp, kept.counts.fn, kept.counts.tn) == (1, 1, 1, 1)
    assert kept.faults == {"dead control": (1, 1), "wrong count": (1, 0)}

    later = benchmark_dir.run("bench", "-k", "counter")
    later.stdout.fnmatch_lines(["calibration of probe: accuracy 50 %*over 4 labelled apps on *"])
    carried = json.loads((benchmark_dir.runs()[-1] / "calibration.json").read_text())
    assert carried == json.loads((benchmark_dir.root / "kept.json").read_text())


def test_what_a_model_has_judged_is_not_paid_again(benchmark_dir: Benchmark) -> None:
    with Provider(clicker) as provider:
        usual = (f"--judge={MODEL}", "--screen=off")
        first = calibrate(*usual, "-k", "good2 or planted", **provider.environment())
        assert "without a verdict: 2 apps" in first.stdout, first.stdout + first.stderr
        asked = len(provider.requests)
        assert asked > 0
        whole = calibrate(*usual, **provider.environment())
        assert len(provider.requests) == 2 * asked, "only the other two apps are judged"
    assert f"by the 2 judgings of {MODEL} that are on record" in whole.stdout
    assert "without a verdict" not in whole.stdout
    assert "The probe sees" not in whole.stdout
    assert f"\n{MODEL}: accuracy " in whole.stdout


def settings_in(folder: Path, **given: str | list[str]) -> Settings:
    folders = {"invocation_dir": folder, "root_dir": folder, "cache_dir": folder}
    return resolve(given, {}, **folders)


def test_a_calibration_speaks_of_one_way_of_judging_only(tmp_path: Path) -> None:
    settings = partial(settings_in, tmp_path)
    app = LabelledApp(Task.model_construct(id="x"), "good", good=True)
    judged = [Judged(app, Case("x/good", True, "pass", (1.0,)), MODEL)]
    found = conclude(judged, settings(judge=[MODEL], without="code"), "run", "2026-01-01")
    place = place_of(found, tmp_path)
    place.parent.mkdir()
    place.write_text(found.model_dump_json())
    assert find(settings(judge=[MODEL], without="code")) == found
    for other in (
        {"judge": [MODEL]},
        {"judge": [MODEL], "without": "code", "protocol": "blind"},
        {"judge": [MODEL], "without": "code", "vision": "on"},
        {"judge": [MODEL], "without": "code", "threshold": "0.95"},
        {"judge": [MODEL, MODEL], "without": "code"},
        {"judge": ["probe"], "without": "code"},
    ):
        assert find(settings(**other)) is None
        another = conclude(judged, settings(**other), "run", "2026-01-01")
        assert place_of(another, tmp_path) != place, "neither overwrites the other"
    place.write_text("{}")
    assert find(settings(judge=[MODEL], without="code")) is None


def test_the_calibration_of_the_probe_is_of_one_threshold(tmp_path: Path) -> None:
    strict, usual = (settings_in(tmp_path, threshold=threshold) for threshold in ("0.95", "0.8"))
    found = conclude([], usual, "run", "2026-01-01")
    assert (found.fits(usual), found.fits(strict)) == (True, False)


def test_a_run_of_several_judges_finds_the_calibration_of_them(tmp_path: Path) -> None:
    second = "openai:gpt-5"
    settings = settings_in(tmp_path, judge=[MODEL, second])
    found = conclude([], settings, "run", "2026-01-01")
    place = place_of(found, tmp_path)
    place.parent.mkdir()
    place.write_text(found.model_dump_json())
    assert find_for([a_record(judge=f"{MODEL} + {second}")], settings) == found
    assert find_for([a_record(judge="generator")], settings) is None


def test_errors_of_the_harness_are_no_verdicts(benchmark_dir: Benchmark) -> None:
    with Provider(clicker) as provider:
        environment = provider.environment(wait=0.1)
    done = calibrate(f"--judge={MODEL}", "--screen=off", **environment)
    assert done.returncode == 2
    assert "no app was judged; what pytest said is above" in done.stderr
    assert not list(benchmark_dir.root.glob(".appbench-cache/calibration/*"))


def test_the_cost_is_told_first_and_alone_if_wanted(
    benchmark_dir: Benchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    for judge, price in (
        ("openai:gpt-4.1", "$0."),
        ("openai:no-such-model", "a price that is not"),
    ):
        assert main(["calibrate", "bench", "--judge", judge, "--dry-run"]) == 0
        shown = capsys.readouterr().out
        assert f"tokens at {price}" in shown
        assert "a guess from the size of the apps" in shown
    assert not (benchmark_dir.root / "appbench-runs").exists()


def test_an_estimate_follows_what_earlier_judgings_consumed(benchmark_dir: Benchmark) -> None:
    def judged(tokens: int, cost: float | None) -> Record:
        record = a_record(judge="openai:m")
        assert isinstance(record.verdict, Verdict)
        usage = Usage(tokens_in=tokens, tokens_out=100, cost_usd=cost)
        return record.model_copy(
            update={"verdict": record.verdict.model_copy(update={"usage": usage})}
        )

    apps = list(labelled_apps(benchmark_dir.root / "bench"))
    assert [(app.name, app.good, app.fault) for app in apps] == [
        ("faulty", False, "dead control"),
        ("good", True, ""),
        ("good2", True, ""),
        ("planted-1", False, "wrong count"),
    ]
    found = estimate(apps, ["openai:m"], [judged(900, 0.5), judged(1900, 1.5)])
    assert (found.tokens, found.cost) == (4 * 1500, 4.0)
    assert estimate(apps, ["openai:m"], [judged(900, None)]).cost is None
    assert estimate(apps, ["openai:m", "probe"], [judged(900, 0.5)]).cost == 2.0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "nowhere: there is no such folder of task files"),
        (["empty"], "empty: no app is labelled; name the folders"),
        (["bench", "--judge=oracle"], "there is no judge 'oracle'"),
    ],
)
def test_what_cannot_be_calibrated_is_told(
    benchmark_dir: Benchmark,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    (benchmark_dir.root / "empty").mkdir()
    assert main(["calibrate", *arguments]) == 2
    assert told in capsys.readouterr().err
