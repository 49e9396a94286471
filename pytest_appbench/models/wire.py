"""What all wire formats share: a whole answer, tool calls' arguments, text that can be encoded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pytest_appbench.models.chat import Part, Stop, Tokens, ToolCall


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
