"""The errors of the harness: each message tells the user where, what, and what to do.

None of them is a verdict. An error raised while a task runs is reported as an *error* of the
harness; the app is not blamed for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Usage


class AppbenchError(Exception):
    """Base of all errors that are worth showing to a user without a traceback."""


class TaskFileError(AppbenchError):
    """One or more things are wrong in a task file; the message lists them all, each with its line.

    Args:
        problems: The problems found, in the order of the file.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Problem:
    """One thing wrong at one place, with what to write instead.

    Args:
        path: The file.
        line: The line, counted from 1.
        message: What is wrong and what to write instead.

    As text it begins with the path as someone in the working directory would write it.
    """

    __slots__ = ("line", "message", "path")

    def __init__(self, path: Path, line: int, message: str) -> None:
        self.path, self.line, self.message = path, line, message

    def __str__(self) -> str:
        path = self.path
        with suppress(OSError, ValueError):
            path = path.relative_to(Path.cwd())
        return f"{path}:{self.line}: {self.message}"


class SettingsError(AppbenchError):
    """An option or ini value cannot be used."""


class MissingArtifact(AppbenchError):
    """There is no app for this task where one was expected."""


class ArtifactRefused(AppbenchError):
    """The files of an app cannot be taken in: too many, too large, or linked from elsewhere."""


class GenerationFailed(AppbenchError):
    """A generator refused, timed out or returned no app: the candidate fails, with this reason.

    Args:
        message: What happened, for the reason of the verdict.
        notes: What the generator said, such as the end of an agent's output.
        usage: What a model consumed all the same.
        sandbox: How a process that is not ours was kept in, if one ran.
    """

    def __init__(
        self,
        message: str,
        notes: str = "",
        *,
        usage: Usage | None = None,
        sandbox: str | None = None,
    ) -> None:
        self.notes, self.usage, self.sandbox = notes, usage, sandbox
        super().__init__(message)


class BuildFailed(AppbenchError):
    """An app does not build, or its own server does not start: it fails, with this reason.

    Args:
        message: What happened, for the reason of the verdict; words of the app's may be in it.
        notes: What else was said.
        sandbox: How the process was kept in.
    """

    def __init__(self, message: str, notes: str = "", *, sandbox: str | None = None) -> None:
        self.notes, self.sandbox = notes, sandbox
        super().__init__(message)


class BrowserUnavailable(AppbenchError):
    """No usable browser was found or it would not start."""


class CheckError(AppbenchError):
    """A check is itself broken (not the app): it cannot be imported, or has a programming error."""


class JudgeError(AppbenchError):
    """The judging could not be carried out for a reason that is not the app's."""


class RecordsError(AppbenchError):
    """A file of records cannot be read."""


class ReportError(AppbenchError):
    """A report cannot be made or written."""


class ExchangeError(AppbenchError):
    """Tasks cannot be read from, or written to, a format that is not ours."""
