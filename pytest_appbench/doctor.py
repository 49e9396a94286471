"""Examines a machine: what a run needs, what was found, and what to do about the rest.

Nothing here changes the machine, and nothing needs the network.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from pytest_appbench.errors import BrowserUnavailable
from pytest_appbench.models import PROVIDERS

Severity = Literal["ok", "note", "missing"]
PACKAGES = ("pytest-appbench", "pytest", "pytest-playwright", "playwright", "pytest-xdist")
FONTS = {
    "emoji": (":charset=1f600", "fonts-noto-color-emoji"),
    "Chinese, Japanese and Korean text": (":charset=4e2d", "fonts-noto-cjk"),
}


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Attributes:
        subject: What was looked at.
        severity: ok; note, when something is weaker without it; missing, when nothing runs.
        text: What was found and what to do.
    """

    subject: str
    severity: Severity
    text: str

    @property
    def ok(self) -> bool:
        """Whether there is nothing to do."""
        return self.severity == "ok"


def examine() -> list[Finding]:
    """Look at everything a run needs.

    Returns:
        The findings, in the order in which one would set up a machine.
    """
    return [
        Finding("python", "ok", platform.python_version()),
        *_packages(),
        _browser(),
        *_fonts(),
        _memory(),
        _sandbox(),
        *_models(),
    ]


def _packages() -> list[Finding]:
    findings = []
    for name in PACKAGES:
        try:
            findings.append(Finding(name, "ok", version(name)))
        except PackageNotFoundError:
            findings.append(Finding(name, "missing", f"run `pip install {name}`"))
    return findings


def _browser() -> Finding:
    from pytest_appbench.browser.launch import find_chromium

    try:
        found = find_chromium()
    except BrowserUnavailable as error:
        return Finding("browser", "missing", str(error))
    answer = subprocess.run(
        [found.executable, "--version"], capture_output=True, text=True, timeout=20, check=False
    )
    text = answer.stdout.strip() or "gave no version"
    return Finding("browser", "ok", f"{text}, {found.source}: {found.executable}")


def _fonts() -> list[Finding]:
    tool = shutil.which("fc-list")
    if tool is None:
        return [Finding("fonts", "note", "cannot be listed: fc-list (fontconfig) is not installed")]
    findings = []
    for script, (pattern, package) in FONTS.items():
        answer = subprocess.run([tool, pattern], capture_output=True, timeout=20, check=False)
        if answer.stdout.strip():
            findings.append(Finding(f"font for {script}", "ok", "found"))
        else:
            text = f"none: such text shows as empty boxes; install a font (Debian: {package})"
            findings.append(Finding(f"font for {script}", "note", text))
    return findings


def _sandbox() -> Finding:
    from pytest_appbench.sandbox import describe, warning

    text = warning()
    return Finding("sandbox", "note", text) if text else Finding("sandbox", "ok", describe())


def _models() -> list[Finding]:
    """Which providers can be asked, as far as the environment tells; keys are never shown."""
    findings = []
    for provider in PROVIDERS:
        key, address = f"{provider.upper()}_API_KEY", f"{provider.upper()}_BASE_URL"
        where = f" at {os.environ[address]}" if os.environ.get(address) else ""
        if os.environ.get(key):
            findings.append(Finding(f"models of {provider}", "ok", f"{key} is set{where}"))
        else:
            text = f"{key} is not set{where}; only judges and generators of {provider} need it"
            findings.append(Finding(f"models of {provider}", "note", text))
    return findings


def _memory() -> Finding:
    shared = Path("/dev/shm")
    if not shared.is_dir():
        return Finding("shared memory", "ok", "not limited")
    megabytes = shutil.disk_usage(shared).total // 2**20
    if megabytes < 256:
        text = f"{megabytes} MB; Chromium wants 256 MB or more (docker run --shm-size=1g)"
        return Finding("shared memory", "note", text)
    return Finding("shared memory", "ok", f"{megabytes} MB")
