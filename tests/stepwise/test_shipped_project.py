"""The shipped project of steps: its figures are exactly what its solutions deserve."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from kit import SharedBenchmark
from pytest_appbench.judges.verdict import Verdict

PROJECT = Path(__file__).parents[2] / "benchmarks/webbench/projects/reading-list"
N = 12
# For some steps a fault that breaks this step, and none before it.
FAULTS = {
    1: ("${book.title} by ${book.author}", "${book.title}, ${book.author}"),
    4: ("other.id !== book.id", "other.title !== book.title"),
    9: ("sensitivity: 'base'", "sensitivity: 'case', caseFirst: 'upper'"),
    11: ("past.push(books)", "past[0] = books"),
    12: ("if (event.key === 'Escape') rename(null)", ""),
}


def solution(folder: Path, *faults: int) -> None:
    """Write the project's own solution, with faults planted."""
    shutil.copytree(PROJECT / "src", folder)
    script = (folder / "app.js").read_text(encoding="utf-8")
    for step in faults:
        assert FAULTS[step][0] in script
        script = script.replace(*FAULTS[step])
    (folder / "app.js").write_text(script, encoding="utf-8")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session over solutions of the project, each as an app named good of a task of its own."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("shipped"))
    ignored = shutil.ignore_patterns("src-faulty")
    shutil.copytree(PROJECT, bench.root / "bench/projects/reading-list", ignore=ignored)
    apps = bench.root / "bench/apps"
    for step in (1, 12):
        solution(apps / f"broken-{step}" / "good", step)
    shutil.copytree(PROJECT / "src-faulty", apps / "broken-8" / "good")
    shutil.copytree(PROJECT / "src-init", apps / "initial" / "good")
    # As Web-Bench's evaluator leaves it: a folder for each step, the second attempt behind a dash.
    solution(apps / "repaired" / "good" / "task-1")
    solution(apps / "repaired" / "good" / "task-4", 4)
    solution(apps / "repaired" / "good" / "task-4-2")
    solution(apps / "repaired" / "good" / "task-9", 9)
    solution(apps / "repaired" / "good" / "task-9-2")
    solution(apps / "repaired" / "good" / "task-11", 11)
    solution(apps / "repaired" / "good" / "task-11-2", 11)
    for name in ("own", "initial", "broken-1", "broken-8", "broken-12", "repaired"):
        bench.task(
            name,
            app=None,
            checks=None,
            protocol="webbench",
            steps="projects/reading-list",
            query="A reading list.",
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


@pytest.mark.parametrize("step", [1, 8, 12])
def test_a_solution_broken_at_a_step_comes_exactly_that_far(
    judged: SharedBenchmark, step: int
) -> None:
    verdict = judged.verdict(f"broken-{step}")
    assert figures(judged, f"broken-{step}") == (step - 1, step - 1, 1)
    assert verdict.score == pytest.approx((step - 1) / N)
    assert ends(verdict) == ["pass"] * (step - 1) + ["fail"] + ["skip"] * (N - step)


def test_what_is_repaired_at_the_second_attempt_counts_for_pass_at_2_only(
    judged: SharedBenchmark,
) -> None:
    verdict = judged.verdict("repaired")
    # The first failure was at step 4; it and step 9 were repaired; step 11 failed twice.
    assert figures(judged, "repaired") == (3, 10, 3)
    assert verdict.score == pytest.approx(10 / N)
    assert ends(verdict) == ["pass"] * 10 + ["fail", "skip"]
    by_name = {part.name: part.message for part in verdict.parts}
    assert by_name["task-4"].startswith("at the second attempt")
    assert by_name["task-5"] == "at the first attempt"


def test_the_run_sums_its_projects_up_and_names_who_judged(judged: SharedBenchmark) -> None:
    # pass@1: 12, 0, 0, 7, 11 and 3 of 12 steps; pass@2 has 10 in the last place
    assert "webbench, by tests: pass@1 45.8 %, pass@2 55.6 %" in judged.output
    assert "(mean of 6 projects)" in judged.output
    assert "judged by tests" in judged.output
