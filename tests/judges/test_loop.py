"""Many judgings share one browser and overlap wherever a model is waited for."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.judges.loop import (
    Await,
    BrowserCall,
    ModelCall,
    OutOfTime,
    Steps,
    Together,
    drive,
)
from pytest_appbench.models.chat import (
    Message,
    ModelUnavailable,
    Reply,
    Request,
    Text,
    Tokens,
)
from pytest_appbench.models.portal import Portal
from pytest_appbench.waiting import idle

ASKED = Request(system="", messages=(Message(role="user", parts=(Text(text="?"),)),))


class Meeting:
    """A model that answers only when so many have asked at the same time."""

    spec = "test:meeting"

    def __init__(self, size: int) -> None:
        self.size, self.here = size, 0
        self.complete = anyio.Event()

    async def ask(self, request: Request) -> Reply:
        self.here += 1
        if self.here == self.size:
            self.complete.set()
        await self.complete.wait()
        return Reply(
            message=Message(role="assistant", parts=(Text(text="!"),)), stop="end", tokens=Tokens()
        )


class Broken:
    spec = "test:broken"

    async def ask(self, request: Request) -> Reply:
        raise ModelUnavailable("nobody is there")


class Silent:
    spec = "test:silent"

    async def ask(self, request: Request) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError("nothing wakes it")


@pytest.fixture
def portal() -> object:
    made = Portal()
    yield made
    made.close()


def test_judgings_wait_for_their_models_at_the_same_time(portal: Portal) -> None:
    model, done = Meeting(5), []

    def judging(number: int) -> Steps[int]:
        reply = yield ModelCall(model, ASKED, 60.0)
        yield BrowserCall(lambda: done.append(number))
        return number if reply.message.text == "!" else -1

    assert drive([judging(n) for n in range(5)], portal, idle) == [0, 1, 2, 3, 4]
    assert sorted(done) == [0, 1, 2, 3, 4]


def test_what_goes_wrong_in_one_judging_leaves_the_others_alone(portal: Portal) -> None:
    def asks(model: object) -> Steps[str]:
        yield ModelCall(model, ASKED, 60.0)  # type: ignore[arg-type]
        return "answered"

    def divides() -> Steps[str]:
        yield BrowserCall(lambda: 1 // 0)
        return "divided"

    broken, fine, divided = drive([asks(Broken()), asks(Meeting(1)), divides()], portal, idle)
    assert isinstance(broken, ModelUnavailable)
    assert fine == "answered"
    assert isinstance(divided, ZeroDivisionError)


def test_a_judging_can_go_on_after_an_error(portal: Portal) -> None:
    def forgiving() -> Steps[str]:
        try:
            yield ModelCall(Broken(), ASKED, 60.0)
        except ModelUnavailable as error:
            return f"went on: {error}"
        return "answered"

    assert drive([forgiving()], portal, idle) == ["went on: nobody is there"]


def test_a_model_that_never_answers_is_left_when_the_time_is_over(portal: Portal) -> None:
    def patient() -> Steps[str]:
        yield ModelCall(Silent(), ASKED, 0.05)
        return "answered"

    (outcome,) = drive([patient()], portal, idle)
    assert isinstance(outcome, OutOfTime)


def test_the_browser_is_used_while_the_model_is_asked(portal: Portal) -> None:
    model, seen = Meeting(2), []

    def judging() -> Steps[str]:
        reply = yield ModelCall(model, ASKED, 60.0, lambda: seen.append("used"))
        seen.append("answered")
        return str(reply.message.text)

    assert drive([judging(), judging()], portal, idle) == ["!", "!"]
    assert seen == ["used", "used", "answered", "answered"]


def test_what_goes_wrong_meanwhile_ends_the_waiting(portal: Portal) -> None:
    def judging() -> Steps[str]:
        try:
            yield ModelCall(Silent(), ASKED, 60.0, lambda: [].pop())
        except IndexError:
            return "went on"
        return "answered"

    assert drive([judging()], portal, idle) == ["went on"]


def test_a_users_own_async_code_is_awaited(portal: Portal) -> None:
    async def answer() -> int:
        await anyio.sleep(0)
        return 42

    def judging() -> Steps[int]:
        value: int = yield Await(answer())
        return value

    assert drive([judging()], portal, idle) == [42]


def test_parts_of_a_judging_go_on_side_by_side_and_come_back_in_their_order(
    portal: Portal,
) -> None:
    model = Meeting(3)

    def part(number: int) -> Steps[int]:
        yield ModelCall(model, ASKED, 60.0)
        yield BrowserCall(lambda: 1 // (number - 1))
        return number

    def whole() -> Steps[list[object]]:
        none = yield Together([])
        some = yield Together([part(n) for n in range(3)], most=3)
        return [*none, *some]

    ((first, second, third),) = drive([whole()], portal, idle)  # type: ignore[misc]
    assert (first, third) == (0, 2)
    assert isinstance(second, ZeroDivisionError)


@given(st.lists(st.integers(0, 3), max_size=12), st.integers(1, 5))
def test_no_more_parts_are_under_way_than_asked_for(waits: list[int], most: int) -> None:
    portal, under_way, highest = Portal(), set(), 0

    def part(number: int) -> Steps[int]:
        nonlocal highest
        under_way.add(number)
        highest = max(highest, len(under_way))
        for _ in range(waits[number]):
            yield BrowserCall(lambda: None)
        under_way.remove(number)
        return number

    def whole() -> Steps[list[int]]:
        found: list[int] = yield Together([part(n) for n in range(len(waits))], most)
        return found

    assert drive([whole()], portal, idle) == [list(range(len(waits)))]
    assert highest <= most


def test_an_interrupted_session_ends_every_judging(portal: Portal) -> None:
    ended = []

    def judging(number: int) -> Steps[int]:
        try:
            yield ModelCall(Silent(), ASKED, 60.0)
            return number
        finally:
            ended.append(number)

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        drive([judging(1), judging(2)], portal, interrupted)
    assert sorted(ended) == [1, 2]
