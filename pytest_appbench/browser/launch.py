"""Finds a Chromium, says how it must be started, and starts a new one when it died."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.errors import BrowserUnavailable

if TYPE_CHECKING:
    from playwright.sync_api import Browser

COMMANDS = ("chrome", "google-chrome", "chromium", "chromium-browser", "msedge")
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


@dataclass(frozen=True)
class FoundBrowser:
    """A Chromium and where it was found.

    Attributes:
        path: Its executable; None for Playwright's own, which needs no path.
        source: In words, for the header and `appbench doctor`.
    """

    path: Path | None
    source: str


def find_chromium(playwrights: str | None = None) -> FoundBrowser:
    """Finds a Chromium to use.

    Args:
        playwrights: What Playwright says is its own executable, if it was asked.

    Raises:
        BrowserUnavailable: There is none; the message says how to get one.
    """
    if playwrights and Path(playwrights).exists():
        return FoundBrowser(None, "Playwright's own build")
    named = os.environ.get("APPBENCH_BROWSER")
    if named:
        return FoundBrowser(Path(named), "APPBENCH_BROWSER")
    for command in COMMANDS:
        found = shutil.which(command)
        if found:
            return FoundBrowser(Path(found), f"{command} on PATH")
    for app in MAC_APPS if sys.platform == "darwin" else ():
        if Path(app).exists():
            return FoundBrowser(Path(app), app)
    raise BrowserUnavailable(
        "no Chromium was found. Run `playwright install chromium`, or install one with the "
        "system's package manager (`apt-get install chromium`), or set APPBENCH_BROWSER."
    )


def guard_arguments(port: int) -> list[str]:
    """The command line that keeps every app inside its own site.

    Args:
        port: The port of the server of the apps.
    """
    arguments = [
        f"--host-resolver-rules=MAP *.app.localhost 127.0.0.1:{port}, MAP * ~NOTFOUND",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    return arguments


class BrowserKeeper:
    """Gives the browser of a worker, and a new one when the last died.

    Args:
        launch: Starts a browser.
    """

    def __init__(self, launch: Callable[[], Browser]) -> None:
        self._launch = launch
        self._browser: Browser | None = None

    def get(self) -> Browser:
        """A browser that is connected."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._launch()
        return self._browser

    def close(self) -> None:
        """Closes the browser if there is one."""
        if self._browser is not None and self._browser.is_connected():
            self._browser.close()
        self._browser = None
