"""Each way in which a provider can fail has its defined outcome, over every wire."""

from __future__ import annotations

import email.utils
import logging
import time
import traceback

import anyio
import pytest

from modelkit import DECODING, PATIENT, SCRIPT, Ask, Serve, ask_for, model
from provider import (
    Answer,
    Breaks,
    Conversation,
    Cut,
    Drop,
    Fault,
    Garbage,
    Outcome,
    Overflow,
    Status,
    ToolUse,
)
from pytest_appbench.models.chat import ContextOverflow, ModelRejected, ModelUnavailable
from pytest_appbench.models.portal import Portal
from pytest_appbench.models.retry import Policy, retry_after

GARBAGE = {
    "half an event": Garbage(),
    "a page": Garbage(b"<html>Bad gateway</html>", "text/html"),
    "an object of another kind": Garbage(b'{"hello": "world"}', "application/json"),
    "events of another kind": Garbage(
        b'event: message_start\ndata: {"type": "message_start", "choices": 5}\n\n'
        b'event: message_stop\ndata: {"type": "message_stop", "choices": [3]}\n\n'
    ),
    "no text at all": Garbage(b"\xff\xfe\x00data: \xff\n\n"),
    "nothing": Garbage(b""),
}
PASSING: dict[str, Fault] = {
    **{f"status {code}": Status(code) for code in (408, 409, 429, 500, 502, 503, 529)},
    "no answer": Drop(),
    "no first byte": Drop(after=0.0),
    "half an answer": Drop(after=0.6),
    "a stream cut short": Cut(after=0.6),
    "trouble in the middle": Breaks(),
    **{f"garbage: {name}": garbage for name, garbage in GARBAGE.items()},
}


def fine(_: Conversation) -> Answer:
    return Answer("Fine.")


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_what_passes_is_asked_again(serve: Serve, ask: Ask, wire: str, fault: Fault) -> None:
    provider = serve(fine, faults={1: fault, 2: fault})
    reply = ask(wire)
    assert reply.message.text == "Fine."
    assert reply.tries == 3
    assert len(provider.requests) == 3
    assert provider.requests[0].body == provider.requests[2].body


@pytest.mark.parametrize(
    ("fault", "seen", "advice"),
    [
        (Status(429, "Slow down"), "429, Slow down", "--appbench-concurrency"),
        (Status(529, "Overloaded"), "529, Overloaded", "later"),
        (Drop(), "the connection to", "BASE_URL"),
        (Cut(after=0.5), "ends in the middle", "later"),
    ],
)
def test_what_does_not_pass_says_what_was_seen_how_often_and_what_to_do(
    serve: Serve, ask: Ask, wire: str, fault: Fault, seen: str, advice: str
) -> None:
    provider = serve(lambda _: fault)
    with pytest.raises(ModelUnavailable) as caught:
        ask(wire)
    message = str(caught.value)
    assert "gave no answer after 4 tries" in message
    assert seen in message
    assert advice in message
    assert len(provider.requests) == 4


def test_a_provider_that_is_gone_is_named(serve: Serve, ask: Ask, wire: str) -> None:
    provider = serve(fine)
    ask(wire)
    provider.stop()
    with pytest.raises(ModelUnavailable, match=f"connection to {provider.url}.*failed"):
        ask(wire)


def test_a_provider_that_dies_while_it_is_asked_is_no_hang(
    serve: Serve, portal: Portal, wire: str
) -> None:
    provider = serve(lambda _: Answer("Late.", delay=60))
    future = portal.submit(model(wire).ask, ask_for("Hello?"))
    while not provider.requests:
        time.sleep(0.01)
    provider.stop()
    assert isinstance(future.exception(timeout=60), ModelUnavailable)


def test_an_answer_that_does_not_come_is_not_waited_for_for_ever(
    serve: Serve, ask: Ask, wire: str
) -> None:
    serve(lambda _: Answer("Late.", delay=60))
    with pytest.raises(ModelUnavailable, match=r"after 2 tries.*no answer.*within 0\.3 s"):
        ask(wire, "Hello?", Policy(tries=2, wait=0.1, call=0.3))


def test_a_call_can_be_cancelled(serve: Serve, portal: Portal, wire: str) -> None:
    provider = serve(lambda c: Answer("Late.", delay=60) if c.number == 1 else Answer("Fine."))
    future = portal.submit(model(wire).ask, ask_for("Hello?"))
    while not provider.requests:
        time.sleep(0.01)
    assert future.cancel() or future.cancelled()
    assert portal.call(model(wire).ask, ask_for("Hello?")).message.text == "Fine."


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is waited for between tries, without waiting."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    return waits


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
    ],
)
def test_the_wait_that_a_provider_asks_for_is_kept(
    serve: Serve, ask: Ask, wire: str, slept: list[float], headers: dict[str, str], seconds: float
) -> None:
    serve(fine, faults={1: Status(429, headers=headers), 2: Status(503, headers=headers)})
    assert ask(wire, "Hello?", Policy()).tries == 3
    assert slept == [seconds, seconds]


def test_a_wait_can_be_given_as_a_date() -> None:
    soon = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert retry_after({"retry-after": soon}) == pytest.approx(30, abs=5)
    assert retry_after({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}) == 0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_a_wait_beyond_all_patience_is_not_waited_for(
    serve: Serve, ask: Ask, wire: str, slept: list[float]
) -> None:
    provider = serve(lambda _: Status(429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelUnavailable, match=r"after 1 try.*asks to wait 3600 s"):
        ask(wire, "Hello?", Policy())
    assert slept == []
    assert len(provider.requests) == 1


def test_waits_grow_and_stay_within_the_policy(serve: Serve, ask: Ask, slept: list[float]) -> None:
    serve(lambda _: Status(500))
    with pytest.raises(ModelUnavailable):
        ask("anthropic", "Hello?", Policy(tries=6, wait=31, first_wait=1))
    assert all(n / 2 <= wait <= n for n, wait in zip((1, 2, 4, 8, 16), slept, strict=True))


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (Status(400, "that is wrong"), "refused again"),
        (Status(401, "invalid key"), "_API_KEY"),
        (Status(403, "not yours"), "_API_KEY"),
        (Status(404, "no such model"), "the model's name"),
        (Status(429, "no money", reason="insufficient_quota"), "nothing left to spend"),
    ],
)
def test_what_is_refused_for_good_is_asked_once(
    serve: Serve, ask: Ask, wire: str, status: Status, advice: str
) -> None:
    provider = serve(lambda _: status)
    with pytest.raises(ModelRejected) as caught:
        ask(wire)
    assert f"{status.code}, {status.message}" in str(caught.value)
    assert advice in str(caught.value)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Overflow(),
        Status(413, "Request exceeds the maximum size"),
        Status(400, "input is too long for requested model"),
    ],
)
def test_a_prompt_that_is_too_long_is_told_from_other_refusals(
    serve: Serve, ask: Ask, wire: str, fault: Fault
) -> None:
    provider = serve(lambda _: fault)
    with pytest.raises(ContextOverflow, match="larger context window"):
        ask(wire)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("refused", ["temperature", "top_p", "tool_choice"])
def test_a_parameter_that_a_model_does_not_take_is_left_out_from_then_on(
    serve: Serve, ask: Ask, wire: str, refused: str, caplog: pytest.LogCaptureFixture
) -> None:
    provider = serve(fine, refuses=[refused])
    request = ask_for("Go.", tools=(SCRIPT,), must_call="script", decoding=DECODING)
    assert ask(wire, request).message.text == "Fine."
    assert f"refuses {refused}" in caplog.text
    ask(wire, request)
    assert [refused in c.body for c in provider.requests] == [True, False, False]
    kept = {"temperature", "top_p", "tool_choice"} - {refused}
    assert kept <= provider.requests[-1].body.keys()


def test_of_two_parameters_that_exclude_each_other_one_is_kept(
    serve: Serve, ask: Ask, wire: str
) -> None:
    def picky(c: Conversation) -> Outcome:
        both = {"temperature", "top_p"} <= c.body.keys()
        message = "`temperature` and `top_p` cannot both be specified for this model"
        return Status(400, message) if both else Answer("Fine.")

    provider = serve(picky)
    ask(wire, ask_for("Go.", decoding=DECODING))
    assert provider.requests[-1].body["temperature"] == 1.0


@pytest.mark.parametrize(
    ("wire", "name", "message", "then"),
    [
        (
            "anthropic",
            "max_tokens",
            "max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens",
            {"max_tokens": 2048},
        ),
        (
            "anthropic",
            "max_tokens",
            "input length and `max_tokens` exceed context limit: 197000 + 4000 > 200000",
            {"max_tokens": 3000},
        ),
        (
            "chat",
            "max_tokens",
            "max_tokens is too large: 4000. This model supports at most 2048 completion tokens",
            {"max_tokens": 2048},
        ),
        (
            "chat",
            "max_tokens",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {"max_completion_tokens": 4000},
        ),
        (
            "chat",
            "max_tokens",
            "This model's maximum context length is 4096 tokens. However, you requested 4200 tokens "
            "(200 in the messages, 4000 in the completion). Please reduce the length",
            {},
        ),
    ],
)
def test_a_reply_is_asked_to_be_as_long_as_the_model_can(
    serve: Serve, ask: Ask, wire: str, name: str, message: str, then: dict[str, int]
) -> None:
    provider = serve(lambda c: Status(400, message) if c.body.get(name) == 4000 else Answer("Ok."))
    assert ask(wire, ask_for("Go.", decoding=DECODING)).message.text == "Ok."
    sent = provider.requests[-1].body
    assert {key: sent[key] for key in sent if key.startswith("max_")} == then


def test_a_parameter_that_is_refused_without_end_ends(serve: Serve, ask: Ask, wire: str) -> None:
    names = "temperature top_p max_tokens max_output_tokens tool_choice include stream_options"
    provider = serve(lambda _: Status(400, f"invalid: {names}"))
    with pytest.raises(ModelRejected):
        ask(wire, ask_for("Go.", tools=(SCRIPT,), must_call="script", decoding=DECODING))
    assert len(provider.requests) < 10


def test_keys_reach_neither_errors_nor_logs(
    serve: Serve, ask: Ask, wire: str, caplog: pytest.LogCaptureFixture
) -> None:
    def tell(c: Conversation) -> Outcome:
        told = f"no access for {c.headers['authorization']}, key {provider.key}"
        return Status(500 if c.number == 1 else 401, told)

    caplog.set_level(logging.DEBUG)
    provider = serve(tell)
    with pytest.raises(ModelRejected) as caught:
        ask(wire, "Hello?", PATIENT)
    shown = "".join(traceback.format_exception(caught.value))
    assert "no access for" in shown
    assert provider.key not in shown
    assert provider.key not in caplog.text


def test_a_key_that_cannot_be_sent_is_not_shown(
    serve: Serve, ask: Ask, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(fine)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-first-half\nsk-second-half")
    with pytest.raises(ModelRejected, match="_API_KEY is whole") as caught:
        ask(wire)
    assert "half" not in str(caught.value)


@pytest.mark.parametrize(
    ("wire", "missing"), [("anthropic", "ANTHROPIC_API_KEY"), ("responses", "OPENAI_API_KEY")]
)
def test_a_missing_key_is_named(
    ask: Ask, wire: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelRejected, match=missing):
        ask(wire)


def test_a_compatible_endpoint_may_need_no_key(
    serve: Serve, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(fine, key="")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert ask("chat").message.text == "Fine."


def test_a_tool_that_the_model_made_up_is_handed_on(serve: Serve, ask: Ask, wire: str) -> None:
    serve(lambda _: Answer(tools=[ToolUse("no_such_tool", {"x": 1})]))
    reply = ask(wire, ask_for("Go.", tools=(SCRIPT,)))
    assert reply.message.tool_calls[0].name == "no_such_tool"
