"""Our side of a supervisor: starts it, serves the command's streams, and lets go of it."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, Literal

OUTPUT_KEPT = 64_000
"""Bytes kept of the end of each output."""

OUTPUT_MOST = 100_000_000
"""Bytes that a process may write to its outputs before it is ended."""

Ended = Literal["itself", "time", "output", "stopped"]
"""Who ended a process: itself, or we did, because of its time, its output, or as we were asked."""

_CHUNK = 65_536
_PATIENCE = 20.0


@dataclass(frozen=True)
class Outcome:
    """What came of a supervised command.

    Attributes:
        ended: Who ended it.
        seconds: How long it ran.
        exit_code: Its exit code, 128 and the number for a signal; None if there is none.
        error: Why it could not be started, else empty.
        left: Processes that could not be ended.
    """

    ended: Ended
    seconds: float
    exit_code: int | None = None
    error: str = ""
    left: int = 0


class Tail:
    """The end of a stream of bytes, and how many there were."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take in what was read."""
        self.total += len(data)
        self._kept += data
        if len(self._kept) > 2 * OUTPUT_KEPT:
            del self._kept[:-OUTPUT_KEPT]

    def text(self) -> str:
        """The end as text, with a line in front that says so if it is not all."""
        kept = self._kept[-OUTPUT_KEPT:]
        left_out = self.total - len(kept)
        start = f"[{left_out:,} bytes before this were left out]\n" if left_out else ""
        return start + kept.decode("utf-8", "replace")


@dataclass
class Pipe:
    """A pipe of which the writing end is given away."""

    read: int
    write: int

    def close_write(self) -> None:
        """Close the writing end, if it is still open."""
        if self.write >= 0:
            os.close(self.write)
            self.write = -1

    def rest(self) -> bytes:
        """What can be read without waiting."""
        os.set_blocking(self.read, False)
        data = bytearray()
        while chunk := _read(self.read):
            data += chunk
        return bytes(data)


@contextmanager
def pipe() -> Iterator[Pipe]:
    """A pipe that is closed afterwards."""
    made = Pipe(*os.pipe())
    try:
        yield made
    finally:
        made.close_write()
        os.close(made.read)


@contextmanager
def supervised(
    command: Sequence[str],
    *,
    marker: str,
    memory: int,
    status: Pipe | None,
    passed: Sequence[int] = (),
    cwd: Path,
    env: Mapping[str, str],
) -> Iterator[Supervised]:
    """A command under a supervisor; both are gone afterwards.

    Args:
        command: The program and its arguments.
        marker: `NAME=value` in its environment, to find its processes by.
        memory: Bytes of data for each process, 0 for any.
        status: A pipe of which the command is to inherit the writing end.
        passed: Further descriptors that it is to inherit.
        cwd: Where it starts.
        env: All variables that it and its supervisor see.
    """
    with pipe() as control, pipe() as report:
        inherited = [*([status.write] if status else []), *passed]
        head = (control.read, report.write, ",".join(map(str, inherited)) or "-", memory, marker)
        # The supervisor reads no configuration of Python's and no module of the user's.
        python = (sys.executable, "-I", str(Path(__file__).with_name("supervisor.py")))
        process = subprocess.Popen(
            [*python, *map(str, head), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            pass_fds=[control.read, report.write, *inherited],
            start_new_session=True,
        )
        for given in (report, status):
            if given is not None:
                given.close_write()
        server = Supervised(process, control, report)
        try:
            yield server
        finally:
            server.close()


class Supervised:
    """A running supervisor.

    Args:
        process: Its process, with a pipe for each stream.
        control: Closing its writing end makes the supervisor end everything.
        report: What the supervisor reports; its end says that all is over.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: Pipe, report: Pipe) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdout, self.stderr = Tail(), Tail()
        self._process, self._control, self._report = process, control, report
        self._stdin = process.stdin
        self._tails: dict[IO[bytes], Tail] = {
            process.stdout: self.stdout,
            process.stderr: self.stderr,
        }
        self._answer = bytearray()
        for stream in (self._stdin, *self._tails):
            os.set_blocking(stream.fileno(), False)

    def serve(self, stdin: bytes, time_limit: float, stop: Event | None) -> Outcome:
        """Feed and read until the supervisor is done; let go of it when it must end.

        Args:
            stdin: What the command reads.
            time_limit: Seconds.
            stop: Set by another thread to end it.
        """
        started = time.monotonic()
        deadline = started + time_limit
        ended: Ended = "itself"
        self._rest = memoryview(stdin)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._report.read, selectors.EVENT_READ)
            for stream in self._tails:
                selector.register(stream, selectors.EVENT_READ)
            while True:
                now = time.monotonic()
                if ended == "itself":
                    ended = self._why(now >= deadline, stop)
                    if ended != "itself":
                        self._control.close_write()
                        deadline = now + _PATIENCE
                wait = max(0.0, deadline - now)
                ready = selector.select(min(wait, 0.2) if stop else wait)
                is_over = any(self._serve(key, selector) for key, _ in ready)
                if is_over or (ended != "itself" and time.monotonic() > deadline):
                    self._drain()
                    return self._outcome(ended, time.monotonic() - started)

    def _why(self, is_late: bool, stop: Event | None) -> Ended:
        if stop is not None and stop.is_set():
            return "stopped"
        if self.stdout.total + self.stderr.total > OUTPUT_MOST:
            return "output"
        return "time" if is_late else "itself"

    def _serve(self, key: selectors.SelectorKey, selector: selectors.BaseSelector) -> bool:
        """Serve one stream that is ready; True when the report has ended."""
        if key.fd == self._report.read:
            data = os.read(key.fd, _CHUNK)
            self._answer += data
            return not data
        if key.fileobj is self._stdin:
            self._rest = _feed(key.fd, self._rest)
            if not self._rest:
                selector.unregister(self._stdin)
                with suppress(OSError):
                    self._stdin.close()
            return False
        assert not isinstance(key.fileobj, int)
        data = _read(key.fd)
        if data:
            self._tails[key.fileobj].add(data)  # type: ignore[index]
        else:
            selector.unregister(key.fileobj)
        return False

    def _drain(self) -> None:
        """Read what is there; a survivor may hold the other end, so nothing is waited for."""
        for stream, tail in self._tails.items():
            while tail.total <= OUTPUT_MOST + _CHUNK and (data := _read(stream.fileno())):
                tail.add(data)

    def _outcome(self, ended: Ended, seconds: float) -> Outcome:
        try:
            answer = json.loads(self._answer)
        except ValueError:
            # Only without a sandbox can the command reach its supervisor, and kill it.
            return Outcome(ended, seconds, left=1)
        return Outcome(
            ended, seconds, answer.get("exit"), answer.get("error", ""), answer.get("left", 0)
        )

    def close(self) -> None:
        """Let go, and wait until all has ended."""
        self._control.close_write()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._stdin, *self._tails):
            with suppress(OSError):
                stream.close()


def _read(descriptor: int) -> bytes:
    with suppress(BlockingIOError):
        return os.read(descriptor, _CHUNK)
    return b""


def _feed(descriptor: int, data: memoryview) -> memoryview:
    try:
        return data[os.write(descriptor, data[:_CHUNK]) :] if data else data
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return data[:0]
