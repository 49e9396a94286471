"""The shipped benchmark tells good apps from faulty ones, and knows when it cannot tell.

A quarter of the tasks stands for all of them, unless pytest is given `--whole-benchmark`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from buildkit import share_packages
from pytest_appbench.reports.results import Record, read

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
DOMAINS = ("games", "humanities", "lifestyle", "science", "tools", "visualization")
FOLDERS = (*DOMAINS, "react")
BRIEFLY = "--appbench-max-actions=6"
"""Checks decide there; the good apps are explored at length."""
# MiniAppBench, table 6
SUBCLASSES = {
    "science": {"chemical", "biological-systems", "physics", "virtual-laboratory", "geometry"},
    "games": {
        *("logic", "projectile", "reflex", "edutainment", "systemic-simulation", "casual", "card"),
    },
    "tools": {"schedule", "creative-tools", "computational-tools", "data-lookup"},
    "humanities": {"skill-acquisition", "concept-deconstruction", "culture"},
    "lifestyle": {"health", "toys", "roleplay"},
    "visualization": {"svg", "statical", "art"},
}


def tasks_of(domain: str) -> dict[str, Path]:
    """Task ids of a domain and the files they are in."""
    return {
        document["id"]: file
        for file in sorted((BENCHMARKS / domain).glob("*.task.yaml"))
        for document in yaml.safe_load_all(file.read_text(encoding="utf-8"))
    }


def chosen(domain: str, *, whole: bool) -> dict[str, str]:
    """Task ids of a domain and their node ids: all of them, or every fourth."""
    tasks = sorted(tasks_of(domain).items())
    return {name: f"{file.relative_to(ROOT)}::{name}" for name, file in tasks[:: 1 if whole else 4]}


def judge(tmp_path: Path, *arguments: str, cwd: Path = ROOT) -> dict[str, Record]:
    """Run pytest on tasks and return the records by task id."""
    answer = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"),
            *(f"--appbench-run-dir={tmp_path / 'runs'}", f"--output={tmp_path / 'output'}"),
            *("-o", f"appbench_cache_dir={tmp_path / 'cache'}", *arguments),
        ],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    runs = list((tmp_path / "runs").glob("2*"))
    assert runs, answer.stdout + answer.stderr
    return {record.task.id: record for record in read(runs[0])}


def told(record: Record) -> str:
    """What a record says, for the message of a failed assertion."""
    if record.verdict is None:
        return f"{record.task.id}: {record.error}"
    failed = [f"{c.name}: {c.message}" for c in record.verdict.checks if c.outcome == "failed"]
    faults = [f.text for f in record.verdict.findings if f.severity == "fault"]
    return f"{record.task.id}: {record.outcome} {failed} {faults}"


def test_the_benchmark_has_its_tasks() -> None:
    found = {
        domain: {
            document["subclass"]
            for file in (BENCHMARKS / domain).glob("*.task.yaml")
            for document in yaml.safe_load_all(file.read_text(encoding="utf-8"))
        }
        for domain in DOMAINS
    }
    assert found == SUBCLASSES
    assert sum(len(tasks_of(domain)) for domain in DOMAINS) >= 30
    assert len(list(BENCHMARKS.glob("*/apps/*/good2"))) >= 10


@pytest.mark.parametrize("domain", FOLDERS)
def test_every_good_app_passes(domain: str, tmp_path: Path, whole_benchmark: bool) -> None:
    if domain == "react":
        share_packages(tmp_path / "cache")
    tasks = chosen(domain, whole=whole_benchmark)
    records = judge(tmp_path, *tasks.values())
    assert records.keys() == tasks.keys()
    assert [told(r) for r in records.values() if r.outcome != "pass"] == []
    verdicts = [record.verdict for record in records.values() if record.verdict]
    assert [f for v in verdicts for f in v.findings if f.severity == "fault"] == []


@pytest.mark.parametrize("domain", FOLDERS)
def test_every_faulty_app_fails_and_its_report_names_a_symptom(
    domain: str, tmp_path: Path, whole_benchmark: bool
) -> None:
    if domain == "react":
        share_packages(tmp_path / "cache")
    tasks = chosen(domain, whole=whole_benchmark)
    records = judge(tmp_path, *tasks.values(), "--appbench-generator=reference:faulty", BRIEFLY)
    assert records.keys() == tasks.keys()
    assert [told(r) for r in records.values() if r.outcome != "fail"] == []
    for record in records.values():
        assert record.verdict is not None
        symptoms = [c.message for c in record.verdict.checks if c.outcome == "failed"]
        symptoms += [f.text for f in record.verdict.findings if f.severity == "fault"]
        assert any(len(symptom.split()) >= 3 for symptom in symptoms), told(record)


@pytest.mark.parametrize("domain", DOMAINS)
def test_apps_built_from_the_query_alone_pass_too(
    domain: str, tmp_path: Path, whole_benchmark: bool
) -> None:
    apps = BENCHMARKS / domain / "apps"
    every = chosen(domain, whole=True)
    second = {name: item for name, item in every.items() if (apps / name / "good2").is_dir()}
    if not whole_benchmark:
        second = dict([*second.items()][:1])
    records = judge(tmp_path, *second.values(), "--appbench-generator=reference:good2", BRIEFLY)
    assert records.keys() == second.keys()
    assert [told(r) for r in records.values() if r.outcome != "pass"] == []


def test_without_checks_no_good_app_passes_and_none_fails(
    tmp_path: Path, whole_benchmark: bool
) -> None:
    # one domain stands for all: without checks only a fault can fail an app, and
    # test_every_good_app_passes finds no fault in any
    copy = tmp_path / "bench"
    ignored = shutil.ignore_patterns("checks", "planted-*")
    shutil.copytree(BENCHMARKS / "visualization", copy, ignore=ignored)
    tasks = chosen("visualization", whole=whole_benchmark)
    items = [item.replace("benchmarks/visualization", str(copy)) for item in tasks.values()]
    records = judge(tmp_path, *items, cwd=tmp_path)
    assert records.keys() == tasks.keys()
    assert [told(r) for r in records.values() if r.outcome != "uncertain"] == []
