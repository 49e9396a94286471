"""`webgame`: the runtime evaluation of WebGameBench (sections 3.1, 4.1, B, C, D).

As published: a structured specification is the only contract; the judge opens the game, tries it,
derives checks, verifies them as a user would and reports in five parts; candidate states may be
constructed and must be seen before the last real action; places of operation and effect must agree;
several sessions where the specification needs them; three labels; two hours and no limit on
actions; what the artifact fails to deliver is UNUSABLE, what the harness fails to do is an error.
Ours: the prompt, the way specifications are written, evidence that must be found, the rule by which
a label must follow from its report, 200 turns, and the three common scores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import JudgeError, SettingsError
from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols import Protocol
from pytest_appbench.judges.protocols.miniapp import findings_of, first_look, further_looks
from pytest_appbench.judges.protocols.webgame.report import (
    CORE,
    LABELS,
    Issue,
    Report,
    Settled,
    settle,
)
from pytest_appbench.judges.verdict import Part, Reason, Scores, Verdict
from pytest_appbench.models.chat import Text
from pytest_appbench.tasks.specification import Specification, SpecificationError, parse

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk
    from pytest_appbench.judges.judging import Brief

HOURS = 2
"""Of one evaluation, as published."""
MAX_TURNS = 200
"""Ours, against judges that never end; the longest published evaluation took 75."""
NO_CAP = sys.maxsize
REPORT = "webgame-report.json"


def judge(case: Case) -> Steps[Verdict]:
    """Judge one game.

    Args:
        case: The game, the model and the limits.

    Raises:
        JudgeError: The time ran out before there was a report, or the task names no specification
            that can be read. Neither is a label.
    """
    specification = _specification(case)
    _least_label(case)
    records = Records(frozenset({"step"}))
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(lambda: case.sit_down(stack, records))
        opening = yield BrowserCall(lambda: _opening(case, specification, desk))
        from pytest_appbench.judges.seats import Seats, session_of

        def another(first: int, beside: Desk | None) -> Desk:
            session = beside.session if beside is not None else None
            person = session_of(first) - 1
            return case.sit_down(stack, records, first=first, beside=session, person=person)

        seats = Seats(desk, another, specification.sessions)
        ended = yield from Conversation(
            case=case,
            name="judge",
            system=_system(case, specification),
            opening=(Text(text=opening),),
            skills=seats.skills(),
            form=Report,
            submit="submit_report",
            submit_help="Hand in your report, all five parts, with its label.",
            objections=lambda given: _objections(
                given, specification, records, lambda: _constructed(seats)
            ),
            desk=desk,
            later=lambda: further_looks(desk),
        ).run()
        constructed = _constructed(seats)
    if isinstance(ended, Unfinished):
        return _unfinished(case, ended)
    report = ended.answer
    settled = settle(report, specification, records, constructed)
    _write(case, settled, specification)
    return _verdict(case, settled, specification)


def _specification(case: Case) -> Specification:
    judging = case.judging
    if not judging.brief.spec:
        raise JudgeError(
            f"webgame judges by a structured specification, and {judging.task_id} names none; give "
            "the task one, such as `spec: specs/game.md`, or judge it by another protocol"
        )
    try:
        return parse(judging.brief.spec)
    except SpecificationError as error:
        raise JudgeError(f"the specification of {judging.task_id} is wrong: {error}") from None


def _least_label(case: Case) -> int:
    """The rank of the least label that passes."""
    wanted = case.judging.pass_label or "USABLE"
    if wanted not in LABELS[1:]:
        raise SettingsError(f"--appbench-pass-label={wanted}: webgame passes USABLE or EXCELLENT")
    return [*LABELS].index(wanted)


def _system(case: Case, specification: Specification) -> str:
    judging = case.judging
    return render(
        "webgame.md",
        preamble=case.untrusted.preamble,
        code="code" not in judging.without,
        logical=judging.owns_time,
        sizes=judging.sizes,
        sessions=specification.sessions,
        points=bool(specification.points),
        core=", ".join(CORE),
        sees=case.sees and judging.evidence is not None,
    )


def _opening(case: Case, specification: Specification, desk: Desk) -> str:
    listed = "\n".join(
        f"- {p.name} ({p.part} {p.tag}; {p.bound}): {p.text}" for p in specification.points
    )
    # The findings are for the judge to follow up: only what it sees itself is evidence here.
    return sections(
        f"# The specification\n\n{case.judging.brief.spec.strip()}",
        f"# Its functional points, by the names to report them under\n\n{listed}" if listed else "",
        findings_of(case, desk.records),
        first_look(desk),
    )


def _constructed(seats: Any) -> list[int]:
    from pytest_appbench.browser.looking import MAIN_WORLD

    return [
        step.number
        for step in seats.steps
        if step.action == "evaluate" and step.target.startswith(MAIN_WORLD)
    ]


def _objections(
    given: Report,
    specification: Specification,
    records: Records,
    constructed: Callable[[], list[int]],
) -> tuple[str, ...]:
    if given.uncertain:
        return ()
    return settle(given, specification, records, constructed()).problems


def _unfinished(case: Case, ended: Unfinished) -> Verdict:
    if case.seconds_left() > 0:
        return case.undecided(ended.why)
    case.trajectory.note(ended.why)
    raise JudgeError(
        f"{ended.why} and the evaluation is unresolved, which is no label; give it longer with "
        "--appbench-time-limit, or run it again"
    )


def _verdict(case: Case, settled: Settled, specification: Specification) -> Verdict:
    given = settled.report
    results = [item.result for item in settled.points]
    parts = (*(item.part() for item in settled.items), *_issues(settled.issues))
    figures = {
        **_known(specification),
        "points": float(len(results)),
        "passed": float(results.count("pass")),
        "failed": float(results.count("fail")),
        "unverified": float(results.count("unverified")),
    }
    told = (Reason(text=given.summary), *_reasons(settled))
    fields: dict[str, Any] = {"counted": (), "figures": figures, "parts": parts}
    if given.uncertain or settled.label is None:
        why = (
            f"the judge cannot decide: {given.uncertain}"
            if given.uncertain
            else f"no label follows from the report: {'; '.join(settled.remarks)}"
        )
        return case.verdict(status="uncertain", reasons=(Reason(text=why), *told), **fields)
    remarks = tuple(Reason(text=remark) for remark in settled.remarks)
    passed = LABELS.index(settled.label) >= _least_label(case)
    return case.verdict(
        status="pass" if passed else "fail",
        label=settled.label,
        scores=Scores(static=settled.share("S"), dynamic=settled.share("BT")),
        reasons=(*told, *remarks),
        **fields,
    )


def _reasons(settled: Settled) -> tuple[Reason, ...]:
    """What failed, the main loop first; if nothing did, what bears the label out."""
    failed = [item for item in settled.items if item.result == "fail"]
    chosen = failed or [item for item in settled.items if item.point is None]
    return tuple(
        Reason(
            dimension=item.part().dimension,
            text=f"{item.name} {'failed' if failed else item.result}: {item.observed}",
            evidence=item.evidence,
        )
        for item in chosen
    )


def _issues(issues: Sequence[Issue]) -> tuple[Part, ...]:
    return tuple(
        Part(
            kind="issue",
            name=str(number),
            status="fail" if issue.affects_label else "uncertain",
            message=issue.text + ("" if issue.affects_label else " (does not affect the label)"),
            evidence=issue.evidence,
        )
        for number, issue in enumerate(issues, start=1)
    )


def _write(case: Case, settled: Settled, specification: Specification) -> None:
    """Write the five parts of the published report beside the other evidence."""
    folder, given = case.judging.evidence, settled.report
    if folder is None:
        return
    reasons = {one.item.strip().casefold(): one for one in given.unverified}
    open_items = []
    for item in settled.items:
        if item.result == "unverified":
            said = reasons.get(item.name.casefold())
            open_items.append(
                {
                    "item": item.name,
                    "reason": said.reason if said else item.observed,
                    "attempted": said.attempted if said else "",
                    "needs_review": said.needs_review if said else True,
                }
            )
    whole = {
        "conclusion": {
            "sample": case.judging.task_id,
            "url": "app.localhost",
            "source": case.judging.artifact.digest,
            "specification": specification.title,
            "level": f"D{specification.level}" if specification.level else None,
            "label": settled.label,
            "judge": case.judge,
            "summary": given.summary,
        },
        "core": [item.part().model_dump(mode="json") for item in settled.items if not item.point],
        "issues": [issue.model_dump(mode="json") for issue in settled.issues],
        "acceptance": [item.part().model_dump(mode="json") for item in settled.points],
        "unverified": open_items,
    }
    name = REPORT.replace(".json", "-redacted.json") if case.untrusted.redact else REPORT
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(whole, indent=1, ensure_ascii=False), encoding="utf-8")


def known_of(brief: Brief) -> dict[str, Any]:
    """The figures that the specification alone gives: its level (1 is D1) and number of points.

    Args:
        brief: What the task gives besides its request.
    """
    if not brief.spec:
        return {"figures": {}}
    return {"figures": _known(parse(brief.spec))}


def _known(found: Specification) -> dict[str, float]:
    known = {"level": float(found.level), "points": float(len(found.points))}
    return {name: value for name, value in known.items() if value}


def summary(verdicts: Sequence[Verdict | None]) -> list[str]:
    """Coverage, usable rate and excellent rate (section 4.1), and usable by level (table 1).

    Args:
        verdicts: Of a run; None for an error. One without a label is not covered either.
    """
    labelled = [verdict for verdict in verdicts if verdict is not None and verdict.label]
    lines = [f"webgame: coverage {_rate(len(labelled), len(verdicts))}"]
    if not labelled:
        return lines
    usable = [v for v in labelled if v.label != "UNUSABLE"]
    excellent = [v for v in labelled if v.label == "EXCELLENT"]
    lines[0] += f", usable {_rate(len(usable), len(labelled))}"
    lines[0] += f", excellent {_rate(len(excellent), len(labelled))}"
    levels = sorted({v.figures.get("level", 0.0) for v in labelled})
    counted = [
        f"{f'D{level:g}' if level else 'no level'} "
        f"{sum(v.figures.get('level', 0.0) == level for v in usable)}/"
        f"{sum(v.figures.get('level', 0.0) == level for v in labelled)}"
        for level in levels
    ]
    lines.append(f"usable / labelled by level: {', '.join(counted)}")
    judges = sorted({verdict.judge for verdict in labelled})
    lines.append(f"labels by {', '.join(judges)}")
    return lines


def _rate(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / whole:.1f} %)" if whole else "0/0"


PROTOCOL = Protocol(
    name="webgame",
    judge=judge,
    prompts=("webgame.md",),
    sees=True,
    max_turns=MAX_TURNS,
    max_actions=NO_CAP,
    time_limit=HOURS * 3600.0,
    labels=LABELS,
    nothing={"label": "UNUSABLE", "scores": {"static": 0.0, "dynamic": 0.0}, "counted": ()},
    known_of=known_of,
    summary=summary,
    needs=frozenset({"agent"}),
)
