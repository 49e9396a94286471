"""Write tasks, or a run's trajectories, in the formats of other benchmarks."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.errors import ExchangeError, RecordsError
from pytest_appbench.judges.trajectory import is_recording

TRAJECTORIES = "trajectories"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    from pytest_appbench.tasks.importers import listed

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = "appbench export [-h] [FORMAT] SOURCE -o OUT [--force]"
    parser.epilog = (
        "formats of tasks, of which SOURCE is a file or folder:\n"
        f"{listed(writable=True)}\n"
        "format of trajectories, of which SOURCE is a run, and which goes without saying:\n"
        f"  {TRAJECTORIES}  MiniAppBench B.9: JSON Lines, all messages in every step"
    )
    parser.add_argument(
        "words", nargs="+", metavar="[FORMAT] SOURCE", help="what to write, and of what"
    )
    parser.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        required=True,
        metavar="OUT",
        help="the file or folder to write",
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    *before, source = options.words
    if len(before) > 1:
        raise ExchangeError(
            "name a format and one source; put -o and --force before or after both of them"
        )
    form = before[0] if before else TRAJECTORIES
    if form == TRAJECTORIES:
        return _trajectories(Path(source), options.out)
    return _tasks(form, Path(source), options)


def _tasks(name: str, source: Path, options: argparse.Namespace) -> int:
    from pytest_appbench.tasks.exporting import export
    from pytest_appbench.tasks.importers import resolve

    written, lost = export(resolve(name), [source], options.out, force=options.force)
    for key, number in sorted(lost.items()):
        print(f"not held by {name}: {key} ({count(number, 'task')})")
    print(f"{count(written, 'task')} in {options.out}")
    return 0


def _trajectories(run_dir: Path, out: Path) -> int:
    from pytest_appbench.judges.trajectory import NAME, accumulated, read

    written = 0
    for path in sorted(run_dir.glob(f"tasks/**/{NAME}")):
        if not is_recording(path.parent):
            continue
        name = "-".join(path.parent.relative_to(run_dir / "tasks").parts)
        out.mkdir(parents=True, exist_ok=True)
        with (out / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for step in accumulated(read(path)):
                stream.write(json.dumps(step, ensure_ascii=False) + "\n")
        written += 1
    if not written:
        raise RecordsError(f"{run_dir}: no judging by a model is on record here")
    print(f"{count(written, 'trajectory', 'trajectories')} in {out}")
    return 0
