"""Makes foreign text safe to show, and puts it into the places that a page has for it.

Apps, models and task files can hold anything. What a reader could not see (control characters,
marks that turn the reading direction) is made visible here, lengths are bounded, and halves of
characters are replaced. Escaping belongs to each place: the template escapes for HTML by itself,
the script only ever sets text, and data inside a script element is written by `for_script`.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

_TURNING = "\u202a-\u202e\u2066-\u2069"
# What has no shape of its own, or would make the words after it look like others.
_UNSEEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}\ufeff\ufff9-\ufffb]")
_HALVES = re.compile("[\ud800-\udfff]")
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def clean(text: str, most: int = 2_000) -> str:
    """Make a text fit to be shown.

    Args:
        text: Any text.
        most: Characters to keep; how many were left out is said at the end.

    Returns:
        The text with lines ended by a newline, control characters and those that turn the reading
        direction written as their code points, and no half characters.
    """
    left = len(text) - most
    if left > 0:
        text = text[:most]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _HALVES.sub("\ufffd", _UNSEEN.sub(lambda m: f"[U+{ord(m[0]):04X}]", text))
    return f"{text}… ({left:,} more characters)" if left > 0 else text


def for_script(value: Any) -> str:
    """Write data for a `<script type="application/json">` element.

    Args:
        value: Anything that JSON can hold.

    Returns:
        JSON in ASCII that has no `<`, `>` or `&`, so that no text in it can end the element, begin
        a comment or be read as an entity.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return re.sub("[<>&]", lambda m: _IN_SCRIPT[m[0]], text)


def packed(value: Any) -> str:
    """Write data that is only read when it is asked for: JSON, compressed, in base64.

    Args:
        value: Anything that JSON can hold.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    # No time stamp, so that the same run gives the same report.
    return base64.b64encode(gzip.compress(text.encode("ascii"), 9, mtime=0)).decode("ascii")
