"""`cookie`: the judging of Cookie-Frame (Cookie-Bench, of which an excerpt is at hand).

As published: static perception scores screenshot, code and console; an agent then uses the app
while everything is captured, page time stands still while it thinks, and waits and loops are ended;
only when the evidence is complete, functionality and aesthetics are scored from 0 to 8, with
deductions step by step, and failures are attributed. Code problems stand unless the capture
disproves them.
Ours: the prompts, the deduction table with its version, evidence that must be found, sums that are
checked, the measure of the page's language, and the rule that both figures by 8 must reach the
threshold. Models are sent a film strip and a log of sounds instead of video and audio.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.deductions import Entry, table
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.language import PageLanguage
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols import Protocol
from pytest_appbench.judges.protocols.miniapp import findings_of, source_of
from pytest_appbench.judges.showing import First, film_of, perceive, reading_of, record_of
from pytest_appbench.judges.verdict import Citation, Part, Reason, Scores, Verdict, meets
from pytest_appbench.judges.weighing import (
    CLAIMED,
    Column,
    Mark,
    Scales,
    Settled,
    Weighed,
    code_place,
    step_of,
)
from pytest_appbench.models.chat import Image, Text

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk

TABLE = "cookie-table.yaml"
FIGURES: dict[str, Literal["static", "dynamic"]] = {
    "functionality": "dynamic",
    "aesthetics": "static",
}
"""The figures and the common scores that they give."""
COUNTED = ("static", "dynamic")
STATIC_TURNS, SCORE_TURNS = 10, 12
"""Answers of the model in the stages without hands."""
LANGUAGE = "wrong-language"
_STATUS: dict[str, Literal["pass", "fail", "uncertain"]] = {
    "stands": "fail",
    "disproved": "pass",
    "unproven": "uncertain",
}


class Impression(BaseModel):
    """What static perception hands in."""

    model_config = ConfigDict(extra="ignore")

    summary: str = Field(min_length=1)
    functionality: Column
    aesthetics: Column


class Tried(BaseModel):
    """Something that was tried."""

    model_config = ConfigDict(extra="ignore")

    what: str
    step: int | None = None
    observed: str
    outcome: Literal["works", "fails", "no change", "not reached"]


class Account(BaseModel):
    """What whoever used the app hands in."""

    model_config = ConfigDict(extra="ignore")

    summary: str = Field(min_length=1, description="What the app does, as it was observed.")
    tried: tuple[Tried, ...] = Field(min_length=1, max_length=60)
    language: str = Field(default="", description="In which language the page is.")


class Scoring(BaseModel):
    """What dynamic scoring hands in."""

    model_config = ConfigDict(extra="ignore")

    settled: tuple[Settled, ...] = Field(default=(), description="Each of S1, S2, ... once.")
    functionality: Mark
    aesthetics: Mark
    uncertain: str = Field(default="", description="Why you cannot decide; empty if you can.")


def judge(case: Case) -> Steps[Verdict]:
    """Judge one app.

    Args:
        case: The app, the model and the limits.
    """
    from pytest_appbench.judges.patience import Patience
    from pytest_appbench.judges.tools import read_source, skills_of

    code = "code" not in case.judging.without
    records = Records(frozenset({"step", "probe", *(["file"] if code else [])}))
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(lambda: case.sit_down(stack, records, films=case.sees))
        desk.patience = Patience(case.judging.evidence)
        case.departures += _departures(sees=desk.sees)
        source = source_of(case, records) if code else ""
        first: First = yield BrowserCall(lambda: perceive(desk, _asked(case), source))
        scales = _scales(records, first)
        perceived = yield from Conversation(
            case=case,
            name="perceive",
            system=_system(case, "cookie-static.md", desk, first),
            opening=first.shown,
            skills=(read_source(desk),) if code else (),
            form=Impression,
            submit="submit_impression",
            submit_help="Hand in your first impression: two figures, worked out.",
            objections=lambda given: scales.first(_columns(given)).objections,
            max_turns=STATIC_TURNS,
        ).run()
        case.record("perceive", desk)
        if isinstance(perceived, Unfinished):
            return _undecided(case, f"at first sight: {perceived.why}")
        impression = scales.first(_columns(perceived.answer))
        if impression.faults:
            why = f"at first sight, also when mended: {'; '.join(impression.faults)}"
            reasons = (Reason(text=why),)
            return case.verdict(status="uncertain", counted=COUNTED, reasons=reasons)
        before = _impression(case, perceived.answer, impression)
        account: Account | None = None
        if not first.is_garbled:
            asked: str = yield BrowserCall(lambda: _to_use(case, desk, first, before))
            used = yield from Conversation(
                case=case,
                name="use",
                system=_system(case, "cookie-use.md", desk, first),
                opening=(Text(text=asked),),
                skills=skills_of(desk),
                form=Account,
                submit="submit_record",
                submit_help="Hand in what you tried and what you saw.",
                objections=lambda _: () if desk.actions else ("nothing was done to the app yet",),
                desk=desk,
            ).run()
            if isinstance(used, Unfinished):
                return _undecided(case, f"while the app was used: {used.why}")
            account = used.answer
    # A page that nobody could use has no step to show.
    needs = frozenset({"functionality"}) if account is not None else frozenset()
    scored = yield from Conversation(
        case=case,
        name="score",
        system=_system(case, "cookie-score.md", desk, first),
        opening=_evidence(case, desk, first, before, account),
        skills=reading_of(desk),
        form=Scoring,
        submit="submit_scores",
        submit_help="Hand in the scores, worked out, and what became of each problem.",
        objections=lambda given: (
            () if given.uncertain else _final(scales, impression, given, needs).objections
        ),
        max_turns=SCORE_TURNS,
    ).run()
    if isinstance(scored, Unfinished):
        return _undecided(case, f"while the evidence was weighed: {scored.why}")
    final = _final(scales, impression, scored.answer, needs)
    return _verdict(case, scored.answer, impression, final)


def _columns(given: Impression) -> dict[str, Column]:
    return {figure: getattr(given, figure) for figure in FIGURES}


def _final(scales: Scales, first: Weighed, given: Scoring, needs: frozenset[str]) -> Weighed:
    marks: dict[str, Mark] = {figure: getattr(given, figure) for figure in FIGURES}
    return scales.final(first, marks, given.settled, needs_action=needs)


def _undecided(case: Case, why: str) -> Verdict:
    return case.undecided(why).model_copy(update={"counted": COUNTED})


def _departures(*, sees: bool) -> list[str]:
    shown = "film strip and log of sounds" if sees else "log of sounds"
    return [_version(), f"{shown} instead of video and audio"]


def _version() -> str:
    return f"deduction table {table(TABLE).version} of pytest-appbench"


def _scales(records: Records, first: First) -> Scales:
    """What both rounds are weighed with: the language is deducted here where it was measured."""
    points, language = table(TABLE), first.language
    if language is None or language.outcome == "unknown":
        return Scales(points, records)
    measured: tuple[Entry, ...] = ()
    if language.outcome == "differs":
        kind = points.kind(LANGUAGE)
        assert kind is not None
        cited = Citation(source="probe", where="language", quote=language.words)
        measured = (
            Entry("L1", kind.figure, kind.name, kind.severity, kind.points[0], kind.when, (cited,)),
        )
    return Scales(points, records, measured, frozenset({LANGUAGE}))


def _system(case: Case, name: str, desk: Desk, first: First) -> str:
    from pytest_appbench.judges.patience import REFRESHES, REPEATS, UNCHANGED_LOOKS

    points, judging = table(TABLE), case.judging
    code = "code" not in judging.without
    return render(
        name,
        preamble=case.untrusted.preamble,
        sees=desk.sees,
        code=code,
        logical=judging.owns_time,
        language=_told(first.language),
        sizes=judging.sizes,
        sources=" or ".join([*(["file"] if code else []), "step"]),
        table=points.told(),
        best=f"{points.best:g}",
        looks=UNCHANGED_LOOKS,
        repeats=REPEATS,
        refreshes=REFRESHES,
    )


def _told(language: PageLanguage | None) -> str:
    if language is None:
        return ""
    means = {
        "differs": "So L1 wrong-language is deducted already: count it in your sum of "
        "functionality, and do not deduct it again.",
        "fits": "It fits: do not deduct for it.",
        "unknown": "That decides nothing: deduct wrong-language if the page is plainly in another.",
    }
    return f"The language of the page was measured: {language.words}. {means[language.outcome]}"


def _asked(case: Case) -> str:
    wanted = case.judging.brief.language
    asked = f"\n\nThe page is to be in the language {wanted!r}." if wanted else ""
    return f"# The request\n\n{case.judging.query.strip()}{asked}"


def _impression(case: Case, given: Impression, weighed: Weighed) -> str:
    lines = [given.summary]
    for figure, sheet in weighed.sheets.items():
        lines.append(f"{figure}: {sheet.working(CLAIMED)}")
    lines += [f"{e.name} {e.kind} ({e.figure}, {e.points:g}): {e.text}" for e in weighed.entries]
    return f"# The first impression\n\n{case.untrusted.fence('impression', chr(10).join(lines))}"


def _to_use(case: Case, desk: Desk, first: First, before: str) -> str:
    looked = f"# The app, opened and not yet used\n\n{desk.look()}"
    measured = [_told(first.language)] if first.language else []
    return sections(_asked(case), *measured, before, findings_of(case, desk.records), looked)


def _evidence(
    case: Case, desk: Desk, first: First, before: str, account: Account | None
) -> tuple[Text | Image, ...]:
    fence = case.untrusted.fence
    parts = [_asked(case), before, record_of(desk)]
    if account is None:
        parts.append("The page stayed garbled after all refreshes, so nobody used it.")
    else:
        lines = [account.summary, f"language: {account.language}"]
        lines += [f"{t.outcome}: {t.what} (step {t.step}): {t.observed}" for t in account.tried]
        parts.append(f"# Whoever used it says\n\n{fence('record', chr(10).join(lines))}")
    if "code" not in case.judging.without:
        parts.append(source_of(case, desk.records))
    return (Text(text="\n\n".join(parts)), *first.pictures, *film_of(desk))


def _verdict(case: Case, given: Scoring, first: Weighed, final: Weighed) -> Verdict:
    figures = {figure: sheet.value() for figure, sheet in final.sheets.items()}
    best = table(TABLE).best
    reasons = tuple(
        Reason(
            dimension=FIGURES[figure],
            text=f"{getattr(given, figure).reason} ({figure}: {sheet.working()} of {best:g}; "
            f"{first.sheets[figure].value():g} at first sight)",
            evidence=final.evidence[figure],
        )
        for figure, sheet in final.sheets.items()
    )
    parts = tuple(_part(case, entry) for entry in final.entries)
    why = ""
    if given.uncertain:
        why = f"the judge cannot decide: {given.uncertain}"
    elif final.faults:
        why = f"the scores do not hold, also when mended: {'; '.join(final.faults)}"
    elif missing := [name for name, kept in final.evidence.items() if not kept]:
        why = f"no evidence could be found for {' and '.join(missing)}, also when asked again"
    elif _passes(case, final, ("stands",)) != _passes(case, final, CLAIMED):
        why = "deductions without evidence that could be found would decide it"
    if why:
        return case.verdict(
            status="uncertain", counted=COUNTED, reasons=(Reason(text=why), *reasons), parts=parts
        )
    return case.verdict(
        status="pass" if _passes(case, final, ("stands",)) else "fail",
        scores=Scores(**{FIGURES[name]: value / best for name, value in figures.items()}),
        counted=COUNTED,
        figures=figures,
        reasons=reasons,
        parts=parts,
    )


def _passes(case: Case, final: Weighed, states: Sequence[str]) -> bool:
    least = min(sheet.value(states) for sheet in final.sheets.values())
    return meets(least / table(TABLE).best, case.judging.threshold)


def _part(case: Case, entry: Entry) -> Part:
    step, code = step_of(entry), code_place(entry, case.judging.artifact.root)
    kind = table(TABLE).kind(entry.kind)
    facts = [entry.severity, f"step {step}" if step else "", code, entry.why]
    told = "; ".join(fact for fact in facts if fact)
    return Part(
        kind="deduction",
        name=f"{entry.name} {entry.kind}",
        status=_STATUS[entry.state],
        text=kind.when if kind else "",
        group=entry.figure,
        dimension=FIGURES[entry.figure],
        score=-entry.points if entry.state == "stands" else 0.0,
        message=f"{entry.text} ({told})",
        evidence=entry.evidence,
    )


def summary(verdicts: Sequence[Verdict | None]) -> list[str]:
    """The mean figures of a run, and what cost most often.

    Args:
        verdicts: Those of the run; None stands for an error.
    """
    scored = [one for one in verdicts if one is not None and one.figures.keys() >= FIGURES.keys()]
    if not scored:
        return [f"cookie: 0 of {len(verdicts)} scored"]
    means = [f"{name} {fmean(v.figures[name] for v in scored):.2f}" for name in FIGURES]
    best = f"{table(TABLE).best:g}"
    kinds = Counter(
        part.name.partition(" ")[2]
        for verdict in scored
        for part in verdict.parts
        if part.kind == "deduction" and part.status == "fail"
    )
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common(5))
    lines = [
        f"cookie: {' and '.join(means)} of {best} (mean of {len(scored)} scored, "
        f"{len(verdicts)} attempted; {_version()})",
    ]
    return [*lines, f"most deductions: {told}"] if told else lines


PROTOCOL = Protocol(
    name="cookie",
    judge=judge,
    prompts=("cookie-static.md", "cookie-use.md", "cookie-score.md", TABLE),
    sees=True,
    nothing={
        "scores": {"static": 0.0, "dynamic": 0.0},
        "counted": COUNTED,
        "figures": dict.fromkeys(FIGURES, 0.0),
        "deviations": (_version(),),
    },
    summary=summary,
    needs=frozenset({"agent"}),
)
