"""Writes the report when a pytest session ends, as pytest writes its JUnit file.

It comes after the other hooks at the end of a session, so that what they put into the run is shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_appbench.errors import AppbenchError


class HtmlReport:
    """Writes one report and says where, unless the session had no task.

    Args:
        out: The file to write.
        run: The run's directory.
        screenshots: `link` or `embed`.
    """

    def __init__(self, out: Path, run: Path, screenshots: str) -> None:
        self._out, self._run, self._screenshots = out, run, screenshots
        self._said, self._written = "", False

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write it; a report that cannot be written costs no result."""
        from pytest_appbench.reports.html import write

        if not self._run.is_dir():
            self._said = f"no app was judged, so {self._out} was not written"
            return
        try:
            write(self._out, self._run, screenshots=self._screenshots)
        except AppbenchError as error:
            self._said = str(error)
        else:
            self._written = True

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say where it is, in pytest's manner."""
        start = terminalreporter.config.invocation_params.dir
        if self._written:
            place = self._out.relative_to(start) if self._out.is_relative_to(start) else self._out
            terminalreporter.write_sep("-", f"generated report: {place}")
        elif self._said:
            terminalreporter.write_sep("-", self._said)
