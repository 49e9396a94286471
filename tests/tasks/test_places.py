"""A task may bring files of its own folder, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.tasks.load import read_file
from pytest_appbench.tasks.places import place

TASK = "id: chart\ndomain: tools\nquery: Draw the file\n"


def test_files_beside_the_task_are_found(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/sales.csv").write_text("month,sales\n")
    (tmp_path / "lab.task.yaml").write_text(TASK + "materials: [data/sales.csv]\nsteps: data\n")
    (task,), problems = read_file(tmp_path / "lab.task.yaml")
    assert problems == []
    assert place(task, task.materials[0]).read_text() == "month,sales\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("materials: [gone.csv]", "'gone.csv' is no file; write the path of a file"),
        ("materials: [../secret.txt]", "leads out of the task's folder"),
        ("spec: /etc/passwd", "leads out of the task's folder"),
        ("spec: link.md", "leads out of the task's folder"),
        ("steps: lab.task.yaml", "is no folder, but something else is there"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_line(
    tmp_path: Path, line: str, told: str
) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "secret.txt")
    (folder / "lab.task.yaml").write_text(f"{TASK}{line}\n")
    tasks, (problem,) = read_file(folder / "lab.task.yaml")
    assert tasks == []
    assert problem.line == 4
    assert told in problem.message.replace('"', "'")
