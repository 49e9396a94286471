"""Runs every process that is not ours, and ends it with everything that it started.

With bubblewrap a process sees the system's programs, what it is shown, its workspace and a scratch
home, and nothing else of the machine. Without it, it sees what the user sees. Either way its time
and its output are bounded. This module knows nothing of agents, builds or apps.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pytest_appbench.errors import AppbenchError, SettingsError
from pytest_appbench.processes import bubblewrap
from pytest_appbench.processes.supervised import Ended, pipe, supervised

PASSED_ON = re.compile(r"PATH|LANG|LC_[A-Z]+|TERM|TZ")
"""Names of environment variables that every process is given."""

_MARKER = "APPBENCH_PROCESS"


class SandboxError(AppbenchError):
    """A process could not be started, or the sandbox around it could not be made."""


@dataclass(frozen=True)
class Finished:
    """How a process ended.

    Attributes:
        exit_code: Its exit code, 128 and the number for a signal; None when we ended it.
        stdout: The end of what it wrote, with a line in front that says so if it is not all.
        stderr: The same of the other stream.
        seconds: How long it ran.
        sandbox: What kept it in: such as `bubblewrap 0.8.0`, or `none`.
        ended: Who ended it: `itself`, or we did because of its `time` or its `output`, or as we
            were asked to (`stopped`).
        left: Processes of it that could not be ended; always 0 with bubblewrap.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    sandbox: str
    ended: Ended = "itself"
    left: int = 0


def describe(sandbox: str = "auto") -> str:
    """What keeps processes in on this machine.

    Args:
        sandbox: The setting: auto or none.

    Returns:
        Such as `bubblewrap 0.8.0`, or `none`.
    """
    return bubblewrap.find().version if _confines(sandbox) else "none"


def warning(sandbox: str = "auto") -> str:
    """What the user must know where nothing keeps processes in.

    Args:
        sandbox: The setting: auto or none.

    Returns:
        A sentence, or an empty text where there is a sandbox.
    """
    if _confines(sandbox):
        return ""
    reason = "it is turned off" if sandbox == "none" else bubblewrap.find().problem
    return (
        f"no sandbox ({reason}): agents and builds run with your own rights and can read the "
        "benchmark, its checks, earlier runs and your files"
    )


def require(sandbox: str, what: str) -> None:
    """Make sure that something keeps processes in, or that the user wants none.

    Args:
        sandbox: The setting: auto or none.
        what: What is to be run, in the plural, for the message.

    Raises:
        SandboxError: There is no sandbox on this machine and the user did not do without.
    """
    if sandbox == "auto" and (problem := bubblewrap.find().problem):
        raise SandboxError(
            f"{what} run what an app brought, and nothing would keep it in ({problem}); write "
            "--appbench-sandbox none to run it with your own rights"
        )


def environment(names: Iterable[str] = ()) -> dict[str, str]:
    """The part of our environment that a process which is not ours may see.

    Args:
        names: Variables that the user allows beside the usual ones.

    Returns:
        PATH, LANG, LC_*, TERM and TZ, and the named ones, as far as they are set.
    """
    allowed = set(names)
    return {
        name: value
        for name, value in os.environ.items()
        if name in allowed or PASSED_ON.fullmatch(name)
    }


def run(
    command: Sequence[str],
    *,
    workspace: Path,
    home: Path,
    environment: Mapping[str, str],
    readonly: Iterable[Path] = (),
    hidden: Iterable[Path] = (),
    network: bool = True,
    time_limit: float,
    memory: int | None = None,
    stdin: str | bytes = b"",
    sandbox: str = "auto",
    stop: Event | None = None,
    passed: Sequence[int] = (),
) -> Finished:
    """Run a command in a workspace and end everything that it started.

    Args:
        command: The program, as an absolute path or a name on PATH, and its arguments.
        workspace: The folder it starts in; it may write there.
        home: Its scratch home: HOME, with TMPDIR in `home/tmp`; it may write there.
        environment: All other variables it sees.
        readonly: Files and folders outside the system's that it may read (without a sandbox it may
            read everything).
        hidden: Folders that it must not see, wherever they lie; what is shown or writable inside
            them is seen nevertheless (without a sandbox nothing is hidden).
        network: Whether it may use the network (without a sandbox it always may).
        time_limit: Seconds after which it is ended.
        memory: Bytes of data for each of its processes, None for any (Linux only).
        stdin: What it reads as its input.
        sandbox: auto, or none.
        stop: Set by another thread to end it.
        passed: Open descriptors that it inherits under their own numbers.

    Returns:
        How it ended; running out of time is no error.

    Raises:
        SandboxError: It could not be started.
        SettingsError: `sandbox` is neither auto nor none.
    """
    if os.name != "posix":
        raise SandboxError("commands of yours can be run on Linux and macOS only")
    confines = _confines(sandbox)
    view = bubblewrap.View(
        workspace.resolve(), home.resolve(), tuple(readonly), tuple(hidden), network
    )
    scratch = view.home / "tmp"
    scratch.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(12)
    own = {"HOME": view.home, "TMPDIR": scratch, "PWD": view.workspace, _MARKER: token}
    with ExitStack() as stack:
        status = stack.enter_context(pipe()) if confines else None
        line = list(command)
        if status is not None:
            head = bubblewrap.arguments(bubblewrap.find(), view)
            line = [*head, "--json-status-fd", str(status.write), "--", *line]
        process = stack.enter_context(
            supervised(
                line,
                marker=f"{_MARKER}={token}",
                memory=memory or 0,
                status=status,
                passed=passed,
                cwd=view.workspace,
                env={**environment, **{name: str(value) for name, value in own.items()}},
            )
        )
        outcome = process.serve(
            stdin.encode() if isinstance(stdin, str) else stdin, time_limit, stop
        )
        exit_code, error = outcome.exit_code, outcome.error
        if status is not None and exit_code is not None:
            exit_code = _exit_inside(status.rest())
            if exit_code is None:
                error = process.stderr.text().strip()
    if error:
        raise SandboxError(f"cannot run {command[0]!r}: {error}")
    return Finished(
        exit_code if outcome.ended == "itself" else None,
        process.stdout.text(),
        process.stderr.text(),
        outcome.seconds,
        describe(sandbox),
        outcome.ended,
        outcome.left,
    )


def _confines(sandbox: str) -> bool:
    if sandbox not in ("auto", "none"):
        raise SettingsError(f"sandbox: {sandbox!r} is not one of auto, none")
    return sandbox == "auto" and not bubblewrap.find().problem


def _exit_inside(status: bytes) -> int | None:
    """The exit code that bubblewrap reported; it reports none when the command never started."""
    for line in status.splitlines():
        with suppress(ValueError):
            document = json.loads(line)
            if "exit-code" in document:
                return int(document["exit-code"])
    return None
