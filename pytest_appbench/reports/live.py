"""One line below pytest's own output that says what each process is doing, on a real terminal.

It is wiped before pytest writes anything and drawn again later, so that pytest's output is what it
would be without it. Where nobody watches (no terminal, CI, `-q`, `-s`) it does not exist.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from pytest_appbench.reports.escape import line

_SECONDS = 0.5
_WIPE = "\x1b[J"
_SERVICES = ("CI", "BUILD_NUMBER")


def is_wanted(config: pytest.Config) -> bool:
    """Whether a person watches a terminal that the line would not spoil.

    Args:
        config: pytest's configuration.
    """
    options, reporter = config.option, config.pluginmanager.getplugin("terminalreporter")
    if type(reporter) is not TerminalReporter or sys.platform == "win32":
        return False
    return (
        bool(reporter.isatty)
        and not hasattr(config, "workerinput")
        and config.get_verbosity() >= 0
        and not any(os.environ.get(name) for name in _SERVICES)
        and os.environ.get("TERM", "dumb") != "dumb"
        and options.capture in ("fd", "sys")
        and not (options.usepdb or options.trace or options.collectonly)
        and not (config.getini("log_cli") or options.log_cli_level)
    )


class LiveLine:
    """Draws the line while tests run.

    Args:
        config: pytest's configuration.
        run: The run's directory, whose ledger tells what was spent.

    Attributes:
        folder: Where processes tell what they are doing.
    """

    def __init__(self, config: pytest.Config, run: Path) -> None:
        self._reporter: Any = config.pluginmanager.getplugin("terminalreporter")
        self._writer = self._reporter._tw
        self._run = run
        self.folder = Path(tempfile.mkdtemp(prefix="appbench-status-"))
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._is_shown = False
        self._ledger: Any = None
        self._descriptor = -1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, Any, Any]:
        """Draw while the tests run."""
        file = self._writer._file
        # While a test runs, pytest leads the standard output elsewhere; the copy stays.
        self._descriptor = os.dup(file.fileno())
        self._writer._file = _Courteous(file, self._wipe, self._lock)
        thread = threading.Thread(target=self._draw_on, name="appbench-live", daemon=True)
        thread.start()
        try:
            return (yield)
        finally:
            self._over.set()
            thread.join()
            with self._lock:
                self._wipe()
            self._writer._file = file
            os.close(self._descriptor)

    def pytest_unconfigure(self) -> None:
        """Remove what the processes told."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _draw_on(self) -> None:
        while not self._over.wait(_SECONDS):
            # What cannot be told is not told; the tests go on.
            with suppress(Exception):
                self._draw()

    def _draw(self) -> None:
        text = self._text()[: self._writer.fullwidth - 1]
        with self._lock:
            if self._over.is_set():
                return
            if not text:
                self._wipe()
                return
            column = min(self._writer.width_of_current_line + 1, self._writer.fullwidth)
            # Down to a line of its own, and back to where pytest goes on writing.
            self._put(f"\n\r{text}\x1b[K\x1b[1A\x1b[{column}G")
            self._is_shown = True

    def _wipe(self) -> None:
        if self._is_shown:
            self._is_shown = False
            self._put(_WIPE)

    def _put(self, text: str) -> None:
        with suppress(OSError):
            os.write(self._descriptor, text.encode())

    def _text(self) -> str:
        if not any(self.folder.iterdir()):
            return ""
        from pytest_appbench.reports.status import read

        now, parts = time.time(), []
        for process, doing in read(self.folder).items():
            name = "" if process == "main" else f"{process} "
            parts.append(f"{name}{line(str(doing))}, {max(now - doing.since, 0):.0f} s")
        return " | ".join([*self._spent(), *parts]) if parts else ""

    def _spent(self) -> list[str]:
        if self._ledger is None:
            if not (self._run / "ledger").is_dir():
                return []
            from pytest_appbench.models.limits import Ledger

            self._ledger = Ledger(self._run / "ledger")
        tokens, cost = self._ledger.spent()
        if not tokens:
            return []
        return [f"{tokens:,} tokens" if cost is None else f"${cost:.2f}"]


class _Courteous:
    """A file that has the line wiped before it is written to.

    Args:
        file: What pytest writes to.
        wipe: Wipes the line.
        lock: Held by whoever writes.
    """

    def __init__(self, file: Any, wipe: Any, lock: threading.Lock) -> None:
        self._file, self._wipe, self._lock = file, wipe, lock

    def write(self, text: str) -> int:
        with self._lock:
            self._wipe()
            written: int = self._file.write(text)
            # What were written later would stand where the line was drawn in between.
            self._file.flush()
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
