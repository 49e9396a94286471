"""What an exploration says about an app: faults that would convince its author, and suspicions.

A fault is claimed only after the same happened again on a fresh page whose time flows. Everything
else that looks wrong is a suspicion, with the steps that show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_appbench.browser.errors import PageGone, PageLost, PageOverloaded
from pytest_appbench.judges.judging import require_browser
from pytest_appbench.judges.probe.explore import DEPENDENT, Exploration, is_stirring
from pytest_appbench.judges.probe.trial import (
    FOR_ENTERING,
    KEY,
    Bench,
    Key,
    OpenSession,
    Stuck,
    Trial,
    play_again,
)
from pytest_appbench.judges.verdict import Citation, Finding

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

_FOR_PRESSING = frozenset({"button", "press", "drag", "link"})
_NOTICED = frozenset({"seen", "unclear"})
_REAL_TIME_MS = 150.0
_MOST_CONFIRMED = 2
_MOST_LISTED = 8
_MOST_COMPARED = 6

# What it does may lie outside the page, so that nothing shows although it works.
_OUTSIDE = re.compile(
    r"copy|share|print|download|export|save|full ?screen|sound|mute|speak|listen|play|vibrat|notif",
    re.IGNORECASE,
)
# An app that reacts to these may well work although no press of a mouse and no key has an effect.
_OTHER_PRESSES = frozenset({"touchstart", "touchend", "contextmenu"})
_OTHER_WAYS = _OTHER_PRESSES | {
    "wheel",
    "mousemove",
    "pointermove",
    "mouseover",
    "mouseenter",
    "pointerenter",
    "touchmove",
    "paste",
    "drop",
    "deviceorientation",
}


def conclude(found: Exploration, open_session: OpenSession, url: str) -> list[Finding]:
    """Draw conclusions from an exploration.

    Args:
        found: What the exploration brought to light.
        open_session: Opens further pages of the app.
        url: Where the app is.

    Returns:
        Faults first, then suspicions.
    """
    court = _Court(found, open_session, url)
    faults = list(court.faults())
    suspicions = [
        *court.downgraded,
        *_thrown(found, court.settled),
        *court.dead(),
        *_unreached(found),
        *_slips(found),
    ]
    return [*faults, *suspicions]


class _Court:
    """Weighs what was seen, and looks again where it would be a fault."""

    def __init__(self, found: Exploration, open_session: OpenSession, url: str) -> None:
        self._found, self._open_session, self._url = found, open_session, url
        self.downgraded: list[Finding] = []
        self.settled: set[Key] = set()
        """Controls that are spoken of already."""
        self._compared = 0

    # Faults

    def faults(self) -> Iterator[Finding]:
        if self._found.stuck is not None:
            yield from self._lost_page()
        for trials in list(self._only_throwing())[:_MOST_CONFIRMED]:
            yield from self._broken(trials)
        yield from self._nothing_works()

    def _lost_page(self) -> Iterator[Finding]:
        stuck = self._found.stuck
        assert stuck is not None
        trial = stuck.trial
        self.settled.add(trial.key)
        gone = isinstance(stuck.error, PageGone)
        kind, what = ("crash", "crashed") if gone else ("hang", "no longer answered")
        text = f"the page {what} after this: {trial}"
        if isinstance(stuck.error, PageOverloaded):
            kind, text = stuck.error.kind, f"after this, {stuck.error}: {trial}"
        again = self._happens_again(trial)
        finding = _finding(kind, "fault" if again is None else "suspicion", text, [trial])
        if again is None:
            yield finding
        else:
            self.downgraded.append(finding)

    def _only_throwing(self) -> Iterator[list[Trial]]:
        for trials in _by_key(self._found.trials).values():
            throwing = [trial for trial in trials if trial.exceptions]
            if any(trial.empty for trial in throwing):
                yield [trial for trial in throwing if trial.empty]
            elif len(throwing) == len(trials) and all(t.effect not in _NOTICED for t in trials):
                yield trials

    def _broken(self, trials: list[Trial]) -> Iterator[Finding]:
        trial = trials[0]
        self.settled.add(trial.key)
        again = self._happens_again(trial)
        if again is None or (
            again.exceptions and (again.empty or (not trial.empty and again.effect not in _NOTICED))
        ):
            kind = "blank" if trial.empty else "broken-control"
            rest = "nothing is left on the page" if trial.empty else "nothing else happened"
            text = f"{trial}: {rest}, and an uncaught exception says: {trial.exceptions[0][:200]}"
            yield _finding(kind, "fault", text, trials)
        else:
            self.settled.discard(trial.key)

    def _happens_again(self, trial: Trial) -> Trial | None:
        """What comes of it on a fresh page whose time flows; None if the page is lost again."""
        before = self._found.trials[: _index(self._found.trials, trial)]
        for earlier in ([], before):
            with self._open_session() as session:
                try:
                    session.open(self._url)
                    bench = play_again(session, earlier, most_ms=_REAL_TIME_MS)
                    again = _use_once(bench, trial) if bench else None
                except (PageLost, Stuck):
                    require_browser(session)
                    return None
            if again is not None and (again.exceptions or not before):
                return again
        return again or _not_found(trial)

    def _nothing_works(self) -> Iterator[Finding]:
        found = self._found
        trials = [trial for trial in found.trials if trial.key not in self.settled]
        real = {trial.key: trial for trial in reversed(trials) if _is_real(trial)}
        working = any(t.effect in (*_NOTICED, "console") or t.exceptions for t in found.trials)
        if (
            len(real) < 2
            or working
            or not found.complete
            or found.unreached
            or found.takes_files
            or found.stuck
            or found.heard & _OTHER_WAYS
        ):
            return
        chosen = list(reversed(real.values()))[:6]
        with self._open_session() as session:
            try:
                if self._any_works(session, chosen):
                    return
            except (PageLost, Stuck):
                require_browser(session)
                return
        self.settled.update(real)
        names = ", ".join(str(trial.control) for trial in chosen[:4])
        text = f"none of the {len(real)} controls does anything: {names}"
        yield _finding("nothing-works", "fault", text, chosen)

    def _any_works(self, session: Session, trials: list[Trial]) -> bool:
        session.open(self._url)
        bench = Bench(session)
        bench.look()
        bench.rest()
        for trial in trials:
            again = _use_once(bench, trial)
            if again is None or again.effect in (*_NOTICED, "console") or again.exceptions:
                return True
        return False

    # Dead controls

    def dead(self) -> Iterator[Finding]:
        by_key = _by_key(self._found.trials)
        kin: dict[str, list[list[Trial]]] = {}
        for trials in by_key.values():
            kin.setdefault(trials[0].control.kin, []).append(trials)
        inert = [trials for trials in by_key.values() if self._is_inert(trials)]
        for trials in inert[:_MOST_LISTED]:
            alike = kin[trials[0].control.kin]
            working = sum(any(t.effect in _NOTICED for t in others) for others in alike)
            if len(alike) > 3 and working < 0.6 * len(alike):
                continue  # the squares of a board, most of which cannot be used at any one time
            if trials[0].control.kind in FOR_ENTERING and not _is_odd_one_out(trials, by_key):
                continue
            if self._is_proven(trials):
                yield _dead(trials)

    def _is_inert(self, trials: list[Trial]) -> bool:
        first = trials[0]
        if first.key in self.settled or first.control.kind == KEY or len(trials) < 2:
            return False
        if any(t.effect == "seen" or t.exceptions or t.control.chosen for t in trials):
            return False
        if first.control.kind in FOR_ENTERING:
            return all(t.effect in ("none", "own") for t in trials)
        if first.control.kind not in _FOR_PRESSING or _OUTSIDE.search(first.control.name):
            return False
        if _OTHER_PRESSES & set(first.control.heard):
            return False
        return not (first.control.kind == "link" and first.control.href.partition("#")[2])

    def _is_proven(self, trials: list[Trial]) -> bool:
        """Whether it was tried where it had something to do, and the page did not just hide it."""
        if DEPENDENT.search(trials[0].control.name):
            everything = self._found.trials
            before = [everything[max(0, _index(everything, trial) - 1)] for trial in trials]
            if len({trial.key for trial in before if is_stirring(trial)}) < 2:
                return False
        unclear = [trial for trial in trials if trial.effect == "unclear"]
        for trial in (*unclear[:1], *unclear[1:][-1:]):
            self._compared += 1
            if self._compared > _MOST_COMPARED or not self._same_without(trial):
                return False
        return True

    def _same_without(self, trial: Trial) -> bool:
        """Whether the page looks the same without that use, everything before it done alike."""
        before = self._found.trials[: _index(self._found.trials, trial)]
        with self._open_session(clock=True) as session:
            try:
                session.open(self._url)
                bench = play_again(session, before)
                control = bench.find(trial.key) if bench else None
                aim = bench.observer.aim(control) if bench and control else None
                if bench is None or aim is None or aim.point is None:
                    return False
                bench.hover(aim.point)
                bench.observer.remember(control)
                session.settle(trial.settled)
                return bench.observer.fingerprint() == trial.fingerprint
            except (PageLost, Stuck):
                require_browser(session)
                return False


def _use_once(bench: Bench, trial: Trial) -> Trial | None:
    """The same use again, or None if its control is not there or cannot be pressed."""
    if trial.control.kind == KEY:
        bench.observer.blur()
        return bench.attempt(trial.control, trial.use, None)
    control = bench.find(trial.key)
    aim = bench.observer.aim(control) if control else None
    if control is None or aim is None or aim.point is None:
        return None
    return bench.attempt(control, trial.use, aim.point)


def _not_found(trial: Trial) -> Trial:
    return Trial(trial.key, trial.control, trial.use, trial.step, effect="unclear")


def _thrown(found: Exploration, spoken_of: set[Key]) -> Iterator[Finding]:
    """Uncaught exceptions of controls that otherwise do something."""
    said = set()
    for trial in found.trials:
        if trial.exceptions and trial.key not in spoken_of and trial.exceptions[0] not in said:
            said.add(trial.exceptions[0])
            text = f"{trial}: an uncaught exception says: {trial.exceptions[0][:200]}"
            yield _finding("uncaught-exception", "suspicion", text, [trial])


def _unreached(found: Exploration) -> Iterator[Finding]:
    tried = {trial.key for trial in found.trials}
    missed = [(c, why) for key, (c, why) in found.unreached.items() if key not in tried]
    for control, why in missed[:3]:
        text = f"{control} cannot be pressed: {why}"
        yield Finding(kind="unreachable", severity="suspicion", text=text)


def _slips(found: Exploration) -> Iterator[Finding]:
    """Text such as NaN that came up after a value was entered."""
    said = set()
    for trial in found.trials:
        if trial.odd and trial.odd not in said:
            said.add(trial.odd)
            text = f'{trial}: the page then says "{trial.odd}"'
            yield _finding("broken-output", "suspicion", text, [trial])


def _dead(trials: list[Trial]) -> Finding:
    control, uses = trials[0].control, " and ".join(dict.fromkeys(t.use.words for t in trials))
    if control.kind in FOR_ENTERING:
        text = f"nothing follows from {control} ({uses}), unlike from others of its kind"
    else:
        text = f"{control} seems dead: {uses}, {len(trials)} times, and {trials[-1].text}"
    return _finding("dead-control", "suspicion", text, trials)


def _is_odd_one_out(trials: list[Trial], by_key: dict[Key, list[Trial]]) -> bool:
    """Whether others of its kind have an effect at once; a text may well wait for a button."""
    kind = trials[0].control.kind
    if kind in ("field", "pick"):
        return all(trial.effect == "none" for trial in trials)
    return any(
        other[0].control.kind == kind and any(t.effect == "seen" for t in other)
        for other in by_key.values()
    )


def _is_real(trial: Trial) -> bool:
    """Whether its author meant it to do something."""
    control = trial.control
    if control.kind == "link":
        return control.href.endswith("#") or control.href.startswith("javascript:")
    return control.kind in _FOR_PRESSING or (control.kind in FOR_ENTERING and bool(control.heard))


def _by_key(trials: list[Trial]) -> dict[Key, list[Trial]]:
    by_key: dict[Key, list[Trial]] = {}
    for trial in trials:
        by_key.setdefault(trial.key, []).append(trial)
    return by_key


def _index(trials: list[Trial], trial: Trial) -> int:
    return next(index for index, one in enumerate(trials) if one is trial)


def _finding(kind: str, severity: str, text: str, trials: list[Trial]) -> Finding:
    evidence = tuple(
        Citation(source="step", where=str(trial.step.number), quote=trial.step.changed)
        for trial in trials[:3]
    )
    return Finding.model_validate(
        {"kind": kind, "severity": severity, "text": text, "evidence": evidence}
    )
