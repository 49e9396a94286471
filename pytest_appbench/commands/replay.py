"""Do recorded judgings again on live pages: no key, no cost."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, folder_of, recordings_in, run_path
from pytest_appbench.errors import MissingArtifact, RecordsError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("place", type=run_path, metavar="RUN", help=HELP)
    parser.add_argument("-k", dest="task", default="", help="only tasks whose folder holds this")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path(".appbench-cache"), help="where the apps are kept"
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.artifacts.candidate import require_files
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.judges.replaying import Recording, replay
    from pytest_appbench.models.portal import Portal
    from pytest_appbench.standalone import equipped
    from pytest_appbench.waiting import serving

    tasks = folder_of(options.place) / "tasks"
    names = {path: path.relative_to(tasks).as_posix() for path in recordings_in(options.place)}
    recordings = [Recording.read(path) for path, name in names.items() if options.task in name]
    if not recordings:
        known = ", ".join(list(names.values())[:6])
        raise RecordsError(
            f"{options.place}: no judging is called {options.task!r}; there are {known}"
        )
    store, portal, differing = Store(options.cache_dir), Portal(), 0
    try:
        with equipped(headed=options.headed) as equipment:
            for recording in recordings:
                name = names[recording.folder]
                require_files(recording.served, name)
                origin = recording.head["origin"]
                artifact = store.find(recording.digest, origin)
                served = store.find(recording.served, origin)
                if artifact is None or served is None:
                    raise MissingArtifact(
                        f"{name}: its app is not in {options.cache_dir} any more; name the cache "
                        "of that run with --cache-dir"
                    )
                with equipment.site(served) as url:
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
