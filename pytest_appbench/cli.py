"""The `appbench` command: what one wants to know without running tests.

Each command is a function that prints and returns an exit code; the work is done by the engine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_appbench import __version__, judges
from pytest_appbench.errors import AppbenchError, MissingArtifact, RecordsError
from pytest_appbench.judges import protocols
from pytest_appbench.judges.trajectory import is_recording
from pytest_appbench.options import OPTIONS

BY_NAME = {option.name: option for option in OPTIONS}
_OF_JUDGE = (
    "judge",
    "protocol",
    "threshold",
    "viewport",
    "seed",
    "without",
    "vision",
    "clock",
    "screen",
    "vote",
    "max-turns",
    "max-actions",
    "time-limit",
    "run-tokens",
    "run-cost",
    "cache",
    "run-dir",
    "capture",
)
"""The options of a run that make sense for a single app."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Words of the command line without the program's name; None reads `sys.argv`.

    Returns:
        The exit code: 0 when all is well; 1 when something was found, such as an app that does not
        pass; 2 when that could not be found out, from a wrong call to a provider that is down.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (AppbenchError, OSError) as error:
        # What speaks of an option has pytest's in mind.
        print(f"appbench: {error}".replace("--appbench-", "--"), file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="appbench", description="App requests as tests: tools around pytest-appbench."
    )
    parser.add_argument("--version", action="version", version=f"pytest-appbench {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    validate = commands.add_parser("validate", help="check task files and their checks")
    validate.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
    validate.set_defaults(run=_validate)

    doctor = commands.add_parser("doctor", help="say what was found on this machine and what not")
    doctor.set_defaults(run=_doctor)

    judge = commands.add_parser("judge", help="judge one app, without a task file")
    judge.add_argument("app", type=Path, metavar="APP", help="a folder with index.html, or a file")
    judge.add_argument("--query", required=True, help="the request that the app should meet")
    judge.add_argument("--checks", type=Path, metavar="FILE", help="executable checks")
    judge.add_argument("--headed", action="store_true", help="show the browser")
    for name in _OF_JUDGE:
        option = BY_NAME[name]
        judge.add_argument(
            f"--{name}",
            dest=option.attribute,
            action="append" if option.repeats else "store",
            choices=option.choices or None,
            metavar=option.metavar,
            help=f"{option.help} (default: {option.default})",
        )
    judge.set_defaults(run=_judge)

    replay = commands.add_parser(
        "replay", help="do recorded judgings again on live pages: no key, no cost"
    )
    replay.add_argument("run_dir", type=Path, metavar="RUN", help="the directory of a run")
    replay.add_argument("-k", dest="task", default="", help="only tasks whose folder holds this")
    replay.add_argument("--headed", action="store_true", help="show the browser")
    replay.add_argument(
        "--cache-dir", type=Path, default=Path(".appbench-cache"), help="where the apps are kept"
    )
    replay.set_defaults(run=_replay)

    export = commands.add_parser(
        "export", help="write trajectories as MiniAppBench B.9 has them: all messages in every step"
    )
    export.add_argument("run_dir", type=Path, metavar="RUN", help="the directory of a run")
    export.add_argument("-o", dest="out", type=Path, required=True, metavar="DIR")
    export.set_defaults(run=_export)
    return parser


def _validate(options: argparse.Namespace) -> int:
    from pytest_appbench.tasks.validate import validate

    found = validate(options.paths)
    for problem in found.problems:
        print(problem)
    print(
        f"{_count(found.tasks, 'task')} in {_count(found.files, 'file')}: "
        + (_count(len(found.problems), "problem") if found.problems else "all good")
    )
    return 1 if found.problems else 0


def _doctor(options: argparse.Namespace) -> int:
    from pytest_appbench.doctor import examine

    findings = examine()
    for finding in findings:
        print(
            f"{'ok     ' if finding.ok else finding.severity:<8} {finding.subject}: {finding.text}"
        )
    missing = [finding for finding in findings if finding.severity == "missing"]
    if missing:
        print(f"\n{_count(len(missing), 'thing')} missing; tasks cannot run until this is mended.")
    else:
        print("\nReady: run `pytest` on a folder of task files.")
    return 1 if missing else 0


def _judge(options: argparse.Namespace) -> int:
    from pytest_appbench.api import Appbench
    from pytest_appbench.models import resolve as resolve_model
    from pytest_appbench.reports.results import Run
    from pytest_appbench.reports.text import explain
    from pytest_appbench.settings import new_run_id, resolve
    from pytest_appbench.standalone import equipped
    from pytest_appbench.workshop import Workshop

    here = Path.cwd()
    given = {
        BY_NAME[name].attribute: getattr(options, BY_NAME[name].attribute) for name in _OF_JUDGE
    }
    settings = resolve(
        given, {}, invocation_dir=here, root_dir=here, cache_dir=here / ".appbench-cache"
    )
    for spec in settings.judge:
        judges.require(spec)
        if ":" in spec:
            resolve_model(spec)  # a key that is missing is told before a browser starts
    protocols.require(settings.protocol)
    if not options.app.exists():
        raise MissingArtifact(f"there is no app at {options.app}")
    shop = Workshop(settings, Run(settings.run_dir, new_run_id()))
    try:
        with equipped(headed=options.headed) as equipment:
            bench = Appbench(
                nodeid=f"{options.app.as_posix()}::judge",
                workshop=shop,
                browser=equipment.browser,
                server=equipment.server,
                watchdog=equipment.watchdog,
            )
            verdict = bench.judge(options.app, query=options.query, checks=options.checks or ())
    finally:
        shop.close()
    shop.run.join()
    place = _relative(shop.run.path)
    if verdict.evidence:
        verdict = verdict.model_copy(update={"evidence": str(place / verdict.evidence)})
    print(f"{verdict.status}: {explain(verdict)}")
    print(f"  run      {place}")
    return 0 if verdict.passed else 1


def _replay(options: argparse.Namespace) -> int:
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
                found = _count(len(again.differences), "difference")
                print(f"{name}: {_count(again.steps, 'step')}, {found}")
                for difference in again.differences:
                    print(f"    {difference}")
    finally:
        portal.close()
    print(f"{_count(len(recordings), 'judging')}: {differing or 'none'} differ from the record")
    return 1 if differing else 0


def _export(options: argparse.Namespace) -> int:
    from pytest_appbench.judges.trajectory import NAME, accumulated, read

    count = 0
    for path in sorted(options.run_dir.glob(f"tasks/**/{NAME}")):
        if not is_recording(path.parent):
            continue
        name = "-".join(path.parent.relative_to(options.run_dir / "tasks").parts)
        options.out.mkdir(parents=True, exist_ok=True)
        with (options.out / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for step in accumulated(read(path)):
                stream.write(json.dumps(step, ensure_ascii=False) + "\n")
        count += 1
    if not count:
        raise RecordsError(f"{options.run_dir}: no judging by a model is on record here")
    print(f"{_count(count, 'trajectory', 'trajectories')} in {options.out}")
    return 0


def _relative(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


if __name__ == "__main__":
    raise SystemExit(main())
