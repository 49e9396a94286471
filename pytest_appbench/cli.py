"""The `appbench` command: what one wants to know without running tests."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from pytest_appbench import __version__, commands
from pytest_appbench.errors import AppbenchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Words of the command line without the program's name; None reads `sys.argv`.

    Returns:
        The exit code: 0 when all is well; 1 when something was found, such as an app that does not
        pass; 2 when that could not be found out, from a wrong call to a provider that is down.
    """
    try:
        options = _parser().parse_args(arguments)
        code: int = options.run(options)
    except BrokenPipeError:
        # Whoever reads, such as `head`, has read enough; what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
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
    found = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in commands.known().items():
        text = command.__doc__.partition("\n")[0].rstrip(".")
        words = found.add_parser(name, help=text[0].lower() + text[1:], description=text + ".")
        command.arguments(words)
        words.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
