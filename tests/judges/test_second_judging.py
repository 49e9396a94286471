"""What a suspect pass comes to after it was judged again without the suspect words."""

from __future__ import annotations

import pytest

from pytest_appbench.judges.model import lower
from pytest_appbench.judges.verdict import DIMENSIONS, Reason, Scores, Usage, Verdict


def verdict(status: str, *scores: float, **fields: object) -> Verdict:
    made = {
        "status": status,
        "judge": "a",
        "protocol": "miniapp",
        "threshold": 0.8,
        "scores": Scores(**dict(zip(DIMENSIONS, scores, strict=False))),
        "reasons": tuple(Reason(dimension=name, text=f"{name} {status}") for name in DIMENSIONS),
        "usage": Usage(turns=3, actions=2, tokens_in=10, tokens_out=5, cost_usd=0.5),
        **fields,
    }
    return Verdict.model_validate(made)


FIRST = verdict("pass", 0.9, 0.8, 1.0)


def test_a_lower_score_counts_with_its_reason_and_the_others_stay() -> None:
    after = lower(FIRST, verdict("fail", 0.3, 0.8, 1.0))
    assert after.status == "fail"
    assert dict(after.scores) == {"intention": 0.3, "static": 0.8, "dynamic": 1.0}
    assert after.reasons[:-1] == FIRST.reasons
    assert after.reasons[-1].text == "with suspect words removed: intention fail"


@pytest.mark.parametrize("second", [(0.8, 0.7, 0.9), (0.95, 1.0, 1.0), (0.85, 0.75, 0.9)])
def test_a_difference_of_a_tenth_or_a_better_score_leaves_the_first(
    second: tuple[float, float, float],
) -> None:
    after = lower(FIRST, verdict("fail", *second))
    assert after.status == "pass"
    assert after.scores == FIRST.scores
    assert after.reasons == FIRST.reasons


def test_the_single_score_of_a_protocol_is_treated_likewise() -> None:
    first = verdict("pass", score=0.8)
    assert lower(first, verdict("fail", score=0.7)).score == 0.8
    after = lower(first, verdict("fail", score=0.6))
    assert (after.status, after.score) == ("fail", 0.6)


@pytest.mark.parametrize("cut_short", [True, False])
def test_an_uncertain_second_judging_leaves_it_uncertain(cut_short: bool) -> None:
    second = verdict("uncertain", reasons=(Reason(text="no time"),), cut_short=cut_short)
    after = lower(FIRST, second)
    assert after.status == "uncertain"
    assert "the second judging is uncertain: no time" in after.reasons[0].text
    assert after.cut_short is cut_short, "a verdict that a limit cut short must not be kept"


def test_both_judgings_are_paid_for() -> None:
    after = lower(FIRST, FIRST)
    assert after.usage == Usage(turns=6, actions=4, tokens_in=20, tokens_out=10, cost_usd=1.0)
    unknown = verdict("pass", 0.9, 0.8, 1.0, usage=Usage(turns=1))
    assert lower(FIRST, unknown).usage.cost_usd is None


def cookie(status: str, functionality: float, aesthetics: float) -> Verdict:
    return verdict(
        status,
        protocol="cookie",
        counted=("static", "dynamic"),
        scores=Scores(static=aesthetics / 8, dynamic=functionality / 8),
        figures={"functionality": functionality, "aesthetics": aesthetics},
    )


def test_figures_hold_together_and_are_taken_from_the_lower_judging_as_a_whole() -> None:
    first, second = cookie("pass", 8.0, 7.0), cookie("fail", 4.0, 7.5)
    after = lower(first, second)
    assert after.status == "fail"
    assert after.figures == {"functionality": 4.0, "aesthetics": 7.5}
    assert (after.scores.dynamic, after.scores.static) == (0.5, 7.5 / 8)
    assert after.usage.turns == 6


def test_figures_that_differ_by_no_more_than_a_tenth_leave_the_first() -> None:
    first, second = cookie("pass", 6.5, 7.0), cookie("fail", 6.0, 7.0)
    assert lower(first, second).figures == first.figures
    assert lower(first, second).passed
