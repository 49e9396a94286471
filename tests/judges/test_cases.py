"""How the cases of an app are tied to its features, and what they come to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.protocols import resolve
from pytest_appbench.judges.protocols.cases.carrying import Number
from pytest_appbench.judges.protocols.cases.scoring import share, status_of
from pytest_appbench.judges.protocols.cases.writing import (
    Suite,
    Written,
    feature_of,
    objections,
    plan,
)
from pytest_appbench.judges.trajectory import Trajectory
from pytest_appbench.judges.untrusted import Untrusted
from pytest_appbench.judges.verdict import Part

FEATURES = ("A total is shown.", "2048 tiles slide.", "The total can be shown in euro.")


def case(feature: int | str, dimension: str = "dynamic", what: str = "press") -> Written:
    return Written.model_validate(
        {
            "name": what,
            "feature": feature,
            "dimension": dimension,
            "steps": [what],
            "expected": f"{what} was done",
        }
    )


def test_a_feature_is_named_by_number_or_by_words_that_no_other_has() -> None:
    assert feature_of(2, FEATURES) == "2048 tiles slide."
    assert feature_of("Feature 3:", FEATURES) == "The total can be shown in euro."
    assert feature_of("2048 TILES", FEATURES) == "2048 tiles slide."
    assert feature_of("3. the total can be shown in euro.", FEATURES) == FEATURES[2]
    for unclear in (0, 4, "total", "a", "", "2048"):
        expected = "2048 tiles slide." if unclear == "2048" else None
        assert feature_of(unclear, FEATURES) == expected, unclear


@given(st.one_of(st.integers(), st.text(max_size=60)))
def test_whatever_a_case_names_it_gets_a_feature_of_the_list_or_none(named: int | str) -> None:
    assert feature_of(named, FEATURES) in (*FEATURES, None)


def test_cases_that_repeat_leave_out_or_only_look_are_sent_back() -> None:
    suite = Suite(cases=(case(1, "static"), case(2), case(2), case("Pigs fly.", what="fly")))
    said = "\n".join(objections(suite, FEATURES))
    for problem in (
        "there are 4 cases; write 15 to 20",
        "case 4 names the feature 'Pigs fly.', which is not in the list",
        "case 2 says the same as case 1",
        "feature 3 has no case",
        "feature 1 is only looked at",
    ):
        assert problem in said
    full = [case(1 + n % 3, what=f"press {n}") for n in range(15)]
    assert objections(Suite(cases=tuple(full)), FEATURES) == ()


def test_without_a_list_the_cases_name_the_features() -> None:
    features, planned = plan(Suite(cases=(case("Totals"), case("totals "), case(7))), ())
    assert features == ("Totals", "7")
    assert [one.feature for one in planned] == ["Totals", "Totals", "7"]


PARTS = st.lists(
    st.sampled_from(("pass", "fail", "uncertain")).map(
        lambda status: Part.model_validate({"kind": "case", "name": "x", "status": status})
    ),
    max_size=8,
)


@given(PARTS)
def test_a_feature_passes_only_if_all_pass_and_fails_only_if_one_fails(cases: list[Part]) -> None:
    status = status_of(cases)
    assert (status == "pass") == (bool(cases) and share(cases) == 1)
    assert (status == "fail") == (share(cases, "fail") > 0)


def test_bounds_are_compared_by_the_harness() -> None:
    assert Number(what="songs", value=3, at_least=10, at_most=15).wrong()
    assert Number(what="songs", value=16, at_least=10, at_most=15).wrong()
    assert Number(what="songs", value=0.1 + 0.2, at_least=0.3, at_most=0.3).wrong() is None
    assert Number(what="songs", value=3).wrong() is None


def test_a_conversation_ends_with_its_own_share_of_the_time() -> None:
    judging: Any = SimpleNamespace(time_limit=900.0, max_turns=None)
    facts: dict[str, Any] = {"judging": judging, "protocol": resolve("cases"), "judge": "any"}
    case = Case(chat=judging, untrusted=Untrusted(), trajectory=Trajectory(None), **facts)

    def talk(seconds: float) -> Any:
        return Conversation(
            case=case,
            name="case-1",
            system="",
            opening=(),
            skills=(),
            form=Suite,
            submit="submit_cases",
            submit_help="",
            max_seconds=seconds,
        ).run()

    call = next(talk(30.0))
    assert 29 < call.seconds <= 30
    with pytest.raises(StopIteration) as ended:
        next(talk(0.0))
    assert ended.value.value == Unfinished("the time limit of 0 s was reached")
