"""What a project of steps looks like from outside, for whoever must only know it when it is met."""

from __future__ import annotations

from pathlib import Path

LISTS = ("tasks.jsonl", "tasks.yml", "tasks.yaml")
"""Names of the file that lists the steps."""
SPECS = (".spec.js", ".spec.ts", ".spec.mjs", ".spec.cjs")
"""Endings of Playwright's own tests."""


def is_project(folder: Path) -> bool:
    """Whether a folder looks like a project of steps; it is not read.

    Args:
        folder: Any folder.
    """
    if not any((folder / name).is_file() for name in LISTS):
        return False
    marks = ("src-init", "checks/task-1.py", *(f"test/task-1{suffix}" for suffix in SPECS))
    return any((folder / mark).exists() for mark in marks)


def is_source(name: str) -> bool:
    """Whether a folder of a project holds a solution, or the code that solutions start from.

    Args:
        name: Its name.
    """
    return name == "src" or name.startswith("src-")
