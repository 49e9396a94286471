"""How a person uses each kind of control: what to press, type, choose or drag.

It knows the hands and the eyes of a session, not what a use is good for: that is for `explore`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_appbench.browser.observe import Box, Control, Look, Observer

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

Point = tuple[float, float]
LONG = "W" * 300
_PICKED = {
    "date": ("2027-03-1{}", "9999-12-31", ""),
    "time": ("14:3{}", "00:00", ""),
    "month": ("2027-0{}", "0001-01", ""),
    "week": ("2027-W1{}", "2020-W53", ""),
    "datetime-local": ("2027-03-1{}T14:35", "9999-12-31T23:59", ""),
    "color": ("#2f9e4{}", "#ffffff"),
}
_TYPED = {
    "email": "sample@example.org",
    "url": "https://example.org/",
    "tel": "5550100",
    "password": "Sample-7",
}
_BAD_NUMBERS = ("", "-7", "999999999999", "0.0001")
_BAD_TEXTS = ("", "-7", "<b>'\"&amp;</b>", LONG)
_NUMERIC = re.compile(
    r"\b(number|value|amount|price|cost|count|quantity|hours?|minutes?|seconds?|days?|years?|age"
    r"|weight|height|width|length|mass|speed|angle|rate|score|size|radius|temperature)\b|[%$€£°]",
    re.IGNORECASE,
)
_POINTER_DOWN = {"pointerdown", "mousedown", "touchstart"}


@dataclass(frozen=True)
class Use:
    """One way of using one control.

    Attributes:
        words: What is done, for people.
        do: Does it, given the session, its observer, the control and where to press it.
    """

    words: str
    do: Callable[[Session, Observer, Control, Point], None]


def main_uses(control: Control, look: Look) -> tuple[Use, ...]:
    """The plain uses of a control, each of which should have an effect.

    Args:
        control: What is to be used.
        look: The look that it comes from.

    Returns:
        The uses in the order in which they are to be tried; none for what only a file would fill.
    """
    match control.kind:
        case "field":
            text = _valid_text(control, _place(control, look))
            return (_typing(text), *((ENTER,) if control.tag == "input" else ()))
        case "pick":
            return (_choosing(_picked(control, _place(control, look))),)
        case "select":
            return tuple(_choosing(v) for v in control.options if v != control.value)[:2]
        case "range":
            return (_moving("End"),) if _at_start(control) else (_moving("Home"),)
        case "slider":
            return (_pressing("ArrowRight"), _dragging((40, 0)))
        case "canvas" | "area":
            return (CLICK, _dragging((60, 30)))
        case "drag":
            return tuple(_dropping(point) for point in _targets(control, look)[:2])
        case "file":
            return ()
    heard = set(control.heard)
    if "dblclick" in heard and "click" not in heard:
        return (_DOUBLE_CLICK,)
    if heard & _POINTER_DOWN and "click" not in heard:
        return (CLICK, _dragging((40, 20)))
    return (CLICK,)


def boundary_uses(control: Control) -> Iterator[Use]:
    """Uses at and beyond the edge of what a control is meant for, a sane one at the end.

    Args:
        control: What is to be used.

    Yields:
        The uses, in order.
    """
    if control.kind == "pick":
        for value in (*_PICKED[control.type][1:], _picked(control, 0)):
            yield _choosing(value)
    if control.kind == "range":
        yield _moving("End")
        yield _moving("Home")
    if control.kind == "field":
        for text in _BAD_NUMBERS if _is_numeric(control) else _BAD_TEXTS:
            yield _typing(text)
        yield _typing(_valid_text(control, 0))


def key_use(key: str) -> Use:
    """Pressing a key while nothing has the focus.

    Args:
        key: Its name, as Playwright writes it.
    """

    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.press(key)

    return Use(f"press {key}", do)


def _click(session: Session, observer: Observer, control: Control, point: Point) -> None:
    session.click(*point)


def _double_click(session: Session, observer: Observer, control: Control, point: Point) -> None:
    session.double_click(*point)


CLICK = Use("click", _click)
_DOUBLE_CLICK = Use("double click", _double_click)


def _typing(text: str) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.click(*point)
        session.press("ControlOrMeta+A")
        if text == LONG:
            observer.choose(control, text)
        elif text:
            session.type_text(text)
        else:
            session.press("Delete")

    if not text:
        return Use("empty it", do)
    return Use("type 300 letters" if text == LONG else f'type "{text}"', do)


def _choosing(value: str) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        observer.choose(control, value)  # a click would open the browser's own picker

    return Use(f'choose "{value}"' if value else "choose nothing", do)


def _moving(key: str) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.click(*point)
        session.press(key)

    return Use(f"move to its {'least' if key == 'Home' else 'greatest'}", do)


def _pressing(key: str) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.click(*point)
        session.press(key)

    return Use(f"click and press {key}", do)


ENTER = _pressing("Enter")


def _dragging(by: Point) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.drag(point, (point[0] + by[0], point[1] + by[1]))

    return Use("drag a little", do)


def _dropping(target: Point) -> Use:
    def do(session: Session, observer: Observer, control: Control, point: Point) -> None:
        session.drag(point, target)

    return Use(f"drag to {target[0]:g}, {target[1]:g}", do)


def _targets(control: Control, look: Look) -> list[Point]:
    """Where a person would try to drop it: drop zones, other such things, somewhere else."""
    others = [
        other.box for other in look.controls if other.kind == "drag" and other.ref != control.ref
    ]
    start = _middle(control.box)
    places = [_middle(box) for box in (*look.zones, *others) if not _holds(box, start)]
    places.sort(key=lambda place: abs(place[0] - start[0]) + abs(place[1] - start[1]))
    return [*places[:1], *places[-1:], (start[0] + 120, start[1] + 40)]


def _place(control: Control, look: Look) -> int:
    return next((n for n, other in enumerate(look.controls) if other.ref == control.ref), 0)


def _picked(control: Control, place: int) -> str:
    """A value that no neighbour of the same type gets."""
    return _PICKED[control.type][0].format(1 + place % 9)


def _valid_text(control: Control, place: int) -> str:
    if control.type in _TYPED:
        return _TYPED[control.type]
    if not _is_numeric(control):
        return f"Sample {place + 1}"
    low, high = _number(control.min, 1.0), _number(control.max, 20.0)
    middle = round(low + (high - low) / (3 + place % 3)) if high > low else low
    return f"{middle + 1 if str(middle) == control.value else middle:g}"


def _is_numeric(control: Control) -> bool:
    return control.numeric or bool(_NUMERIC.search(control.name))


def _number(text: str, default: float) -> float:
    try:
        return float(text)
    except ValueError:
        return default


def _at_start(control: Control) -> bool:
    low, high = _number(control.min, 0.0), _number(control.max, 100.0)
    return _number(control.value, low) < (low + high) / 2


def _middle(box: Box) -> Point:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]
