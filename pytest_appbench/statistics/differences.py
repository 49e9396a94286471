"""Whether two runs over the same tasks differ, by how much, and what could not have been seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, lgamma, log, sqrt

from pytest_appbench.statistics.extra import library
from pytest_appbench.statistics.rates import Z_95, mean, wilson_interval

ALPHA = 0.05
"""A difference is told as one below this probability of the data, or worse, without one."""
POWER = 0.8
"""How often a difference must be found to count as one that would be seen."""


@dataclass(frozen=True)
class RateDifference:
    """The pass rates of two runs over the same tasks.

    Attributes:
        both: Tasks that passed in both.
        only_before: Tasks that passed in the earlier run only.
        only_after: Tasks that passed in the later run only.
        neither: Tasks that passed in neither.
    """

    both: int
    only_before: int
    only_after: int
    neither: int

    @classmethod
    def of(cls, passes: Sequence[tuple[bool, bool]]) -> RateDifference:
        """Count the tasks.

        Args:
            passes: For each task whether it passed, before and after.
        """
        pairs = list(passes)
        return cls(*(pairs.count(kind) for kind in _KINDS))

    @property
    def n(self) -> int:
        """The number of tasks."""
        return self.both + self.only_before + self.only_after + self.neither

    @property
    def before(self) -> float | None:
        """The earlier pass rate, 0..1."""
        return (self.both + self.only_before) / self.n if self.n else None

    @property
    def after(self) -> float | None:
        """The later pass rate, 0..1."""
        return (self.both + self.only_after) / self.n if self.n else None

    @property
    def difference(self) -> float | None:
        """The later rate less the earlier one, -1..1."""
        return (self.only_after - self.only_before) / self.n if self.n else None

    @property
    def p_value(self) -> float:
        """The exact two-sided test of McNemar."""
        return exact_mcnemar(self.only_before, self.only_after)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the difference."""
        return paired_interval(self.both, self.only_after, self.only_before, self.neither)

    @property
    def detectable(self) -> float | None:
        """The least difference, 0..1, that would have been seen; None if none would."""
        return detectable_difference(self.n, self.only_before + self.only_after)

    def sentence(self, before: str = "before", after: str = "after") -> str:
        """What it comes to, in words.

        Args:
            before: Name of the earlier run.
            after: Name of the later run.
        """
        if self.difference is None or self.interval is None:
            return "nothing to compare: no task was judged in both runs"
        if self.p_value < ALPHA:
            better, worse = (after, before) if self.difference > 0 else (before, after)
            low, high = (_points(bound) for bound in self.interval)
            return (
                f"{better} passes more tasks than {worse}: {_points(self.difference)} points from "
                f"{before} to {after}, 95 % interval {low} to {high}, p = {p_text(self.p_value)} "
                f"at n = {self.n}"
            )
        least = self.detectable
        unseen = (
            "so few tasks show no difference of any size"
            if least is None
            else f"a difference under {100 * least:.0f} points would not be seen"
        )
        return f"no evidence of a difference at n = {self.n} (p = {p_text(self.p_value)}); {unseen}"


_KINDS = ((True, True), (True, False), (False, True), (False, False))


def exact_mcnemar(only_before: int, only_after: int) -> float:
    """The exact test of whether tasks changed one way more often than the other.

    Without a difference each task that changed is a fair coin: the two-sided binomial probability
    of the split that was seen or a more uneven one.

    Source: Q. McNemar, Psychometrika 12 (1947); exact form as in A. Agresti, "Categorical data
    analysis", 3rd ed. (2013), 11.1.

    Args:
        only_before: Tasks that passed in the earlier run only.
        only_after: Tasks that passed in the later run only.

    Returns:
        The p-value, 0..1; 1 if nothing changed.
    """
    changed = only_before + only_after
    rarer = min(only_before, only_after)
    tail = sum(comb(changed, k) for k in range(rarer + 1))
    return min(1.0, tail / 2 ** (changed - 1)) if changed else 1.0


def paired_interval(
    both: int, only_first: int, only_second: int, neither: int, z: float = Z_95
) -> tuple[float, float] | None:
    """The interval of the difference of two paired proportions, the first less the second.

    Source: R. G. Newcombe, "Improved confidence intervals for the difference between binomial
    proportions based on paired data", Statistics in Medicine 17 (1998), method 10: the Wilson
    intervals of both, squared and added, with a correction for how closely they go together.

    Args:
        both: Successes in both.
        only_first: Successes in the first only.
        only_second: Successes in the second only.
        neither: Successes in neither.
        z: Normal quantile of the wanted coverage.

    Returns:
        Lower and upper bound, each -1..1, or None without pairs.
    """
    n = both + only_first + only_second + neither
    one = wilson_interval(both + only_first, n, z)
    two = wilson_interval(both + only_second, n, z)
    if one is None or two is None:
        return None
    first, second = (both + only_first) / n, (both + only_second) / n
    margins = (
        (both + only_first)
        * (only_second + neither)
        * (both + only_second)
        * (only_first + neither)
    )
    alike = both * neither - only_first * only_second
    shrunk = max(alike - n / 2, 0) if alike > 0 else alike
    phi = shrunk / sqrt(margins) if margins else 0.0

    def width(a: float, b: float) -> float:
        return sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    difference = first - second
    return (
        max(-1.0, difference - width(first - one[0], two[1] - second)),
        min(1.0, difference + width(one[1] - first, second - two[0])),
    )


def detectable_difference(n: int, changed: int) -> float | None:
    """The least difference of pass rates that the exact test would find in 4 of 5 comparisons.

    The power of the exact test of McNemar is summed over how many of n tasks change and how many
    of those change for the better. The share of tasks that change is taken from the data, and
    raised to the difference where that is greater, since a difference needs that many changes.

    Source: the unconditional exact power as in S. W. Duffy, "Asymptotic and exact power for the
    McNemar test and its analogue with R controls per case", Biometrics 40 (1984); 80 % power at a
    two-sided 5 % is the convention of J. Cohen, "Statistical power analysis" (1988).

    Args:
        n: The number of tasks.
        changed: How many of them changed in either direction.

    Returns:
        A difference, 0..1, rounded up to a thousandth, or None if not even a change of every task
        would be found.
    """
    if n < 1 or mcnemar_power(n, 1.0, 1.0) < POWER:
        return None
    share = changed / n
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        found = mcnemar_power(n, middle / 1000, max(share, middle / 1000)) >= POWER
        low, high = (low, middle) if found else (middle, high)
    return high / 1000


def mcnemar_power(n: int, difference: float, changing: float) -> float:
    """How often the exact test finds a difference.

    Args:
        n: The number of tasks.
        difference: True difference of the pass rates, 0..1.
        changing: True share of tasks that change, at least the difference.

    Returns:
        The probability of a p-value below 5 %, either way.
    """
    better = (1 + difference / changing) / 2 if changing else 0.5
    total = 0.0
    for changed in range(n + 1):
        weight = _binomial(changed, n, changing)
        if weight < 1e-9 or (rarer := _critical(changed)) < 0:
            continue
        total += weight * (_tail(rarer, changed, better) + _tail(rarer, changed, 1 - better))
    return total


@lru_cache(maxsize=20_000)
def _critical(changed: int) -> int:
    """The most of the rarer changes with which the test still finds a difference; -1 if none."""
    rarer, ways, tail = -1, 1, 1
    while 2 * tail * round(1 / ALPHA) < 2**changed:  # in whole numbers, which do not overflow
        rarer += 1
        ways = ways * (changed - rarer) // (rarer + 1)
        tail += ways
    return rarer


def _tail(k: int, n: int, p: float) -> float:
    """The probability of at most k successes; summed from the larger terms to the smaller."""
    if k >= n:
        return 1.0
    if k >= n * p:
        return 1.0 - _tail(n - k - 1, n, 1 - p)
    term = total = _binomial(k, n, p)
    while k > 0 and term > 1e-18:
        term *= k * (1 - p) / ((n - k + 1) * p)
        total += term
        k -= 1
    return total


def _binomial(k: int, n: int, p: float) -> float:
    if p <= 0 or p >= 1:
        return float(k == (n if p >= 1 else 0))
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(p) + (n - k) * log(1 - p))


@dataclass(frozen=True)
class ScoreDifference:
    """The mean difference of a score over the same tasks.

    Attributes:
        n: The number of tasks.
        difference: The later mean less the earlier one.
        interval: Its 95 % interval; None for fewer than two tasks.
    """

    n: int
    difference: float | None
    interval: tuple[float, float] | None


def score_difference(
    scores: Sequence[tuple[float, float]], *, seed: int = 0, resamples: int = 9999
) -> ScoreDifference:
    """The difference of mean scores, with an interval by paired bootstrap.

    Whole tasks are drawn, so a task's two scores stay together; bias-corrected and accelerated.
    The same data and seed give the same interval.

    Source: B. Efron, "Better bootstrap confidence intervals", Journal of the American Statistical
    Association 82 (1987), as `scipy.stats.bootstrap` has it.

    Args:
        scores: For each task its score before and after, each 0..1.
        seed: Of the draws.
        resamples: How often to draw.

    Raises:
        ExtraMissing: scipy is not installed.
    """
    differences = [after - before for before, after in scores]
    value = mean(differences)
    if value is None or len(differences) < 2:
        return ScoreDifference(len(differences), value, None)
    if max(differences) - min(differences) < 1e-12:  # nothing to draw lots about
        return ScoreDifference(len(differences), value, (value, value))
    stats, numpy = library("scipy.stats"), library("numpy")
    found = stats.bootstrap(
        (differences,), numpy.mean, n_resamples=resamples, rng=numpy.random.default_rng(seed)
    )
    low, high = found.confidence_interval
    return ScoreDifference(len(differences), value, (float(low), float(high)))


def p_text(p: float) -> str:
    """A p-value as people write it.

    Args:
        p: The value.
    """
    return "0.0001 or less" if p <= 0.0001 else f"{p:.2g}"


def _points(value: float) -> str:
    return f"{100 * value:+.0f}"
