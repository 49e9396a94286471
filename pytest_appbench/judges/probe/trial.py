"""Uses a control once and tells what came of it, apart from what happens on the page by itself.

The page's time stands still but for what is given to it here: what differs right after a use is
the use's own doing, and what differs only later is compared with a stretch of time without a use.
It knows what an effect is, not what the lack of one means; that is for `conclude`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pytest_appbench.browser.errors import PageLost, PageNavigated
from pytest_appbench.browser.events import Dialog, Events, Mark
from pytest_appbench.browser.observe import Changes, Control, Look, Observer
from pytest_appbench.judges.probe.uses import Point, Use

if TYPE_CHECKING:
    from pytest_appbench.browser.act import Step
    from pytest_appbench.browser.session import Session

Effect = Literal["seen", "unclear", "own", "console", "none"]
Key = tuple[str, ...]
"""Names a control across renderings: its kind, tag, type, name and place among its likes."""

FOR_ENTERING = frozenset({"toggle", "range", "slider", "select", "pick", "field"})
"""Kinds of controls that hold a value of their own."""

KEY = "key"
"""The kind of what stands for the keyboard among the controls."""

SHORT_MS = 120.0
LONG_MS = 1100.0
"""Longer than a second, so that whatever ticks by the second is known to tick by itself."""
_REAL_MS = 30.0

_NOT_THE_APPS = re.compile(
    r"ResizeObserver loop|NotAllowedError|NotSupportedError|AbortError|NetworkError|SecurityError"
    r"|Requested device not found"
    r"|Failed to fetch|Load failed|[Pp]ermission (denied|dismissed)|ERR_(NAME|BLOCKED|INTERNET)"
)


def apps_own(exceptions: list[str]) -> list[str]:
    """Leave out the exceptions that the guard or the browser caused.

    Args:
        exceptions: Texts of uncaught exceptions.

    Returns:
        Those that an app's author has to answer for.
    """
    return [text for text in exceptions if not _NOT_THE_APPS.search(text)]


@dataclass
class Trial:
    """One use of one control, and what came of it.

    Attributes:
        key: The control, across renderings.
        control: The control as it was then.
        use: What was done.
        step: The last input of the use.
        effect: seen (it had one), own (only the value of the control changed), console (nothing but
            a console message), unclear (only what also changes by itself), none.
        text: The effect in words.
        exceptions: Uncaught exceptions, the guard's doing left out.
        odd: Text that reads like a slip of a program and was not there before.
        empty: Nothing is left to see.
        settled: How many milliseconds of page time were given to it.
        fingerprint: Of the page afterwards, where it is unclear what caused its changes.
    """

    key: Key
    control: Control
    use: Use
    step: Step
    effect: Effect = "none"
    text: str = "nothing changed"
    exceptions: list[str] = field(default_factory=list)
    odd: str = ""
    empty: bool = False
    settled: float = 0.0
    fingerprint: str = ""

    def __str__(self) -> str:
        return f"{self.control}: {self.use.words}"


class Stuck(Exception):
    """The page was lost during a trial.

    Args:
        trial: What was being done.
        error: How the page was lost.
    """

    def __init__(self, trial: Trial, error: PageLost) -> None:
        self.trial, self.error = trial, error
        super().__init__(str(error))


class Bench:
    """One page with its controls under trial.

    Args:
        session: The page, with the app open.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.observer = Observer(session)
        self.trials: list[Trial] = []
        self.effects = 0
        self._keys: dict[str, Key] = {}
        self._documents = 0
        self._noise: set[object] = set()
        self._odd = ""
        self._is_always_empty = True  # to the eye of the observer, who cannot read every canvas

    def look(self) -> Look:
        """What there is to see and to use now; keeps track of controls that were drawn anew."""
        look = self.observer.look()
        if self._documents != self.observer.documents:
            self._documents = self.observer.documents
            self._keys.clear()
        self._is_always_empty &= look.is_empty
        counts: dict[Key, int] = {}
        for control in look.controls:
            likes = (control.kind, control.tag, control.type, control.name)
            counts[likes] = counts.get(likes, 0) + 1
            self._keys.setdefault(control.ref, (*likes, str(counts[likes])))
        return look

    def key(self, control: Control) -> Key:
        """The control's name across renderings."""
        return self._keys.get(control.ref, (control.kind, control.name))

    def find(self, key: Key) -> Control | None:
        """The control of this name as it is now, or None."""
        return next((c for c in self.look().controls if self.key(c) == key), None)

    def rest(self) -> None:
        """Let time pass and learn what happens by itself."""
        mark = self.session.events.mark()
        self.observer.remember()
        self._wait(LONG_MS)
        self.observer.changes(mark_restless=True)
        self._noise.update(_happenings(self.session.events.since(mark)))

    def hover(self, point: Point) -> None:
        """Bring the pointer there first, so that what hovering does is not taken for an effect."""
        with self.session.bounded(5.0):
            self.session.page.mouse.move(*point)

    def attempt(self, control: Control, use: Use, point: Point | None) -> Trial:
        """Use a control once.

        Args:
            control: From the last look.
            use: What to do.
            point: Where it can be pressed; None if it need not be.

        Returns:
            What came of it; also kept in `trials`.

        Raises:
            Stuck: The page was lost.
        """
        from pytest_appbench.browser.act import Step

        steps = self.session.steps
        first = len(steps)
        trial = Trial(self.key(control), control, use, Step(0, "look", ""))
        try:
            if point is not None:
                self.hover(point)
            self.observer.remember(control)
            mark = self.session.events.mark()
            use.do(self.session, self.observer, control, point or (0.0, 0.0))
            if len(steps) == first:
                steps.append(Step(first + 1, "choose", ""))
            self._judge_effect(trial, mark)
        except PageNavigated:
            trial.effect, trial.text = "seen", "the page loads another document"
        except PageLost as error:
            trial.text = str(error)
            raise Stuck(trial, error) from error
        finally:
            trial.step = steps[-1] if len(steps) > first else trial.step
            trial.step.target, trial.step.changed = str(trial), trial.text
        self.trials.append(trial)
        self.effects += trial.effect == "seen"
        return trial

    def _judge_effect(self, trial: Trial, mark: Mark) -> None:
        changes = self._changes(trial)
        if not self._is_effect(trial, changes):
            changes = self._later(trial, changes)
        else:
            self._settle(trial, SHORT_MS)
        since = self.session.events.since(mark)
        fresh = [one for one in _happenings(since) if one not in self._noise]
        outside = next((_in_words(one) for one in fresh if not isinstance(one, str)), "")
        trial.exceptions = apps_own([one for one in fresh if isinstance(one, str)])
        if self._is_effect(trial, changes) or outside:
            trial.effect = "seen"
        elif changes.only_own:
            trial.effect = "own"
        elif changes.skipped:
            trial.effect = "unclear"
        elif since.console:
            trial.effect = "console"
        texts = [str(changes), outside] if changes else [outside]
        if trial.effect == "console":
            texts.append(f'nothing changed, the console says "{since.console[0].text[:80]}"')
        if trial.effect == "unclear":
            texts.append("nothing changed but what changes by itself")
            trial.fingerprint = self.observer.fingerprint()
        texts += [f"uncaught {text[:200]}" for text in trial.exceptions[:1]]
        trial.text = "; ".join(text for text in texts if text) or "nothing changed"
        if trial.exceptions or trial.use.words.startswith(("type", "empty", "choose")):
            look = self.observer.look()
            trial.empty = look.is_empty and not self._is_always_empty
            trial.odd = look.odd if look.odd != self._odd else ""
            self._odd = look.odd

    def _is_effect(self, trial: Trial, changes: Changes) -> bool:
        """Whether more changed than what entering a value changes in the control itself."""
        entering = trial.control.kind in FOR_ENTERING
        return bool(changes) and not (entering and changes.only_own)

    def _later(self, trial: Trial, at_once: Changes) -> Changes:
        """The changes after some time, without those that the time alone explains."""
        for ms in (SHORT_MS, LONG_MS - SHORT_MS):  # a flash may be over after the longer time
            self._settle(trial, ms)
            later = self._changes(trial, skip_restless=True)
            if self._is_effect(trial, later):
                break
        else:
            return later or replace(at_once, skipped=later.skipped)
        self.rest()
        trial.settled += LONG_MS
        if self.observer.unexplained():
            return later
        return at_once or Changes(skipped=later.total + len(later.whole))

    def _changes(self, trial: Trial, *, skip_restless: bool = False) -> Changes:
        changes = self.observer.changes(skip_restless=skip_restless)
        if trial.control.kind != KEY:
            return changes
        whole = tuple(name for name in changes.whole if name != "scroll")  # keys scroll any page
        return replace(changes, whole=whole)

    def _settle(self, trial: Trial, ms: float) -> None:
        self._wait(ms)
        trial.settled += ms

    def _wait(self, ms: float) -> None:
        if self.session.clock is not None:
            self.session.settle(ms)
        with self.session.bounded(ms / 1000 + 5):  # what no clock owns takes its own time
            real_ms = min(ms, _REAL_MS) if self.session.clock is not None else ms
            self.session.page.wait_for_timeout(real_ms)


def play_again(session: Session, trials: list[Trial], *, most_ms: float = 10_000.0) -> Bench | None:
    """Do the same again on a fresh page.

    Args:
        session: A page with the app freshly open.
        trials: What to do, from the start.
        most_ms: The most time to give to one use, in milliseconds.

    Returns:
        The page afterwards, or None if a control was not to be found there.

    Raises:
        PageLost: The page was lost.
    """
    bench = Bench(session)
    session.settle(min(LONG_MS, most_ms))
    for trial in trials:
        control, point = trial.control, None
        if trial.control.kind == KEY:
            bench.observer.blur()
        else:
            found = bench.find(trial.key)
            point = bench.observer.aim(found).point if found else None
            if found is None or point is None:
                return None
            control = found
            bench.hover(point)
        trial.use.do(session, bench.observer, control, point or (0.0, 0.0))
        session.settle(min(trial.settled, most_ms))
    return bench


OpenSession = Callable[..., AbstractContextManager["Session"]]


def _happenings(events: Events) -> list[str | Dialog | tuple[str, str]]:
    """Exceptions by their text, dialogs, and ways out that were tried."""
    return [*(one.text for one in events.exceptions), *events.dialogs, *events.attempts]


def _in_words(happening: Dialog | tuple[str, str]) -> str:
    if isinstance(happening, Dialog):
        return f'a {happening.kind} says "{happening.text[:80]}"'
    kind, url = happening
    return f"it tried a {kind} of {url[:80]}"
