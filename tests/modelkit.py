"""What the tests of models share: the three ways to a model, and requests to send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from provider import Provider
from pytest_appbench.models import anthropic, openai
from pytest_appbench.models.chat import Chat, Decoding, Message, Reply, Request, Text, Tool
from pytest_appbench.models.retry import Policy

Ask = Callable[..., Reply]
Serve = Callable[..., Provider]

WIRES = ("anthropic", "chat", "responses")
PATIENT = Policy(tries=4, wait=0.05, call=20.0)
DECODING = Decoding(temperature=1.0, top_p=0.9, max_tokens=4_000)
SCRIPT = Tool(
    name="script",
    description="Runs a script.",
    parameters={"type": "object", "properties": {"code": {"type": "string"}}},
)


def ask_for(text: str, **fields: Any) -> Request:
    """A request of one turn."""
    turn = Message(role="user", parts=(Text(text=text),))
    return Request(system="You judge.", messages=(turn,), **fields)


def answered(request: Request, reply: Reply, *parts: Any) -> Request:
    """The request with the reply and the user's next turn appended."""
    turn = Message(role="user", parts=parts)
    return request.model_copy(update={"messages": (*request.messages, reply.message, turn)})


def model(wire: str, policy: Policy = PATIENT) -> Chat:
    """A model that is asked over a wire."""
    if wire == "anthropic":
        return anthropic.make_chat("claude-sonnet-5-5", policy=policy)
    return openai.make_chat("gpt-5.2", policy=policy, api="chat" if wire == "chat" else "responses")
