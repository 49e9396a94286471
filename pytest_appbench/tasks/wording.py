"""How values are shown in messages: short, on one line, with nothing invisible in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def quote(text: str, limit: int = 60) -> str:
    """Text as a message shows it.

    Args:
        text: The text; it may hold anything.
        limit: The most characters that are shown.

    Returns:
        The text in quotes.
    """
    words = " ".join(text[: 10 * limit].split())
    short = words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in short
    )
    mark = "'" if '"' in shown and "'" not in shown else '"'
    return f"{mark}{shown}{mark}"


def numbered(lines: Iterable[str]) -> str:
    """Lines with their numbers, counted from 1.

    Args:
        lines: The lines.
    """
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def describe(value: Any) -> str:
    """What a value is, in the words of someone who writes YAML.

    Args:
        value: What a document holds.

    Returns:
        A noun phrase, or a word such as `empty`.
    """
    match value:
        case None:
            return "empty"
        case bool():
            return f"the truth value {str(value).lower()}"
        case int() | float():
            return f"the number {quote(str(value), 30)[1:-1]}"
        case str():
            return f"the text {quote(value)}" if value.strip() else "blank"
        case dict():
            return "a mapping of keys and values"
        case _:
            return "a list" if value else "an empty list"
