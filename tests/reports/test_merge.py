"""Shards become one run again: their records, JUnit XML and durations."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from pytest_appbench.cli import main
from pytest_appbench.reports.results import read, write_records
from pytest_appbench.reports.runfile import RunFile, load
from recordkit import a_record
from runkit import Foretold

TASKS = ("pass-a", "fail-b", "uncertain-c", "error-d", "pass-e")
SEVERAL = {"FORETOLD": "pass-e=pass+fail+pass"}


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Foretold:
    """A serial run with `serial.xml`, its two shards, and a run judged otherwise."""
    made = Foretold(tmp_path_factory.mktemp("merge"), TASKS)
    split = [["--splits=2", f"--group={n}", f"--appbench-resume=shard-{n}"] for n in (1, 2)]
    serial = ["--appbench-resume=serial", "--junitxml=serial.xml"]
    other = ["--appbench-resume=other", "--appbench-seed=7", "-k", "pass_e or pass-e"]
    made.sessions([serial, *split, other], [SEVERAL] * 4)
    return made


def cases(path: Path) -> dict[str, dict[str, Any]]:
    """What matters of each test case."""
    found = {}
    for case in ElementTree.parse(path).iter("testcase"):
        own = {p.get("name"): p.get("value") for p in case.iter("property")}
        own.pop("appbench.evidence", None)  # is told from another folder
        kinds = {e.tag: e.get("type") for e in case if e.tag not in ("properties", "system-out")}
        messages = [(e.get("message") or "").partition("\n")[0] for e in case if e.tag in kinds]
        found[f"{case.get('classname')}::{case.get('name')}"] = {
            "properties": own,
            "kinds": kinds,
            "messages": [text.partition(" - ")[0].split(":")[-1].strip(' "') for text in messages],
        }
    return found


def test_merged_shards_are_the_serial_run(
    shards: Foretold, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shards.root)
    runs = [f"appbench-runs/shard-{n}/results.jsonl" for n in (1, 2)]
    assert main(["merge", *runs, "-o", "out/all.jsonl", "--junitxml", "out/all.xml"]) == 0
    assert "5 tasks of 2 runs in out/all.jsonl" in capsys.readouterr().out

    merged, serial = load(Path("out/all.jsonl")), load(Path("appbench-runs/serial"))
    assert {(r.key, r.outcome) for r in merged.records} == {
        (r.key, r.outcome) for r in serial.records
    }
    for record in merged.records:
        if record.verdict and record.verdict.evidence:
            assert (Path("out") / record.verdict.evidence).is_dir()
    assert merged.file is not None
    assert merged.file.merged == ("shard-1", "shard-2")
    assert cases(Path("out/all.xml")) == cases(Path("serial.xml"))
    suite = next(ElementTree.parse("out/all.xml").iter("testsuite"))
    assert {k: suite.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "skipped": "0",
    }
    pictures = [e.text or "" for e in ElementTree.parse("out/all.xml").iter("system-out")]
    assert pictures
    for text in pictures:
        assert Path(text.removeprefix("[[ATTACHMENT|").removesuffix("]]")).is_file()


def test_a_run_that_is_named_twice_counts_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, spent in (("a", (100, 0.5)), ("b", (30, 0.25))):
        write_records(Path(f"{name}.jsonl"), [a_record("pass", f"of-{name}")])
        file = RunFile(run="ci", settings={}, spent=spent)  # machines may resume under one name
        Path(f"{name}.run.json").write_text(file.model_dump_json())
    for kind in ("jsonl", "run.json"):
        Path(f"copy.{kind}").write_bytes(Path(f"a.{kind}").read_bytes())
    words = ["a.jsonl", "b.jsonl", "./a.jsonl", "copy.jsonl"]
    assert main(["merge", *words, "-o", "all.jsonl"]) == 0
    shown = capsys.readouterr().out
    assert "2 tasks of 2 runs in all.jsonl" in shown
    assert [line for line in shown.splitlines() if line.startswith("left out")] == [
        "left out: a.jsonl: this run is named twice",
        "left out: copy.jsonl: this run is named twice",
    ]
    merged = load(Path("all.jsonl"))
    assert (len(merged.records), merged.spent) == (2, (130, 0.75))


@pytest.mark.parametrize(
    ("runs", "options", "reason"),
    [
        (("serial", "other"), (), "were not judged alike: seed 0 and 7"),
        (("serial", "other"), ("--mixed",), "both judged bench/all.task.yaml::pass-e"),
        (("serial", "shard-1"), ("--partial",), "both judged bench/all.task.yaml::pass-a"),
        (("shard-1",), (), "of 2 shards, no records are here of 2"),
        (("nowhere",), (), "no such run"),
        (("serial/tasks",), (), "no records here"),
    ],
)
def test_what_is_no_whole_is_refused(
    shards: Foretold,
    capsys: pytest.CaptureFixture[str],
    runs: tuple[str, ...],
    options: tuple[str, ...],
    reason: str,
) -> None:
    out = shards.root / "refused.jsonl"
    paths = [str(shards.root / "appbench-runs" / run) for run in runs]
    assert main(["merge", *paths, *options, "-o", str(out)]) == 2
    assert reason in capsys.readouterr().err
    assert not out.exists()


def test_runs_that_wrote_no_settings_are_told_apart_by_their_records(
    shards: Foretold, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("shard-1", "shard-2"):
        text = (shards.root / "appbench-runs" / name / "results.jsonl").read_text()
        changed = text.replace('"seer"', '"probe"') if name == "shard-2" else text
        (tmp_path / f"{name}.jsonl").write_text(changed)
    paths = [str(tmp_path / f"shard-{n}.jsonl") for n in (1, 2)]
    out = tmp_path / "all.jsonl"
    assert main(["merge", *paths, "-o", str(out)]) == 2
    assert "judge seer and probe" in capsys.readouterr().err
    assert main(["merge", *paths, "-o", str(out), "--mixed"]) == 0
    assert len([r for r in read(out) if not r.part]) == len(TASKS)


def test_a_task_that_no_shard_came_to_is_an_error_of_the_whole(
    shards: Foretold, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shards.root)
    (ended,) = shards.sessions([["-x", "--appbench-resume=stopped"]])
    assert "not run: 3 of 5 tasks" in ended.text
    assert main(["merge", "appbench-runs/stopped", "-o", "stopped.jsonl"]) == 0
    assert "3 did not run" in capsys.readouterr().out
    outcomes = [record.outcome for record in read(Path("stopped.jsonl"))]
    assert sorted(outcomes) == ["error", "error", "error", "fail", "pass"]
    assert main(["gate", "stopped.jsonl", "--min-coverage", "0.4"]) == 0
    assert main(["gate", "stopped.jsonl", "--min-coverage", "0.5"]) == 1


def test_durations_are_what_pytest_split_reads_and_those_of_other_tests_stay(
    shards: Foretold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shards.root)
    file = Path("durations.json")
    file.write_text('{"test_own.py::test_x": 2.5}')
    assert (
        main(["durations", "appbench-runs/shard-1", "appbench-runs/shard-2", "-o", str(file)]) == 0
    )
    durations = json.loads(file.read_text())
    assert durations.pop("test_own.py::test_x") == 2.5
    judged = [r.nodeid for r in load(Path("appbench-runs/serial")).whole if r.outcome != "error"]
    assert sorted(durations) == sorted(judged)
    assert all(seconds > 0 for seconds in durations.values())
    # One task that takes longer than all others has a shard to itself.
    file.write_text(json.dumps({**durations, judged[0]: 1000.0}))
    words = ["--splits=2", "--durations-path=durations.json", "--collect-only", "-q"]
    first, rest = (
        {line for line in ended.text.splitlines() if "::" in line}
        for ended in shards.sessions([[*words, "--group=1"], [*words, "--group=2"]])
    )
    assert first == {judged[0]}
    assert len(rest) == len(TASKS) - 1


@pytest.mark.parametrize("out", ["appbench-runs", "serial.xml/all.jsonl"])
def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left_of_the_try(
    shards: Foretold, out: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shards.root)
    before = sorted(shards.root.iterdir())
    assert main(["merge", "appbench-runs/serial/results.jsonl", "-o", out]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"appbench: {out} ")
    assert told.count("\n") == 1
    assert sorted(shards.root.iterdir()) == before
