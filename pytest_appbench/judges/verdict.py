"""What a judge answers: status, scores with reasons, and the evidence that each reason cites.

A verdict is data. It knows nothing of pytest, of browsers or of how it was reached, and it is the
same object in memory, in `verdict.json` and in the results.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.tasks.wording import quote

Status = Literal["pass", "fail", "uncertain"]
Dimension = Literal["intention", "static", "dynamic"]
Cause = Literal["build", "load", "generation"]
NOBODY = "generator"
"""Stands for the judge in the verdict on a candidate that wrote no app to be judged."""
BUILDER = "builder"
"""Stands for the judge in the verdict on an app that does not build."""
UNJUDGED = frozenset({NOBODY, BUILDER})
BETWEEN = " + "
"""Stands between the names of several judges, or of several models."""
DIMENSIONS: tuple[Dimension, ...] = ("intention", "static", "dynamic")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_Record):
    """A place in a record where a quote can be found."""

    source: Literal["step", "file", "description", "probe"]
    where: str
    """The step's number, the file's path inside the artifact, or the finding's or check's name."""
    quote: str


class Reason(_Record):
    """Why a score is what it is."""

    dimension: Dimension | None = None
    text: str
    evidence: tuple[Citation, ...] = ()


class CheckResult(_Record):
    """How one executable check of a task ended."""

    name: str
    dimension: Dimension
    outcome: Literal["passed", "failed"]
    claim: str
    """What must hold: the first line of the check's docstring, else its name in words."""
    message: str = ""
    """The symptom, when it failed."""
    where: str = ""
    """File and line of the assertion that failed."""
    seconds: float = 0.0


class Part(_Record):
    """Something that a protocol judges apart: a case, a feature, a functional point, a step.

    Attributes:
        kind: What it is, one word of the protocol's, such as `case` or `point`.
        name: What it is called among those of its kind.
        status: How it ended; `skip` for one that was never tried.
        text: What must hold, or what was to be done.
        group: What it belongs to, such as its feature or its axis.
        dimension: The score that it counts for, if it counts for one.
        score: Its own score on the protocol's scale, if it has one.
        message: What was seen, or why it has this status.
        evidence: Where that can be found.
    """

    kind: str
    name: str
    status: Literal["pass", "fail", "uncertain", "skip"]
    text: str = ""
    group: str = ""
    dimension: Dimension | None = None
    score: float | None = None
    message: str = ""
    evidence: tuple[Citation, ...] = ()


class Finding(_Record):
    """Something the probe noticed about an app.

    `severity` says what it may do: a *fault* convinces an author and fails the app; a *suspicion*
    is shown and never scored; a *note* is context.
    """

    kind: str
    """A stable word, such as `uncaught-exception`, `dead-control`, `axe` or `blank`."""
    severity: Literal["fault", "suspicion", "note"]
    text: str
    evidence: tuple[Citation, ...] = ()


class Attempted(_Record):
    """A way out of its own site that the app tried and the guard stopped."""

    kind: str
    """What was tried: `fetch`, `websocket`, `popup`, `download`, `navigation`, ..."""
    url: str
    count: int = 1


class Scores(_Record):
    """The three common scores, each 0..1, or None where the judge gives none."""

    intention: float | None = Field(default=None, ge=0, le=1)
    static: float | None = Field(default=None, ge=0, le=1)
    dynamic: float | None = Field(default=None, ge=0, le=1)


class Usage(_Record):
    """What a judging consumed; tokens and cost are None for a judge without a model."""

    turns: int = 0
    actions: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


class Verdict(_Record):
    """The outcome of judging one artifact for one task.

    Attributes:
        status: pass, fail or uncertain.
        judge: The judge that gave it, always named beside a score.
        protocol: The way of judging, such as `probe`.
        scores: The three common scores.
        score: The protocol's own single score, if it has one.
        label: The protocol's own label, if it has one.
        cause: Set when the artifact never became usable: build, load or generation.
        threshold: What the least score was compared with.
        counted: The dimensions that the status rests on where there is no single score; None for
            all three.
        figures: The protocol's own figures by name, on its own scales.
        parts: What the protocol judged apart, in its order.
    """

    status: Status
    judge: str
    protocol: str
    threshold: float
    model: str | None = None
    scores: Scores = Scores()
    score: float | None = None
    label: str | None = None
    counted: tuple[Dimension, ...] | None = None
    figures: dict[str, float] = {}
    parts: tuple[Part, ...] = ()
    cause: Cause | None = None
    reasons: tuple[Reason, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    attempted: tuple[Attempted, ...] = ()
    deviations: tuple[str, ...] = ()
    """Where the run departed from the protocol as published, such as `vision on`."""
    usage: Usage = Usage()
    seconds: float = 0.0
    guard: str = "full"
    cut_short: bool = False
    """Whether a limit or a refusal ended it before the judge had decided."""
    cached: bool = False
    """Whether it was given in an earlier run and kept."""
    evidence: str | None = None
    """The folder with the evidence, relative to the run directory."""

    @property
    def passed(self) -> bool:
        """Whether the status is pass."""
        return self.status == "pass"

    @property
    def least(self) -> float | None:
        """What is compared with the threshold: the single score, else the least that counts."""
        if self.score is not None:
            return self.score
        counted = DIMENSIONS if self.counted is None else self.counted
        values = [getattr(self.scores, name) for name in counted]
        return None if None in values or not values else min(values)

    def __str__(self) -> str:
        scores = ", ".join(
            f"{name} {value:.2f}" if value is not None else f"{name} not scored"
            for name, value in self.scores
        )
        return f"{self.status} by {self.judge} ({scores}; threshold {self.threshold:g})"

    def __repr__(self) -> str:
        # What a failed assertion shows, in a terminal: short, on one line, nothing invisible.
        failed = [
            check.message or check.claim for check in self.checks if check.outcome != "passed"
        ]
        faults = [finding.text for finding in self.findings if finding.severity == "fault"]
        told = [*failed, *faults, *(reason.text for reason in self.reasons)]
        why = f": {quote(told[0], 80)}" if told and not self.passed else ""
        evidence = f", evidence {quote(self.evidence, 60)[1:-1]}" if self.evidence else ""
        return f"<{self.status} by {quote(self.judge, 50)[1:-1]}{why}{evidence}>"


def meets(value: float, threshold: float) -> bool:
    """Whether a score reaches a threshold, compared after rounding to 1e-9."""
    return round(value, 9) >= round(threshold, 9)
