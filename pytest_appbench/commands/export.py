"""Write trajectories as MiniAppBench B.9 has them: all messages in every step."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.errors import RecordsError
from pytest_appbench.judges.trajectory import is_recording


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("run_dir", type=Path, metavar="RUN", help="the directory of a run")
    parser.add_argument("-o", dest="out", type=Path, required=True, metavar="DIR")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.judges.trajectory import NAME, accumulated, read

    written = 0
    for path in sorted(options.run_dir.glob(f"tasks/**/{NAME}")):
        if not is_recording(path.parent):
            continue
        name = "-".join(path.parent.relative_to(options.run_dir / "tasks").parts)
        options.out.mkdir(parents=True, exist_ok=True)
        with (options.out / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for step in accumulated(read(path)):
                stream.write(json.dumps(step, ensure_ascii=False) + "\n")
        written += 1
    if not written:
        raise RecordsError(f"{options.run_dir}: no judging by a model is on record here")
    print(f"{count(written, 'trajectory', 'trajectories')} in {options.out}")
    return 0
