"""Asks a model through the Anthropic Messages API, with the official SDK.

Answers are streamed and collected, since the SDK refuses long ones otherwise. The prompt is marked
so that the provider's cache serves everything but the newest turns.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from pytest_appbench.models import prices
from pytest_appbench.models.chat import (
    Image,
    Message,
    ModelRejected,
    Part,
    Reply,
    Request,
    Stop,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
)
from pytest_appbench.models.endpoints import ANTHROPIC
from pytest_appbench.models.parameters import Parameters
from pytest_appbench.models.portal import client
from pytest_appbench.models.retry import Caller, Garbled, Policy, persist
from pytest_appbench.models.wire import (
    ENDED_EARLY,
    Collected,
    arguments_of,
    as_object,
    read,
    sendable,
    understood,
)

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

PROVIDER = ANTHROPIC.provider

MAX_TOKENS = 64_000
"""The most tokens of a reply where nobody set it: this API wants to be told."""

_CACHED = {"type": "ephemeral"}
_STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    # The turn is not over, and nobody here lets the provider run its own tools.
    "pause_turn": "length",
    "refusal": "refusal",
}


def make_chat(model: str, *, policy: Policy | None = None) -> AnthropicChat:
    """A model of this provider.

    Args:
        model: The provider's name of the model.
        policy: How patient to be; what the environment says if None.

    Returns:
        The model. Key and address are looked up when it is asked.
    """
    return AnthropicChat(model, policy or Policy.from_environment())


class AnthropicChat:
    """One model of the Messages API.

    Args:
        model: The provider's name of the model.
        policy: How patient to be.
    """

    def __init__(self, model: str, policy: Policy) -> None:
        self._model, self._policy = model, policy

    @property
    def spec(self) -> str:
        """The specification that names it."""
        return f"{PROVIDER}:{self._model}"

    async def ask(self, request: Request) -> Reply:
        """Ask once, with retries where that helps; see `Chat.ask`."""
        import anthropic

        endpoint = ANTHROPIC.address()
        asked = _client(endpoint, self._policy)
        body = sendable(payload(self._model, request))
        decoding = request.decoding
        parameters = Parameters(
            self.spec,
            endpoint,
            {
                "top_p": decoding.top_p,
                "temperature": decoding.temperature,
                "tool_choice": _tool_choice(request),
                "max_tokens": decoding.max_tokens or MAX_TOKENS,
            },
            required="max_tokens",
        )

        async def send() -> Collected:
            sent = dict(parameters.sent)
            # Sampling parameters are no arguments of the SDK any more; only older models know them.
            extra = {name: sent.pop(name) for name in ("temperature", "top_p") if name in sent}
            stream = await asked.messages.create(**body, **sent, stream=True, extra_body=extra)
            grown = _Grown()
            if not await read(stream, grown.take):
                raise Garbled(ENDED_EARLY)
            with understood():
                return grown.collected()

        started = time.monotonic()
        got, tries = await persist(
            send,
            sdk=anthropic,
            caller=Caller(self.spec, endpoint, ANTHROPIC.keys[0], ANTHROPIC.url),
            policy=self._policy,
            adapt=parameters.adapt,
        )
        model = got.model or self._model
        return Reply(
            message=Message(role="assistant", parts=got.parts),
            stop=got.stop,
            tokens=got.tokens,
            cost_usd=prices.reply_cost(PROVIDER, (model, self._model), got.tokens, endpoint),
            model=model,
            seconds=time.monotonic() - started,
            tries=tries,
        )


def _client(endpoint: str, policy: Policy) -> AsyncAnthropic:
    name, key = ANTHROPIC.key()
    if missing := ANTHROPIC.missing_key():
        raise ModelRejected(missing)

    is_key = name == ANTHROPIC.keys[0]

    def make() -> AsyncAnthropic:
        from anthropic import AsyncAnthropic, Timeout

        return AsyncAnthropic(
            api_key=key if is_key else None,
            auth_token=None if is_key else key,
            base_url=endpoint,
            max_retries=0,
            timeout=Timeout(policy.call, connect=policy.connect),
        )

    return client((PROVIDER, endpoint, hash((name, key)), policy), make)


def payload(model: str, request: Request) -> dict[str, Any]:
    """What a request looks like on the wire, without the parameters that could be left out.

    Args:
        model: The provider's name of the model.
        request: What to ask.

    Returns:
        The body. Three places are marked for the cache: the standing part, and the ends of the
        newest two turns of the user, so that a turn of many parts does not hide the prefix that
        the call before has written.
    """
    tools: list[dict[str, Any]] = [
        {"name": t.name, "description": t.description, "input_schema": t.parameters}
        for t in request.tools
    ]
    messages: list[dict[str, Any]] = [
        {"role": message.role, "content": blocks}
        for message in request.messages
        if (blocks := [block for part in _results_first(message) for block in _blocks(part)])
    ]
    body: dict[str, Any] = {"model": model, "messages": messages}
    if tools:
        body["tools"] = tools
    if request.system.strip():
        body["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHED}]
    elif tools:
        tools[-1]["cache_control"] = _CACHED
    for message in [m for m in messages if m["role"] == "user"][-2:]:
        message["content"][-1]["cache_control"] = _CACHED
    return body


def _results_first(message: Message) -> list[Part]:
    """The parts of a turn in the order that the API wants: what tools answered begins it."""
    return sorted(message.parts, key=lambda part: not isinstance(part, ToolResult))


def _tool_choice(request: Request) -> dict[str, Any] | None:
    return {"type": "tool", "name": request.must_call} if request.must_call else None


def _blocks(part: Part) -> list[dict[str, Any]]:
    match part:
        case Text(text=text):
            # The API refuses text without words.
            return [{"type": "text", "text": text}] if text.strip() else []
        case Image():
            return [_image(part)]
        case Thinking():
            return [part.block] if part.provider == PROVIDER else []
        case ToolCall():
            arguments = as_object(part)
            return [{"type": "tool_use", "id": part.id, "name": part.name, "input": arguments}]
        case ToolResult():
            content = [block for item in part.content for block in _blocks(item)]
            result = {"type": "tool_result", "tool_use_id": part.id, "content": content}
            return [{**result, "is_error": True} if part.is_error else result]


def _image(image: Image) -> dict[str, Any]:
    source = {"type": "base64", "media_type": image.media_type, "data": image.data}
    return {"type": "image", "source": source}


class _Grown:
    """An answer as it grows."""

    def __init__(self) -> None:
        self._model = ""
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}
        self._usage: dict[str, int] = {}
        self._stop_reason = ""
        self._explanation = ""

    def take(self, event: dict[str, Any]) -> bool:
        """Take an event in; answers whether it was the last."""
        match event["type"]:
            case "message_start":
                self._model = event["message"]["model"]
                self._count(event["message"]["usage"])
            case "content_block_start":
                self._blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                self._extend(event["index"], event["delta"])
            case "message_delta":
                self._stop_reason = event["delta"]["stop_reason"]
                details = event["delta"].get("stop_details") or {}
                self._explanation = details.get("explanation") or ""
                self._count(event["usage"])
            case "message_stop":
                return True
        return False

    def _count(self, usage: dict[str, Any]) -> None:
        # Counts of later events are totals, and what they leave out stays as it was.
        self._usage.update({name: n for name, n in usage.items() if isinstance(n, int)})

    def _extend(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks[index]
        match delta["type"]:
            case "text_delta":
                block["text"] += delta["text"]
            case "thinking_delta":
                block["thinking"] += delta["thinking"]
            case "signature_delta":
                block["signature"] = delta["signature"]
            case "input_json_delta":
                self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]

    def collected(self) -> Collected:
        """The whole answer."""
        return Collected(self._model, self._parts(), self._stop(), self._tokens())

    def _parts(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        for index, block in sorted(self._blocks.items()):
            match block["type"]:
                case "text":
                    parts.append(Text(text=block["text"]))
                case "thinking" | "redacted_thinking":
                    text = block.get("thinking", "")
                    parts.append(Thinking(text=text, provider=PROVIDER, block=block))
                case "tool_use":
                    written = self._inputs.get(index) or json.dumps(block["input"])
                    arguments, raw = arguments_of(written)
                    parts.append(
                        ToolCall(id=block["id"], name=block["name"], arguments=arguments, raw=raw)
                    )
        if not parts and self._explanation:
            parts.append(Text(text=self._explanation))
        return tuple(parts)

    def _stop(self) -> Stop:
        stop = _STOPS.get(self._stop_reason, "end")
        calls = any(block["type"] == "tool_use" for block in self._blocks.values())
        return ("tools" if calls else "end") if stop in ("end", "tools") else stop

    def _tokens(self) -> Tokens:
        return Tokens(
            input=self._usage.get("input_tokens", 0),
            cached=self._usage.get("cache_read_input_tokens", 0),
            written=self._usage.get("cache_creation_input_tokens", 0),
            output=self._usage.get("output_tokens", 0),
        )
