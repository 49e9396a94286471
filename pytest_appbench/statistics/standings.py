"""Who stands where: pass rates side by side, and ranks that claim no more than is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_appbench.statistics.rates import wilson_interval


@dataclass(frozen=True)
class Rate:
    """A pass rate.

    Attributes:
        passed: How many passed.
        judged: Of how many that have a verdict.
    """

    passed: int
    judged: int

    @property
    def value(self) -> float | None:
        """0..1, or None where nothing was judged."""
        return self.passed / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its 95 % Wilson interval."""
        return wilson_interval(self.passed, self.judged)


def ranks(rates: Sequence[Rate]) -> list[int | None]:
    """Ranks in which only those stand behind that can be told apart.

    An entry's rank is one more than the number of entries whose interval lies wholly above its
    own. Entries whose intervals overlap can therefore share a rank.

    Source: the ranking of W.-L. Chiang and others, "Chatbot Arena" (2024), with Wilson's intervals
    in place of theirs.

    Args:
        rates: Any order.

    Returns:
        A rank for each, from 1; None where nothing was judged.
    """
    bounds = [rate.interval for rate in rates]
    return [
        None
        if own is None
        else 1 + sum(other is not None and other[0] > own[1] for other in bounds)
        for own in bounds
    ]
