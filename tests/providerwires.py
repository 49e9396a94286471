"""The three wire formats of the loopback provider: what it is sent, what it refuses, what it sends.

Each format is a class with the same methods. They are as strict as the real endpoints about what a
client gets wrong most easily, so that a test cannot pass with a request that would be refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

Json = dict[str, Any]
Event = tuple[str, Json | str]
"""The name of a server-sent event, empty for none, and its data."""

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
IMAGE_TOKENS = 1_000


@dataclass(frozen=True)
class Said:
    """An answer, ready to be put on a wire.

    Attributes:
        id: A name that no other answer has.
        model: The model that was asked for.
        thinking: What it thought, or empty.
        text: What it said, or empty.
        tools: Identifier, name and arguments as they are written.
        stop: end, tools, length or refusal.
        fresh: Prompt tokens read afresh.
        cached: Prompt tokens from the cache.
        written: Prompt tokens written to the cache.
        output: Tokens of the answer.
    """

    id: str
    model: str
    thinking: str
    text: str
    tools: tuple[tuple[str, str, str], ...]
    stop: str
    fresh: int
    cached: int
    written: int
    output: int


def sign(text: str) -> str:
    """What proves that thinking came from this provider and was not changed."""
    return "sig-" + hashlib.sha256(text.encode()).hexdigest()[:24]


def pieces(text: str) -> Iterator[str]:
    """A text in parts, as it is streamed."""
    size = max(7, len(text) // 40)
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or () if "text" in part)


def _data_url(url: str) -> Json:
    found = re.fullmatch(r"data:([\w/+.-]+);base64,(.*)", url, re.DOTALL)
    assert found is not None, f"no data URL: {url[:60]}"
    return {"kind": "image", "media_type": found[1], "data": found[2]}


def _joined(turns: Iterable[tuple[str, list[Json]]]) -> list[Json]:
    """Messages in which the two sides alternate: models see what one side says as one turn."""
    messages: list[Json] = []
    for role, parts in turns:
        if messages and messages[-1]["role"] == role:
            messages[-1]["parts"] += parts
        else:
            messages.append({"role": role, "parts": parts})
    return messages


def _arguments(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return None


class Messages:
    """Anthropic Messages."""

    path = "/v1/messages"
    name = "anthropic"
    _fields: ClassVar = {
        *("model", "messages", "max_tokens", "system", "tools", "tool_choice", "stream"),
        *("temperature", "top_p", "top_k", "metadata", "stop_sequences", "thinking"),
        *("cache_control", "output_config", "service_tier", "container"),
    }
    _stops: ClassVar = {
        "end": "end_turn",
        "tools": "tool_use",
        "length": "max_tokens",
        "refusal": "refusal",
    }

    @staticmethod
    def is_authorised(headers: Json, key: str) -> bool:
        return key in (headers.get("x-api-key"), headers.get("authorization", "")[7:])

    @staticmethod
    def error(status: int, message: str, kind: str = "", code: str = "") -> Json:
        kind = kind or TYPES.get(status, "api_error")
        inner: Json = {"type": kind, "message": message}
        if code:
            inner["details"] = {"error_code": code}
        return {"type": "error", "error": inner, "request_id": "req_loopback"}

    @staticmethod
    def overflow(tokens: int) -> tuple[int, str, str]:
        return 400, f"prompt is too long: {tokens + 200_000} tokens > 200000 maximum", ""

    def problem(self, body: Json, headers: Json) -> str:
        if "anthropic-version" not in headers:
            return "anthropic-version: header is required"
        for name in body:
            if name not in self._fields:
                return f"{name}: Extra inputs are not permitted"
        if not isinstance(body.get("max_tokens"), int):
            return "max_tokens: Field required"
        if not body.get("messages") or body["messages"][0]["role"] != "user":
            return 'messages: first message must use the "user" role'
        if body["messages"][-1]["role"] != "user":
            return 'messages: the final message must use the "user" role'
        marked = json.dumps(body).count('"cache_control"')
        if marked > 4:
            return f"A maximum of 4 blocks with cache_control may be provided. Found {marked}."
        for tool in body.get("tools", ()):
            if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool["name"]):
                return "tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
            if tool["input_schema"].get("type") != "object":
                return "tools.0.input_schema.type: Field required"
        open_calls: set[str] = set()
        for number, message in enumerate(body["messages"]):
            where, content = f"messages.{number}", self._content(message)
            if not content:
                return f"{where}: content must be non-empty"
            results = [b["tool_use_id"] for b in content if b["type"] == "tool_result"]
            if [b["type"] for b in content[: len(results)]] != ["tool_result"] * len(results):
                return f"{where}: `tool_result` blocks must come first"
            for found in results:
                if found not in open_calls:
                    return (
                        f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {found}"
                    )
            if missing := open_calls - set(results):
                return f"{where}: `tool_use` ids were found without `tool_result` blocks: {missing}"
            open_calls = {b["id"] for b in content if b["type"] == "tool_use"}
            for block in content:
                if wrong := self._block_problem(block):
                    return f"{where}.content: {wrong}"
        return ""

    @staticmethod
    def _block_problem(block: Json) -> str:
        match block["type"]:
            case "text" if not block["text"].strip():
                return "text content blocks must contain non-whitespace text"
            case "thinking" if block.get("signature") != sign(block["thinking"]):
                return "Invalid `signature` in `thinking` block"
            case "thinking" if "cache_control" in block:
                return "cache_control cannot be set for thinking blocks"
            case "tool_use" if not isinstance(block["input"], dict):
                return "tool_use.input: Input should be a valid dictionary"
        return ""

    @staticmethod
    def _content(message: Json) -> list[Json]:
        content = message["content"]
        return [{"type": "text", "text": content}] if isinstance(content, str) else content

    def read(self, body: Json) -> Json:
        choice = body.get("tool_choice") or {}
        turns = ((m["role"], [self._part(b) for b in self._content(m)]) for m in body["messages"])
        return {
            "system": _texts(body.get("system", "")),
            "messages": _joined(turns),
            "tools": [
                {
                    "name": t["name"],
                    "description": t.get("description", ""),
                    "parameters": t["input_schema"],
                }
                for t in body.get("tools", ())
            ],
            "must_call": choice.get("name") if choice.get("type") == "tool" else None,
        }

    def _part(self, block: Json) -> Json:
        match block["type"]:
            case "text":
                return {"kind": "text", "text": block["text"]}
            case "image":
                source = block["source"]
                media, data = source["media_type"], source["data"]
                return {"kind": "image", "media_type": media, "data": data}
            case "tool_use":
                call = {"id": block["id"], "name": block["name"], "arguments": block["input"]}
                return {"kind": "tool-call", **call}
            case "tool_result":
                content = block.get("content", [])
                if isinstance(content, str):
                    content = [{"type": "text", "text": content}]
                return {
                    "kind": "tool-result",
                    "id": block["tool_use_id"],
                    "content": [self._part(b) for b in content],
                    "is_error": block.get("is_error", False),
                }
        return {"kind": "thinking", "text": block.get("thinking", ""), "block": block}

    def prefix(self, body: Json) -> list[tuple[Json, bool]]:
        """Everything of the prompt in its order, and whether the client marked it for the cache."""
        system = body.get("system", [])
        blocks = [*body.get("tools", ())]
        blocks += [{"type": "text", "text": system}] if isinstance(system, str) else system
        for message in body["messages"]:
            blocks += [{"role": message["role"], **b} for b in self._content(message)]
        return [
            ({k: v for k, v in b.items() if k != "cache_control"}, "cache_control" in b)
            for b in blocks
        ]

    def whole(self, said: Said) -> Json:
        content: list[Json] = []
        if said.thinking:
            thought = {"thinking": said.thinking, "signature": sign(said.thinking)}
            content.append({"type": "thinking", **thought})
        if said.text:
            content.append({"type": "text", "text": said.text})
        for call, name, written in said.tools:
            arguments = _arguments(written) or {}
            content.append({"type": "tool_use", "id": call, "name": name, "input": arguments})
        return {
            "id": f"msg_{said.id}",
            "type": "message",
            "role": "assistant",
            "model": said.model,
            "content": content,
            "stop_reason": self._stops[said.stop],
            "stop_sequence": None,
            "stop_details": (
                {"type": "refusal", "category": None, "explanation": "It was declined."}
                if said.stop == "refusal"
                else None
            ),
            "usage": {
                "input_tokens": said.fresh,
                "cache_creation_input_tokens": said.written,
                "cache_read_input_tokens": said.cached,
                "output_tokens": said.output,
                "service_tier": "standard",
            },
        }

    def events(self, said: Said, body: Json) -> Iterator[Event]:
        whole = self.whole(said)
        start = {**whole, "content": [], "stop_reason": None, "stop_details": None}
        start["usage"] = {**whole["usage"], "output_tokens": 1}
        yield self._event({"type": "message_start", "message": start})
        yield self._event({"type": "ping"})
        raw = iter(written for _, _, written in said.tools)
        for index, block in enumerate(whole["content"]):
            empty, deltas = self._opened(block, raw)
            where = {"index": index}
            yield self._event({"type": "content_block_start", **where, "content_block": empty})
            for delta in deltas:
                yield self._event({"type": "content_block_delta", **where, "delta": delta})
            yield self._event({"type": "content_block_stop", **where})
        delta = {k: whole[k] for k in ("stop_reason", "stop_sequence", "stop_details")}
        usage = {"output_tokens": said.output}
        yield self._event({"type": "message_delta", "delta": delta, "usage": usage})
        yield self._event({"type": "message_stop"})

    @staticmethod
    def _opened(block: Json, raw: Iterator[str]) -> tuple[Json, Iterator[Json]]:
        match block["type"]:
            case "text":
                deltas = ({"type": "text_delta", "text": p} for p in pieces(block["text"]))
                return {**block, "text": ""}, deltas
            case "thinking":
                thoughts: list[Json] = [
                    {"type": "thinking_delta", "thinking": p} for p in pieces(block["thinking"])
                ]
                thoughts.append({"type": "signature_delta", "signature": block["signature"]})
                return {**block, "thinking": "", "signature": ""}, iter(thoughts)
        parts = ({"type": "input_json_delta", "partial_json": p} for p in pieces(next(raw)))
        return {**block, "input": {}}, parts

    @staticmethod
    def _event(data: Json) -> Event:
        return data["type"], data

    def stream_error(self, kind: str, message: str) -> Event:
        return "error", self.error(500, message, kind)


class Completions:
    """OpenAI Chat Completions."""

    path = "/v1/chat/completions"
    name = "chat"
    _stops: ClassVar = {"end": "stop", "tools": "tool_calls", "length": "length", "refusal": "stop"}

    @staticmethod
    def is_authorised(headers: Json, key: str) -> bool:
        return bool(headers.get("authorization") == f"Bearer {key}")

    @staticmethod
    def error(status: int, message: str, kind: str = "", code: str = "") -> Json:
        kind = kind or TYPES.get(status, "server_error")
        error = {"message": message, "type": kind, "param": None, "code": code or None}
        return {"error": error}

    @staticmethod
    def overflow(tokens: int) -> tuple[int, str, str]:
        message = (
            "This model's maximum context length is 128000 tokens. However, your messages resulted "
            f"in {tokens + 128_000} tokens. Please reduce the length of the messages."
        )
        return 400, message, "context_length_exceeded"

    def problem(self, body: Json, headers: Json) -> str:
        waiting: list[str] = []
        for message in body.get("messages", ()):
            if message["role"] == "tool":
                if message["tool_call_id"] not in waiting:
                    return (
                        "messages with role 'tool' must be a response to a preceding 'tool_calls'"
                    )
                waiting.remove(message["tool_call_id"])
                content = message["content"]
                if not isinstance(content, str) and any(p["type"] != "text" for p in content):
                    return "Invalid content type: tool messages can hold only text"
                continue
            if waiting:
                return (
                    "An assistant message with 'tool_calls' must be followed by tool messages "
                    f"responding to each 'tool_call_id'. Missing: {waiting}"
                )
            for call in message.get("tool_calls") or ():
                waiting.append(call["id"])
                if not isinstance(_arguments(call["function"]["arguments"]), dict):
                    return "tool call arguments must be a JSON object"
            if message["role"] == "assistant" and not (
                message.get("content") or message.get("tool_calls")
            ):
                return "an assistant message needs content or tool_calls"
        if waiting:
            return f"the following tool_call_ids did not have response messages: {waiting}"
        return "" if body.get("messages") else "messages: at least one is required"

    def read(self, body: Json) -> Json:
        standing = ("system", "developer")
        turns = (
            ("assistant" if m["role"] == "assistant" else "user", list(self._parts(m)))
            for m in body["messages"]
            if m["role"] not in standing
        )
        choice = body.get("tool_choice")
        return {
            "system": "".join(
                _texts(m["content"]) for m in body["messages"] if m["role"] in standing
            ),
            "messages": _joined(turns),
            "tools": [
                {key: t["function"].get(key, "") for key in ("name", "description", "parameters")}
                for t in body.get("tools", ())
            ],
            "must_call": choice["function"]["name"] if isinstance(choice, dict) else None,
        }

    @staticmethod
    def _parts(message: Json) -> Iterator[Json]:
        content: Any = message.get("content") or []
        if message["role"] == "tool":
            words = [{"kind": "text", "text": _texts(content)}] if content else []
            failed = _texts(content).startswith("Error: ")
            name = message["tool_call_id"]
            yield {"kind": "tool-result", "id": name, "content": words, "is_error": failed}
            return
        if message.get("reasoning_content"):
            thought = message["reasoning_content"]
            yield {"kind": "thinking", "text": thought, "block": {"reasoning_content": thought}}
        spoken: list[Json] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        )
        for part in spoken:
            if part["type"] == "text":
                yield {"kind": "text", "text": part["text"]}
            else:
                yield _data_url(part["image_url"]["url"])
        for call in message.get("tool_calls") or ():
            function = call["function"]
            arguments = _arguments(function["arguments"])
            known = {"id": call["id"], "name": function["name"], "arguments": arguments}
            yield {"kind": "tool-call", **known}

    def prefix(self, body: Json) -> list[tuple[Json, bool]]:
        """Everything of the prompt in its order; this provider caches by itself."""
        return [(block, True) for block in [*body.get("tools", ()), *body["messages"]]]

    def whole(self, said: Said) -> Json:
        refused = said.stop == "refusal"
        message: Json = {"role": "assistant", "content": None if refused else said.text or None}
        message["refusal"] = (said.text or "I cannot help with that.") if refused else None
        if said.thinking:
            message["reasoning_content"] = said.thinking
        if said.tools:
            message["tool_calls"] = [
                {"id": call, "type": "function", "function": {"name": name, "arguments": written}}
                for call, name, written in said.tools
            ]
        choice = {"index": 0, "message": message, "logprobs": None}
        return {
            **self._envelope(said, "chat.completion"),
            "choices": [{**choice, "finish_reason": self._stops[said.stop]}],
            "usage": self._usage(said),
        }

    @staticmethod
    def _envelope(said: Said, kind: str) -> Json:
        return {"id": f"chatcmpl-{said.id}", "object": kind, "created": 1, "model": said.model}

    @staticmethod
    def _usage(said: Said) -> Json:
        prompt = said.fresh + said.cached + said.written
        return {
            "prompt_tokens": prompt,
            "completion_tokens": said.output,
            "total_tokens": prompt + said.output,
            "prompt_tokens_details": {"cached_tokens": said.cached},
        }

    def events(self, said: Said, body: Json) -> Iterator[Event]:
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        message = self.whole(said)["choices"][0]["message"]

        def chunk(delta: Json, finish: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            data = {**self._envelope(said, "chat.completion.chunk"), "choices": [choice]}
            return "", {**data, "usage": None} if usage else data

        yield chunk({"role": "assistant", "content": "", "refusal": None})
        for name in ("reasoning_content", "content", "refusal"):
            for piece in pieces(message.get(name) or ""):
                yield chunk({name: piece})
        for index, call in enumerate(message.get("tool_calls", ())):
            function = call["function"]
            opened = {"name": function["name"], "arguments": ""}
            yield chunk({"tool_calls": [{"index": index, **call, "function": opened}]})
            for piece in pieces(function["arguments"]):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        yield chunk({}, self._stops[said.stop])
        if usage:
            empty = {**self._envelope(said, "chat.completion.chunk"), "choices": []}
            yield "", {**empty, "usage": self._usage(said)}
        yield "", "[DONE]"

    def stream_error(self, kind: str, message: str) -> Event:
        return "", self.error(500, message, kind)


class Responses:
    """OpenAI Responses."""

    path = "/v1/responses"
    name = "responses"
    is_authorised = staticmethod(Completions.is_authorised)
    error = staticmethod(Completions.error)

    @staticmethod
    def overflow(tokens: int) -> tuple[int, str, str]:
        message = (
            "Your input exceeds the context window of this model. Please adjust your input and try "
            "again."
        )
        return 400, message, "context_length_exceeded"

    def problem(self, body: Json, headers: Json) -> str:
        items = body.get("input")
        if not items:
            return "Missing required parameter: 'input'."
        calls: set[str] = set()
        outputs: set[str] = set()
        for index, item in enumerate(items):
            kind = item.get("type", "message")
            if any(value is None for value in item.values()):
                return f"Invalid type for 'input[{index}]': null is not allowed"
            if kind == "function_call":
                calls.add(item["call_id"])
            elif kind == "function_call_output":
                if item["call_id"] not in calls:
                    return f"No tool call found for function call output {item['call_id']}."
                outputs.add(item["call_id"])
            elif kind == "reasoning":
                words = "\n".join(piece["text"] for piece in item["summary"])
                if item.get("encrypted_content") != sign(words):
                    return f"The encrypted content for item {item['id']} could not be verified."
                after = items[index + 1] if index + 1 < len(items) else {}
                if after.get("role") != "assistant" and after.get("type") != "function_call":
                    return (
                        f"Item '{item['id']}' of type 'reasoning' was provided without its required "
                        "following item."
                    )
        if calls - outputs:
            return f"No tool output found for function call {sorted(calls - outputs)[0]}."
        return ""

    def read(self, body: Json) -> Json:
        choice = body.get("tool_choice")
        return {
            "system": body.get("instructions", ""),
            "messages": _joined(map(self._parts, body["input"])),
            "tools": [
                {key: t.get(key, "") for key in ("name", "description", "parameters")}
                for t in body.get("tools", ())
            ],
            "must_call": choice["name"] if isinstance(choice, dict) else None,
        }

    def _parts(self, item: Json) -> tuple[str, list[Json]]:
        match item.get("type", "message"):
            case "reasoning":
                words = "\n".join(piece["text"] for piece in item["summary"])
                return "assistant", [{"kind": "thinking", "text": words, "block": item}]
            case "function_call":
                arguments = _arguments(item["arguments"])
                call = {"id": item["call_id"], "name": item["name"], "arguments": arguments}
                return "assistant", [{"kind": "tool-call", **call}]
            case "function_call_output":
                content = list(self._content(item["output"]))
                failed = bool(content) and content[0].get("text", "").startswith("Error:")
                result = {"id": item["call_id"], "content": content, "is_error": failed}
                return "user", [{"kind": "tool-result", **result}]
        return item["role"], list(self._content(item["content"]))

    @staticmethod
    def _content(content: Any) -> Iterator[Json]:
        if isinstance(content, str):
            yield {"kind": "text", "text": content}
            return
        for part in content:
            if part["type"] == "input_image":
                yield _data_url(part["image_url"])
            else:
                yield {"kind": "text", "text": part["text"]}

    def prefix(self, body: Json) -> list[tuple[Json, bool]]:
        """Everything of the prompt in its order; this provider caches by itself."""
        standing = {"instructions": body.get("instructions", "")}
        return [(block, True) for block in [*body.get("tools", ()), standing, *body["input"]]]

    def whole(self, said: Said) -> Json:
        return self._response(said, list(self._output(said)), done=True)

    @staticmethod
    def _output(said: Said) -> Iterator[Json]:
        if said.thinking:
            yield {
                "type": "reasoning",
                "id": f"rs_{said.id}",
                "summary": [{"type": "summary_text", "text": said.thinking}],
                "encrypted_content": sign(said.thinking),
                "status": None,
            }
        part: Json = {"type": "output_text", "text": said.text, "annotations": []}
        if said.stop == "refusal":
            part = {"type": "refusal", "refusal": said.text or "I cannot help with that."}
        if said.text or said.stop == "refusal":
            yield {
                "type": "message",
                "id": f"msg_{said.id}",
                "role": "assistant",
                "status": "incomplete" if said.stop == "length" else "completed",
                "content": [part],
            }
        for call, name, written in said.tools:
            yield {
                "type": "function_call",
                "id": f"fc_{call}",
                "call_id": call,
                "name": name,
                "arguments": written,
                "status": "completed",
            }

    @staticmethod
    def _response(said: Said, output: list[Json], done: bool) -> Json:
        cut = said.stop == "length"
        prompt = said.fresh + said.cached + said.written
        return {
            "id": f"resp_{said.id}",
            "object": "response",
            "created_at": 1.0,
            "model": said.model,
            "status": ("incomplete" if cut else "completed") if done else "in_progress",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if cut and done else None,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": prompt,
                "input_tokens_details": {"cached_tokens": said.cached, "cache_write_tokens": 0},
                "output_tokens": said.output,
                "output_tokens_details": {"reasoning_tokens": len(said.thinking) // 4},
                "total_tokens": prompt + said.output,
            }
            if done
            else None,
        }

    def events(self, said: Said, body: Json) -> Iterator[Event]:
        number = 0

        def event(kind: str, **data: Any) -> Event:
            nonlocal number
            number += 1
            return kind, {"type": kind, "sequence_number": number - 1, **data}

        begun = self._response(said, [], done=False)
        yield event("response.created", response=begun)
        yield event("response.in_progress", response=begun)
        output = list(self._output(said))
        for index, item in enumerate(output):
            where: Json = {"output_index": index, "item_id": item["id"]}
            opened = {**item, "status": "in_progress"}
            if item["type"] == "function_call":
                opened["arguments"] = ""
            elif item["type"] == "message":
                opened["content"] = []
            yield event("response.output_item.added", output_index=index, item=opened)
            if item["type"] == "function_call":
                for piece in pieces(item["arguments"]):
                    yield event("response.function_call_arguments.delta", **where, delta=piece)
                written = item["arguments"]
                yield event("response.function_call_arguments.done", **where, arguments=written)
            elif item["type"] == "message":
                part = item["content"][0]
                kind = "refusal" if part["type"] == "refusal" else "output_text"
                words = part.get("text") or part.get("refusal")
                where["content_index"] = 0
                yield event("response.content_part.added", **where, part={**part, "text": ""})
                for piece in pieces(words):
                    yield event(f"response.{kind}.delta", **where, delta=piece)
                named = {"refusal": words} if kind == "refusal" else {"text": words}
                yield event(f"response.{kind}.done", **where, **named)
                yield event("response.content_part.done", **where, part=part)
            yield event("response.output_item.done", output_index=index, item=item)
        whole = self._response(said, output, done=True)
        yield event(f"response.{whole['status']}", response=whole)

    def stream_error(self, kind: str, message: str) -> Event:
        code = {"overloaded_error": "server_error", "api_error": "server_error"}.get(kind, kind)
        return "error", {"type": "error", "code": code, "message": message, "param": None}


Wire = Messages | Completions | Responses
WIRES: tuple[Wire, ...] = (Messages(), Completions(), Responses())
