"""`appbench compare`: what changed between two runs, and whether it means anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.cli import main
from pytest_appbench.statistics import extra
from recordkit import a_record, a_run, of_outcomes, with_attempts


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_kind_of_change_is_listed_with_the_evidence_of_both_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steady = of_outcomes({f"t{i}": "pass" for i in range(20)})
    a_run(
        tmp_path,
        "a",
        [
            *steady,
            *of_outcomes({"worse": "pass", "better": "fail", "lost": "pass", "old": "fail"}),
            *with_attempts("shaky", "pass", "pass", "pass", together="pass"),
        ],
    )
    a_run(
        tmp_path,
        "b",
        [
            *steady,
            *of_outcomes({"worse": "uncertain", "better": "pass", "lost": "error", "new": "fail"}),
            *with_attempts("shaky", "fail", "pass", "fail", together="fail"),
        ],
    )
    assert main(["compare", "a", "b"]) == 1
    shown = capsys.readouterr().out
    assert "pass rate          23  96 % (79-99 %)  91 % (73-98 %)  -4 points" in shown
    assert "no evidence of a difference at n = 23 (p = 1)" in shown
    assert (
        "regressions (1)\n"
        "  bench/tools.task.yaml::worse: pass -> uncertain\n"
        "    A  a/tasks/tools/worse/1/1\n"
        "    B  b/tasks/tools/worse/1/1\n"
    ) in shown
    assert "passed in A, not judged in B (1)\n  bench/tools.task.yaml::lost: pass -> error" in shown
    assert (
        "flaky, not counted as regressions (1)\n"
        "  bench/tools.task.yaml::shaky: pass -> fail (1 of 3 passed)\n"
    ) in shown
    assert "    B  b/tasks/tools/shaky/1/1\n    B  b/tasks/tools/shaky/3/1\n" in shown
    assert "improvements (1)\n  bench/tools.task.yaml::better: fail -> pass\n" in shown
    assert "only in A (1)\n  bench/tools.task.yaml::old: fail -> absent\n" in shown
    assert "only in B (1)\n  bench/tools.task.yaml::new: absent -> fail\n" in shown


def test_a_real_difference_is_told_with_its_interval_and_the_scores_with_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = [f"t{i}" for i in range(30)]
    before = [a_record("fail" if i < 12 else "pass", t) for i, t in enumerate(tasks)]
    a_run(tmp_path, "a", before)
    a_run(tmp_path, "b", [a_record("pass", t) for t in tasks])
    assert main(["compare", "a/results", "b"]) == 2, "not a run directory"
    assert main(["compare", "a", "b"]) == 0
    shown = capsys.readouterr().out
    assert "B passes more tasks than A: +40 points from A to B, 95 % interval" in shown
    assert "p = 0.00049 at n = 30." in shown
    (line,) = (line for line in shown.splitlines() if line.startswith("deciding score"))
    assert line.split()[:6] == ["deciding", "score", "30", "0.70", "1.00", "+0.30"]
    assert main(["compare", "a", "b"]) == 0
    assert capsys.readouterr().out == shown, "the bootstrap is seeded"


def test_runs_that_were_judged_differently_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path, "a", [a_record("pass")])
    a_run(tmp_path, "b", [a_record("pass", judge="openai:\x1b[2Jm")])
    assert main(["compare", "a", "b"]) == 0
    shown = capsys.readouterr().out
    assert "not alike: A: judged by probe; B: judged by openai:\\x1b[2Jm\n" in shown
    assert "\x1b" not in shown
    assert "so few tasks show no difference of any size." in shown


def test_without_scipy_the_rest_is_told_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(extra, "import_module", without)
    a_run(tmp_path, "a", of_outcomes({"x": "pass", "y": "fail"}))
    a_run(tmp_path, "b", of_outcomes({"x": "fail", "y": "fail"}))
    assert main(["compare", "a", "b"]) == 1
    shown = capsys.readouterr().out
    assert "without intervals of scores: this needs scipy" in shown
    assert 'pip install "pytest-appbench[stats]"' in shown
    assert "no evidence of a difference at n = 2" in shown


@pytest.mark.parametrize(
    ("content", "told"), [(None, "there is no such run"), ("", "no records here")]
)
def test_a_run_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, told: str
) -> None:
    a_run(tmp_path, "a", [a_record()])
    if content is not None:
        (tmp_path / "b.jsonl").write_text(content)
    assert main(["compare", "a", "b.jsonl"]) == 2
    assert capsys.readouterr().err.startswith(f"appbench: b.jsonl: {told}")
