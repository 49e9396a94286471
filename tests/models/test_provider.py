"""The loopback provider itself is what the SDKs take it for, also where nothing is streamed."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic import Anthropic, BadRequestError
from openai import OpenAI

from modelkit import SCRIPT, WIRES
from provider import Answer, Provider, ToolUse

TEXT = {"type": "text", "text": "Hello?"}
ANSWER = Answer("Look.", [ToolUse("script", {"code": "1"})], thinking="Hm.", output_tokens=7)


def whole(provider: Provider, wire: str) -> Any:
    """What an SDK makes of an answer that is not streamed."""
    turn: Any = [{"role": "user", "content": "Hello?"}]
    if wire == "anthropic":
        client = Anthropic(api_key=provider.key, base_url=provider.url, max_retries=0)
        return client.messages.create(model="m", max_tokens=9, messages=turn)
    other = OpenAI(api_key=provider.key, base_url=f"{provider.url}/v1", max_retries=0)
    if wire == "chat":
        return other.chat.completions.create(model="m", messages=turn)
    return other.responses.create(model="m", input=turn)


@pytest.mark.parametrize("wire", WIRES)
def test_an_answer_can_be_had_as_a_whole(wire: str) -> None:
    with Provider(lambda _: ANSWER) as provider:
        got = whole(provider, wire)
    assert not provider.requests[0].stream
    if wire == "anthropic":
        assert [block.type for block in got.content] == ["thinking", "text", "tool_use"]
        assert (got.stop_reason, got.usage.output_tokens) == ("tool_use", 7)
    elif wire == "chat":
        (choice,) = got.choices
        assert choice.message.tool_calls[0].function.arguments == '{"code": "1"}'
        assert (choice.finish_reason, got.usage.completion_tokens) == ("tool_calls", 7)
    else:
        assert [item.type for item in got.output] == ["reasoning", "message", "function_call"]
        assert (got.status, got.output_text, got.usage.output_tokens) == ("completed", "Look.", 7)


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([{"role": "user", "content": " "}], "non-whitespace"),
        ([{"role": "assistant", "content": "Hi."}], 'the "user" role'),
        (
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}],
            "unexpected `tool_use_id`",
        ),
        (
            [{"role": "user", "content": [{**TEXT, "cache_control": {"type": "ephemeral"}}] * 5}],
            "maximum of 4 blocks",
        ),
    ],
)
def test_it_refuses_what_the_real_one_refuses(turns: Any, message: str) -> None:
    with Provider(lambda _: ANSWER) as provider:
        client = Anthropic(api_key=provider.key, base_url=provider.url, max_retries=0)
        with pytest.raises(BadRequestError, match=message):
            client.messages.create(model="m", max_tokens=9, messages=turns)
    assert provider.requests == []


def test_a_brain_that_fails_fails_the_test() -> None:
    def confused(_: object) -> Answer:
        raise KeyError(SCRIPT.name)

    provider = Provider(confused).__enter__()
    with pytest.raises(BadRequestError):
        whole(provider, "anthropic")
    with pytest.raises(AssertionError, match="the brain failed"):
        provider.__exit__(None, None, None)
