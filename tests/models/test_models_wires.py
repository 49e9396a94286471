"""What a model is sent and what comes back, over all three wire formats, through the real SDKs."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modelkit import DECODING, SCRIPT, WIRES, Ask, Serve, answered, ask_for, model
from provider import Answer, Conversation, Garbage, Provider, ToolUse
from pytest_appbench.models.chat import (
    Image,
    Message,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from pytest_appbench.models.portal import Portal

PIXEL = b"\x89PNG and so on"


def echo(conversation: Conversation) -> Answer:
    return Answer(conversation.said)


def test_a_reply_says_what_it_consumed_and_what_it_costs(serve: Serve, ask: Ask, wire: str) -> None:
    serve(lambda _: Answer("Fine.", output_tokens=1_000))
    reply = ask(wire)
    assert reply.message == Message(role="assistant", parts=(Text(text="Fine."),))
    assert reply.stop == "end"
    assert reply.tokens.output == 1_000
    assert reply.tokens.prompt > 0
    dollars_per_token = {"anthropic": 10e-6, "chat": 14e-6, "responses": 14e-6}[wire]
    assert reply.cost_usd == pytest.approx(1_000 * dollars_per_token, rel=0.2)
    assert reply.tries == 1


def test_a_model_is_sent_its_instruction_its_tools_and_its_decoding(
    serve: Serve, ask: Ask, wire: str
) -> None:
    provider = serve(lambda _: Answer(tools=[ToolUse("script", {"code": "1"})]))
    ask(wire, ask_for("Go.", tools=(SCRIPT,), must_call="script", decoding=DECODING))
    (sent,) = provider.requests
    assert sent.wire == wire
    assert sent.system == "You judge."
    assert sent.tools == [SCRIPT.model_dump()]
    assert sent.must_call == "script"
    assert sent.body["temperature"] == 1.0
    assert sent.body["top_p"] == 0.9
    length = "max_output_tokens" if wire == "responses" else "max_tokens"
    assert sent.body[length] == 4_000


def test_every_part_of_a_conversation_survives_the_way_there_and_back(
    serve: Serve, ask: Ask, wire: str
) -> None:
    calls = [ToolUse("script", {"code": "let a = '😀'\n"}), ToolUse("script", {})]
    last = Answer("Done.")
    provider = serve(lambda c: Answer("I look.", calls, thinking="Hm, é?") if c.turn == 1 else last)
    picture = Image.of(PIXEL, "image/png")
    first = Message(role="user", parts=(Text(text="See:"), picture))
    request = ask_for("", tools=(SCRIPT,)).model_copy(update={"messages": (first,)})
    reply = ask(wire, request)

    assert reply.stop == "tools"
    thought, said, *wanted = reply.message.parts
    assert isinstance(thought, Thinking)
    assert thought.text == "Hm, é?"
    assert said == Text(text="I look.")
    assert wanted == [
        ToolCall(id=call.id, name="script", arguments=dict(use.arguments))  # type: ignore[arg-type]
        for call, use in zip(reply.message.tool_calls, calls, strict=True)
    ]

    good, bad = (call.id for call in reply.message.tool_calls)
    ask(
        wire,
        answered(
            request,
            reply,
            Text(text="Go on."),
            ToolResult(id=good, content=(Text(text="42"), picture)),
            ToolResult(id=bad, content=(Text(text="no code"),), is_error=True),
        ),
    )
    _, second = provider.requests
    assert [message["role"] for message in second.messages] == ["user", "assistant", "user"]
    kept = {part["kind"]: part for part in second.messages[1]["parts"]}
    assert kept["thinking"]["text"] == "Hm, é?"
    assert kept["text"]["text"] == "I look."
    assert kept["tool-call"]["arguments"] == {}
    results = {part["id"]: part for part in second.last if part["kind"] == "tool-result"}
    assert "42" in second.results[0]
    assert results[bad]["is_error"]
    assert not results[good]["is_error"]
    assert "no code" in second.results[1]
    assert "Go on." in second.said
    assert [image["data"] for image in second.images] == [base64.b64encode(PIXEL).decode()] * 2


def test_thinking_comes_back_to_its_provider_exactly_as_it_was(
    serve: Serve, ask: Ask, wire: str
) -> None:
    provider = serve(lambda c: Answer("So.", thinking="A long thought, " * c.turn))
    request = ask_for("Think.")
    reply = ask(wire, request)
    ask(wire, answered(request, reply, Text(text="Again.")))
    thought = reply.message.parts[0]
    assert isinstance(thought, Thinking)
    # The provider refuses thinking whose signature does not fit.
    assert provider.requests[1].messages[1]["parts"][0]["block"] == thought.block


def test_thinking_of_another_provider_is_left_out(serve: Serve, ask: Ask, wire: str) -> None:
    provider = serve(lambda c: Answer("So.", thinking="Hm."))
    request = ask_for("Think.")
    for other in WIRES:
        reply = ask(other, request)
        if other != wire:
            ask(wire, answered(request, reply, Text(text="Again.")))
            kinds = [part["kind"] for part in provider.requests[-1].messages[1]["parts"]]
            assert kinds == ["text"]


@pytest.mark.parametrize("written", ['{"code": "ab', "[1, 2]", "null", "nonsense"])
def test_arguments_that_are_no_object_are_kept_as_they_were_written(
    serve: Serve, ask: Ask, wire: str, written: str
) -> None:
    broken = Answer(tools=[ToolUse("script", written)])
    provider = serve(lambda c: broken if c.turn == 1 else Answer("Sorry."))
    request = ask_for("Go.", tools=(SCRIPT,))
    reply = ask(wire, request)
    (call,) = reply.message.tool_calls
    assert call.arguments is None
    assert call.raw == written
    error = ToolResult(id=call.id, content=(Text(text="not JSON"),), is_error=True)
    assert ask(wire, answered(request, reply, error)).message.text == "Sorry."
    assert written in json.dumps(provider.requests[1].body).replace('\\\\\\"', '"').replace(
        '\\"', '"'
    )


@pytest.mark.parametrize("stop", ["length", "refusal"])
def test_a_model_that_does_not_finish_says_why(
    serve: Serve, ask: Ask, wire: str, stop: str
) -> None:
    serve(lambda _: Answer("On and on and", stop=stop))
    reply = ask(wire)
    assert reply.stop == stop
    assert reply.message.text == "On and on and"


def test_a_tool_call_that_was_cut_off_is_seen_as_such(serve: Serve, ask: Ask, wire: str) -> None:
    serve(lambda _: Answer(tools=[ToolUse("script", '{"code": "for (')], stop="length"))
    reply = ask(wire, ask_for("Go.", tools=(SCRIPT,)))
    assert reply.stop == "length"
    assert reply.message.tool_calls[0].raw == '{"code": "for ('


def test_an_answer_without_words_is_an_empty_turn_that_can_be_gone_on_from(
    serve: Serve, ask: Ask, wire: str
) -> None:
    serve(lambda c: Answer("" if c.turn == 1 and len(c.last) == 1 else "Here."))
    request = ask_for("Go.")
    reply = ask(wire, request)
    assert reply.message.parts == ()
    assert ask(wire, answered(request, reply, Text(text="Well?"))).message.text == "Here."


def test_half_a_character_from_a_page_does_not_stop_a_request(
    serve: Serve, ask: Ask, wire: str
) -> None:
    serve(echo)
    assert ask(wire, "a \ud83d b").message.text == "a \ufffd b"


@pytest.mark.parametrize("wire", WIRES)
def test_any_text_survives(portal: Portal, wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Provider(echo) as provider:
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)

        @settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
        @given(text=st.text(min_size=1), code=st.text())
        def check(text: str, code: str) -> None:
            request = ask_for(f"<{text}>")
            assert portal.call(model(wire).ask, request).message.text == f"<{text}>"
            call = ToolCall(id="call_1", name="script", arguments={"code": code})
            turns = (
                *request.messages,
                Message(role="assistant", parts=(call,)),
                Message(
                    role="user", parts=(ToolResult(id="call_1", content=(Text(text=f"<{code}>"),)),)
                ),
            )
            later = request.model_copy(update={"messages": turns, "tools": (SCRIPT,)})
            assert portal.call(model(wire).ask, later).message.text == f"<{code}>"
            assert provider.requests[-1].messages[1]["parts"][-1]["arguments"] == {"code": code}

        check()


def test_a_turn_that_is_appended_changes_nothing_before_it(
    serve: Serve, ask: Ask, wire: str
) -> None:
    def brain(conversation: Conversation) -> Answer:
        return Answer("Looking.", [ToolUse("script", {"code": "1"})], thinking="Hm.")

    provider = serve(brain)
    request = ask_for("A task that is long enough. " * 200, tools=(SCRIPT,))
    replies = []
    for turn in range(5):
        reply = ask(wire, request)
        replies.append(reply)
        result = ToolResult(id=reply.message.tool_calls[0].id, content=(Text(text="Saw."),))
        # One turn of many parts, more than the provider looks back from a mark.
        notes = [Text(text=f"Note {n}.") for n in range(30 if turn == 2 else 1)]
        request = answered(request, reply, result, *notes)

    sent = [_prompt(conversation.body) for conversation in provider.requests]
    for before, after in pairwise(sent):
        assert after.startswith(before)
    for earlier, later in pairwise(replies):
        assert later.tokens.cached == earlier.tokens.prompt
    marks = [json.dumps(c.body).count('"cache_control"') for c in provider.requests]
    assert max(marks) <= 4
    if wire == "responses":
        assert len({c.body["prompt_cache_key"] for c in provider.requests}) == 1


def _prompt(body: dict[str, Any]) -> str:
    """The bytes that a provider's cache compares: standing part, then turns, marks taken out."""
    order = ("tools", "system", "instructions", "messages", "input")
    whole = json.dumps([body[name] for name in order if name in body])
    return whole.replace(', "cache_control": {"type": "ephemeral"}', "").rstrip("]")


def test_responses_are_not_kept_by_the_provider(serve: Serve, ask: Ask) -> None:
    provider = serve(echo)
    ask("responses")
    (sent,) = provider.requests
    assert sent.body["store"] is False
    assert sent.body["include"] == ["reasoning.encrypted_content"]


def streamed(*pieces: dict[str, Any]) -> Garbage:
    """A chat completion whose tool calls arrive in these pieces."""
    deltas = [({"tool_calls": [piece]}, None) for piece in pieces]
    chunks = [
        {"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        for delta, finish in (*deltas, ({}, "tool_calls"))
    ]
    return Garbage("".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode())


def test_calls_that_share_a_number_are_told_apart_by_their_ids(serve: Serve, ask: Ask) -> None:
    code = json.dumps({"code": "1"})
    pieces = [
        {"index": 0, "id": name, "function": {"name": "script", "arguments": code}}
        for name in ("call_a", "call_b")
    ]
    serve(lambda _: streamed(*pieces))
    calls = ask("chat", ask_for("Go.", tools=(SCRIPT,))).message.tool_calls
    assert [(call.id, call.arguments) for call in calls] == [
        ("call_a", {"code": "1"}),
        ("call_b", {"code": "1"}),
    ]


def test_a_call_whose_pieces_have_ids_of_their_own_is_one_call(serve: Serve, ask: Ask) -> None:
    first = {"index": 0, "id": "piece_1", "function": {"name": "script", "arguments": '{"code"'}}
    second = {"index": 0, "id": "piece_2", "function": {"arguments": ': "1"}'}}
    serve(lambda _: streamed(first, second))
    (call,) = ask("chat", ask_for("Go.", tools=(SCRIPT,))).message.tool_calls
    assert call.arguments == {"code": "1"}
