"""Write what each task took, in the file by which pytest-split makes shards of equal length."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, run_path
from pytest_appbench.errors import RecordsError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("runs", type=run_path, nargs="+", metavar="RUN", help=HELP)
    parser.add_argument(
        "-o",
        dest="out",
        type=Path,
        default=Path(".test_durations"),
        metavar="FILE",
        help="what it holds of other tests stays (default: .test_durations)",
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.reports import runfile
    from pytest_appbench.reports.junit import seconds
    from pytest_appbench.reports.writing import write_whole

    known = _read(options.out)
    found: dict[str, float] = {}
    for path in options.runs:
        for record in runfile.load(path).whole:
            if record.outcome != "error":  # an error says nothing about how long judging takes
                found[record.nodeid] = round(seconds(record), 3)
    text = json.dumps({**known, **found}, sort_keys=True, indent=4) + "\n"
    write_whole(options.out, text)
    print(f"{count(len(found), 'task')} in {options.out}")
    return 0


def _read(path: Path) -> dict[str, float]:
    if not path.exists():
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): float(value) for name, value in dict(known).items()}
    except (ValueError, TypeError) as error:
        raise RecordsError(f"{path}: this is no file of pytest-split: {error}") from None
