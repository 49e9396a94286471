"""A small process that runs one command and outlives nothing of it: started by `sandbox`.

It is executed as a script, by path, and knows nothing of the package around it. It starts the
command, waits until that ends or the harness lets go, and then ends every process that came of it,
also those that detached themselves: on Linux orphans are handed to it by the kernel, elsewhere it
keeps looking for descendants and for a marker in their environment.

Arguments: the descriptor that is closed when all must end, the descriptor for the report (a line of
JSON), descriptors to pass on (joined by commas, or `-`), bytes of memory for each process (0 for
any), the name of the marker in the environment, and the command.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LINUX = sys.platform.startswith("linux")
_LARGEST_FILE = 4_000_000_000
_PATIENCE = 10.0


def main(arguments: list[str]) -> None:
    """Run the command and report `{"exit": N, "left": N}`, or `{"error": "..."}`."""
    control, report = int(arguments[0]), int(arguments[1])
    passed = [int(number) for number in arguments[2].split(",") if number != "-"]
    for descriptor in (control, report):
        os.set_inheritable(descriptor, False)
    _limit(int(arguments[3]))
    look = (lambda: None) if _LINUX else _Searcher(arguments[4])
    wakeup = _wake_on_child()
    answer: dict[str, Any] = {}
    try:
        child = subprocess.Popen(
            arguments[5:], start_new_session=True, pass_fds=passed, preexec_fn=_end_with_parent
        )
    except OSError as error:
        answer["error"] = f"{error.strerror or error}: {arguments[5]}"
    else:
        _let_go_of((0, 1, 2, *passed))
        answer["exit"] = _wait(child.pid, control, wakeup, look)
        answer["left"] = _end_all(look)
    os.write(report, json.dumps(answer).encode() + b"\n")


def _limit(memory: int) -> None:
    """Bound each process; what is started here inherits it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    if most == resource.RLIM_INFINITY or most > _LARGEST_FILE:
        resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    if memory:
        # Not the address space: engines such as V8 reserve far more of that than they ever use.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option} was refused")


def _end_with_parent() -> None:
    if _LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _wake_on_child() -> int:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _let_go_of(descriptors: tuple[int, ...]) -> None:
    """Hold no end of the command's pipes, or their readers would never see the end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor, inheritable=False)


def _wait(main_pid: int, control: int, wakeup: int, look: Callable[[], object]) -> int | None:
    """Wait for the command.

    Returns:
        Its exit code, 128 and the number for a signal, or None when the harness let go first.
    """
    while True:
        ready, _, _ = select.select([control, wakeup], [], [], None if _LINUX else 0.1)
        look()
        if wakeup in ready:
            with suppress(BlockingIOError):
                os.read(wakeup, 4096)
        code = _reap(main_pid)
        if code is not None:
            return code
        if control in ready:
            return None


def _reap(main_pid: int) -> int | None:
    """Collect all children that have ended; the exit code of the first one if it is among them."""
    code = None
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == main_pid:
                code = os.waitstatus_to_exitcode(status)
                code = 128 - code if code < 0 else code
    return code


def _end_all(look: Callable[[], object]) -> int:
    """End everything that is left.

    Returns:
        How many processes could not be ended.
    """
    deadline = time.monotonic() + _PATIENCE
    stopped: set[int] = set()
    while True:
        _reap(0)
        look()
        living = _descendants() if _LINUX else look.living()  # type: ignore[attr-defined]
        if not living or time.monotonic() > deadline:
            return len(living)
        # All are stopped before any is killed, so that none can start others meanwhile.
        for pid in living - stopped:
            _signal(pid, signal.SIGSTOP)
        if living <= stopped:
            for pid in living:
                _signal(pid, signal.SIGKILL)
            time.sleep(0.005)
        stopped |= living


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _descendants() -> set[int]:
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with (
                suppress(OSError, ValueError, IndexError),
                Path(f"/proc/{name}/stat").open("rb") as file,
            ):
                # The name of a program stands in brackets and may hold spaces and brackets.
                parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found: set[int] = set()
    generation = {os.getpid()}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation} - found
        found |= generation
    return found


class _Searcher:
    """Finds what came of the command where the kernel hands no orphans over.

    Args:
        marker: `NAME=value` in the environment of everything that the command starts.
    """

    def __init__(self, marker: str) -> None:
        self._name, _, self._value = marker.partition("=")
        self._seen: set[Any] = set()

    def __call__(self) -> None:
        import psutil

        with suppress(psutil.Error):
            self._seen.update(psutil.Process().children(recursive=True))

    def living(self) -> set[int]:
        """Process ids of all that is left."""
        import psutil

        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                marked = process.environ().get(self._name) == self._value
                if marked and process.pid != os.getpid():
                    self._seen.add(process)
        return {process.pid for process in self._seen if _is_alive(process)}


def _is_alive(process: Any) -> bool:
    import psutil

    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


if __name__ == "__main__":
    main(sys.argv[1:])
