"""What a gate may say, read by a small parser of our own: nothing is ever evaluated as code.

    gate      = selector* (condition | "no-regressions")   | selector+ comparison
    selector  = ("domain" | "subclass" | "level" | "protocol" | "task") ":" word
    condition = figure comparison
    comparison = (">=" | ">" | "<=" | "<" | "==") number ["%"]

`domain:games >= 0.5` is short for `domain:games pass_rate >= 0.5`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

SHARES = {
    "pass_rate": "passed, of all that were judged",
    "coverage": "judged, of all that should have been",
    "uncertain": "uncertain, of all that were judged",
    "errors": "not judged, of all that should have been",
}
"""Figures from 0 to 1 that count tasks."""
SCORES = {
    "score": "mean of the tasks' scores: the protocol's own, else the least of the three",
    "intention": "mean intention score",
    "static": "mean static score",
    "dynamic": "mean dynamic score",
}
"""Figures from 0 to 1 that a judge gives."""
SUMS = {
    "cost": "US dollars that the run spent on models",
    "tokens": "tokens that the run spent on models",
    "tasks": "number of tasks that were judged",
    "regressions": "number of tasks that passed in the baseline and do not any more",
}
"""Figures from 0 up."""
FIGURES = {**SHARES, **SCORES, **SUMS}
WHOLE_RUN = ("cost", "tokens")
"""Figures that are known of a run only, not of some of its tasks."""
SELECTORS = ("domain", "subclass", "level", "protocol", "task")
NO_REGRESSIONS = "no-regressions"

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_SIDES = re.compile(r"(?P<left>[^<>=!]*)(?:(?P<sign>[<>=!]+)(?P<right>.*))?", re.DOTALL)
_NUMBER = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<percent>%?)")
_EXAMPLES = "pass_rate >= 0.6, domain:games >= 0.5, uncertain <= 10 %, no-regressions"


@dataclass(frozen=True)
class Gate:
    """One condition.

    Attributes:
        text: As the user wrote it, with single spaces.
        selectors: Pairs of selector and word; a task must meet them all.
        figure: A name of `FIGURES`.
        comparison: One of `>=`, `>`, `<=`, `<`, `==`.
        bound: What the figure is compared with, a share as 0..1.
    """

    text: str
    selectors: tuple[tuple[str, str], ...]
    figure: str
    comparison: str
    bound: float

    def __str__(self) -> str:
        return self.text

    @property
    def needs_baseline(self) -> bool:
        """Whether it compares with another run."""
        return self.figure == "regressions"

    def holds_for(self, value: float) -> bool:
        """Compare a figure with the bound, both rounded to 1e-9 as scores are.

        Args:
            value: The figure.
        """
        return _COMPARISONS[self.comparison](round(value, 9), round(self.bound, 9))


def parse(text: str) -> Gate:
    """Read a gate.

    Args:
        text: Such as `pass_rate >= 0.60`, `domain:games >= 0.5` or `no-regressions`.

    Returns:
        The gate.

    Raises:
        ValueError: The text is no gate; the message says what to write instead.
    """
    sides = _SIDES.fullmatch(text)
    assert sides is not None  # any text has a left side
    selectors: list[tuple[str, str]] = []
    figure: str | None = None
    for word in sides["left"].split():
        name, is_selector, chosen = word.partition(":")
        if is_selector:
            if figure is not None:
                raise ValueError(f"write {word} before {figure}")
            selectors.append(_selector(name, chosen))
        elif figure is not None:
            raise ValueError(f"one figure to a gate: repeat the option for {word}")
        else:
            figure = _figure(word)
    comparison = _comparison(sides["sign"], sides["right"].strip()) if sides["sign"] else None
    return _gate(text, tuple(selectors), figure, comparison)


def share_gate(figure: str, comparison: str, bound: float) -> Gate:
    """The gate that an option of its own stands for.

    Args:
        figure: A name of `SHARES`.
        comparison: As in a gate's text.
        bound: 0..1.
    """
    return Gate(f"{figure} {comparison} {bound:g}", (), figure, comparison, bound)


def _gate(
    text: str,
    selectors: tuple[tuple[str, str], ...],
    figure: str | None,
    comparison: tuple[str, float, bool] | None,
) -> Gate:
    text = " ".join(text.split())
    if figure == NO_REGRESSIONS:
        if comparison:
            raise ValueError("write no-regressions alone, or such as regressions <= 2")
        return Gate(text, selectors, "regressions", "<=", 0.0)
    if figure is None and not selectors:
        raise ValueError(f"write a gate such as {_EXAMPLES}")
    if comparison is None:
        raise ValueError(f"compare {text} with a number, such as {text} >= 0.5")
    figure = figure or "pass_rate"
    if selectors and figure in WHOLE_RUN:
        raise ValueError(f"{figure} is known of the whole run only: leave {selectors[0][0]} out")
    sign, bound, percent = comparison
    if percent and figure in SUMS:
        raise ValueError(f"{figure} is no share: write a number without %")
    bound = bound / 100 if percent else bound
    if figure not in SUMS and bound > 1:
        raise ValueError(f"{figure} is from 0 to 1: write 0.6 or 60 % for sixty per cent")
    return Gate(text, selectors, figure, sign, bound)


def _selector(name: str, word: str) -> tuple[str, str]:
    if name not in SELECTORS or not word:
        raise ValueError(f"tasks are selected by {', '.join(SELECTORS)}, not by '{name}:{word}'")
    return name, word


def _figure(name: str) -> str:
    plain = name.replace("-", "_")
    if name == NO_REGRESSIONS or plain == NO_REGRESSIONS.replace("-", "_"):
        return NO_REGRESSIONS
    if plain in FIGURES:
        return plain
    known = [*FIGURES, NO_REGRESSIONS]
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    raise ValueError(f"no figure is called {name!r}: {hint}")


def _comparison(sign: str, right: str) -> tuple[str, float, bool]:
    if sign not in _COMPARISONS:
        raise ValueError(f"compare by one of {', '.join(_COMPARISONS)}, not by {sign}")
    found = _NUMBER.fullmatch(right)
    if found is None:
        raise ValueError(f"write a number after {sign}, such as {sign} 0.5, not {right!r}")
    return sign, float(found["number"]), bool(found["percent"])
