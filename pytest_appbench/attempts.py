"""All attempts at one task: each an app and the votes of its judges, then one verdict of them all.

The apps come first, then all judgings at once, so that they overlap wherever a model is waited for.
It knows no pytest and writes no records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import BuildFailed, GenerationFailed
from pytest_appbench.judges import protocols
from pytest_appbench.judges.evidence import keep, keep_notes
from pytest_appbench.judges.judging import Brief, Judge, Judging
from pytest_appbench.judges.loop import drive
from pytest_appbench.judges.probe import ProbeScreen
from pytest_appbench.judges.probe.checks import load_checks
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.judges.votes import combine
from pytest_appbench.sites import Served, opened
from pytest_appbench.workshop import Made, Order, not_usable, told_apart

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
        site: Where the app is served, or why it cannot be; None to have it built and served here.
    """

    made: Made | GenerationFailed
    site: Served | BuildFailed | None = None


@dataclass(frozen=True)
class Attempt:
    """One attempt, judged.

    Attributes:
        number: Counted from 1.
        made: The app, or the generator's failure.
        votes: The verdict of each judge.
        verdict: What they come to together.
        site: Where the app was served, or why it could not be.
    """

    number: int
    made: Made | GenerationFailed
    votes: tuple[Verdict, ...]
    verdict: Verdict
    site: Served | BuildFailed | None = None

    @property
    def sandbox(self) -> str | None:
        """What kept processes of the candidate in, while it was made, built and run."""
        named = [part.sandbox for part in (self.made, self.site) if part is not None]
        return ", ".join(dict.fromkeys(filter(None, named))) or None

    @property
    def built(self) -> str | None:
        """The digest of the files that were served, where they were built."""
        return (self.site.built or None) if isinstance(self.site, Served) else None


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
        surroundings: Tells apart the browsers and contexts that the apps are judged in.
        nodeid: What the tokens of models are charged to.
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
    surroundings: str = ""
    nodeid: str = ""


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
        sites = _all_served(bench, task, candidates, stack)
        for number, (candidate, site) in enumerate(zip(candidates, sites, strict=True), start=1):
            notes = [part.notes for part in (candidate.made, site) if part is not None]
            keep_notes("\n\n".join(filter(None, notes)), bench.place(number, 0))
            if isinstance(candidate.made, Made) and isinstance(site, Served):
                orders.append(_orders(bench, task, candidate.made, site, number))
            else:
                orders.append([])
        flat = [order for group in orders for order in group]
        verdicts = iter(bench.workshop.judge(flat, bench.until, guard=bench.guard))
    attempts = []
    for number, (candidate, site) in enumerate(zip(candidates, sites, strict=True), start=1):
        failure = next((one for one in (candidate.made, site) if isinstance(one, Exception)), None)
        if failure is not None:
            votes: tuple[Verdict, ...] = (_failed(bench, task, failure, number),)
        else:
            votes = tuple(next(verdicts) for _ in orders[number - 1])
        verdict = combine(votes, settings.vote, unit="judge")
        attempts.append(Attempt(number, candidate.made, votes, verdict, site))
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


def _failed(
    bench: Bench, task: Task, failure: GenerationFailed | BuildFailed, number: int
) -> Verdict:
    settings = bench.settings
    protocol = "probe" if settings.judge == ("probe",) else settings.protocol
    return keep(
        not_usable(failure, settings.threshold, protocol, Brief.of(task)),
        bench.place(number, 0),
        bench.workshop.run.path,
        capture=settings.capture,
        guard=bench.guard,
    )


def _all_served(
    bench: Bench, task: Task, candidates: Sequence[Candidate], stack: ExitStack
) -> list[Served | BuildFailed | None]:
    """Where each app is served; None for one that was never written."""
    waiting = [
        candidate.made.artifact
        for candidate in candidates
        if candidate.site is None and isinstance(candidate.made, Made)
    ]
    opening = opened(bench.workshop, bench.server, task, waiting, bench.until)
    fresh = iter(stack.enter_context(opening))
    return [
        next(fresh) if one.site is None and isinstance(one.made, Made) else one.site
        for one in candidates
    ]


def _orders(bench: Bench, task: Task, made: Made, site: Served, number: int) -> list[Order]:
    settings = bench.settings
    checks = task.folder / "checks" / f"{task.id}.py"
    found = load_checks(checks) if checks.is_file() else ()
    screen = ProbeScreen() if settings.screen == "on" else None
    brief = Brief.of(task)
    orders: list[Order] = []
    before: Counter[str] = Counter()
    for vote, judge in enumerate(bench.judges, start=1):
        evidence = bench.place(number, vote)
        judging = Judging(
            task_id=task.id,
            query=task.query,
            artifact=made.artifact,
            url=site.url,
            built=site.built,
            sessions=bench.sessions,
            checks=found,
            threshold=settings.threshold,
            viewports=settings.viewport,
            max_turns=settings.max_turns,
            max_actions=settings.max_actions,
            time_limit=settings.time_limit,
            evidence=evidence,
            reference=task.reference,
            brief=brief,
            pass_label=settings.pass_label,
            protocol=settings.protocol,
            without=settings.without,
            seed=settings.seed,
            vision=settings.vision,
            clock=settings.clock,
            capture=settings.capture,
            screen=screen,
            chat=lambda spec: bench.workshop.chat(spec, task.id, nodeid=bench.nodeid),
        )
        facts = {
            "task": task.id,
            "attempt": number,
            "rerun": bench.rerun,
            "guard": bench.guard,
            "surroundings": bench.surroundings,
            **({"site": site.identity} if site.identity else {}),
        }
        orders.append(told_apart(Order(judge, judging, evidence, facts), before))
    return orders
