"""The shipped tasks of the protocol `cases` are told apart by a model and by the probe."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from casebook import examiner
from kit import SharedBenchmark
from provider import Provider
from pytest_appbench.reports.results import Record

SHIPPED = Path(__file__).parents[2] / "benchmarks" / "cases"
JUDGE = "anthropic:claude-opus-4-8"
TASKS = {
    document["id"]: document
    for file in SHIPPED.glob("*.task.yaml")
    for document in yaml.safe_load_all(file.read_text(encoding="utf-8"))
    if "id" in document
}


def told(record: Record) -> str:
    """What a record says, for the message of a failed assertion."""
    verdict = record.verdict
    if verdict is None:
        return f"{record.nodeid}: {record.error}"
    failed = [f"{c.name}: {c.message}" for c in verdict.checks if c.outcome == "failed"]
    failed += [f"{p.kind} {p.name}: {p.message}" for p in verdict.parts if p.status != "pass"]
    return f"{record.nodeid}: {record.outcome} {failed} {[r.text for r in verdict.reasons]}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tasks twice: once with their good apps in place, once with the faulty ones."""
    root = tmp_path_factory.mktemp("cases")
    for kind in ("good", "faulty"):
        shutil.copytree(SHIPPED, root / kind, ignore=shutil.ignore_patterns("apps"))
        for task in TASKS:
            source = SHIPPED / "apps" / task / kind
            shutil.copytree(source, root / kind / "apps" / task / "good")
    return root


def judged(
    root: Path, tasks: list[str], *arguments: str, environment: dict[str, str]
) -> dict[str, list[Record]]:
    """Run pytest on some tasks in both folders; the records of each."""
    bench = SharedBenchmark(root)
    run = ("-n2", "--dist=worksteal", "-oappbench_cache_dir=cache", f"-k={' or '.join(tasks)}")
    bench.start(*run, *arguments, "good", "faulty", environment=environment)
    records = bench.records()
    found = {
        kind: [one for one in records if one.nodeid.startswith(f"{kind}/")]
        for kind in ("good", "faulty")
    }
    assert all(len(some) == len(tasks) for some in found.values()), bench.output
    return found


def test_tasks_of_four_domains_come_with_files_of_many_kinds() -> None:
    assert len(TASKS) == 8
    assert {task["domain"] for task in TASKS.values()} == {"display", "analysis", "data", "game"}
    names = [name for task in TASKS.values() for name in task["materials"]]
    assert {Path(name).suffix for name in names} == {".csv", ".png", ".pdf", ".wav"}
    assert all(len(task["features"]) >= 4 for task in TASKS.values())


@pytest.mark.usefixtures("of_the_whole_benchmark")
def test_the_probe_tells_good_apps_from_faulty_ones(folders: Path) -> None:
    found = judged(folders, list(TASKS), "--appbench-max-actions=6", environment={})
    assert [told(one) for one in found["good"] if one.outcome != "pass"] == []
    assert [told(one) for one in found["faulty"] if one.outcome != "fail"] == []


def test_a_model_tells_good_apps_from_faulty_ones_by_what_their_pages_answer(
    folders: Path, whole_benchmark: bool
) -> None:
    tasks = list(TASKS)[:: 1 if whole_benchmark else 2]
    with Provider(examiner) as provider:
        environment = provider.environment()
        options = (f"--appbench-judge={JUDGE}", "--appbench-screen=off")
        found = judged(folders, tasks, *options, environment=environment)
    assert [told(one) for one in found["good"] if one.outcome != "pass"] == []
    assert [told(one) for one in found["faulty"] if one.outcome != "fail"] == []
    for record in (*found["good"], *found["faulty"]):
        verdict = record.verdict
        assert verdict is not None
        assert (verdict.protocol, verdict.judge) == ("cases", JUDGE)
        features = [part for part in verdict.parts if part.kind == "feature"]
        cases = [part for part in verdict.parts if part.kind == "case"]
        assert [part.text for part in features] == TASKS[record.task.id]["features"]
        assert {case.group for case in cases} == {part.text for part in features}
        passed = sum(part.status == "pass" for part in features) / len(features)
        assert verdict.score == verdict.figures["feature_rate"] == pytest.approx(passed)
        assert not [told(record) for case in cases if case.status == "uncertain"]
        assert all(case.evidence for case in cases)
        # each case has a page of its own, with numbers of steps of its own
        steps = [{int(c.where) // 100_000 for c in case.evidence} for case in cases]
        assert steps == [{number} for number in range(1, len(cases) + 1)]
        assert f"{len(cases)} cases instead of 15 to 20" in verdict.deviations
