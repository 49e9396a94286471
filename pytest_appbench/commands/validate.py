"""Check task files and their checks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pytest_appbench.commands import count


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    return check(options.paths)


def check(paths: Sequence[Path]) -> int:
    """Check files or folders, and print what is wrong with them.

    Args:
        paths: The files or folders.

    Returns:
        The exit code.
    """
    from pytest_appbench.tasks.validate import validate

    found = validate(paths)
    for problem in found.problems:
        print(problem)
    print(
        f"{count(found.tasks, 'task')} in {count(found.files, 'file')}: "
        + (count(len(found.problems), "problem") if found.problems else "all good")
    )
    return 1 if found.problems else 0
