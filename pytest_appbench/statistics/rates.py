"""Rates and means, and how sure one can be of them."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution: a two-sided 95 % interval."""


def wilson_interval(successes: int, trials: int, z: float = Z_95) -> tuple[float, float] | None:
    """The score interval of a proportion.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), without continuity correction.

    Args:
        successes: How many trials succeeded.
        trials: How many there were.
        z: Normal quantile of the wanted coverage.

    Returns:
        Lower and upper bound, each 0..1, or None without trials.

    Raises:
        ValueError: The counts are negative or there are more successes than trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return None
    rate = successes / trials
    scale = 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / scale
    margin = z / scale * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    # Without a success the lower bound is 0, and not what rounding leaves of it; likewise at 1.
    lower = 0.0 if successes == 0 else max(0.0, centre - margin)
    upper = 1.0 if successes == trials else min(1.0, centre + margin)
    return lower, upper


def mean(values: list[float]) -> float | None:
    """The arithmetic mean, or None of nothing."""
    return sum(values) / len(values) if values else None
