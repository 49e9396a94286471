"""The published figures of a project of steps: pass@1, pass@2 and error@1, in percent.

pass@1 and pass@2 follow Web-Bench, section 3.4. For error@1 the paper prints values (table 9) and
no formula; the rule here is ours: the share of all steps whose first attempt failed. It agrees
with the table, where no value lies below 5 %: of 20 steps at least one failed wherever a project
was not finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TOLD = 240
NAMES = ("pass@1", "pass@2", "error@1")


@dataclass(frozen=True)
class Outcome:
    """How a step that was tried ended.

    Attributes:
        name: The step's id.
        passes: For each attempt whether all tests passed.
        errors: What the tests said, for each attempt that failed.
    """

    name: str
    passes: tuple[bool, ...]
    errors: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it passed by its last attempt."""
        return bool(self.passes) and self.passes[-1]

    @property
    def told(self) -> str:
        """The last thing the tests said, in one line and cut short."""
        words = " ".join(self.errors[-1].split()) if self.errors else ""
        return words if len(words) <= _TOLD else words[: _TOLD - 1] + "…"


def figures_of(outcomes: Sequence[Outcome], steps: int) -> dict[str, float]:
    """The figures of one project.

    Args:
        outcomes: The steps that were tried, in order.
        steps: How many steps the project has.

    Returns:
        pass@1 (steps that passed at the first attempt before any attempt failed), pass@2 (all that
        passed) and error@1 (those whose first attempt failed), each in percent of all steps, to
        two places as published.
    """
    before = 0
    for outcome in outcomes:
        if not outcome.passes or not outcome.passes[0]:
            break
        before += 1
    counts = (
        before,
        sum(outcome.passed for outcome in outcomes),
        sum(not outcome.passes or not outcome.passes[0] for outcome in outcomes),
    )
    shares = (round(100 * count / steps, 2) for count in counts)
    return dict(zip(NAMES, shares, strict=True))
