"""All attempts at one task: each an app and the votes of its judges, then one verdict of them all.

The apps come first, then all judgings at once, so that they overlap wherever a model is waited for.
It knows no pytest and writes no records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import GenerationFailed
from pytest_appbench.judges import protocols
from pytest_appbench.judges.evidence import keep, keep_notes
from pytest_appbench.judges.judging import Brief, Judge, Judging
from pytest_appbench.judges.loop import drive
from pytest_appbench.judges.probe import ProbeScreen
from pytest_appbench.judges.probe.checks import load_checks
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.judges.votes import combine
from pytest_appbench.workshop import Made, Order, not_generated

if TYPE_CHECKING:
    from pytest_appbench.artifacts.serve import AppServer
    from pytest_appbench.judges.judging import Sessions
    from pytest_appbench.settings import Settings
    from pytest_appbench.tasks.model import Task
    from pytest_appbench.waiting import Wait
    from pytest_appbench.workshop import Workshop


@dataclass(frozen=True)
class Candidate:
    """What an attempt starts from: an app and where it is served, or why there is none.

    Attributes:
        made: The app, or the generator's failure.
        url: Where the app is served; empty to have it served here.
    """

    made: Made | GenerationFailed
    url: str = ""


@dataclass(frozen=True)
class Attempt:
    """One attempt, judged.

    Attributes:
        number: Counted from 1.
        made: The app, or the generator's failure.
        votes: The verdict of each judge.
        verdict: What they come to together.
    """

    number: int
    made: Made | GenerationFailed
    votes: tuple[Verdict, ...]
    verdict: Verdict


@dataclass(frozen=True)
class Bench:
    """What judging one task needs besides the task.

    Attributes:
        workshop: The shared means of the process.
        settings: The settings of the task.
        judges: One for each vote.
        sessions: The way to pages.
        server: Serves the apps.
        place: Attempt and vote, counted from 1, to the folder for evidence; vote 0 for what all
            judges of the attempt share.
        until: Waits while the browser is served.
        guard: How far the apps are kept in.
        rerun: How often the task was run before.
    """

    workshop: Workshop
    settings: Settings
    judges: Sequence[Judge]
    sessions: Sessions
    server: AppServer
    place: Callable[[int, int], Path]
    until: Wait
    guard: str = "full"
    rerun: int = 0


def judge_all(bench: Bench, task: Task, candidates: Sequence[Candidate]) -> list[Attempt]:
    """Judge the apps of all attempts.

    Args:
        bench: The means.
        task: The task.
        candidates: The attempts, in order.

    Returns:
        The attempts, judged.
    """
    settings = bench.settings
    orders: list[list[Order]] = []
    with ExitStack() as stack:
        for number, candidate in enumerate(candidates, start=1):
            keep_notes(candidate.made.notes, bench.place(number, 0))
            if isinstance(candidate.made, GenerationFailed):
                orders.append([])
                continue
            url = candidate.url or _served(bench, candidate.made, stack)
            orders.append(_orders(bench, task, candidate.made, url, number))
        flat = [order for group in orders for order in group]
        verdicts = iter(bench.workshop.judge(flat, bench.until, guard=bench.guard))
    attempts = []
    for number, (candidate, group) in enumerate(zip(candidates, orders, strict=True), start=1):
        if isinstance(candidate.made, GenerationFailed):
            votes: tuple[Verdict, ...] = (_failed(bench, candidate.made, number),)
        else:
            votes = tuple(next(verdicts) for _ in group)
        attempts.append(
            Attempt(number, candidate.made, votes, combine(votes, settings.vote, unit="judge"))
        )
    return attempts


def make_all(bench: Bench, task: Task, generator: Callable[[Task], Any]) -> list[Attempt] | None:
    """Make and judge all attempts, by a protocol in which the two take turns.

    Args:
        bench: The means.
        task: The task.
        generator: Works on the task step by step.

    Returns:
        The attempts, judged; None where the protocol judges finished apps: see `judge_all`.
    """
    settings = bench.settings
    attempt = protocols.resolve(settings.protocol).attempt
    if attempt is None:
        return None
    numbers = range(1, settings.attempts + 1)
    steps = [attempt(bench, task, generator, number) for number in numbers]
    attempts: list[Attempt] = []
    for outcome in drive(steps, bench.workshop.portal, bench.until):
        if isinstance(outcome, Exception):
            raise outcome
        attempts.append(outcome)
    return attempts


def outcome_of(attempts: Sequence[Attempt], reducer: str) -> Verdict:
    """What all attempts come to.

    Args:
        attempts: At least one.
        reducer: all, any, majority or mean.
    """
    return combine([attempt.verdict for attempt in attempts], reducer, unit="attempt")


def _failed(bench: Bench, failure: GenerationFailed, number: int) -> Verdict:
    settings = bench.settings
    protocol = "probe" if settings.judge == ("probe",) else settings.protocol
    return keep(
        not_generated(failure, settings.threshold, protocol),
        bench.place(number, 0),
        bench.workshop.run.path,
        capture=settings.capture,
        guard=bench.guard,
    )


def _served(bench: Bench, made: Made, stack: ExitStack) -> str:
    site = bench.server.mount(made.artifact)
    stack.callback(bench.server.unmount, site)
    return site.url


def _orders(bench: Bench, task: Task, made: Made, url: str, number: int) -> list[Order]:
    settings = bench.settings
    checks = task.folder / "checks" / f"{task.id}.py"
    screen = ProbeScreen() if settings.screen == "on" else None
    orders = []
    for vote, judge in enumerate(bench.judges, start=1):
        evidence = bench.place(number, vote)
        judging = Judging(
            task_id=task.id,
            query=task.query,
            artifact=made.artifact,
            url=url,
            sessions=bench.sessions,
            checks=load_checks(checks) if checks.is_file() else (),
            threshold=settings.threshold,
            viewports=settings.viewport,
            max_turns=settings.max_turns,
            max_actions=settings.max_actions,
            time_limit=settings.time_limit,
            evidence=evidence,
            reference=task.reference,
            brief=Brief.of(task),
            pass_label=settings.pass_label,
            protocol=settings.protocol,
            without=settings.without,
            seed=settings.seed,
            vision=settings.vision,
            clock=settings.clock,
            capture=settings.capture,
            screen=screen,
            chat=lambda spec: bench.workshop.chat(spec, task.id),
        )
        facts = {
            "task": task.id,
            "attempt": number,
            "rerun": bench.rerun,
            "guard": bench.guard,
        }
        orders.append(Order(judge, judging, evidence, facts))
    return orders
