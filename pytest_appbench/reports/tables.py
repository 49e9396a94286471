"""Figures as text: aligned tables for a terminal, CSV for a spreadsheet.

Names of tasks, generators and files come from outside, so each sink gets what is harmless in it: no
control character reaches a terminal, no formula a spreadsheet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from pytest_appbench.reports.escape import spaced

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Rows as lines, the first columns to the left and the others to the right.

    Args:
        rows: The heads first; all of one length.
        left: How many columns hold words.

    Returns:
        One line for each row.
    """
    cells = [[spaced(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV (RFC 4180) that a spreadsheet does not run.

    Args:
        rows: The heads first; None is an empty cell.

    Returns:
        The text; a word that begins like a formula gets an apostrophe in front, a number does not.
    """
    stream = io.StringIO()
    csv.writer(stream).writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def percent(value: float | None) -> str:
    """A share as people read it.

    Args:
        value: 0..1, or None where there is none.
    """
    return "-" if value is None else f"{100 * value:.0f} %"


def percent_within(value: float | None, interval: tuple[float, float] | None) -> str:
    """A share with its interval.

    Args:
        value: 0..1, or None where there is none.
        interval: Its bounds, each 0..1.
    """
    if value is None or interval is None:
        return percent(value)
    low, high = (round(100 * bound) for bound in interval)
    return f"{100 * value:.0f} % ({low}-{high} %)"


def score(value: float | None, digits: int = 2) -> str:
    """A score as people read it.

    Args:
        value: Any number, or None where there is none.
        digits: Behind the point.
    """
    return "-" if value is None else f"{value:.{digits}f}"


def _cell(value: object) -> object:
    if value is None or isinstance(value, int | float):
        return "" if value is None else value
    # A spreadsheet also skips what it takes for blanks in front of a formula.
    text = str(value)
    return "'" + text if text.lstrip(" \n").startswith(_FORMULA) else text
