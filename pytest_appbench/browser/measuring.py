"""What a judge can measure: where pixels changed, what of a thing reacts, and what sounded.

Places are told in CSS pixels of the window, as `click([x, y])` takes them. Nothing here does
anything to the app but trial clicks, and those only where they are asked for.
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pytest_appbench.browser.effects import Effects, clipped
from pytest_appbench.browser.find import Finder, Point, Target
from pytest_appbench.browser.methods import HandsError, Outcome, method
from pytest_appbench.browser.observe import Observer

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

_RECORDED = 1500
_EXACT = 2.0
"""CSS pixels that a drop may be off without a word."""
_TRIAL_MS = 100.0
_HOVER_MS = 34.0

Trials = Annotated[int, Field(ge=4, le=100)]
_Box = Mapping[str, float]


class Measuring:
    """The measures of one page.

    Args:
        session: The page.
        observer: The eyes on it.
        finder: Finds what is measured.
        effects: Lets time pass between trial clicks.
    """

    def __init__(
        self, session: Session, observer: Observer, finder: Finder, effects: Effects
    ) -> None:
        self._session, self._observer = session, observer
        self._finder, self._effects = finder, effects
        self._before: dict[str, str] = {}
        self._told = 0

    @method(
        "changedRegions(target)",
        "boxes where pixels of it (or of the window) changed since the last call, which must come "
        "first: [{x, y, width, height, at: centre in it, canvas: box in canvas pixels, pixels}]",
    )
    def changed_regions(self, target: Target | None = None) -> Outcome:
        """Compare pixels with those of the call before."""
        ref = "" if target is None else str(self._finder.ask("locate", target))
        words = ref or "window"
        place = self._place(ref)
        before, after = self._before.get(words), self._shot(place["region"], place["scroll"])
        self._before[words] = after
        if before is None:
            return Outcome(words, "remembered: call it again after an action", [])
        asked = {"before": before, "after": after, "ref": ref, "region": place["region"]}
        found = self._observer.ask("changedBetween", asked)
        if found["resized"]:
            raise HandsError(f"{words} has another size now: the next call compares with this one")
        regions = found["regions"]
        told = json.dumps(regions) if regions else "no pixel changed"
        rest = f"; {found['rest']} smaller ones" if found["rest"] else ""
        return Outcome(words, clipped(told, _RECORDED) + rest, regions)

    @method(
        "hitZone(target, {at: [x, y] in a canvas, trials: n})",
        "is what is drawn what reacts: {share of the drawn area that reacts, outside: share of the "
        "reacting area where nothing is drawn, drawn, reacts: boxes, shift}; in a canvas, real "
        "trial clicks on and around the shape at that point",
    )
    def hit_zone(
        self, target: Target, *, at: Point | None = None, trials: Trials | None = None
    ) -> Outcome:
        """Compare what is drawn with what reacts."""
        ref = str(self._finder.ask("locate", target))
        place = self._place(ref, around=at is None)
        if place["isCanvas"] and (at is None or trials is None):
            raise HandsError(
                "in a canvas only clicks tell what reacts: give at, a point of the shape in CSS "
                "pixels from the canvas's corner, and trials, such as 36; the clicks are real"
            )
        if at is not None and trials is not None:
            value = self._tried(place, at, trials)
        else:
            shot = self._shot(place["region"], place["scroll"])
            asked = {"ref": ref, "shot": shot, "region": place["region"]}
            value = self._observer.ask("zoneOf", asked)
            if value["by"] is None:
                raise HandsError(f"nothing at {ref} can be pressed: there is no zone that reacts")
        known = {name: one for name, one in value.items() if one is not None}
        return Outcome(ref, clipped(json.dumps(known, ensure_ascii=False), _RECORDED), known)

    @method(
        "sounds()",
        "what sounded since the last call: [{at: page time, kind, what, hz, ms, gain, silent}]",
    )
    def sounds(self) -> Outcome:
        """Tell what sounded."""
        found = list(self._session.sounds.since(self._told))
        self._told += len(found)
        return Outcome("", clipped(json.dumps(found, ensure_ascii=False), _RECORDED), found)

    def _tried(self, place: Mapping[str, Any], at: Sequence[float], trials: int) -> dict[str, Any]:
        """What clicks on and around a shape in a canvas do."""
        box, region = place["box"], place["region"]
        point = [box["x"] + at[0], box["y"] + at[1]]
        shot = self._shot(region, place["scroll"])
        asked = {"shot": shot, "region": region, "at": point, "trials": trials}
        shape = self._observer.ask("shapeAt", asked)
        if shape is None:
            raise HandsError(f"nothing is drawn at {at}: there is only the background")
        mouse = self._session.page.mouse
        with self._session.bounded(5.0):
            mouse.move(*shape["points"][0])
        self._observer.remember()
        self._effects.pass_time(_TRIAL_MS)
        is_restless = bool(self._observer.changes(mark_restless=True))
        tried: list[tuple[int, int, bool, bool]] = []
        for x, y in shape["points"]:
            with self._session.bounded(5.0):
                mouse.move(x, y)
            self._effects.pass_time(_HOVER_MS)
            is_drawn = self._is_drawn(x, y, place["scroll"], shape["background"])
            self._observer.remember()
            with self._session.bounded(5.0):
                mouse.down()
                mouse.up()
            self._effects.pass_time(_TRIAL_MS)
            reacted = bool(self._observer.changes(skip_restless=True))
            tried.append((x, y, is_drawn, reacted))
        drawn = [one[3] for one in tried if one[2]]
        answers = [one for one in tried if one[3]]
        reacts = _bounds([(x, y) for x, y, *_ in answers])
        seen = _bounds([(x, y) for x, y, is_drawn, _ in tried if is_drawn])
        return {
            "share": _share(sum(drawn), len(drawn)),
            "outside": _share(sum(not one[2] for one in answers), len(answers)),
            "drawn": shape["drawn"],
            "reacts": reacts,
            "shift": _shift(seen, reacts),
            "restless": is_restless or None,
            "points": [list(one) for one in tried],
        }

    def _is_drawn(self, x: int, y: int, scroll: Sequence[float], background: Any) -> bool:
        spot = {"x": x - 1, "y": y - 1, "width": 3, "height": 3}
        asked = {"shot": self._shot(spot, scroll), "background": background}
        return bool(self._observer.ask("isDrawnAt", asked))

    def _place(self, ref: str, *, around: bool = False) -> Mapping[str, Any]:
        place: Any = self._finder.ask("regionOf", {"ref": ref, "around": around})
        if place is None or place["region"] is None:
            raise HandsError(f"{ref} is outside the window: scroll to it first")
        found: Mapping[str, Any] = place
        return found

    def _shot(self, region: _Box, scroll: Sequence[float]) -> str:
        return shot(self._session, region, scroll)


def shot(session: Session, region: _Box, scroll: Sequence[float]) -> str:
    """The pixels of a part of the window, as the browser shows them.

    Args:
        session: The page.
        region: In CSS pixels of the window.
        scroll: How far the page is scrolled, in CSS pixels.

    Returns:
        A PNG, in base64.
    """
    clip = {**region, "x": region["x"] + scroll[0], "y": region["y"] + scroll[1], "scale": 1}
    options = {"format": "png", "optimizeForSpeed": True, "clip": clip}
    return b64encode(session.picture(options, timeout=5.0)).decode()


def look_at_canvases(session: Session, observer: Observer, finder: Finder) -> None:
    """Find out of each WebGL canvas in the window whether it is blank, for the next outline.

    Args:
        session: The page.
        observer: The eyes on it.
        finder: Asks the page.
    """
    for one in finder.ask("sightOnly"):
        picture = shot(session, one["region"], one["scroll"])
        observer.ask("seeInk", {"ref": one["ref"], "shot": picture})


def landing(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None, pulled: tuple[float, float]
) -> tuple[list[float], str] | None:
    """How far what was dragged ended from where it was let go.

    Args:
        before: Its place before, as the page tells it; None if it was not there.
        after: Its place afterwards, likewise.
        pulled: How far the pointer went, in CSS pixels.

    Returns:
        What its centre is off, less what it was off the pointer when it was taken hold of, in CSS
        pixels, and in words; None if it did not move.
    """
    if before is None or after is None or before["box"] == after["box"]:
        return None
    (x, y, width, height), (left, top, across, down) = before["box"], after["box"]
    way = (left + across / 2 - x - width / 2, top + down / 2 - y - height / 2)
    dx, dy = (round(one - other, 1) for one, other in zip(way, pulled, strict=True))
    if max(abs(dx), abs(dy)) <= _EXACT:
        return [dx, dy], "it landed where it was let go"
    far = math.hypot(dx, dy)
    return [dx, dy], f"it landed {far:.0f} px from where it was let go, by ({dx:+g}, {dy:+g})"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 2) if whole else None


def _bounds(points: Sequence[tuple[float, float]]) -> dict[str, float] | None:
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = min(xs), min(ys)
    return {"x": left, "y": top, "width": max(xs) - left, "height": max(ys) - top}


def _shift(one: _Box | None, two: _Box | None) -> list[float] | None:
    if one is None or two is None:
        return None
    return [
        round(two[place] + two[size] / 2 - one[place] - one[size] / 2)
        for place, size in (("x", "width"), ("y", "height"))
    ]
