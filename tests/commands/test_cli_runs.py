"""Every command that reads a run finds it alike, and says alike that it is not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_appbench.cli import main
from pytest_appbench.reports.results import Run
from recordkit import a_run, of_outcomes

COMMANDS = {
    "agreement": ("{run}", "labels.csv"),
    "compare": ("{run}", "{run}"),
    "durations": ("{run}", "-o", "out"),
    "export": ("{run}", "-o", "out"),
    "gate": ("{run}", "--gate", "pass_rate >= 0"),
    "leaderboard": ("{run}", "named={run}"),
    "merge": ("{run}", "-o", "out"),
    "replay": ("{run}",),
    "report": ("{run}", "-o", "out", "--against", "{run}"),
    "stability": ("{run}", "{run}"),
    "view": ("{run}", "no-such-task"),
}
READ_ALL_THE_SAME = {
    "export": "no judging by a model is on record here",
    "replay": "no judging by a model is on record here",
    "view": "no task 'no-such-task' was judged here",
}
"""What those commands say of a run of the probe's that they found."""


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run, joined, where runs lie."""
    monkeypatch.chdir(tmp_path)
    path = a_run(tmp_path / "appbench-runs", "monday", of_outcomes({"a": "pass", "b": "fail"}))
    Run(path.parent, path.name).join()
    (tmp_path / "labels.csv").write_text("task,label\na,pass\nb,fail\n", encoding="utf-8")
    (tmp_path / "appbench-runs/empty").mkdir()
    return path


def call(command: str, run: str) -> int:
    return main([command, *(word.replace("{run}", run) for word in COMMANDS[command])])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_is_found_by_id_by_directory_and_by_file(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for name in ("monday", "appbench-runs/monday", "appbench-runs/monday/results.jsonl"):
        code = call(command, name)
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        told.append(code)
        if command in READ_ALL_THE_SAME:
            assert READ_ALL_THE_SAME[command] in shown.err
        else:
            assert (code, shown.err) == (0, "")
    assert len(set(told)) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_is_not_there_is_told_in_the_same_words(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(command, "tuesday") == 2
    assert capsys.readouterr().err == (
        "appbench: tuesday: there is no such run; name a run's directory, a file such as "
        "results.jsonl, or the id of a run in appbench-runs\n"
    )


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"export", "replay"}))
def test_a_folder_that_holds_no_run_is_told_in_the_same_words(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(command, "empty") == 2
    told = "no records here; name a run's directory or a file such as results.jsonl"
    assert told in capsys.readouterr().err


def test_a_replay_of_no_judging_names_those_that_there_are(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run / "tasks/tools/a-chromium/1/1"
    folder.mkdir(parents=True)
    head = {"kind": "judging", "judge": "openai:m"}
    (folder / "trajectory.jsonl").write_text(json.dumps(head) + "\n", encoding="utf-8")
    assert main(["replay", "monday", "-k", "nothing-like-it"]) == 2
    assert "no judging is called 'nothing-like-it'; there are tools/a-chromium/1/1" in capsys.readouterr().err  # fmt: skip
