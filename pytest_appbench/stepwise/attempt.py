"""One attempt at a project of steps, from its first step to its end or its second failure.

The order of things follows Web-Bench, section 3.2: for each step the generator is asked, its files
are written, the tests of all steps so far are run; a step that fails is tried once more with what
the tests said, on the files as they then are, and a second failure ends the attempt.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts import builders
from pytest_appbench.artifacts.steps import StepOrder, texts
from pytest_appbench.errors import BuildFailed, GenerationFailed, SettingsError
from pytest_appbench.judges.evidence import keep, keep_notes
from pytest_appbench.judges.judging import Judging
from pytest_appbench.judges.loop import Steps
from pytest_appbench.judges.prompts import sections
from pytest_appbench.judges.verdict import Finding, Part, Reason, Usage, Verdict
from pytest_appbench.judges.votes import summed
from pytest_appbench.models.scrub import scrub
from pytest_appbench.sites import Served, serving
from pytest_appbench.stepwise.figures import Outcome, figures_of
from pytest_appbench.stepwise.project import INIT, Project, Step, read_project
from pytest_appbench.stepwise.suites import CheckSuite, Ran, Suite
from pytest_appbench.stepwise.writing import Writer
from pytest_appbench.tasks.places import place

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.attempts import Attempt, Bench
    from pytest_appbench.tasks.model import Task

JUDGE = "tests"
"""Names the judge in verdicts: no model took part."""
TRIES = 2
"""Attempts at a step, as published."""
RECORD = "steps.jsonl"
"""The file among the evidence with a line for each attempt at a step."""


@dataclass
class _Story:
    """What has happened so far in an attempt."""

    artifact: Artifact
    folder: Path
    notes_folder: Path
    notes: list[str] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    sandboxes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    site: Served | BuildFailed | None = None

    def note(self, heading: str, notes: str) -> None:
        if notes:
            self.notes.append(f"{heading}\n{notes}")
            keep_notes("\n\n".join(self.notes), self.notes_folder)

    def take(self, told: Any, where: str) -> None:
        """Add what writing came to: an answer, or why there was none."""
        self.note(f"{where}:", told.notes)
        if told.usage:
            self.usages.append(told.usage)
        self.keep_sandbox(told.sandbox)

    def test(self, ran: Ran, where: str) -> None:
        """Add what building and testing came to."""
        if ran.site is not None:
            self.site = ran.site
            self.note(f"{where}, built:", ran.site.notes)
        self.keep_sandbox(ran.sandbox)
        self.find(where, [f"{name} was written to while the tests ran" for name in ran.touched])

    def keep_sandbox(self, sandbox: str | None) -> None:
        if sandbox and sandbox not in self.sandboxes:
            self.sandboxes.append(sandbox)

    def find(self, where: str, what: Sequence[str]) -> None:
        self.findings += [
            Finding(kind="not-its-own", severity="suspicion", text=f"{where}: {one}")
            for one in what
        ]

    def write(self, **line: Any) -> None:
        """Add a line to the record, at once: what was earned is not lost."""
        with (self.folder / RECORD).open("a", encoding="utf-8") as stream:
            stream.write(scrub(json.dumps(line, ensure_ascii=False)) + "\n")


def attempt_steps(bench: Bench, task: Task, generator: Any, number: int) -> Steps[Attempt]:
    """Work on a project of steps until its end, or until a step fails twice.

    Args:
        bench: The means.
        task: A task that names a project.
        generator: A generator that takes steps.
        number: The attempt at the task, counted from 1.

    Returns:
        The attempt with its verdict.

    Raises:
        SettingsError: The task names no project.
        ProjectError: The project cannot be used.
    """
    from pytest_appbench.attempts import Attempt
    from pytest_appbench.workshop import Made

    started = time.monotonic()
    if task.steps is None:
        raise SettingsError(
            f"{task.path}:{task.line}: task '{task.id}' names no project of steps, which the "
            "protocol webbench needs; write steps: and the project's folder, or choose another "
            "protocol"
        )
    project = read_project(place(task, task.steps))
    suite = _suite(bench, task, project)
    writer = Writer(bench.workshop, generator, project, number)
    folder = bench.place(number, 1)
    (folder / RECORD).unlink(missing_ok=True)
    story = _Story(writer.begin(), folder, bench.place(number, 0))
    outcomes: list[Outcome] = []
    names = tuple(step.id for step in project.steps)
    first = [project.init] if project.init is not None else []
    for step in (*first, *project.steps):
        place_of = 0 if step.id == INIT else names.index(step.id) + 1
        bench.workshop.status.begin(task.id, f"step {place_of} of {len(names)}")
        outcome = yield from _take(task, project, suite, writer, story, step, names)
        outcomes.append(outcome)
        if not outcome.passed:
            break
    verdict = keep(
        _verdict(project, story, outcomes, time.monotonic() - started),
        folder,
        bench.workshop.run.path,
        capture=bench.settings.capture,
        guard=bench.guard,
    )
    made = Made(
        story.artifact,
        notes="\n\n".join(story.notes),
        usage=summed(story.usages) if story.usages else None,
        sandbox=", ".join(story.sandboxes) or None,
    )
    return Attempt(number, made, (verdict,), verdict, story.site)


def _take(
    task: Task,
    project: Project,
    suite: Suite,
    writer: Writer,
    story: _Story,
    step: Step,
    names: tuple[str, ...],
) -> Steps[Outcome]:
    """Take one step, at most twice."""
    number = 0 if step.id == INIT else names.index(step.id) + 1
    tested = names[:number] or ((INIT,) if INIT in project.tests else ())
    errors: list[str] = []
    passes: list[bool] = []
    for tries in range(1, TRIES + 1):
        began, where = time.monotonic(), f"{step.id}, attempt {tries}"
        order = StepOrder(
            task=task,
            project=project.folder,
            name=step.id,
            number=number,
            text=step.description,
            folder=story.artifact.root,
            files=texts(story.artifact.root),
            names=names,
            tries=tries,
            error=errors[-1] if errors else "",
            rules=_rules(task, project),
        )
        left_out: tuple[str, ...] = ()
        try:
            written = yield from writer.write(order, story.artifact)
        except GenerationFailed as failure:
            story.take(failure, where)
            ran = Ran((f"no files were written: {failure}",))
        else:
            story.take(written, where)
            story.artifact, left_out = written.artifact, written.left_out
            ran = yield from suite.run(story.artifact, tested)
        story.find(where, [f"{one}; it was left out" for one in left_out])
        story.test(ran, where)
        passes.append(not ran.failures)
        errors.append(scrub(ran.error))
        story.write(
            step=step.id,
            attempt=tries,
            passed=passes[-1],
            files=story.artifact.digest,
            tests=ran.tests,
            error=errors[-1],
            left_out=list(left_out),
            touched=list(ran.touched),
            sandbox=ran.kept_in,
            seconds=round(time.monotonic() - began, 3),
        )
        if passes[-1]:
            break
    return Outcome(step.id, tuple(passes), tuple(one for one in errors if one))


def _rules(task: Task, project: Project) -> str:
    """What a generator must know of how files are built or run by us, if they are."""
    form = builders.of(task.format)
    if project.uses_node or (form.builder is None and form.runner is None):
        return ""
    return sections(form.rules.strip(), form.terms(task))


def _suite(bench: Bench, task: Task, project: Project) -> Suite:
    if project.uses_node:
        from pytest_appbench.stepwise.node import NodeSuite

        return NodeSuite(project, bench.settings.sandbox)

    def serve(app: Artifact, stack: ExitStack) -> Steps[Served]:
        return serving(bench.workshop, bench.server, task, app, stack)

    def judging(app: Artifact, site: Served) -> Judging:
        return Judging(
            task_id=task.id,
            query=task.query,
            artifact=app,
            url=site.url,
            built=site.built,
            sessions=bench.sessions,
            viewports=bench.settings.viewport,
            seed=bench.settings.seed,
        )

    return CheckSuite(project, builders.of(task.format), judging, serve)


def _verdict(
    project: Project, story: _Story, outcomes: Sequence[Outcome], seconds: float
) -> Verdict:
    known = {outcome.name: outcome for outcome in outcomes}
    taken = [outcome for outcome in outcomes if outcome.name != INIT]
    parts = tuple(_part(step, known.get(step.id)) for step in project.steps)
    failed = next((one for one in outcomes if not one.passed), None)
    if failed is None:
        repaired = sum(len(one.passes) > 1 for one in taken)
        text = f"all {len(parts)} steps pass their tests"
        text += f", {repaired} of them at the second attempt" if repaired else ""
    else:
        done = sum(one.passed for one in taken)
        text = f"{failed.name} failed twice after {done} of {len(parts)} steps: {failed.told}"
    return Verdict(
        status="pass" if failed is None else "fail",
        judge=JUDGE,
        protocol="webbench",
        threshold=1.0,
        score=sum(one.passed for one in taken) / len(parts),
        counted=(),
        figures=figures_of(taken, len(parts)),
        parts=parts,
        reasons=(Reason(text=text),),
        findings=tuple(dict.fromkeys(story.findings)),
        seconds=round(seconds, 3),
    )


def _part(step: Step, outcome: Outcome | None) -> Part:
    own: dict[str, Any] = {
        "kind": "step",
        "name": step.id,
        "text": step.description.strip(),
        "group": step.level,
    }
    if outcome is None:
        return Part(**own, status="skip", message="never tried: an earlier step failed twice")
    if not outcome.passed:
        return Part(**own, status="fail", message=outcome.errors[-1] if outcome.errors else "")
    if len(outcome.passes) > 1:
        return Part(**own, status="pass", message=f"at the second attempt; {outcome.told}")
    return Part(**own, status="pass", message="at the first attempt")
