"""A verdict in words, as the terminal and the command line show it."""

from __future__ import annotations

from pytest_appbench.judges.verdict import DIMENSIONS, Part, Reason, Verdict
from pytest_appbench.reports.escape import plain

_PARTS = 6
"""Parts that are listed; the verdict beside the evidence has all of them."""


def explain(verdict: Verdict) -> str:
    """The short report of a verdict: what decided it first, then scores, checks and evidence.

    Args:
        verdict: Any verdict.

    Returns:
        Several lines, harmless in a terminal; the first one stands alone in pytest's summary.
    """
    failed = [check for check in verdict.checks if check.outcome == "failed"]
    faults = [finding for finding in verdict.findings if finding.severity == "fault"]
    first = headline(verdict)
    lines = [first, "", "  " + _score_line(verdict)]
    for check in failed:
        lines.append(f"  failed   {check.name}  {check.where}")
        lines += [f"           {line}" for line in check.message.splitlines() if line.strip()]
    for finding in faults:
        lines.append(f"  fault    {finding.kind}: {finding.text}")
    for finding in verdict.findings:
        if finding.severity == "suspicion":
            lines.append(f"  suspect  {finding.kind}: {finding.text}")
    held = [part for part in verdict.parts if part.status in ("fail", "uncertain")]
    for part in held[:_PARTS]:
        lines.append(f"  {part.status:<8} {_part(part)}")
    if len(held) > _PARTS:
        lines.append(f"           and {len(held) - _PARTS} more")
    if not failed and not faults:
        for said in map(_said, _by_weight(verdict)):
            if not first.endswith(said):
                lines.append("  reason   " + said.replace("\n", "\n           "))
    if verdict.attempted:
        tried = ", ".join(f"{a.kind} {a.url}" for a in verdict.attempted[:3])
        more = len(verdict.attempted) - 3
        lines.append(f"  blocked  {tried}" + (f" and {more} more" if more > 0 else ""))
    if verdict.evidence:
        lines.append(f"  evidence {verdict.evidence}")
    return plain("\n".join(lines))


def reasons_in_short(verdict: Verdict) -> list[str]:
    """What is held against an app: what decided it, and the weightiest two reasons besides.

    Args:
        verdict: Any verdict.

    Returns:
        One to three texts, as they came from judge and app.
    """
    decisive = headline(verdict)
    further = [said for said in map(_said, _by_weight(verdict)) if said != decisive]
    # Where checks or a fault decided, the reasons only say again that they did.
    decided = verdict.cause or any(check.outcome == "failed" for check in verdict.checks)
    return [decisive, *([] if decided else further[:2])]


def headline(verdict: Verdict) -> str:
    """What decided a verdict, in one line.

    Args:
        verdict: Any verdict.
    """
    if verdict.cause:
        told = [f.text for f in verdict.findings if f.severity == "fault"]
        told += [reason.text for reason in verdict.reasons]
        return f"{verdict.cause}: {told[0].partition(chr(10))[0] if told else verdict}"
    failed = [check for check in verdict.checks if check.outcome == "failed"]
    if failed:
        symptom = failed[0].message.splitlines()[0] if failed[0].message else failed[0].claim
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return f"{failed[0].dimension}: {symptom}{more}"
    for finding in verdict.findings:
        if finding.severity == "fault" and verdict.status == "fail":
            return f"{finding.kind}: {finding.text}"
    reasons = _by_weight(verdict)
    return _said(reasons[0]) if reasons else str(verdict)


def _by_weight(verdict: Verdict) -> list[Reason]:
    """The reasons, those of the lowest scores first; why nothing was decided before them all."""

    def weight(reason: Reason) -> float:
        if reason.dimension is None:
            return -1.0 if verdict.status == "uncertain" else 2.0
        score = getattr(verdict.scores, reason.dimension)
        return 1.0 if score is None else float(score)

    return sorted(verdict.reasons, key=weight)


def _said(reason: Reason) -> str:
    return f"{reason.dimension}: {reason.text}" if reason.dimension else reason.text


def _part(part: Part) -> str:
    said = part.message or part.text
    return f"{part.kind} {part.name}" + (f": {said}" if said else "").replace("\n", "\n           ")


def figures(verdict: Verdict) -> str:
    """The protocol's own label and figures, in one line; empty if it gives none.

    Args:
        verdict: Any verdict.
    """
    told = [f"{name} {value:g}" for name, value in verdict.figures.items()]
    return ", ".join([*([verdict.label] if verdict.label else []), *told])


def _score_line(verdict: Verdict) -> str:
    own = figures(verdict)
    scores = [own] if own else []
    for name in DIMENSIONS:
        value = getattr(verdict.scores, name)
        if value is not None:
            scores.append(f"{name} {value:.2f}")
        elif verdict.counted is None and verdict.score is None and not verdict.label:
            scores.append(f"{name} -")
    if verdict.score is not None:
        scores.append(f"score {verdict.score:.2f}")
    done = sum(check.outcome == "passed" for check in verdict.checks)
    checks = f", {done} of {len(verdict.checks)} checks" if verdict.checks else ""
    return f"{', '.join(scores)} (threshold {verdict.threshold:g}{checks}), by {verdict.judge}"
