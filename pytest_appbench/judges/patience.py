"""Ends waits without end and loops without outcome, whatever a judge would like.

It watches the calls to one app. What it ends is refused until something else is done, and goes on
record, so that whoever judges later knows that nothing came of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.effects import UNCHANGED

UNCHANGED_LOOKS = 3
"""So many looks at a page that does not change end a wait."""
REPEATS = 3
"""An action or a sequence that was done so often with the same outcome is not done again."""
LONGEST_SEQUENCE = 4
REFRESHES = 2
"""A page is loaded again no more than that."""

_WAITS = frozenset({"advance", "wait"})
_LOOKS = frozenset({"look"})
_KEPT = 3 * LONGEST_SEQUENCE


@dataclass(frozen=True)
class Ended:
    """What was ended.

    Attributes:
        claim: What it was, in short.
        why: Why, and what to do instead, in words for the judge.
        is_new: Whether it has not been told before.
    """

    claim: str
    why: str
    is_new: bool


@dataclass
class Patience:
    """The patience of a judging with one app.

    Attributes:
        evidence: Where the pictures of steps lie, which tell outcomes apart that words do not.
        refreshes: How often the page was loaded again.
    """

    evidence: Path | None = None
    refreshes: int = 0
    _idle: int = 0
    _waited: bool = False
    _look: str = ""
    _done: list[tuple[str, str, str]] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)

    def ends(self, name: str, arguments: Sequence[Any]) -> Ended | None:
        """Whether a call is refused.

        Args:
            name: What is about to be called.
            arguments: With what, as JSON.
        """
        if name == "reload" and self.refreshes >= REFRESHES:
            text = (
                f"the page was refreshed {REFRESHES} times, and no more: say what is wrong with it"
            )
            return self._ended("refreshes used up", text)
        is_look = name in _LOOKS and not self._waited  # one look after a wait is no waiting
        if (name in _WAITS or is_look) and self._idle >= UNCHANGED_LOOKS:
            text = (
                f"nothing changed over {UNCHANGED_LOOKS} looks, so this wait is over: put on "
                "record that no change was observed, and do something else"
            )
            return self._ended("no change observed", text)
        if name not in _LOOKS and (size := self._loop(name, _key(arguments))):
            what = "this action" if size == 1 else f"this sequence of {size}"
            text = f"{what} was done {REPEATS} times with the same outcome: do something else"
            return self._ended("loop broken", text)
        return None

    def saw(self, step: Step, arguments: Sequence[Any], *, is_action: bool) -> None:
        """Remember what came of a call.

        Args:
            step: Its record.
            arguments: With what it was called, as JSON.
            is_action: Whether it did something to the app, or let time pass.
        """
        if step.action == "reload":
            self.refreshes += 1
        if step.action in _WAITS:
            self._idle = self._idle + 1 if UNCHANGED in step.changed else 0
            self._waited = True
        elif step.action in _LOOKS:
            if step.changed != self._look:
                self._idle = 0
            elif not self._waited:
                self._idle += 1
            self._look, self._waited = step.changed, False
        elif is_action or step.action == "viewport":
            self._idle, self._waited, self._look = 0, False, ""
        if is_action:
            outcome = f"{step.changed} {self._picture(step)}"
            self._done = [*self._done, (step.action, _key(arguments), outcome)][-_KEPT:]
            self._told.clear()

    def _loop(self, name: str, key: str) -> int:
        """How long the sequence is that this call would begin once more; 0 if there is none."""
        for size in range(1, LONGEST_SEQUENCE + 1):
            last = self._done[-REPEATS * size :]
            first = last[:size]
            if (
                len(last) == REPEATS * size
                and last == first * REPEATS
                and first[0][:2] == (name, key)
            ):
                return size
        return 0

    def _ended(self, claim: str, why: str) -> Ended:
        is_new = claim not in self._told
        self._told.add(claim)
        return Ended(claim, why, is_new)

    def _picture(self, step: Step) -> str:
        if self.evidence is None or not step.picture:
            return ""
        return hashlib.sha256((self.evidence / step.picture).read_bytes()).hexdigest()


def _key(arguments: Sequence[Any]) -> str:
    return json.dumps(list(arguments), sort_keys=True, default=str)
