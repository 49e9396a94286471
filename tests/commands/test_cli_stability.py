"""`appbench stability`: the same tasks again, from several runs or several attempts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.cli import main
from recordkit import a_record, a_run, of_outcomes, with_attempts


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_spread_consensus_and_chances_are_told_over_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path, "a", of_outcomes({"x": "pass", "y": "pass", "z": "fail", "w": "error"}))
    a_run(tmp_path, "b", of_outcomes({"x": "pass", "y": "fail", "z": "fail", "w": "pass"}))
    moved = of_outcomes({"x": "pass", "y": "pass", "z": "fail"}, file="elsewhere/tools.task.yaml")
    a_run(tmp_path, "c", moved)
    assert main(["stability", "a", "b", "c"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("3 repeats by reference:good, judged by probe\n")
    assert "mean 61.1 %, standard deviation 9.62 points, coefficient of variation 0.157" in shown
    assert "what follows is over the 3 of 4 tasks judged every time" in shown
    assert "3 of 3 repeats say the same: 66.7 % of 3 tasks\n" in shown
    assert "2 of 3 repeats at least say the same: 100.0 % of 3 tasks\n" in shown
    assert "Fleiss' kappa over pass, fail and uncertain: 0.550\n" in shown
    assert [line.split() for line in shown.splitlines() if line[:1] in "123" and "%" in line][
        -3:
    ] == [
        ["1", "56", "%", "56", "%"],
        ["2", "67", "%", "44", "%"],
        ["3", "67", "%", "33", "%"],
    ]
    assert "tasks whose repeats disagree (1)\n  bench/tools.task.yaml::y: pass fail pass\n" in shown


def test_attempts_of_one_run_are_repeats_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [
        *with_attempts("x", "pass", "fail", together="uncertain"),
        *with_attempts("y", "pass", "pass", together="pass"),
    ]
    a_run(tmp_path, "a", records)
    assert main(["stability", "a"]) == 0
    shown = capsys.readouterr().out
    assert "a, attempt 1      2  100 %" in shown
    assert "2 of 2 repeats say the same: 50.0 % of 2 tasks" in shown


def test_what_cannot_be_compared_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path, "a", [a_record()])
    a_run(tmp_path, "b", [a_record("error")])
    a_run(tmp_path, "c", [a_record("pass", judge="openai:m")])
    assert main(["stability", "a"]) == 2
    assert "one repeat is no repeat" in capsys.readouterr().err
    assert main(["stability", "a", "b"]) == 2
    assert "no task was judged in every repeat" in capsys.readouterr().err
    assert main(["stability", "a", "c"]) == 0
    shown = capsys.readouterr().out
    assert "not alike: a: judged by probe; c: judged by openai:m\n" in shown
    assert "not defined, one word only" in shown
