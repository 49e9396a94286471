"""What a judge did, from its trajectory, as items that the player shows one at a time.

Of a model's conversation the answers are shown: its words and its scripts. What was sent to it
holds the app's source and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_appbench.reports.html.clean import clean

MOST_ITEMS = 600
"""Items of one judging that are shown; a judging of 400 actions fits."""
_LONG, _SCRIPT = 1_500, 6_000
_SAID = ("uncaught ", "console error: ", "blocked ")
_LOOKING = frozenset({"look", "read", "readAll", "evaluate", "note"})
_FILES = ("trajectory.jsonl", "trajectory-redacted.jsonl")


def read_steps(folder: Path) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Read what was done in one judging.

    Args:
        folder: Its folder of evidence; it need not be there.

    Returns:
        What a model's trajectory says the judging was about, and the items for the player. Each
        has a kind `k`: `turn`, `action`, `note` or `again` (a second judging begins); an action may
        have pictures `p`, by their names within the folder, the last one of how it ended.
    """
    head: dict[str, Any] | None = None
    items: list[dict[str, Any]] = []
    for again, name in enumerate(_FILES):
        lines = list(_lines(folder / name))
        if lines and again:
            items.append({"k": "again"})
        for line in lines:
            if line.get("kind") == "judging" and head is None:
                head = line
        items += _items(_in_conversations(lines))
    if len(items) > MOST_ITEMS:
        left = len(items) - MOST_ITEMS
        items = [*items[:MOST_ITEMS], {"k": "note", "x": f"{left:,} more are in the trajectory"}]
    return head, items


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a trajectory that can be read: a report shows what there is."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as stream:
        for line in stream:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value


def _in_conversations(lines: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The lines of conversations that went on side by side, one conversation after the other."""
    names = list(dict.fromkeys(str(line.get("conversation", "")) for line in lines))
    names = [name for name in names if name]
    if len(names) < 2:
        yield from lines
        return
    yield from (line for line in lines if "conversation" not in line)
    for name in names:
        yield {"kind": "note", "text": f"conversation: {name}"}
        yield from (line for line in lines if line.get("conversation") == name)


def _items(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for line in lines:
        kind = line.get("kind", "action")  # the probe's lines are all actions
        if kind == "turn":
            yield _turn(line)
        elif kind == "action" and "number" in line:
            yield _action(line)
        elif kind == "note":
            yield {"k": "note", "x": clean(str(line.get("text", "")), _LONG)}


def _turn(line: Mapping[str, Any]) -> dict[str, Any]:
    response = line.get("llm_response") or {}
    usage = response.get("usage") or {}
    tools = []
    for call in response.get("tool_calls") or ():
        function = call.get("function") or {}
        name, code = _call(str(function.get("name", "")), str(function.get("arguments", "")))
        tools.append({"n": clean(name, 100), "a": clean(code, _SCRIPT)})
    return {
        "k": "turn",
        "n": int(line.get("step", 0)) + 1,
        "x": clean(str(response.get("content") or ""), _SCRIPT),
        "c": tools,
        "i": usage.get("prompt_tokens"),
        "o": usage.get("completion_tokens"),
        "h": usage.get("cached_tokens"),
        "e": clean(str(response.get("finish_reason") or ""), 40),
    }


def _call(name: str, arguments: str) -> tuple[str, str]:
    """A tool's call in the words a person would read: a script as code, the rest indented."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return name, arguments
    if isinstance(value, dict) and set(value) == {"code"} and isinstance(value["code"], str):
        return name, value["code"].strip("\n")
    return name, json.dumps(value, ensure_ascii=False, indent=1) if value else ""


def _action(line: Mapping[str, Any]) -> dict[str, Any]:
    action, changed = str(line.get("action", "")), str(line.get("changed", ""))
    item: dict[str, Any] = {
        "k": "action",
        "n": line["number"] if isinstance(line["number"], int) else 0,
        "a": clean(action, 40),
        "w": clean(str(line.get("target", "")), 300),
        "t": line.get("seconds", 0) if isinstance(line.get("seconds"), int | float) else 0,
    }
    if shown := line.get("picture"):
        frames = [frame.get("file", "") for frame in line.get("frames") or ()]
        item["p"] = [str(name) for name in (*frames, shown)]
    if action == "screenshot":
        return {**item, "p": [changed]}
    if action == "console":
        return {**item, "s": [clean(changed, _LONG)]}
    if action in _LOOKING:
        return {**item, "c": clean(changed, _LONG)}
    parts = changed.split("; ")
    said = [part for part in parts if part.startswith(_SAID)]
    item["c"] = clean("; ".join(part for part in parts if part not in said), _LONG)
    return {**item, "s": [clean(part, 500) for part in said]} if said else item
