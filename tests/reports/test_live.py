"""The line that says what each process is doing: seen on a real terminal, and nowhere else."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pyte
import pytest

from brains import clicker
from kit import LEAN, OF_A_SERVICE, Benchmark
from provider import Provider
from runkit import Foretold

COLUMNS, LINES = 100, 60


class Terminal:
    """What a program drew on a terminal.

    Args:
        output: Its bytes.
    """

    def __init__(self, output: bytes) -> None:
        self.output = output.decode(errors="replace")
        screen = pyte.Screen(COLUMNS, LINES * 5)
        pyte.Stream(screen).feed(self.output)
        self.left = [line.rstrip() for line in screen.display]

    @property
    def live(self) -> list[str]:
        """Each state of the line."""
        return re.findall(r"\n\r([^\n\r]*?)\x1b\[K\x1b\[1A", self.output)


def on_a_terminal(command: Sequence[str], cwd: Path, environment: dict[str, str]) -> Terminal:
    """Run a program as if a person watched."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    output = b""
    with subprocess.Popen(
        command,
        cwd=cwd,
        env={"TERM": "xterm-256color", **environment, "COLUMNS": str(COLUMNS)},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    ):
        os.close(terminal)
        while True:
            try:
                read = os.read(controller, 65536)
            except OSError:
                break
            if not read:
                break
            output += read
    os.close(controller)
    return Terminal(output)


@pytest.fixture(scope="module")
def foretold(tmp_path_factory: pytest.TempPathFactory) -> Foretold:
    return Foretold(tmp_path_factory.mktemp("live"), ("pass-a", "fail-b", "pass-c"))


def watched(foretold: Foretold, *arguments: str, **environment: str) -> Terminal:
    variables = foretold.environment(FORETOLD_SECONDS="0.7", TERM="xterm-256color")
    command = foretold.command("--color=no", *arguments)
    return on_a_terminal(command, foretold.root, {**variables, **environment})


def without_figures(lines: Sequence[str]) -> list[str]:
    """Without what differs from run to run, and without empty lines at the end."""
    text = re.sub(r"\d+\.\d+s|\d{8}T\d{6}Z-[0-9a-f]{8}", "*", "\n".join(lines))
    return re.sub(r"=+", "=", text).rstrip().splitlines()


@pytest.mark.parametrize("arguments", [(), ("-v",), ("-n", "2")], ids=["dots", "verbose", "xdist"])
def test_a_person_sees_what_is_done_and_pytests_output_stays_as_it_is(
    foretold: Foretold, arguments: tuple[str, ...]
) -> None:
    seen = watched(foretold, *arguments)
    assert any("pass-a: judging, " in line for line in seen.live)
    assert all(len(line) < COLUMNS for line in seen.live)
    if "-n" in arguments:
        assert any(re.match(r"gw0 \S+: judging, \d+ s \| gw1 \S+: judging", x) for x in seen.live)
    else:
        undisturbed = watched(foretold, *arguments, TERM="dumb")
        assert not undisturbed.live
        assert without_figures(seen.left) == without_figures(undisturbed.left)
    assert not any("judging," in line for line in seen.left)


@pytest.mark.parametrize(
    ("arguments", "environment"), [(("-q",), {}), (("-s",), {}), ((), {"CI": "true"})]
)
def test_the_line_does_not_exist_where_nobody_wants_it_or_it_would_spoil_something(
    foretold: Foretold, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    seen = watched(foretold, *arguments, "-k", "pass-a", **environment)
    assert not seen.live
    assert not re.search(r"\x1b\[\d*[AJG]", seen.output)
    assert "1 passed" in "\n".join(seen.left)


def test_the_steps_of_a_model_and_its_cost_are_told_while_it_judges(benchmark: Benchmark) -> None:
    benchmark.task()
    with Provider(clicker, delay=1.2) as provider:
        environment = {k: v for k, v in os.environ.items() if k not in OF_A_SERVICE}
        command = [sys.executable, "-m", "pytest", *LEAN, "-p", "no:xdist"]
        words = ["--appbench-judge=anthropic:claude-opus-4-8", "--appbench-screen=off"]
        seen = on_a_terminal(
            [*command, *words], benchmark.root, {**environment, **provider.environment()}
        )
    assert any(re.search(r"counter: judging, step 1 of 30, \d+ s", line) for line in seen.live)
    assert any(re.search(r"^\$0\.\d\d \| counter: judging, step 2 of 30", x) for x in seen.live)
