"""Many judgings share one browser and overlap wherever a model is waited for."""

from __future__ import annotations

import anyio
import pytest

from pytest_appbench.judges.loop import Await, BrowserCall, ModelCall, OutOfTime, Steps, drive
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


def test_a_users_own_async_code_is_awaited(portal: Portal) -> None:
    async def answer() -> int:
        await anyio.sleep(0)
        return 42

    def judging() -> Steps[int]:
        value: int = yield Await(answer())
        return value

    assert drive([judging()], portal, idle) == [42]


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
