"""What a model judging leaves on disk, line by line, as it happens.

`trajectory.jsonl` holds one JSON object a line: the head (everything a replay needs), then for each
turn the new messages and the model's answer, and each action in the browser. Conversations may go
on side by side, so each line names its own. MiniAppBench B.9 accumulates the messages of all turns
in every line; `accumulated` gives that form.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import RecordsError
from pytest_appbench.models.chat import Image, Message, Reply, ToolResult

if TYPE_CHECKING:
    from pytest_appbench.browser.act import Step

NAME = "trajectory.jsonl"
VERSION = 1


class Trajectory:
    """Writes one file, each line flushed and synced, so that a killed process loses none.

    Args:
        path: The file, or None to write nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._sent: dict[str, int] = {}
        self._steps = 0
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)

    def head(self, **facts: Any) -> None:
        """Write what the judging is about; all values as JSON."""
        self._write({"kind": "judging", "version": VERSION, "time": time.time(), **facts})

    def conversation(self, name: str, system: str, tools: Iterable[str]) -> None:
        """Begin a conversation; a judging may hold several.

        Args:
            name: Such as `judge` or `describe`, its own within the judging.
            system: The standing instruction.
            tools: Names of the tools.
        """
        self._sent[name] = 0
        self._write({"kind": "conversation", "name": name, "system": system, "tools": [*tools]})

    def turn(self, name: str, messages: Sequence[Message], reply: Reply) -> None:
        """Write one turn.

        Args:
            name: The conversation.
            messages: All messages that were sent; only those not written before are kept.
            reply: The answer.
        """
        fresh, self._sent[name] = messages[self._sent[name] :], len(messages) + 1
        self._write(
            {
                "kind": "turn",
                "conversation": name,
                "step": self._steps,
                "messages": [_bare(message) for message in fresh],
                "llm_response": _response(reply),
                "reply": reply.model_dump(mode="json", exclude={"message"}),
                "message": _bare(reply.message),
            }
        )
        self._steps += 1

    def actions(self, name: str, steps: Iterable[Step]) -> None:
        """Write what was done in the browser.

        Args:
            name: The conversation.
            steps: What was done.
        """
        for step in steps:
            self._write({"kind": "action", "conversation": name, **step.as_json()})

    def note(self, text: str) -> None:
        """Write what the harness noticed, such as a limit that was reached."""
        self._write({"kind": "note", "text": text})

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._path is None:
            return
        # An app may show halves of characters, which no file can hold.
        with self._path.open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())


def _bare(message: Message) -> dict[str, Any]:
    """A message with its pictures by name only: the files lie beside the trajectory."""
    parts = []
    for part in message.parts:
        if isinstance(part, Image):
            part = part.model_copy(update={"data": ""})
        elif isinstance(part, ToolResult):
            content = tuple(
                one.model_copy(update={"data": ""}) if isinstance(one, Image) else one
                for one in part.content
            )
            part = part.model_copy(update={"content": content})
        parts.append(part)
    return message.model_copy(update={"parts": tuple(parts)}).model_dump(mode="json")


def _response(reply: Reply) -> dict[str, Any]:
    """An answer in the words of MiniAppBench B.9."""
    calls = [
        {
            "id": call.id,
            "function": {
                "name": call.name,
                "arguments": call.raw if call.arguments is None else json.dumps(call.arguments),
            },
        }
        for call in reply.message.tool_calls
    ]
    return {
        "model": reply.model,
        "content": reply.message.text,
        "tool_calls": calls,
        "usage": {
            "prompt_tokens": reply.tokens.prompt,
            "completion_tokens": reply.tokens.output,
            "total_tokens": reply.tokens.total,
            "cached_tokens": reply.tokens.cached,
        },
        "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "finish_reason": reply.stop,
    }


def is_recording(folder: Path) -> bool:
    """Whether a folder of evidence holds the record of a model at work.

    Args:
        folder: A folder of evidence; the probe writes a trajectory without a conversation.
    """
    path = folder / NAME
    if not path.is_file():
        return False
    with path.open(encoding="utf-8") as stream:
        return stream.readline().startswith('{"kind": "judging"')


def read(path: Path) -> list[dict[str, Any]]:
    """Read a trajectory; a torn last line is forgiven.

    Args:
        path: The file.

    Returns:
        Its lines.

    Raises:
        RecordsError: Another line is no JSON object, or the file is no trajectory of a model.
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    found = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise RecordsError(
                f"{path}:{number}: this is no line of a trajectory: {error}"
            ) from None
    if not found or found[0].get("kind") != "judging":
        raise RecordsError(f"{path}: no model judged here, so there is no conversation to read")
    return found


def accumulated(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The form of MiniAppBench B.9: each step with all messages up to it.

    Args:
        lines: What `read` gave.

    Yields:
        `step`, `messages` (role and content) and `llm_response` of each turn.
    """
    conversations: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        if line["kind"] == "conversation":
            conversations[line["name"]] = [{"role": "system", "content": line["system"]}]
        elif line["kind"] == "turn":
            messages = conversations[line["conversation"]]
            messages += [_plain(message) for message in line["messages"]]
            yield {
                "step": line["step"],
                "messages": [*messages],
                "llm_response": line["llm_response"],
            }
            messages.append(_plain(line["message"]))


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    words = []
    for part in message["parts"]:
        if part["kind"] == "text":
            words.append(part["text"])
        elif part["kind"] == "tool-result":
            words += [one.get("text") or f"[{one['name']}]" for one in part["content"]]
        elif part["kind"] == "tool-call":
            words.append(f"{part['name']}({json.dumps(part['arguments'])})")
    return {"role": message["role"], "content": "\n".join(words)}
