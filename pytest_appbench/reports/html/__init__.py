"""The HTML report: one file that holds a run, to be read without a network.

Records and trajectories become plain data (`data`, `steps`, `figures`), a template and one script
show them (`page`). Text of apps, models and task files is made safe for each place it is put to
(`clean`). Nothing here knows pytest.
"""

from __future__ import annotations

from pathlib import Path

from pytest_appbench.reports.html.data import Side
from pytest_appbench.reports.html.page import render
from pytest_appbench.reports.writing import write_whole

__all__ = ["write"]


def write(
    out: Path,
    run: Path,
    *,
    against: Path | None = None,
    screenshots: str = "link",
) -> Path:
    """Write the report of a run, whole or not at all.

    Args:
        out: The file to write; its folder is made if it is not there.
        run: A run directory, or a file of records; evidence is looked for beside it.
        against: Another run, to be shown side by side.
        screenshots: `link` to the pictures where they lie, or `embed` them.

    Returns:
        The file.

    Raises:
        ReportError: The file cannot be written.
        RecordsError: There is nothing to report, or a file of records or a panel is damaged.
    """
    sides = [Side.read(path) for path in (run, against) if path is not None]
    text = render(sides, out=out, screenshots=screenshots)
    write_whole(out, text)
    return out
