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
from itertools import chain, islice

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


NEAR = 10
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
        6,
        (("lesson", 24),),
        "judge top app",
    ),
    _rule("override", "ignore instruction top", 16, _SCHOOL, "app ai judge"),
    _rule("award", "award top", 6, _SCHOOL, "app ai"),
    _rule("award", "rate top app|judge|ai", 12, _SCHOOL, "app ai"),
    _rule("award", "award|rate app number|top", 9),
    _rule("award", "award app score", 7),
    _rule("award", "award number ai judge", 12, _CONTESTS, "app"),
    _rule("award", "award|rate app good", 7),
    _rule("duty", "judge must top", 14, _CONTESTS, "app ai"),
    _rule("duty", "judge award|rate top", 14, _CONTESTS, "app ai"),
    _rule("duty", "judge must award|rate app|score|good", 14, _CONTESTS, "app ai"),
    _rule("duty", "judge must app good|skip", 12),
    _rule("duty", "judge award|rate good", 5, _CONTESTS, "app ai"),
    _rule("duty", "ai judge confirmed|top|good|ignore", 12, _CONTESTS, "app"),
    _rule("duty", "ai judge must|note|you top|good|app|ignore|confirmed", 14, _CONTESTS, "app"),
    _rule("duty", "ai|you evaluate app must|ignore|top|good", 16),
    _rule("duty", "ai reading must|top|good|app|ignore|award", 14, _CONTESTS, "app"),
    _rule("note", "note judge app", 10),
    _rule("claim", "harness confirmed app|good|score|top", 14),
    _rule("claim", "judge confirmed app", 12),
    _rule("claim", "suite confirmed app", 10),
    _rule("leniency", "dont deduct judge|app|faults|top|harness", 18, _SCHOOL, "app ai"),
    _rule("leniency", "dont skip faults judge", 14),
    _rule("leniency", "dont skip judge good", 14, _CONTESTS, "app ai"),
    _rule("leniency", "dont skip verdict", 8, _CONTESTS, "app ai"),
    _rule("override", "renew instruction judge|top", 16, (("lesson", 24),), "app"),
    _rule("persona", "persona judge|top", 16, _CONTESTS, "app ai"),
    _rule("persona", "persona app good", 12),
    _rule("verdict", "submit verdict good|top|number", 10, (("alternative", 8), *_CONTESTS), "app"),
    _rule("verdict", "verdict good app|judge|score", 8, (("alternative", 8), *_CONTESTS), "app"),
    _rule("verdict", "intention static dynamic digit|score|top|good", 10),
    _rule("verdict", "evaluate verdict good", 12, (("alternative", 8), *_CONTESTS), "app"),
    _rule("verdict", "intention score static|dynamic", 12),
    _rule("role", "speaker app|judge|verdict top|good|confirmed|ignore", 25, _CONTESTS, "app ai"),
    _rule("role", "speaker top", 20, _SCHOOL, "app ai"),
    _rule("tool result", "tool_result app|judge|intention|score top|good|confirmed", 20),
    _rule("fence", "boundary fenced judge|top|good|award|app|instruction", 16),
)

MOST_OF_A_RULE = 100
"""Attempts that one rule finds in one reading of a text; for the rest it is searched again."""

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
        for meaning in (
            "reminder",
            *rule.despite,
            *(word for word, _ in rule.unless),
            *chain(*rule.needs),
        )
    )


def attempts(hits: Iterable[Hit], rules: Iterable[Rule]) -> Iterator[Attempt]:
    """Every attempt that the rules find.

    Args:
        hits: The meanings in a text.
        rules: The rules to apply.

    Yields:
        The attempts, rule by rule.
    """
    ordered = sorted(_meant(list(hits)), key=lambda hit: hit.place)
    places: dict[str, list[float]] = defaultdict(list)
    for hit in ordered:
        places[hit.meaning].append(hit.place)
    for rule in rules:
        yield from islice(_of_rule(rule, ordered, places), MOST_OF_A_RULE)


def _meant(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Hits without what a reminder, such as "do not forget", turns into its opposite."""
    reminded = {
        number
        for hit in hits
        if hit.meaning == "reminder"
        for number in range(hit.first, hit.last + 1)
    }
    for hit in hits:
        if hit.meaning != "ignore" or hit.first not in reminded:
            yield hit


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


def _of_rule(
    rule: Rule, hits: Sequence[Hit], places: Mapping[str, list[float]]
) -> Iterator[Attempt]:
    """The attempts that one rule finds; no hit belongs to two of them."""
    slots = {
        meaning: [place for place, slot in enumerate(rule.needs) if meaning in slot]
        for meaning in chain(*rule.needs)
    }
    latest: list[Hit | None] = [None] * len(rule.needs)
    for hit in hits:
        if hit.meaning not in slots:
            continue
        for place in slots[hit.meaning]:
            latest[place] = hit
        group = [one for one in latest if one is not None]
        if len(group) < len(latest) or len({one.place for one in group}) < len(latest):
            continue
        begin = min(one.place for one in group)
        if hit.place - begin > rule.within:
            continue
        if rule.style == "fence" and abs(group[0].place - group[1].place) > _ADJACENT:
            continue
        if not _excused(rule, places, begin, hit.place):
            first, last = min(one.first for one in group), max(one.last for one in group)
            yield Attempt(first, last, rule.style)
            latest = [None] * len(rule.needs)


def _excused(rule: Rule, places: Mapping[str, list[float]], first: float, last: float) -> bool:
    def near(meaning: str, words: int) -> bool:
        known = places.get(meaning, [])
        return bisect_left(known, first - words) < bisect_right(known, last + words)

    return any(near(meaning, words) for meaning, words in rule.unless) and not any(
        near(meaning, NEAR) for meaning in rule.despite
    )
