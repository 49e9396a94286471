"""What the tests of reports share: runs written without judging, and a reader of their pages."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from pytest_appbench.judges.verdict import (
    DIMENSIONS,
    Attempted,
    CheckResult,
    Citation,
    Finding,
    Reason,
    Scores,
    Usage,
    Verdict,
)
from pytest_appbench.reports.results import Record, Run, TaskWords

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DOMAINS = ("games", "humanities", "lifestyle", "science", "tools", "visualization")
LEVELS = ("easy", "mid", "hard")
WORDS = [
    "slider",
    "period",
    "angle",
    "button",
    "shows",
    "after",
    "press",
    "value",
    "is",
    "not",
    "seen",
]


def sentence(random_: random.Random, count: int) -> str:
    """Some words."""
    return " ".join(random_.choice(WORDS) for _ in range(count))


def record(name: str = "counter", **changes: Any) -> Record:
    """A record; fields of its task, of its verdict and of itself can be changed by name."""
    of_task = {k: changes.pop(k) for k in ("domain", "level", "query") if k in changes}
    of_verdict = {k: changes.pop(k) for k in list(changes) if k in Verdict.model_fields}
    outcome = changes.get("outcome", "pass")
    verdict = None
    if outcome != "error":
        least = 0.9 if outcome == "pass" else 0.4
        of_verdict = {
            "status": outcome,
            "judge": "probe",
            "protocol": "probe",
            "threshold": 0.8,
            "scores": Scores(intention=least, static=1.0, dynamic=1.0),
            **of_verdict,
        }
        verdict = Verdict(**of_verdict)
    values = {
        "run": "run",
        "nodeid": f"bench/tools.task.yaml::{name}[chromium]",
        "outcome": outcome,
        "task": TaskWords(id=name, **{"domain": "tools", "query": "A counter.", **of_task}),
        "generator": "reference:good",
        "artifact": "a" * 64,
        "verdict": verdict,
        "time": 1.7e9,
        **changes,
    }
    return Record(**values)


def write_run(
    root: Path,
    records: Sequence[Record],
    trajectories: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Path:
    """Write a run directory.

    Args:
        root: The folder of runs.
        records: Its records.
        trajectories: Folder of evidence to its lines; a few pictures lie in each.
    """
    path = root / records[0].run
    (path / "results").mkdir(parents=True)
    lines = [one.model_dump_json(exclude_none=True) + "\n" for one in records]
    (path / "results" / "main-1.jsonl").write_text("".join(lines), encoding="utf-8")
    for name, steps in (trajectories or {}).items():
        folder = path / name
        folder.mkdir(parents=True)
        text = "".join(json.dumps(step) + "\n" for step in steps)
        (folder / "trajectory.jsonl").write_text(text, encoding="utf-8")
        (folder / "steps").mkdir()
        for file in ("1280x720.png", "steps/0005.png", "steps/0005-1.png"):
            (folder / file).write_bytes(PIXEL)
    return path


def synthetic_run(root: Path, count: int, *, steps: int = 60, seed: int = 1) -> Path:
    """A run of made-up judgings, each with as many steps, as a model judge would leave them.

    Args:
        root: The folder of runs.
        count: How many.
        steps: In each trajectory.
        seed: Of what is made up.
    """
    random_ = random.Random(seed)
    run = Run(root, f"synthetic-{count}")
    records, evidence = [], {}
    for number in range(count):
        scores = {name: round(random_.random() ** 0.4, 2) for name in DIMENSIONS}
        outcome: Literal["pass", "fail"] = "pass" if min(scores.values()) >= 0.8 else "fail"
        place = f"tasks/bench/task-{number:04}/1/1"
        cited = str(random_.randint(1, steps))
        reasons = tuple(
            Reason(
                dimension=name,
                text=sentence(random_, 30),
                evidence=(Citation(source="step", where=cited, quote=sentence(random_, 8)),),
            )
            for name in DIMENSIONS
        )
        usage = Usage(
            turns=4,
            actions=steps,
            tokens_in=random_.randint(8_000, 60_000),
            tokens_out=random_.randint(300, 4_000),
            cost_usd=round(random_.random(), 4),
        )
        records.append(
            record(
                f"task-{number:04}",
                run=run.id,
                outcome=outcome,
                domain=DOMAINS[number % 6],
                level=LEVELS[number % 3],
                query=sentence(random_, 90),
                judge="anthropic:made-up",
                protocol="miniapp",
                scores=Scores(**scores),
                reasons=reasons,
                usage=usage,
                seconds=round(random_.random() * 90, 1),
                evidence=place,
            )
        )
        evidence[place] = [turn(0, sentence(random_, 40), code=sentence(random_, 200))] + [
            action(step, "click", f'button "{sentence(random_, 3)}"', sentence(random_, 25))
            for step in range(1, steps + 1)
        ]
    return write_run(root, records, evidence)


def action(number: int, kind: str, target: str, changed: str) -> dict[str, Any]:
    """A line of a trajectory: something done in the browser."""
    return {
        "kind": "action",
        "number": number,
        "action": kind,
        "target": target,
        "changed": changed,
        "seconds": 0.1,
    }


def turn(step: int, text: str, code: str = "", sent: str = "") -> dict[str, Any]:
    """A line of a trajectory: an answer of the judge, and what it was sent before."""
    arguments = json.dumps({"code": code})
    return {
        "kind": "turn",
        "step": step,
        "messages": [{"role": "user", "parts": [{"kind": "text", "text": sent}]}],
        "llm_response": {
            "content": text,
            "tool_calls": [{"id": "1", "function": {"name": "script", "arguments": arguments}}],
            "usage": {"prompt_tokens": 1234, "completion_tokens": 56, "cached_tokens": 7},
            "finish_reason": "tools",
        },
    }


def everywhere(text: str, name: str) -> tuple[Record, list[dict[str, Any]]]:
    """A record and a trajectory that hold a text wherever foreign text can stand."""
    sources: tuple[Literal["step", "file", "description", "probe"], ...] = (
        "step",
        "file",
        "description",
        "probe",
    )
    cited = tuple(Citation(source=one, where=text, quote=text) for one in sources)
    place = f"tasks/hostile/{name}/1/1"
    made = record(
        text,
        nodeid=f"{name}::{text}",
        outcome="fail",
        generator=text,
        artifact=text,
        sandbox=text,
        judge=text,
        model=text,
        protocol=text,
        label=text,
        guard=text,
        score=0.5,
        reasons=(Reason(dimension="dynamic", text=text, evidence=cited),),
        checks=(
            CheckResult(
                name=text,
                dimension="static",
                outcome="failed",
                claim=text,
                message=text,
                where=text,
            ),
        ),
        findings=(Finding(kind=text, severity="fault", text=text, evidence=cited),),
        attempted=(Attempted(kind=text, url=text, count=2),),
        deviations=(text,),
        evidence=place,
    ).model_copy(
        update={
            "task": TaskWords(
                id=text,
                domain=text,
                subclass=text,
                level=text,
                query=text or " ",
                reference={"intention": (text,)},
            )
        }
    )
    steps = [
        turn(0, text, code=text),
        action(1, text, text, text),
        action(2, "console", text, text),
        {**action(3, "screenshot", text, text), "picture": text, "frames": [{"file": text}]},
        {"kind": "note", "text": text},
    ]
    return made, steps


@dataclass
class Reader:
    """Reads reports in a browser, and notes whatever a page does besides being read.

    Attributes:
        page: The page.
        done: Requests beyond the report itself, console lines, errors and dialogs.
    """

    page: Page
    done: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, browser: Browser, **options: Any) -> Reader:
        """Open an empty page."""
        context = browser.new_context(**options)
        reader = cls(context.new_page())
        reader.page.on("request", reader._requested)
        reader.page.on("console", reader._console)
        reader.page.on("pageerror", lambda error: reader.done.append(f"error {error}"))
        reader.page.on("dialog", lambda dialog: reader.done.append(f"dialog {dialog.message}"))
        reader.page.on("popup", lambda popup: reader.done.append(f"popup {popup.url}"))
        return reader

    def open(self, report: Path, hash_: str = "") -> Page:
        """Open a report and wait until it is drawn."""
        self.page.goto(report.as_uri() + hash_)
        return self.page

    def _requested(self, request: Request) -> None:
        if request.resource_type != "document" or not request.url.startswith("file:"):
            self.done.append(f"request {request.url[:200]}")

    def _console(self, message: ConsoleMessage) -> None:
        self.done.append(f"console {message.text[:300]}")


def unpacked(report: Path) -> list[Any]:
    """All details that a report holds, as data."""
    found = re.findall(r'<script type="text/plain" id="d\d+">([^<]*)</script>', report.read_text())
    return [json.loads(gzip.decompress(base64.b64decode(text))) for text in found]
