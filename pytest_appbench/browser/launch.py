"""Finds a Chromium, says how it must be started to keep apps in, and replaces one that died.

It starts nothing by itself: the caller launches, with Playwright or pytest-playwright.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.browser.routing import Confinement
from pytest_appbench.errors import BrowserUnavailable

if TYPE_CHECKING:
    import psutil
    from playwright.sync_api import Browser

VARIABLE = "APPBENCH_BROWSER"
COMMANDS = (
    "chrome",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "msedge",
    "microsoft-edge",
)
HEADLESS_COMMANDS = ("chrome-headless-shell", "chromium-headless-shell")
MAC_APPS = ("Google Chrome", "Chromium", "Microsoft Edge")
HOST_RULES = "--host-resolver-rules=MAP *.app.localhost 127.0.0.1:"

# Chromium loads these pages for the address bar of every new window, in a renderer of their own:
# most of what a fresh context costs, and nobody sees them.
_FEATURES_UNUSED = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
# Of several --disable-features Chromium heeds only the last, so Playwright's own are repeated.
_FEATURES_PLAYWRIGHT_DISABLES = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
    "msEdgeUpdateLaunchServicesPreferredVersion",
    "msForceBrowserSignIn",
)

_BUNDLES = ("chromium",)
_HEADLESS_BUNDLES = ("chromium-headless-shell",)
_INSIDE_BUNDLE = (
    "chrome-*/chrome",
    "chrome-*/chrome.exe",
    "chrome-*/*.app/Contents/MacOS/*",
    "chrome-*/chrome-headless-shell",
    "chrome-*/chrome-headless-shell.exe",
    "chrome-*/headless_shell",
)


@dataclass(frozen=True)
class FoundBrowser:
    """A Chromium and where it was found.

    Attributes:
        executable: Its path, for Playwright's `executable_path`.
        source: Where it was found, in words.
    """

    executable: str
    source: str


def find_chromium(*, headed: bool = False) -> FoundBrowser:
    """Find a Chromium without starting anything.

    The order: the environment variable APPBENCH_BROWSER, Playwright's own build, Chrome, Chromium
    or Edge on PATH, and on macOS among the applications. A build without windows goes before the
    others of its place: a fresh page costs it half as much.

    Args:
        headed: Whether the browser is to be seen.

    Returns:
        The first one found.

    Raises:
        BrowserUnavailable: There is none; the message says how to get one.
    """
    named = os.environ.get(VARIABLE)
    if named:
        path = shutil.which(named)
        if path is None:
            raise BrowserUnavailable(f"{VARIABLE}={named} names no program; correct or unset it.")
        return FoundBrowser(path, VARIABLE)
    for bundled in _playwright_builds(_BUNDLES if headed else (*_HEADLESS_BUNDLES, *_BUNDLES)):
        return FoundBrowser(str(bundled), "Playwright's own build")
    for command in COMMANDS if headed else (*HEADLESS_COMMANDS, *COMMANDS):
        path = shutil.which(command)
        if path:
            return FoundBrowser(path, f"{command} on PATH")
    for name in MAC_APPS if sys.platform == "darwin" else ():
        app = Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
        if app.exists():
            return FoundBrowser(str(app), f"the application {name}")
    raise BrowserUnavailable(
        "No Chromium was found. Run `playwright install --with-deps chromium`; or install "
        "Chromium, Chrome or Edge with your system's package manager (Debian: `apt-get install "
        "chromium`); "
        f"or set {VARIABLE} to the path of one."
    )


def guard_arguments(port: int) -> list[str]:
    """The command line that keeps every app inside its own site.

    Names below app.localhost lead to our server, every other name and address to a port that
    nobody can listen on, and WebRTC uses no socket of its own. (A name that is mapped to "not
    found" would still be asked for by multicast DNS, and start Chromium's DNS probes.) All frames
    of a page share one renderer, so that ending it ends all of the page. No page opens another,
    where the browser heeds that. `navigator.webdriver` is what a person's browser says it is, so
    that an app cannot show its judges what nobody else gets to see. Pages are scrolled at
    once: a smooth scroll takes real time, also where a page's own time stands still. What changed
    is drawn anew whole, so that one state always gives the same pixels. Nothing is heard: what
    would sound is on record (see `sounds`).

    Args:
        port: The port of the server of the apps.

    Returns:
        Arguments for Chromium, to be added to those that Playwright gives.
    """
    arguments = [f"{HOST_RULES}{port}, MAP * 127.0.0.1:0", *quieting_arguments()]
    if sys.platform.startswith("linux") and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    return arguments


def quieting_arguments() -> list[str]:
    """The part of `guard_arguments` that is the same for every server and on every machine."""
    return [
        # The first is heeded by browsers with windows, the second by those without.
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-site-isolation-trials",
        "--disable-crash-reporter",
        "--block-new-web-contents",
        "--disable-blink-features=AutomationControlled",
        "--disable-domain-reliability",
        "--disable-smooth-scrolling",
        "--disable-partial-raster",
        "--no-pings",
        "--mute-audio",
        "--enable-unsafe-swiftshader",
        f"--disable-features={','.join((*_FEATURES_PLAYWRIGHT_DISABLES, *_FEATURES_UNUSED))}",
    ]


class BrowserKeeper:
    """Gives a worker's browser, and a new one when the last one died.

    Args:
        launch: Starts a browser, or connects to one.
        confinement: How apps are kept in there.

    Attributes:
        confinement: The same.
    """

    def __init__(
        self, launch: Callable[[], Browser], confinement: Confinement | None = None
    ) -> None:
        self._launch = launch
        self._browser: Browser | None = None
        self._processes: list[psutil.Process] = []
        self.confinement = confinement or Confinement()

    def get(self) -> Browser:
        """A browser that answers; the same one as before if it still does.

        Raises:
            BrowserUnavailable: It does not start.
        """
        from playwright.sync_api import Error

        if self._browser is None or not is_alive(self._browser):
            self.close()
            before = _zygotes()
            try:
                self._browser = self._launch()
            except Error as error:
                raise BrowserUnavailable(f"the browser did not start: {_why(error)}") from None
            if not self.confinement.is_remote:
                self._processes = list(_zygotes() - before)
        return self._browser

    def end(self) -> None:
        """End the browser without waiting; the last resort of a watchdog, from its thread.

        Of a remote browser only the connection is ended. No process of this machine is touched.
        """
        if not self.confinement.is_remote:
            end_guarded_browsers()
        elif self._browser is not None:
            from pytest_appbench.browser.watchdog import disconnect

            disconnect(self._browser)

    def close(self) -> None:
        """Close the browser if there is one."""
        import psutil
        from playwright.sync_api import Error

        browser, self._browser = self._browser, None
        if browser is not None and browser.is_connected():
            with suppress(Error):  # it may end meanwhile, or Playwright's own process did
                browser.close()
        # One that crashed leaves the processes that it starts others from.
        for process in self._processes:
            with suppress(psutil.Error):
                process.kill()
        self._processes = []


def _zygotes() -> set[psutil.Process]:
    """The processes below this one from which Chromium starts others."""
    import psutil

    found = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--type=zygote" in process.cmdline():
                found.add(process)
    return found


def _why(error: Exception) -> str:
    """What the browser itself said, out of all that Playwright tells about a start; else that."""
    text = str(error)
    if said := re.search(r"\[err\].*?:(?:ERROR|FATAL):\S+\] (.+)", text):
        return said[1].strip()
    if lines := re.findall(r"\[err\] (.*\S)", text):
        return "; ".join(dict.fromkeys(lines[-6:]))  # Playwright tells them twice
    ended = re.search(r"<process did exit: (.+?)>", text)
    return f"its process ended at once, {ended[1]}" if ended else text


def is_alive(browser: Browser) -> bool:
    """Whether a browser still works; only a round trip shows that its process has ended.

    Args:
        browser: Any browser.

    Returns:
        False when its process is gone or does not answer the protocol.
    """
    from playwright.sync_api import Error

    if not browser.is_connected():
        return False
    if browser.browser_type.name != "chromium":
        return True
    try:
        browser.new_browser_cdp_session().detach()
    except Error:
        return False
    return True


def end_guarded_browsers() -> None:
    """Kill the guarded browsers that this process started, and no others.

    The last resort of a watchdog. A browser is told by the guard's own argument on its command line
    and by being a descendant of this process.
    """
    import psutil

    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            arguments = process.cmdline()
            is_ours = any(argument.startswith(HOST_RULES) for argument in arguments)
            if is_ours and not any(argument.startswith("--type=") for argument in arguments):
                process.kill()


def find_ffmpeg() -> str | None:
    """Find an ffmpeg: on PATH, or the one that Playwright makes its own videos with.

    Returns:
        Its path, or None if there is none.
    """
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return None
    root = _install_root(Path(spec.origin).parent / "driver" / "package")
    return next((str(path) for path in sorted(root.glob("ffmpeg-*/ffmpeg-*"))), None)


def _playwright_builds(names: Iterable[str]) -> Iterator[Path]:
    """The executables that `playwright install` put in place for the installed Playwright."""
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return
    package = Path(spec.origin).parent / "driver" / "package"
    try:
        listed = json.loads((package / "browsers.json").read_text("utf-8"))["browsers"]
    except (OSError, ValueError, KeyError):
        return
    revisions = {browser["name"]: browser["revision"] for browser in listed}
    for name in names:
        folder = _install_root(package) / f"{name.replace('-', '_')}-{revisions.get(name)}"
        if (folder / "INSTALLATION_COMPLETE").exists():
            for pattern in _INSIDE_BUNDLE:
                yield from folder.glob(pattern)


def _install_root(package: Path) -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named == "0":
        return package / ".local-browsers"
    if named:
        return Path(named).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"
