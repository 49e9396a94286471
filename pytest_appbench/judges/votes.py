"""Several verdicts become one: votes of judges over one app, and attempts at one task.

The members stay on record beside the combined verdict, which names every judge that took part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pytest_appbench.judges import protocols
from pytest_appbench.judges.verdict import (
    BETWEEN,
    DIMENSIONS,
    UNJUDGED,
    Attempted,
    Reason,
    Scores,
    Status,
    Usage,
    Verdict,
    meets,
)


def combine(verdicts: Sequence[Verdict], rule: str, *, unit: str) -> Verdict:
    """Combine verdicts; a single one is returned as it is.

    Args:
        verdicts: At least one.
        rule: unanimous or all (every one passes), any (one passes), majority (more than half agree,
            otherwise uncertain), mean or min (of each score, compared with the threshold).
        unit: What they are, for the reasons: `judge` or `attempt`.

    Returns:
        One verdict with the mean of each score (the least of each for `min`), the sums of what was
        consumed, each member's outcome among the reasons, and the checks of a member that has the
        status of all, if one has.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    first = verdicts[0]
    scores = Scores(
        **{
            name: _combined([getattr(v.scores, name) for v in verdicts], rule)
            for name in DIMENSIONS
        }
    )
    score = _combined([v.score for v in verdicts], rule)
    mixed = first.model_copy(update={"scores": scores, "score": score})
    status = _status(verdicts, rule, mixed.least)
    label = None
    if ranks := protocols.labels_of(first.protocol):
        status, label = _labelled(verdicts, rule, status, ranks)
    reasons = [
        Reason(text=f"{unit} {number} ({verdict.judge}): {verdict.status}{_why(verdict, status)}")
        for number, verdict in enumerate(verdicts, start=1)
    ]
    if status == "uncertain" and rule == "majority" and len({v.status for v in verdicts}) > 1:
        reasons.insert(0, Reason(text=f"no majority among {len(verdicts)} {unit}s"))
    agreed = [verdict.reasons for verdict in verdicts if verdict.status == status]
    told = [[reason for reason in said if reason.dimension is not None] for said in agreed]
    reasons += next(filter(None, told), [])
    causes = {verdict.cause for verdict in verdicts}
    judged = [verdict.judge for verdict in verdicts if verdict.judge not in UNJUDGED]
    return first.model_copy(
        update={
            "status": status,
            "judge": BETWEEN.join(dict.fromkeys(judged)) or verdicts[0].judge,
            "model": BETWEEN.join(dict.fromkeys(v.model for v in verdicts if v.model)) or None,
            "scores": scores,
            "score": score,
            "label": label,
            "figures": _figures(verdicts, rule),
            "parts": (),
            "cause": causes.pop() if len(causes) == 1 else None,
            "reasons": tuple(reasons),
            "checks": next((v.checks for v in verdicts if v.status == status and v.checks), ()),
            "findings": tuple(dict.fromkeys(one for v in verdicts for one in v.findings)),
            "attempted": _attempted(verdicts),
            "deviations": tuple(dict.fromkeys(one for v in verdicts for one in v.deviations)),
            "guard": next((v.guard for v in verdicts if v.guard != "full"), "full"),
            "usage": summed([verdict.usage for verdict in verdicts]),
            "seconds": round(sum(verdict.seconds for verdict in verdicts), 3),
            "cached": all(verdict.cached for verdict in verdicts),
            "evidence": None,
        }
    )


def summed(usages: Sequence[Usage]) -> Usage:
    """What several judgings consumed; a cost that is not known makes the sum unknown.

    Args:
        usages: The parts.
    """
    modelled = [usage for usage in usages if usage.tokens_in is not None]
    costs = [usage.cost_usd for usage in modelled]
    return Usage(
        turns=sum(usage.turns for usage in usages),
        actions=sum(usage.actions for usage in usages),
        tokens_in=sum(usage.tokens_in or 0 for usage in modelled) if modelled else None,
        tokens_out=sum(usage.tokens_out or 0 for usage in modelled) if modelled else None,
        cost_usd=sum(cost for cost in costs if cost is not None)
        if costs and None not in costs
        else None,
    )


def _attempted(verdicts: Sequence[Verdict]) -> tuple[Attempted, ...]:
    """The ways out that any member saw tried, each with how often it was."""
    counts: Counter[tuple[str, str]] = Counter()
    for tried in (one for verdict in verdicts for one in verdict.attempted):
        counts[tried.kind, tried.url] += tried.count
    return tuple(Attempted(kind=kind, url=url, count=n) for (kind, url), n in counts.items())


def _labelled(
    verdicts: Sequence[Verdict], rule: str, status: Status, ranks: Sequence[str]
) -> tuple[Status, str | None]:
    """The status and label of all: the worst label for `min`, else the lower one in the middle."""
    known = sorted((v for v in verdicts if v.label), key=lambda v: ranks.index(v.label or ""))
    if rule in ("mean", "min"):
        if len(known) < len(verdicts):
            alike = len({verdict.status for verdict in verdicts}) == 1
            return status if alike else "uncertain", None
        chosen = known[0 if rule == "min" else (len(known) - 1) // 2]
        return chosen.status, chosen.label
    agreed = [v for v in known if v.status == status]
    return status, agreed[(len(agreed) - 1) // 2].label if agreed else None


def _figures(verdicts: Sequence[Verdict], rule: str) -> dict[str, float]:
    """The figures that every member has."""
    names = [name for name in verdicts[0].figures if all(name in v.figures for v in verdicts)]
    found = {name: _combined([v.figures[name] for v in verdicts], rule) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _status(verdicts: Sequence[Verdict], rule: str, least: float | None) -> Status:
    statuses = [verdict.status for verdict in verdicts]
    if rule in ("unanimous", "all"):
        return "fail" if "fail" in statuses else "uncertain" if "uncertain" in statuses else "pass"
    if rule == "any":
        return "pass" if "pass" in statuses else "uncertain" if "uncertain" in statuses else "fail"
    if rule == "majority":
        for status in ("pass", "fail"):
            if statuses.count(status) * 2 > len(statuses):
                return status
        return "uncertain"
    if len(set(statuses)) == 1:
        return statuses[0]  # what all say holds also where one of their scores is missing
    if least is None or "uncertain" in statuses:
        return "uncertain"
    return "pass" if meets(least, verdicts[0].threshold) else "fail"


def _combined(values: Sequence[float | None], rule: str) -> float | None:
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    return min(known) if rule == "min" else sum(known) / len(known)


def _why(verdict: Verdict, status: Status) -> str:
    """What a member has to say that the reasons for all of them do not repeat."""
    agrees = verdict.status == status
    own = [one for one in verdict.reasons if not agrees or one.dimension is None]
    if not own:
        return ""

    def score_of(reason: Reason) -> float:
        return getattr(verdict.scores, reason.dimension or "", None) or 0.0

    return f", {min(own, key=score_of).text.partition(chr(10))[0]}"
