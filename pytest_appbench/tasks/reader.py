"""From the bytes of a YAML file to its documents: plain data that knows the line of every entry.

This module knows YAML and nothing of tasks. It is where hostile input ends: whatever the file
holds, reading it takes time and memory in proportion to its size, and every mistake is a `Problem`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from pathlib import Path
from stat import S_ISREG
from typing import Any

import yaml

from pytest_appbench.errors import Problem, TaskFileError
from pytest_appbench.tasks.syntax import explain_syntax
from pytest_appbench.tasks.wording import quote

MAX_BYTES = 32 * 2**20
MAX_PROBLEMS = 100
"""How many problems of one file are told at once."""
MAX_EVENTS = 100_000
"""Values, beginnings and ends of lists and mappings in one document."""
MAX_DEPTH = 20
ALIAS_BUDGET = 20_000
"""Values and characters that all the aliases of one document may stand for."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_SEPARATOR = re.compile(r"\n---(?=\s|\Z)")
# Before the first "---" a line may also be blank, a comment, or a directive such as %YAML 1.2.
_CONTENT = re.compile(r"^(?!%)[ \t]*[^#\s]", re.MULTILINE)
_NUMBER = re.compile(r"[-+]?(?:([0-9]+)|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)")
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST_OF_NO_TEXT = frozenset(word[:1] for word in (*_CONSTANTS, *"+-.0123456789"))
# Control characters, surrogates (they stand for bytes that are not UTF-8), non-characters, and
# invisible line separators, so that lines are counted here as in every editor.
REFUSED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_NAMES = {0: "NUL", 0x1B: "ESC", 0x85: "NEL", 0x2028: "LINE SEPARATOR", 0xFEFF: "BYTE ORDER MARK"}


class Mapping(dict[str, Any]):
    """A YAML mapping that knows the line of each key, counted from 1."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        self.line = line
        self.lines: dict[str, int] = {}


class Sequence(list[Any]):
    """A YAML list that knows the line of each entry, counted from 1."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        self.line = line
        self.lines: list[int] = []


@dataclass(slots=True)
class Document:
    """One document of a file.

    Attributes:
        line: Where it begins, counted from 1.
        data: What it holds; None where it could not be read.
        problems: What is wrong with it as YAML.
    """

    line: int
    data: Any = None
    problems: list[Problem] = field(default_factory=list)


class _Refused(Exception):
    """The rest of a document is not worth reading."""

    def __init__(self, line: int, message: str) -> None:
        self.line, self.message = line, message


def read_documents(path: Path) -> Iterator[Document]:
    """Read the documents of a file, one by one.

    Args:
        path: The file.

    Yields:
        Each document that is there. One that cannot be read carries its problems and does not keep
        the later ones from being read.

    Raises:
        TaskFileError: The file as a whole cannot be read.
    """
    text = _text_of(path)
    # A match begins one character early, at the line feed that is put before the text here.
    starts = (match.start() for match in _SEPARATOR.finditer("\n" + text))
    ends = chain(starts, [len(text)])
    begin = next(ends)
    if _CONTENT.search(text, 0, begin):
        yield _read(path, text[:begin], 1)
    line = 1 + text.count("\n", 0, begin)
    for start, end in pairwise(chain([begin], ends)):
        yield _read(path, text[start:end], line)
        line += text.count("\n", start, end)


def _text_of(path: Path) -> str:
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise _unreadable(path, "this is not a file; name a task file, such as lab.task.yaml")
        if status.st_size > MAX_BYTES:
            raise _unreadable(
                path,
                f"the file has {status.st_size / 2**20:.1f} MB, more than the "
                f"{MAX_BYTES // 2**20} MB that are read; split it into several files",
            )
        raw = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, f"the file cannot be read: {error.strerror}") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _unreadable(path, "the file is UTF-16; save it as UTF-8")
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return raw.decode("utf-8", "surrogateescape")


def _unreadable(path: Path, message: str) -> TaskFileError:
    return TaskFileError([Problem(path, 1, message)])


def _read(path: Path, text: str, line: int) -> Document:
    document = Document(line)
    if unwanted := list(islice(_unwanted_characters(text, line), MAX_PROBLEMS + 1)):
        document.problems = [Problem(path, *each) for each in unwanted]
        return document
    builder = _Builder(line)
    try:
        document.data = builder.build(_Loader(text))
    except _Refused as refused:
        builder.notes.append((refused.line, refused.message))
    except yaml.YAMLError as error:
        offset, message = explain_syntax(error, text)
        builder.notes.append((line + offset, message))
    document.problems = [Problem(path, *note) for note in builder.notes]
    if isinstance(document.data, Mapping | Sequence):
        document.line = document.data.line
    return document


def _unwanted_characters(text: str, line: int) -> Iterator[tuple[int, str]]:
    """The first character of each line that may not stand in a task file."""
    if not REFUSED.search(text):
        return
    for number, content in enumerate(text.split("\n"), line):
        if match := REFUSED.search(content):
            yield number, _unwanted(match[0], content[: match.start()])


def _unwanted(character: str, before: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        column = len(before.encode("utf-8", "surrogateescape")) + 1
        return (
            f"byte {column} of this line (0x{code - 0xDC00:02X}) is not UTF-8; save the file as "
            "UTF-8, or type the character anew"
        )
    name = f" ({_NAMES[code]})" if code in _NAMES else ""
    return (
        f"the invisible character U+{code:04X}{name} stands at column {len(before) + 1}; delete it"
    )


class _Builder:
    """Makes data of the events of one document, without recursion.

    The composers of libyaml's binding and of PyYAML recurse, and deep nesting crashes them; events
    do not. Plain words are read by the rules of YAML 1.2: `no`, `on` and dates are text.

    Args:
        first_line: The line of the file on which the document's text begins, counted from 1.
    """

    def __init__(self, first_line: int) -> None:
        self.notes: list[tuple[int, str]] = []
        self._first_line = first_line
        self._anchors: dict[str, Any] = {}
        self._aliased = 0

    def build(self, parser: Any) -> Any:
        """Read the document.

        Args:
            parser: A PyYAML loader on the text of one document.

        Returns:
            Mappings, sequences, text, numbers, booleans and None; None also for no document.

        Raises:
            _Refused: The document is malicious, or not of a shape that data can have.
            yaml.YAMLError: It is not YAML.
        """
        root: Any = None
        stack: list[Any] = []
        container: Any = None
        key: str | None = None
        line = first_line = self._first_line
        get_event = parser.get_event
        for _ in range(MAX_EVENTS):
            event = get_event()
            kind = type(event)
            if kind is yaml.ScalarEvent:
                opens = False
                value: Any = event.value
                if event.tag is not None or event.anchor is not None or event.style == '"':
                    self._examine_scalar(event)
                if event.implicit[0] and (key is not None or type(container) is not Mapping):
                    value = plain(value)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                opens = True
                make = Mapping if kind is yaml.MappingStartEvent else Sequence
                value = make(event.start_mark.line + first_line)
                if event.tag is not None or event.anchor is not None:
                    self._examine(event, value)
                if len(stack) == MAX_DEPTH:
                    raise _Refused(
                        value.line,
                        f"values are nested more than {MAX_DEPTH} levels deep here; "
                        "write the task with less nesting",
                    )
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                stack.pop()
                container = stack[-1] if stack else None
                continue
            elif kind is yaml.AliasEvent:
                opens = False
                value = self._resolve(event, stack)
            elif kind is yaml.StreamEndEvent:
                return root
            else:
                continue

            line = event.start_mark.line + first_line
            if container is None:
                root = value
            elif type(container) is Sequence:
                container.append(value)
                container.lines.append(line)
            elif key is None:
                key = self._key(container, value, line)
                continue
            else:
                container[key] = value
                key = None
            if opens:
                stack.append(value)
                container = value
        raise _Refused(
            line,
            f"one document holds more than {MAX_EVENTS} values up to here; write each task as a "
            'document of its own, after a line with only "---"',
        )

    def _key(self, mapping: Mapping, key: Any, line: int) -> str:
        if type(key) is not str:
            raise _Refused(
                line,
                "a list or mapping stands here where a key must stand; put text that begins with "
                "[ or { in quotes",
            )
        first = mapping.lines.setdefault(key, line)
        if key in mapping:
            self.notes.append(
                (line, f"the key {quote(key)} is here twice, first on line {first}; keep one")
            )
        return key

    def _examine_scalar(self, event: Any) -> None:
        self._examine(event, plain(event.value) if event.implicit[0] else event.value)
        if event.style == '"' and (match := REFUSED.search(event.value)):
            self.notes.append(
                (
                    event.start_mark.line + self._first_line,
                    f"the text between the quotes holds the invisible character "
                    f"U+{ord(match[0]):04X}; take its escape out",
                )
            )

    def _examine(self, event: Any, value: Any) -> None:
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        if event.tag is not None:
            tag = event.tag.removeprefix("tag:yaml.org,2002:")
            written = quote(event.tag if tag == event.tag else f"!!{tag}")
            self.notes.append(
                (
                    event.start_mark.line + self._first_line,
                    f"the YAML tag {written} is refused: a task is plain data; delete the tag, or "
                    "put text that begins with ! in quotes",
                )
            )

    def _resolve(self, event: Any, open_containers: list[Any]) -> Any:
        line, name = event.start_mark.line + self._first_line, event.anchor
        if name not in self._anchors:
            raise _Refused(
                line,
                f"*{name} refers to an anchor &{name} that is not in this document; put text that "
                "begins with * in quotes",
            )
        value = self._anchors[name]
        if any(value is each for each in open_containers):
            raise _Refused(line, f"*{name} refers to itself; write the value out")
        self._aliased += _size(value, ALIAS_BUDGET - self._aliased)
        if self._aliased > ALIAS_BUDGET:
            raise _Refused(
                line,
                f"with *{name}, the aliases of this document stand for more than {ALIAS_BUDGET} "
                "values and characters; write the values out",
            )
        return value


def plain(text: str) -> Any:
    """The value of unquoted text, by the rules of YAML 1.2.

    Args:
        text: As it stands in the file.

    Returns:
        A number, a boolean, None, or the text.
    """
    if text[:1] not in _FIRST_OF_NO_TEXT:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    match = _NUMBER.fullmatch(text)
    # Python refuses to read integers of thousands of digits.
    if match is None or len(text) > 300:
        return text
    return int(text) if match[1] else float(text)


def _size(value: Any, budget: int) -> int:
    """Count values and characters, but not far beyond the budget."""
    size, pending = 0, [value]
    while pending and size <= budget:
        each = pending.pop()
        size += 1 + (len(each) if isinstance(each, str) else 0)
        if isinstance(each, Mapping):
            size += sum(map(len, each))
            pending.extend(each.values())
        elif isinstance(each, Sequence):
            pending.extend(each)
    return size
