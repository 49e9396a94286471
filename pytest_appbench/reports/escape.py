"""Text that came from apps, models and builds, made harmless for each place it is shown in.

Each function is for one sink; none is good for another.
"""

from __future__ import annotations

import re
import unicodedata

_BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff"
_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """For a terminal or a log: no control sequence, no reordering, no command to a CI runner.

    GitHub's runner obeys lines that begin with `::`, whatever program printed them, and `##[` in
    any place.

    Args:
        text: Any text; line breaks and tabs stay.
    """
    shown = "".join(
        char if char in "\n\t" or not _is_control(char) else _visible(char)
        for char in text.replace("\r\n", "\n")
    )
    return _COMMAND.sub(r"\1: :", shown).replace("##[", "## [")


def line(text: str) -> str:
    """As `plain`, on one line.

    Args:
        text: Any text.
    """
    return plain(" ".join(text.split()))


def spaced(text: str) -> str:
    """As `plain`, on one line whose spacing stays: for rows of a table and what stands indented.

    Args:
        text: Any text; line breaks and tabs in it are shown.
    """
    return plain(text.replace("\n", "\\n").replace("\t", "\\t"))


def code(text: str) -> str:
    """For Markdown, tables included: a code span, in which nothing is a link, an image or HTML.

    Source: CommonMark 0.31, section 6.1; in a table GitHub's extension wants `|` escaped even
    there.

    Args:
        text: Any text; it becomes one line.

    Returns:
        A code span, or nothing of an empty text.
    """
    shown = line(text)
    if not shown:
        return ""
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    shown = shown.replace("\\|", "\\ |").replace("|", "\\|")
    return f"{fence}{pad}{shown}{pad}{fence}"


def command_data(text: str) -> str:
    """For the message of a GitHub workflow command.

    Source: `escapeData` of actions/toolkit, packages/core/src/command.ts.

    Args:
        text: Any text; line breaks stay.
    """
    shown = plain(text)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """For a property of a GitHub workflow command, such as its file or its title.

    Source: `escapeProperty` of actions/toolkit, packages/core/src/command.ts.

    Args:
        text: Any text.
    """
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def xml(text: str) -> str:
    """For XML 1.0, before a writer of XML escapes its own characters.

    Args:
        text: Any text; characters that XML has no way to write become visible, as pytest has them.
    """
    return _NOT_XML.sub(lambda found: f"#x{ord(found[0]):02X}", text)


def _is_control(char: str) -> bool:
    return char in _BIDI or unicodedata.category(char) in ("Cc", "Cs")


def _visible(char: str) -> str:
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
