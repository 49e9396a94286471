"""From a task document to YAML that `reader` reads back as it was.

Text may come from anywhere. What a task file cannot hold, `readable` takes out and says so; all
else is quoted where it must be, so that no text becomes a key, a number or another document.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from pytest_appbench.tasks.reader import REFUSED, plain

_WIDTH = 100
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _TaskDumper(_Dumper):  # type: ignore[misc]
    """Writes many lines as a block, and quotes whatever the reader would take for no text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Say everything twice rather than point at it."""
        return True


def _represent_text(dumper: Any, text: str) -> Any:
    style = None
    if "\n" in text.rstrip("\n"):
        style = "|"
    elif plain(text) is not text:
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_TaskDumper.add_representer(str, _represent_text)


def document_text(document: dict[str, Any]) -> str:
    """Write one document of a task file.

    Args:
        document: Keys of a task with text, numbers, lists and mappings; the text is `readable`.

    Returns:
        YAML without a line of "---".
    """
    text: str = yaml.dump(
        document, Dumper=_TaskDumper, allow_unicode=True, sort_keys=False, width=_WIDTH
    )
    return text


def readable(text: str) -> str:
    """Make text fit for a task file.

    Args:
        text: Any text.

    Returns:
        The text with line feeds for all ends of lines, without invisible characters, and with
        U+FFFD in place of halves of characters.
    """
    if not REFUSED.search(text):
        return text
    return REFUSED.sub("", _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text)))


def holds_hidden(text: str) -> bool:
    """Whether `readable` takes more out of a text than ends of lines.

    Args:
        text: Any text.
    """
    return bool(REFUSED.search(text) and REFUSED.search(_LINE_ENDS.sub("\n", text)))
