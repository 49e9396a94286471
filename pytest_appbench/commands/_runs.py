"""What the commands that read runs share: finding records, and saying whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pytest_appbench.commands import relative
from pytest_appbench.errors import RecordsError
from pytest_appbench.reports.results import Record, read, whole


def records_of(path: Path) -> list[Record]:
    """Read a run.

    Args:
        path: A run directory, or a file of records.

    Returns:
        Its records, at least one.

    Raises:
        RecordsError: There is none.
    """
    if not path.exists():
        raise RecordsError(f"{path}: there is no such run; name a run directory or a results.jsonl")
    records = read(path)
    if not whole(records):
        raise RecordsError(f"{path}: no records here; name a run directory or a results.jsonl")
    return records


def evidence_in(run: Path, evidence: str) -> Path:
    """Where evidence lies, as one would type it here.

    Args:
        run: What was read: a run directory, or a file in it.
        evidence: A folder, relative to the run's directory.
    """
    return relative((run if run.is_dir() else run.parent) / evidence)


def judges_of(records: Sequence[Record]) -> str:
    """Who judged, those with the most verdicts first.

    Args:
        records: Any.
    """
    from pytest_appbench.judges.verdict import NOBODY

    found = Counter(r.verdict.judge for r in whole(records) if r.verdict)
    found.pop(NOBODY, None)
    return " and ".join(judge for judge, _ in found.most_common()) or "nobody"


def ways_of(records: Sequence[Record]) -> list[str]:
    """How it was judged: what must be alike for two runs to be comparable.

    Args:
        records: Any.

    Returns:
        Protocols, thresholds, guards and deviations.
    """
    verdicts = [r.verdict for r in whole(records) if r.verdict]
    return [
        "protocol " + ", ".join(sorted({v.protocol for v in verdicts})),
        "threshold " + ", ".join(f"{t:g}" for t in sorted({v.threshold for v in verdicts})),
        "guard " + ", ".join(sorted({v.guard for v in verdicts})),
        "deviations " + (", ".join(sorted({d for v in verdicts for d in v.deviations})) or "none"),
    ]


def generators_of(records: Sequence[Record]) -> str:
    """Where the apps came from.

    Args:
        records: Any.
    """
    return ", ".join(sorted({r.generator for r in whole(records) if r.generator})) or "nowhere"


def told_apart(names: Sequence[str], ways: Sequence[Sequence[str]]) -> list[str]:
    """What is not alike about several runs, one line for each thing.

    Args:
        names: Of the runs.
        ways: For each run the same things, one phrase each.
    """
    lines = []
    for phrases in zip(*ways, strict=True):
        if len(set(phrases)) > 1:
            each = "; ".join(f"{n}: {p}" for n, p in zip(names, phrases, strict=True))
            lines.append(f"not alike: {each}")
    return lines
