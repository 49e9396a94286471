"""Finds words by meaning, in any of the languages of `words.yaml`, whatever stands between them.

It reads folded views and answers where a meaning occurs and how many words lie between. It does not
know which meanings together are an attempt to instruct a judge.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import accumulate, chain
from typing import TypeAlias

import yaml

from pytest_appbench.judges.untrusted.views import LEET, fold

# Thai, kana and Han are written without spaces
_DENSE = "\u0e01-\u0e5b\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# A single letter is seldom a word, except in Hangul and Devanagari; in code it is mere filling
_WORD = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]{{2,}}|[\d\u0904-\u0939\uac00-\ud7a3]")
_IS_DENSE = re.compile(rf"[{_DENSE}]")
_LETTERS_PER_WORD = 5
_DENSE_PER_WORD = 2
_SHORTEST_RUN = 4
"""Shorter terms are not looked for where words run together: they are in too many others."""
_TELLING = 2
"""Letters of a second word that tell most terms apart."""
_MOST_KNOWN = 50_000
"""Words that are remembered with what they may mean, so that a flood of words costs no memory."""


class Words:
    """The words of a folded text.

    Attributes:
        text: The text.
        list: The words in their order; a run of a script without spaces is one.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.list: list[str] = _WORD.findall(text)

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.list)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word begins and ends."""
        return [match.span() for match in _WORD.finditer(self.text)]

    @cached_property
    def places(self) -> Sequence[float]:
        """How many words stand before each, where a run without spaces counts as several."""
        if not any(_IS_DENSE.match(word) for word in self.distinct):
            return range(len(self.list))
        sizes = (len(word) / _DENSE_PER_WORD if _IS_DENSE.match(word) else 1 for word in self.list)
        return [0.0, *accumulate(sizes)]


@dataclass(frozen=True)
class Hit:
    """A meaning at a place.

    Attributes:
        meaning: A key of `words.yaml`.
        place: How many words stand before it.
        first: The number of its first word in the text, or letter where words run together.
        last: The number of its last.
    """

    meaning: str
    place: float
    first: int
    last: int


@dataclass(frozen=True)
class _Term:
    """What follows the first word of a term: the words, and whether any ending will do."""

    meaning: str
    rest: tuple[tuple[str, bool], ...]

    def goes_on(self, following: Sequence[str]) -> bool:
        """Whether its further words are the following ones."""
        return len(following) >= len(self.rest) and all(
            word.startswith(wanted) if open_ended else word == wanted
            for word, (wanted, open_ended) in zip(following, self.rest, strict=False)
        )


class Lexicon:
    """The terms of `words.yaml`, folded as views are."""

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """Args are pairs of a meaning and a folded term."""
        self._exact: dict[str, list[_Term]] = defaultdict(list)
        self._beginnings: dict[str, list[_Term]] = defaultdict(list)
        self._dense: dict[str, str] = {}
        self._run: dict[str, str] = {}
        for meaning, term in terms:
            if _IS_DENSE.match(term):
                self._dense[term.rstrip("*").replace(" ", "")] = meaning
                continue
            parts = [
                (word.rstrip("*"), word.endswith("*")) for word in term.split() if _WORD.match(word)
            ]
            if not parts:  # a number in leetspeak
                continue
            first, open_ended = parts[0]
            table = self._beginnings if open_ended else self._exact
            table[first].append(_Term(meaning, tuple(parts[1:])))
            run = term.replace(" ", "").rstrip("*")
            if len(run) >= _SHORTEST_RUN and "*" not in run:
                self._run.setdefault(run, meaning)
        tables = (self._exact.values(), self._beginnings.values())
        self._most_further = max(len(term.rest) for terms in chain(*tables) for term in terms)
        self._known: dict[str, tuple[_Term, ...]] = {}
        self._shortest = min(map(len, self._beginnings))
        self._longest = max(map(len, self._beginnings))
        self._dense_pattern = re.compile(_alternatives(self._dense))
        self._run_pattern = re.compile(_alternatives(self._run))

    def meanings(self, words: Iterable[str]) -> set[str]:
        """What words may mean, without regard to what follows them."""
        return {term.meaning for word in words for term in self._begun_by(word)}

    def hits(self, words: Words, relevant: Container[str]) -> Iterator[Hit]:
        """Where meanings stand in a text.

        Args:
            words: The words of the text.
            relevant: The meanings that are looked for.

        Yields:
            The meanings, in the order of their first words.
        """
        begun = {
            word: terms
            for word in words.distinct
            if (terms := [term for term in self._begun_by(word) if term.meaning in relevant])
        }
        for number in [number for number, word in enumerate(words.list) if word in begun]:
            word, place = words.list[number], words.places[number]
            if _IS_DENSE.match(word):
                for part in self._dense_pattern.finditer(word):
                    at = place + part.start() / _DENSE_PER_WORD
                    yield Hit(self._dense[part.group()], at, number, number)
                continue
            following = words.list[number + 1 : number + 1 + self._most_further]
            begins = following[0][:_TELLING] if following else ""
            for term in begun[word]:
                if not term.rest or (
                    begins.startswith(term.rest[0][0][:_TELLING]) and term.goes_on(following)
                ):
                    yield Hit(term.meaning, place, number, number + len(term.rest))

    def hits_in_run(self, text: str) -> Iterator[Hit]:
        """Every meaning of a text whose words run together."""
        for match in self._run_pattern.finditer(text):
            meaning = self._run[match.group()]
            yield Hit(meaning, match.start() / _LETTERS_PER_WORD, match.start(), match.end())

    def _begun_by(self, word: str) -> tuple[_Term, ...]:
        terms = self._known.get(word)
        if terms is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            terms = self._known[word] = tuple(self._look_up(word))
        return terms

    def _look_up(self, word: str) -> Iterator[_Term]:
        if _IS_DENSE.match(word):
            for found in set(self._dense_pattern.findall(word)):
                yield _Term(self._dense[found], ())
            return
        yield from self._exact.get(word, ())
        for size in range(self._shortest, min(len(word), self._longest) + 1):
            yield from self._beginnings.get(word[:size], ())


@cache
def lexicon(*, leet: bool = False) -> Lexicon:
    """The terms of `words.yaml`.

    Args:
        leet: Whether they are to be found in leetspeak, where two letters are one.
    """
    text = files("pytest_appbench.judges.untrusted").joinpath("words.yaml").read_text("utf-8")
    data: dict[str, dict[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return Lexicon(
        (meaning, fold(term.strip()).translate(LEET) if leet else fold(term.strip()))
        for meaning, languages in data.items()
        for line in languages.values()
        for term in str(line).split(",")
    )


_Tree: TypeAlias = "dict[str, _Tree]"


def _alternatives(terms: Iterable[str]) -> str:
    """A pattern for any of the terms, the longest first, that looks at each letter once."""
    tree: _Tree = {}
    for term in terms:
        node = tree
        for letter in term:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _pattern(tree)


def _pattern(tree: _Tree) -> str:
    branches = [
        re.escape(letter) + _pattern(below) for letter, below in sorted(tree.items()) if letter
    ]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 else "(?:" + "|".join(branches) + ")"
    return f"(?:{body})?" if "" in tree else body
