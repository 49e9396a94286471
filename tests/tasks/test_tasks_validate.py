"""Validation reads task files and what belongs to them, and runs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.tasks.validate import Validation, validate

TASK = "id: {id}\ndomain: games\nquery: Build it\n"
CHECK = 'def check_{}(page):\n    """It holds."""\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def told(validation: Validation) -> list[str]:
    return [str(problem) for problem in validation.problems]


def test_a_folder_in_order_has_no_problems() -> None:
    write("bench/defaults.task.yaml", "level: mid\n")
    write("bench/games/a.task.yaml", TASK.format(id="a") + "---\n" + TASK.format(id="b"))
    write("bench/games/b.task.yml", TASK.format(id="c"))
    write("bench/games/checks/a.py", CHECK.format("static_has_a_button"))
    write("bench/games/checks/_shared.py", "x = 1\n")
    write("bench/tools/a.task.yaml", TASK.format(id="a"))
    assert validate([Path("bench")]) == Validation([], tasks=4, files=3)


def test_places_of_apps_and_evidence_are_never_searched() -> None:
    write("bench/a.task.yaml", TASK.format(id="a"))
    for folder in ("apps/a/good", "sub/apps", ".hidden", "appbench-runs/1"):
        write(f"bench/{folder}/x.task.yaml", "hostile: [")
    assert validate([Path("bench"), Path()]) == Validation([], tasks=1, files=1)


def test_a_file_is_read_once_however_it_is_named(here: Path) -> None:
    write("bench/a.task.yaml", TASK.format(id="a"))
    paths = [Path("bench"), Path("bench/a.task.yaml"), here / "bench", Path("bench/../bench")]
    assert validate(paths) == Validation([], tasks=1, files=1)


def test_problems_of_every_file_are_told_with_paths_from_here() -> None:
    write("bench/defaults.task.yaml", "levle: mid\n")
    write("bench/a.task.yaml", TASK.format(id="a") + "seed: x\n---\n" + TASK.format(id="b"))
    write("bench/b.task.yaml", TASK.format(id="b"))
    found = validate([Path("bench")])
    assert (found.tasks, found.files) == (2, 2)
    assert [text.partition(";")[0] for text in told(found)] == [
        'bench/defaults.task.yaml:1: "levle" is not a key of a task',
        'bench/a.task.yaml:4: "seed" must be a whole number from 0 to 4294967295, but is the text '
        '"x"',
        'bench/b.task.yaml:1: the id "b" is taken already at a.task.yaml:6',
    ]


def test_defaults_above_the_given_path_hold_up_to_the_working_directory() -> None:
    write("bench/defaults.task.yaml", "domain: games\n")
    write("bench/card/a.task.yaml", "id: a\nquery: b\n")
    assert told(validate([Path("bench/card")])) == []
    assert 'has no "domain"' in told(validate([Path("bench/card")], root=Path("bench/card")))[0]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "nowhere:1: there is no such file or folder; check the path"),
        ("empty", "empty:1: no file in or below this folder is named *.task.yaml; check the path"),
    ],
)
def test_nothing_to_validate_is_a_problem(path: str, message: str) -> None:
    write("empty/readme.md", "")
    assert told(validate([Path(path)])) == [message]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("def check_static_x(page:\n", "1: the checks are not valid Python: '(' was never closed"),
        ("\nreturn\n", "2: the checks are not valid Python: 'return' outside function"),
        ("\0", "1: the checks are not valid Python: "),
        ("(" * 5000, "1: the checks are not valid Python: too many nested parentheses"),
        ("x = 1\n", "1: the file holds no check; write functions named check_<dimension>_<what "),
        (
            CHECK.format("statics_x"),
            "1: check_statics_x is not a name of a check; write check_static_x",
        ),
        (
            CHECK.format("looks_nice"),
            "1: check_looks_nice is not a name of a check; write check_<dimension>_<what must "
            "hold>, with one of intention, static, dynamic for the dimension",
        ),
        (CHECK.format("static"), "1: check_static is not a name of a check; write check_static_<w"),
        (
            CHECK.format("static_x") * 2,
            "3: a second check_static_x hides the one on line 1; give each its own name",
        ),
        (
            "def check_static_x(app): ...\n",
            "1: check_static_x takes (app); a check takes (page), or (page, clock) to own the "
            "page's time",
        ),
        (
            "async def check_static_x(page): ...\n",
            "1: check_static_x must be a plain function; write it without async and yield",
        ),
        ("def check_static_x(page): yield\n", "1: check_static_x must be a plain function; write"),
        (
            "def check_static_x(page):\n    expect.soft(page)\n",
            "2: expect.soft does not make a check fail; write expect, and a check of its own for "
            "each thing that must hold",
        ),
    ],
)
def test_a_check_that_cannot_run_is_told(source: str, problem: str) -> None:
    write("bench/a.task.yaml", TASK.format(id="a"))
    write("bench/checks/a.py", source)
    (message,) = told(validate([Path("bench")]))
    assert message.startswith(f"bench/checks/a.py:{problem}")


def test_checks_are_not_executed() -> None:
    write("bench/a.task.yaml", TASK.format(id="a"))
    write("bench/checks/a.py", CHECK.format("static_x") + "open('executed', 'w')\nraise Exception")
    assert told(validate([Path("bench")])) == []
    assert not Path("executed").exists()


def test_checks_of_no_task_are_told_once_all_tasks_are_known() -> None:
    write("bench/a.task.yaml", TASK.format(id="pendulum-lab"))
    write("bench/b.task.yaml", TASK.format(id="b"))
    write("bench/checks/pendulum-lb.py", CHECK.format("static_x"))
    assert told(validate([Path("bench/a.task.yaml")])) == []
    assert told(validate([Path("bench")])) == [
        'bench/checks/pendulum-lb.py:1: no task of the folder has the id "pendulum-lb", so these '
        "checks never run; rename the file to pendulum-lab.py"
    ]


def test_checks_behind_a_link_out_of_the_folder_are_not_read() -> None:
    write("bench/a.task.yaml", TASK.format(id="a"))
    write("outside.py", "def check_(")
    Path("bench/checks").mkdir()
    Path("bench/checks/a.py").symlink_to(Path("outside.py").absolute())
    assert told(validate([Path("bench")])) == [
        "bench/checks/a.py:1: the link leads out of the task's folder; copy the file"
    ]
