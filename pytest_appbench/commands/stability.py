"""Say how much results vary when the same tasks are run again."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, run_path
from pytest_appbench.errors import RecordsError

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.statistics.paired import Side


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument(
        "runs",
        nargs="+",
        type=run_path,
        metavar="RUN",
        help=f"{HELP}; of the same tasks, and each attempt of a run is a repeat",
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.commands._runs import (
        generators_of,
        judges_of,
        records_of,
        told_apart,
        ways_of,
    )
    from pytest_appbench.reports.escape import spaced

    runs = [records_of(path) for path in options.runs]
    ways = [[f"apps of {generators_of(r)}", f"judged by {judges_of(r)}", *ways_of(r)] for r in runs]
    repeats = _repeats(options.runs, runs)
    if len(repeats) < 2:
        raise RecordsError("one repeat is no repeat: name several runs, or one with attempts")
    print(spaced(f"{count(len(repeats), 'repeat')} by {ways[0][0][8:]}, {ways[0][1]}"))
    print(
        *(spaced(line) + "\n" for line in told_apart([str(p) for p in options.runs], ways)), sep=""
    )
    shared = [t for t in repeats[0][1] if all(t in found for _, found in repeats)]
    every = {task for _, found in repeats for task in found}
    print(*_rates(repeats), sep="\n")
    if not shared:
        raise RecordsError("no task was judged in every repeat")
    if len(shared) < len(every):
        print(f"\nwhat follows is over the {len(shared)} of {len(every)} tasks judged every time")
    outcomes = [[found[task] for _, found in repeats] for task in shared]
    print("", *_consistency(outcomes), "", *_chances(outcomes), sep="\n")
    for text in _unsteady(shared, outcomes):
        print(spaced(text))
    return 0


def _repeats(
    paths: Sequence[Path], runs: Sequence[Sequence[Record]]
) -> list[tuple[str, Mapping[str, str]]]:
    """Each repeat by name: task, as the first run names it, to pass, fail or uncertain."""
    from pytest_appbench.statistics.paired import pair

    found: list[tuple[str, Mapping[str, str]]] = []
    for path, records in zip(paths, runs, strict=True):
        same = {
            p.after.nodeid: p.before.nodeid
            for p in pair(runs[0], records).pairs
            if p.before and p.after
        }
        of_task: dict[str, Side] = {
            same.get(p.after.nodeid, p.after.nodeid): p.after
            for p in pair([], records).pairs
            if p.after
        }
        numbers = sorted({n for side in of_task.values() for n in side.by_attempt})
        for number in numbers:
            name = f"{path}, attempt {number}" if len(numbers) > 1 else str(path)
            outcomes = {
                task: side.by_attempt[number]
                for task, side in of_task.items()
                if side.by_attempt.get(number, "error") != "error"
            }
            found.append((name, outcomes))
    return found


def _rates(repeats: Sequence[tuple[str, Mapping[str, str]]]) -> list[str]:
    from pytest_appbench.reports.tables import aligned, percent_within
    from pytest_appbench.statistics.stability import RateStability
    from pytest_appbench.statistics.standings import Rate

    rates = [
        (name, Rate(sum(o == "pass" for o in found.values()), len(found)))
        for name, found in repeats
    ]
    rows = [["repeat", "tasks", "pass rate (95 %)"]]
    rows += [[n, str(r.judged), percent_within(r.value, r.interval)] for n, r in rates]
    spread = RateStability(tuple(r.value for _, r in rates if r.value is not None))
    told = []
    if spread.mean is not None and spread.std is not None:
        cv = "not defined" if spread.cv is None else f"{spread.cv:.3f}"
        told = [
            "",
            f"mean {100 * spread.mean:.1f} %, standard deviation {100 * spread.std:.2f} points, "
            f"coefficient of variation {cv}",
        ]
    return [*aligned(rows), *told]


def _consistency(outcomes: Sequence[Sequence[str]]) -> list[str]:
    from pytest_appbench.statistics.stability import consistency

    found = consistency(outcomes)
    lines = [
        f"{k} of {found.repeats} repeats{'' if k == found.repeats else ' at least'} say the same: "
        f"{100 * share:.1f} % of {count(found.tasks, 'task')}"
        for k, share in found.agreeing.items()
    ]
    kappa = "not defined, one word only" if found.kappa is None else f"{found.kappa:.3f}"
    return [*lines, f"Fleiss' kappa over pass, fail and uncertain: {kappa}"]


def _chances(outcomes: Sequence[Sequence[str]]) -> list[str]:
    from pytest_appbench.reports.tables import aligned, percent
    from pytest_appbench.statistics import mean
    from pytest_appbench.statistics.stability import pass_at_k, pass_hat_k

    rows = [["k", "pass@k: one of k passes", "pass^k: all of k pass"]]
    attempts = len(outcomes[0])
    for k in range(1, attempts + 1):
        passes = [list(row).count("pass") for row in outcomes]
        one = [v for c in passes if (v := pass_at_k(c, attempts, k)) is not None]
        every = [v for c in passes if (v := pass_hat_k(c, attempts, k)) is not None]
        rows.append([str(k), percent(mean(one)), percent(mean(every))])
    return aligned(rows)


def _unsteady(tasks: Sequence[str], outcomes: Sequence[Sequence[str]]) -> list[str]:
    found = [
        f"  {task}: {' '.join(row)}"
        for task, row in zip(tasks, outcomes, strict=True)
        if len(set(row)) > 1
    ]
    return ["", f"tasks whose repeats disagree ({len(found)})", *found] if found else []
