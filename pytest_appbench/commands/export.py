"""Write tasks, or a run's trajectories, in the formats of other benchmarks."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import folder_of, recordings_in, run_path
from pytest_appbench.errors import ExchangeError

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
        return _trajectories(run_path(source), options.out)
    return _tasks(form, Path(source), options)


def _tasks(name: str, source: Path, options: argparse.Namespace) -> int:
    from pytest_appbench.tasks.exporting import export
    from pytest_appbench.tasks.importers import resolve

    written, lost = export(resolve(name), [source], options.out, force=options.force)
    for key, number in sorted(lost.items()):
        print(f"not held by {name}: {key} ({count(number, 'task')})")
    print(f"{count(written, 'task')} in {options.out}")
    return 0


def _trajectories(run: Path, out: Path) -> int:
    from pytest_appbench.judges.trajectory import NAME, accumulated, read

    found = recordings_in(run)
    out.mkdir(parents=True, exist_ok=True)
    for folder in found:
        name = "-".join(folder.relative_to(folder_of(run) / "tasks").parts)
        with (out / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for step in accumulated(read(folder / NAME)):
                stream.write(json.dumps(step, ensure_ascii=False) + "\n")
    print(f"{count(len(found), 'trajectory', 'trajectories')} in {out}")
    return 0
