"""Write the HTML report of a run, or of two side by side."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_appbench.commands._runs import HELP, run_path
from pytest_appbench.options import SCREENSHOTS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("place", type=run_path, metavar="RUN", help=HELP)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("report.html"),
        metavar="FILE",
        help="the page to write (default: report.html)",
    )
    parser.add_argument(
        "--against", type=run_path, metavar="OTHER", help="another run, side by side"
    )
    parser.add_argument(
        "--screenshots",
        choices=SCREENSHOTS,
        default=SCREENSHOTS[0],
        help="link to the pictures where they lie, or take them into the file (default: link)",
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.reports.html import write

    out = write(
        options.output, options.place, against=options.against, screenshots=options.screenshots
    )
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
    return 0
