"""Waits and loops that a judge's harness ends."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.browser.act import Step
from pytest_appbench.judges.desk import Desk
from pytest_appbench.judges.patience import REPEATS, Patience


def call(patience: Patience, name: str, *given: Any, changed: str = "no visible change") -> bool:
    """Whether a call is allowed; if it is, it comes to what is given."""
    if patience.ends(name, given) is not None:
        return False
    step = Step(1, name, str(given), changed)
    patience.saw(step, given, is_action=Desk.is_action(step))
    return True


def test_a_wait_ends_after_three_looks_without_a_change_and_an_action_begins_another() -> None:
    patience = Patience()
    assert [call(patience, "advance", ms) for ms in (1, 2, 3, 4)] == [True, True, True, False]
    assert not call(patience, "wait", {"text": "done"})
    assert call(patience, "look", changed="a page")
    assert call(patience, "click", "e1", changed="e2 appeared")
    assert call(patience, "advance", 5)


def test_a_change_begins_the_count_anew() -> None:
    patience = Patience()
    for ms in range(20):
        changed = f"e1 became {ms}" if ms % 3 == 2 else "no visible change"
        assert call(patience, "advance", ms, changed=changed)


def test_the_same_look_over_and_over_ends_too() -> None:
    patience = Patience()
    assert [call(patience, "look", changed="a page") for _ in range(5)] == [True] * 4 + [False]


def test_a_sequence_without_a_new_outcome_is_broken_once_it_begins_again() -> None:
    patience = Patience()
    for _ in range(REPEATS):
        assert call(patience, "click", "open", changed="e5 appeared")
        assert call(patience, "click", "close", changed="e5 went")
    assert not call(patience, "click", "open")
    assert call(patience, "click", "other", changed="e6 appeared")
    assert call(patience, "click", "open", changed="e5 appeared")


@given(st.integers(min_value=4, max_value=60))
def test_an_action_whose_outcome_differs_each_time_goes_on(times: int) -> None:
    patience = Patience()
    assert all(call(patience, "click", "+", changed=f"{n} became {n + 1}") for n in range(times))


def test_what_is_ended_is_told_once_until_something_else_is_done() -> None:
    patience = Patience()
    for _ in range(REPEATS):
        call(patience, "click", "e1")
    first, second = (patience.ends("click", ("e1",)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert (first.is_new, second.is_new) == (True, False)
    call(patience, "click", "e2")
    for _ in range(REPEATS):
        call(patience, "click", "e1")
    again = patience.ends("click", ("e1",))
    assert again is not None
    assert again.is_new
