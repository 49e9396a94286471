"""WebTestBench: JSON Lines, each an instruction with a checklist of what an app must do.

Functionality is intention, content is static, interaction and constraint are dynamic. `pass` and
`bug` are labels of one app that was written to the instruction. They are no part of a task, and a
reference that told a judge which bugs to expect would be an oracle: they are left out, and told.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import Problem
from pytest_appbench.tasks.importers import Draft, Format

if TYPE_CHECKING:
    from pytest_appbench.tasks.records import Record

_DIMENSIONS = {
    "functionality": "intention",
    "content": "static",
    "interaction": "dynamic",
    "constraint": "dynamic",
}


def _read(source: Path) -> Iterator[Draft | Problem]:
    from pytest_appbench.tasks.records import drafts

    return drafts(source, _draft)


def _draft(record: Record) -> Draft:
    from pytest_appbench.tasks.records import BadRecord
    from pytest_appbench.tasks.wording import describe

    query = record.text("instruction")
    checklist = record.take("checklist") or []
    if not isinstance(checklist, list):
        raise BadRecord(f'"checklist" must be a list, but is {describe(checklist)}; write a list')
    reference: dict[str, list[str]] = {"intention": [], "static": [], "dynamic": []}
    lost = set()
    for number, item in enumerate(checklist, 1):
        if not (isinstance(item, dict) and isinstance(item.get("content"), str)):
            raise BadRecord(f'item {number} of "checklist" has no "content"; add it')
        kind = str(item.get("class") or "functionality").strip().lower()
        if kind not in _DIMENSIONS:
            known = ", ".join(_DIMENSIONS)
            raise BadRecord(
                f'the class of item {number} of "checklist" is {describe(item["class"])}; write '
                f"one of {known}"
            )
        if text := item["content"].strip():
            reference[_DIMENSIONS[kind]].append(text)
        lost |= {f"checklist.{key}" for key in ("pass", "bug") if item.get(key) is not None}
    keys: dict[str, Any] = {
        "domain": record.word("category") or "web",
        "query": query,
        "reference": reference,
    }
    own = str(record.take("index", "id") or "")
    return Draft(record.path, record.line, query, keys, own, lost=(*sorted(lost), *record.left()))


FORMAT = Format(
    "webtestbench",
    "WebTestBench: JSON Lines of instructions with a checklist",
    _read,
)
