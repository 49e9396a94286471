"""The shipped projects of steps: their figures are exactly what their solutions deserve."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from buildkit import share_packages
from kit import SharedBenchmark
from pytest_appbench.judges.verdict import Verdict

PROJECTS = Path(__file__).parents[2] / "benchmarks/webbench/projects"
N = 12
Fault = tuple[str, str, str]
"""A file of the solution, a text in it, and what stands there instead."""


@dataclass(frozen=True)
class Shipped:
    """A shipped project.

    Attributes:
        name: Its folder.
        form: The format of its task.
        faults: For some steps a fault that breaks this step, and none before it.
        broken: The step at which solutions break: its own faulty one, and others with one fault.
        told: What the first attempts at the steps 4 and 9 of a solution with faults there fail by.
    """

    name: str
    form: str
    faults: Mapping[int, Fault]
    broken: Mapping[str, int]
    told: Mapping[int, str]

    @property
    def folder(self) -> Path:
        """Where it is."""
        return PROJECTS / self.name

    def solution(self, folder: Path, *faults: int) -> None:
        """Write the project's own solution, with faults planted."""
        shutil.copytree(self.folder / "src", folder)
        for step in faults:
            file, text, instead = self.faults[step]
            script = (folder / file).read_text(encoding="utf-8")
            assert script.count(text) == 1
            (folder / file).write_text(script.replace(text, instead), encoding="utf-8")


PLAIN = Shipped(
    "reading-list",
    "html",
    faults={
        1: ("app.js", "${book.title} by ${book.author}", "${book.title}, ${book.author}"),
        4: ("app.js", "other.id !== book.id", "other.title !== book.title"),
        9: ("app.js", "sensitivity: 'base'", "sensitivity: 'case', caseFirst: 'upper'"),
        11: ("app.js", "past.push(books)", "past[0] = books"),
        12: ("app.js", "if (event.key === 'Escape') rename(null)", ""),
    },
    broken={"broken-1": 1, "faulty": 8, "broken-12": 12},
    told={4: "not one of three books is gone", 9: "book 1 is not Emma"},
)
REACT = Shipped(
    "garden-plan",
    "react",
    faults={
        1: ("src/Bed.tsx", "?? 'empty'", "?? 'nothing'"),
        4: ("src/plan.ts", ".sort((a, b) => a.weeks - b.weeks)", ""),
        # it does not build
        9: ("src/usePlan.ts", "useReducer } from 'react'", "useReducer } from 'redux'"),
        11: ("src/usePlan.ts", "isPlan(found) ? found", "found ? (found as Plan)"),
    },
    broken={"broken-1": 1, "faulty": 9},
    told={
        4: "row 1 is not Lettuce | 1 | 4 | 6 weeks",
        9: 'the app does not build: imports that are not available: "redux" (in src/usePlan.ts)',
    },
)


@pytest.fixture(scope="module", params=[PLAIN, REACT], ids=lambda project: project.name)
def project(request: pytest.FixtureRequest) -> Shipped:
    """Each of the shipped projects."""
    found: Shipped = request.param
    return found


@pytest.fixture(scope="module")
def judged(project: Shipped, tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session over solutions of the project, each as an app named good of a task of its own."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("shipped"))
    if project.form == "react":
        share_packages(bench.root / ".appbench-cache")
    ignored = shutil.ignore_patterns("src-faulty")
    shutil.copytree(project.folder, bench.root / "bench/projects/it", ignore=ignored)
    apps = bench.root / "bench/apps"
    for name, step in project.broken.items():
        if name == "faulty":
            shutil.copytree(project.folder / "src-faulty", apps / name / "good")
        else:
            project.solution(apps / name / "good", step)
    shutil.copytree(project.folder / "src-init", apps / "initial" / "good")
    # As Web-Bench's evaluator leaves it: a folder for each step, the second attempt behind a dash.
    repaired = apps / "repaired" / "good"
    for name, faults in {
        "task-1": (),
        "task-4": (4,),
        "task-4-2": (),
        "task-9": (9,),
        "task-9-2": (),
        "task-11": (11,),
        "task-11-2": (11,),
    }.items():
        project.solution(repaired / name, *faults)
    for name in ("own", "initial", *project.broken, "repaired"):
        bench.task(
            name,
            app=None,
            checks=None,
            format=project.form,
            protocol="webbench",
            steps="projects/it",
            query="Step by step.",
        )
    bench.start("-p", "no:xdist", environment={})
    return bench


def figures(bench: SharedBenchmark, task: str) -> tuple[float, float, float]:
    """pass@1, pass@2 and error@1 as counts of steps."""
    found: Mapping[str, float] = bench.verdict(task).figures
    first, second, errors = (
        round(found[name] * N / 100, 2) for name in ("pass@1", "pass@2", "error@1")
    )
    return first, second, errors


def ends(verdict: Verdict) -> list[str]:
    """How each step ended."""
    assert [part.kind for part in verdict.parts] == ["step"] * N
    return [part.status for part in verdict.parts]


def test_the_projects_own_solution_passes_every_step_at_once(judged: SharedBenchmark) -> None:
    verdict = judged.verdict("own")
    assert (verdict.status, verdict.judge, verdict.protocol) == ("pass", "tests", "webbench")
    assert figures(judged, "own") == (N, N, 0)
    assert (verdict.score, verdict.label) == (1.0, None)
    assert ends(verdict) == ["pass"] * N
    assert {part.message for part in verdict.parts} == {"at the first attempt"}


def test_the_initial_code_passes_none(judged: SharedBenchmark) -> None:
    verdict = judged.verdict("initial")
    assert figures(judged, "initial") == (0, 0, 1)
    assert (verdict.status, verdict.score) == ("fail", 0.0)
    assert ends(verdict) == ["fail"] + ["skip"] * (N - 1)


def test_a_solution_broken_at_a_step_comes_exactly_that_far(
    judged: SharedBenchmark, project: Shipped
) -> None:
    for name, step in project.broken.items():
        verdict = judged.verdict(name)
        assert figures(judged, name) == (step - 1, step - 1, 1)
        assert verdict.score == pytest.approx((step - 1) / N)
        assert ends(verdict) == ["pass"] * (step - 1) + ["fail"] + ["skip"] * (N - step)


def test_what_is_repaired_at_the_second_attempt_counts_for_pass_at_2_only(
    judged: SharedBenchmark, project: Shipped
) -> None:
    verdict = judged.verdict("repaired")
    # The first failure was at step 4; it and step 9 were repaired; step 11 failed twice.
    assert figures(judged, "repaired") == (3, 10, 3)
    assert verdict.score == pytest.approx(10 / N)
    assert ends(verdict) == ["pass"] * 10 + ["fail", "skip"]
    by_name = {part.name: part.message for part in verdict.parts}
    for step, told in project.told.items():
        assert by_name[f"task-{step}"].startswith("at the second attempt")
        assert told in by_name[f"task-{step}"]
    assert by_name["task-5"] == "at the first attempt"


def test_the_run_sums_its_projects_up_and_names_who_judged(
    judged: SharedBenchmark, project: Shipped
) -> None:
    tasks = len(project.broken) + 3
    first = N + 0 + sum(step - 1 for step in project.broken.values()) + 3
    second = first + 7  # of the repaired one 10 instead of 3
    shares = [100 * passed / (tasks * N) for passed in (first, second)]
    said = f"webbench, by tests: pass@1 {shares[0]:.1f} %, pass@2 {shares[1]:.1f} %"
    assert said in judged.output
    assert f"(mean of {tasks} projects)" in judged.output
    assert "judged by tests" in judged.output


def test_what_was_built_is_on_record(judged: SharedBenchmark, project: Shipped) -> None:
    record = judged.record("own")
    is_built = project.form == "react"
    assert bool(record.built) == bool(record.sandbox) == is_built
    assert record.built != record.artifact
