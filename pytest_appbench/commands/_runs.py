"""What the commands that read runs share: finding a run, its records, and saying whose they are.

Parsers name `run_path`, so what is heavy is imported when it is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.commands import relative
from pytest_appbench.errors import RecordsError

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record


HELP = "a run: its id, its directory, or a file of records"
RUNS = Path("appbench-runs")
"""Where runs of that id are looked for."""


def run_path(word: str | Path, runs: Path = RUNS) -> Path:
    """Find a run that a user named; the `type` of a command's argument.

    Args:
        word: A run directory or a file of records, or the id of a run.
        runs: The folder of runs.

    Returns:
        The path, which exists.

    Raises:
        RecordsError: There is no such run.
    """
    from pytest_appbench.reports.results import no_such_run

    for path in (Path(word), runs / word):
        if path.exists():
            return path
    raise no_such_run(word, runs)


def records_of(path: Path) -> list[Record]:
    """Read a run.

    Args:
        path: As `run_path` found it.

    Returns:
        Its records, at least one.

    Raises:
        RecordsError: There is none.
    """
    from pytest_appbench.reports.results import no_records, read, whole

    records = read(path)
    if not whole(records):
        raise no_records(path)
    return records


def recordings_in(run: Path) -> list[Path]:
    """The folders of the judgings by models that are on record in a run.

    Args:
        run: As `run_path` found it; a file of records stands for its folder.

    Returns:
        The folders, at least one.

    Raises:
        RecordsError: No model judged there.
    """
    from pytest_appbench.judges.trajectory import NAME, is_recording

    files = sorted((folder_of(run) / "tasks").glob(f"**/{NAME}"))
    found = [file.parent for file in files if is_recording(file.parent)]
    if not found:
        raise RecordsError(f"{run}: no judging by a model is on record here")
    return found


def folder_of(run: Path) -> Path:
    """The directory of a run.

    Args:
        run: That, or a file of records in it.
    """
    return run if run.is_dir() else run.parent


def evidence_in(run: Path, evidence: str) -> Path:
    """Where evidence lies, as one would type it here.

    Args:
        run: What was read: a run directory, or a file in it.
        evidence: A folder, relative to the run's directory.
    """
    return relative(folder_of(run) / evidence)


def judges_of(records: Sequence[Record]) -> str:
    """Who judged, those with the most verdicts first.

    Args:
        records: Any.
    """
    from pytest_appbench.judges.verdict import UNJUDGED
    from pytest_appbench.reports.results import whole

    judges = (r.verdict.judge for r in whole(records) if r.verdict)
    found = Counter(judge for judge in judges if judge not in UNJUDGED)
    return " and ".join(judge for judge, _ in found.most_common()) or "nobody"


def ways_of(records: Sequence[Record]) -> list[str]:
    """How it was judged: what must be alike for two runs to be comparable.

    Args:
        records: Any.

    Returns:
        Protocols, thresholds, guards and deviations.
    """
    from pytest_appbench.reports.results import whole

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
    from pytest_appbench.reports.results import whole

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
