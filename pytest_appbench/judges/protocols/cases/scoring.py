"""What cases come to: features, scores, a status, and the figures of a run."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.protocols.cases.carrying import Ended, Status
from pytest_appbench.judges.protocols.cases.writing import LEAST, MOST
from pytest_appbench.judges.verdict import (
    DIMENSIONS,
    Dimension,
    Part,
    Reason,
    Scores,
    Verdict,
    meets,
)


def status_of(cases: Sequence[Part]) -> Status:
    """What the cases of a feature come to, by our rule.

    Args:
        cases: Its cases.

    Returns:
        fail if one fails, pass if there are some and all pass, else uncertain.
    """
    found = {case.status for case in cases}
    if "fail" in found:
        return "fail"
    return "pass" if found == {"pass"} else "uncertain"


def verdict_of(case: Case, features: Sequence[str], ended: Sequence[Ended]) -> Verdict:
    """What all cases of an app come to.

    Args:
        case: The judging.
        features: The features.
        ended: The cases, carried out.
    """
    cases = [one.part for one in ended]
    parts = [_feature(n, text, cases) for n, text in enumerate(features, start=1)]
    case_rate, feature_rate = share(cases), share(parts)
    threshold = case.judging.threshold
    # What nobody found out counts 0 in a score, and fails no app that it could have saved.
    status: Status = "pass" if meets(feature_rate, threshold) else "fail"
    if status == "fail" and meets(feature_rate + share(parts, "uncertain"), threshold):
        status = "uncertain"
    told = f"{_of(parts)} features and {_of(cases)} cases pass"
    open_cases = sum(one.status == "uncertain" for one in cases)
    told += f"; {open_cases} cases are uncertain and count 0" * bool(open_cases)
    reasons = [Reason(text=told)]
    scores: dict[Dimension, float] = {}
    for name in DIMENSIONS:
        own = [one for one in cases if one.dimension == name]
        if own:
            scores[name] = share(own)
            missed = [f"{one.name}: {one.message}" for one in own if one.status != "pass"]
            text = "; ".join([f"{_of(own)} cases pass", *missed[:3]])
            cited = tuple(c for one in own if one.status != "pass" for c in one.evidence)
            reasons.append(Reason(dimension=name, text=text, evidence=cited[:10]))
    verdict = case.verdict(
        status=status,
        score=feature_rate,
        scores=Scores(**scores),
        figures={
            "feature_rate": feature_rate,
            "case_rate": case_rate,
            "uncertain_cases": share(cases, "uncertain"),
            "cases": float(len(cases)),
        },
        parts=(*parts, *cases),
        reasons=tuple(reasons),
        cut_short=any(one.cut_short for one in ended),
    )
    if len(cases) >= LEAST:
        return verdict
    fewer = f"{len(cases)} cases instead of {LEAST} to {MOST}"
    return verdict.model_copy(update={"deviations": (*verdict.deviations, fewer)})


def _feature(number: int, text: str, cases: Sequence[Part]) -> Part:
    own = [one for one in cases if one.group == text]
    missed = [one.name.partition(" ")[0] for one in own if one.status != "pass"]
    message = f"{_of(own)} cases pass" if own else "no case was written for it"
    return Part(
        kind="feature",
        name=str(number),
        status=status_of(own),
        text=text,
        message=message + (f"; not {', '.join(missed)}" if missed else ""),
        evidence=tuple(c for one in own if one.status == "fail" for c in one.evidence)[:10],
    )


def share(parts: Sequence[Part], status: Status = "pass") -> float:
    """The share of parts with a status; 0 where there are none.

    Args:
        parts: Cases or features.
        status: The status.
    """
    return sum(part.status == status for part in parts) / len(parts) if parts else 0.0


def _of(parts: Sequence[Part]) -> str:
    return f"{sum(part.status == 'pass' for part in parts)} of {len(parts)}"


def summary(verdicts: Sequence[Verdict | None]) -> Sequence[str]:
    """The rates of a run, each the mean over its apps.

    Args:
        verdicts: The verdicts; None stands for a task that ended with an error.
    """
    judged = [one for one in verdicts if one is not None]
    if not judged:
        return ()
    cases = [part for one in judged for part in one.parts if part.kind == "case"]
    means = {
        name: fmean(one.figures.get(name, 0.0) for one in judged)
        for name in ("feature_rate", "case_rate")
    }
    lost = len(verdicts) - len(judged)
    return (
        f"cases: feature rate {means['feature_rate']:.2f}, case rate {means['case_rate']:.2f} "
        f"(means over {len(judged)} apps{f', {lost} lost to errors' if lost else ''}); "
        f"{sum(part.status == 'uncertain' for part in cases)} of {len(cases)} cases uncertain",
    )
