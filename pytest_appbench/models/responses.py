"""The wire format of OpenAI's Responses API, asked so that OpenAI keeps nothing of a conversation.

What the model has thought comes back encrypted and is handed back with the next turn.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from pytest_appbench.models.chat import (
    Image,
    Message,
    Part,
    Request,
    Stop,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
)
from pytest_appbench.models.retry import Failed, Garbled
from pytest_appbench.models.wire import (
    ENDED_EARLY,
    Collected,
    arguments_of,
    as_object,
    read,
    understood,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OWNER = "openai"
"""Whose thinking this format can take back."""

_ENDS = ("response.completed", "response.incomplete", "response.failed")


def payload(model: str, request: Request) -> dict[str, Any]:
    """The body of a request, without the parameters that could be left out."""
    items = [item for message in request.messages for item in _items(message)]
    body: dict[str, Any] = {"model": model, "input": items, "store": False}
    if request.system:
        body["instructions"] = request.system
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": False,
            }
            for tool in request.tools
        ]
    return body


def optional(request: Request, own: bool) -> dict[str, Any]:
    """The parameters that an endpoint may refuse.

    Args:
        request: What to ask.
        own: Whether the endpoint is OpenAI's; the same here.

    Returns:
        Names and values, the first to be given up first.
    """
    decoding = request.decoding
    return {
        "prompt_cache_key": _cache_key(request),
        "include": ["reasoning.encrypted_content"],
        "top_p": decoding.top_p,
        "temperature": decoding.temperature,
        "tool_choice": (
            {"type": "function", "name": request.must_call} if request.must_call else None
        ),
        "max_output_tokens": decoding.max_tokens,
    }


def _cache_key(request: Request) -> str:
    """What keeps the turns of one conversation on the same cache: how it begins."""
    start = [request.system, *(message.model_dump() for message in request.messages[:1])]
    return hashlib.sha256(json.dumps(start).encode()).hexdigest()[:32]


async def send(client: AsyncOpenAI, body: dict[str, Any], parameters: dict[str, Any]) -> Collected:
    """Send a request and collect the streamed answer.

    Args:
        client: The SDK's client.
        body: From `payload`.
        parameters: From `optional`, as far as the endpoint takes them.

    Returns:
        The answer.

    Raises:
        Garbled: The answer ends early or cannot be read.
        Failed: The answer broke off, and the provider says why.
    """
    # As an extra body it goes out as it is; as arguments the SDK would look at every item of a long
    # conversation again on every turn, which takes longer than all else.
    stream: Any = await client.responses.create(stream=True, extra_body={**body, **parameters})
    done: dict[int, dict[str, Any]] = {}
    closing: list[dict[str, Any]] = []

    def take(event: dict[str, Any]) -> bool:
        match event["type"]:
            case "response.output_item.done":
                done[event["output_index"]] = event["item"]
            case "error":
                raise Failed(event.get("code") or "server_error", event["message"])
            case kind if kind in _ENDS:
                closing.append(event["response"])
        return bool(closing)

    if not await read(stream, take):
        raise Garbled(ENDED_EARLY)
    with understood():
        return _collected(closing[0], [item for _, item in sorted(done.items())])


def _collected(response: dict[str, Any], items: list[dict[str, Any]]) -> Collected:
    if response["status"] == "failed":
        error = response.get("error") or {}
        raise Failed(error.get("code") or "server_error", error.get("message") or "it failed")
    parts, refused = [], False
    # Items announced as done are the ones to hand back, but a server may announce none, and the
    # closing event may leave them out.
    output = response.get("output") or []
    for item in items if len(items) >= len(output) else output:
        parts += _parts(item)
        refused = refused or any(c["type"] == "refusal" for c in item.get("content") or ())
    return Collected(
        response.get("model") or "",
        tuple(parts),
        _stop(response, refused, any(isinstance(part, ToolCall) for part in parts)),
        _tokens(response.get("usage") or {}),
    )


def _stop(response: dict[str, Any], refused: bool, calls: bool) -> Stop:
    if response["status"] == "incomplete":
        reason = (response.get("incomplete_details") or {}).get("reason")
        return "refusal" if reason == "content_filter" else "length"
    if calls:
        return "tools"
    return "refusal" if refused else "end"


def _parts(item: dict[str, Any]) -> list[Part]:
    match item["type"]:
        case "reasoning":
            said = [*(item.get("summary") or ()), *(item.get("content") or ())]
            words = "\n".join(piece["text"] for piece in said)
            # Fields without a value come back refused.
            block = {name: value for name, value in item.items() if value is not None}
            return [Thinking(text=words, provider=OWNER, block=block)]
        case "message":
            texts: list[Part] = [
                Text(text=piece.get("text") or piece.get("refusal") or "")
                for piece in item["content"]
            ]
            if item.get("phase"):
                # Newer models want to be told again whether they were done or only commenting.
                phase = Thinking(provider=OWNER, block={"phase": item["phase"]})
                return [phase, *texts]
            return texts
        case "function_call":
            arguments, raw = arguments_of(item["arguments"])
            name = item["call_id"]
            return [ToolCall(id=name, name=item["name"], arguments=arguments, raw=raw)]
    return []


def _items(message: Message) -> list[dict[str, Any]]:
    """A turn as input items; what a user says and shows stays together, results stand alone."""
    items: list[dict[str, Any]] = []
    content: list[dict[str, Any]] = []
    phase: dict[str, Any] = {}
    for part in message.parts:
        match part:
            case Text(text=text) if message.role == "assistant":
                if text:
                    items.append({"role": "assistant", "content": text, **phase})
                phase = {}
            case Text() | Image():
                content += _content(part)
            case Thinking() if part.provider == OWNER and "phase" in part.block:
                phase = part.block
            case Thinking() if part.provider == OWNER:
                items.append(part.block)
            case ToolCall():
                items.append(
                    {
                        "type": "function_call",
                        "call_id": part.id,
                        "name": part.name,
                        "arguments": json.dumps(as_object(part)),
                    }
                )
            case ToolResult():
                items.append(_output(part))
    if content:
        items.append({"role": "user", "content": content})
    return items


def _output(result: ToolResult) -> dict[str, Any]:
    content = [block for item in result.content for block in _content(item)]
    if result.is_error:
        content.insert(0, {"type": "input_text", "text": "Error:"})
    only_text = all(block["type"] == "input_text" for block in content)
    return {
        "type": "function_call_output",
        "call_id": result.id,
        "output": "\n".join(block["text"] for block in content) if only_text else content,
    }


def _content(part: Part) -> list[dict[str, Any]]:
    if isinstance(part, Text):
        return [{"type": "input_text", "text": part.text}] if part.text else []
    if isinstance(part, Image):
        url = f"data:{part.media_type};base64,{part.data}"
        return [{"type": "input_image", "detail": "auto", "image_url": url}]
    return []


def _tokens(usage: dict[str, Any]) -> Tokens:
    details = usage.get("input_tokens_details") or {}
    cached, written = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    prompt = usage.get("input_tokens") or 0
    return Tokens(
        input=max(0, prompt - cached - written),
        cached=cached,
        written=written,
        output=usage.get("output_tokens") or 0,
    )
