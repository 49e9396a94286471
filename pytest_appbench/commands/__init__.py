"""The commands of `appbench`, one module each; adding one touches no other file.

A command's module has a docstring, whose first line is its help; `arguments`, which adds its words
to a parser; and `run`, which does the work by way of the engine, prints, and returns the exit code:
0 when all is well, 1 when something was found, such as an app that does not pass. It imports what
it needs when it runs, so that `appbench --help` stays quick.
"""

from __future__ import annotations

import argparse
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast


class Command(Protocol):
    """What a command's module defines."""

    __doc__: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's words.

        Args:
            parser: The command's own.
        """

    def run(self, options: argparse.Namespace) -> int:
        """Do it.

        Args:
            options: The words of the command line, parsed.

        Returns:
            The exit code.

        Raises:
            AppbenchError: It cannot be done; `main` prints the message and exits with 2.
        """


def known() -> dict[str, Command]:
    """Every command by its name, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {
        name.replace("_", "-"): cast(Command, import_module(f"{__name__}.{name}"))
        for name in names
        if not name.startswith("_")
    }


def relative(path: Path) -> Path:
    """A path as one would type it here.

    Args:
        path: Any path.
    """
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, such as "1 task" or "2 tasks".

    Args:
        number: How many.
        noun: What, one of them.
        plural: What, many of them, where that is not the noun with an s.
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
