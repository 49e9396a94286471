"""`miniapp`: the agentic judging of MiniAppBench (section 4, 5.4, B, D.2).

As published: three scores of 0..1 with reasons; a pass when the least reaches the threshold (0.8);
inputs are the query, the reference as a guide, the source and the live app; text only, temperature
1, 15 minutes; ablations without code, without the browser, without the reference. Ours: the
prompts, evidence that must be found, whole test scripts, and 30 turns and 400 actions as limits.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Conversation, Unfinished
from pytest_appbench.judges.grounding import Records, ground
from pytest_appbench.judges.loop import BrowserCall, Steps
from pytest_appbench.judges.materials import material_images, materials_text
from pytest_appbench.judges.prompts import render, sections
from pytest_appbench.judges.protocols import Protocol
from pytest_appbench.judges.verdict import (
    DIMENSIONS,
    Citation,
    Dimension,
    Reason,
    Scores,
    Verdict,
    meets,
)
from pytest_appbench.models.chat import Image, Text

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk

MOST_SOURCE = 60_000
"""Characters of source that are shown at once; the rest can be read with a tool."""
MOST_BESIDE = 1500
"""Characters of the app in a window that is not its first."""


class Score(BaseModel):
    """One dimension, judged."""

    model_config = ConfigDict(extra="ignore")

    score: float = Field(ge=0, le=1)
    reason: str = Field(min_length=1)
    evidence: tuple[Citation, ...] = Field(max_length=20)


class Submission(BaseModel):
    """What the judge hands in."""

    model_config = ConfigDict(extra="ignore")

    intention: Score
    static: Score
    dynamic: Score
    uncertain: str = Field(default="", description="Why you cannot decide; empty if you can.")


def judge(case: Case) -> Steps[Verdict]:
    """Judge one app.

    Args:
        case: The app, the model and the limits.
    """
    judging = case.judging
    browse, code = "agent" not in judging.without, "code" not in judging.without
    sources = frozenset({"probe", *(["step"] if browse else []), *(["file"] if code else [])})
    records = Records(sources)
    with ExitStack() as stack:
        desk: Desk = yield BrowserCall(lambda: sit_down(case, stack, records))
        opening = yield BrowserCall(lambda: _opening(case, desk))
        from pytest_appbench.judges.tools import skills_of

        ended = yield from Conversation(
            case=case,
            name="judge",
            system=_system(case),
            opening=opening,
            skills=skills_of(desk),
            form=Submission,
            submit="submit_verdict",
            submit_help="Hand in your verdict: three scores, each with its reason and evidence.",
            objections=lambda given: _objections(given, records, browse=browse),
            desk=desk,
            later=lambda: further_looks(desk),
        ).run()
    if isinstance(ended, Unfinished):
        return case.undecided(ended.why)
    return _verdict(case, ended.answer, records, browse=browse)


def sit_down(case: Case, stack: ExitStack, records: Records) -> Desk:
    """Open the app, unless this judging goes without a browser.

    Args:
        case: The judging.
        stack: Closes what was opened.
        records: Where to record what is shown.
    """
    from pytest_appbench.judges.desk import Desk

    if "agent" not in case.judging.without:
        desk = case.sit_down(stack, records)
        if desk.hands is not None:
            desk.hands.may_wait = case.judging.owns_time
        return desk
    return Desk(judging=case.judging, untrusted=case.untrusted, records=records)


def _system(case: Case) -> str:
    judging = case.judging
    browse, code = "agent" not in judging.without, "code" not in judging.without
    names = ["file"] if code else []
    return render(
        "miniapp.md",
        preamble=case.untrusted.preamble,
        browse=browse,
        code=code,
        reference="reference" not in judging.without,
        logical=judging.owns_time,
        sizes=judging.sizes,
        sources=" or ".join([*(["step"] if browse else []), *names, "probe"]),
    )


def _opening(case: Case, desk: Desk) -> tuple[Text | Image, ...]:
    judging = case.judging
    parts = [f"# The request\n\n{judging.query.strip()}"]
    if "reference" not in judging.without:
        parts.append(reference_text(case))
    parts.append(materials_text(case))
    if "code" not in judging.without:
        parts.append(source_of(case, desk.records))
    if "agent" not in judging.without:
        parts.append(findings_of(case, desk.records))
        parts.append(first_look(desk))
    return (Text(text=sections(*parts)), *material_images(case))


def reference_text(case: Case) -> str:
    """The reference as the judge reads it; empty if the task has none."""
    lines = []
    for name, statements in case.judging.reference:
        lines += [f"- {name}: {statement}" for statement in statements]
    return "# The reference (a guide; the request wins)\n\n" + "\n".join(lines) if lines else ""


def source_of(case: Case, records: Records, *, only: tuple[str, ...] = ()) -> str:
    """The app's files, fenced, as far as they fit; the names of all of them.

    Args:
        case: The judging.
        records: Where to record what is shown.
        only: The ends of the names of the files to show; all files if there are none.
    """
    from pytest_appbench.judges.desk import body_of, source_text

    artifact, left = case.judging.artifact, MOST_SOURCE
    parts, names = [], ", ".join(artifact.files[:200])
    wanted = [name for name in artifact.files if not only or name.endswith(only)]
    for name in sorted(wanted, key=lambda one: (one != artifact.entry, one)):
        text = source_text(artifact.root / name)
        if not left:
            break
        size = min(left, len(text))
        fenced = case.untrusted.fence(f"file {name}", text, part=(0, size))
        records.add("file", name, body_of(fenced))
        rest = "" if size == len(text) else f"\n(cut; {len(text):,} characters in all)"
        left -= size
        parts.append(fenced + rest)
    listed = case.untrusted.fence("file names", names)
    return f"# The source\n\nAll files:\n{listed}\n\n" + "\n\n".join(parts)


def findings_of(case: Case, records: Records) -> str:
    """What the probe noticed, fenced; empty if it did not look."""
    screen = case.judging.screen
    if screen is None:
        return ""
    lines = []
    for finding in screen.findings(case.judging):
        records.add("probe", finding.kind, finding.text)
        lines.append(f"- {finding.kind} ({finding.severity}): {finding.text}")
    found = case.untrusted.fence("probe", "\n".join(lines) or "(nothing)")
    return (
        "# What an automatic probe noticed\n\nIt opened the app and pressed what it found. A fault "
        f"is well founded, a suspicion may be wrong.\n{found}"
    )


def first_look(desk: Desk) -> str:
    """The app as it opens, in the first of the judging's windows, as a step on record."""
    width, height = desk.judging.viewports[0]
    return f"# The app, opened and not yet used\n\n{desk.look(f'window {width} x {height}')}"


def further_looks(desk: Desk) -> tuple[Text, ...]:
    """The app in the other windows, as steps on record; nothing where there is one window.

    They take a while, and whoever judges needs the first one to begin: so they are taken while the
    model thinks of its first action.
    """

    def look(width: int, height: int) -> str:
        return desk.look(f"window {width} x {height}", MOST_BESIDE)

    looks, missing = desk.in_other_windows(look) if desk.hands is not None else ([], "")
    told = sections(*looks, missing)
    return (Text(text=f"# The app, before your first action\n\n{told}"),) if told else ()


def _cited(given: Submission) -> dict[str, tuple[Citation, ...]]:
    return {name: getattr(given, name).evidence for name in DIMENSIONS}


def _objections(given: Submission, records: Records, *, browse: bool) -> tuple[str, ...]:
    if given.uncertain:
        return ()
    needs = frozenset({"dynamic"}) if browse else frozenset()
    return ground(_cited(given), records, needs_action=needs).problems


def _verdict(case: Case, given: Submission, records: Records, *, browse: bool) -> Verdict:
    needs = frozenset({"dynamic"}) if browse else frozenset()
    grounded = ground(_cited(given), records, needs_action=needs)
    scores: dict[Dimension, float] = {name: getattr(given, name).score for name in DIMENSIONS}
    reasons = tuple(
        Reason(dimension=name, text=getattr(given, name).reason, evidence=grounded.kept[name])
        for name in DIMENSIONS
    )
    if given.uncertain:
        text = f"the judge cannot decide: {given.uncertain}"
        return case.verdict(status="uncertain", reasons=(Reason(text=text), *reasons))
    if grounded.missing:
        names = " and ".join(grounded.missing)
        text = f"no evidence could be found for the score of {names}, also when asked again"
        kept = {name: value for name, value in scores.items() if name not in grounded.missing}
        return case.verdict(
            status="uncertain", scores=Scores(**kept), reasons=(Reason(text=text), *reasons)
        )
    passed = meets(min(scores.values()), case.judging.threshold)
    return case.verdict(
        status="pass" if passed else "fail", scores=Scores(**scores), reasons=reasons
    )


PROTOCOL = Protocol(name="miniapp", judge=judge, prompts=("miniapp.md",))
