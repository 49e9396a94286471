"""The `appbench` command: what one wants to know without running tests.

Each command is a function that prints and returns an exit code; the work is done by the engine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_appbench import __version__
from pytest_appbench.errors import AppbenchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Words of the command line without the program's name; None reads `sys.argv`.

    Returns:
        The exit code: 0 when all is well, 1 when something was found, 2 for a wrong call.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except AppbenchError as error:
        print(f"appbench: {error}", file=sys.stderr)
        return 1
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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


if __name__ == "__main__":
    raise SystemExit(main())
