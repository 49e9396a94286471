"""Decide whether a run was good enough, as pytest does with --appbench-gate."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from pytest_appbench.commands._runs import HELP, RUNS, run_path
from pytest_appbench.errors import SettingsError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("place", metavar="RUN", help=HELP)
    parser.add_argument(
        "--gate", action="append", default=[], metavar="EXPR", help="such as 'pass_rate >= 0.6'"
    )
    parser.add_argument("--baseline", metavar="FILE|RUN", help="what no-regressions compares with")
    parser.add_argument("--max-uncertain", metavar="SHARE")
    parser.add_argument("--min-coverage", metavar="SHARE")
    parser.add_argument(
        "--run-dir", dest="runs", type=Path, default=RUNS, help=f"where runs lie (default: {RUNS})"
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.gates.decide import asked, decide
    from pytest_appbench.reports import github, runfile
    from pytest_appbench.reports.escape import plain
    from pytest_appbench.reports.gating import gates_described
    from pytest_appbench.reports.table import closing_table
    from pytest_appbench.settings import read_value

    gates = asked(
        [read_value("gate", text) for text in options.gate],
        read_value("max-uncertain", options.max_uncertain or "none"),
        least := read_value("min-coverage", options.min_coverage or "none"),
    )
    if not gates:
        raise SettingsError("say what to decide by: --gate 'pass_rate >= 0.6'")
    if options.baseline is None and any(gate.needs_baseline for gate in gates):
        raise SettingsError("no-regressions compares with another run: --appbench-baseline")
    results = runfile.load(run_path(options.place, options.runs))
    baseline = None
    if options.baseline:
        baseline = runfile.load(run_path(options.baseline, options.runs))
    decision = decide(gates, results, baseline, least)
    for text in (*closing_table(results.whole), *gates_described(decision, results, baseline)):
        print(plain(text))
    github.publish(os.environ, results, decision, Path.cwd())
    return decision.code
