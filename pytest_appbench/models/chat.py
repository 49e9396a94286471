"""One conversation with one model, whoever serves it: turns, tools, replies, usage and failures.

Adapters translate these words to a provider's wire format and back; judges, generators and records
know only these. A part is data: nothing here is ever evaluated, and nothing names a secret.
"""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.errors import AppbenchError

Stop = Literal["end", "tools", "length", "refusal"]
"""Why a model stopped: it was done, it wants tools, it ran out of output, it declined."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(_Part):
    """Words of either side."""

    kind: Literal["text"] = "text"
    text: str


class Image(_Part):
    """A picture shown to the model.

    Attributes:
        media_type: Such as `image/jpeg`.
        data: The file's bytes, base64.
        name: The file it was kept as, for records.
    """

    kind: Literal["image"] = "image"
    media_type: str
    data: str
    name: str = ""

    @classmethod
    def of(cls, content: bytes, media_type: str, name: str = "") -> Image:
        """An image of a file's bytes."""
        return cls(media_type=media_type, data=base64.b64encode(content).decode(), name=name)


class Thinking(_Part):
    """What a model thought, to be handed back to the same provider unchanged.

    Attributes:
        text: The words, as far as the provider shows them.
        provider: Whose block it is; another provider's adapter leaves it out.
        block: The provider's own block, opaque to everyone else.
    """

    kind: Literal["thinking"] = "thinking"
    text: str = ""
    provider: str
    block: dict[str, Any]


class ToolCall(_Part):
    """A tool that the model wants to be run.

    Attributes:
        id: The call's name, repeated by its result.
        name: The tool.
        arguments: The arguments, or None when they were no JSON object.
        raw: What the model wrote where the arguments were no JSON object, else empty.
    """

    kind: Literal["tool-call"] = "tool-call"
    id: str
    name: str
    arguments: dict[str, Any] | None
    raw: str = ""


class ToolResult(_Part):
    """What came of a tool call."""

    kind: Literal["tool-result"] = "tool-result"
    id: str
    content: tuple[Text | Image, ...]
    is_error: bool = False


Part = Annotated[Text | Image | Thinking | ToolCall | ToolResult, Field(discriminator="kind")]


class Message(_Part):
    """One side's turn."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The words of the turn, without thinking and tools."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools it wants."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


class Tool(_Part):
    """A tool that a model may call.

    Attributes:
        parameters: JSON Schema of an object.
    """

    name: str
    description: str
    parameters: dict[str, Any]


class Decoding(_Part):
    """How a model is sampled; None leaves it to the provider.

    Attributes:
        max_tokens: The most tokens of one reply.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None


class Tokens(_Part):
    """What a reply, or several, consumed.

    Attributes:
        input: Prompt tokens read afresh.
        cached: Prompt tokens read from the provider's cache.
        written: Prompt tokens written to the provider's cache, where that is billed apart.
        output: Tokens of the reply, thinking included.
    """

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            input=self.input + other.input,
            cached=self.cached + other.cached,
            written=self.written + other.written,
            output=self.output + other.output,
        )

    @property
    def prompt(self) -> int:
        """All tokens of the prompt, however they are billed."""
        return self.input + self.cached + self.written

    @property
    def total(self) -> int:
        """All tokens."""
        return self.prompt + self.output


class Request(_Part):
    """One call of a model: everything it is sent.

    Attributes:
        system: The standing instruction; it never holds anything that came from an app.
        messages: The turns so far, oldest first; the first and the last are the user's. Turns are
            only ever appended, so that a provider's prompt cache can serve the prefix.
        tools: What it may call.
        must_call: The tool that it has to call, or None to leave that to it.
        conversation: What the conversation is called on record; providers are not told.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    must_call: str | None = None
    decoding: Decoding = Decoding()
    conversation: str = ""


class Reply(_Part):
    """A model's answer.

    Attributes:
        message: The assistant's turn. With the stop `length` it may hold half of what was meant.
        stop: Why the model stopped.
        tokens: What it consumed.
        cost_usd: Its price in US dollars, or None when the price is not known.
        model: The model's name as the provider gave it.
        seconds: From the first try to the whole answer.
        tries: How often it was asked, 1 when the first try succeeded.
    """

    message: Message
    stop: Stop
    tokens: Tokens
    cost_usd: float | None = None
    model: str = ""
    seconds: float = 0.0
    tries: int = 1


class Chat(Protocol):
    """A model that can be asked."""

    @property
    def spec(self) -> str:
        """What names it in options and records, with provider and model."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Ask once, with retries where that helps.

        Args:
            request: What it is sent.

        Returns:
            The answer.

        Raises:
            ModelUnavailable: No answer after all retries: rate limits, server errors, time-outs,
                dropped connections.
            ModelRejected: The request was refused for good: a wrong key, an unknown model.
            ContextOverflow: The prompt is longer than the model can read.
        """
        ...


class ModelError(AppbenchError):
    """A provider did not answer as it should; the app is not blamed for it."""


class ModelUnavailable(ModelError):
    """No answer, after all retries."""


class ModelRejected(ModelError):
    """The provider will not answer this request, however often it is asked."""


class ContextOverflow(ModelError):
    """The prompt is longer than the model can read."""
