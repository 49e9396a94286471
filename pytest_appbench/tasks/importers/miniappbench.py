"""MiniAppBench (appendix A.5): a JSON list of queries, each with its evaluation reference as text.

`class` is the domain, `eval-reference` the reference, dimension by dimension. `index` counts the
records of a file and says nothing of a task; it tells apart tasks whose requests begin alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import Problem
from pytest_appbench.tasks.importers import Draft, Format

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.tasks.records import Record

_DIMENSIONS = ("intention", "static", "dynamic")


def _read(source: Path) -> Iterator[Draft | Problem]:
    from pytest_appbench.tasks.records import drafts

    return drafts(source, _draft)


def _draft(record: Record) -> Draft:
    from pytest_appbench.tasks.records import BadRecord, embedded, statements
    from pytest_appbench.tasks.wording import describe

    query = record.text("query")
    keys: dict[str, Any] = {"domain": record.word("class", "domain")}
    if keys["domain"] is None:
        raise BadRecord('it has no "class", which is the domain; add it')
    keys |= {"subclass": record.word("subclass"), "level": record.level("level"), "query": query}
    said = embedded(record.take("eval-reference", "reference"), "eval-reference")
    lost: list[str] = []
    if said is not None:
        if not isinstance(said, dict):
            raise BadRecord(
                f'"eval-reference" must be an object with intention, static and dynamic, but is '
                f"{describe(said)}"
            )
        found = {name.lower(): value for name, value in said.items()}
        keys["reference"] = {name: statements(found.pop(name, None), name) for name in _DIMENSIONS}
        lost = [f"eval-reference.{name}" for name in found]
    own = str(record.take("index") or "")
    lost += [*record.left(), *(["index"] if own else [])]
    return Draft(record.path, record.line, query, keys, own, lost=tuple(lost))


def _write(tasks: Sequence[Task], out: Path) -> None:
    records = [
        {
            "index": number,
            "class": _title(task.domain),
            "subclass": _title(task.subclass or ""),
            "query": task.query,
            "level": (task.level or "").title(),
            "eval-reference": json.dumps(task.reference.model_dump(), ensure_ascii=False),
        }
        for number, task in enumerate(tasks, 1)
    ]
    out.write_text(json.dumps(records, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _title(word: str) -> str:
    return word.replace("-", " ").title()


FORMAT = Format(
    "miniappbench",
    "MiniAppBench: a JSON list of queries with eval-reference",
    _read,
    _write,
    frozenset({"domain", "subclass", "level", "query", "reference"}),
)
