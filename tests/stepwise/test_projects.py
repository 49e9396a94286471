"""Project folders are read as Web-Bench lays them out, and what is wrong is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import Benchmark
from pytest_appbench.artifacts.steps import StepOrder, StepReply, files_in, recorded
from pytest_appbench.errors import GenerationFailed
from pytest_appbench.stepwise.figures import Outcome, figures_of
from pytest_appbench.stepwise.project import ProjectError, read_project
from pytest_appbench.stepwise.writing import taken
from pytest_appbench.tasks.model import Task
from stepkit import add_project, add_task


def order(name: str, number: int, tries: int = 1) -> StepOrder:
    """An order for a step of a project of five."""
    task = Task(id="shop", domain="tools", query="A shop.", path=Path("x.task.yaml"), line=1)
    names = tuple(f"task-{n}" for n in range(1, 6))
    here = Path()
    return StepOrder(task, here, name, number, "Do it.", here, names=names, tries=tries)


def test_lists_are_read_in_json_lines_and_in_yaml(benchmark: Benchmark) -> None:
    folder = add_project(benchmark)
    lines = read_project(folder)
    (folder / "tasks.jsonl").unlink()
    text = "- id: task-1\n  description: |\n    One.\n- {id: task-2, description: Two.}\n"
    (folder / "tasks.yml").write_text(text, encoding="utf-8")
    assert [step.id for step in lines.steps] == ["task-1", "task-2", "task-3"]
    assert [step.description for step in read_project(folder).steps] == ["One.\n", "Two."]
    assert not lines.uses_node


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("- id: [", "tasks.yml:1: a list or mapping in brackets"),
        ("- id: task-1\n  id: task-2\n", "tasks.yml:2: "),
        ("- id: task-1\n- !!python/name:os.system\n", "tasks.yml:2: "),
        ("steps: 1", "tasks.yml:1: it must be a list of steps"),
        ("- id: " + "a" * 2_000_001, "tasks.yml:1: it is larger than 2 MB"),
        ("- description: X\n- id: a\n", "tasks.yml:2: description: Field required"),
    ],
)
def test_what_is_wrong_with_a_list_in_yaml_is_told_with_its_line(
    benchmark: Benchmark, listed: str, said: str
) -> None:
    folder = add_project(benchmark)
    (folder / "tasks.jsonl").unlink()
    (folder / "tasks.yml").write_text(listed, encoding="utf-8")
    with pytest.raises(ProjectError) as caught:
        read_project(folder)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ('{"id": "task-1"}', "tasks.jsonl:1: description: Field required"),
        ('\n{"id": "task-1", "description": ', "tasks.jsonl:2: it is not JSON"),
        ('{"id": "../x", "description": "X"}', "tasks.jsonl:1: id: String should match"),
        ('{"id": "task-9", "description": "X"}', "tasks.jsonl:1: 'task-9' has no tests; write"),
        ('{"id": "task-1", "description": "X"}\n' * 2, "tasks.jsonl:2: a second 'task-1'"),
        ("", "tasks.jsonl:1: it lists no step"),
    ],
)
def test_what_is_wrong_with_a_list_is_told_with_its_line(
    benchmark: Benchmark, listed: str, said: str
) -> None:
    folder = add_project(benchmark)
    (folder / "tasks.jsonl").write_text(listed, encoding="utf-8")
    with pytest.raises(ProjectError) as caught:
        read_project(folder)
    assert said in str(caught.value)


def test_a_project_that_cannot_be_used_is_an_error_and_blames_nobody(benchmark: Benchmark) -> None:
    folder = add_project(benchmark)
    (folder / "checks/task-2.py").unlink()
    add_task(benchmark)
    result = benchmark.run()
    result.assert_outcomes(errors=1)
    assert "tasks.jsonl:2: 'task-2' has no tests; write checks/task-2.py" in (
        benchmark.record("shop").error or ""
    )


def test_the_protocol_asks_for_a_project(benchmark: Benchmark) -> None:
    benchmark.task(protocol="webbench")
    benchmark.run().assert_outcomes(errors=1)
    assert "names no project of steps" in (benchmark.record().error or "")


def test_nothing_in_a_project_is_collected(benchmark: Benchmark) -> None:
    folder = add_project(benchmark)
    (folder / "test").mkdir()
    for name in ("conftest.py", "test_a.py", "test/test_b.py", "src/conftest.py", "test/b_test.py"):
        (folder / name).write_text("raise SystemExit('collected')\n", encoding="utf-8")
    add_task(benchmark)
    benchmark.run("bench").assert_outcomes(passed=1)
    benchmark.run("bench/projects").assert_outcomes()


# What a solution may write


def test_tests_configuration_and_scripts_are_never_taken_from_a_solution(
    benchmark: Benchmark,
) -> None:
    folder = add_project(benchmark)
    benchmark.write("bench/projects/shop/package.json", "{}")
    benchmark.write("bench/projects/shop/scripts/build.js", "")
    benchmark.write("bench/projects/shop/src/scripts/menu.js", "")
    project = read_project(folder)
    reply = StepReply(
        {
            "index.html": "new",
            "scripts/menu.js": "own",
            "scripts/build.js": "x",
            "package.json": "x",
            "checks/task-1.py": "x",
            "./checks/task-99.py": "x",
            "tasks.jsonl": "x",
            "../checks/task-1.py": "x",
            "/etc/passwd": "x",
        },
        "a service",
    )
    files, left_out = taken({"index.html": b"old", "kept.css": b"kept"}, reply, project)
    assert files == {"index.html": b"new", "kept.css": b"kept", "scripts/menu.js": b"own"}
    assert len(left_out) == 7
    assert "'checks/task-1.py' is the project's own" in left_out
    assert "'../checks/task-1.py' leads out of the app" in left_out


def test_a_reply_may_put_a_folder_where_a_file_was(benchmark: Benchmark) -> None:
    project = read_project(add_project(benchmark))
    files, _ = taken({"app": b"x"}, StepReply({"app/main.js": "y"}, "a service"), project)
    assert files == {"app/main.js": b"y"}


def test_a_models_files_are_found_by_their_names() -> None:
    reply = "Here.\n\n#### `app.js`\n```js\nlet a = 1\n```\n\n```css\np {}\n```\n"
    files, notes = files_in(reply, {"index.html": "", "app.js": ""})
    assert files == {"app.js": "let a = 1"}
    assert notes == ("1 blocks without a file's name were left out",)
    with pytest.raises(GenerationFailed, match="holds no file with its name"):
        files_in("I would rather not.", {})


# What was recorded


def test_a_recording_answers_each_attempt_and_goes_on_with_the_last_one(tmp_path: Path) -> None:
    for name in ("task-2", "task-2-2", "task-4-1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(name, encoding="utf-8")

    def answer(name: str, number: int, tries: int = 1) -> str | bytes | None:
        return recorded(tmp_path, order(name, number, tries), "x").files.get("index.html")

    assert answer("task-1", 1) is None
    assert answer("task-2", 2) == b"task-2"
    assert answer("task-2", 2, tries=2) == b"task-2-2"
    assert answer("task-3", 3) == b"task-2-2"
    assert answer("task-4", 4) == b"task-4-1"
    assert answer("task-4", 4, tries=2) == b"task-4-1"
    assert answer("task-5", 5) == b"task-4-1"


# The figures


def test_the_example_of_the_paper() -> None:
    passed, repaired = (True,), (False, True)
    tries = [passed] * 5 + [repaired] + [passed] * 9 + [(False, False)]
    outcomes = [Outcome(f"task-{n}", one) for n, one in enumerate(tries, start=1)]
    assert figures_of(outcomes, 20) == {"pass@1": 25.0, "pass@2": 75.0, "error@1": 10.0}


@given(
    st.lists(st.sampled_from([(True,), (False, True)]), max_size=20),
    st.booleans(),
)
def test_figures_hold_together(tries: list[tuple[bool, ...]], ends_early: bool) -> None:
    told = [*tries, (False, False)] if ends_early else tries
    outcomes = [Outcome(f"task-{n}", one) for n, one in enumerate(told)]
    steps = len(told) + 3 * ends_early or 1
    found = figures_of(outcomes, steps)
    assert 0 <= found["pass@1"] <= found["pass@2"] <= 100
    assert (found["error@1"] == 0) == (found["pass@1"] == found["pass@2"] and not ends_early)
    assert found["pass@2"] == round(100 * len(tries) / steps, 2)
