"""Explores an app as a person would who has a few minutes: uses each control, then uses them badly.

It decides what to use next and when to stop. What a use does to the page is told by `trial`, and
what all of it says about the app by `conclude`.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from pytest_appbench.browser.observe import Control, Look
from pytest_appbench.judges.probe.trial import KEY, Bench, Key, Stuck, Trial
from pytest_appbench.judges.probe.uses import (
    CLICK,
    ENTER,
    Point,
    Use,
    boundary_uses,
    key_use,
    main_uses,
)

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

SECONDS = 25.0
"""A page that answers slowly is left after this long; mostly the number of uses ends it first."""

# Up to which share of all uses each part of the exploration may go on.
_MAIN, _BOUNDARY, _KEYS = 0.6, 0.75, 0.85
_CROWD = 24
"""With more controls than this, look-alikes are sampled."""
_SAMPLE = 5
_KEY_NAMES = ("ArrowRight", "Space", "ArrowUp", "Enter", "ArrowLeft", "ArrowDown", "Escape")
DEPENDENT = re.compile(
    r"\b(reset|clear|delete|remove|restart|new|start over|exit|quit|undo|redo|close|cancel|stop"
    r"|previous|prev|back|next|save|load)\b",
    re.IGNORECASE,
)
"""Names of controls that put something back, or whose effect depends on what was done before."""
_KEYBOARD = Control(
    **dict.fromkeys(("ref", "tag", "type", "value", "min", "max", "kin", "href"), ""),
    kind=KEY,
    name="the keyboard",
    disabled=False,
    chosen=False,
    numeric=False,
    options=(),
    heard=(),
    box=(0, 0, 0, 0),
)


@dataclass
class Exploration:
    """What an exploration brought to light.

    Attributes:
        trials: All uses, in order.
        unreached: Controls that could never be pressed, and what was in the way at last.
        stuck: How the page was lost, if it was.
        complete: Whether every control that was seen was also used.
        heard: The events that something on the page listened to.
        takes_files: Whether there is something that only a file would fill.
    """

    trials: list[Trial] = field(default_factory=list)
    unreached: dict[Key, tuple[Control, str]] = field(default_factory=dict)
    stuck: Stuck | None = None
    complete: bool = False
    heard: frozenset[str] = frozenset()
    takes_files: bool = False


def explore(session: Session, url: str, most_uses: int, seconds: float = SECONDS) -> Exploration:
    """Use an app as a person would.

    Args:
        session: A page with the app freshly open, its time standing still.
        url: Where the app is, to go back to.
        most_uses: How many uses of controls there may be.
        seconds: How long it may take.

    Returns:
        What came to light.
    """
    explorer = _Explorer(session, url, most_uses, time.monotonic() + seconds)
    try:
        explorer.run()
    except Stuck as stuck:
        explorer.found.stuck = stuck
        explorer.found.trials = [*explorer.bench.trials, stuck.trial]
    return explorer.found


class _Explorer:
    def __init__(self, session: Session, url: str, most_uses: int, deadline: float) -> None:
        self.bench = Bench(session)
        self.url, self.most_uses, self.deadline = url, most_uses, deadline
        self.found = Exploration(trials=self.bench.trials)
        self._missed_at: dict[Key, int] = {}
        self._crowded: Counter[str] = Counter()

    def run(self) -> None:
        self.bench.look()
        self.bench.rest()
        self._each_control(self._until(_MAIN))
        self._boundaries(self._until(_BOUNDARY))
        self._keys(self._until(_KEYS))
        self._inert_again(self._until(1.0))

    def _until(self, share: float) -> Callable[[], bool]:
        most = self.most_uses * share
        return lambda: len(self.bench.trials) < most and time.monotonic() < self.deadline

    # Each control once

    def _each_control(self, may_go_on: Callable[[], bool]) -> None:
        while may_go_on():
            look = self.bench.look()
            self.found.heard |= self.bench.observer.heard
            self.found.takes_files |= any(control.kind == "file" for control in look.controls)
            found = self._first_reachable(self._untried(look))
            if found is None:
                self.found.complete = True
                return
            control, point = found
            if control.kind == "drag":
                look = self.bench.look()  # aiming may have scrolled the places to drop it
            for use in main_uses(control, look):
                if self._try(control, use, point).effect in ("seen", "unclear"):
                    break

    def _untried(self, look: Look) -> list[Control]:
        tried = {trial.key for trial in self.bench.trials}
        crowd = len(look.controls) > _CROWD
        wanted = []
        for control in look.controls:
            key = self.bench.key(control)
            if key in tried or control.disabled or control.kind == "file":
                continue
            if self._missed_at.get(key) == self.bench.effects or _leads_away(control, self.url):
                continue
            if crowd and self._crowded[control.kin] >= _SAMPLE:
                continue
            if main_uses(control, look):
                wanted.append(control)
        wanted.sort(key=lambda control: bool(DEPENDENT.search(control.name)))
        return _spread(wanted) if crowd else wanted

    def _first_reachable(self, controls: Iterable[Control]) -> tuple[Control, Point] | None:
        for control in controls:
            aim = self.bench.observer.aim(control)
            key = self.bench.key(control)
            if aim.point is not None:
                self.found.unreached.pop(key, None)
                return control, aim.point
            self._missed_at[key] = self.bench.effects
            self.found.unreached[key] = control, aim.why
        return None

    def _try(self, control: Control, use: Use, point: Point | None) -> Trial:
        trial = self.bench.attempt(control, use, point)
        self._crowded[control.kin] += 1
        here = urldefrag(self.bench.session.page.url).url
        if here.rstrip("/") != self.url.rstrip("/"):
            self.bench.session.open(self.url)
            self.bench.look()
        return trial

    # At the edge of what the fields are meant for

    def _boundaries(self, may_go_on: Callable[[], bool]) -> None:
        tried = {trial.key for trial in self.bench.trials}
        first = {trial.key: trial.control for trial in reversed(self.bench.trials)}
        rounds = [[(key, use) for use in boundary_uses(first[key])] for key in reversed(first)]
        for key, use in _in_turn(rounds):
            if not may_go_on():
                return
            look = self.bench.look()
            control = next((c for c in look.controls if self.bench.key(c) == key), None)
            aim = self.bench.observer.aim(control) if control else None
            if control is None or aim is None or aim.point is None or control.disabled:
                continue
            self._try(control, use, aim.point)
            follow = self._follow_up(look, control) if control.kind == "field" else None
            if follow and self.bench.key(follow) in tried and may_go_on():
                self._use_again(self.bench.key(follow), CLICK)
            elif follow is None and control.kind == "field" and control.tag == "input":
                self._use_again(key, ENTER)

    def _follow_up(self, look: Look, control: Control) -> Control | None:
        """The button that a person would press after filling in a field."""
        after = look.controls[look.controls.index(control) + 1 :]
        for other in after:
            if other.kind == "button" and not DEPENDENT.search(other.name):
                return None if other.disabled else other
        return None

    # Keys

    def _keys(self, may_go_on: Callable[[], bool]) -> None:
        self.bench.look()
        if not any(event.startswith("key") for event in self.bench.observer.heard):
            return
        for name in _KEY_NAMES:
            if not may_go_on():
                return
            self.bench.observer.blur()
            self.bench.attempt(_KEYBOARD, key_use(name), None)

    # Once more what seemed inert, in another state

    def _inert_again(self, may_go_on: Callable[[], bool]) -> None:
        by_key: dict[Key, list[Trial]] = {}
        for trial in self.bench.trials:
            by_key.setdefault(trial.key, []).append(trial)
        lively = [key for key, trials in by_key.items() if is_stirring(trials[0])]
        for key, trials in by_key.items():
            keyboard = trials[0].control.kind == KEY
            if keyboard or any(trial.effect == "seen" for trial in trials):
                continue
            for stirring in (None, *lively[:2]):
                if not may_go_on():
                    return
                if stirring is not None:
                    self._use_again(stirring, by_key[stirring][0].use)
                again = self._use_again(key, trials[0].use)
                if again is None or again.effect == "seen":
                    break

    def _use_again(self, key: Key, use: Use) -> Trial | None:
        control = self.bench.find(key)
        if control is None or control.disabled:
            return None
        aim = self.bench.observer.aim(control)
        return self._try(control, use, aim.point) if aim.point else None


def _spread(controls: list[Control]) -> list[Control]:
    """The first of each kind first, then the middle ones, so that a sample is no corner."""
    groups: dict[str, list[Control]] = {}
    for control in controls:
        groups.setdefault(control.kin, []).append(control)
    ordered: list[Control] = []
    for members in groups.values():
        stride = max(1, len(members) // _SAMPLE)
        picked = members[::stride]
        ordered += picked + [one for one in members if one not in picked]
    return sorted(ordered, key=lambda control: bool(DEPENDENT.search(control.name)))


def _in_turn(rounds: list[list[tuple[Key, Use]]]) -> Iterator[tuple[Key, Use]]:
    """One of each in turn, until all have ended."""
    for row in zip_longest(*rounds):
        yield from (item for item in row if item is not None)


def _leads_away(control: Control, url: str) -> bool:
    if control.kind != "link":
        return False
    target = urlsplit(control.href)
    return target.scheme not in ("http", "https", "javascript", "blob", "data") or (
        target.scheme in ("http", "https") and target.netloc != urlsplit(url).netloc
    )


def is_stirring(trial: Trial) -> bool:
    """Whether a use brought the app into another state that can be put back."""
    control = trial.control
    plain = control.kind != KEY and control.tag != "summary"
    return plain and trial.effect == "seen" and not DEPENDENT.search(control.name)
