"""Drives judgings whose models take their time: while one waits, the others use the browser.

A judging is a generator. It yields a `ModelCall` and is sent the reply, a `BrowserCall` and is sent
what came of it, an `Await` around a user's own async code, or judgings that go on `Together`; it
imports neither an SDK nor Playwright. Everything that touches a page runs here, on the main thread;
models are asked on the portal's thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pytest_appbench.models.chat import Chat, Reply, Request

T = TypeVar("T")


@dataclass(frozen=True)
class ModelCall:
    """Ask a model; the generator is sent its `Reply`, or what went wrong is raised in it.

    Attributes:
        chat: The model.
        request: What it is sent.
        seconds: How long to wait, retries included. After that `OutOfTime` is raised.
        meanwhile: What to do in the browser while the model is asked, or None. What it raises is
            raised in the generator.
    """

    chat: Chat
    request: Request
    seconds: float
    meanwhile: Callable[[], None] | None = None


@dataclass(frozen=True)
class BrowserCall:
    """Do something on the main thread; the generator is sent what it returned or raised."""

    do: Callable[[], Any]


@dataclass(frozen=True)
class Await:
    """Wait for async code; the generator is sent what it came to."""

    value: Awaitable[Any]


@dataclass(frozen=True)
class Together:
    """Go on with several judgings side by side; the generator is sent what each of them came to.

    Attributes:
        parts: The judgings.
        most: How many may be under way at a time; each may hold a page.

    What is sent is a list in the order of `parts`: what each returned, or the exception that ended
    it.
    """

    parts: Sequence[Steps[Any]]
    most: int = 8


Steps = Generator["ModelCall | BrowserCall | Await | Together", Any, T]


class OutOfTime(Exception):
    """A model did not answer within the time that was left."""


class Answers(Protocol):
    """Runs async functions elsewhere, while the main thread serves the browser."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a function; its result is in the future."""
        ...


@dataclass
class _Judging(Generic[T]):
    steps: Steps[T]
    group: _Group | None = None
    outcome: T | Exception | None = None
    is_done: bool = False

    def resume(self, value: Any = None, error: BaseException | None = None) -> Any:
        """Run it to its next call; None when it has ended."""
        try:
            return self.steps.send(value) if error is None else self.steps.throw(error)
        except StopIteration as end:
            self.outcome, self.is_done = end.value, True
        except Exception as failure:
            self.outcome, self.is_done = failure, True
        return None


@dataclass
class _Group:
    """Judgings that another one waits for."""

    parent: _Judging[Any]
    parts: list[_Judging[Any]]
    left: deque[_Judging[Any]]

    def ended(self) -> bool:
        return all(part.is_done for part in self.parts)


def drive(
    judgings: Sequence[Steps[T]],
    answers: Answers,
    wait: Callable[[Sequence[Future[Any]]], None],
) -> list[T | Exception]:
    """Run judgings to their ends, each going on whenever its model has answered.

    Args:
        judgings: The judgings.
        answers: Asks the models.
        wait: Serves the browser until one of the futures is done.

    Returns:
        For each judging what it returned, or the exception that ended it.
    """
    asked: list[_Judging[T]] = [_Judging(steps) for steps in judgings]
    begun: list[_Judging[Any]] = [*asked]
    ready: deque[tuple[_Judging[Any], Any, BaseException | None]] = deque(
        (judging, None, None) for judging in asked
    )
    waiting: dict[Future[Any], _Judging[Any]] = {}
    try:
        while ready or waiting:
            if not ready:
                wait(tuple(waiting))
            for future in [one for one in waiting if one.done()]:
                ready.append((waiting.pop(future), *_come_to(future)))
            if not ready:
                continue
            judging, value, error = ready.popleft()
            call = judging.resume(value, error)
            if isinstance(call, ModelCall):
                waiting[asked_for := answers.submit(_ask, call)] = judging
                if call.meanwhile is not None:
                    _, failure = _done(BrowserCall(call.meanwhile))
                    if failure is not None:
                        asked_for.cancel()
                        ready.append((waiting.pop(asked_for), None, failure))
            elif isinstance(call, Await):
                waiting[answers.submit(_awaited, call.value)] = judging
            elif isinstance(call, Together):
                group = _group(judging, call)
                begun += group.parts
                first = group.parts[: len(group.parts) - len(group.left)]
                ready.extend((part, None, None) for part in first)
                if not group.parts:
                    ready.append((judging, [], None))
            elif call is not None:
                ready.append((judging, *_done(call)))
            elif judging.group is not None:
                ready.extend(_after(judging.group))
    finally:
        for future in waiting:
            future.cancel()
        for judging in reversed(begun):
            judging.steps.close()
    return [judging.outcome for judging in asked]  # type: ignore[misc]


def finish(steps: Steps[T], answers: Answers, wait: Callable[[Sequence[Future[Any]]], None]) -> T:
    """Run one judging to its end.

    Args:
        steps: The judging.
        answers: Asks the models.
        wait: Serves the browser until one of the futures is done.

    Returns:
        What it returned; what it raised is raised.
    """
    (outcome,) = drive([steps], answers, wait)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _group(parent: _Judging[Any], call: Together) -> _Group:
    group = _Group(parent, [], deque())
    group.parts = [_Judging(steps, group) for steps in call.parts]
    group.left = deque(group.parts[max(1, call.most) :])
    return group


def _after(group: _Group) -> list[tuple[_Judging[Any], Any, BaseException | None]]:
    """What can go on once a judging of a group has ended."""
    if group.left:
        return [(group.left.popleft(), None, None)]
    if group.ended():
        return [(group.parent, [part.outcome for part in group.parts], None)]
    return []


async def _ask(call: ModelCall) -> Reply:
    import anyio

    with anyio.move_on_after(call.seconds):
        return await call.chat.ask(call.request)
    raise OutOfTime(f"the model did not answer within the {call.seconds:.0f} s that were left")


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


def _come_to(future: Future[Any]) -> tuple[Any, BaseException | None]:
    error = future.exception()
    return (None, error) if error is not None else (future.result(), None)


def _done(call: BrowserCall) -> tuple[Any, BaseException | None]:
    try:
        return call.do(), None
    except Exception as error:
        return None, error
