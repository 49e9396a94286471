"""Whether an app comes up at all: it opens, shows something, answers, and floods nobody.

It tells what a person would see who opens the app and touches nothing. What the app does when it is
used is for `explore`.
"""

from __future__ import annotations

import re
import time
from base64 import b64decode
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import PageGone, PageLost, PageNavigated
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
MOST_DIALOGS = 20
MOST_CONSOLE_LINES = 900
MOST_ELEMENTS = 200_000
MOST_DOCUMENTS = 8
PHONE_WIDTH = 500
"""A window up to this width, in CSS pixels, is a phone's."""

_COUNT = "() => Document.prototype.getElementsByTagName.call(document, '*').length"
_STATUS = "() => performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"
_MISSING = """() => performance.getEntriesByType("resource")
  .filter((one) => one.responseStatus >= 400 && one.name.startsWith(location.origin))
  .map((one) => new URL(one.name).pathname).filter((path) => path !== "/favicon.ico").slice(0, 5)"""

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
    health = Health()
    try:
        health.failure = _open(session, judging.url) or _show_at_last(session)
        if health.failure is None:
            health.findings += _remarks(session)
    except PageLost as error:
        require_browser(session)
        health.failure = _flood(session) or _lost(error)
    return health


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
        session.open(url, timeout=OPEN_SECONDS)
    except PlaywrightError as error:
        require_browser(session)
        reason = re.sub(r"^.*?(net::\w+).*$", r"\1", error.message.splitlines()[0])
        if reason == "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
            return _fault("not-opened", "the server answers with an error and no page")
        return _fault("not-opened", f"the page cannot be opened: {reason}")
    return None


def _show_at_last(session: Session) -> Finding | None:
    """As `_show`, for an app that moves on to another document by itself."""
    for _ in range(MOST_DOCUMENTS):
        with suppress(PageNavigated):
            status = int(session.evaluate(_STATUS))
            if status >= 400:
                return _fault(
                    "not-opened", f"the server answers {status} instead of the app's page"
                )
            return _show(session)
    return _fault("reload-loop", "the page keeps loading itself anew")


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
    events = session.events
    if "dialogs" in events.floods or len(events.dialogs) > MOST_DIALOGS:
        first = events.dialogs[0] if events.dialogs else None
        said = f', the first one says "{first.text[:80]}"' if first else ""
        text = f"the page opens dialogs without end before anybody does anything{said}"
        return _fault("dialog-flood", text)
    if "console" in events.floods or len(events.console) > MOST_CONSOLE_LINES:
        text = f"the page floods the console while it loads, with {_first_line(session)} and so on"
        return _fault("console-flood", text)
    return None


def _first_line(session: Session) -> str:
    lines = session.events.console
    return f'"{lines[0].text[:80]}"' if lines else "thousands of lines"


def _lost(error: PageLost) -> Finding:
    if isinstance(error, PageGone):
        return _fault("crash", "the page crashes while it loads")
    return _fault("hang", f"the page hangs while it loads: {error}")


def _remarks(session: Session) -> list[Finding]:
    findings = [
        _suspicion("uncaught-exception", f"while the page loads, an exception is uncaught: {text}")
        for text in dict.fromkeys(
            apps_own([exception.text[:200] for exception in session.events.exceptions])
        )
    ][:5]
    missing = session.evaluate(_MISSING)
    if missing:
        findings.append(_suspicion("missing-file", f"the app has no {', '.join(missing)}"))
    return findings


def _keep_screenshot(session: Session, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b64decode(_screenshot(session, "jpeg", 1.0)))


def _screenshot(session: Session, format_: str, scale: float) -> str:
    """The window's pixels, smaller by a scale, in base64."""
    size: Any = session.page.viewport_size or {"width": 1280, "height": 720}
    clip = {"x": 0, "y": 0, **size, "scale": scale}
    options = {"format": format_, "clip": clip} | ({"quality": 70} if format_ == "jpeg" else {})
    with session.bounded(10.0):
        return str(session.cdp.send("Page.captureScreenshot", options)["data"])


def _is_one_colour(session: Session) -> bool:
    return bool(session.evaluate(_ONE_COLOUR, _screenshot(session, "png", 0.25)))


def _fault(kind: str, text: str) -> Finding:
    return Finding(kind=kind, severity="fault", text=text)


def _suspicion(kind: str, text: str) -> Finding:
    return Finding(kind=kind, severity="suspicion", text=text)
