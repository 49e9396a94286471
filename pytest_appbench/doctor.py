"""Examines a machine: what a run needs, what was found, and what to do about the rest.

Nothing here changes the machine, and nothing needs the network. The browser is started and loads a
page, as it would for an app: that it is installed says little about that.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
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
        *_browser(),
        *_fonts(),
        _memory(),
        _sandbox(),
        _node(),
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


def _browser() -> list[Finding]:
    from pytest_appbench.browser.launch import find_chromium

    try:
        found = find_chromium()
    except BrowserUnavailable as error:
        return [Finding("browser", "missing", str(error))]
    where = f"{found.source}: {found.executable}"
    try:
        version = _page_loaded()
    except Exception as error:  # whatever keeps it from working, a person wants to read it
        said = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
        text = (
            f"it is there but did not load a page: {said[:600] or type(error).__name__}. Mend "
            "that, or run `playwright install --with-deps chromium` for another"
        )
        return [Finding("browser", "ok", where), Finding("browser at work", "missing", text)]
    text = f"Chromium {version} started and loaded a page under guard"
    return [Finding("browser", "ok", where), Finding("browser at work", "ok", text)]


def _page_loaded() -> str:
    """Load a page of our own as an app is loaded.

    Returns:
        The version of the browser.

    Raises:
        Exception: Anything that can go wrong with processes, ports and pages.
    """
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.errors import AppbenchError
    from pytest_appbench.standalone import equipped

    with tempfile.TemporaryDirectory(prefix="appbench-doctor-") as folder, equipped() as equipment:
        page_file = Path(folder, "app", "index.html")
        page_file.parent.mkdir()
        page_file.write_text("<!doctype html><title>well</title>", encoding="utf-8")
        artifact = Store(Path(folder, "store")).add(page_file.parent, "doctor")
        browser = equipment.browser.get()
        with equipment.site(artifact) as url:
            page = browser.new_page()
            page.goto(url, timeout=20_000)
            if page.title() != "well":
                raise AppbenchError(f"the page at {url} did not arrive as it was sent")
        return browser.version


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


def _node() -> Finding:
    from pytest_appbench.artifacts.dependencies import DependenciesMissing, node

    try:
        found = node()
    except DependenciesMissing as error:
        return Finding("Node.js", "note", f"{error}; only tasks of format react need it")
    if shutil.which("npm") is None:
        return Finding("Node.js", "note", "npm was not found; only tasks of format react need it")
    return Finding("Node.js", "ok", f"{found.version}: {found.program}")


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
