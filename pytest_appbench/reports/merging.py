"""Several runs become one file of records: shards of a benchmark, or machines of a day.

Runs are joined only where they are parts of one whole: the same settings, every shard there, no
task judged twice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.errors import RecordsError
from pytest_appbench.judges.verdict import UNJUDGED
from pytest_appbench.reports.results import write_records
from pytest_appbench.reports.runfile import NOT_RUN, Results, RunFile, sidecar
from pytest_appbench.reports.writing import write_whole

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record

_NAMED = 5


class RunsDiffer(RecordsError):
    """Runs are not parts of one whole."""


def once(parts: Sequence[Results]) -> list[Results]:
    """Leave out runs that are there already, as overlapping patterns name them.

    A run of the same id is not the same: machines may resume under one name.

    Args:
        parts: The runs, as they were named.

    Returns:
        Each run once, the first of its kind.
    """
    found: list[Results] = []
    for part in parts:
        if not any(_is_same(part, other) for other in found):
            found.append(part)
    return found


def join(
    parts: Sequence[Results], out: Path, *, mixed: bool = False, partial: bool = False
) -> Results:
    """Join runs.

    Args:
        parts: The runs, at least one.
        out: The file that the records are for; paths of evidence will start from its folder.
        mixed: Whether runs with different settings may be joined.
        partial: Whether a shard may be missing.

    Returns:
        The records of all, as they would stand in `out`. A task that no run came to is an error.

    Raises:
        RunsDiffer: The settings differ, a shard is missing, or two runs judged the same task; the
            message names which.
    """
    if not mixed:
        _require_alike(parts)
    if not partial:
        _require_every_shard(parts)
    owners = _owners(parts)
    records: list[Record] = []
    not_run = {r.nodeid: r for part in parts for r in part.settled if r.error == NOT_RUN}
    for nodeid, part in owners.items():
        records += part.by_task.get(nodeid) or [not_run[nodeid]]
    moved = {id(part): _moved(part, out) for part in parts}
    records = [moved[id(owners[record.nodeid])](record) for record in records]
    return Results(out, tuple(records), _description(parts), shards=_shards(parts))


def write(results: Results) -> None:
    """Write joined records and, beside them, what their runs were asked to do.

    Args:
        results: What `join` gave.
    """
    write_records(results.path, results.records)
    if results.file:
        text = results.file.model_dump_json(indent=2, exclude_none=True) + "\n"
        write_whole(sidecar(results.path), text)


def _is_same(one: Results, other: Results) -> bool:
    if one.path.resolve() == other.path.resolve():
        return True
    is_copy = one.file is not None and one.file == other.file
    return is_copy and bool(one.records) and one.records == other.records


def _require_alike(parts: Sequence[Results]) -> None:
    first = parts[0]
    for other in parts[1:]:
        if first.file and other.file:
            differing = first.file.differences(other.file)
        else:
            differing = _told_apart(first.whole, other.whole)
        if differing:
            raise RunsDiffer(
                f"{first.path} and {other.path} were not judged alike: {'; '.join(differing)}. "
                "Leave one out, or join them all the same with --mixed"
            )


def _told_apart(ours: Iterable[Record], theirs: Iterable[Record]) -> list[str]:
    """What records alone tell of different settings: no judge, protocol or generator in common."""
    kinds: dict[str, Callable[[Record], str | None]] = {
        "judge": lambda r: (
            r.verdict.judge if r.verdict and r.verdict.judge not in UNJUDGED else None
        ),
        "protocol": lambda r: r.verdict.protocol if r.verdict else None,
        "threshold": lambda r: f"{r.verdict.threshold:g}" if r.verdict else None,
        "generator": lambda r: r.generator.partition(":")[0] if r.generator else None,
    }
    differing = []
    for name, of in kinds.items():
        left, right = ({of(r) for r in each} - {None} for each in (ours, theirs))
        if left and right and not left & right:
            shown = (", ".join(sorted(map(str, side))) for side in (left, right))
            differing.append(f"{name} {' and '.join(shown)}")
    return differing


def _shards(parts: Sequence[Results]) -> frozenset[tuple[int, int]]:
    return frozenset().union(*(part.shards for part in parts))


def _require_every_shard(parts: Sequence[Results]) -> None:
    shards = _shards(parts)
    if not shards:
        return
    totals = sorted({total for _, total in shards})
    if len(totals) > 1:
        raise RunsDiffer(
            f"these are shards of {' and of '.join(map(str, totals))}: they split the tasks "
            "differently; join what belongs together, or all of it with --partial"
        )
    missing = sorted(set(range(1, totals[0] + 1)) - {shard for shard, _ in shards})
    if missing:
        numbers = ", ".join(map(str, missing))
        raise RunsDiffer(
            f"of {totals[0]} shards, no records are here of {numbers}: name them too, or join "
            "what there is with --partial"
        )


def _owners(parts: Sequence[Results]) -> dict[str, Results]:
    """Which run tells of each task: the one with a verdict, else the last."""
    owners: dict[str, Results] = {}
    verdicts: dict[str, Results] = {}
    twice: dict[str, tuple[Results, Results]] = {}
    for part in parts:
        for record in part.settled:
            nodeid = record.nodeid
            if record.outcome == "error":
                if nodeid not in verdicts and (nodeid not in owners or record.time):
                    owners[nodeid] = part
                continue
            earlier = verdicts.get(nodeid)
            if earlier and record not in earlier.by_task[nodeid]:
                twice[nodeid] = earlier, part
            owners[nodeid] = verdicts[nodeid] = part
    if twice:
        names, more = ", ".join([*twice][:_NAMED]), len(twice) - _NAMED
        one, other = next(iter(twice.values()))
        raise RunsDiffer(
            f"{one.path} and {other.path} both judged {names}"
            + (f" and {more} more" if more > 0 else "")
            + ": leave one of them out"
        )
    return owners


def _moved(part: Results, out: Path) -> Callable[[Record], Record]:
    """Tells where evidence lies as seen from the new file."""
    folder = Path(os.path.relpath(part.folder.resolve(), out.parent.resolve()))

    def move(record: Record) -> Record:
        if record.verdict is None or record.verdict.evidence is None:
            return record
        place = (folder / record.verdict.evidence).as_posix()
        verdict = record.verdict.model_copy(update={"evidence": place})
        return record.model_copy(update={"verdict": verdict})

    return move


def _description(parts: Sequence[Results]) -> RunFile | None:
    """What the runs were asked to do, as far as they agree."""
    files = [part.file for part in parts if part.file]
    if len(files) < len(parts):
        return None
    settings = {
        name: value
        for name, value in files[0].settings.items()
        if all(file.settings.get(name) == value for file in files)
    }
    spent = [part.spent for part in parts]
    known = [each for each in spent if each is not None]
    tokens, costs = [each[0] for each in known], [each[1] for each in known]
    total = (
        None if None in tokens else sum(one for one in tokens if one),
        None if None in costs else sum((one for one in costs if one), 0.0),
    )
    runs = tuple(dict.fromkeys(run for file in files for run in file.merged or (file.run,)))
    return RunFile(
        run=" + ".join(runs),
        plugin=files[0].plugin,
        settings=settings,
        uncertain=files[0].uncertain,
        merged=runs,
        spent=total if len(known) == len(spent) else None,
    )
