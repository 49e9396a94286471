"""The watchdog: what it does when a block of calls takes too long."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from pytest_appbench.browser.errors import PageUnresponsive
from pytest_appbench.browser.watchdog import Rung, Watchdog


@pytest.fixture
def climbed() -> list[str]:
    """The rungs that were climbed."""
    return []


@pytest.fixture
def dog(climbed: list[str]) -> Iterator[Watchdog]:
    """A watchdog with a last resort."""
    dog = Watchdog(lambda: climbed.append("last"))
    yield dog
    dog.stop()


def rung(name: str, climbed: list[str], reached: threading.Event | None = None) -> Rung:
    def act() -> None:
        climbed.append(name)
        if reached:
            reached.set()

    return Rung(f"{name} was done", act, 0.01)


def test_block_that_ends_in_time_is_left_alone(dog: Watchdog, climbed: list[str]) -> None:
    with dog.bounded(60, [rung("first", climbed)]):
        pass
    assert climbed == []


def test_rungs_are_climbed_in_order_until_the_block_ends(dog: Watchdog, climbed: list[str]) -> None:
    second = threading.Event()
    rungs = [rung("first", climbed), rung("second", climbed, second)]
    late = pytest.raises(PageUnresponsive, match=r"within 0.01 s; (second was done|its browser)")
    with late, dog.bounded(0.01, rungs):
        assert second.wait(60)
    assert climbed[:2] == ["first", "second"]


def test_last_resort_follows_a_rung_that_fails(climbed: list[str]) -> None:
    def fail() -> None:
        raise OSError("no")

    resorted = threading.Event()
    dog = Watchdog(resorted.set)
    late = pytest.raises(PageUnresponsive, match="its browser was ended")
    with late, dog.bounded(0.01, [Rung("nothing", fail, 0.0)]):
        assert resorted.wait(60)
    dog.stop()


def test_error_of_the_call_that_was_cut_off_is_kept_as_the_cause(dog: Watchdog) -> None:
    reached = threading.Event()

    def call() -> None:
        assert reached.wait(60)
        raise ConnectionError("cut off")

    with pytest.raises(PageUnresponsive) as caught, dog.bounded(0.01, [rung("first", [], reached)]):
        call()
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_inner_bound_acts_within_an_outer_one(dog: Watchdog) -> None:
    inner: list[str] = []
    outer: list[str] = []
    reached = threading.Event()
    late = pytest.raises(PageUnresponsive)
    with dog.bounded(60, [rung("outer", outer)]), late:  # noqa: SIM117
        with dog.bounded(0.01, [rung("inner", inner, reached)]):
            assert reached.wait(60)
    assert (inner[:1], outer) == (["inner"], [])


def test_other_exceptions_pass_through(dog: Watchdog) -> None:
    with pytest.raises(KeyboardInterrupt), dog.bounded(60):
        raise KeyboardInterrupt
