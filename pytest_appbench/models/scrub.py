"""Takes secrets out of text before it is shown, logged or recorded.

It knows how secrets are named in the environment and how they look in a request. It keeps none:
the environment is read each time, so that a key that was set late is found too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

_NAMES = re.compile(
    r"(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET|ADMIN|SIGNING)_?KEY(?:_ID)?|AUTH_KEY|TOKEN|SECRET|"
    r"PASSWORD|PASSWD|CREDENTIALS?|AUTHORIZATION|CUSTOM_HEADERS)$"
)
_HEADER = re.compile(
    r"(?P<name>\b(?:proxy-)?authorization|\bx-api-key|\bapi-key)(?P<is>[\"']?\s*[:=]\s*[\"']?)"
    r"(?:(?:bearer|basic)\s+)?[^\s\"',;)}\]]+",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{8,}")
_KEY = re.compile(r"\bsk-[A-Za-z0-9_*-]{8,}")
_USER = re.compile(r"(?<=://)[^/@\s\"'<>]+@")
_SHORTEST = 8
"""Values below this length are left alone: replacing `test` everywhere would ruin a text."""


def is_secret(name: str) -> bool:
    """Whether an environment variable of this name holds a secret, such as `OPENAI_API_KEY`."""
    return _NAMES.search(name.upper()) is not None


def scrub(text: str, environment: Mapping[str, str] | None = None, *, shapes: bool = True) -> str:
    """Replace every secret in a text.

    Args:
        text: Any text, such as a provider's message or a line for a record.
        environment: Variables whose secrets to look for; this process's if None.
        shapes: Whether to replace also what only looks like a secret: a key, an `Authorization`
            header, a URL's password. An app's own source may hold such things innocently.

    Returns:
        The text with the values of secret-looking variables replaced by their names in brackets.
    """
    for name, value in _secrets(os.environ if environment is None else environment):
        text = text.replace(value, f"[{name}]")
    if not shapes:
        return text
    text = _HEADER.sub(r"\g<name>\g<is>[hidden]", text)
    text = _BEARER.sub(r"\1 [hidden]", text)
    text = _KEY.sub("[hidden]", text)
    return _USER.sub("[hidden]@", text)


def _secrets(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Names and values of secrets, longest value first, since one may be a part of another."""
    found = {
        (name, value)
        for name, whole in environment.items()
        if is_secret(name)
        for value in _values(name, whole)
        if len(value) >= _SHORTEST
    }
    return sorted(found, key=lambda pair: (-len(pair[1]), pair))


def _values(name: str, whole: str) -> Iterator[str]:
    if name.upper().endswith("CUSTOM_HEADERS"):
        for line in whole.splitlines():
            yield line.partition(":")[2].strip()
        return
    for value in (whole, whole.strip()):
        yield value
        # As an error shows a value that cannot be sent.
        yield value.encode("unicode_escape").decode()
