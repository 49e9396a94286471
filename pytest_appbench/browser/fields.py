"""Fills fields as a person does: by typing, by moving a slider, by choosing in a picker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_appbench.browser.find import Finder, Found
from pytest_appbench.browser.methods import HandsError

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

_FORMATS = {
    "date": ("YYYY-MM-DD", r"\d{4,}-\d\d-\d\d"),
    "time": ("HH:MM", r"\d\d:\d\d(:\d\d)?"),
    "month": ("YYYY-MM", r"\d{4,}-\d\d"),
    "week": ("YYYY-Www", r"\d{4,}-W\d\d"),
    "datetime-local": ("YYYY-MM-DDTHH:MM", r"\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d)?"),
    "color": ("#rrggbb", r"#[0-9a-fA-F]{6}"),
}
_TYPED = 300
_KEY_PRESSES = 40
_THUMB = 16


class Fields:
    """The fields of one page.

    Args:
        session: The page.
        finder: Asks the page.
    """

    def __init__(self, session: Session, finder: Finder) -> None:
        self._session, self._finder = session, finder

    def fill(self, found: Found, text: str) -> None:
        """Make a field hold a text.

        Args:
            found: The field and where to press it.
            text: What it shall hold; longer texts are pasted rather than typed.

        Raises:
            HandsError: It cannot hold that, or is filled in another way.
        """
        if found.tag == "select":
            raise HandsError(f"{found.words} is a select: use select(target, value)")
        if found.kind in ("toggle", "button", "file"):
            other = {"toggle": "check", "file": "upload"}.get(found.kind, "click")
            raise HandsError(f"{found.words} is no field to fill: use {other}")
        if found.kind == "range":
            self._slide(found, text)
        elif found.kind == "pick":
            self._pick(found, text)
        else:
            self._type(found, text)

    def _type(self, found: Found, text: str) -> None:
        page = self._session.page
        page.mouse.click(found.x, found.y)
        held = self._finder.ask("enterField", found.ref)
        if not text:
            if held:
                page.keyboard.press("Delete")
        elif len(text) <= _TYPED:
            page.keyboard.type(text)
        else:
            page.keyboard.insert_text(text)

    def _pick(self, found: Found, text: str) -> None:
        shown, pattern = _FORMATS.get(found.type, ("", ".*"))
        if text and not re.fullmatch(pattern, text):
            raise HandsError(f"{found.words} cannot hold {text!r}: write {shown}")
        held = self._set(found.ref, text)
        if text and not held:
            raise HandsError(f"{found.words} is empty now: there is no {found.type} {text!r}")

    def _slide(self, found: Found, text: str) -> None:
        if not re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", text, re.IGNORECASE):
            raise HandsError(f"{found.words} holds a number, not {text!r}")
        wanted = float(text)
        scale = self._finder.ask("range", found.ref)
        if not scale["min"] <= wanted <= scale["max"]:
            raise HandsError(f"{found.words} goes from {scale['min']:g} to {scale['max']:g}")
        if abs(wanted - scale["value"]) > _KEY_PRESSES * scale["step"]:
            self._drag_thumb(scale, wanted)
            scale = self._finder.ask("range", found.ref)
        self._finder.ask("enterField", found.ref)
        if scale["step"]:
            presses = round((wanted - scale["value"]) / scale["step"])
            if abs(presses) <= _KEY_PRESSES:
                for _ in range(abs(presses)):
                    self._session.page.keyboard.press("ArrowUp" if presses > 0 else "ArrowDown")
                scale = self._finder.ask("range", found.ref)
        if abs(scale["value"] - wanted) > scale["step"] / 2:
            self._set(found.ref, text.strip())

    def _drag_thumb(self, scale: dict[str, float], wanted: float) -> None:
        mouse, span = self._session.page.mouse, scale["max"] - scale["min"]
        if not span or scale["height"] > scale["width"]:
            return

        def place(value: float) -> float:
            share = (value - scale["min"]) / span
            share = 1 - share if scale["isFlipped"] else share
            return scale["x"] + _THUMB / 2 + share * (scale["width"] - _THUMB)

        middle = scale["y"] + scale["height"] / 2
        mouse.move(place(scale["value"]), middle)
        mouse.down()
        mouse.move(place(wanted), middle, steps=4)
        mouse.up()

    def _set(self, ref: str, value: str) -> str:
        """Set a value as the browser's own picker would; gives the value there is then."""
        return str(self._finder.ask("setValue", {"ref": ref, "value": value}))
