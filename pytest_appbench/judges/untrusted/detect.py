"""Finds attempts to instruct whoever judges an app, and takes them out of a text.

It reads a text in every way that its views and encodings offer and asks the rules of each. It leans
to finding too much where a text speaks to a judge of this app: a find costs a second judging, never
points. The work grows linearly with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pytest_appbench.judges.untrusted.encodings import decoded
from pytest_appbench.judges.untrusted.hidden import hidden, one_line
from pytest_appbench.judges.untrusted.rules import RULES, attempts, possible, relevant, speaks
from pytest_appbench.judges.untrusted.views import (
    LEET,
    LEET_WORD,
    ROT13,
    View,
    apart,
    folded,
    glued,
    spaced_out,
    unescaped,
)
from pytest_appbench.judges.untrusted.words import Words, lexicon

MOST_SEARCHED = 5_000_000
"""Characters of one text that are searched; what follows is not."""
REMOVED = "[removed: text addressed to whoever judges]"
"""What stands where something was redacted. It is never searched itself."""
TEMPLATE = re.compile(
    r"<[|｜][a-zA-Z0-9_/▁ -]{2,40}[|｜]>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
    r"|</?(?:tool_results?|tool_calls?|tool_use|function_results?|function_calls?|system-reminder)>"
    r"|\#\#\#\s{0,3}(?:[Ii]nstruction|[Ss]ystem|[Aa]ssistant|[Hh]uman)s?:"
)
"""What separates the turns of a conversation in the templates of chat models."""
_DEEPEST = 3
_MOST_ROUNDS = 6
_MOST_TAKEN_OUT = 200
"""A text with more attempts, or with new ones again and again, is removed as a whole."""
_QUOTED = 300
_LITTLE = 160
_REACH = 240
"""How far the rest of a sentence is looked for, in characters."""
_SENTENCE_ENDS = ("\n", '"', "`", "<", ">", "{", "}", ". ", "! ", "? ", "。", "！", "？", "*/")


@dataclass(frozen=True, order=True)
class Span:
    """An attempt to instruct a judge, and where it stands.

    Attributes:
        start: Where it begins in the text.
        end: Where it ends.
        style: What kind of attempt it is, and how it was written if not plainly.
        quote: What it says, decoded, on one line.
    """

    start: int
    end: int
    style: str
    quote: str


def detect(text: str) -> list[Span]:
    """Find every attempt to instruct a judge.

    Args:
        text: Anything that came from an app: source, page, console, notes.

    Returns:
        The attempts in the order of the text; none overlap.
    """
    found: list[Span] = []
    begin = 0
    for piece in text[:MOST_SEARCHED].split(REMOVED):
        found += (
            Span(one.start + begin, one.end + begin, one.style, one.quote)
            for one in _search(piece, 0)
        )
        begin += len(piece) + len(REMOVED)
    return found


def redact(text: str, spans: Iterable[Span]) -> str:
    """Take attempts out of a text, and whatever comes to light by that.

    Args:
        text: The text.
        spans: What was detected in it.

    Returns:
        The text with a neutral note in their places; nothing is detected in it any more.
    """
    for _ in range(_MOST_ROUNDS):
        spans = list(spans)
        if len(spans) > _MOST_TAKEN_OUT:
            break
        pieces: list[str] = []
        done = 0
        for span in sorted(spans):
            pieces += (text[done : max(done, span.start)], REMOVED)
            done = max(done, span.end)
        text = "".join(pieces) + text[done:]
        spans = detect(text)
        if not spans:
            return text
    return REMOVED


class _Finds:
    """What was found in one text, the first find of a place only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Span] = []

    def add(self, start: int, end: int, style: str, quote: str | None = None) -> None:
        if quote is None:
            quote = unescaped(View.of(self.text[start:end])).text
        span = Span(start, end, style, one_line(quote)[:_QUOTED])
        place = bisect_left(self.spans, span)
        around = self.spans[max(0, place - 1) : place + 1]
        if not any(one.start < end and start < one.end for one in around):
            insort(self.spans, span)


def _search(text: str, depth: int) -> list[Span]:
    finds = _Finds(text)
    for secret in hidden(text):
        finds.add(secret.start, secret.end, "hidden characters", secret.text)
    raw = unescaped(View.of(text))
    for match in TEMPLATE.finditer(raw.text):
        finds.add(*_sentence(text, *raw.locate(*match.span())), "chat template")
    for view, way, places in _read(raw):
        for start, end, style in _merged(places):
            place = _sentence(text, *view.locate(start, end))
            quote = None if way in ("", "pieces") else view.text[start:end]
            finds.add(*place, f"{style} in {way}" if way else style, quote)
    if depth < _DEEPEST:
        for view in {raw.text: raw, (whole := glued(raw)).text: whole}.values():
            for message in decoded(view.text):
                for inner in _search(message.text, depth + 1)[:1]:
                    place = view.locate(message.start, message.end)
                    finds.add(*place, f"{inner.style} in {message.encoding}", inner.quote)
    return list(_together(text, finds.spans))


def _together(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Attempts with little between them as one, so that what they lead to goes with them."""
    current: Span | None = None
    for span in spans:
        if current is not None:
            between = text[current.end : span.start]
            if len(between) <= _LITTLE and not any(mark in between for mark in "<>{}"):
                quote = f"{current.quote} {one_line(between)} {span.quote}"
                quote = " ".join(quote.split())[:_QUOTED]
                current = Span(current.start, span.end, current.style, quote)
                continue
            yield current
        current = span
    if current is not None:
        yield current


_Places: TypeAlias = "Iterable[tuple[int, int, str]]"
"""Beginning, end and style of attempts in a view."""
_SECRET_WAYS: tuple[tuple[str, Callable[[str], str], Callable[[View], View]], ...] = (
    ("reversed", lambda words: words[::-1], View.backwards),
    ("rot13", lambda words: words.translate(ROT13), lambda view: view.translated(ROT13)),
)


def _read(raw: View) -> Iterator[tuple[View, str, _Places]]:
    """What an unescaped text says in every way to read it as words.

    Args:
        raw: The text.

    Yields:
        A view, what to call it, and the attempts in it.
    """
    plain = folded(raw)
    words = Words(plain.text)
    yield plain, "", _attempts(words)
    for view, way in ((apart(raw), ""), (glued(raw), "pieces")):
        if view is not raw:
            view = folded(view)
            yield view, way, _attempts(Words(view.text))
    for part in spaced_out(plain):
        found = attempts(lexicon().hits_in_run(part.text), RULES)
        yield part, "spaced letters", ((one.first, one.last, one.style) for one in found)
    if LEET_WORD.search(plain.text):
        view = plain.translated(LEET)
        places = _attempts(Words(view.text), leet=True)
        yield view, "leetspeak", (p for p in places if LEET_WORD.search(plain.text, p[0], p[1]))
    # These have the words of the plain view, each written differently, so that most texts are
    # done with once their words are known
    for way, written, view_of in _SECRET_WAYS:
        if possible(lexicon().meanings(written(" ".join(words.distinct)).split())):
            view = view_of(plain)
            yield view, way, _attempts(Words(view.text))


def _attempts(words: Words, *, leet: bool = False) -> _Places:
    terms = lexicon(leet=leet)
    rules = possible(terms.meanings(words.distinct))
    if not rules:
        return
    hits = (
        hit
        for hit in terms.hits(words, relevant(rules))
        if hit.meaning != "speaker" or speaks(words.text, *words.spans[hit.first])
    )
    for one in attempts(hits, rules):
        yield words.spans[one.first][0], words.spans[one.last][1], one.style


def _merged(places: _Places) -> Iterator[tuple[int, int, str]]:
    """Overlapping attempts as one, of the kind that was found first."""
    current: tuple[int, int, str] | None = None
    for start, end, style in sorted(places):
        if current is not None and start <= current[1]:
            current = current[0], max(end, current[1]), current[2]
            continue
        if current is not None:
            yield current
        current = start, end, style
    if current is not None:
        yield current


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The rest of the sentence, string or element around a piece, within reach."""
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    begin = max(before.rfind(mark) + len(mark) if mark in before else 0 for mark in _SENTENCE_ENDS)
    stops = [after.find(mark) for mark in _SENTENCE_ENDS if mark in after]
    return start - len(before) + begin, end + min(stops, default=len(after))
