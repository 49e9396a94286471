"""The loopback provider: a server on 127.0.0.1 that speaks the wire formats of model providers.

It answers what a Python callable tells it to, the brain, which sees each conversation in the same
plain form whatever wire it came over. It records every request, counts tokens as providers do, the
cache included, and fails on command. Tests talk to it through the real SDKs:

    def brain(conversation):
        return Answer("Hello") if conversation.turn == 1 else Answer(tools=[ToolUse("stop")])

    with Provider(brain) as provider:
        environment = provider.environment()     # for this process, or for one that is started

The faults can be given by request number or by predicate, or be answered by the brain itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from providerwires import IMAGE_TOKENS, WIRES, Event, Json, Said, Wire


@dataclass(frozen=True)
class ToolUse:
    """A tool that the model wants.

    Attributes:
        name: The tool.
        arguments: An object, or a text that is sent as it is, such as half an object.
        id: The call's name; made up if empty.
    """

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class Answer:
    """What the model answers.

    Attributes:
        text: What it says.
        tools: What it wants to be run.
        thinking: What it thinks before.
        stop: end, tools, length or refusal; if None, tools where there are any, else end.
        output_tokens: Tokens of the answer; counted from its size if None.
        delay: Seconds before the answer begins; where the provider ends before, it never does.
        pause: Seconds between the first event of a streamed answer and the rest of it.
    """

    text: str = ""
    tools: Sequence[ToolUse] = ()
    thinking: str = ""
    stop: str | None = None
    output_tokens: int | None = None
    delay: float = 0.0
    pause: float = 0.0


@dataclass(frozen=True)
class Status:
    """An error status, in the shape of the provider that is asked.

    Attributes:
        code: The HTTP status.
        message: The provider's message.
        headers: More response headers, such as `{"retry-after": "1"}`.
        type: The provider's word for the error; the usual one of the status if empty.
        reason: The machine-readable code inside the error, if any.
    """

    code: int
    message: str = "something is wrong"
    headers: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Overflow:
    """The prompt is too long, as each provider says it."""


@dataclass(frozen=True)
class Drop:
    """The connection breaks.

    Attributes:
        after: The part of the answer that is sent before, 0 to 1; None for not even a status line.
        answer: What would have been answered.
    """

    after: float | None = None
    answer: Answer = Answer("This answer does not arrive as a whole, however long it may be.")


@dataclass(frozen=True)
class Cut:
    """The answer ends too early, but properly, as if it were whole.

    Attributes:
        after: The part of its events that is sent, 0 to 1.
        answer: What would have been answered.
    """

    after: float = 0.5
    answer: Answer = Answer("This answer does not arrive as a whole, however long it may be.")


@dataclass(frozen=True)
class Garbage:
    """A success that holds something else than an answer.

    Attributes:
        body: What is sent instead of the stream or the object.
        content_type: What it is said to be.
    """

    body: bytes = b'event: message_start\ndata: {"type": "message_start", "mess\n\n'
    content_type: str = "text/event-stream"


@dataclass(frozen=True)
class Breaks:
    """An error event in the middle of a stream.

    Attributes:
        type: The provider's word for the error.
        message: Its message.
    """

    type: str = "overloaded_error"
    message: str = "Overloaded"


Fault = Status | Overflow | Drop | Cut | Garbage | Breaks
Outcome = Answer | Fault


@dataclass(frozen=True)
class Conversation:
    """What the provider was sent, in the same form for every wire.

    Attributes:
        number: Counts the requests of the provider from 1.
        wire: anthropic, chat or responses.
        path: The path of the request.
        headers: The request's headers; names in lower case.
        body: The request's body, as it came.
        model: The model that is asked for.
        system: The standing instruction.
        messages: `{"role": "user" | "assistant", "parts": [...]}`; a part has a `kind` as in
            `pytest_appbench.models.chat`: text, image, thinking, tool-call, tool-result. What
            follows in the name of the same side is one message.
        tools: `{"name", "description", "parameters"}`.
        must_call: The tool that it has to call, or None.
        stream: Whether the answer is wanted in pieces.
    """

    number: int
    wire: str
    path: str
    headers: Mapping[str, str]
    body: Json
    model: str
    system: str
    messages: list[Json]
    tools: list[Json]
    must_call: str | None
    stream: bool

    @property
    def turn(self) -> int:
        """Which answer of this conversation is wanted, counted from 1."""
        return 1 + len([m for m in self.messages if m["role"] == "assistant"])

    @property
    def last(self) -> list[Json]:
        """The parts of the last message."""
        parts: list[Json] = self.messages[-1]["parts"]
        return parts

    @property
    def results(self) -> list[str]:
        """The words of each tool result in the last message."""
        return [words(part) for part in self.last if part["kind"] == "tool-result"]

    @property
    def said(self) -> str:
        """All words of the last message, results of tools included."""
        return "\n".join(words(part) for part in self.last)

    @property
    def everything(self) -> str:
        """All words that the model is sent, in their order, the standing instruction first."""
        parts = [part for message in self.messages for part in message["parts"]]
        return "\n".join([self.system, *(words(part) for part in parts)])

    @property
    def images(self) -> list[Json]:
        """All pictures, also those in results of tools."""
        parts = [part for message in self.messages for part in message["parts"]]
        inner = [item for part in parts for item in part.get("content", ())]
        return [part for part in [*parts, *inner] if part["kind"] == "image"]


def words(part: Json) -> str:
    """The words of a part: of a text, of thinking, of what a tool call holds, of a result."""
    if part["kind"] == "tool-call":
        return json.dumps(part["arguments"])
    if part["kind"] == "tool-result":
        return "\n".join(filter(None, map(words, part["content"])))
    text: str = part.get("text", "")
    return text


_ENCODED = re.compile(r"^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{400,}")

Brain = Callable[[Conversation], Outcome]
When = Callable[[Conversation], bool]


class Provider:
    """A provider of models on 127.0.0.1, as a context manager.

    Args:
        brain: Says what is answered, or how it fails. It is called from several threads.
        faults: What happens instead to the requests of these numbers.
        key: The key that requests need; random if None, empty if they need none.
        refuses: Names of parameters that get a 400 that names them.
        delay: Seconds before each answer, beside the answer's own.

    Attributes:
        requests: Every request that was understood, oldest first.
        outcomes: What became of each of them.
        peak: The most requests that were under way at once.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        faults: Mapping[int, Fault] | None = None,
        key: str | None = None,
        refuses: Sequence[str] = (),
        delay: float = 0.0,
    ) -> None:
        self.requests: list[Conversation] = []
        self.outcomes: list[Outcome] = []
        self.peak = 0
        self.key = f"sk-loopback-{secrets.token_hex(12)}" if key is None else key
        self._brain, self._refuses, self._delay = brain, tuple(refuses), delay
        self._faults = dict(faults or {})
        self._failing: list[tuple[When, Fault]] = []
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._running = self._count = 0
        self._cached: set[str] = set()
        self._broken: BaseException | None = None
        self._sockets: set[socket.socket] = set()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Provider:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()
        if error is None and self._broken is not None:
            raise AssertionError("the brain failed") from self._broken

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def environment(self, *, responses: bool = False, wait: float = 0.5) -> dict[str, str]:
        """The environment variables that send models of both providers here.

        Args:
            responses: Whether the `openai` provider is to use the Responses API.
            wait: Seconds that the retries of one call may wait altogether.

        Returns:
            Names and values.
        """
        return {
            "ANTHROPIC_API_KEY": self.key or "unneeded",
            "ANTHROPIC_BASE_URL": self.url,
            "OPENAI_API_KEY": self.key,
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "APPBENCH_OPENAI_API": "responses" if responses else "chat",
            "APPBENCH_MODEL_WAIT": str(wait),
            "NO_PROXY": "127.0.0.1,localhost",
        }

    def fail(self, when: When, fault: Fault) -> None:
        """Let the requests that a predicate picks fail, from now on.

        Args:
            when: The predicate.
            fault: How.
        """
        self._failing.append((when, fault))

    def stop(self) -> None:
        """Die: no new connections, and those that are open break. Twice does no harm."""
        self._ending.set()
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()
        with self._lock:
            sockets, self._sockets = self._sockets, set()
        for connection in sockets:
            _break(connection)

    def _decide(self, conversation: Conversation) -> Outcome:
        """Record a request and say what becomes of it."""
        outcome: Outcome | None = self._faults.get(conversation.number)
        for name in self._refuses:
            if name in conversation.body:
                outcome = Status(400, f"{name}: Extra inputs are not permitted")
        for when, fault in self._failing:
            if outcome is None and when(conversation):
                outcome = fault
        if outcome is None:
            try:
                outcome = self._brain(conversation)
            except Exception as error:
                self._broken = self._broken or error
                outcome = Status(400, f"the brain failed: {type(error).__name__}: {error}")
        with self._lock:
            self.requests.append(conversation)
            self.outcomes.append(outcome)
        return outcome

    def _number(self) -> int:
        with self._lock:
            self._count += 1
            return self._count

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        with self._lock:
            self._running += 1
            self.peak = max(self.peak, self._running)
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def _say(self, wire: Wire, conversation: Conversation, answer: Answer) -> Said:
        tools = tuple(
            (
                use.id or f"call_{conversation.number}_{index}",
                use.name,
                use.arguments if isinstance(use.arguments, str) else json.dumps(use.arguments),
            )
            for index, use in enumerate(answer.tools)
        )
        size = len(answer.text) + len(answer.thinking) + sum(len(a) for _, _, a in tools)
        fresh, cached, written = self._account(wire, conversation)
        return Said(
            id=f"{conversation.number:06}",
            model=conversation.model,
            thinking=answer.thinking,
            text=answer.text,
            tools=tools,
            stop=answer.stop or ("tools" if tools else "end"),
            fresh=fresh,
            cached=cached,
            written=written,
            output=1 + size // 4 if answer.output_tokens is None else answer.output_tokens,
        )

    def _account(self, wire: Wire, conversation: Conversation) -> tuple[int, int, int]:
        """Prompt tokens read afresh, from the cache, and written to it."""
        blocks = wire.prefix(conversation.body)
        chain = hashlib.sha256(conversation.model.encode())
        ends: list[tuple[str, int]] = []
        total = 0
        for block, _ in blocks:
            chain.update(json.dumps(block, sort_keys=True).encode())
            total += _size(block)
            ends.append((chain.hexdigest(), total))
        marked = [index for index, (_, mark) in enumerate(blocks) if mark]
        with self._lock:
            # Anthropic looks for what it knows at most 20 blocks before each mark.
            near = (range(max(-1, i - 20), i + 1) for i in marked)
            found = {i for span in near for i in span if i >= 0 and ends[i][0] in self._cached}
            self._cached.update(ends[index][0] for index in marked)
        cached = ends[max(found)][1] if found else 0
        last = ends[marked[-1]][1] if marked else 0
        written = max(0, last - cached) if wire.name == "anthropic" else 0
        return total - cached - written, cached, written


def _size(block: Json) -> int:
    """Tokens of a block: a quarter of its characters; a picture has a size of its own."""
    text = json.dumps(block, ensure_ascii=False)
    pictures = [p for p in _strings(block) if len(p) > 500 and _ENCODED.search(p[:500])]
    return (len(text) - sum(map(len, pictures))) // 4 + IMAGE_TOKENS * len(pictures)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are part of the tests."""


def _break(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        connection.close()


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            pass

        def setup(self) -> None:
            super().setup()
            with provider._lock:
                provider._sockets.add(self.connection)

        def finish(self) -> None:
            with suppress(OSError):
                super().finish()
            with provider._lock:
                provider._sockets.discard(self.connection)

        def do_POST(self) -> None:
            with provider._under_way():
                self._serve()

        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            wire = next((w for w in WIRES if self.path.split("?")[0] == w.path), None)
            if wire is None:
                self._json(404, WIRES[1].error(404, f"no such path: {self.path}"))
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            if provider.key and not wire.is_authorised(headers, provider.key):
                self._json(401, wire.error(401, "invalid x-api-key"))
                return
            body = json.loads(raw)
            if problem := wire.problem(body, headers):
                self._json(400, wire.error(400, problem))
                return
            conversation = Conversation(
                number=provider._number(),
                wire=wire.name,
                path=self.path,
                headers=headers,
                body=body,
                model=body["model"],
                stream=bool(body.get("stream")),
                **wire.read(body),
            )
            self._deliver(wire, conversation, provider._decide(conversation))

        def _deliver(self, wire: Wire, conversation: Conversation, outcome: Outcome) -> None:
            own = outcome.delay if isinstance(outcome, Answer) else 0.0
            if provider._ending.wait(provider._delay + own):
                self._hang_up()
                return
            match outcome:
                case Status():
                    error = wire.error(outcome.code, outcome.message, outcome.type, outcome.reason)
                    self._json(outcome.code, error, outcome.headers)
                case Overflow():
                    status, message, code = wire.overflow(len(json.dumps(conversation.body)) // 4)
                    self._json(status, wire.error(status, message, code=code))
                case Garbage():
                    self._bytes(200, outcome.body, outcome.content_type)
                case Drop(after=None):
                    self._hang_up()
                case Drop() | Cut():
                    said = provider._say(wire, conversation, outcome.answer)
                    self._part(wire, conversation, said, outcome)
                case Breaks():
                    answer = Answer("A beginning.")
                    events = list(wire.events(provider._say(wire, conversation, answer), {}))
                    self._stream([*events[:3], wire.stream_error(outcome.type, outcome.message)])
                case Answer():
                    said = provider._say(wire, conversation, outcome)
                    if conversation.stream:
                        events = list(wire.events(said, conversation.body))
                        self._stream(events, pause=outcome.pause)
                    else:
                        self._json(200, wire.whole(said))

        def _part(
            self, wire: Wire, conversation: Conversation, said: Said, fault: Drop | Cut
        ) -> None:
            breaks = isinstance(fault, Drop)
            if not conversation.stream:
                whole = json.dumps(wire.whole(said)).encode()
                sent = whole[: int(len(whole) * (fault.after or 0))]
                self._bytes(200, sent, "application/json", len(whole) if breaks else len(sent))
            else:
                events = list(wire.events(said, conversation.body))
                self._stream(events[: int(len(events) * (fault.after or 0))], whole=not breaks)
            if breaks:
                self._hang_up()

        def _hang_up(self) -> None:
            _break(self.connection)
            self.close_connection = True

        def _json(self, status: int, body: Json, headers: Mapping[str, str] | None = None) -> None:
            self._bytes(status, json.dumps(body).encode(), "application/json", headers=headers)

        def _bytes(
            self,
            status: int,
            body: bytes,
            content_type: str,
            length: int | None = None,
            headers: Mapping[str, str] | None = None,
        ) -> None:
            self.send_response(status)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body) if length is None else length))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def _stream(
            self, events: Sequence[Event], *, whole: bool = True, pause: float = 0.0
        ) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream; charset=utf-8")
            self.send_header("cache-control", "no-cache")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for number, (name, data) in enumerate(events):
                if number == 1:
                    provider._ending.wait(pause)
                written = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
                text = (f"event: {name}\n" if name else "") + f"data: {written}\n\n"
                event = text.encode()
                self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            if whole:
                self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()

    return Handler


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables of this process for a while; for scripts, which have no fixtures.

    Args:
        values: Names and values.

    Yields:
        Nothing.
    """
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
