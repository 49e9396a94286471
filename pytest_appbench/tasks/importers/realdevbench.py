"""RealDevBench and AppEvalPilot: JSON or JSON Lines of requirements with features and materials.

A requirement becomes the query of a task of protocol `cases`, its feature list the features, its
files the materials. Test cases that AppEvalPilot keeps with a requirement become statements under
`dynamic`; their results and evidence are of one app and left out.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import Problem
from pytest_appbench.tasks.importers import Draft, Format

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.tasks.records import Record

_SCENARIOS = ("display", "analysis", "data", "game")
_FILES = ("", "data", "data/benchmark")
"""Where the files of a data set lie, from the folder of its records."""


def _read(source: Path) -> Iterator[Draft | Problem]:
    from pytest_appbench.tasks.records import drafts

    return drafts(source, _draft)


def _draft(record: Record) -> Draft:
    from pytest_appbench.tasks.records import embedded, statements

    query = record.text("prompt", "requirement", "requirement_description", "description")
    words = [word for name in ("scenario", "category") if (word := record.word(name))]
    words.sort(key=lambda word: word not in _SCENARIOS)
    listed = record.take("feature_list")
    features = statements(listed or record.take("features"), "feature_list")
    title = record.take("label", "task_name", "name", "title")
    keys: dict[str, Any] = {
        "domain": words[0] if words else "web",
        "subclass": words[1] if len(words) > 1 else None,
        "query": query,
        "protocol": "cases",
        "features": features,
    }
    cases = embedded(record.take("test_cases"), "test_cases")
    lost = []
    if isinstance(cases, dict):
        cases = list(cases.values())
    if isinstance(cases, list):
        found = [each.get("case_desc") if isinstance(each, dict) else each for each in cases]
        keys["reference"] = {"dynamic": statements([each for each in found if each], "test_cases")}
        lost = [
            f"test_cases.{key}"
            for key in ("result", "evidence")
            if any(isinstance(each, dict) and each.get(key) for each in cases)
        ]
    named = statements(record.take("files", "materials"), "files")
    return Draft(
        record.path,
        record.line,
        title if isinstance(title, str) and any(map(str.isalpha, title)) else query,
        keys,
        str(record.take("id", "index") or ""),
        materials=tuple(_material(record.path.parent, name) for name in named),
        lost=(*lost, *record.left()),
    )


def _material(folder: Path, name: str) -> Path:
    from pytest_appbench.tasks.records import BadRecord, inside
    from pytest_appbench.tasks.wording import quote

    for below in _FILES:
        path = inside(folder, f"{below}/{name}" if below else name)
        if path is None:
            raise BadRecord(f"the file {quote(name)} leads out of the data set's folder; copy it")
        if path.is_file():
            return path
    raise BadRecord(
        f"the file {quote(name)} is not beside the records; fetch the files of the data set too"
    )


def _write(tasks: Sequence[Task], out: Path) -> None:
    from pytest_appbench.tasks.places import place

    out.mkdir(parents=True)
    with (out / "dataset.jsonl").open("w", encoding="utf-8") as stream:
        for task in tasks:
            files = []
            for name in task.materials:
                to = out / "data" / task.id / Path(name).name
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(place(task, name), to)
                files.append(to.relative_to(out).as_posix())
            record = {
                "label": task.id,
                "scenario": task.domain.title(),
                "category": task.subclass or "",
                "features": list(task.features),
                "prompt": task.query,
                "files": files,
            }
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


FORMAT = Format(
    "realdevbench",
    "RealDevBench and AppEvalPilot: JSON of requirements, features, files",
    _read,
    _write,
    frozenset({"domain", "subclass", "query", "protocol", "features", "materials"}),
)
