"""One judging in the hands of one model: its means, its limits, and what it has consumed.

Talking with the model is for `conversation`; which protocol does what with it is for `protocols`.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import JudgeError
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.trajectory import Trajectory
from pytest_appbench.judges.untrusted import Untrusted
from pytest_appbench.judges.verdict import Reason, Usage, Verdict
from pytest_appbench.models.chat import Chat, Reply, Tokens

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session
    from pytest_appbench.judges.desk import Desk
    from pytest_appbench.judges.judging import Judging
    from pytest_appbench.judges.protocols import Protocol


@dataclass
class Case:
    """One judging in the hands of one model.

    Attributes:
        judging: The app, the task and the limits.
        protocol: The way of judging.
        judge: The judge as records name it, such as `anthropic:MODEL`.
        chat: The model.
        untrusted: Fences what came from the app.
        trajectory: What is kept of the way to the verdict.
        departures: Where the protocol departs from what was published, for the verdict.
    """

    judging: Judging
    protocol: Protocol
    judge: str
    chat: Chat
    untrusted: Untrusted
    trajectory: Trajectory
    started: float = field(default_factory=time.monotonic)
    turns: int = 0
    actions: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = 0.0
    model: str = ""
    departures: list[str] = field(default_factory=list)

    @property
    def sees(self) -> bool:
        """Whether screenshots are shown to the model."""
        own = self.protocol.sees
        return {"on": True, "off": False}.get(self.judging.vision, own)

    @property
    def deviations(self) -> tuple[str, ...]:
        """Where this judging departs from the protocol as published."""
        found = [f"without {part}" for part in sorted(self.judging.without)]
        if self.sees != self.protocol.sees:
            found.append(f"vision {'on' if self.sees else 'off'}")
        if not self.judging.owns_time:
            found.append(f"clock {self.judging.clock}")
        return (*found, *self.departures)

    @property
    def max_turns(self) -> int:
        """The most answers of the model."""
        return self.judging.max_turns or self.protocol.max_turns

    @property
    def time_limit(self) -> float:
        """Seconds for the whole judging."""
        return self.judging.time_limit or self.protocol.time_limit

    def seconds_left(self) -> float:
        """What is left of the time limit."""
        return self.started + self.time_limit - time.monotonic()

    def sit_down(
        self,
        stack: ExitStack,
        records: Records,
        *,
        first: int = 1,
        films: bool = False,
        beside: Session | None = None,
        person: int = 0,
    ) -> Desk:
        """Open the app and the workbench; `stack` closes them.

        Args:
            stack: Closes what was opened.
            records: Where to record what is shown.
            first: The number of the first step. Desks side by side need steps of their own, so that
                a number means one step and one picture of the judging.
            films: Whether the judge needs pictures of the steps, whatever is kept of them.
            beside: An open session that this one shares its storage with; None for none.
            person: Counts the sessions that meet each other, from 0.
        """
        from pytest_appbench.browser.capture import Camera
        from pytest_appbench.browser.hands import Hands
        from pytest_appbench.judges.desk import Desk
        from pytest_appbench.judges.evidence import STEPS

        judging = self.judging
        opened = judging.sessions.open(clock=judging.owns_time, beside=beside, person=person)
        session = stack.enter_context(opened)
        session.open(judging.url)
        camera = None
        if (films or judging.capture != "off") and judging.evidence is not None:
            folder = STEPS + ("-redacted" if self.untrusted.redact else "")
            camera = Camera(session, judging.evidence, folder)
        return Desk(
            judging=judging,
            untrusted=self.untrusted,
            records=records,
            hands=Hands(
                session,
                judging.url,
                judging.evidence,
                camera,
                first=first,
                materials={one.name: one.path for one in judging.brief.materials},
            ),
            session=session,
            workbench=stack.enter_context(judging.sessions.open_blank()),
            max_actions=judging.max_actions or self.protocol.max_actions,
            sees=self.sees and judging.evidence is not None,
        )

    @property
    def usage(self) -> Usage:
        """What was consumed so far."""
        return Usage(
            turns=self.turns,
            actions=self.actions,
            tokens_in=self.tokens.prompt,
            tokens_out=self.tokens.output,
            cost_usd=self.cost,
        )

    def verdict(self, **fields: Any) -> Verdict:
        """A verdict of this case.

        Args:
            fields: Status, scores, reasons and whatever else the protocol gives.
        """
        judging = self.judging
        return Verdict(
            judge=self.judge,
            protocol=self.protocol.name,
            model=self.model or None,
            threshold=judging.threshold,
            findings=tuple(judging.screen.findings(judging)) if judging.screen else (),
            deviations=self.deviations,
            usage=self.usage,
            seconds=round(time.monotonic() - self.started, 3),
            **fields,
        )

    def undecided(self, why: str) -> Verdict:
        """An uncertain verdict.

        Args:
            why: What stood in the way, for a person.
        """
        self.trajectory.note(why)
        return self.verdict(status="uncertain", reasons=(Reason(text=why),), cut_short=True)

    def record(self, conversation: str, desk: Desk) -> None:
        """Put the latest steps into the trajectory.

        Args:
            conversation: Its name.
            desk: Where they were done.
        """
        self.trajectory.actions(conversation, desk.pending)
        self.actions += sum(map(desk.is_action, desk.pending))
        desk.pending.clear()

    def count(self, reply: Reply) -> None:
        """Add an answer to what was consumed."""
        self.turns += 1
        self.tokens += reply.tokens
        self.model = reply.model or self.model
        known = self.cost is not None and reply.cost_usd is not None
        self.cost = (self.cost or 0.0) + (reply.cost_usd or 0.0) if known else None


def chat_of(judging: Judging, spec: str) -> Chat:
    """The model that judges.

    Args:
        judging: Gives models with the limits of the run around them.
        spec: Such as `anthropic:MODEL`.

    Raises:
        JudgeError: This judging was set up without models.
    """
    if judging.chat is None:
        raise JudgeError(f"{spec} cannot be asked: this judging was set up without models")
    return judging.chat(spec)
