"""JUnit XML of records, as pytest writes it of a session: for runs that were joined.

`properties` are also what pytest's own report carries. The form is the one of pytest's `xunit2`
family, with the `file` that GitLab links to.
"""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.reports.escape import plain, xml
from pytest_appbench.reports.text import explain

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import Results

_WORDS = (
    "verdict",
    "cause",
    "intention",
    "static",
    "dynamic",
    "score",
    "label",
    "judge",
    "model",
    "generator",
    "protocol",
    "guard",
    "turns",
    "actions",
    "tokens_in",
    "tokens_out",
    "cost_usd",
    "seconds",
    "attempts",
    "evidence",
    "sandbox",
)
NAMES = frozenset(f"appbench.{word}" for word in _WORDS)
"""Every property there may be."""
_PICTURES = ("*.png", "*.jpg", "*.jpeg", "*.webp")


def properties(
    verdict: Verdict, generator: str | None, attempts: int = 1, sandbox: str | None = None
) -> dict[str, str | int | float]:
    """What a verdict puts into a test case's properties.

    Args:
        verdict: The verdict.
        generator: Where the app came from.
        attempts: How many attempts the verdict sums up.
        sandbox: How processes that are not ours were kept in, if there were any.

    Returns:
        Name to value; what a judge does not give is absent.
    """
    values: dict[str, str | int | float | None] = {
        "verdict": verdict.status,
        "cause": verdict.cause,
        **dict(verdict.scores),
        "score": verdict.score,
        "label": verdict.label,
        "judge": verdict.judge,
        "model": verdict.model,
        "generator": generator,
        "protocol": verdict.protocol,
        "guard": verdict.guard,
        "turns": verdict.usage.turns,
        "actions": verdict.usage.actions,
        # No prompt and no reply is empty: 0 are tokens that the endpoint did not count.
        "tokens_in": verdict.usage.tokens_in or None,
        "tokens_out": verdict.usage.tokens_out or None,
        "cost_usd": verdict.usage.cost_usd,
        "seconds": round(verdict.seconds, 3),
        "attempts": attempts,
        "evidence": verdict.evidence,
        "sandbox": sandbox,
    }
    return {f"appbench.{name}": value for name, value in values.items() if value is not None}


def document(results: Results) -> str:
    """The records of a run as JUnit XML.

    Args:
        results: The run, or several that were joined.

    Returns:
        The document, in UTF-8 with its declaration.
    """
    records = results.settled
    policy = results.file.uncertain if results.file else "fail"
    cases = [_case(record, results, policy) for record in records]
    kinds = ("error", "failure", "skipped")
    counts = {kind: sum(case.find(kind) is not None for case in cases) for kind in kinds}
    first = min((record.time for record in records), default=0.0)
    suite = ElementTree.Element(
        "testsuite",
        name="appbench",
        errors=str(counts["error"]),
        failures=str(counts["failure"]),
        skipped=str(counts["skipped"]),
        tests=str(len(cases)),
        time=f"{sum(seconds(record) for record in records):.3f}",
        timestamp=time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(first)),
    )
    suite.extend(cases)
    root = ElementTree.Element("testsuites", name="pytest tests")
    root.append(suite)
    return '<?xml version="1.0" encoding="utf-8"?>' + ElementTree.tostring(root, encoding="unicode")


def seconds(record: Record) -> float:
    """How long a task takes when nothing of it is kept from an earlier run.

    Args:
        record: A record that stands for a task.

    Returns:
        What it took, generating and judging; for a verdict that was kept, what judging it took.
    """
    if record.verdict and (record.verdict.cached or record.seconds is None):
        return record.verdict.seconds
    return record.seconds or 0.0


def _case(record: Record, results: Results, policy: str) -> ElementTree.Element:
    file, _, name = record.nodeid.partition("::")
    *classes, name = name.split("::")
    case = ElementTree.Element(
        "testcase",
        classname=xml(".".join([file.removesuffix(".py").replace("/", "."), *classes])),
        name=xml(name),
        file=xml(file),
        time=f"{seconds(record):.3f}",
    )
    _add_properties(case, record, results.by_task.get(record.nodeid, ()))
    if record.outcome == "error" or record.verdict is None:
        text = plain(record.error or "")
        _add(case, "error", f'failed on setup with "{text}"', text)
    elif record.outcome == "fail":
        text = explain(record.verdict)
        _add(case, "failure", f"AppFailed: {text}", text)
    elif record.outcome == "uncertain" and policy != "pass":
        text = explain(record.verdict)
        first = f"uncertain: {text.partition(chr(10))[0]}"
        if policy == "fail":
            _add(case, "failure", f"AppUncertain: {text}", text)
        elif policy == "skip":
            _add(case, "skipped", first, f"{file}: {first}").set("type", "pytest.skip")
        else:
            _add(case, "skipped", first, "").set("type", "pytest.xfail")
    if record.verdict and (picture := _picture(record.verdict, results.folder)):
        # The form in which GitLab and Jenkins find what belongs to a test.
        ElementTree.SubElement(case, "system-out").text = xml(f"[[ATTACHMENT|{picture}]]")
    return case


def _add(case: ElementTree.Element, kind: str, message: str, text: str) -> ElementTree.Element:
    element = ElementTree.SubElement(case, kind, message=xml(message))
    element.text = xml(text)
    return element


def _add_properties(case: ElementTree.Element, record: Record, records: Sequence[Record]) -> None:
    if record.verdict is None:
        values: dict[str, str | int | float] = {"appbench.verdict": "error"}
    else:
        own = [r for r in records if r.part]
        attempts = len({r.attempt for r in own}) if record.attempt == 0 else 1
        sandboxes = (r.sandbox for r in (record, *own))
        sandbox = next((name for name in sandboxes if name), None)
        values = properties(record.verdict, record.generator, attempts, sandbox)
    listed = ElementTree.SubElement(case, "properties")
    for name, value in values.items():
        ElementTree.SubElement(listed, "property", name=name, value=xml(str(value)))


def _picture(verdict: Verdict, folder: Path) -> Path | None:
    """The last picture of the evidence, as one would name it from here."""
    if not verdict.evidence:
        return None
    place = folder / verdict.evidence
    found = sorted(path for pattern in _PICTURES for path in place.glob(pattern))
    if not found:
        return None
    path = found[-1].absolute()
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
