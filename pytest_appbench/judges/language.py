"""Whether a page is in the language that was asked for, by its `lang` attribute and its letters.

The measure is the same each time. It tells writing systems apart, and Chinese, Japanese and Korean
by their own; languages that share an alphabet are told apart by the attribute only, and where that
says something else, it is for a judge to decide.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

ENOUGH = 4.0
"""Words of text; of less nothing is said."""
SHARE = 0.5
"""Of all words in the language's own writing, at least, names and units left in another."""

_WRITTEN = {
    "LATIN": "af ca cs cy da de en es et eu fi fil fr ga gl hr hu id is it lt lv ms nb nl nn no pl "
    "pt ro sk sl sq sv sw tl tr vi",
    "CYRILLIC": "be bg kk ky mk mn ru sr tg uk",
    "ARABIC": "ar fa ps ug ur",
    "DEVANAGARI": "hi mr ne",
    "BENGALI": "as bn",
    "CJK": "zh yue ja",
    "HANGUL": "ko",
    "GREEK": "el",
    "HEBREW": "he yi",
    "THAI": "th",
    "LAO": "lo",
    "KHMER": "km",
    "MYANMAR": "my",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "ETHIOPIC": "am ti",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "GUJARATI": "gu",
    "SINHALA": "si",
}
_SCRIPTS = {name: script for script, names in _WRITTEN.items() for name in names.split()}
_SUBTAGS = {"Latn": "LATIN", "Cyrl": "CYRILLIC", "Arab": "ARABIC"}
_ALONE = frozenset({"zh", "yue", "ja", "ko", "el", "th", "lo", "km", "my", "ka", "hy"})
"""Languages that their writing names without an attribute, or nearly so."""
_KANA = frozenset({"HIRAGANA", "KATAKANA"})
_UNSPACED = frozenset({"CJK", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", *_KANA})
"""Written without spaces, or in syllables: two letters stand for a word."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")


@dataclass(frozen=True)
class PageLanguage:
    """What was measured.

    Attributes:
        outcome: fits, differs (the writing is another), or unknown.
        words: The measure in words of our own, harmless whatever the page says.
    """

    outcome: Literal["fits", "differs", "unknown"]
    words: str


def measure(wanted: str, declared: str, text: str) -> PageLanguage:
    """Compare a page's language with the wanted one.

    Args:
        wanted: A language tag, such as `en` or `zh-Hant`.
        declared: The page's `lang` attribute, empty if it has none.
        text: The page's visible text.
    """
    counted = _counted(text)
    total = sum(counted.values())
    tag = declared if _TAG.fullmatch(declared) else ""
    said = f"lang is {tag!r}" if tag else "no valid lang attribute"
    language = wanted.lower().partition("-")[0]
    scripts = _scripts_of(wanted)
    if not scripts or total < ENOUGH:
        why = "too little text" if scripts else "its writing is not known to this measure"
        return PageLanguage("unknown", f"asked for {wanted!r}: {why}; {said}")
    share = sum(counted.get(script, 0.0) for script in scripts) / total
    words = f"asked for {wanted!r}: {share:.0%} of the words are written in its letters; {said}"
    if share < SHARE or not _fits_kana(language, counted):
        return PageLanguage("differs", words)
    agrees = tag.lower().partition("-")[0] == language
    return PageLanguage("fits" if agrees or language in _ALONE else "unknown", words)


def _scripts_of(wanted: str) -> frozenset[str]:
    language, _, rest = wanted.partition("-")
    language = language.lower()
    for subtag in rest.split("-"):
        if subtag in _SUBTAGS:
            return frozenset({_SUBTAGS[subtag]})
    if language == "ja":
        return frozenset({"CJK", *_KANA})
    return frozenset({_SCRIPTS[language]}) if language in _SCRIPTS else frozenset()


def _fits_kana(language: str, counted: dict[str, float]) -> bool:
    kana, han = sum(counted.get(one, 0.0) for one in _KANA), counted.get("CJK", 0.0)
    if language in ("zh", "yue"):
        return kana <= 0.2 * (kana + han)
    return language != "ja" or kana >= 0.1 * (kana + han)


def _counted(text: str) -> dict[str, float]:
    """Words by writing system, which is the first word of a letter's name in Unicode."""
    found: dict[str, float] = {}
    for run in re.findall(r"[^\W\d_]+", text[:100_000]):
        scripts = [unicodedata.name(letter, "?").partition(" ")[0] for letter in run]
        for script in dict.fromkeys(scripts):
            words = scripts.count(script) / 2 if script in _UNSPACED else 1
            found[script] = found.get(script, 0.0) + words
    return found


_PAIRS = re.compile(r"[ÂÃâåæçèé][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ]")


def is_garbled(text: str) -> bool:
    """Whether a text was read in a wrong encoding, wholly or in good part.

    Args:
        text: A page's visible text.
    """
    shown = [one for one in text if not one.isspace()]
    broken = sum(one == "\ufffd" or "\x80" <= one <= "\x9f" for one in shown)
    broken += 2 * len(_PAIRS.findall(text))
    return len(shown) > 0 and broken >= 0.1 * len(shown)
