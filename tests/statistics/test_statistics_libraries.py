"""Our own formulas against those of scipy and statsmodels, and what all of them must keep to."""

from __future__ import annotations

import builtins
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from pytest_appbench.statistics.agreement import (
    RULES,
    Case,
    Confusion,
    cohen_kappa,
    correlations,
    fleiss_kappa,
    sweep,
)
from pytest_appbench.statistics.differences import (
    RateDifference,
    detectable_difference,
    exact_mcnemar,
    mcnemar_power,
    paired_interval,
    score_difference,
)
from pytest_appbench.statistics.extra import ExtraMissing
from pytest_appbench.statistics.stability import consistency, pass_at_k, pass_hat_k

counts = st.integers(0, 60)


@settings(deadline=None)
@given(counts, counts)
def test_the_exact_test_is_that_of_statsmodels(one: int, two: int) -> None:
    expected = mcnemar([[3, one], [two, 4]], exact=True).pvalue if one + two else 1.0
    assert exact_mcnemar(one, two) == pytest.approx(expected)


@settings(deadline=None)
@given(counts, counts, counts, counts)
def test_an_interval_holds_the_difference_and_turns_round_with_the_runs(
    both: int, first: int, second: int, neither: int
) -> None:
    interval = paired_interval(both, first, second, neither)
    n = both + first + second + neither
    if interval is None:
        assert n == 0
        return
    low, high = interval
    assert -1 <= low <= (first - second) / n + 1e-12
    assert (first - second) / n - 1e-12 <= high <= 1
    assert paired_interval(both, second, first, neither) == pytest.approx((-high, -low))


@pytest.mark.parametrize(("n", "difference", "changing"), [(20, 0.4, 0.5), (60, 0.13, 0.13)])
def test_the_power_of_the_exact_test_is_the_sum_over_all_that_may_happen(
    n: int, difference: float, changing: float
) -> None:
    better = (1 + difference / changing) / 2
    expected = sum(
        stats.binom.pmf(m, n, changing) * stats.binom.pmf(k, m, better)
        for m in range(1, n + 1)
        for k in range(m + 1)
        if stats.binomtest(k, m).pvalue < 0.05
    )
    assert mcnemar_power(n, difference, changing) == pytest.approx(expected, abs=1e-7)


def test_what_could_be_seen_shrinks_with_more_tasks_and_grows_with_noise() -> None:
    assert detectable_difference(5, 0) is None  # five changes all one way are not significant
    few, many = detectable_difference(60, 6), detectable_difference(600, 60)
    assert few is not None
    assert many is not None
    assert many < few
    assert mcnemar_power(60, few, few) >= 0.8 > mcnemar_power(60, few - 0.001, few - 0.001)
    assert detectable_difference(60, 30) > few  # type: ignore[operator]
    assert detectable_difference(2000, 500) == pytest.approx(0.032, abs=0.001)


def test_a_difference_is_told_in_a_plain_sentence() -> None:
    assert RateDifference(30, 2, 4, 24).sentence("main", "branch") == (
        "no evidence of a difference at n = 60 (p = 0.69); "
        "a difference under 13 points would not be seen"
    )
    assert RateDifference(30, 2, 20, 8).sentence("main", "branch") == (
        "branch passes more tasks than main: +30 points from main to branch, "
        "95 % interval +16 to +43, p = 0.00012 at n = 60"
    )
    assert RateDifference(30, 20, 2, 8).sentence("main", "branch").startswith("main passes more")
    assert RateDifference(1, 1, 0, 0).sentence().endswith("show no difference of any size")
    assert RateDifference.of([]).sentence().startswith("nothing to compare")


def test_the_bootstrap_of_scores_is_seeded_and_keeps_pairs_together() -> None:
    noisy = [(i / 40, i / 40 + 0.1 + 0.01 * (i % 3)) for i in range(30)]
    found = score_difference(noisy)
    assert found == score_difference(noisy)
    assert found.difference == pytest.approx(0.11)
    assert found.interval is not None
    low, high = found.interval
    # As a pair the scores differ by a tenth almost exactly, however far tasks lie apart.
    assert 0.105 < low < 0.11 < high < 0.115
    assert score_difference([(0.5, 0.7)] * 4).interval == pytest.approx((0.2, 0.2))
    assert score_difference([(0.5, 0.7)]).interval is None
    assert score_difference([]).difference is None


@settings(deadline=None)
@given(counts, counts, counts, counts)
def test_figures_of_agreement_follow_from_the_four_counts(
    tp: int, fp: int, fn: int, tn: int
) -> None:
    found = Confusion(tp, fp, fn, tn)
    if found.precision and found.recall:
        assert found.f1 == pytest.approx(
            2 * found.precision * found.recall / (found.precision + found.recall)
        )
    for name, interval in found.intervals().items():
        value = getattr(found, name)
        assert (value is None) == (interval is None), name
        if interval is not None:
            assert interval[0] - 1e-12 <= value <= interval[1] + 1e-12, name


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("counts", [[[0, 3], [0, 4]], [[0, 0], [3, 4]], [[3, 0], [0, 4]]])
def test_a_kappa_without_a_standard_error_has_no_interval(counts: list[list[int]]) -> None:
    found = cohen_kappa(counts)
    assert found is not None
    assert found.interval is None
    assert found.value == (1.0 if counts[0][0] else 0.0)


def test_words_that_are_never_said_leave_kappa_undefined() -> None:
    assert cohen_kappa([[5, 0], [0, 0]]) is None
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    assert consistency([["pass", "pass"]]).kappa is None
    # Cohen's own definition: observed 0.7, by chance 0.5
    found = cohen_kappa([[20, 5], [10, 15]])
    assert found is not None
    assert found.value == pytest.approx(0.4)
    assert found.interval is not None
    assert found.interval[0] < 0.4 < found.interval[1]


def test_series_that_never_change_do_not_correlate() -> None:
    assert correlations([(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]) is None
    assert correlations([(1.0, 2.0), (2.0, 3.0)]) is None
    found = correlations([(1.0, 2.0), (2.0, 2.0), (3.0, 5.0)])
    assert found is not None
    assert found.kendall == pytest.approx(2 / (3 * 2) ** 0.5)  # tau-b, by hand
    assert found.pearson.interval is None


def test_rules_and_thresholds_decide_over_the_same_scores() -> None:
    cases = [
        Case("a", True, "pass", (0.9, 0.8, 1.0)),
        Case("b", False, "fail", (1.0, 0.2, 0.9)),
        Case("c", True, "uncertain", (1.0, 1.0, 1.0)),
        Case("d", False, "fail"),
    ]
    at = {rule: dict(sweep(cases, (0.6, 0.8, 0.9), rule)) for rule in RULES}
    assert at["min"][0.8] == Confusion(tp=1, fp=0, fn=1, tn=2)
    assert at["min"][0.9] == Confusion(tp=0, fp=0, fn=2, tn=2)
    assert at["mean"][0.6] == Confusion(tp=1, fp=1, fn=1, tn=1)
    assert at["median"][0.9] == Confusion(tp=1, fp=1, fn=1, tn=1)


@settings(deadline=None)
@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_chances_over_k_attempts_are_those_of_drawing_them(drawn: tuple[int, int]) -> None:
    attempts, passed = drawn
    for k in range(1, attempts + 1):
        failures = stats.hypergeom(attempts, attempts - passed, k)
        assert pass_at_k(passed, attempts, k) == pytest.approx(1 - failures.pmf(k))
        assert pass_hat_k(passed, attempts, k) == pytest.approx(failures.pmf(0))
    assert pass_at_k(passed, attempts, attempts + 1) is None
    assert pass_hat_k(passed, attempts, 0) is None


def test_without_the_extra_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("scipy", "numpy"):
            raise ModuleNotFoundError(name)
        return genuine(name, *rest)

    monkeypatch.setattr(
        "pytest_appbench.statistics.extra.import_module", lambda name: without(name)
    )
    with pytest.raises(ExtraMissing, match=r'pip install "pytest-appbench\[stats\]"'):
        correlations([(1.0, 2.0), (2.0, 1.0), (3.0, 0.0)])
