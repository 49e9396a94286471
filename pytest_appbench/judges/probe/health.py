"""Whether an app comes up at all: it opens, shows something, answers, and floods nobody.

It tells what a person would see who opens the app and touches nothing. What the app does when it is
used is for `explore`.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import (
    PageGone,
    PageLost,
    PageNavigated,
    PageOverloaded,
    PageUnresponsive,
)
from pytest_appbench.browser.observe import Observer
from pytest_appbench.judges.judging import Judging, require_browser
from pytest_appbench.judges.probe.trial import apps_own
from pytest_appbench.judges.verdict import Finding

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

OPEN_SECONDS = 8.0
"""How long the app's own server may take to answer, in seconds."""
SHOW_SECONDS = 8.0
"""How long a loaded app may show nothing, in seconds."""
PICTURE_SECONDS = 1.5
"""After this long without text or control, anything in the picture will do, in seconds."""
MOST_UNASKED = 20
"""How often a page may do, before anybody does anything, what it should not do unasked at all."""
MOST_CONSOLE_LINES = 900
MOST_ELEMENTS = 200_000
MOST_DOCUMENTS = 8
MOST_REDIRECTS = 3
"""A page that has done more of these by itself is waited for, to see whether it ever stops."""
STAY_SECONDS = 3.0
AGAIN_SECONDS = 8.0
"""The most that is waited for a page to hang again, in seconds."""
PHONE_WIDTH = 500
"""A window up to this width, in CSS pixels, is a phone's."""

_COUNT = "() => Document.prototype.getElementsByTagName.call(document, '*').length"
_STATUS = "() => performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"
_DRAWN = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_MISSING = """() => performance.getEntriesByType("resource")
  .filter((one) => one.responseStatus >= 400 && one.name.startsWith(location.origin))
  .map((one) => new URL(one.name).pathname).filter((path) => path !== "/favicon.ico").slice(0, 5)"""

_UNASKED = {
    "popup": "opens windows",
    "download": "starts downloads",
    "navigation": "tries to leave for other sites",
    "permission": "asks for permissions",
}
"""Attempts that are a fault where they never end."""
_CODE = frozenset({".html", ".htm", ".js", ".mjs", ".jsx", ".ts", ".tsx"})
_MOST_CODE = 5_000_000
_SNIFFING = re.compile(
    r"__playwright\w*|__pw_\w+|__puppeteer\w*|__webdriver\w*|__selenium\w*|__driver_\w+|__nightmare"
    r"|\$?cdc_[a-z]\w*|domAutomation\w*|callPhantom|HeadlessChrome|!window\.chrome\b"
    r"|!navigator\.plugins\.length|navigator\.plugins\.length\s*={2,3}\s*0"
)

_ONE_COLOUR = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  return pixels.every((pixel) => pixel === pixels[0]);
}"""


@dataclass
class Health:
    """How an app came up.

    Attributes:
        failure: Why it never became usable, or None.
        findings: What else is worth knowing.
    """

    failure: Finding | None = None
    findings: list[Finding] = field(default_factory=list)


def check_health(session: Session, judging: Judging) -> Health:
    """Open an app and look at it.

    Args:
        session: An empty page.
        judging: Where the app is, and where to put screenshots.

    Returns:
        How it came up; the page shows the app afterwards if it did.

    Raises:
        BrowserUnavailable: The browser died.
    """
    try:
        if failure := _open(session, judging.url):
            return Health(failure)
        return _come_up_at_last(session)
    except PageLost as error:
        require_browser(session)
        return Health(_flood(session) or _lost(error))


def photograph(session: Session, judging: Judging) -> list[Finding]:
    """Look at the app in each window size, keep a screenshot of each, and note what sticks out.

    Args:
        session: A page that shows the app.
        judging: The window sizes, and where to put the screenshots.

    Returns:
        A suspicion if the page is wider than a phone.
    """
    findings = []
    for width, height in reversed(judging.viewports):
        with session.bounded(10.0):
            session.page.set_viewport_size({"width": width, "height": height})
        if judging.evidence is not None:
            _keep_screenshot(session, judging.evidence / f"{width}x{height}.jpg")
        if width <= PHONE_WIDTH:
            excess, culprit = Observer(session).overflow()
            if excess:
                text = f"at {width} pixels the page is {excess} pixels too wide: {culprit}"
                findings.append(Finding(kind="overflow", severity="suspicion", text=text))
    return findings


def _open(session: Session, url: str) -> Finding | None:
    from playwright.sync_api import Error as PlaywrightError

    try:
        with suppress(PageNavigated):  # on its way to another document by itself
            session.open(url, timeout=OPEN_SECONDS)
    except PlaywrightError as error:
        require_browser(session)
        reason = re.sub(r"^.*?(net::\w+).*$", r"\1", error.message.splitlines()[0])
        if reason == "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
            return _fault("not-opened", "the server answers with an error and no page")
        return _fault("not-opened", f"the page cannot be opened: {reason}")
    return None


def _come_up_at_last(session: Session) -> Health:
    """How an app came up, also one that moves on to another document by itself."""
    for _ in range(MOST_DOCUMENTS):
        with suppress(PageNavigated):
            status = int(session.evaluate(_STATUS))
            if status >= 400:
                text = f"the server answers {status} instead of the app's page"
                return Health(_fault("not-opened", text))
            if failure := _show(session):
                return Health(failure)
            return Health(findings=_remarks(session))
    return Health(_fault("reload-loop", "the page keeps loading itself anew"))


def _show(session: Session) -> Finding | None:
    """Wait until there is something to see, unless too much comes first."""
    observer = Observer(session)
    started = time.monotonic()
    while time.monotonic() < started + SHOW_SECONDS:
        if flood := _flood(session):
            return flood
        elements = int(session.evaluate(_COUNT))
        if elements > MOST_ELEMENTS:
            text = f"the page holds {elements} elements, more than a browser can keep usable"
            return _fault("element-flood", text)
        if not observer.look().is_empty:
            return _flood(session)
        waited = time.monotonic() - started
        if waited > PICTURE_SECONDS and not _is_one_colour(session):
            return None
        session.settle(250)
    thrown = apps_own([exception.text for exception in session.events.exceptions])
    why = f", after an uncaught exception: {thrown[0][:200]}" if thrown else ""
    return _fault("blank", f"the page stays blank: no text, no control, no picture{why}")


def _flood(session: Session) -> Finding | None:
    """What the page does without end before anybody does anything."""
    events = session.events
    if "dialogs" in events.floods or len(events.dialogs) > MOST_UNASKED:
        first = events.dialogs[0] if events.dialogs else None
        said = f', the first one says "{first.text[:80]}"' if first else ""
        text = f"the page opens dialogs without end before anybody does anything{said}"
        return _fault("dialog-flood", text)
    if "console" in events.floods or len(events.console) > MOST_CONSOLE_LINES:
        text = f"the page floods the console while it loads, with {_first_line(session)} and so on"
        return _fault("console-flood", text)
    if "exceptions" in events.floods:
        first_one = events.exceptions[0].text[:80] if events.exceptions else "an exception"
        text = f"the page throws without end before anybody does anything: {first_one}"
        return _fault("exception-flood", text)
    if "history" in events.floods:
        text = "the page fills the history by itself, so that nobody gets back to where they were"
        return _fault("history-flood", text)
    times = Counter(kind for kind, _ in events.attempts)
    for kind, what in _UNASKED.items():
        if times[kind] > MOST_UNASKED:
            text = f"the page {what} without end before anybody does anything, {times[kind]} times"
            return _fault(f"{kind}-flood", text)
    return None


def _first_line(session: Session) -> str:
    lines = session.events.console
    return f'"{lines[0].text[:80]}"' if lines else "thousands of lines"


def _lost(error: PageLost) -> Finding:
    if isinstance(error, PageOverloaded):
        return _fault(error.kind, f"while it loads, {error}")
    if isinstance(error, PageGone):
        return _fault("crash", "the page crashes while it loads")
    return _fault("hang", f"the page hangs while it loads: {error}")


def check_calm(session: Session) -> Finding | None:
    """Whether a page that came up has left it at that, seen from some time later.

    Args:
        session: The page, which nobody has used.

    Returns:
        What it does by itself without end, or None.

    Raises:
        PageLost: The page was lost meanwhile.
    """
    from playwright.sync_api import TimeoutError as TimeoutReached

    end = time.monotonic() + STAY_SECONDS
    while (found := _restless(session)) is None and _is_lively(session) and time.monotonic() < end:
        with suppress(TimeoutReached), session.bounded(5.0):
            session.page.wait_for_timeout(200)
    return found


def _restless(session: Session) -> Finding | None:
    if session.events.documents > MOST_DOCUMENTS:
        return _fault("reload-loop", "the page keeps loading itself anew")
    return _flood(session)


def _is_lively(session: Session) -> bool:
    """Whether a page did more by itself than most pages do, so that it is worth waiting."""
    times = Counter(kind for kind, _ in session.events.attempts)
    most = max((times[kind] for kind in _UNASKED), default=0)
    return max(most, session.events.documents, len(session.events.dialogs)) > MOST_REDIRECTS


def look_again(error: PageLost, lost: Session, judging: Judging, seconds: float) -> Finding:
    """What it means that a page was lost which only was looked at.

    Args:
        error: How it was lost.
        lost: That page.
        judging: Where the app is.
        seconds: How long after it was opened; it is watched for at least a second.

    Returns:
        A fault if the page takes too much, does something without end, or is lost again where
        nobody looks; else a suspicion, for the look itself may have been too much for a slow
        machine.

    Raises:
        BrowserUnavailable: The browser died.
    """
    if isinstance(error, PageOverloaded):
        return _fault(error.kind, f"before anybody does anything, {error}")
    if lost.cost_the_browser:
        return _fault("hang", f"before anybody does anything, {error}")
    with judging.sessions.open() as session:
        try:
            session.open(judging.url, timeout=OPEN_SECONDS)
            with session.bounded(AGAIN_SECONDS + 5):
                session.page.wait_for_timeout(min(max(seconds, 1.0), AGAIN_SECONDS) * 1000)
            session.evaluate("() => 0")
        except PageOverloaded as again:
            return _fault(again.kind, f"before anybody does anything, {again}")
        except (PageGone, PageUnresponsive) as again:
            require_browser(session)
            kind = "crash" if isinstance(again, PageGone) else "hang"
            text = f"a while after it was opened, before anybody uses it, {again}"
            return _restless(session) or _fault(kind, text)
        except PageNavigated:
            pass
        return _restless(session) or _suspicion("hang", str(error))


def resize_again(judging: Judging) -> Finding | None:
    """Whether a fresh page that nobody uses is lost in one of the window sizes.

    Args:
        judging: Where the app is, and the window sizes.

    Returns:
        A fault that names the window, or None.

    Raises:
        BrowserUnavailable: The browser died.
    """
    with judging.sessions.open() as session:
        where = "before its window is resized"
        try:
            session.open(judging.url, timeout=OPEN_SECONDS)
            for width, height in reversed(judging.viewports):
                where = f"in a window of {width} x {height}"
                with session.bounded(10.0):
                    session.page.set_viewport_size({"width": width, "height": height})
                session.evaluate(_DRAWN)
        except PageNavigated:
            return None
        except PageLost as error:
            require_browser(session)
            kind = "crash" if isinstance(error, PageGone) else "hang"
            return _fault(kind, f"{where}, before anybody uses it, {error}")
    return None


def asks_for_automation(session: Session, judging: Judging) -> list[Finding]:
    """Whether an app asks if it is being automated, so that judges might see another app.

    Args:
        session: The page; what it read there counts however it was written.
        judging: The app's files, where other ways to ask are looked for by name.

    Returns:
        A suspicion that names the ways, or nothing.
    """
    names = dict.fromkeys(session.events.sniffed)
    for name in judging.artifact.files:
        path = judging.artifact.root / name
        if path.suffix.lower() in _CODE and path.stat().st_size <= _MOST_CODE:
            found = _SNIFFING.findall(path.read_text(encoding="utf-8", errors="replace"))
            names.update(dict.fromkeys(found))
    if not names:
        return []
    text = f"the app asks whether it is being automated: {', '.join(list(names)[:5])}"
    return [_suspicion("automation", text)]


def _remarks(session: Session) -> list[Finding]:
    findings = [
        _suspicion("uncaught-exception", f"while the page loads, an exception is uncaught: {text}")
        for text in dict.fromkeys(
            apps_own([exception.text[:200] for exception in session.events.exceptions])
        )
    ][:5]
    if "address" in session.events.floods:
        text = "the page changes its address so often that a browser would stop heeding it"
        findings.append(_suspicion("address-flood", text))
    missing = session.evaluate(_MISSING)
    if missing:
        findings.append(_suspicion("missing-file", f"the app has no {', '.join(missing)}"))
    return findings


def _keep_screenshot(session: Session, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_screenshot(session, "jpeg", 1.0))


def _screenshot(session: Session, format_: str, scale: float) -> bytes:
    """The window's pixels, smaller by a scale."""
    size: Any = session.page.viewport_size or {"width": 1280, "height": 720}
    clip = {"x": 0, "y": 0, **size, "scale": scale}
    options = {"format": format_, "clip": clip} | ({"quality": 70} if format_ == "jpeg" else {})
    return session.picture(options)


def _is_one_colour(session: Session) -> bool:
    picture = b64encode(_screenshot(session, "png", 0.25)).decode()
    return bool(session.evaluate(_ONE_COLOUR, picture))


def _fault(kind: str, text: str) -> Finding:
    return Finding(kind=kind, severity="fault", text=text)


def _suspicion(kind: str, text: str) -> Finding:
    return Finding(kind=kind, severity="suspicion", text=text)
