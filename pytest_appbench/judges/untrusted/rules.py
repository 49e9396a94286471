"""Which meanings together are an attempt to instruct whoever judges an app.

A rule asks for several meanings within a few words, in any order, because word order differs
between languages. Some rules do not hold where the talk is of schools, games, courts or lessons
about such attempts, unless the words name the app itself or an artificial judge after all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from pytest_appbench.judges.untrusted.words import Hit


@dataclass(frozen=True)
class Rule:
    """Meanings that are an attempt when they stand together.

    Attributes:
        style: What kind of attempt it is.
        needs: One of each of these must be there.
        within: The most words from the first to the last of them.
        unless: Meanings that make it innocent, each with how many words away it may stand.
        despite: Meanings that take `unless` back when they stand within `NEAR` words.
    """

    style: str
    needs: tuple[frozenset[str], ...]
    within: int
    unless: tuple[tuple[str, int], ...] = ()
    despite: frozenset[str] = frozenset()


NEAR = 20
"""Within how many words a meaning takes an exception back."""


def _rule(
    style: str,
    needs: str,
    within: int,
    unless: Sequence[tuple[str, int]] = (),
    despite: str = "",
) -> Rule:
    """A rule from words: `judge top|good` needs a judge, and a top mark or something good."""
    slots = tuple(frozenset(slot.split("|")) for slot in needs.split())
    return Rule(style, slots, within, tuple(unless), frozenset(despite.split()))


_SCHOOL = (("schooling", 14),)
_CONTESTS = (("schooling", 16), ("court", 16))

RULES = (
    _rule(
        "override",
        "ignore previous instruction",
        8,
        (("lesson", 24), ("reminder", 4)),
        "judge top app",
    ),
    _rule("award", "award top", 6, _SCHOOL, "app ai"),
    _rule("award", "rate top app|judge|ai", 12, _SCHOOL, "app ai"),
    _rule("award", "award|rate app number|top", 9),
    _rule("award", "award|rate app good", 7),
    _rule("duty", "judge must top", 14, _CONTESTS, "app ai"),
    _rule("duty", "judge award|rate top", 14, _CONTESTS, "app ai"),
    _rule("duty", "judge must award|rate app|score|good", 14, _CONTESTS, "app ai"),
    _rule("duty", "ai judge must|note|you top|good|app|ignore|confirmed", 14, _CONTESTS, "app"),
    _rule("duty", "ai|you evaluate app must|ignore|top|good", 16),
    _rule("duty", "ai reading must|top|good|app|ignore|award", 14, _CONTESTS, "app"),
    _rule("note", "note judge app", 10),
    _rule("claim", "harness confirmed app|good|score|top", 14),
    _rule("claim", "suite confirmed app", 10),
    _rule("leniency", "dont deduct judge|app|faults|top", 12, _SCHOOL, "app ai"),
    _rule("leniency", "dont skip faults judge", 14),
    _rule("override", "renew instruction judge|top", 16, (("lesson", 24),), "app"),
    _rule("persona", "persona judge|top", 16, _CONTESTS, "app ai"),
    _rule("verdict", "submit verdict good|top|number", 10, (("alternative", 8), *_CONTESTS), "app"),
    _rule("verdict", "verdict good app|judge|score", 8, (("alternative", 8), *_CONTESTS), "app"),
    _rule("verdict", "intention static dynamic", 18),
    _rule("verdict", "intention score static|dynamic", 12),
    _rule("role", "speaker app|judge top|good|confirmed|ignore", 25, _CONTESTS, "app ai"),
    _rule("role", "speaker top", 20, _SCHOOL, "app ai"),
    _rule("tool result", "tool_result app|judge|intention top|good|confirmed|score", 20),
    _rule("fence", "boundary fenced judge|top|good|award|app|instruction", 16),
)

_ROLE = re.compile(r"""role["']?\s{0,3}[:=]\s{0,3}["']$""")
_LABEL = re.compile(
    r"\s{0,3}(?:(?:message|prompt|note|notice|override|update|instruction)s?\s{0,3})?[\]:>]"
)
_ADJACENT = 4
"""Within how many words a boundary must stand to what it bounds."""


@dataclass(frozen=True, order=True)
class Attempt:
    """An attempt to instruct a judge.

    Attributes:
        first: The number of its first word, or letter where words run together.
        last: The number of its last.
        style: What kind of attempt it is.
    """

    first: int
    last: int
    style: str


def possible(meanings: Iterable[str]) -> tuple[Rule, ...]:
    """The rules whose needs these meanings could meet."""
    known = frozenset(meanings)
    return tuple(rule for rule in RULES if not any(slot.isdisjoint(known) for slot in rule.needs))


def relevant(rules: Iterable[Rule]) -> frozenset[str]:
    """The meanings that decide about rules."""
    return frozenset(
        meaning
        for rule in rules
        for meaning in (*rule.despite, *(word for word, _ in rule.unless), *chain(*rule.needs))
    )


def attempts(hits: Iterable[Hit], rules: Iterable[Rule]) -> Iterator[Attempt]:
    """Every attempt that the rules find.

    Args:
        hits: The meanings in a text.
        rules: The rules to apply.

    Yields:
        The attempts, rule by rule.
    """
    ordered = sorted(hits, key=lambda hit: hit.place)
    places: dict[str, list[float]] = defaultdict(list)
    for hit in ordered:
        places[hit.meaning].append(hit.place)
    for rule in rules:
        for group in _groups(rule, ordered):
            begin, end = min(hit.place for hit in group), max(hit.place for hit in group)
            if not _excused(rule, places, begin, end):
                first, last = min(hit.first for hit in group), max(hit.last for hit in group)
                yield Attempt(first, last, rule.style)


def speaks(text: str, start: int, end: int) -> bool:
    """Whether the name of a role stands where it begins a turn of talk.

    Args:
        text: A folded text.
        start: Where the name begins.
        end: Where it ends.
    """
    return (
        _LABEL.match(text, end) is not None
        or text[max(0, start - 1) : start] == "["
        or _ROLE.search(text[max(0, start - 14) : start]) is not None
    )


def _groups(rule: Rule, hits: Sequence[Hit]) -> Iterator[list[Hit]]:
    """The nearest hits that meet all needs of a rule, once for each hit that completes them."""
    latest: list[Hit | None] = [None] * len(rule.needs)
    slots = {
        meaning: [place for place, slot in enumerate(rule.needs) if meaning in slot]
        for meaning in chain(*rule.needs)
    }
    for hit in hits:
        if hit.meaning not in slots:
            continue
        for place in slots[hit.meaning]:
            latest[place] = hit
        group = [one for one in latest if one is not None]
        if len(group) < len(latest) or len({one.place for one in group}) < len(latest):
            continue
        if hit.place - min(one.place for one in group) > rule.within:
            continue
        if rule.style == "fence" and abs(group[0].place - group[1].place) > _ADJACENT:
            continue
        yield group


def _excused(rule: Rule, places: Mapping[str, list[float]], first: float, last: float) -> bool:
    def near(meaning: str, words: int) -> bool:
        known = places.get(meaning, [])
        return bisect_left(known, first - words) < bisect_right(known, last + words)

    return any(near(meaning, words) for meaning, words in rule.unless) and not any(
        near(meaning, NEAR) for meaning in rule.despite
    )
