"""What is wrong with a task document: what stands there, what must, and what to write instead.

pydantic says where a document departs from the model. This module turns each of these places into
a line of the file and a sentence. It knows the keys of a task; it reads no files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice, pairwise
from typing import Any, get_args

from pydantic import ValidationError

from pytest_appbench.tasks.model import Format, Level, Project, Reference, TaskDocument
from pytest_appbench.tasks.reader import Mapping, Sequence
from pytest_appbench.tasks.wording import describe, quote

KEYS = tuple(TaskDocument.model_fields)
DIMENSIONS = tuple(Reference.model_fields)
COMMANDS = tuple(Project.model_fields)

_OWNERS = {"reference": (DIMENSIONS, "the reference"), "project": (COMMANDS, "a project")}
_NEEDLESS = (
    '"project" says how an app with a server of its own is run; write "format: project", or delete '
    "the key"
)

_OTHER_NAMES = {
    "name": "id",
    "category": "domain",
    "topic": "subclass",
    "subdomain": "subclass",
    "difficulty": "level",
    "prompt": "query",
    "request": "query",
    "description": "query",
    "references": "reference",
    "viewport": "viewports",
}
_OTHER_LEVELS = {"medium": "mid", "middle": "mid", "simple": "easy", "difficult": "hard"}

Place = tuple[int, str]
"""A line, counted from 1, and what is wrong there."""


@dataclass(frozen=True)
class _Rule:
    """What may stand under a key, in words, and what to write in place of something else."""

    wants: str
    advise: Callable[[str, Any], str]


def departures(data: Mapping, complete: dict[str, Any]) -> Iterator[Place]:
    """Say where a document departs from the model.

    Args:
        data: The document as it stands in the file.
        complete: The same with the defaults that hold for it. What is wrong with the defaults alone
            is left out.

    Yields:
        Lines, counted from 1, with what is wrong there and what to write instead.
    """
    try:
        TaskDocument.model_validate(complete)
        return
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False)
    unknown = islice((key for key in data if key not in KEYS), 2 * len(KEYS))
    suggested = {_suggestion(key, KEYS) for key in unknown}
    for each in errors:
        path = each["loc"]
        if each["type"] == "missing":
            if len(path) > 1 and (place := _find(data, path[:-1])) is not None:
                yield place[0], _missing_inside(str(path[0]), str(path[-1]))
            elif path[0] not in suggested:
                yield data.line, _missing(data, str(path[0]))
        elif (place := _find(data, path)) is not None:
            line, value = place
            if each["type"] == "extra_forbidden":
                yield line, _unknown_key(path)
            elif each["type"] == "needless":
                yield line, _NEEDLESS
            else:
                yield line, _wrong_value(path, value)


def not_a_mapping(data: Any) -> str:
    """Say what is wrong with a document that holds no keys.

    Args:
        data: What it holds.

    Returns:
        The message.
    """
    if data is None:
        return (
            'this document is empty; write a task below the "---" (id, domain and query at least), '
            'or delete the "---"'
        )
    return (
        f"a task is a mapping of keys such as id, domain and query, but this document is "
        f"{describe(data)}; "
        + (
            'write each task without the "- " and separate tasks by lines with only "---"'
            if isinstance(data, Sequence)
            else 'write "key: value" lines'
        )
    )


def _find(data: Any, path: tuple[int | str, ...]) -> Place | None:
    """The line and value of an entry, or None where the document does not hold it."""
    line = 0
    for step in path:
        try:
            line, data = data.lines[step], data[step]
        except (AttributeError, KeyError, IndexError, TypeError):
            return None
    return line, data


def _missing(data: Mapping, key: str) -> str:
    name = data.get("id")
    task = f"the task {quote(name)}" if isinstance(name, str) and key != "id" else "this task"
    where = ", or set it for the whole folder in defaults.task.yaml" if key == "domain" else ""
    return f'{task} has no "{key}"; add for example "{key}: {_example(key)}"{where}'


def _missing_inside(owner: str, key: str) -> str:
    example = (Project.model_fields[key].examples or [""])[0]
    return f'"{owner}" has no "{key}"; add for example "{key}: {example}", indented, below it'


def _unknown_key(path: tuple[int | str, ...]) -> str:
    key, parents = str(path[-1]), path[:-1]
    known, owner = _OWNERS[str(parents[0])] if parents else (KEYS, "a task")
    if key == "<<":
        return (
            "merge keys (<<) are not read; write what several tasks share into defaults.task.yaml"
        )
    if not parents and key in DIMENSIONS:
        return f'"{key}" belongs under "reference"; indent it, or write "reference:" above it'
    if parents and key in KEYS:
        return f'"{key}" belongs to the task, not under "{parents[0]}"; indent it less'
    message = f"{quote(key)} is not a key of {owner}; "
    if suggestion := _suggestion(key, known):
        return message + f'did you mean "{suggestion}"?'
    return message + f"its keys are {', '.join(known)}"


def _suggestion(key: str, known: tuple[str, ...]) -> str | None:
    word = key.strip().lower()
    other = _OTHER_NAMES.get(word)
    if other in known:
        return other
    return next(iter(get_close_matches(word[:100], known, n=1)), None)


def _wrong_value(path: tuple[int | str, ...], value: Any) -> str:
    rule = _RULES[tuple("*" if isinstance(step, int) else step for step in path)]
    found = describe(value)
    return (
        f"{_name(path)} must be {rule.wants}, but is {found}; {rule.advise(str(path[-1]), value)}"
    )


def _name(path: tuple[int | str, ...]) -> str:
    keys = ".".join(step for step in path if isinstance(step, str))
    numbers = [step + 1 for step in path if isinstance(step, int)]
    return f'entry {numbers[0]} of "{keys}"' if numbers else f'"{keys}"'


def _example(key: str) -> str:
    example = (TaskDocument.model_fields[key].examples or [""])[0]
    return str(example)


def _advise_word(key: str, value: Any) -> str:
    if value is None or isinstance(value, list | dict):
        return f'write for example "{key}: {_example(key)}"'
    text = str(value)
    if isinstance(value, bool) or (isinstance(value, int) and value >= 0):
        return f"put it in quotes: {key}: {_quoted(value)}"
    word = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")[:100] or _example(key)
    return f'write for example "{key}: {word}"' + (
        " (at most 100 characters)" if len(text) > 100 else ""
    )


def _quoted(value: float) -> str:
    return quote(str(value).lower() if isinstance(value, bool) else str(value))


def _advise_level(key: str, value: Any) -> str:
    levels = get_args(Level)
    word = str(value).strip().lower()
    near = _OTHER_LEVELS.get(word) or next(iter(get_close_matches(word[:100], levels, n=1)), None)
    return f'write "level: {near}"' if near else 'write for example "level: mid", or delete the key'


def _advise_query(key: str, value: Any) -> str:
    if isinstance(value, int | float):
        return f"put it in quotes: query: {_quoted(value)}"
    return (
        'write the request, as a person would put it, on indented lines below "query: >", so that '
        "YAML takes every character of it for text"
    )


def _advise_reference(key: str, value: Any) -> str:
    return (
        'write "intention:", "static:" and "dynamic:" on indented lines below it, each with a list '
        "of statements, or delete the key"
    )


def _advise_statements(key: str, value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return 'write each statement on an indented line of its own, after "- "'
    if isinstance(value, dict):
        return 'begin each statement with "- ", and put one that holds ": " in quotes'
    return 'write statements on indented lines below it, each after "- ", or delete the key'


def _advise_statement(key: str, value: Any) -> str:
    if isinstance(value, dict) and len(value) == 1:
        ((first, rest),) = value.items()
        if rest is None or isinstance(rest, str | int | float):
            whole = quote(f"{first}: {'' if rest is None else rest}", 200)
            return f'YAML takes its ": " for a key; put the whole statement in quotes: - {whole}'
    if isinstance(value, int | float):
        return f"put it in quotes: - {_quoted(value)}"
    if isinstance(value, dict | list):
        return "put the whole statement in quotes"
    return 'write a statement after the "- ", or delete the line'


def _advise_places(key: str, value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return f'write "{key}: [{quote(value.strip(), 100)[1:-1]}]"'
    return 'write each path on an indented line of its own, after "- ", or delete the key'


def _advise_place(key: str, value: Any) -> str:
    return "write a path relative to the task's folder, such as " + (
        _example(key) if key in KEYS else "materials/sales.csv"
    )


def _advise_language(key: str, value: Any) -> str:
    return 'write for example "language: en", or delete the key'


def _advise_project(key: str, value: Any) -> str:
    return 'write "serve: node server.js" on an indented line below it'


def _advise_command(key: str, value: Any) -> str:
    if isinstance(value, int | float):
        return f"put it in quotes: {key}: {_quoted(value)}"
    return f'write for example "{key}: {(Project.model_fields[key].examples or [""])[0]}"'


def _advise_ready(key: str, value: Any) -> str:
    return 'write for example "ready: /health", or delete the key'


def _advise_packages(key: str, value: Any) -> str:
    return 'write for example "packages: packages", or delete the key'


def _advise_format(key: str, value: Any) -> str:
    return 'write "format: html" (pages that run as they are), or delete the key'


def _advise_threshold(key: str, value: Any) -> str:
    number = _number(value)
    if number is not None and 0 <= number <= 1:
        return f'write it without quotes: "threshold: {number:g}"'
    if number is not None and 1 < number <= 100:
        return f'write "threshold: {number / 100:g}"'
    return 'write for example "threshold: 0.8", or delete the key'


def _advise_seed(key: str, value: Any) -> str:
    number = _number(value)
    if number is not None and number.is_integer() and 0 <= number < 2**32:
        return f'write it without quotes and decimals: "seed: {number:.0f}"'
    return 'write for example "seed: 7", or delete the key'


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value.strip().rstrip("% ") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None


def _advise_sizes(key: str, value: Any) -> str:
    sizes = re.findall(r"[0-9]+\s*[x×X*]\s*[0-9]+", value) if isinstance(value, str) else []
    written = ", ".join(map(_size, sizes)) or "1280x720, 390x844"
    return f'write "viewports: [{written}]"'


def _advise_size(key: str, value: Any) -> str:
    return f"write for example {_size(value)}"


def _size(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    numbers = [n for n in re.findall(r"[0-9]+", text) if 2 <= len(n) <= 5 and n[0] != "0"]
    sizes = [f"{width}x{height}" for width, height in pairwise(numbers)]
    return sizes[0] if len(sizes) == 1 else "1280x720"


_WORD = _Rule(
    'a word of lower-case letters, digits, "-" and "_" that begins with a letter or digit',
    _advise_word,
)
_RULES: dict[tuple[str, ...], _Rule] = {
    ("id",): _WORD,
    ("domain",): _WORD,
    ("subclass",): _WORD,
    ("protocol",): _WORD,
    ("level",): _Rule("easy, mid or hard", _advise_level),
    ("query",): _Rule("text", _advise_query),
    ("reference",): _Rule(
        "a mapping of intention, static and dynamic to statements", _advise_reference
    ),
    **{
        ("reference", name): _Rule("a list of statements", _advise_statements)
        for name in DIMENSIONS
    },
    **{("reference", name, "*"): _Rule("text", _advise_statement) for name in DIMENSIONS},
    ("project",): _Rule("a mapping of commands", _advise_project),
    **{
        ("project", name): _Rule("a command, as text", _advise_command)
        for name in ("install", "build", "serve")
    },
    ("project", "ready"): _Rule('a path that begins with "/"', _advise_ready),
    ("project", "packages"): _Rule("the path of a folder", _advise_packages),
    ("format",): _Rule(
        ", ".join(get_args(Format)[:-1]) + f" or {get_args(Format)[-1]}", _advise_format
    ),
    ("features",): _Rule("a list of at most 50 statements", _advise_statements),
    ("features", "*"): _Rule("text", _advise_statement),
    ("materials",): _Rule("a list of at most 20 files", _advise_places),
    ("materials", "*"): _Rule("the path of a file", _advise_place),
    ("spec",): _Rule("the path of a Markdown file", _advise_place),
    ("steps",): _Rule("the path of a project's folder", _advise_place),
    ("language",): _Rule("a language as in HTML's lang attribute", _advise_language),
    ("threshold",): _Rule("a number from 0 to 1", _advise_threshold),
    ("seed",): _Rule("a whole number from 0 to 4294967295", _advise_seed),
    ("viewports",): _Rule("a list of window sizes", _advise_sizes),
    ("viewports", "*"): _Rule(
        "a window size in CSS pixels, width x height, without spaces", _advise_size
    ),
}
