"""Make task files of the tasks of another benchmark."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.commands.validate import check


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    from pytest_appbench.tasks.importers import listed

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"formats:\n{listed()}"
    parser.add_argument("format", metavar="FORMAT", help="one of those below")
    parser.add_argument("source", type=Path, metavar="SOURCE", help="a file or folder of it")
    parser.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder of the task files, one for each domain",
    )
    parser.add_argument(
        "--skip-invalid", action="store_true", help="leave bad records out; without, none is read"
    )
    parser.add_argument("--force", action="store_true", help="replace task files that are there")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.tasks.importers import resolve
    from pytest_appbench.tasks.importing import read, write

    form = resolve(options.format)
    found = read(form, options.source)
    for problem in found.problems:
        print(problem, file=sys.stderr)
    bad, records = len(found.problems), len(found.problems) + len(found.drafts)
    if bad and not options.skip_invalid:
        print(
            f"{bad} of {count(records, 'record')} cannot become a task, so nothing was written; "
            "mend them, or leave them out with --skip-invalid",
            file=sys.stderr,
        )
        return 1
    write(found, form, options.out, force=options.force)
    for path, number in found.files.items():
        print(f"{path}: {count(number, 'task')}")
    if bad:
        print(f"left out: {bad} of {count(records, 'record')}")
    for name, number in sorted(found.lost.items()):
        print(f"not held by a task: {name} ({count(number, 'record')})")
    return check([options.out])
