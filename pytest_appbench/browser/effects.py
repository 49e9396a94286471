"""Lets page time pass around an action and says in words what the action changed.

What runs by itself (a game, a clock) is given less time after each action than a page at rest, so
that whoever plays it keeps hold of the time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.clock import Ahead
from pytest_appbench.browser.events import Events, Mark
from pytest_appbench.browser.observe import Changes, Observer, Thing

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

SETTLE_MS = 500.0
"""Page time after an action on a page at rest."""
ANIMATED_MS = 1000.0
"""Until when CSS animations that the action started are waited for."""
RUNNING_MS = 100.0
"""Page time after an action on a page that runs by itself; one that acts within this time does."""
PRESS_MS = 50.0
"""How long a key or button is down on a page that runs by itself."""
UNCHANGED = "no visible change"
FRAME_MS = 1000 / 60
MOST_UNTIL_QUIET_MS = 10_000.0
"""How long a page that does not come to rest is waited for, in page time."""

_SLICE_MS = 1000.0
_REAL_SECONDS = 20.0
_LOADING_SECONDS = 5.0
_MOST_THINGS = 6
_MOST_EVENTS = 3
_CLIPPED = 200
_MOST_CHARS = 1500
_STILL = """([least, most]) => new Promise((resolve) => {
  const start = performance.now();
  let last = start;
  const watcher = new MutationObserver(() => { last = performance.now(); });
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const check = () => {
    const now = performance.now();
    if (now - start < most && (now - start < least || now - last < 150)) return setTimeout(check, 20);
    watcher.disconnect();
    resolve(true);
  };
  check();
})"""  # noqa: E501


class Effects:
    """Time and changes of one page.

    Args:
        session: The page.
        observer: The eyes on it.
        camera: Films what moves while time passes, or None.
    """

    def __init__(self, session: Session, observer: Observer, camera: Camera | None = None) -> None:
        self._session, self._observer, self._camera = session, observer, camera
        self._mark, self._heard = Mark(), 0
        self._loading = _Loading(session)
        self.is_running = False
        self.surprise = ""

    def watch(self, ref: str | None, due: float | None) -> None:
        """Keep the state before an action.

        Args:
            ref: What is about to be used.
            due: In how many milliseconds the page will act by itself, or None.
        """
        self.is_running = due is not None and due <= RUNNING_MS
        self._observer.remember(ref)
        self._mark = self._session.events.mark()
        self._heard = len(self._session.sounds.all)

    def told(self, settle: float | None = None) -> str:
        """Let the action take effect and say what changed.

        Args:
            settle: How much page time passes, in milliseconds; None for the usual.

        Returns:
            A few words.
        """
        ahead = self._settle(settle)
        self._loading.wait()
        changes = self._observer.changes()
        since = self._session.events.since(self._mark)
        whole, events = self._whole(changes), happened(since)
        is_surprise = "document" in changes.whole or since.exceptions or since.dialogs
        self.surprise = next(iter([*events, *whole]), "") if is_surprise else ""
        parts = [*self._things(changes), *whole, *events]
        parts += self._session.sounds.words(self._heard)
        text = "; ".join(parts) or UNCHANGED
        if not self.is_running and self._goes_on(ahead):
            text += " (and it goes on: page time must pass)"
        return clipped(text, _MOST_CHARS)

    def rest(self) -> str:
        """Let something take effect that nobody needs to be told of.

        Returns:
            A word for the record.
        """
        self._settle(None)
        self._loading.wait()
        return "not compared"

    def pass_time(self, ms: float) -> float:
        """Let page time pass; without a logical clock, real time.

        Args:
            ms: How much, in milliseconds.

        Returns:
            How much passed: less if the page takes too long for it.
        """
        clock = self._session.clock
        if clock is None:
            with self._session.bounded(ms / 1000 + 5):
                self._session.page.wait_for_timeout(ms)
            return ms
        passed = spent = 0.0
        *marks, _ = accumulate(self._parts_of(ms))
        while passed < ms and spent < _REAL_SECONDS:
            part = min(_SLICE_MS, (marks[0] if marks else ms) - passed)
            began = time.monotonic()
            clock.run_for(part, timeout=_REAL_SECONDS)
            spent += time.monotonic() - began
            passed += part
            if marks and passed >= marks[0]:
                marks.pop(0)
                self._film()
        return passed

    def next_frame(self) -> float:
        """Let page time pass to the page's next timer or animation frame, or a frame's length.

        Returns:
            How much passed, in milliseconds.
        """
        ahead = self._session.clock.ahead() if self._session.clock else Ahead(None, 0.0)
        return self.pass_time(max(ahead.due or 0.0, FRAME_MS))

    def until_quiet(self) -> tuple[float, bool]:
        """Let page time pass until nothing is due any more, or long enough.

        Returns:
            How much passed, in milliseconds, and whether nothing is due. Without a logical clock
            that is told by the elements of the page, which cease to change.
        """
        clock = self._session.clock
        if clock is None:
            self._session.evaluate(_STILL, [SETTLE_MS, MOST_UNTIL_QUIET_MS], timeout=30)
            return SETTLE_MS, True
        passed = 0.0
        while passed < MOST_UNTIL_QUIET_MS:
            ahead = clock.ahead()
            if ahead.due is None and not ahead.ends:
                return passed, True
            wanted = max(ahead.ends if ahead.due is None else ahead.due, FRAME_MS)
            done = self.pass_time(min(wanted, MOST_UNTIL_QUIET_MS - passed))
            if not done:
                break
            passed += done
        return passed, False

    def hold(self) -> None:
        """The time that a key or button is down: none on a page at rest."""
        if self.is_running:
            self.pass_time(PRESS_MS)

    def _settle(self, ms: float | None) -> Ahead:
        clock = self._session.clock
        if ms is not None:
            self.pass_time(ms)
            return Ahead(None, 0.0)
        if clock is None:
            self._session.evaluate(_STILL, [SETTLE_MS, 2 * ANIMATED_MS])
            return Ahead(None, 0.0)
        if self.is_running:
            return clock.settle(RUNNING_MS, RUNNING_MS, timeout=_REAL_SECONDS)
        *first, last = self._parts_of(SETTLE_MS)
        for part in first:
            clock.run_for(part, timeout=_REAL_SECONDS)
            self._film()
        return clock.settle(last, ANIMATED_MS - sum(first), timeout=_REAL_SECONDS)

    def _parts_of(self, ms: float) -> list[float]:
        return self._camera.parts_of(ms) if self._camera else [ms]

    def _film(self) -> None:
        if self._camera:
            self._camera.film()

    @staticmethod
    def _goes_on(ahead: Ahead) -> bool:
        return ahead.ends > 0 or (ahead.due is not None and ahead.due <= RUNNING_MS)

    def _things(self, changes: Changes) -> list[str]:
        # What makes room for something else moves: that is worth a word only where it is all.
        telling = [thing for thing in changes.things if thing.what != "place"] or changes.things
        parts = [said(thing) for thing in telling[:_MOST_THINGS]]
        left = changes.total - changes.minor - len(parts)
        return [*parts, f"{left} more changes"] if left > 0 else parts

    def _whole(self, changes: Changes) -> list[str]:
        words = {
            "scroll": "the page was scrolled",
            "storage": "what the page stores changed",
            "cookies": "its cookies changed",
            "full": "full screen was entered or left",
            "speaking": "it began or ceased to speak",
            "sound": "a sound was made ready",
            "picture": "a canvas that cannot be read was redrawn",
        }
        told = [words[name] if name in words else self._named(name) for name in changes.whole]
        sounded = len(self._session.sounds.all) > self._heard  # that is told by itself
        return [text for text in told if not (sounded and text == words["sound"])]

    def _named(self, name: str) -> str:
        if name == "address":
            return f'the address is now "{self._session.url}"'
        title = clipped(str(self._session.evaluate("() => document.title")), 100)
        if name == "title":
            return f'the title is now "{title}"'
        return f'another document was loaded: {self._session.url} "{title}"'


class _Loading:
    """Knows whether a frame is on its way to another document, which takes real time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: set[str] = set()
        self._begun: set[str] = set()
        for name in ("frameScheduledNavigation", "frameRequestedNavigation"):
            session.cdp.on(f"Page.{name}", lambda event: self._asked.add(event["frameId"]))
        session.cdp.on("Page.frameStartedLoading", lambda event: self._begun.add(event["frameId"]))
        session.cdp.on("Page.frameClearedScheduledNavigation", self._forget_asked)
        for name in ("frameStoppedLoading", "frameDetached"):
            session.cdp.on(f"Page.{name}", self._forget)

    def wait(self) -> None:
        """Wait until every frame has arrived, or long enough."""
        with self._session.bounded(_LOADING_SECONDS + 5):
            end = time.monotonic() + _LOADING_SECONDS
            while (self._asked or self._begun) and time.monotonic() < end:
                self._session.page.wait_for_timeout(20)
        self._asked.clear()
        self._begun.clear()

    def _forget_asked(self, event: Mapping[str, str]) -> None:
        self._asked.discard(event["frameId"])

    def _forget(self, event: Mapping[str, str]) -> None:
        self._asked.discard(event["frameId"])
        self._begun.discard(event["frameId"])


def said(thing: Thing) -> str:
    """One change, with the reference of what changed.

    Args:
        thing: The change.
    """
    text = str(thing)
    if thing.what == "text":
        # The name would only repeat the new text.
        tag = re.match(r"<[^>]*>", thing.who)
        text = f'{tag.group() if tag else thing.who} "{thing.from_}" became "{thing.to}"'
    return f"{thing.ref} {text}" if thing.ref else text


def happened(events: Events) -> list[str]:
    """What a page said besides showing it.

    Args:
        events: A record.

    Returns:
        A few words for each exception, dialog, console error and blocked way out.
    """
    dialogs = [
        f'{one.kind} "{one.text}"' + (f' was answered "{one.answer}"' if one.answer else "")
        for one in events.dialogs
    ]
    thrown = [f"uncaught {one.text}" for one in events.exceptions]
    errors = [f"console error: {one.text}" for one in events.console if one.level == "error"]
    blocked = [
        f"blocked {one.kind} {one.url}" + (f" ({one.count} times)" if one.count > 1 else "")
        for one in events.attempted
    ]
    parts: list[str] = []
    for kind in (dialogs, thrown, errors, blocked):
        parts += [clipped(text, _CLIPPED) for text in kind[:_MOST_EVENTS]]
        if len(kind) > _MOST_EVENTS:
            parts.append(f"{len(kind) - _MOST_EVENTS} more like it (console() tells them)")
    return parts


def clipped(text: str, most: int) -> str:
    """A text in one piece no longer than that, saying how much was left out."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"
