"""Finds texts that are written in base64, hexadecimal, binary or character codes, and decodes them.

It knows nothing of what the texts say. Only what decodes to readable text counts, so that pictures,
fonts and identifiers cost one try and no more.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}+(?:\s{1,40}[A-Za-z0-9+/_-]{16,}+){0,9999}={0,2}"
)
_CHUNK = re.compile(r"[A-Za-z0-9+/_-]{16,}+={0,2}")
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s,:;-]{0,3}){12,}+")
_CODES = re.compile(r"(?<!\d)(?:\d{2,3}[\s,;]{1,3}){11,}+(?:\d{2,3})?")
_BITS = re.compile(r"(?<!\d)(?:[01]{8}[\s,]{0,3}){10,}+")
_ASCII_RUN = re.compile(rb"[\t\n\r -~]{16,}")
_LETTERS = re.compile(r"[^\W\d_]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_READABLE = 0.4
"""The least share of letters and spaces in a text that somebody means to be read."""


@dataclass(frozen=True)
class Decoded:
    """A text that was written in another way.

    Attributes:
        start: Where it begins, in the searched text.
        end: Where it ends.
        text: What it says.
        encoding: How it was written.
    """

    start: int
    end: int
    text: str
    encoding: str


def decoded(text: str) -> Iterator[Decoded]:
    """Every readable text that is written in another way.

    Args:
        text: What to search.

    Yields:
        What was found, encoding by encoding.
    """
    for match in _BASE64.finditer(text):
        yield from _base64(match)
    for match in _HEX.finditer(text):
        digits = re.sub(r"0x|\\x|[\s,:;-]", "", match.group())
        yield from _said(match, bytes.fromhex(digits), "hex")
    for match in _CODES.finditer(text):
        codes = [int(code) for code in re.findall(r"\d+", match.group())]
        if max(codes) < 256:
            yield from _said(match, bytes(codes), "character codes")
    for match in _BITS.finditer(text):
        bits = re.findall(r"[01]{8}", match.group())
        yield from _said(match, bytes(int(byte, 2) for byte in bits), "binary")


def _base64(match: re.Match[str]) -> Iterator[Decoded]:
    if _has_space(match.group()):
        for chunk in _CHUNK.finditer(match.string, match.start(), match.end()):
            yield from _letters(chunk)
    yield from _letters(match)


def _has_space(text: str) -> bool:
    return any(character.isspace() for character in text)


def _letters(match: re.Match[str]) -> Iterator[Decoded]:
    """What base64 says, also when letters that do not belong to it stand before it."""
    letters = "".join(match.group().split()).rstrip("=").replace("-", "+").replace("_", "/")
    for skipped in range(4):
        written = letters[skipped:]
        # A last single letter holds no whole byte
        written = written[:-1] if len(written) % 4 == 1 else written
        try:
            content = base64.b64decode(written + "=" * (-len(written) % 4))
        except binascii.Error:
            return
        if not skipped:
            whole = list(_said(match, content, "base64"))
            yield from whole
            if whole:
                return
        for run in _ASCII_RUN.finditer(content):
            yield from _said(match, run.group(), "base64")


def _said(match: re.Match[str], content: bytes, encoding: str) -> Iterator[Decoded]:
    # Any bytes are valid UTF-16; those of Latin text have a zero in every second place
    wide = content[1::2].count(0) * 3 > len(content)
    try:
        text = content.decode("utf-16-le" if wide else "utf-8")
    except UnicodeDecodeError:
        return
    letters = len(_LETTERS.findall(text)) + text.count(" ")
    if text and letters >= _READABLE * len(text) and not _CONTROL.search(text):
        yield Decoded(match.start(), match.end(), text, encoding)
