"""The judges that ask a model: `anthropic:MODEL`, `openai:MODEL`.

They let the probe look first, judge by the protocol that was asked for, and judge again with the
suspect words removed when an app that passed tried to instruct its judge.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pytest_appbench import __version__
from pytest_appbench.errors import JudgeError
from pytest_appbench.judges.agent import Case, chat_of
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.prompts import digest
from pytest_appbench.judges.protocols import labels_of
from pytest_appbench.judges.protocols import resolve as resolve_protocol
from pytest_appbench.judges.trajectory import NAME, Trajectory
from pytest_appbench.judges.untrusted import Untrusted
from pytest_appbench.judges.verdict import (
    DIMENSIONS,
    Finding,
    Reason,
    Scores,
    Usage,
    Verdict,
    meets,
)
from pytest_appbench.models.decoding import judge_decoding
from pytest_appbench.models.endpoints import elsewhere

if TYPE_CHECKING:
    from pytest_appbench.judges.judging import Judging
    from pytest_appbench.models.chat import Chat

TOLERANCE = 0.1
"""How far a score may differ between the two judgings of a suspect app before the lower counts."""
REDACTED = "trajectory-redacted.jsonl"


@dataclass(frozen=True)
class ModelJudge:
    """A judge of a model.

    Attributes:
        spec: Such as `anthropic:MODEL`.
    """

    spec: str

    def __call__(self, judging: Judging) -> Steps[Verdict]:
        """Judge an app, unless the probe finds it dead on arrival.

        Args:
            judging: The app and its limits.

        Raises:
            JudgeError: The judging is to go without what its protocol needs.
        """
        protocol = resolve_protocol(judging.protocol)
        if missing := sorted(protocol.needs & judging.without):
            raise JudgeError(
                f"the protocol {protocol.name} cannot judge without the {' and '.join(missing)}: "
                f"leave out --appbench-without={','.join(missing)}"
            )
        if not protocol.uses_app:
            judging = replace(judging, screen=None)
        if judging.screen is not None and "agent" not in judging.without:
            screen = judging.screen
            dead: Verdict | None = yield BrowserCall(lambda: screen.verdict(judging))
            if dead is not None:
                return _dead_on_arrival(dead, judging)
        return (yield from judge_twice(judging, self.spec, chat_of(judging, self.spec)))

    def facts(self, judging: Judging) -> dict[str, Any]:
        """Everything about this judge and the judging that its verdict depends on, as JSON.

        Args:
            judging: The app and its limits.
        """
        protocol = resolve_protocol(judging.protocol)
        where = elsewhere(self.spec)
        return {
            "plugin": __version__,
            "judge": self.spec,
            **({"endpoint": where} if where else {}),
            "protocol": protocol.name,
            "prompts": digest(protocol.prompts),
            "decoding": judge_decoding().model_dump(),
            "artifact": judging.artifact.digest,
            "query": judging.query,
            "reference": judging.reference.model_dump(mode="json"),
            "brief": judging.brief.facts(),
            "pass_label": judging.pass_label,
            "threshold": judging.threshold,
            "seed": judging.seed,
            "viewports": [list(size) for size in judging.viewports],
            "clock": judging.clock,
            "without": sorted(judging.without),
            "vision": judging.vision,
            "screen": judging.screen is not None,
            "limits": [judging.max_turns, judging.max_actions, judging.time_limit],
        }


def judge_twice(
    judging: Judging, spec: str, chat: Chat, markers: tuple[str, str] | None = None
) -> Steps[Verdict]:
    """Judge, and once more with suspect words removed if a pass was asked for by the app itself.

    Args:
        judging: The app and its limits.
        spec: Names the judge in records.
        chat: The model.
        markers: The secrets of the fences, to repeat a recorded judging; new ones by default.

    Returns:
        The verdict. Where the two differ by more than `TOLERANCE` in a dimension, the lower counts.
    """
    first_marker, second_marker = markers or (secrets.token_hex(8), secrets.token_hex(8))
    case = _case(judging, spec, chat, Untrusted(first_marker), NAME)
    verdict = yield from _judged(case)
    flags = case.untrusted.flags
    if not flags:
        return verdict
    noted = tuple(
        Finding(
            kind="injection",
            severity="suspicion",
            text=f"{flag.source} speaks to whoever judges ({flag.style}): {flag.quote[:200]}",
        )
        for flag in flags[:8]
    )
    verdict = verdict.model_copy(update={"findings": (*verdict.findings, *noted)})
    if not verdict.passed:
        return verdict
    again = _case(judging, spec, chat, Untrusted(second_marker, redact=True), REDACTED)
    second = yield from _judged(again)
    return lower(verdict, second)


def _judged(case: Case) -> Steps[Verdict]:
    """The verdict of one judging, also where the app cannot be opened or looked at for it."""
    from pytest_appbench.browser.errors import PageLost
    from pytest_appbench.browser.hands import HandsError
    from pytest_appbench.judges.probe import ProbeScreen

    try:
        return (yield from case.protocol.judge(case))
    except (PageLost, HandsError) as error:
        why = str(error)
    judging = case.judging
    screen = judging.screen or ProbeScreen()
    dead: Verdict | None = yield BrowserCall(lambda: screen.verdict(judging))
    if dead is None:
        return case.undecided(f"the app was lost while it was opened for the judge: {why}")
    case.trajectory.note(f"dead on arrival, by {dead.judge}: {dead.reasons[0].text}")
    return _dead_on_arrival(dead, judging).model_copy(update={"usage": case.usage})


def _dead_on_arrival(verdict: Verdict, judging: Judging) -> Verdict:
    """The probe's verdict on an app that nobody can use, as the judging's protocol puts it."""
    absent = resolve_protocol(judging.protocol).absent(judging.brief)
    given = {**verdict.model_dump(), "protocol": judging.protocol, **absent}
    return Verdict.model_validate(given)


def lower(first: Verdict, second: Verdict) -> Verdict:
    """What a suspect pass comes to after its second judging.

    Args:
        first: The verdict with everything shown.
        second: The verdict with the suspect words removed.

    Returns:
        The first verdict, with the lower score wherever the two differ by more than `TOLERANCE`;
        uncertain if the second judging came to no scores.
    """
    usage = Usage(
        turns=first.usage.turns + second.usage.turns,
        actions=first.usage.actions + second.usage.actions,
        tokens_in=(first.usage.tokens_in or 0) + (second.usage.tokens_in or 0),
        tokens_out=(first.usage.tokens_out or 0) + (second.usage.tokens_out or 0),
        cost_usd=None
        if first.usage.cost_usd is None or second.usage.cost_usd is None
        else first.usage.cost_usd + second.usage.cost_usd,
    )
    whole = {
        "usage": usage,
        "seconds": round(first.seconds + second.seconds, 3),
        "cut_short": second.cut_short,
    }
    if second.status == "uncertain":
        why = second.reasons[0].text if second.reasons else "no reason was given"
        text = f"the app tried to instruct its judge, and the second judging is uncertain: {why}"
        return first.model_copy(
            update={
                **whole,
                "status": "uncertain",
                "label": None,
                "reasons": (Reason(text=text), *first.reasons),
            }
        )
    if first.label is not None or first.figures:
        # A label and figures hold together: they are not mended one by one.
        worse = second if _is_worse(second, first) else first
        return worse.model_copy(update={**whole, "findings": first.findings})
    scores, reasons = dict(first.scores), list(first.reasons)
    for name in DIMENSIONS:
        before, after = getattr(first.scores, name), getattr(second.scores, name)
        if before is not None and after is not None and _is_lower(after, before):
            scores[name] = after
            reasons += [
                reason.model_copy(update={"text": f"with suspect words removed: {reason.text}"})
                for reason in second.reasons
                if reason.dimension == name
            ]
    score = first.score
    if score is not None and second.score is not None and _is_lower(second.score, score):
        score = second.score
        reasons += second.reasons
    mended = first.model_copy(
        update={
            **whole,
            "scores": Scores(**scores),
            "score": score,
            "reasons": tuple(reasons),
        }
    )
    passed = mended.least is not None and meets(mended.least, first.threshold)
    return mended.model_copy(update={"status": "pass" if passed else "fail"})


def _is_worse(after: Verdict, before: Verdict) -> bool:
    """Whether the second verdict takes the place of the first, a pass, as a whole."""
    if after.label != before.label:
        # Labels have no tolerance: between two of them lies what the protocol sees as a difference.
        ranks = ("", *labels_of(before.protocol))
        return ranks.index(after.label or "") < ranks.index(before.label or "")
    pairs = [(getattr(after.scores, name), getattr(before.scores, name)) for name in DIMENSIONS]
    pairs.append((after.score, before.score))
    return any(new is not None and old is not None and _is_lower(new, old) for new, old in pairs)


def _is_lower(after: float, before: float) -> bool:
    return round(before - after, 9) > TOLERANCE


def _case(judging: Judging, spec: str, chat: Chat, untrusted: Untrusted, name: str) -> Case:
    protocol = resolve_protocol(judging.protocol)
    path = judging.evidence / name if judging.evidence is not None else None
    trajectory = Trajectory(path)
    trajectory.head(
        judge=spec,
        protocol=protocol.name,
        task=judging.task_id,
        query=judging.query,
        reference=judging.reference.model_dump(mode="json"),
        brief=judging.brief.facts(),
        pass_label=judging.pass_label,
        artifact=judging.artifact.digest,
        origin=judging.artifact.origin,
        **({"built": judging.built} if judging.built else {}),
        marker=untrusted.marker,
        redact=untrusted.redact,
        threshold=judging.threshold,
        seed=judging.seed,
        viewports=[list(size) for size in judging.viewports],
        without=sorted(judging.without),
        vision=judging.vision,
        clock=judging.clock,
        max_turns=judging.max_turns,
        max_actions=judging.max_actions,
        screened=judging.screen is not None,
        findings=[one.model_dump(mode="json") for one in _findings(judging)],
    )
    return Case(
        judging=judging,
        protocol=protocol,
        judge=spec,
        chat=chat,
        untrusted=untrusted,
        trajectory=trajectory,
    )


def _findings(judging: Judging) -> tuple[Finding, ...]:
    return tuple(judging.screen.findings(judging)) if judging.screen else ()
