"""`appbench doctor` says Ready only after the browser loaded a page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_appbench.cli import main


def doctor(browser: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "APPBENCH_BROWSER": browser or ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest_appbench.cli", "doctor"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_browser_that_loads_a_page_is_ready() -> None:
    done = doctor(None)
    assert (done.returncode, done.stderr) == (0, "")
    assert "started and loaded a page under guard" in done.stdout
    assert done.stdout.endswith("\nReady: run `pytest` on a folder of task files.\n")


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'libnss3.so: cannot open' >&2; exit 127", "did not start: libnss3.so: cannot open."),
        ("exit 3", "did not start: its process ended at once, exitCode=3, signal=null."),
    ],
    ids=["that says why", "that says nothing"],
)
def test_a_browser_that_is_there_but_does_not_start_is_not(
    tmp_path: Path, script: str, told: str
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    done = doctor(str(broken))
    assert (done.returncode, done.stderr) == (1, "")
    (line,) = (line for line in done.stdout.splitlines() if "browser at work" in line)
    assert line.startswith("missing  browser at work: it is there but did not load a page: ")
    assert told in line
    assert "Ready" not in done.stdout


def test_no_browser_at_all_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APPBENCH_BROWSER", "no-such-program")
    assert main(["doctor"]) == 1
    assert "missing  browser: APPBENCH_BROWSER=no-such-program names no program" in capsys.readouterr().out  # fmt: skip
