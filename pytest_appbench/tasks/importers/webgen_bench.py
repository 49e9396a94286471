"""WebGen-Bench: JSON Lines, each an instruction with test cases of a task and an expected result.

A test case becomes one statement, "TASK Expected: RESULT". Functional tests are dynamic; tests of
the data displayed and of the design are static. `application_type` is the domain, the primary
category the subclass.
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

_EXPECTED = " Expected: "
_KINDS = {"static": "Design Validation Testing", "dynamic": "Functional Testing"}


def _read(source: Path) -> Iterator[Draft | Problem]:
    from pytest_appbench.tasks.records import drafts

    return drafts(source, _draft)


def _draft(record: Record) -> Draft:
    from pytest_appbench.tasks.records import BadRecord, word_of
    from pytest_appbench.tasks.wording import describe

    query = record.text("instruction")
    category = record.take("Category")
    lost = {"Category.subcategories"} if _has(category, "subcategories") else set()
    primary = category.get("primary_category") if isinstance(category, dict) else category
    cases = record.take("ui_instruct") or []
    if not isinstance(cases, list):
        raise BadRecord(f'"ui_instruct" must be a list of test cases, but is {describe(cases)}')
    reference: dict[str, list[str]] = {"static": [], "dynamic": []}
    for number, case in enumerate(cases, 1):
        if not (isinstance(case, dict) and isinstance(case.get("task"), str) and case["task"]):
            raise BadRecord(f'test case {number} of "ui_instruct" has no "task"; add it')
        kind = case.get("task_category")
        name = str(kind.get("primary_category") if isinstance(kind, dict) else kind).lower()
        dimension = "static" if "design" in name or "display" in name else "dynamic"
        expected = str(case.get("expected_result") or "").strip()
        reference[dimension].append(
            case["task"].strip() + (_EXPECTED + expected if expected else "")
        )
        lost |= {"ui_instruct.task_category"} if kind else set()
    keys: dict[str, Any] = {
        "domain": record.word("application_type") or "web",
        "subclass": word_of(primary) if isinstance(primary, str) else None,
        "query": query,
        "reference": reference,
    }
    own = str(record.take("id") or "")
    return Draft(record.path, record.line, query, keys, own, lost=(*sorted(lost), *record.left()))


def _has(value: Any, name: str) -> bool:
    return isinstance(value, dict) and bool(value.get(name))


def _write(tasks: Sequence[Task], out: Path) -> None:
    with out.open("w", encoding="utf-8") as stream:
        for number, task in enumerate(tasks, 1):
            record = {
                "id": f"{number:06}",
                "instruction": task.query,
                "Category": {
                    "primary_category": (task.subclass or "").replace("-", " ").title(),
                    "subcategories": [],
                },
                "application_type": task.domain.replace("-", " ").title(),
                "ui_instruct": list(_cases(task)),
            }
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def _cases(task: Task) -> Iterator[dict[str, Any]]:
    said = task.reference
    by_kind = {"dynamic": said.intention + said.dynamic, "static": said.static}
    for dimension, found in by_kind.items():
        for text in found:
            case, _, expected = text.partition(_EXPECTED)
            category = {"primary_category": _KINDS[dimension], "subcategories": []}
            yield {"task": case, "expected_result": expected, "task_category": category}


FORMAT = Format(
    "webgen-bench",
    "WebGen-Bench: JSON Lines of instructions with ui_instruct",
    _read,
    _write,
    frozenset({"domain", "subclass", "query", "reference"}),
)
