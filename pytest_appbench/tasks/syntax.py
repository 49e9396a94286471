"""What a YAML parser's complaint means to a person who writes tasks.

A parser says what it expected in its own grammar. This module looks at the line it stopped at and
says what was probably meant and what to write instead, for libyaml's words and for PyYAML's.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import yaml

from pytest_appbench.tasks.wording import quote

_QUOTES = re.compile(r"""^[^'"#]*(['"])""")


class _Place:
    """Where a parser stopped, and what it was reading."""

    def __init__(self, error: yaml.YAMLError, lines: list[str]) -> None:
        self.problem = " ".join(str(getattr(error, "problem", None) or error).split())
        context = getattr(error, "context", None)
        self.words = f"{context or ''}: {self.problem}"
        mark = getattr(error, "problem_mark", None)
        begun = getattr(error, "context_mark", None) or mark
        last = len(lines) - 1
        self.stopped = min(mark.line, last) if mark else 0
        self.column = mark.column if mark and mark.line <= last else len(lines[last])
        self.begun = min(begun.line, last) if begun else self.stopped
        self.text = lines[self.stopped]
        self.first = lines[self.begun]
        self.before = self.text[: self.column]
        self.character = self.text[self.column : self.column + 1]


def explain_syntax(error: yaml.YAMLError, text: str) -> tuple[int, str]:
    """Say in plain words why a document is not YAML.

    Args:
        error: What the parser raised.
        text: The document.

    Returns:
        The line to look at, counted from 0 within the text, and what is wrong with it.
    """
    place = _Place(error, text.rstrip("\n").split("\n"))
    for pattern, explain in _EXPLANATIONS:
        if re.search(pattern, place.words) and (explained := explain(place)):
            return explained
    return place.stopped, f"this is not YAML: {place.problem}; check the quotes and indentation"


def _tab(place: _Place) -> tuple[int, str] | None:
    blank = place.text[: len(place.text) - len(place.text.lstrip())]
    if "\t" not in blank or place.column > len(blank):
        return None
    return place.stopped, "a tab indents this line; YAML takes only spaces, so write spaces instead"


def _open_quote(place: _Place) -> tuple[int, str]:
    match = _QUOTES.search(place.first)
    mark = match[1] if match else "quote"
    return place.begun, (
        f"the text that begins with {mark} on this line is never closed; add the closing {mark}, "
        'or put the text without quotes on indented lines below "key: >"'
    )


def _colon(place: _Place) -> tuple[int, str]:
    key = re.match(r"\s*(?:- )?([\w-]+):\s", place.before)
    if key:
        return place.stopped, (
            f'the text of "{key[1]}" holds ": ", which YAML takes for a second key; put the whole '
            f'text in quotes, or on indented lines below "{key[1]}: >"'
        )
    words = quote(place.before.strip() + ":")
    return place.stopped, (
        f"YAML cannot take {words} for a key here; if it is one, indent it like the keys beside "
        "it; if it belongs to the text above, put that text on indented lines below "
        '"key: >"'
    )


def _list_on_the_line(place: _Place) -> tuple[int, str]:
    return place.stopped, (
        'a list cannot begin on the line of its key; write each "- " on an indented line of its own'
    )


def _no_colon(place: _Place) -> tuple[int, str]:
    return place.begun, (
        f'{quote(place.first)} has no ": "; write "key: value", or indent it if it belongs to '
        "the text above"
    )


def _first_character(place: _Place) -> tuple[int, str]:
    character = place.character
    if "alias" in place.words:
        character = "*"
    elif "anchor" in place.words:
        character = "&"
    elif "tag" in place.words:
        character = "!"
    if not character and "flow" in place.words:
        return place.begun, (
            "a list or mapping in brackets is not closed before the document ends; close it, or "
            "put text that begins with [ or { in quotes"
        )
    if not character:
        return place.stopped, "a value is missing here; write it, or delete the key"
    if character == "\t":
        return place.stopped, "a tab stands where a value or key begins; write spaces instead"
    return place.stopped, (
        f"text without quotes cannot begin with {character}; put the whole text in quotes"
    )


def _escape(place: _Place) -> tuple[int, str]:
    return place.stopped, (
        "between double quotes a backslash begins an escape such as \\n; write \\\\ for a "
        "backslash, or use single quotes"
    )


def _open_bracket(place: _Place) -> tuple[int, str]:
    kind, end = ("mapping", "}") if "'}'" in place.words else ("list", "]")
    begin = {"}": "{", "]": "["}[end]
    return place.begun, (
        f'the {kind} that begins with {begin} on this line lacks a comma or its closing "{end}"; '
        f"add it, or put text that begins with {begin} in quotes"
    )


def _misplaced(place: _Place) -> tuple[int, str]:
    if place.before.strip(" -"):
        ends = re.search(r"""(["'\]}])\s*$""", place.before)
        inner = ", and double a ' inside single quotes" if ends and ends[1] == "'" else ""
        return place.stopped, (
            f"{quote(place.text[place.column :])} stands after the end of a value; put the "
            f"whole value in quotes{inner}"
        )
    if "block collection" in place.words:
        return place.stopped, (
            f"{quote(place.text)} is indented like the entries of the list above but has no "
            '"- "; add it, or indent the line like the key that it stands beside'
        )
    return place.stopped, (
        f"the indentation of {quote(place.text)} fits no line above; indent keys and entries "
        "that belong together alike, and text below its key by two spaces more"
    )


def _block_header(place: _Place) -> tuple[int, str]:
    return place.stopped, (
        'nothing may follow ">" or "|" on its line; write the text on indented lines below, or '
        "put text that begins with > or | in quotes"
    )


def _second_document(place: _Place) -> tuple[int, str]:
    if place.text.startswith("%") or not place.text.strip():
        return place.stopped, 'a "%" directive has no place here; delete it'
    return place.stopped, (
        f'{quote(place.text)} begins a second task; write a line with only "---" before it'
    )


def _directive(place: _Place) -> tuple[int, str]:
    return place.begun, (
        f'{quote(place.first)} is read as a YAML directive because it begins with "%"; indent '
        "it if it belongs to the text above, else delete it"
    )


_EXPLANATIONS: tuple[tuple[str, Callable[[_Place], tuple[int, str] | None]], ...] = (
    (r"", _tab),
    (r"quoted scalar: found unexpected (?:end|document)", _open_quote),
    (r"mapping values are not allowed|unexpected ':'", _colon),
    (r"sequence entries are not allowed", _list_on_the_line),
    (r"could not find expected ':'", _no_colon),
    (r"escape|hexdecimal|hexadecimal", _escape),
    (r"directive|incompatible YAML", _directive),
    (r"expected '?<document start>", _second_document),
    (r"expected ',' or", _open_bracket),
    (r"expected (?:a )?comment or|chomping or indentation", _block_header),
    (
        r"cannot start any token|scanning an (?:alias|anchor)|\btag\b|node content"
        r"|mapping keys are not allowed",
        _first_character,
    ),
    (r"expected key|expected <block end>|expected '-' indicator", _misplaced),
)
