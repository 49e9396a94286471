"""The records of a run: append-only JSON Lines, the truth that every report is a view of.

Each process appends to its own part under `results/`, flushed and synced per record, so a killed
process loses at most what it was doing. Readers take the whole directory and forgive a torn last
line. Nothing here knows pytest.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from pytest_appbench.errors import RecordsError
from pytest_appbench.judges.verdict import Usage, Verdict
from pytest_appbench.reports.writing import write_whole

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task

JOINED = "results.jsonl"
PARTS = "results"
_WRITER = secrets.token_hex(4)
"""Tells processes apart that share a directory: other machines have the same process ids."""
_MOST_SLUG = 120
_PLAIN = re.compile(r"[A-Za-z0-9_]+|[A-Za-z0-9_-]+\[[A-Za-z0-9._]+\]")
"""Names of items that are told apart by what is left of them in the name of a folder."""


def _plain(reference: Any) -> Any:
    """The statements of a reference that has some, as a record holds them."""
    if not isinstance(reference, BaseModel):
        return reference
    return {name: texts for name, texts in reference.model_dump().items() if texts} or None


class TaskWords(BaseModel):
    """The words of a task that reports group by, and those that they show."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)

    id: str
    domain: str | None = None
    subclass: str | None = None
    level: str | None = None
    query: str | None = None
    reference: Annotated[dict[str, tuple[str, ...]] | None, BeforeValidator(_plain)] = None


class Record(BaseModel):
    """One attempt at one task: a verdict, or the error that stood in its way.

    Attributes:
        version: Of this format.
        run: Id of the run.
        nodeid: pytest's node id.
        attempt: Counted from 1; 0 for what all attempts come to.
        vote: Which judge of the attempt, counted from 1; 0 for what all of them come to.
        part: Whether another record says what this one and others come to; figures leave it out.
        rerun: How often pytest ran the item before, counted from 0; the last rerun counts.
        outcome: pass, fail, uncertain, or error of the harness.
        task: The task's words.
        generator: Spec of the generator.
        artifact: Digest of the app's files, when there was an app.
        built: Digest of the files that were served, where they were built from the app's own;
            `own server` where the app has one.
        generation: What a model consumed to write the app, if one did in this run.
        sandbox: How processes that are not ours were kept in, if there were any.
        verdict: The verdict, unless the outcome is error.
        error: The error's message, if the outcome is error.
        seconds: What the whole task took this time, generating and judging, where it stands for
            one.
        time: When it was written, seconds since 1970-01-01 UTC.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = 1
    run: str
    nodeid: str
    attempt: int = 1
    vote: int = 1
    part: bool = False
    rerun: int = 0
    outcome: Literal["pass", "fail", "uncertain", "error"]
    task: TaskWords
    generator: str | None = None
    artifact: str | None = None
    built: str | None = None
    generation: Usage | None = None
    sandbox: str | None = None
    verdict: Verdict | None = None
    error: str | None = None
    seconds: float | None = None
    time: float = 0.0

    @property
    def key(self) -> tuple[str, int, int]:
        """What makes a record unique within a run; a later one with the same key replaces it."""
        return self.nodeid, self.attempt, self.vote


@dataclass
class Run:
    """The directory of one run, shared by all its processes.

    Args:
        root: The folder of runs.
        id: The run's id.
        process: Name of this process's part, such as `main` or `gw0`.
    """

    root: Path
    id: str
    process: str = "main"
    _part: Path | None = field(default=None, init=False)

    @property
    def path(self) -> Path:
        """The run's own directory."""
        return self.root / self.id

    def write(self, record: Record) -> None:
        """Append a record and sync it to disk.

        Args:
            record: The record.
        """
        if self._part is None:
            folder = self.path / PARTS
            folder.mkdir(parents=True, exist_ok=True)
            # git, editors and pytest itself should take no interest in what lies here
            _write_once(self.root / ".gitignore", "*\n")
            self._part = folder / f"{self.process}-{_machine()}-{os.getpid()}-{_WRITER}.jsonl"
        line = json.dumps(record.model_dump(exclude_none=True), ensure_ascii=False) + "\n"
        # An app may show halves of characters, which no file can hold.
        with self._part.open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())

    def evidence(self, nodeid: str, attempt: int, vote: int, rerun: int = 0) -> Path:
        """Make the folder for the evidence of one judging.

        Args:
            nodeid: pytest's node id, `folder/file.task.yaml::id[param]`.
            attempt: Counted from 1.
            vote: Counted from 1; 0 for what all judges of the attempt share.
            rerun: How often pytest ran the item before.

        Returns:
            `tasks/<file slug>/<id>[-param]/<attempt>[-rerun<n>]/<vote>/`, absolute; without the
            last part for vote 0. No two node ids have one folder.
        """
        file, _, name = nodeid.partition("::")
        stem = file.removesuffix(".task.yaml")
        slug, own = _slug(stem), _slug(name)
        # Where the short name might be another's as well, a digest tells them apart.
        if slug.replace("-", "/") != stem:
            slug = f"{slug}-{_digest(file)}"
        if not _PLAIN.fullmatch(name) or len(name) > _MOST_SLUG:
            own = f"{own}-{_digest(name)}"
        again = f"-rerun{rerun}" if rerun else ""
        folder = self.path / "tasks" / slug / own / f"{attempt}{again}"
        folder = folder / str(vote) if vote else folder
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def join(self) -> list[Record]:
        """Join the parts into `results.jsonl`, one line for each key.

        Returns:
            The records, in the order of their first appearance.
        """
        records = read(self.path)
        if records:
            write_records(self.path / JOINED, records)
        return records


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write a file of records; readers see all of it or what was there before.

    Args:
        path: The file.
        records: Its records.
    """
    lines = (
        json.dumps(record.model_dump(exclude_none=True), ensure_ascii=False) + "\n"
        for record in records
    )
    write_whole(path, lines)


def read(path: Path) -> list[Record]:
    """Read the records of a run.

    Args:
        path: A run directory, or a single JSON Lines file.

    Returns:
        One record for each key, the last one written. An error stands for all attempts and votes:
        it replaces what its task came to before, and what the task comes to later replaces it.

    Raises:
        RecordsError: A whole line is not a record, or a single file ends in the middle of a line;
            the message names file and line.
    """
    if path.is_file() and path.parent.name != PARTS:
        _require_whole(path)
    files = [path] if path.is_file() else sorted((path / PARTS).glob("*.jsonl"))
    if not files and (path / JOINED).is_file():
        files = [path / JOINED]
    found = sorted((r for file in files for r in _read_part(file)), key=lambda r: r.time)
    latest: dict[str, dict[tuple[str, int, int], Record]] = {}
    for record in found:
        own = latest.setdefault(record.nodeid, {})
        if record.outcome == "error":
            own.clear()
        elif not record.part:
            for key in [key for key, earlier in own.items() if earlier.outcome == "error"]:
                del own[key]
        own[record.key] = record
    return [record for own in latest.values() for record in own.values()]


def no_such_run(name: str | Path, runs: Path) -> RecordsError:
    """The error of a run that is not there.

    Args:
        name: What the user named.
        runs: The folder of runs in which it was looked for.
    """
    return RecordsError(
        f"{name}: there is no such run; name a run's directory, a file such as {JOINED}, or the "
        f"id of a run in {runs}"
    )


def no_records(path: Path) -> RecordsError:
    """The error of a place that holds no run.

    Args:
        path: What is there.
    """
    return RecordsError(
        f"{path}: no records here; name a run's directory or a file such as {JOINED}"
    )


def _require_whole(file: Path) -> None:
    """A process that is killed tears its own part; a joined file is whole unless it was cut."""
    content = file.read_bytes()
    if content and not content.endswith(b"\n"):
        number = content.count(b"\n") + 1
        raise RecordsError(
            f"{file}:{number}: the file ends in the middle of a record, so what follows is lost: "
            "copy or merge it again"
        )


def _read_part(file: Path) -> Iterator[Record]:
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    # what follows the last newline was torn when its process was killed, or is empty
    for number, line in enumerate(lines[:-1], start=1):
        try:
            yield Record.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            where = ".".join(map(str, problem["loc"])) or "the line"
            raise RecordsError(
                f"{file}:{number}: this is no record ({where}: {problem['msg']}); was the file "
                "edited, or written by another version?"
            ) from None


def lost(run: str, nodeid: str, message: str, task: Task | None) -> Record:
    """The record of a task whose process died before it could write one.

    Args:
        run: Id of the run.
        nodeid: pytest's node id.
        message: What is known of the end.
        task: The task, if it can be told.

    Returns:
        An error record.
    """
    name = nodeid.partition("::")[2].partition("[")[0]
    words = TaskWords.model_validate(task, from_attributes=True) if task else TaskWords(id=name)
    return Record(
        run=run,
        nodeid=nodeid,
        outcome="error",
        task=words,
        error=message,
        time=time.time(),
    )


def whole(records: Iterable[Record]) -> list[Record]:
    """The records that stand for a task, without the votes and attempts that they sum up.

    Args:
        records: Any records.
    """
    return [record for record in records if not record.part]


def count(records: Iterable[Record]) -> dict[str, int]:
    """Count the outcomes.

    Args:
        records: Any records.

    Returns:
        Outcome to number, for all four outcomes.
    """
    counts = {"pass": 0, "fail": 0, "uncertain": 0, "error": 0}
    for record in records:
        counts[record.outcome] += 1
    return counts


def _machine() -> str:
    return _slug(socket.gethostname())[:40]


def _slug(text: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
    return slug[-_MOST_SLUG:] or "task"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _write_once(path: Path, text: str) -> None:
    if not path.exists():
        path.write_text(text, encoding="utf-8")
