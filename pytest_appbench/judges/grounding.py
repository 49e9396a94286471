"""Finds the quotes of a judge in the records of its judging.

A reason counts as far as its evidence can be found: the cited step, file, finding or description
must hold the quoted words. What a quote means is the judge's business.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from pytest_appbench.judges.verdict import Citation

SHORTEST = 3
"""A quote needs this many letters or digits: fewer could be found anywhere."""


@dataclass
class Records:
    """What a judge was shown, by source and place.

    Attributes:
        sources: The sources that the protocol allows.
    """

    sources: frozenset[str]
    _texts: dict[tuple[str, str], str] = field(default_factory=dict)
    _actions: set[str] = field(default_factory=set)

    def add(self, source: str, where: str, text: str, *, is_action: bool = False) -> None:
        """Put a text on record; further texts of the same place are added to it.

        Args:
            source: step, file, description or probe.
            where: The step's number, the file's path, the finding's kind.
            text: What the judge was shown of it.
            is_action: Whether the step did something to the app.
        """
        known = self._texts.get((source, where))
        self._texts[source, where] = text if known is None else f"{known}\n{text}"
        if is_action:
            self._actions.add(where)

    def text(self, source: str, where: str) -> str:
        """What the judge was shown of a place; empty if nothing was.

        Args:
            source: As in `add`.
            where: As in `add`.
        """
        return self._texts.get((source, where), "")

    def is_action(self, citation: Citation) -> bool:
        """Whether it cites a step that did something to the app."""
        return citation.source == "step" and place(citation) in self._actions

    def problem(self, citation: Citation) -> str | None:
        """Why a citation does not hold, in words for the judge; None if it does.

        Args:
            citation: A place and a quote.
        """
        where = place(citation)
        if citation.source not in self.sources:
            allowed = ", ".join(sorted(self.sources))
            return f"the source {citation.source!r} is not open to you; cite {allowed}"
        text = self._texts.get((citation.source, where))
        if text is None:
            return f"there is no {citation.source} {where!r}{self._hint(citation.source, where)}"
        quote = plain(citation.quote)
        if sum(character.isalnum() for character in quote) < SHORTEST:
            return f"the quote {citation.quote!r} is too short to be found for certain"
        if quote not in plain(text):
            return f"{citation.source} {where} does not hold the words {citation.quote[:120]!r}"
        return None

    def _hint(self, source: str, where: str) -> str:
        known = [name for kind, name in self._texts if kind == source]
        if not known:
            return f"; nothing of this source is on record, so cite something else than a {source}"
        close = get_close_matches(where, known, n=1)
        if close:
            return f"; did you mean {close[0]!r}?"
        return (
            f"; known are {', '.join(known[:3])} … {known[-1]}"
            if len(known) > 4
            else (f"; known are {', '.join(known)}")
        )


def place(citation: Citation) -> str:
    """The cited place without the words that judges like to put before it, such as `step 12`."""
    where = citation.where.strip()
    if citation.source == "step":
        number = re.search(r"\d+", where)
        return number.group() if number else where
    return where.removeprefix("./")


_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "…": "..."})


def plain(text: str) -> str:
    """A text as quotes are compared: compatibility forms, straight quotes, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_QUOTES)).split()).casefold()


@dataclass(frozen=True)
class Grounded:
    """What is left of a judge's evidence.

    Attributes:
        kept: For each dimension the citations that hold.
        problems: What is wrong, in words for the judge.
    """

    kept: Mapping[str, tuple[Citation, ...]]
    problems: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The dimensions that are left without evidence."""
        return tuple(name for name, citations in self.kept.items() if not citations)


def ground(
    cited: Mapping[str, Iterable[Citation]],
    records: Records,
    *,
    needs_action: frozenset[str] = frozenset(),
) -> Grounded:
    """Check all evidence of a verdict.

    Args:
        cited: Dimension to its citations.
        records: What the judge was shown.
        needs_action: Dimensions that cannot stand without a step that did something to the app.

    Returns:
        The citations that hold. A dimension without the action that it needs keeps none.
    """
    kept: dict[str, tuple[Citation, ...]] = {}
    problems = []
    for dimension, citations in cited.items():
        sound = []
        for citation in citations:
            problem = records.problem(citation)
            if problem is None:
                sound.append(citation)
            else:
                problems.append(f"{dimension}: {problem}")
        if not sound:
            problems.append(f"{dimension}: no evidence is left")
        elif dimension in needs_action and not any(map(records.is_action, sound)):
            problems.append(
                f"{dimension}: cite at least one step in which you did something to the app, "
                "and what it changed"
            )
            sound = []
        kept[dimension] = tuple(sound)
    return Grounded(kept, tuple(problems))
