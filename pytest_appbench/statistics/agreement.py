"""How far a judge agrees with people, or with labels that are known.

A *pass* is the positive class, as in the tables of MiniAppBench. A judge that says uncertain has
not said pass: it counts as a negative, as RealDevWorld scores it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from statistics import median
from typing import Any

from pytest_appbench.judges.verdict import meets
from pytest_appbench.statistics.extra import library
from pytest_appbench.statistics.rates import mean, wilson_interval

Interval = tuple[float, float]
THRESHOLDS = tuple(step / 100 for step in range(50, 100, 5))
"""Where a sweep looks: 0.5, 0.55, ... 0.95."""
RULES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "mean": lambda scores: sum(scores) / len(scores),
    "median": median,
}
"""How three scores become one, as compared in MiniAppBench, tables 14, 17 and 18."""


@dataclass(frozen=True)
class Confusion:
    """What a judge said against what is true; each figure is 0..1, or None where 0 is divided by 0.

    Attributes:
        tp: Passed, rightly.
        fp: Passed, wrongly: a fault that was missed.
        fn: Not passed, wrongly: a good app that was wronged.
        tn: Not passed, rightly.
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count.

        Args:
            pairs: For each app whether it is good, and whether the judge passed it.
        """
        count = Counter(pairs)
        return cls(
            tp=count[True, True],
            fp=count[False, True],
            fn=count[True, False],
            tn=count[False, False],
        )

    @property
    def n(self) -> int:
        """How many apps."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def accuracy(self) -> float | None:
        """The share that the judge got right."""
        return _share(self.tp + self.tn, self.n)

    @property
    def precision(self) -> float | None:
        """Of those it passed, the share that is good."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Of the good ones, the share that it passed."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def caught(self) -> float | None:
        """Of the faulty ones, the share that it did not pass (specificity)."""
        return _share(self.tn, self.tn + self.fp)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall.

        Source: C. J. van Rijsbergen, "Information retrieval", 2nd ed. (1979), chapter 7.
        """
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def intervals(self) -> dict[str, Interval | None]:
        """The 95 % intervals of accuracy, precision, recall, caught and f1.

        Those of shares are Wilson's. F1 is 2J / (1 + J) where J = tp / (tp + fp + fn) is a share
        again (Jaccard's), so the bounds of J become the bounds of F1; this step is ours.
        """
        jaccard = wilson_interval(self.tp, self.tp + self.fp + self.fn)
        return {
            "accuracy": wilson_interval(self.tp + self.tn, self.n),
            "precision": wilson_interval(self.tp, self.tp + self.fp),
            "recall": wilson_interval(self.tp, self.tp + self.fn),
            "caught": wilson_interval(self.tn, self.tn + self.fp),
            "f1": jaccard and (_f1_of(jaccard[0]), _f1_of(jaccard[1])),
        }


@dataclass(frozen=True)
class Case:
    """One app, as a judge and the truth have it.

    Attributes:
        name: What it is called in reports.
        good: Whether it is good.
        outcome: What the judge said: pass, fail or uncertain.
        scores: The judge's intention, static and dynamic score as far as it gave them, or its
            single score.
        group: What figures are also given by, such as the domain.
        human: People's own score, 0..1, if there is one.
    """

    name: str
    good: bool
    outcome: str
    scores: tuple[float, ...] = ()
    group: str = ""
    human: float | None = None

    def passes(self, threshold: float, rule: str = "min") -> bool:
        """Whether it would pass at a threshold.

        Args:
            threshold: 0..1.
            rule: How the scores become one: min, mean or median.

        Returns:
            False also where the judge was uncertain or gave no score.
        """
        if self.outcome == "uncertain" or not self.scores:
            return False
        return meets(RULES[rule](self.scores), threshold)


def confusion(cases: Iterable[Case]) -> Confusion:
    """What the judge said against the truth, at its own threshold.

    Args:
        cases: Any.
    """
    return Confusion.of((case.good, case.outcome == "pass") for case in cases)


def sweep(
    cases: Sequence[Case], thresholds: Iterable[float] = THRESHOLDS, rule: str = "min"
) -> list[tuple[float, Confusion]]:
    """What the judge would have said at other thresholds.

    Args:
        cases: Any; those without a score pass nowhere.
        thresholds: Each 0..1.
        rule: How the scores become one: min, mean or median.

    Returns:
        Threshold and counts.
    """
    return [(t, Confusion.of((c.good, c.passes(t, rule)) for c in cases)) for t in thresholds]


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval, where there is one."""

    value: float
    interval: Interval | None = None


def cohen_kappa(counts: Sequence[Sequence[int]]) -> Estimate | None:
    """Agreement of two raters beyond chance.

    Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960); the interval from the standard error of J. L. Fleiss, J. Cohen and
    B. S. Everitt, Psychological Bulletin 72 (1969), as statsmodels has them.

    Args:
        counts: How often the first rater said the row's word and the second the column's.

    Returns:
        Kappa, or None if both always say the same one word, when it is not defined. It has no
        interval where its standard error is 0 or not defined, as where one rater never changes.

    Raises:
        ExtraMissing: statsmodels is not installed.
    """
    table = [list(row) for row in counts]
    used = [
        any(row) or any(column) for row, column in zip(table, zip(*table, strict=True), strict=True)
    ]
    if sum(used) < 2:
        return None
    # A table without variance makes it divide by 0, which is told by the missing interval.
    with library("numpy").errstate(divide="ignore", invalid="ignore"):
        found = library("statsmodels.stats.inter_rater").cohens_kappa(table)
    error = float(found.std_kappa)
    if isnan(error) or error < 1e-9:
        return Estimate(float(found.kappa))
    low, high = max(-1.0, float(found.kappa_low)), min(1.0, float(found.kappa_upp))
    return Estimate(float(found.kappa), (low, high))


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Agreement of several raters beyond chance.

    Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological
    Bulletin 76 (1971), as statsmodels has it.

    Args:
        counts: For each subject how many raters said each word; every row has the same sum, at
            least 2.

    Returns:
        Kappa, or None if only one word was ever said, when it is not defined.

    Raises:
        ExtraMissing: statsmodels is not installed.
    """
    table = [list(row) for row in counts]
    if not table or sum(any(column) for column in zip(*table, strict=True)) < 2:
        return None
    kappa = library("statsmodels.stats.inter_rater").fleiss_kappa
    return float(kappa(library("numpy").array(table)))


@dataclass(frozen=True)
class Correlation:
    """How far two series of scores go together, each figure -1..1."""

    n: int
    pearson: Estimate
    spearman: float
    kendall: float


def correlations(pairs: Sequence[tuple[float, float]]) -> Correlation | None:
    """Correlate two series.

    Source: Pearson's r with the interval of R. A. Fisher (1921), C. Spearman's rho (1904) with
    mean ranks for ties, and M. G. Kendall's tau-b (1945), as scipy has them.

    Args:
        pairs: The two series.

    Returns:
        None for fewer than three pairs (two always lie on a line), or where one series never
        changes.

    Raises:
        ExtraMissing: scipy is not installed.
    """
    if len(pairs) < 3 or any(len(set(series)) < 2 for series in zip(*pairs, strict=True)):
        return None
    stats: Any = library("scipy.stats")
    one, two = ([float(v) for v in series] for series in zip(*pairs, strict=True))
    r = stats.pearsonr(one, two)
    interval = None
    if len(pairs) > 3:
        low, high = r.confidence_interval(0.95)
        interval = (float(low), float(high))
    return Correlation(
        n=len(pairs),
        pearson=Estimate(float(r.statistic), interval),
        spearman=float(stats.spearmanr(one, two).statistic),
        kendall=float(stats.kendalltau(one, two, variant="b").statistic),
    )


def largest_rank_change(one: Sequence[float], two: Sequence[float]) -> float:
    """How many ranks the most moved item has moved (MiniAppBench, table 16).

    Args:
        one: A figure for each item, more is better.
        two: Another, in the same order.

    Returns:
        Ranks; halves where items tie, whose rank is their mean.

    Raises:
        ExtraMissing: scipy is not installed.
    """
    rank = library("scipy.stats").rankdata
    return float(max(abs(rank(one) - rank(two)), default=0.0))


def case_score(outcomes: Sequence[str]) -> float | None:
    """The score of an app from its test cases, or features: the share that is met.

    Source: RealDevWorld, section 5: 1 for what is met, 0 for what is not met and for what is
    uncertain; the mean of them.

    Args:
        outcomes: pass, fail or uncertain for each.

    Returns:
        0..1, or None of nothing.
    """
    return mean([1.0 if outcome == "pass" else 0.0 for outcome in outcomes])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1_of(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)
