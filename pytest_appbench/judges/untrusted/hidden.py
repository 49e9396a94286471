"""Characters that a person does not see: which there are, what they may say, how they are shown.

It knows characters, not words: whether what is hidden is an attempt on the judge is not its
business. Joiners inside emoji, and those that Arabic and Indic scripts need, are left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_TAG_RUN = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f|"
    "(?P<tags>[\U000e0000-\U000e007f]+)"
)
_SELECTOR_RUN = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2065"
    "\u206a-\u206f\u3164\ufeff\uffa0"
)
_INVISIBLE_RUN = re.compile(f"[{_INVISIBLE}]+")
_SHORTEST_SECRET = 4
_SHORTEST_CODE = 16
"""Fewer invisible characters in a row hold no word, one bit each."""

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])"
)
_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufff0-\ufffb\ufffe\uffff"
    "\ud800-\udfff]"
)
_JOINERS = "\u200c\u200d"
_EMOJI = re.compile("[\u2190-\u2bff\u3030\u303d\ufe0f\U0001f000-\U0001faff\U000e007f]")
_NEEDS_JOINERS = re.compile(
    "[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff]"
)


@dataclass(frozen=True)
class Secret:
    """A run of characters that nobody sees.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        text: What it says, as far as that is known.
    """

    start: int
    end: int
    text: str


def hidden(text: str) -> Iterator[Secret]:
    """Runs of invisible characters that are long enough to say something.

    Args:
        text: What to search.

    Yields:
        The runs, with the letters that tag characters and variation selectors stand for.
    """
    if text.isascii():
        return
    for match in _TAG_RUN.finditer(text):
        run = match["tags"]
        if run and len(run) >= _SHORTEST_SECRET:
            letters = "".join(chr(ord(one) - 0xE0000) for one in run)
            yield Secret(match.start(), match.end(), letters)
    for match in _SELECTOR_RUN.finditer(text):
        if len(match.group()) >= _SHORTEST_SECRET:
            numbers = bytes(_selected(one) for one in match.group())
            yield Secret(match.start(), match.end(), numbers.decode("utf-8", "replace"))
    for match in _INVISIBLE_RUN.finditer(text):
        if len(match.group()) >= _SHORTEST_CODE:
            yield Secret(match.start(), match.end(), f"{len(match.group())} invisible characters")


def _selected(character: str) -> int:
    code = ord(character)
    return code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16


def visible(text: str) -> tuple[str, Counter[str]]:
    """A text with nothing in it that a person could not see.

    Args:
        text: Any text, lone surrogates included.

    Returns:
        The text, and how many characters of each kind were removed or made visible.
    """
    counts: Counter[str] = Counter()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, number = _ANSI.subn("", text)
    counts["terminal codes removed"] += number

    def shown(match: re.Match[str]) -> str:
        counts["control characters shown"] += 1
        code = ord(match.group())
        return chr(0x2400 + code) if code < 0x20 else f"[U+{code:04X}]"

    def removed(match: re.Match[str]) -> str:
        run = match.group()
        if len(run) == 1 and run in _JOINERS and _joins(match):
            return run
        counts["invisible characters removed"] += len(run)
        return ""

    def untagged(match: re.Match[str]) -> str:
        if match["tags"] is None:
            return match.group()
        counts["invisible characters removed"] += len(match["tags"])
        return ""

    def deselected(match: re.Match[str]) -> str:
        counts["invisible characters removed"] += len(match.group())
        return ""

    text = _SHOWN.sub(shown, text)
    if not text.isascii():
        text = _TAG_RUN.sub(untagged, text)
        text = _SELECTOR_RUN.sub(deselected, text)
        text = _INVISIBLE_RUN.sub(removed, text)
    return text, +counts


def _joins(match: re.Match[str]) -> bool:
    text = match.string
    around = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
    return all(_EMOJI.match(one) or _NEEDS_JOINERS.match(one) for one in around)


def one_line(text: str) -> str:
    """A text on one line, with nothing invisible in it."""
    return " ".join(visible(text)[0].split())
