"""Which Chromium is used, and how it is started."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import psutil
import pytest

from browserkit import Visit
from pytest_appbench.browser import launch
from pytest_appbench.browser.launch import find_chromium, guard_arguments
from pytest_appbench.errors import BrowserUnavailable


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any browser; gives the folder that is its PATH."""
    package = tmp_path / "playwright"
    driver = package / "driver" / "package"
    driver.mkdir(parents=True)
    names = ["chromium", "chromium-headless-shell"]
    listed = {"browsers": [{"name": name, "revision": "12"} for name in names]}
    (driver / "browsers.json").write_text(json.dumps(listed))
    spec = ModuleSpec("playwright", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(launch, "find_spec", lambda name: spec)
    monkeypatch.setattr(launch, "MAC_APPS", ())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "builds"))
    monkeypatch.delenv("APPBENCH_BROWSER", raising=False)
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    return path


def program(path: Path) -> str:
    """An executable file there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return str(path)


def test_without_any_browser_the_error_names_the_commands(bare: Path) -> None:
    with pytest.raises(BrowserUnavailable, match="playwright install --with-deps chromium"):
        find_chromium()


def test_programs_on_path_are_taken_in_order(bare: Path) -> None:
    edge = program(bare / "msedge")
    assert find_chromium().executable == edge
    chromium = program(bare / "chromium")
    assert find_chromium().executable == chromium
    assert find_chromium().source == "chromium on PATH"


def test_playwrights_own_build_goes_before_path(bare: Path) -> None:
    program(bare / "chromium")
    build = bare.parent / "builds" / "chromium-12"
    own = program(build / "chrome-linux64" / "chrome")
    assert find_chromium().source == "chromium on PATH", "an installation that was cut short"
    (build / "INSTALLATION_COMPLETE").touch()
    assert find_chromium().executable == own


def test_build_without_windows_goes_first_unless_a_window_is_wanted(bare: Path) -> None:
    full, shell = program(bare / "chromium"), program(bare / "chromium-headless-shell")
    assert find_chromium().executable == shell
    assert find_chromium(headed=True).executable == full
    builds = bare.parent / "builds"
    own_shell = program(
        builds / "chromium_headless_shell-12/chrome-headless-shell-linux64/chrome-headless-shell"
    )
    (builds / "chromium_headless_shell-12/INSTALLATION_COMPLETE").touch()
    assert find_chromium().executable == own_shell
    assert find_chromium(headed=True).executable == full
    own_full = program(builds / "chromium-12/chrome-linux64/chrome")
    (builds / "chromium-12/INSTALLATION_COMPLETE").touch()
    assert find_chromium().executable == own_shell
    assert find_chromium(headed=True).executable == own_full


def test_only_a_build_without_windows_cannot_be_headed(bare: Path) -> None:
    program(bare / "chromium-headless-shell")
    with pytest.raises(BrowserUnavailable, match="No Chromium was found"):
        find_chromium(headed=True)


def test_build_of_another_version_of_playwright_is_not_taken(bare: Path) -> None:
    build = bare.parent / "builds" / "chromium-11"
    program(build / "chrome-linux64" / "chrome")
    (build / "INSTALLATION_COMPLETE").touch()
    with pytest.raises(BrowserUnavailable):
        find_chromium()


def test_named_browser_wins(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    monkeypatch.setenv("APPBENCH_BROWSER", program(bare.parent / "mine" / "browser"))
    assert find_chromium().source == "APPBENCH_BROWSER"
    monkeypatch.setenv("APPBENCH_BROWSER", "/nowhere/browser")
    with pytest.raises(BrowserUnavailable, match="/nowhere/browser names no program"):
        find_chromium()


def test_finding_a_browser_neither_imports_nor_starts_playwright() -> None:
    code = (
        "import sys; from pytest_appbench.browser.launch import find_chromium; find_chromium();"
        "assert not any(name.startswith('playwright') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_root_goes_without_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for user, is_bare in ((0, True), (1000, False)):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        assert ("--no-sandbox" in guard_arguments(1)) is is_bare


def test_every_feature_that_playwright_disables_stays_disabled(visit: Visit) -> None:
    visit("<p>x")
    switch = "--disable-features="
    for process in psutil.Process().children(recursive=True):
        lists = [word for word in process.cmdline() if word.startswith(switch)]
        if len(lists) == 2:
            first, last = (set(found.removeprefix(switch).split(",")) for found in lists)
            assert first <= last, "Chromium heeds only the last list: add these to browser/launch"
            return
    raise AssertionError("no browser was started with Playwright's list and the guard's")


def test_apps_can_use_webgl(visit: Visit) -> None:
    session = visit("<canvas></canvas>")
    draw = """() => {
        const gl = document.querySelector('canvas').getContext('webgl2');
        gl.clearColor(0, 1, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        const pixel = new Uint8Array(4);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel];
    }"""
    assert session.evaluate(draw, timeout=20) == [0, 255, 0, 255]
