"""Rank the generators of many runs by their pass rates."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_appbench.commands._runs import HELP, run_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        type=_named,
        help=f"{HELP}; NAME=RUN names its row",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every figure as CSV")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.errors import RecordsError
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.leaderboard import Source, boards, csv_of, html_of, table
    from pytest_appbench.reports.results import no_records
    from pytest_appbench.reports.runfile import load

    runs: list[Source] = []
    for name, path in options.runs:
        try:
            loaded = load(path)
            if not loaded.whole:
                raise no_records(path)
            runs.append(Source(str(path), loaded.records, name, loaded.file))
        except RecordsError as error:
            if not path.is_dir() or name is not None:
                raise
            # what `runs/*` names may hold folders that are no runs
            print(f"left out: {spaced(str(error))}", file=sys.stderr)
    if not runs:
        raise RecordsError("no run with records was named")
    found = boards(runs)
    for number, board in enumerate(found):
        print("" if number == 0 else "\n", f"judged by {spaced(board.judge)}\n", sep="")
        for line in (*table(board), *map(spaced, board.unlike())):
            print(line)
    print("\nA rank is one more than the number of generators whose interval lies wholly above.")
    for path, text in ((options.csv, csv_of), (options.html, html_of)):
        if path:
            # An app may show halves of characters, which no file can hold.
            path.write_text(text(found), encoding="utf-8", errors="replace", newline="")
            print(f"written: {path}")
    return 0


def _named(word: str) -> tuple[str | None, Path]:
    name, equals, path = word.partition("=")
    if equals and name and not Path(word).exists():
        return name, run_path(path)
    return None, run_path(word)
