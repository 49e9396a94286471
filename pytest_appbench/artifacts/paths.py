"""Which names an app's files may have: relative, plain, and the same file on every machine.

A name comes from a model, an agent or a stranger; nothing here touches a disk.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MAX_LENGTH = 200
"""Characters of a whole path."""

MAX_DEPTH = 10
"""Folders and the file of one path."""

_FORBIDDEN = re.compile(r'[\\:*?"<>|]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)


class UnsafePath(ValueError):
    """A name that cannot be a file of an app; the message says why, to follow the name."""


def safe_path(name: str) -> str:
    """Make sure that a name is a place inside the folder it is written to.

    Args:
        name: A path as someone else gave it.

    Returns:
        The same, without a leading `./` and empty parts, in Unicode's composed form.

    Raises:
        UnsafePath: It leads elsewhere, or some system would take it for something else.
    """
    path = unicodedata.normalize("NFC", name.strip())
    if any(unicodedata.category(character)[0] == "C" for character in path):
        raise UnsafePath("holds characters that cannot be seen")
    if path.startswith("/") or re.match(r"(?:\.?/)*(?:~|[A-Za-z]:)", path):
        raise UnsafePath("is not relative")
    if _FORBIDDEN.search(path):
        raise UnsafePath("holds a character that not every system allows in a name")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or path.endswith("/"):
        raise UnsafePath("names no file")
    if ".." in parts:
        raise UnsafePath("leads out of the app")
    if any(_RESERVED.fullmatch(part) or part.endswith((".", " ")) for part in parts):
        raise UnsafePath("has a part that some systems reserve")
    if parts[0] != parts[0].lstrip():
        raise UnsafePath("begins with a space")
    whole = "/".join(parts)
    if len(whole) > MAX_LENGTH or len(parts) > MAX_DEPTH or len(whole.encode()) > 4 * MAX_LENGTH:
        raise UnsafePath("is too long")
    if max(len(part.encode()) for part in parts) > 255:
        raise UnsafePath("has a part that is too long")
    return whole


def clash(name: str, others: Iterable[str]) -> str | None:
    """A name that cannot exist beside another one.

    Args:
        name: A safe path.
        others: Safe paths.

    Returns:
        The other that is the same file on some systems, or a folder where this is a file.
    """
    mine = name.casefold()
    for other in others:
        theirs = other.casefold()
        if mine == theirs or mine.startswith(theirs + "/") or theirs.startswith(mine + "/"):
            return other
    return None
