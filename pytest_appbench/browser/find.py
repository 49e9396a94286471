"""Targets: how a judge names what it wants to use or read, and the way to what the page says of it.

It turns JSON into one form that `page/find.js` understands, and refusals into `HandsError`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from pytest_appbench.browser.methods import TARGET_KEYS, HandsError
from pytest_appbench.browser.observe import Observer

SCRIPTS = (
    "kin.js",
    "find.js",
    "boards.js",
    "looks.js",
    "charts.js",
    "shapes.js",
    "outline.js",
    "spatial.js",
)
"""What the observer in the page is extended by."""

_REF = re.compile(r"e\d+")
_SHAPES = (
    "a target is a ref such as 'e12', a point [x, y], {role, name, nth}, {text, nth}, {label}, "
    "{css, nth}, or a text or CSS selector"
)
_ONE_OF = ("ref", "role", "text", "label", "css")


def parse_target(value: Any) -> dict[str, Any]:
    """One form for all ways to name a target.

    Args:
        value: A string, a pair of numbers, or an object.

    Returns:
        What the page understands.

    Raises:
        ValueError: It names nothing.
    """
    if isinstance(value, str) and value.strip():
        text = value.strip()
        return {"ref": text} if _REF.fullmatch(text) else {"any": text}
    if isinstance(value, list | tuple):
        return {"point": _point(list(value))}
    if not isinstance(value, dict) or not value or set(value) - TARGET_KEYS:
        raise ValueError(_SHAPES)
    if {"x", "y"} <= set(value):
        return {"point": _point([value["x"], value["y"]])}
    kinds = [name for name in _ONE_OF if value.get(name) is not None]
    if len(kinds) != 1 or not all(isinstance(value[kind], str) for kind in kinds):
        raise ValueError(_SHAPES)
    if "name" in value and (kinds != ["role"] or not isinstance(value["name"], str | None)):
        raise ValueError("name goes with role: {role, name}")
    nth = value.get("nth")
    if nth is not None and (isinstance(nth, bool) or not isinstance(nth, int) or nth < 0):
        raise ValueError("nth counts from 0")
    return {name: one for name, one in value.items() if one is not None}


def _point(pair: list[Any]) -> list[float]:
    numbers = [one for one in pair if isinstance(one, int | float) and math.isfinite(one)]
    if len(pair) != 2 or len(numbers) != 2:
        raise ValueError("a point is two numbers [x, y], CSS pixels of the window")
    return numbers


Target = Annotated[dict[str, Any], BeforeValidator(parse_target)]
"""A target as the argument of a method."""
Point = Annotated[list[float], BeforeValidator(lambda value: _point(list(value)))]
"""A pair of numbers as the argument of a method."""

Need = Literal["", "none", "field", "select", "file", "check"]


@dataclass(frozen=True)
class Found:
    """An element that is about to be used.

    Attributes:
        ref: Its reference.
        words: What it is, for a person.
        tag: Its tag.
        kind: How it is used, as `Control.kind`.
        type: The type of an input, else empty.
        value: Its value, if it has one.
        checked: Whether it is checked, pressed or selected, where that can be said; or mixed.
        x: Where to press, in CSS pixels of the window.
        y: Likewise.
    """

    ref: str
    words: str
    tag: str
    kind: str
    type: str
    value: str | None
    checked: bool | Literal["mixed"] | None
    x: float = 0.0
    y: float = 0.0


class Finder:
    """Asks one page.

    Args:
        observer: The eyes on the page, extended by `SCRIPTS`.
    """

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def ask(self, name: str, argument: Any = None) -> Any:
        """Call a function of the page's extended observer.

        Args:
            name: The function.
            argument: Its argument, as JSON.

        Raises:
            HandsError: It refused.
        """
        data = self._observer.ask(name, argument)
        if "refused" in data:
            raise HandsError(data["refused"])
        return data.get("answer")

    def begin(
        self,
        targets: Sequence[dict[str, Any]] = (),
        *,
        need: Need = "",
        force: bool = False,
        at: Sequence[float] | None = None,
        aims: bool = True,
    ) -> tuple[list[Found], float | None]:
        """Find what is about to be used and where to press, scrolling it into view.

        Args:
            targets: What is used, in order.
            need: What it must be good for; `none` accepts disabled things too.
            force: Press whatever covers it, and although it is disabled.
            at: Where in the element, in CSS pixels from its corner; None for wherever it is free.
            aims: Whether it is pressed at all.

        Returns:
            The elements, and in how many milliseconds the page will act by itself.

        Raises:
            HandsError: There is no such thing, or it cannot be used.
        """
        data = self.ask(
            "begin",
            {"targets": list(targets), "need": need, "force": force, "at": at, "aims": aims},
        )
        found = [Found(**{k: v for k, v in item.items() if k != "by"}) for item in data["found"]]
        return found, data["due"]
