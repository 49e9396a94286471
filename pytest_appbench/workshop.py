"""What all judgings of one process share, and the two things done with it: generate and judge.

It ties generators, store, cache, models and judges together for whoever has a browser: pytest's
fixtures, the `appbench` fixture, the command line. It knows no pytest.
"""

from __future__ import annotations

import inspect
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.cache import Cache, key_of
from pytest_appbench.artifacts.candidate import (
    Candidate,
    Means,
    as_candidate,
    identity_of,
    own_name,
)
from pytest_appbench.artifacts.store import Artifact, Store
from pytest_appbench.errors import (
    ArtifactRefused,
    BuildFailed,
    GenerationFailed,
    JudgeError,
    SettingsError,
)
from pytest_appbench.judges.evidence import keep
from pytest_appbench.judges.judging import Brief
from pytest_appbench.judges.loop import Await, BrowserCall, Steps, drive
from pytest_appbench.judges.verdict import BUILDER, NOBODY, Reason, Usage, Verdict
from pytest_appbench.models.portal import Portal
from pytest_appbench.reports.status import Status
from pytest_appbench.waiting import Wait

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Yard
    from pytest_appbench.judges.judging import Judge, Judging
    from pytest_appbench.models.chat import Chat
    from pytest_appbench.models.limits import Ledger, Slots
    from pytest_appbench.reports.results import Run
    from pytest_appbench.settings import Settings
    from pytest_appbench.tasks.model import Task

GENERATION_SECONDS = 900.0
"""For one app, as MiniAppBench caps each run (section 5.1)."""


@dataclass(frozen=True)
class Made:
    """An app that was made for a task, and what that took."""

    artifact: Artifact
    notes: str = ""
    usage: Usage | None = None
    sandbox: str | None = None
    reused: bool = False


@dataclass
class Workshop:
    """The shared means of one process.

    Attributes:
        settings: The settings of the run.
        run: Where records and evidence go.
        portal: Runs async code.
        reuse_last: Whether a task gets the app of the last run again and is judged afresh, as
            `--lf` asks.
        status: Tells whoever watches what is being done.
    """

    settings: Settings
    run: Run
    portal: Portal = field(default_factory=Portal)
    reuse_last: bool = False
    status: Status = field(default_factory=lambda: Status(None))

    @cached_property
    def store(self) -> Store:
        """The artifact store."""
        return Store(self.settings.cache_dir)

    @cached_property
    def cache(self) -> Cache:
        """What is kept from run to run."""
        policy = dict(self.settings.cache)
        if self.reuse_last and policy["judge"] == "read":
            policy["judge"] = "refresh"
        return Cache(self.settings.cache_dir, policy)

    @cached_property
    def ledger(self) -> Ledger:
        """What this run spends, over all its workers."""
        from pytest_appbench.models.limits import Ledger

        limits = self.settings
        return Ledger(
            self.run.path / "ledger",
            run_tokens=limits.run_tokens,
            run_cost=limits.run_cost,
            task_tokens=limits.task_tokens,
            task_cost=limits.task_cost,
        )

    @cached_property
    def slots(self) -> Slots:
        """The model calls that may be in flight, over all workers."""
        from pytest_appbench.models.limits import Slots

        return Slots(self.run.path / "ledger", self.settings.concurrency)

    def chat(self, spec: str, task: str, *, nodeid: str = "", seconds: float | None = None) -> Chat:
        """A model, with the limits of the run around it.

        Args:
            spec: Such as `anthropic:MODEL`.
            task: The id of the task that is charged.
            nodeid: What tells it from tasks of the same id in other folders.
            seconds: The most that one answer may take, None for no limit.
        """
        from pytest_appbench.models import resolve
        from pytest_appbench.models.limits import Metered

        account = nodeid or task
        return Metered(resolve(spec), self.ledger, self.slots, account, seconds=seconds, name=task)

    def means(self, nodeid: str = "") -> Means:
        """What generators are given.

        Args:
            nodeid: What the tokens of the models they ask are charged to.
        """
        settings = self.settings
        limit = settings.time_limit or GENERATION_SECONDS
        return Means(
            chat=lambda spec, task: self.chat(spec, task, nodeid=nodeid, seconds=limit),
            environment=settings.generator_env,
            version=settings.generator_version or "",
            hidden=self._hidden,
            sandbox=settings.sandbox,
            time_limit=limit,
            images=settings.vision != "off",
        )

    @property
    def _hidden(self) -> tuple[Path, ...]:
        """What no process of an app or an agent may see."""
        settings = self.settings
        return settings.root_dir, settings.cache_dir, settings.run_dir

    def yard(self) -> Yard:
        """What building and running an app needs of the run."""
        from pytest_appbench.artifacts.builders import Yard

        return Yard(self.settings.cache_dir, self._hidden, self.settings.sandbox)

    def close(self) -> None:
        """End what runs."""
        self.portal.close()

    # Generating

    def generate(
        self, generator: Callable[[Task], Any], task: Task, attempts: Sequence[int], until: Wait
    ) -> list[Made | GenerationFailed]:
        """Make a task's apps, or take those that were kept; models write them side by side.

        Args:
            generator: A generator, or a user's own plain or async callable.
            task: The task.
            attempts: The numbers of the attempts, counted from 1; each makes an app of its own.
            until: Waits while the browser is served.

        Returns:
            For each attempt the app in the store, or why there is none by the candidate's own
            fault.

        Raises:
            MissingArtifact: There is no app where one was expected.
        """
        self.status.begin(task.id, "generating")
        steps = [self._generating(generator, task, attempt) for attempt in attempts]
        made: list[Made | GenerationFailed] = []
        for outcome in drive(steps, self.portal, until):
            if isinstance(outcome, Exception) and not isinstance(outcome, GenerationFailed):
                raise outcome
            made.append(outcome)
        return made

    def _generating(
        self, generator: Callable[[Task], Any], task: Task, attempt: int
    ) -> Steps[Made]:
        settings = self.settings
        identity = identity_of(generator, settings.generator_version)
        same = {
            "task": task.model_dump(mode="json", exclude={"path", "line"}),
            "brief": Brief.of(task).facts(),
            "attempt": attempt,
        }
        last = key_of(generator=settings.generator, place=str(task.path), **same)
        kept = self._kept(identity, same, last)
        if kept is not None:
            return kept
        self.cache.forget(last)  # if this attempt makes no app, an older one is not its app
        value = generator(task)
        candidate = as_candidate(
            (yield Await(value)) if inspect.isawaitable(value) else value,
            own_name(generator, settings.generator_version),
        )
        try:
            artifact = self.store.add(candidate.source, candidate.origin)
        except ArtifactRefused as error:
            if candidate.temporary:  # what a generator wrote just now is its own doing
                raise GenerationFailed(
                    str(error), candidate.notes, usage=candidate.usage, sandbox=candidate.sandbox
                ) from error
            raise
        finally:
            if candidate.temporary:
                shutil.rmtree(candidate.source, ignore_errors=True)
        made = Made(artifact, candidate.notes, candidate.usage, candidate.sandbox)
        self._keep(made, candidate, identity, same, last)
        return made

    def _kept(self, identity: str | None, same: dict[str, Any], last: str) -> Made | None:
        data = self.cache.last(last) if self.reuse_last else None
        if data and identity and data["identity"] not in (None, identity):
            data = None  # an agent that has changed is never judged on its old app
        if data is None and identity is not None:
            data = self.cache.get("generate", key_of(identity=identity, **same))
        artifact = self.store.find(data["digest"], data["origin"]) if data else None
        if data is None or artifact is None:
            return None
        return Made(artifact, data["notes"], None, data["sandbox"], reused=True)

    def _keep(
        self,
        made: Made,
        candidate: Candidate,
        identity: str | None,
        same: dict[str, Any],
        last: str,
    ) -> None:
        data = {
            "digest": made.artifact.digest,
            "origin": made.artifact.origin,
            "notes": made.notes,
            "sandbox": made.sandbox,
            "identity": identity,
        }
        if identity is not None:
            self.cache.put("generate", key_of(identity=identity, **same), data)
        if candidate.temporary:  # what lies in a folder of the user's is read afresh each time
            self.cache.remember(last, data)

    # Judging

    def judge(self, orders: Sequence[Order], until: Wait, *, guard: str = "full") -> list[Verdict]:
        """Carry out judgings; while one waits for its model, the others go on.

        Args:
            orders: Who judges what.
            until: Waits while the browser is served.
            guard: How far the apps were kept in: full or routing.

        Returns:
            The verdicts, written beside their evidence. When one judging ends with an error of the
            harness, the others are written and kept all the same before it is raised.
        """
        kept = [self._verdict_kept(order) for order in orders]
        fresh = [order for order, verdict in zip(orders, kept, strict=True) if verdict is None]
        if fresh:
            limit = _most_turns(fresh[0].judging) if self.status.is_watched else 0
            self.status.begin(fresh[0].judging.task_id, "judging", len(fresh), limit)
        steps = [self.status.counted(self._steps(one), n) for n, one in enumerate(fresh)]
        outcomes = iter(drive(steps, self.portal, until))
        verdicts, errors = [], []
        for order, known in zip(orders, kept, strict=True):
            outcome = known or next(outcomes)
            if isinstance(outcome, Exception):
                errors.append(outcome)
                continue
            verdict = keep(
                outcome,
                order.evidence,
                self.run.path,
                capture=self.settings.capture,
                guard=guard,
            )
            verdicts.append(verdict)
            if known is None and order.key and not verdict.cut_short:
                data = verdict.model_dump(exclude={"evidence"})
                self.cache.put("judge", order.key, data, order.evidence)
        if errors:
            raise errors[0]
        return verdicts

    def _steps(self, order: Order) -> Steps[Verdict]:
        if not callable(order.judge):
            raise SettingsError(
                f"the appbench_judge fixture answered {order.judge!r}; it must return a callable "
                "that takes a judging and returns a Verdict, or a list of such callables"
            )
        value: Any = yield BrowserCall(lambda: order.judge(order.judging))
        if inspect.isgenerator(value):
            value = yield from value
        elif inspect.isawaitable(value):
            value = yield Await(value)
        if not isinstance(value, Verdict):
            name = getattr(order.judge, "__name__", repr(order.judge))
            raise JudgeError(f"the judge {name} answered {value!r}; it must return a Verdict")
        return value

    def _verdict_kept(self, order: Order) -> Verdict | None:
        data = self.cache.get("judge", order.key, order.evidence) if order.key else None
        return Verdict.model_validate({**data, "cached": True}) if data else None


@dataclass(frozen=True)
class Order:
    """One judging to be carried out.

    Attributes:
        judge: Who judges.
        judging: What is judged.
        evidence: The folder for its evidence.
        facts: What its verdict depends on besides: task, attempt, rerun.
    """

    judge: Judge
    judging: Judging
    evidence: Path
    facts: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """The key of the verdict; empty for a judge whose verdicts are not kept."""
        of_judge = getattr(self.judge, "facts", None)
        return key_of(**of_judge(self.judging), **self.facts) if of_judge else ""


def told_apart(order: Order, before: Counter[str]) -> Order:
    """The order, with a key of its own where the same was to be judged before.

    It counts equals, not places, so that a verdict stays known when other judges come or go.

    Args:
        order: What is to be judged.
        before: The keys of earlier orders; this one's is added.
    """
    count = before[order.key]
    before[order.key] += 1
    return replace(order, facts={**order.facts, "again": count}) if count else order


def _most_turns(judging: Judging) -> int:
    from pytest_appbench.judges import protocols

    return judging.max_turns or protocols.resolve(judging.protocol).max_turns


def not_usable(
    error: GenerationFailed | BuildFailed,
    threshold: float,
    protocol: str,
    brief: Brief | None = None,
) -> Verdict:
    """The verdict on a candidate that never wrote an app, or one that does not build.

    Args:
        error: What happened instead.
        threshold: What its scores would have been compared with.
        protocol: The way in which it would have been judged.
        brief: What the task gives besides its request.

    Returns:
        A fail with the cause `generation` or `build`.
    """
    from pytest_appbench.judges import protocols

    does_not_build = isinstance(error, BuildFailed)
    # The probe is no protocol of a model; it gives the three scores, as miniapp does.
    known = protocols.resolve(protocol if protocol in protocols.known() else "miniapp")
    fields: dict[str, Any] = {
        "status": "fail",
        "judge": BUILDER if does_not_build else NOBODY,
        "protocol": protocol,
        "threshold": threshold,
        "cause": "build" if does_not_build else "generation",
        "reasons": (Reason(text=str(error)),),
        **known.absent(brief or Brief()),
    }
    return Verdict(**fields)
