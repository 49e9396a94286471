"""The closing table's interval, against published figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.statistics import mean, wilson_interval


def test_wilson_interval_gives_the_published_figures() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    for successes, trials, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        interval = wilson_interval(successes, trials)
        assert interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilson_interval_holds_the_rate_and_stays_within_0_and_1(wins: int, losses: int) -> None:
    interval = wilson_interval(wins, wins + losses)
    assert interval is not None
    low, high = interval
    assert 0 <= low <= wins / (wins + losses) <= high <= 1


def test_nothing_has_no_rate_and_no_mean() -> None:
    assert wilson_interval(0, 0) is None
    assert mean([]) is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        wilson_interval(3, 2)
