"""Ways to read a text that was written not to be read: each view knows where its letters stand.

A view is a rewritten text with a map back to the original, so that what is found in it can be shown
and removed where it really is. Nothing here knows what is looked for. Every pattern is bounded: no
quantifier stands inside an unbounded one over the same characters, so the work grows linearly.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import unquote

Edit: TypeAlias = tuple[int, int, str]
"""Where a replaced piece begins and ends, and what replaces it."""


@dataclass(frozen=True)
class View:
    """A text and where it comes from.

    Attributes:
        text: The text as it is searched.
        locate: From the beginning and end of a piece of it to those in the original.
    """

    text: str
    locate: Callable[[int, int], tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> View:
        """The original itself."""
        return cls(text, lambda start, end: (start, end))

    def part(self, start: int, end: int) -> View:
        """A piece of it."""
        return View(self.text[start:end], lambda a, b: self.locate(start + a, start + b))

    def translated(self, table: dict[int, str]) -> View:
        """The same with single characters replaced by single characters."""
        return View(self.text.translate(table), self.locate)

    def backwards(self) -> View:
        """The same read from its end."""
        size = len(self.text)
        return View(self.text[::-1], lambda start, end: self.locate(size - end, size - start))

    def rewritten(self, edits: Iterable[Edit]) -> View:
        """The same with some pieces replaced.

        Args:
            edits: What to replace, in order, none overlapping.

        Returns:
            The new view, or this one when there was nothing to replace.
        """
        pieces: list[str] = []
        # Offsets where a piece begins, in the new text and in this one. Pieces taken over and
        # pieces replaced take turns, so odd places are replaced ones.
        new, old = array("Q", [0]), array("Q", [0])
        done = length = 0
        for start, end, replacement in edits:
            pieces += (self.text[done:start], replacement)
            length += start - done
            if len(replacement) != end - start:
                new.extend((length, length + len(replacement)))
                old.extend((start, end))
            length += len(replacement)
            done = end
        if not pieces:
            return self
        pieces.append(self.text[done:])

        def locate(start: int, end: int) -> tuple[int, int]:
            first = bisect_right(new, start) - 1
            last = bisect_right(new, end - 1) - 1
            begin = old[first] if first % 2 else old[first] + start - new[first]
            finish = old[last + 1] if last % 2 else old[last] + end - new[last]
            return self.locate(begin, finish)

        return View("".join(pieces), locate)


_ESCAPE = re.compile(
    r"&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,24});?"
    r"|\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[nrt]"
    r"|\\[0-9a-fA-F]{2,6}[ \t\n]?|(?:%[0-9a-fA-F]{2})+"
)
_JOINT = re.compile(
    r"""["'`]\s{0,200}[+,.]\s{0,200}["'`]|<[^<>]{0,400}>|\\\r?\n|/\*[^*]{0,200}\*/|\$\{["'`]|["'`]\}"""
)
_APART = re.compile(r"<[^<>]{0,400}>|(?<=[a-z])(?=[A-Z][a-z])")
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,5}[^\W_](?![^\W_])){9,}")
_BETWEEN = re.compile(r"[\W_]{1,5}")
_FOREIGN = re.compile(r"[^\t\n\r -~]+")

ROT13 = {
    **{97 + i: chr(97 + (i + 13) % 26) for i in range(26)},
    **{65 + i: chr(65 + (i + 13) % 26) for i in range(26)},
}
"""Letters moved by thirteen."""
LEET = {ord(digit): letter for digit, letter in zip("0134578@$l", "oieastbasi", strict=True)}
"""Digits as the letters they are used for; 1 stands for i and l, so l becomes i as well."""
LEET_WORD = re.compile(r"[a-z][0134578@$][a-z]")
"""A digit between letters, without which nothing is taken for leetspeak."""

_LOOKALIKES = dict(
    zip(
        # Cyrillic, then Greek, Armenian, Latin small capitals and other Latin letters
        "авекмнорстухіїјѕԁԛԝһѵгпьү"
        "αβειικνορτυχγηω"
        "օոսհց"
        "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
        "ɑɡıɩƒɐɔǝɟɥᴉɾʞɯɹʇʌʍʎđłøħŧ",
        "abekmhopctyxiijsdqwhvrnby"
        "abeiiknoptuxynw"
        "onuhg"
        "abcdefghijklmnoprstuvwyz"
        "agiifacefhijkmrtvwydloht",
        strict=True,
    )
)
_SPELLED = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
_ENCLOSED = ((0x1F150, 0x1F169), (0x1F170, 0x1F189), (0x1F1E6, 0x1F1FF))
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_TAGS = (0xE0020, 0xE007E)


def _folded(character: str) -> str:
    code = ord(character)
    if 0xAC00 <= code <= 0xD7A3:  # Hangul would come apart into its strokes
        return character
    if _TAGS[0] <= code <= _TAGS[1]:
        return chr(code - 0xE0000)
    if character in _FILLERS:
        return ""
    for first, last in _ENCLOSED:
        if first <= code <= last:
            return chr(97 + code - first)
    letters = []
    for one in unicodedata.normalize("NFKD", character):
        kind = unicodedata.category(one)
        if kind[0] == "M" or kind in ("Cf", "Cc"):
            if one in "\t\n\r":
                letters.append(one)
            continue
        for small in one.casefold():
            letters.append(_SPELLED.get(small) or _LOOKALIKES.get(small, small))
    return "".join(letters)


class _Folds(dict[str, str]):
    """The folded form of every character met so far."""

    def __missing__(self, character: str) -> str:
        value = self[character] = _folded(character)
        return value


_folds = _Folds()


def folded(view: View) -> View:
    """A view without case, accents, compatibility forms, look-alikes and invisible characters.

    Characters of the Unicode tag block become the letters that they hide.

    Args:
        view: Any view.

    Returns:
        The folded view.
    """

    def edits() -> Iterator[Edit]:
        for match in _FOREIGN.finditer(view.text):
            letters = [_folds[one] for one in match.group()]
            if all(len(letter) == 1 for letter in letters):
                yield match.start(), match.end(), "".join(letters)
                continue
            for place, letter in enumerate(letters, match.start()):
                yield place, place + 1, letter

    view = view.rewritten(edits())
    # Nothing that is left after folding changes its length with its case
    return View(view.text.lower(), view.locate)


def fold(text: str) -> str:
    """A text as `folded` views show it."""
    return folded(View.of(text)).text


def unescaped(view: View) -> View:
    """A view with the escapes of HTML, JavaScript, CSS and URLs read, also doubled ones."""
    for _ in range(2):
        if not any(mark in view.text for mark in "&\\%"):
            break
        view = view.rewritten(_unescape(view.text))
    return view


def _unescape(text: str) -> Iterator[Edit]:
    for match in _ESCAPE.finditer(text):
        found = match.group()
        if found[0] == "&":
            letters = html.unescape(found)
        elif found[0] == "%":
            letters = unquote(found, errors="replace")
        elif found[1] in "nrt":
            letters = " "
        else:
            code = int(found[1:].strip("ux{} \t\n"), 16)
            letters = chr(code) if code < 0x110000 else ""
        if letters != found:
            yield match.start(), match.end(), letters


def apart(view: View) -> View:
    """A view with markup as a space, and a space between the words of camelCase names."""
    return view.rewritten((m.start(), m.end(), " ") for m in _APART.finditer(view.text))


def glued(view: View) -> View:
    """A view with string concatenations, list commas, markup and comments taken out."""
    return view.rewritten((m.start(), m.end(), "") for m in _JOINT.finditer(view.text))


def spaced_out(view: View) -> Iterator[View]:
    """The words of a folded view that are written letter by letter, without what is between."""
    for match in _SPACED.finditer(view.text):
        part = view.part(match.start(), match.end())
        yield part.rewritten((m.start(), m.end(), "") for m in _BETWEEN.finditer(part.text))
