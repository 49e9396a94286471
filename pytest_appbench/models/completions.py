"""The wire format of OpenAI's Chat Completions, which most providers and servers speak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from operator import itemgetter
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
from pytest_appbench.models.retry import Garbled
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

OWNER = "openai-chat"
"""Whose thinking this format can take back."""

_THOUGHTS = ("reasoning_content", "reasoning")
"""The names under which servers show what a model thinks; the format itself has none."""

_STOPS: dict[str, Stop] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "refusal",
}


def payload(model: str, request: Request) -> dict[str, Any]:
    """The body of a request, without the parameters that could be left out."""
    messages: list[dict[str, Any]] = []
    if request.system:
        messages.append({"role": "system", "content": request.system})
    for message in request.messages:
        messages += _assistant(message) if message.role == "assistant" else _user(message)
    body: dict[str, Any] = {"model": model, "messages": messages}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            }
            for tool in request.tools
        ]
    return body


def optional(request: Request, own: bool) -> dict[str, Any]:
    """The parameters that an endpoint may refuse.

    Args:
        request: What to ask.
        own: Whether the endpoint is OpenAI's, whose newer models know another name for the length.

    Returns:
        Names and values, the first to be given up first.
    """
    choice = {"type": "function", "function": {"name": request.must_call}}
    decoding = request.decoding
    return {
        "stream_options": {"include_usage": True},
        "top_p": decoding.top_p,
        "temperature": decoding.temperature,
        "tool_choice": choice if request.must_call else None,
        "max_completion_tokens" if own else "max_tokens": decoding.max_tokens,
        **dict.fromkeys(_THOUGHTS, True),
    }


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
    """
    sent = {name: value for name, value in parameters.items() if name not in _THOUGHTS}
    refused = [name for name in _THOUGHTS if name not in parameters]
    messages = [
        {name: value for name, value in message.items() if name not in refused}
        for message in body["messages"]
    ]
    # As an extra body it goes out as it is; as arguments the SDK would look at every item of a long
    # conversation again on every turn, which takes longer than all else.
    stream: Any = await client.chat.completions.create(
        model=body["model"],
        messages=[],
        stream=True,
        extra_body={**body, "messages": messages, **sent},
    )
    grown = _Grown()
    await read(stream, grown.take)
    with understood():
        return grown.collected()


def _assistant(message: Message) -> Iterator[dict[str, Any]]:
    said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    for part in message.parts:
        if isinstance(part, Thinking) and part.provider == OWNER:
            said.update(part.block)
    if message.tool_calls:
        said["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(as_object(call))},
            }
            for call in message.tool_calls
        ]
    if said["content"] or message.tool_calls:
        yield said


def _user(message: Message) -> Iterator[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for part in message.parts:
        if not isinstance(part, ToolResult):
            content += _content(part)
            continue
        words = "\n".join(item.text for item in part.content if isinstance(item, Text))
        images = [item for item in part.content if isinstance(item, Image)]
        if images:
            # Results of tools can hold only words here: the pictures follow in the user's name.
            words = f"{words}\n(pictures of this result follow)".lstrip("\n")
            content.append({"type": "text", "text": f"Pictures of the result of {part.id}:"})
            content += [block for image in images for block in _content(image)]
        if part.is_error:
            words = f"Error: {words}"
        yield {"role": "tool", "tool_call_id": part.id, "content": words}
    if content:
        only_text = len(content) == 1 and content[0]["type"] == "text"
        yield {"role": "user", "content": content[0]["text"] if only_text else content}


def _content(part: Part) -> list[dict[str, Any]]:
    if isinstance(part, Text):
        return [{"type": "text", "text": part.text}] if part.text else []
    if isinstance(part, Image):
        url = f"data:{part.media_type};base64,{part.data}"
        return [{"type": "image_url", "image_url": {"url": url}}]
    return []


class _Grown:
    """An answer as it grows."""

    def __init__(self) -> None:
        self._model = self._text = self._refusal = self._finish = ""
        self._thoughts: dict[str, str] = {}
        self._calls: list[tuple[int, dict[str, str]]] = []
        self._tokens = Tokens()

    def take(self, chunk: dict[str, Any]) -> bool:
        """Take a chunk in; nothing in it says whether more will follow."""
        self._model = chunk.get("model") or self._model
        if chunk.get("usage"):
            self._tokens = _tokens(chunk["usage"])
        for choice in chunk["choices"]:
            self._finish = choice.get("finish_reason") or self._finish
            delta = choice.get("delta") or {}
            self._text += delta.get("content") or ""
            self._refusal += delta.get("refusal") or ""
            for name in _THOUGHTS:
                if delta.get(name):
                    self._thoughts[name] = self._thoughts.get(name, "") + delta[name]
            for call in delta.get("tool_calls") or ():
                self._extend(call)
        return False

    def _extend(self, call: dict[str, Any]) -> None:
        # Some servers number no calls, and send each whole.
        index = call["index"] if call.get("index") is not None else len(self._calls)
        function = call.get("function") or {}
        known = next((one for number, one in reversed(self._calls) if number == index), None)
        # Others give all calls of an answer one number. A new id alone opens no call: there are
        # servers that make one up for every piece of a call, but only its first piece has a name.
        is_other = known and known["id"] and call.get("id") not in (None, "", known["id"])
        if known is None or (is_other and function.get("name")):
            known = {"id": "", "name": "", "arguments": ""}
            self._calls.append((index, known))
        known["id"] = call.get("id") or known["id"]
        known["name"] = function.get("name") or known["name"]
        known["arguments"] += function.get("arguments") or ""

    def collected(self) -> Collected:
        """The whole answer."""
        if not self._finish:
            raise Garbled(ENDED_EARLY)
        parts: list[Part] = []
        if self._thoughts:
            text = next(iter(self._thoughts.values()))
            parts.append(Thinking(text=text, provider=OWNER, block=dict(self._thoughts)))
        if self._text or self._refusal:
            parts.append(Text(text=self._text or self._refusal))
        for number, (_, call) in enumerate(sorted(self._calls, key=itemgetter(0)), start=1):
            arguments, raw = arguments_of(call["arguments"])
            # A call that nobody named could not be answered.
            name = call["id"] or f"call_{number}"
            parts.append(ToolCall(id=name, name=call["name"], arguments=arguments, raw=raw))
        return Collected(self._model, tuple(parts), self._stop(), self._tokens)

    def _stop(self) -> Stop:
        stop = _STOPS.get(self._finish, "end")
        if stop in ("end", "tools"):
            if self._refusal and not self._calls:
                return "refusal"
            return "tools" if self._calls else "end"
        return stop


def _tokens(usage: dict[str, Any]) -> Tokens:
    details = usage.get("prompt_tokens_details") or {}
    cached, written = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    prompt = usage.get("prompt_tokens") or 0
    return Tokens(
        input=max(0, prompt - cached - written),
        cached=cached,
        written=written,
        output=usage.get("completion_tokens") or 0,
    )
