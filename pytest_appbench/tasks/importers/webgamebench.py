"""WebGameBench: a folder of structured specifications, one Markdown file a game.

A specification becomes one task of protocol `webgame`, and is copied as it is: it is the sole
contract. Its one heading of the first rank is the
title, else the file's name; a folder about it is the family of the game.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import ExchangeError, Problem
from pytest_appbench.tasks.importers import Draft, Format

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_KIND = re.compile(r"\s*(?:[-:–—]\s*)?(?:structured\s+)?(?:web\s*game\s+)?specification\s*$", re.I)
_MOST = 400_000


def _read(source: Path) -> Iterator[Draft | Problem]:
    if source.is_file():
        found = [source]
    else:
        found = sorted(
            path
            for path in source.rglob("*.md")
            if path.is_file() and path.stem.lower() != "readme" and not _hidden(path, source)
        )
    if not found:
        raise ExchangeError(f"{source}: no specification here; name a folder of Markdown files")
    for path in found:
        yield _draft(path, source)


def _hidden(path: Path, source: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(source).parts)


def _draft(path: Path, source: Path) -> Draft | Problem:
    from pytest_appbench.tasks.records import text_of, word_of

    if not path.resolve().is_relative_to(source.resolve()):
        return Problem(path, 1, "the link leads out of the folder; copy the file")
    if path.stat().st_size > _MOST:
        return Problem(path, 1, f"the file has more than {_MOST // 1000} kB; shorten it")
    try:
        text = text_of(path)
    except ExchangeError:
        return Problem(path, 1, "the file is empty; fetch it again, or delete it")
    headings = _HEADING.findall(text)
    if not headings:
        return Problem(path, 1, 'no heading; begin it with "# " and the name of the game')
    # Where several headings are the first in rank they are its sections, and the file names it.
    first = [words for marks, words in headings if marks == "#"]
    title = (_KIND.sub("", first[0]).strip() if len(first) == 1 else "") or path.stem
    family = path.parent.name if path.parent != source and path != source else ""
    keys: dict[str, Any] = {
        "domain": "games",
        "subclass": word_of(family),
        "query": f"Build the browser game that the specification describes: {title}",
        "protocol": "webgame",
    }
    return Draft(path, 1, title, keys, path.stem, spec=path)


def _write(tasks: Sequence[Task], out: Path) -> None:
    from pytest_appbench.tasks.places import place

    for task in tasks:
        if task.spec:
            to = out / (task.subclass or "") / f"{task.id}.md"
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place(task, task.spec), to)


FORMAT = Format(
    "webgamebench",
    "WebGameBench: a folder of structured specifications in Markdown",
    _read,
    _write,
    frozenset({"domain", "subclass", "query", "protocol", "spec"}),
)
