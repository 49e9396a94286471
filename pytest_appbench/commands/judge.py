"""Judge one app, without a task file."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_appbench import judges
from pytest_appbench.commands import relative
from pytest_appbench.errors import MissingArtifact
from pytest_appbench.judges import protocols
from pytest_appbench.options import OPTIONS

BY_NAME = {option.name: option for option in OPTIONS}
OF_JUDGE = (
    "judge",
    "protocol",
    "threshold",
    "viewport",
    "seed",
    "without",
    "vision",
    "clock",
    "screen",
    "vote",
    "max-turns",
    "max-actions",
    "time-limit",
    "run-tokens",
    "run-cost",
    "cache",
    "run-dir",
    "capture",
)
"""The options of a run that make sense for a single app."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run that a judging depends on, by their own names.

    Args:
        parser: Of a command that judges.
    """
    for name in OF_JUDGE:
        option = BY_NAME[name]
        parser.add_argument(
            f"--{name}",
            dest=option.attribute,
            action="append" if option.repeats else "store",
            choices=option.choices or None,
            metavar=option.metavar,
            help=f"{option.help} (default: {option.default})",
        )


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("app", type=Path, metavar="APP", help="a folder with index.html, or a file")
    parser.add_argument("--query", required=True, help="the request that the app should meet")
    parser.add_argument("--checks", type=Path, metavar="FILE", help="executable checks")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.api import Appbench
    from pytest_appbench.models import resolve as resolve_model
    from pytest_appbench.reports.results import Run
    from pytest_appbench.reports.text import explain
    from pytest_appbench.settings import new_run_id, resolve
    from pytest_appbench.standalone import equipped
    from pytest_appbench.workshop import Workshop

    here = Path.cwd()
    given = {
        BY_NAME[name].attribute: getattr(options, BY_NAME[name].attribute) for name in OF_JUDGE
    }
    settings = resolve(
        given, {}, invocation_dir=here, root_dir=here, cache_dir=here / ".appbench-cache"
    )
    for spec in settings.judge:
        judges.require(spec)
        if ":" in spec:
            resolve_model(spec)  # a key that is missing is told before a browser starts
    protocols.require(settings.protocol)
    if not options.app.exists():
        raise MissingArtifact(f"there is no app at {options.app}")
    shop = Workshop(settings, Run(settings.run_dir, new_run_id()))
    try:
        with equipped(headed=options.headed) as equipment:
            bench = Appbench(
                nodeid=f"{options.app.as_posix()}::judge",
                workshop=shop,
                browser=equipment.browser,
                server=equipment.server,
                watchdog=equipment.watchdog,
            )
            verdict = bench.judge(options.app, query=options.query, checks=options.checks or ())
    finally:
        shop.close()
    shop.run.join()
    place = relative(shop.run.path)
    if verdict.evidence:
        verdict = verdict.model_copy(update={"evidence": str(place / verdict.evidence)})
    print(f"{verdict.status}: {explain(verdict)}")
    print(f"  run      {place}")
    return 0 if verdict.passed else 1
