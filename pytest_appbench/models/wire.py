"""What all wire formats share: a whole answer, tool calls' arguments, sendable text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from pytest_appbench.models.chat import Part, Stop, Tokens, ToolCall
from pytest_appbench.models.progress import answering
from pytest_appbench.models.retry import Garbled

_PATIENCE = 2.0
"""Seconds in which a stream has to end after the last event of the answer."""

ENDED_EARLY = "an answer that ends in the middle"


def arguments_of(written: str) -> tuple[dict[str, Any] | None, str]:
    """Read a tool call's arguments.

    Args:
        written: What the model wrote.

    Returns:
        The arguments and an empty text, or None and what was written where it is no JSON object.
    """
    try:
        value = json.loads(written or "{}")
    except (ValueError, RecursionError):
        return None, written
    return (value, "") if isinstance(value, dict) else (None, written)


def as_object(call: ToolCall) -> dict[str, Any]:
    """A call's arguments as an object, also where the model wrote none: providers insist on one."""
    return {"unreadable": call.raw} if call.arguments is None else call.arguments


def sendable(value: Any) -> Any:
    """A value in which every text can be encoded.

    Args:
        value: Anything that JSON can hold.

    Returns:
        The value; halves of surrogate pairs, which pages can produce, become replacement marks.
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(item) for item in value]
    return value


@contextmanager
def understood() -> Iterator[None]:
    """Make what goes wrong with data that is not of the expected form one kind of error.

    Yields:
        Nothing.

    Raises:
        Garbled: The data cannot be read.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Garbled(f"an answer that cannot be read ({type(error).__name__})") from error


async def read(stream: Any, take: Callable[[dict[str, Any]], bool]) -> bool:
    """Read a stream of events to its end, so that its connection can be used again.

    Args:
        stream: The SDK's stream.
        take: Takes an event in, as plain data; answers whether it was the last of the answer.

    Returns:
        Whether the last event of the answer came.

    Raises:
        Garbled: An event cannot be read.
    """
    done = False
    answering()
    with understood():
        async with stream:
            with anyio.CancelScope() as scope:
                async for event in stream:
                    if not done and take(event.to_dict(warnings=False)):
                        done = True
                        # The connection of a server that does not end its stream is given up.
                        scope.deadline = anyio.current_time() + _PATIENCE
    return done


@dataclass(frozen=True)
class Collected:
    """A whole answer, whatever wire it came over.

    Attributes:
        model: The model's name as the provider gave it.
        parts: What the model said, thought and wants done.
        stop: Why it stopped.
        tokens: What it consumed; none at all where the endpoint does not count.
    """

    model: str
    parts: tuple[Part, ...]
    stop: Stop
    tokens: Tokens
