"""Records of JSON and JSON Lines, one by one: a bad one is told and keeps no other from being read.

This module knows files of records and what people put into their values; what a record means for a
task is for the importers to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pytest_appbench.errors import ExchangeError, Problem
from pytest_appbench.tasks.importers import Draft
from pytest_appbench.tasks.wording import describe, quote

_SPACE = re.compile(r"[\s,]*")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d+[.):、])\s+")
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_LEVELS = {
    **dict.fromkeys(("easy", "simple", "low"), "easy"),
    **dict.fromkeys(("mid", "medium", "middle", "moderate", "normal"), "mid"),
    **dict.fromkeys(("hard", "difficult", "challenging", "high"), "hard"),
}
_HOLDERS = {"data", "items", "queries", "records", "rows", "samples", "tasks", "test", "train"}
_Decoder = json.JSONDecoder(strict=False)  # people leave line ends and tabs in their text


class BadRecord(Exception):
    """A record cannot become a task; the message says what is wrong and what to do."""


class Record:
    """One record, of which an importer takes what a task can hold.

    Args:
        path: The file it was read from.
        line: Where it begins, counted from 1.
        number: Which record of the file it is, counted from 1.
        data: What it holds.
    """

    def __init__(self, path: Path, line: int, number: int, data: dict[str, Any]) -> None:
        self.path, self.line, self.number = path, line, number
        self._data, self._taken = data, set[str]()

    def take(self, *names: str) -> Any:
        """Take a value.

        Args:
            names: Names under which it may be; case, "-" and "_" do not count.

        Returns:
            The first that is there and not empty, else None.
        """
        for name in names:
            for key, value in self._data.items():
                if _alike(key) == _alike(name):
                    self._taken.add(key)
                    if value not in (None, "", [], {}):
                        return value
        return None

    def text(self, *names: str) -> str:
        """Take text that a record must have.

        Args:
            names: Names under which it may be.

        Raises:
            BadRecord: It is not there, or is no text.
        """
        value = self.take(*names)
        if value is None:
            keys = ", ".join(quote(key, 30) for key in list(self._data)[:12]) or "nothing"
            raise BadRecord(f'it has no "{names[0]}", only {keys}; add it')
        if not isinstance(value, str) or not value.strip():
            raise BadRecord(f'"{names[0]}" must be text, but is {describe(value)}; write the text')
        return value.strip()

    def word(self, *names: str) -> str | None:
        """Take text as a task's word: lower-case letters, digits and "-".

        Args:
            names: Names under which it may be.

        Returns:
            The word, or None if there is none.
        """
        value = self.take(*names)
        return word_of(value) if isinstance(value, str | int) else None

    def level(self, *names: str) -> str | None:
        """Take how hard it is.

        Args:
            names: Names under which it may be.

        Raises:
            BadRecord: It is none of the words that people use for that.
        """
        value = self.take(*names)
        if value is None:
            return None
        if level := _LEVELS.get(str(value).strip().lower()):
            return level
        raise BadRecord(f'"{names[0]}" is {describe(value)}; write easy, mid or hard')

    def left(self) -> tuple[str, ...]:
        """The names of what was not taken and is not empty."""
        return tuple(
            key
            for key, value in self._data.items()
            if key not in self._taken and value not in (None, "", [], {})
        )


def word_of(text: object) -> str | None:
    """A word that a task's domain or subclass can be, or None.

    Args:
        text: What a record says there.
    """
    return re.sub(r"[^a-z0-9]+", "-", str(text).lower()).strip("-")[:60].rstrip("-") or None


def statements(value: Any, name: str) -> list[str]:
    """Read statements in whatever way a record lists them.

    Args:
        value: A list of texts, of lists, or of mappings to texts; one text with a statement on each
            line; or None.
        name: What it is called in messages.

    Returns:
        The statements, without bullets and numbers.

    Raises:
        BadRecord: It is something else.
    """
    if value is None:
        return []
    if isinstance(value, str):
        return _lines(value)
    if isinstance(value, dict):
        return [
            f"{key}: {text}" if isinstance(key, str) and not key.isdecimal() else text
            for key, each in value.items()
            for text in statements(each, name)
        ]
    if isinstance(value, list):
        found: list[str] = []
        for each in value:
            if isinstance(each, dict):
                texts = [text.strip() for text in each.values() if isinstance(text, str)]
                found.append("; ".join(text for text in texts if text))
            elif isinstance(each, str):
                found.append(each.strip())
            else:
                found.extend(statements(each, name))
        return [text for text in found if text]
    if isinstance(value, bool | int | float):
        return [str(value)]
    raise BadRecord(f'"{name}" must be a list of texts, but is {describe(value)}; write a list')


def _lines(text: str) -> list[str]:
    """Each bullet, or else each line, with the lines that go on with it."""
    lines = [line for line in text.splitlines() if line.strip()]
    bulleted = any(_BULLET.match(line) for line in lines)
    found: list[str] = []
    for line in lines:
        if bulleted and found and not _BULLET.match(line):
            found[-1] += " " + line.strip()
        else:
            found.append(_BULLET.sub("", line).strip())
    return [each for each in found if each]


def embedded(value: Any, name: str) -> Any:
    """Read JSON that a record holds as text, with or without a fence about it.

    Args:
        value: The text, or what it stands for.
        name: What it is called in messages.

    Raises:
        BadRecord: The text is not JSON.
    """
    if not isinstance(value, str):
        return value
    text = match[1] if (match := _FENCE.match(value)) else value.strip()
    try:
        return _Decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f'"{name}" is not JSON: {_syntax(error)}; mend it') from None


def drafts(path: Path, draft: Callable[[Record], Draft]) -> Iterator[Draft | Problem]:
    """Read a file of records.

    Args:
        path: JSON with a list of records, or an object that holds one, or names records; or JSON
            Lines.
        draft: Makes a draft of a record, or raises BadRecord.

    Yields:
        What each record comes to.

    Raises:
        ExchangeError: The file cannot be read, or holds no records.
    """
    for number, (line, data) in enumerate(_values(path), 1):
        try:
            if isinstance(data, Exception):
                raise BadRecord(f"it is not JSON: {_syntax(data)}; mend it")
            if not isinstance(data, dict):
                raise BadRecord(f"a record is an object, but this is {describe(data)}")
            yield draft(Record(path, line, number, data))
        except BadRecord as error:
            yield Problem(path, line, f"record {number}: {error}")


def _values(path: Path) -> Iterator[tuple[int, Any]]:
    """Each record with its line, or what is wrong with its JSON."""
    text = text_of(path)
    start = _SPACE.match(text).end()  # type: ignore[union-attr]
    if text[start : start + 1] == "[":
        yield from _listed(text, start)
        return
    try:
        whole = _Decoder.decode(text)
    except (ValueError, RecursionError):
        yield from _by_line(text)
        return
    if isinstance(whole, dict):
        yield from ((1, record) for record in _named(whole))
    else:
        raise ExchangeError(f"{path}: a list of records is wanted, but this is {describe(whole)}")


def _named(whole: dict[str, Any]) -> list[Any]:
    """The records of an object: its list, its records by name, or itself."""
    lists = [key for key, value in whole.items() if isinstance(value, list)]
    if len(lists) == 1 and (len(whole) == 1 or lists[0].lower() in _HOLDERS):
        records: list[Any] = whole[lists[0]]
        return records
    if whole and all(isinstance(value, dict) for value in whole.values()):
        return [
            value if "name" in value else {"name": name, **value} for name, value in whole.items()
        ]
    return [whole]


def _by_line(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, _Decoder.decode(line)
            except (ValueError, RecursionError) as error:
                yield number, error


def _listed(text: str, start: int) -> Iterator[tuple[int, Any]]:
    """The elements of a list. After a bad one it goes on where a line begins as the first did."""
    position = _SPACE.match(text, start + 1).end()  # type: ignore[union-attr]
    indent = text[text.rfind("\n", 0, position) + 1 : position]
    begins = re.compile(rf"^{indent}\{{", re.MULTILINE) if not indent.strip() else None
    line, counted = 1, 0
    while position < len(text) and text[position] != "]":
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, position = _Decoder.raw_decode(text, position)
            yield line, value
        except (ValueError, RecursionError) as error:
            yield line, error
            again = begins.search(text, position + 1) if begins else None
            if again is None:
                return
            position = again.end() - 1
        position = _SPACE.match(text, position).end()  # type: ignore[union-attr]


def text_of(path: Path) -> str:
    """Read a text file of others.

    Args:
        path: The file.

    Returns:
        Its text; bytes that are not UTF-8 are halves of characters in it.

    Raises:
        ExchangeError: It cannot be read, or holds nothing.
    """
    if path.is_dir():
        raise ExchangeError(f"{path}: this is a folder; name the file of records in it")
    try:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise ExchangeError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    if not text.strip():
        raise ExchangeError(f"{path}: the file is empty; fetch the data set again")
    return text


def inside(folder: Path, name: str) -> Path | None:
    """A file that a record names, or None if that leads out of the folder.

    Args:
        folder: Where names start.
        name: As the record has it.
    """
    root = folder.resolve()
    path = (root / name).resolve() if "\0" not in name else root
    return path if path.is_relative_to(root) and path != root else None


def _alike(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "").replace(" ", "")


def _syntax(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} at line {error.lineno} column {error.colno}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
