"""How much results vary when the same thing is done again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import stdev

from pytest_appbench.statistics.agreement import fleiss_kappa
from pytest_appbench.statistics.rates import mean


@dataclass(frozen=True)
class RateStability:
    """Pass rates over repeats.

    Attributes:
        rates: One for each repeat, 0..1.
    """

    rates: tuple[float, ...]

    @property
    def mean(self) -> float | None:
        """Their mean."""
        return mean(list(self.rates))

    @property
    def std(self) -> float | None:
        """Their sample standard deviation (n - 1 below); None for fewer than two repeats."""
        return stdev(self.rates) if len(self.rates) > 1 else None

    @property
    def cv(self) -> float | None:
        """The coefficient of variation, std / mean (K. Pearson, 1896); None at a mean of 0."""
        return None if self.std is None or not self.mean else self.std / self.mean


@dataclass(frozen=True)
class Consistency:
    """How far repeats agree, task by task.

    Attributes:
        repeats: How often each task was judged.
        tasks: How many tasks were judged each time.
        agreeing: For k, the share of tasks where at least k repeats say the same, as in
            MiniAppBench, tables 21 and 23 (5 of 5, at least 4 of 5).
        kappa: Fleiss' kappa with the repeats as raters; None where it is not defined.
    """

    repeats: int
    tasks: int
    agreeing: Mapping[int, float]
    kappa: float | None


def consistency(outcomes: Sequence[Sequence[str]]) -> Consistency:
    """Compare repeats task by task.

    Args:
        outcomes: For each task what each repeat said; every task has as many, at least two.

    Raises:
        ExtraMissing: statsmodels is not installed.
        ValueError: Tasks differ in the number of their repeats.
    """
    rows = [Counter(row) for row in outcomes]
    sizes = {row.total() for row in rows}
    if len(sizes) != 1 or min(sizes) < 2:
        raise ValueError("every task needs the same number of repeats, two at least")
    (repeats,) = sizes
    most = [max(row.values()) for row in rows]
    agreeing = {
        k: sum(size >= k for size in most) / len(rows)
        for k in range(repeats, max(repeats // 2, 1), -1)
    }
    words = sorted({word for row in rows for word in row})
    kappa = fleiss_kappa([[row[word] for word in words] for row in rows])
    return Consistency(repeats, len(rows), agreeing, kappa)


def pass_at_k(passed: int, attempts: int, k: int) -> float | None:
    """The chance that at least one of k attempts passes.

    Source: M. Chen and others, "Evaluating large language models trained on code" (2021), the
    unbiased estimator of section 2.1: 1 - C(n - c, k) / C(n, k).

    Args:
        passed: How many attempts passed.
        attempts: How many there were.
        k: How many one would make.

    Returns:
        0..1, or None with fewer attempts than k.
    """
    if not 1 <= k <= attempts:
        return None
    return 1 - comb(attempts - passed, k) / comb(attempts, k)


def pass_hat_k(passed: int, attempts: int, k: int) -> float | None:
    """The chance that all of k attempts pass.

    Source: S. Yao and others, "tau-bench" (2024), the estimator of pass^k: C(c, k) / C(n, k).

    Args:
        passed: How many attempts passed.
        attempts: How many there were.
        k: How many one would make.

    Returns:
        0..1, or None with fewer attempts than k.
    """
    if not 1 <= k <= attempts:
        return None
    return comb(passed, k) / comb(attempts, k)


def dependent_pass_rates(tries: Sequence[int | None], tasks: int) -> tuple[float, float]:
    """pass@1 and pass@2 of a project whose tasks build on one another.

    The project ends at the first task that two tries do not pass.

    Source: Web-Bench, section 3.4: pass@1 counts the tasks passed at their first try before any
    failed, pass@2 all that were passed, second tries included.

    Args:
        tries: For each task, in order, the try that passed it (1 or 2), or None.
        tasks: How many tasks the project has.

    Returns:
        pass@1 and pass@2, each 0..1.

    Raises:
        ValueError: More tasks were tried than there are.
    """
    if tasks < 1 or len(tries) > tasks:
        raise ValueError(f"{len(tries)} tasks were tried of {tasks}")
    passed = next((i for i, number in enumerate(tries) if number is None), len(tries))
    at_once = next((i for i, number in enumerate(tries) if number != 1), len(tries))
    return at_once / tasks, passed / tasks
