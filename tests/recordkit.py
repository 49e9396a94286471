"""Records of judgings that never were, for the commands that only read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_appbench.judges.verdict import Scores, Verdict
from pytest_appbench.reports.results import Record, Run, TaskWords
from pytest_appbench.statistics.paired import Outcome


def a_record(
    outcome: Outcome = "pass",
    task: str = "x",
    *,
    run: str = "r",
    file: str = "bench/tools.task.yaml",
    domain: str = "tools",
    level: str = "mid",
    generator: str = "reference:good",
    judge: str = "probe",
    scores: Sequence[float] | None = None,
    attempt: int = 1,
    part: bool = False,
) -> Record:
    """A record of one attempt; attempt 0 sums up the others."""
    least = 1.0 if outcome == "pass" else 0.25
    of = scores or (least, 1.0, 1.0)
    verdict = Verdict(
        status="fail" if outcome == "error" else outcome,
        judge=judge,
        protocol="probe" if judge == "probe" else "miniapp",
        threshold=0.8,
        scores=Scores(intention=of[0], static=of[1], dynamic=of[2]),
        evidence=f"tasks/tools/{task}/{attempt}/1" if attempt else None,
    )
    return Record(
        run=run,
        nodeid=f"{file}::{task}",
        attempt=attempt,
        vote=1 if attempt else 0,
        part=part,
        outcome=outcome,
        task=TaskWords(id=task, domain=domain, level=level),
        generator=generator,
        artifact=f"digest-of-{task}",
        verdict=None if outcome == "error" else verdict,
        error="the provider is down" if outcome == "error" else None,
        time=1.0,
    )


def a_run(root: Path, name: str, records: Sequence[Record]) -> Path:
    """Write records as a run of that name."""
    run = Run(root, name)
    for record in records:
        run.write(record.model_copy(update={"run": name}))
    return run.path


def of_outcomes(outcomes: Mapping[str, Outcome], **fields: object) -> list[Record]:
    """A record for each task."""
    return [a_record(outcome, task, **fields) for task, outcome in outcomes.items()]  # type: ignore[arg-type]


def with_attempts(task: str, *outcomes: Outcome, together: Outcome) -> list[Record]:
    """The records of a task with several attempts."""
    parts = [a_record(o, task, attempt=n, part=True) for n, o in enumerate(outcomes, start=1)]
    return [*parts, a_record(together, task, attempt=0)]
