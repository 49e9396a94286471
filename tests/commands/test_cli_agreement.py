"""`appbench agreement`: a judge against people, from a CSV file that people wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.cli import main
from recordkit import a_record, a_run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    records = [
        a_record("pass", "a", domain="games", scores=(0.9, 0.9, 1.0)),
        a_record("pass", "b", domain="games", scores=(0.8, 1.0, 0.9)),
        a_record("fail", "c", scores=(0.5, 0.9, 0.95)),
        a_record("uncertain", "d", scores=(0.7, 0.7, 0.7)),
        a_record("fail", "e", scores=(0.1, 0.4, 0.2)),
        a_record("error", "f"),
        a_record("pass", "g", file="other/tools.task.yaml"),
        a_record("pass", "g", file="bench/g.task.yaml"),
    ]
    a_run(tmp_path, "run", records)


def labels(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.csv").write_text(text, encoding="utf-8-sig")


def test_figures_tables_and_kappas_are_told_by_domain_and_threshold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels(
        tmp_path,
        "Task,label,rater,score,remark\n"
        "a,pass,ann,0.9,fine\na,yes,bob,1.0,\n"
        "b,fail,ann,0.4,\nb,0,bob,0.6,\n"
        "tools.task.yaml::c,fail,ann,0.5,\n"
        "d,pass,ann,0.9,\nd,pass,bob,0.8,\n"
        "e,fail,ann,0.1,\ne,fail,bob,0.0,\n"
        "f,pass,ann,,\n"
        "bench/g.task.yaml::g,pass,ann,,\nbench/g.task.yaml::g,fail,bob,,\n"
        "zebra,pass,ann,,\n",
    )
    assert main(["agreement", "run", "labels.csv"]) == 0
    shown = capsys.readouterr().out
    assert "labels.csv:14: no record of zebra\n" in shown
    assert "left out: 1 task on which people disagree or are uncertain\n" in shown
    assert "left out: 1 task with no verdict\n" in shown
    assert "pass               1     0          1\nfail               1     2          0\n" in shown
    assert "all (95 %)     5     2  60 % (23-88 %)  50 % (9-91 %)  50 % (9-91 %)" in shown
    assert "games          2     1            50 %" in shown
    assert "Cohen's kappa, judge and people: 0.167 (" in shown
    # four agree in every word and one in none, over the five that both rated
    assert "Fleiss' kappa among 2 people: 0.600, over 5 tasks" in shown
    assert "Pearson (95 %)" in shown
    (at_08,) = (line.split() for line in shown.splitlines() if line.startswith("0.80"))
    assert at_08[1:11] == ["40", "%", "60", "%", "50", "%", "50", "%", "50", "%"]


def test_thresholds_are_tried_on_the_scores_that_the_protocol_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = []
    for task, least in (("a", 0.85), ("b", 0.6)):
        record = a_record("pass", task)
        assert record.verdict
        scores = record.verdict.scores.model_copy(
            update={"intention": None, "static": 0.9, "dynamic": least}
        )
        own = {"protocol": "cookie", "counted": ("static", "dynamic"), "scores": scores}
        verdict = record.verdict.model_copy(update=own)
        records.append(record.model_copy(update={"verdict": verdict}))
    a_run(tmp_path, "cookie", records)
    labels(tmp_path, "task,label\na,pass\nb,fail\n")
    assert main(["agreement", "cookie", "labels.csv"]) == 0
    shown = capsys.readouterr().out
    accuracy = {line[:4]: line.split()[3] for line in shown.splitlines() if line[:2] == "0."}
    assert (accuracy["0.60"], accuracy["0.65"], accuracy["0.90"]) == ("50", "100", "50")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "id,label\na,pass\n",
            "labels.csv:1: the first line names no column task; write the heads",
        ),
        ("", "labels.csv:1: the first line names no column task and none label"),
        ("task,label\n", "labels.csv:2: there is no label"),
        ("task,label\na,pass\nb,maybe\n,pass\n", "labels.csv:3: the label is 'maybe'; write pass"),
        ("task,label\n,pass\n", "labels.csv:2: no task is named"),
        ("task,label,score\na,pass,7\n", "labels.csv:2: score is '7'; write a number from 0 to 1"),
        ("task,label,score\na,pass,nan\n", "labels.csv:2: score is 'nan'"),
        ("task,label\na,pass\na,fail\n", "labels.csv:3: a has a label by nobody by name already"),
        ("task,label\ng,pass\n", "labels.csv:2: g may be other/tools.task.yaml::g or bench/g"),
        (
            "task,label\na,pass\ntools.task.yaml::a,fail\n",
            "labels.csv:3: tools.task.yaml::a is the task of line 2; write it alike",
        ),
        ("task,label\na\x1b[2J,pass\na\x1b[2J,pass\n", "labels.csv:3: a\\x1b[2J has a label"),
        ("task,label\nzebra,pass\n", "no label speaks of a task that was judged"),
    ],
)
def test_what_cannot_be_used_is_told_by_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    labels(tmp_path, text)
    assert main(["agreement", "run", "labels.csv"]) == 2
    assert told in capsys.readouterr().err
