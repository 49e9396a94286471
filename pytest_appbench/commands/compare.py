"""Compare two runs task by task: what changed, and is the difference real."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, run_path

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.statistics.differences import RateDifference
    from pytest_appbench.statistics.paired import Pair, Pairing, Side


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("before", type=run_path, metavar="A", help=f"{HELP}; the earlier")
    parser.add_argument("after", type=run_path, metavar="B", help="the later one")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.commands._runs import judges_of, records_of, told_apart, ways_of
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.statistics.differences import RateDifference
    from pytest_appbench.statistics.paired import pair

    before, after = records_of(options.before), records_of(options.after)
    pairing = pair(before, after)
    for name, path, records in (("A", options.before, before), ("B", options.after, after)):
        print(spaced(f"{name}  {path}  {_whose(records)}"))
    ways = [["judged by " + judges_of(r), *ways_of(r)] for r in (before, after)]
    for line in told_apart(("A", "B"), ways):
        print(spaced(line))
    rates = RateDifference.of(
        [(one.outcome == "pass", two.outcome == "pass") for one, two in _judged(pairing)]
    )
    print("", *_table(pairing, rates, options.seed), "", rates.sentence("A", "B") + ".", sep="\n")
    for text in _changes(pairing, options.before, options.after):
        print(text)
    return 1 if pairing.regressions or pairing.lost else 0


def _whose(records: Sequence[Record]) -> str:
    from pytest_appbench.commands._runs import generators_of, judges_of
    from pytest_appbench.reports.results import whole

    tasks = count(len(whole(records)), "task")
    return f"{tasks} by {generators_of(records)}, judged by {judges_of(records)}"


def _judged(pairing: Pairing) -> list[tuple[Side, Side]]:
    return [(one.before, one.after) for one in pairing.judged if one.before and one.after]


def _table(pairing: Pairing, rates: RateDifference, seed: int) -> list[str]:
    from pytest_appbench.judges.verdict import DIMENSIONS
    from pytest_appbench.reports.tables import aligned, percent_within
    from pytest_appbench.statistics import wilson_interval

    rows = [["", "tasks", "A (95 %)", "B (95 %)", "B - A (95 %)"]]
    difference = "-"
    if rates.difference is not None and rates.interval is not None:
        low, high = (f"{100 * bound:+.0f}" for bound in rates.interval)
        difference = f"{100 * rates.difference:+.0f} points ({low} to {high})"
    first, second = rates.both + rates.only_before, rates.both + rates.only_after
    rows.append(
        [
            "pass rate",
            str(rates.n),
            percent_within(rates.before, wilson_interval(first, rates.n)),
            percent_within(rates.after, wilson_interval(second, rates.n)),
            difference,
        ]
    )
    both, hint = _judged(pairing), ""
    for name in (None, *DIMENSIONS):
        each = [(one.mean_score(name), two.mean_score(name)) for one, two in both]
        scores = [(one, two) for one, two in each if one is not None and two is not None]
        if scores:
            row, told = _score_row(name or "deciding score", scores, seed)
            rows.append(row)
            hint = hint or told
    return aligned(rows) + ([hint] if hint else [])


def _score_row(name: str, scores: list[tuple[float, float]], seed: int) -> tuple[list[str], str]:
    """The row of a score, and what to install for its interval if that is missing."""
    from pytest_appbench.reports.tables import score
    from pytest_appbench.statistics import mean
    from pytest_appbench.statistics.differences import score_difference
    from pytest_appbench.statistics.extra import ExtraMissing

    one, two = mean([a for a, _ in scores]), mean([b for _, b in scores])
    assert one is not None
    assert two is not None
    told, hint = f"{two - one:+.2f}", ""
    try:
        interval = score_difference(scores, seed=seed).interval
    except ExtraMissing as missing:
        interval, hint = None, f"without intervals of scores: {missing}"
    if interval:
        told += f" ({interval[0]:+.2f} to {interval[1]:+.2f})"
    return [name, str(len(scores)), score(one), score(two), told], hint


def _changes(pairing: Pairing, before: Path, after: Path) -> list[str]:
    from pytest_appbench.commands._runs import evidence_in
    from pytest_appbench.reports.escape import spaced

    def listed(title: str, pairs: Sequence[Pair], *, evidence: bool = False) -> list[str]:
        lines = [f"\n{title} ({len(pairs)})"] if pairs else []
        for one in pairs:
            lines.append(f"  {spaced(one.key)}: {_became(one)}")
            for name, run, side in (("A", before, one.before), ("B", after, one.after)):
                found = side.evidence if evidence and side else ()
                lines += [f"    {name}  {spaced(str(evidence_in(run, path)))}" for path in found]
        return lines

    lost = {one.key for one in pairing.lost}
    return [
        *listed("regressions", pairing.regressions, evidence=True),
        *listed("passed in A, not judged in B", pairing.lost, evidence=True),
        *listed("flaky, not counted as regressions", pairing.flaky, evidence=True),
        *listed("improvements", pairing.improvements),
        *listed("only in A", [p for p in pairing.missing if p.key not in lost]),
        *listed("only in B", pairing.new),
    ]


def _became(one: Pair) -> str:
    def told(side: Side | None) -> str:
        if side is None:
            return "absent"
        passed = side.attempts.count("pass")
        return (
            f"{side.outcome} ({passed} of {len(side.attempts)} passed)"
            if side.flaky
            else (side.outcome)
        )

    return f"{told(one.before)} -> {told(one.after)}"
