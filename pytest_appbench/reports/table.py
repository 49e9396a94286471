"""The closing table: outcomes, pass rates with intervals and mean scores, by domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_appbench.statistics import mean, wilson_interval

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record

_SCORE_HEADS = ("intention", "static", "dynamic")


def rows_of(records: Sequence[Record]) -> list[list[str]]:
    """The figures of a run as cells of text.

    Args:
        records: The records that stand for a task.

    Returns:
        The head, a row for each domain and, where there are several, one for all.
    """
    rows = [
        ["domain", "pass", "fail", "uncertain", "error", "pass rate (95 %)", *_SCORE_HEADS],
    ]
    domains = sorted({r.task.domain or "-" for r in records})
    for domain in domains:
        rows.append([domain, *_figures([r for r in records if (r.task.domain or "-") == domain])])
    if len(domains) > 1:
        rows.append(["all", *_figures(records)])
    return rows


def source_of(records: Sequence[Record]) -> str:
    """Who judged and where the apps came from, in words.

    Args:
        records: The records that stand for a task.
    """
    from pytest_appbench.judges.verdict import UNJUDGED

    judges = sorted({r.verdict.judge for r in records if r.verdict} - UNJUDGED)
    generators = sorted({r.generator for r in records if r.generator})
    by = f"judged by {', '.join(judges)}; " if judges else ""
    return f"{by}apps from {', '.join(generators) or 'nowhere'}"


def closing_table(records: Sequence[Record]) -> list[str]:
    """The table at the end of a run: a row for each domain and one for all.

    Args:
        records: The records of a run.

    Returns:
        Lines of text: counts, the pass rate with its 95 % Wilson interval, mean scores. Every
        figure is under the name of the judge that gave it.
    """
    rows = rows_of(records)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    if rows[-1][0] == "all":
        lines.insert(-1, "-" * max(map(len, lines)))
    return [source_of(records), "", *lines, ""]


def own_figures(records: Sequence[Record]) -> list[str]:
    """What a run comes to in the figures of the protocols themselves.

    Args:
        records: The records that stand for a task.

    Returns:
        Lines of text for each protocol that has a summary; an error counts for the protocol that
        it was to be judged by only where all records are of one.
    """
    from pytest_appbench.judges import protocols

    names = {r.verdict.protocol for r in records if r.verdict}
    lines: list[str] = []
    for name in sorted(names & set(protocols.known())):
        if summary := protocols.resolve(name).summary:
            own = [r.verdict for r in records if r.verdict and r.verdict.protocol == name]
            errors = [None for r in records if r.verdict is None] if len(names) == 1 else []
            lines += [*summary([*own, *errors]), ""]
    return lines


def _figures(records: Sequence[Record]) -> list[str]:
    from pytest_appbench.reports.results import count

    counts = count(records)
    judged = counts["pass"] + counts["fail"] + counts["uncertain"]
    interval = wilson_interval(counts["pass"], judged)
    rate = "-"
    if interval:
        low, high = (round(100 * bound) for bound in interval)
        rate = f"{100 * counts['pass'] / judged:.0f} % ({low}-{high} %)"
    verdicts = [record.verdict for record in records if record.verdict]
    scores = []
    for name in _SCORE_HEADS:
        value = mean([s for v in verdicts if (s := getattr(v.scores, name)) is not None])
        scores.append("-" if value is None else f"{value:.2f}")
    return [*(str(counts[o]) for o in ("pass", "fail", "uncertain", "error")), rate, *scores]
