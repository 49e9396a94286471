"""From drafts to task files: ids, the files that belong to tasks, and a folder that loads.

What a record means belongs to `importers`. Here tasks get ids that stay the same when a data set is
read again, in whatever order; files are written beside the folder first and moved into it when all
of them are there, so a folder never holds half an import.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_appbench.errors import ExchangeError, Problem
from pytest_appbench.tasks.importers import Draft, Format
from pytest_appbench.tasks.load import read_file
from pytest_appbench.tasks.model import TaskDocument
from pytest_appbench.tasks.places import MOST_BYTES
from pytest_appbench.tasks.validate import task_files
from pytest_appbench.tasks.wording import describe, quote
from pytest_appbench.tasks.writing import document_text, holds_hidden, readable

TASKS_PER_FILE = 1000
MOST_IN_FILE = 4_000_000
"""Characters of one file, unless one task has more."""
MOST_TEXT = 500_000
"""Characters of one task in YAML: a task is a request, not a data set."""
_ID_LENGTH = 60
_TITLE_WORDS = 6
_FILLERS = re.compile(
    "an?|the|i|we|you|my|me|please|want|need|would|like|to|help|can|could|build|create|design|"
    "develop|implement|make|write|generate|code|web|webpage|website|app|application|page|html|"
    "of|for|with|that|which|and|in|on|it|is|using"
)
_LEFT_OUT = re.compile(r"conftest\.py|test_.*\.py|.*_test\.py|.*\.task\.ya?ml|node_modules|\..*")
"""Of projects: what pytest would collect and run, what is installed, and what is hidden."""


@dataclass
class Import:
    """What a source came to.

    Attributes:
        drafts: The records that can become tasks.
        problems: What is wrong with the others.
        lost: What tasks do not hold, with the number of records that have it.
        files: After `write`: the task files, with the number of tasks in each.
    """

    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    files: dict[Path, int] = field(default_factory=dict)


def read(form: Format, source: Path) -> Import:
    """Read a source, and find every record that cannot become a task.

    Args:
        form: Its format.
        source: A file or folder.

    Raises:
        ExchangeError: The source as a whole cannot be read.
    """
    if not source.exists():
        raise ExchangeError(f"{source}: there is no such file or folder; check the path")
    found = Import()
    for each in form.read(source):
        if isinstance(each, Problem):
            found.problems.append(each)
            continue
        keys = _cleaned(each.keys)
        if problem := _problem(each, keys):
            found.problems.append(problem)
            continue
        found.lost.update(dict.fromkeys(each.lost, 1))
        found.lost["invisible characters"] += any(map(holds_hidden, _texts(each.keys)))
        found.drafts.append(replace(each, keys=keys))
    found.lost += Counter()  # without what no record has
    return found


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value).strip()
    if isinstance(value, dict):
        found = {key: _cleaned(each) for key, each in value.items()}
        return {key: each for key, each in found.items() if each}
    if isinstance(value, list | tuple):
        return [each for each in map(_cleaned, value) if each]
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _problem(draft: Draft, keys: dict[str, Any]) -> Problem | None:
    """Why a draft cannot become a task."""
    try:
        TaskDocument.model_validate({"id": "any", **keys})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        text = f'its "{where}" cannot stand in a task: {first["msg"]}; found {_short(first)}'
        return Problem(draft.path, draft.line, text)
    if len(json.dumps(keys, ensure_ascii=False)) > MOST_TEXT:
        return Problem(
            draft.path, draft.line, f"it has more than {MOST_TEXT:,} characters; shorten it"
        )
    if len(draft.materials) > 20:
        return Problem(draft.path, draft.line, "a task holds at most 20 materials; leave some out")
    for path in draft.materials:
        if _LEFT_OUT.fullmatch(path.name):
            text = f"pytest would run the file {quote(path.name)}, or it is hidden; rename it"
            return Problem(draft.path, draft.line, text)
    for path in (*draft.materials, *([draft.spec] if draft.spec else [])):
        if path.stat().st_size > MOST_BYTES:
            return Problem(
                path, 1, f"the file is larger than {MOST_BYTES // 1_000_000} MB; use a smaller one"
            )
    return None


def _short(error: Any) -> str:
    value = error["input"]
    return f"{len(value)} of them" if isinstance(value, list | tuple) else describe(value)


def ids_of(drafts: Sequence[Draft]) -> list[str]:
    """Give each draft an id.

    Args:
        drafts: The drafts of one folder.

    Returns:
        Their ids, in the same order. An id is made of the title; where several have one title, of
        the record's own number as well, or of a digest of the task. So it does not depend on the
        order of the records.
    """
    titles = [_slug(draft) for draft in drafts]
    counts = Counter(titles)
    taken = {title for title, count in counts.items() if count == 1 and title}
    found = []
    for draft, title in zip(drafts, titles, strict=True):
        if title and counts[title] == 1:
            found.append(title)
            continue
        own = _words(draft.own)[:24] or _digest(draft)
        name = first = f"{title or draft.keys['domain']}-{own}"
        number = 1
        while name in taken:
            number += 1
            name = f"{first}-{number}"
        taken.add(name)
        found.append(name)
    return found


def _slug(draft: Draft) -> str:
    words = _words(draft.title[:2000]).split("-")
    telling = [word for word in words if not _FILLERS.fullmatch(word)] or words
    slug = ""
    for word in telling[:_TITLE_WORDS]:
        if len(slug) + len(word) >= _ID_LENGTH:
            break
        slug += f"-{word}" if slug else word
    return slug or telling[0][:_ID_LENGTH]


def _words(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def _digest(draft: Draft) -> str:
    return hashlib.sha256(json.dumps(draft.keys, sort_keys=True).encode()).hexdigest()[:6]


def write(found: Import, form: Format, out: Path, *, force: bool = False) -> None:
    """Write the task files of an import, and the files that belong to the tasks.

    Args:
        found: What was read; its `files` are filled, and `lost` told of what is not copied.
        form: The format, which is named in the files.
        out: The folder; it need not be there.
        force: Replace what is in the way.

    Raises:
        ExchangeError: Something is in the way, or an id is taken by another file of the folder.
    """
    if not found.drafts:
        raise ExchangeError("there is no record that can become a task, so nothing was written")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".appbench-import-") as folder:
        staged = Path(folder)
        ids = ids_of(found.drafts)
        found.files = dict(_write_tasks(found, ids, form, staged))
        places = sorted(_places(staged, found.files))
        present = [out / place for place in places if os.path.lexists(out / place)]
        if present and not force:
            more = f" and {len(present) - 1} more" if len(present) > 1 else ""
            raise ExchangeError(
                f"{present[0]}{more} would be replaced; name another folder, or say --force"
            )
        _refuse_taken(ids, out, {out / file for file in found.files})
        for place in places:
            to = out / place
            to.parent.mkdir(parents=True, exist_ok=True)
            if to.is_dir() and not to.is_symlink():
                shutil.rmtree(to)
            shutil.move(staged / place, to)
    found.files = {out / file: count for file, count in found.files.items()}


def _places(staged: Path, files: Iterable[Path]) -> Iterator[Path]:
    """What is moved in one piece: task files, and what belongs to one task."""
    yield from files
    for folder in ("materials", "specs", "projects"):
        if (staged / folder).is_dir():
            yield from (path.relative_to(staged) for path in (staged / folder).iterdir())


def _refuse_taken(ids: Sequence[str], out: Path, replaced: set[Path]) -> None:
    if not out.is_dir():
        return
    wanted = set(ids)
    for path in task_files(out):
        if path.parent == out and path not in replaced:
            for task in read_file(path)[0]:
                if task.id in wanted:
                    raise ExchangeError(
                        f"{path}:{task.line}: the id {quote(task.id)} is taken here already; "
                        "import into another folder"
                    )


def _write_tasks(
    found: Import, ids: Sequence[str], form: Format, staged: Path
) -> Iterator[tuple[Path, int]]:
    by_domain: dict[str, list[str]] = {}
    for draft, name in zip(found.drafts, ids, strict=True):
        document = {"id": name, **draft.keys, **_copied(draft, name, staged, found.lost)}
        origin = f"# {quote(draft.path.name)}:{draft.line}\n"
        by_domain.setdefault(document["domain"], []).append(origin + document_text(document))
    for domain, texts in sorted(by_domain.items()):
        for number, part in enumerate(_parts(texts)):
            # "defaults.task.yaml" would be a file of defaults.
            several = number or domain == "defaults"
            file = Path(f"{domain}.{number + 1}.task.yaml" if several else f"{domain}.task.yaml")
            head = f"# Imported from {form.name} by `appbench import`.\n---\n"
            (staged / file).write_text(head + "---\n".join(part), encoding="utf-8")
            yield file, len(part)


def _parts(texts: Iterable[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for text in texts:
        if part and (len(part) == TASKS_PER_FILE or size + len(text) > MOST_IN_FILE):
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    yield part


def _copied(draft: Draft, name: str, staged: Path, lost: Counter[str]) -> dict[str, Any]:
    """Copy what belongs to a task, and say where it is."""
    keys: dict[str, Any] = {}
    if draft.materials:
        keys["materials"] = []
        for path in draft.materials:
            to = _free(staged / "materials" / name / readable(path.name))
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
            keys["materials"].append(to.relative_to(staged).as_posix())
    if draft.spec:
        to = staged / "specs" / f"{name}.md"
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(draft.spec, to)
        keys["spec"] = to.relative_to(staged).as_posix()
    if draft.steps:
        to = staged / "projects" / name

        def left_out(folder: str, names: list[str]) -> set[str]:
            skipped = {n for n in names if _LEFT_OUT.fullmatch(n) or Path(folder, n).is_symlink()}
            for each in sorted(skipped - {"node_modules"}):
                lost[f"{quote(each)} of a project"] += 1
            return skipped

        shutil.copytree(draft.steps, to, ignore=left_out)
        keys["steps"] = to.relative_to(staged).as_posix()
    return keys


def _free(path: Path) -> Path:
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
