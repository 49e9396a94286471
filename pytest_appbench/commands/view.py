"""Open a judged app again in the guarded browser, beside its verdict."""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from pytest_appbench.commands._runs import HELP, run_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("place", type=run_path, metavar="RUN", help=HELP)
    parser.add_argument("task", metavar="TASK", help="a task's id or node id")
    parser.add_argument("--attempt", type=int, metavar="N", help="which attempt, from 1")
    parser.add_argument(
        "--headless", action="store_true", help="show no window; tell what the app says"
    )
    parser.add_argument(
        "--cache-dir", type=Path, default=Path(".appbench-cache"), help="where the apps are kept"
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from urllib.parse import urlencode

    from pytest_appbench.artifacts.candidate import require_files
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.errors import MissingArtifact
    from pytest_appbench.reports.html import write
    from pytest_appbench.reports.html.clean import clean
    from pytest_appbench.reports.html.data import Side, key
    from pytest_appbench.reports.text import explain
    from pytest_appbench.standalone import equipped
    from pytest_appbench.viewing import Circumstances, chosen, view

    side = Side.read(options.place)
    record = chosen(side.records, options.task, options.attempt, options.place)
    require_files(record.built, record.nodeid)
    store = Store(options.cache_dir)
    artifact = store.find(record.built or record.artifact or "", record.generator or "")
    if artifact is None:
        raise MissingArtifact(
            f"{record.nodeid}: its app is not in {options.cache_dir} any more; name the cache of "
            "that run with --cache-dir"
        )
    if record.verdict is not None:
        print(clean(f"{record.outcome}: {explain(record.verdict)}", 20_000))
    circumstances = Circumstances.of(side.evidence(record))
    with (
        tempfile.TemporaryDirectory(prefix="appbench-view-") as folder,
        equipped(headed=not options.headless) as equipment,
    ):
        report = None
        if not options.headless:
            page = write(Path(folder) / "report.html", options.place)
            report = f"{page.as_uri()}#{urlencode({'task': key(record)})}"
        how = "press Enter" if options.headless else "close the app's window or press Enter here"
        print(f"{how} when you are done", flush=True)
        try:
            view(
                equipment,
                artifact,
                circumstances,
                report=report,
                tell=lambda line: print(f"  {clean(line, 600)}", flush=True),
                done=_entered(at_end=options.headless),
            )
        except KeyboardInterrupt:
            print()
    return 0


def _entered(*, at_end: bool) -> Callable[[], bool]:
    """Tells whether a line was entered since.

    Args:
        at_end: Whether the end of the input counts as well; a window stays without one.
    """
    done = threading.Event()

    def wait() -> None:
        if sys.stdin.readline() or at_end:
            done.set()

    threading.Thread(target=wait, daemon=True).start()
    return done.is_set
