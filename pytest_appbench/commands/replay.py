"""Do recorded judgings again on live pages: no key, no cost."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.errors import MissingArtifact, RecordsError
from pytest_appbench.judges.trajectory import is_recording


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("run_dir", type=Path, metavar="RUN", help="the directory of a run")
    parser.add_argument("-k", dest="task", default="", help="only tasks whose folder holds this")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path(".appbench-cache"), help="where the apps are kept"
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.judges.replaying import Recording, replay
    from pytest_appbench.judges.trajectory import NAME
    from pytest_appbench.models.portal import Portal
    from pytest_appbench.standalone import equipped
    from pytest_appbench.waiting import serving

    folders = sorted(path.parent for path in options.run_dir.glob(f"tasks/**/{NAME}"))
    recordings = [
        Recording.read(folder)
        for folder in folders
        if options.task in folder.as_posix() and is_recording(folder)
    ]
    if not recordings:
        raise RecordsError(f"{options.run_dir}: no judging by a model is on record here")
    store, portal, differing = Store(options.cache_dir), Portal(), 0
    try:
        with equipped(headed=options.headed) as equipment:
            for recording in recordings:
                name = recording.folder.relative_to(options.run_dir / "tasks").as_posix()
                artifact = store.find(recording.digest, recording.head["origin"])
                if artifact is None:
                    raise MissingArtifact(
                        f"{name}: its app is not in {options.cache_dir} any more; name the cache "
                        "of that run with --cache-dir"
                    )
                with equipment.site(artifact) as url:
                    sessions = equipment.sessions(recording.head["seed"], recording.viewport)
                    until = serving(equipment.browser.get())
                    again = replay(recording, artifact, url, sessions, portal, until)
                differing += bool(again.differences)
                found = count(len(again.differences), "difference")
                print(f"{name}: {count(again.steps, 'step')}, {found}")
                for difference in again.differences:
                    print(f"    {difference}")
    finally:
        portal.close()
    print(f"{count(len(recordings), 'judging')}: {differing or 'none'} differ from the record")
    return 1 if differing else 0
