"""Agreement as text, for `appbench agreement` and `appbench calibrate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_appbench.judges.verdict import DIMENSIONS
from pytest_appbench.reports.tables import aligned, percent, percent_within
from pytest_appbench.statistics.agreement import RULES, THRESHOLDS, confusion, sweep

if TYPE_CHECKING:
    from pytest_appbench.statistics.agreement import Case
    from pytest_appbench.statistics.paired import Side

FIGURES = ("accuracy", "precision", "recall", "f1")


def scores_of(side: Side) -> tuple[float, ...]:
    """The scores that thresholds are tried on.

    Args:
        side: What became of a task.

    Returns:
        The protocol's own single score, or those of intention, static and dynamic that its status
        rests on; empty where the judge did not give all of these.
    """
    verdict = side.record.verdict
    if verdict is None:
        return ()
    if verdict.score is not None:
        return (verdict.score,)
    scores = [getattr(verdict.scores, name) for name in verdict.counted or DIMENSIONS]
    known = tuple(score for score in scores if score is not None)
    return known if len(known) == len(scores) else ()


def agreement_lines(cases: Sequence[Case], title: str = "domain") -> list[str]:
    """Accuracy, precision, recall and F1, for each group and for all.

    Args:
        cases: At least one.
        title: What the groups are.

    Returns:
        Lines of text, with 95 % intervals in the row of all.
    """
    rows = [[title, "apps", "good", *FIGURES]]
    groups = sorted({case.group for case in cases})
    for group in groups:
        own = [case for case in cases if case.group == group]
        figures = [percent(getattr(confusion(own), name)) for name in FIGURES]
        rows.append([group, str(len(own)), str(sum(case.good for case in own)), *figures])
    every, good = confusion(cases), sum(case.good for case in cases)
    bounds = every.intervals()
    figures = [percent_within(getattr(every, name), bounds[name]) for name in FIGURES]
    rows.append(["all (95 %)", str(len(cases)), str(good), *figures])
    return aligned(rows)


def sweep_lines(cases: Sequence[Case]) -> list[str]:
    """What other thresholds and other rules would have come to.

    Args:
        cases: Any.

    Returns:
        Lines of text, a row for each threshold; nothing where no score was given.
    """
    if not any(case.scores for case in cases):
        return ["no threshold can be tried: no judging has scores"]
    heads = ["threshold", "passes", *FIGURES]
    others = [rule for rule in RULES if rule != "min"]
    several = any(len(case.scores) > 1 for case in cases)
    if several:
        heads += [f"{rule}: {name}" for rule in others for name in ("accuracy", "f1")]
    rows = [heads]
    found = {rule: dict(sweep(cases, THRESHOLDS, rule)) for rule in RULES}
    for threshold in THRESHOLDS:
        least = found["min"][threshold]
        row = [f"{threshold:.2f}", percent((least.tp + least.fp) / least.n)]
        row += [percent(getattr(least, name)) for name in FIGURES]
        if several:
            for rule in others:
                row += [
                    percent(found[rule][threshold].accuracy),
                    percent(found[rule][threshold].f1),
                ]
        rows.append(row)
    return aligned(rows)
