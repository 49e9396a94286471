"""Records survive what can happen to files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_appbench.errors import RecordsError
from pytest_appbench.judges.verdict import Reason, Verdict
from pytest_appbench.reports.results import Record, Run, TaskWords, read


def record(nodeid: str = "a.task.yaml::x", **fields: object) -> Record:
    verdict = Verdict(
        status="pass", judge="probe", protocol="probe", threshold=0.8, reasons=(Reason(text="r"),)
    )
    words = TaskWords(id="x")
    base = Record(run="r", nodeid=nodeid, outcome="pass", task=words, verdict=verdict, time=1.0)
    return base.model_copy(update=fields)


def test_what_was_written_is_read_back_whole(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    run.write(record())
    assert read(run.path) == [record()]


def test_scores_that_a_judge_does_not_give_are_absent_from_the_file(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    run.write(record())
    (part,) = (run.path / "results").glob("*.jsonl")
    assert "intention" not in part.read_text()
    assert "cost_usd" not in part.read_text()


def test_the_last_record_of_a_key_counts_whatever_part_it_is_in(tmp_path: Path) -> None:
    Run(tmp_path, "run", "gw0").write(record(time=2.0, outcome="pass", rerun=1))
    Run(tmp_path, "run", "gw1").write(record(time=1.0, outcome="fail"))
    (latest,) = read(tmp_path / "run")
    assert latest.outcome == "pass"


def test_a_line_torn_by_a_killed_process_is_forgiven(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    run.write(record())
    (part,) = (run.path / "results").glob("*.jsonl")
    whole = part.read_text()
    for cut in range(len(whole)):
        part.write_text(whole + whole[:cut].rstrip("\n"))
        assert read(run.path) == [record()]


def test_a_whole_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    run.write(record())
    (part,) = (run.path / "results").glob("*.jsonl")
    part.write_text(part.read_text() + '{"run": "r"}\n')
    with pytest.raises(RecordsError, match=r"main-[\w.-]+\.jsonl:2: this is no record \(nodeid"):
        read(run.path)


def test_joining_gives_one_file_that_reads_the_same(tmp_path: Path) -> None:
    for name in ("gw0", "gw1"):
        Run(tmp_path, "run", name).write(record(f"{name}.task.yaml::x"))
    run = Run(tmp_path, "run")
    joined = run.join()
    assert len(joined) == 2
    assert read(run.path / "results.jsonl") == joined


def test_a_joined_file_that_was_cut_is_no_smaller_run(tmp_path: Path) -> None:
    for name in ("gw0", "gw1"):
        Run(tmp_path, "run", name).write(record(f"{name}.task.yaml::x"))
    run = Run(tmp_path, "run")
    run.join()
    copy = tmp_path / "all.jsonl"
    copy.write_text((run.path / "results.jsonl").read_text()[:-20])
    with pytest.raises(RecordsError, match=r"all\.jsonl:2: the file ends in the middle"):
        read(copy)


def test_evidence_has_a_folder_for_each_attempt_and_rerun(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    first = run.evidence("a/b.task.yaml::x[chromium]", 1, 1)
    again = run.evidence("a/b.task.yaml::x[chromium]", 1, 1, rerun=1)
    assert first.relative_to(run.path).as_posix() == "tasks/a-b/x-chromium/1/1"
    assert again.relative_to(run.path).as_posix() == "tasks/a-b/x-chromium/1-rerun1/1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a/b.task.yaml::x[chromium]", "a-b.task.yaml::x[chromium]"),
        ("a/b.task.yaml::x[chromium]", "a/b.task.yml::x[chromium]"),
        ("游戏/t.task.yaml::x[chromium]", "工具/t.task.yaml::x[chromium]"),
        ("t.task.yaml::x[gpt/a-chromium]", "t.task.yaml::x[gpt:a-chromium]"),
        ("t.task.yaml::x[a-chromium]", "t.task.yaml::x-a[chromium]"),
        (f"{'a' * 200}/t.task.yaml::x[chromium]", f"{'a' * 199}/t.task.yaml::x[chromium]"),
    ],
)
def test_no_two_items_have_one_folder(tmp_path: Path, one: str, other: str) -> None:
    run = Run(tmp_path, "run")
    assert run.evidence(one, 1, 1) != run.evidence(other, 1, 1)


def test_an_error_and_what_a_task_comes_to_later_replace_each_other_whole(tmp_path: Path) -> None:
    run = Run(tmp_path, "run")
    error: dict[str, Any] = {"outcome": "error", "verdict": None, "error": "no browser"}
    run.write(record(time=1.0, **error))
    run.write(record(time=2.0, attempt=1, part=True))
    run.write(record(time=3.0, attempt=2, part=True))
    run.write(record(time=4.0, attempt=0, vote=0))
    assert [(r.outcome, r.attempt) for r in read(run.path)] == [
        ("pass", 1),
        ("pass", 2),
        ("pass", 0),
    ]
    run.write(record(time=5.0, **error))
    assert [r.outcome for r in read(run.path)] == ["error"]


def test_parts_of_many_machines_never_share_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, token in (("node-1", "aa"), ("node-2", "aa"), ("node-2", "bb")):
        monkeypatch.setattr("socket.gethostname", lambda name=machine: name)
        monkeypatch.setattr("pytest_appbench.reports.results._WRITER", token)
        Run(tmp_path, "run", "gw0").write(record(f"{machine}{token}.task.yaml::x"))
    assert len(list((tmp_path / "run" / "results").iterdir())) == 3
    assert len(read(tmp_path / "run")) == 3
