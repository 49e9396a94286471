"""Join the records of shards, or of several runs, in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, run_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("runs", type=run_path, nargs="+", metavar="RUN", help=HELP)
    parser.add_argument("-o", dest="out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--junitxml", type=Path, metavar="FILE", help="write JUnit XML too")
    parser.add_argument("--mixed", action="store_true", help="join runs of different settings")
    parser.add_argument("--partial", action="store_true", help="join though a shard is missing")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.reports import junit, merging, runfile
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.writing import write_whole

    named = [runfile.load(path) for path in options.runs]
    parts = merging.once(named)
    joined = merging.join(parts, options.out, mixed=options.mixed, partial=options.partial)
    merging.write(joined)
    if options.junitxml:
        write_whole(options.junitxml, junit.document(joined))
    kept = {id(part) for part in parts}
    for path, part in zip(options.runs, named, strict=True):
        if id(part) not in kept:
            print(f"left out: {spaced(str(path))}: this run is named twice")
    absent = sum(record.error == runfile.NOT_RUN for record in joined.whole)
    print(
        f"{count(len(joined.whole), 'task')} of {count(len(parts), 'run')} in {options.out}"
        + (f"; {absent} did not run" if absent else "")
    )
    return 0
