"""A run that was killed, whenever it was, is readable, and resumed it is the run it would have been."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from pytest_appbench.reports.results import Record, read, whole
from pytest_appbench.reports.runfile import describe, load
from pytest_appbench.settings import resolve
from runkit import Foretold

TASKS = ("pass-a", "fail-b", "pass-c", "uncertain-d", "fail-e", "pass-f")
ATTEMPTS = "fail-e=fail+pass+fail"
"""One task of several attempts, so that a task is more than one record."""
PATIENCE = 60.0


@pytest.fixture(scope="module")
def foretold(tmp_path_factory: pytest.TempPathFactory) -> Foretold:
    """The tasks, and the run `whole` that nothing disturbed."""
    made = Foretold(tmp_path_factory.mktemp("resume"), TASKS)
    made.pytest("--appbench-resume=whole", FORETOLD=ATTEMPTS)
    return made


def comparable(run: Path) -> dict[tuple[str, int, int], Record]:
    """The records by their keys, without what differs from run to run."""
    own = {"run": "", "time": 0.0, "seconds": None}
    return {record.key: record.model_copy(update=own) for record in read(run)}


def test_runs_that_ask_for_another_label_differ(tmp_path: Path) -> None:
    folders = {"invocation_dir": tmp_path, "root_dir": tmp_path, "cache_dir": tmp_path}
    strict, usual = (
        describe(resolve(given, {}, **folders), "r") for given in ({"pass_label": "EXCELLENT"}, {})
    )
    assert strict.differences(usual) == ["pass-label EXCELLENT and None"]


def killed(
    foretold: Foretold, name: str, *arguments: str, after: int, victim: Callable[[int], int]
) -> Path:
    """Start a run and kill one of its processes once so many tasks are on record."""
    path = foretold.root / "appbench-runs" / name
    with subprocess.Popen(
        foretold.command(f"--appbench-resume={name}", *arguments),
        cwd=foretold.root,
        env=foretold.environment(FORETOLD=ATTEMPTS, FORETOLD_SECONDS="0.4"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        end = time.monotonic() + PATIENCE
        while not (path / "run.json").exists() or len(whole(read(path))) < after:
            assert time.monotonic() < end, "the run does not get on"
            assert process.poll() is None, "the run ended before it was killed"
            time.sleep(0.02)
        os.kill(victim(process.pid), signal.SIGKILL)
    return path


def itself(pid: int) -> int:
    return pid


def a_worker(pid: int) -> int:
    workers = [c for c in psutil.Process(pid).children() if "stdin" in " ".join(c.cmdline())]
    return workers[0].pid


@pytest.mark.parametrize(
    ("arguments", "victim", "after"),
    [
        ((), itself, 0),
        ((), itself, 4),
        (("-n", "2"), itself, 1),
        (("-n", "2"), a_worker, 0),
        (("-n", "2"), a_worker, 3),
    ],
    ids=["at-once", "late", "with-workers", "a-worker-at-once", "a-worker-late"],
)
def test_a_killed_run_is_readable_and_resumed_it_equals_one_that_nothing_disturbed(
    foretold: Foretold,
    arguments: tuple[str, ...],
    victim: Callable[[int], int],
    after: int,
    request: pytest.FixtureRequest,
) -> None:
    name = request.node.callspec.id
    path = killed(foretold, name, *arguments, after=after, victim=victim)
    left = load(path)
    assert len(left.expected) == len(TASKS)
    assert {r.nodeid for r in left.settled} == {one.nodeid for one in left.expected}
    there = [r for r in left.whole if r.outcome != "error"]
    assert len(there) >= after

    resumed = foretold.pytest(f"--appbench-resume={name}", FORETOLD=ATTEMPTS)

    assert comparable(path) == comparable(foretold.root / "appbench-runs" / "whole")
    assert f"resumes the run {name}: " in resumed.stdout or not there
    # The exit code is that of the whole run, whichever tasks were left.
    assert resumed.returncode == 1


def test_what_is_there_is_deselected_and_the_table_is_of_the_whole_run(
    foretold: Foretold,
) -> None:
    words = ["--appbench-resume=half"]
    first, second, third, green = foretold.sessions(
        [
            [*words, "-k", "pass"],
            words,
            words,
            ["--appbench-resume=green", "-k", "pass"],
        ],
        [{}] * 4,
    )
    assert first.code == 0
    assert "begins the run half" in first.text
    assert "resumes the run half: 3 tasks have a verdict there and are not judged again" in (
        second.text
    )
    assert "2 failed, 3 deselected, 1 uncertain" in second.text
    all_row = next(x for x in second.text.splitlines() if x.startswith("all"))
    assert all_row.split()[1:5] == ["3", "2", "1", "0"]
    # Nothing is left to do, and yet the run is none that passed.
    assert "6 deselected" in third.text
    assert third.code == 1
    assert green.code == 0
    assert foretold.codes([["--appbench-resume=green", "-k", "pass"]]) == [0]


def test_a_shard_stays_the_same_shard_when_it_is_resumed(foretold: Foretold) -> None:
    shard = ["--splits=2", "--group=2", "--appbench-resume=second", "-k", "not uncertain"]
    foretold.sessions([[*shard, "--maxfail=1"]])
    path = foretold.root / "appbench-runs" / "second"
    before = load(path)
    assert len(before.expected) > len(before.whole)
    foretold.sessions([shard])
    after = load(path)
    assert {r.nodeid for r in after.whole} == {one.nodeid for one in before.expected}
    assert after.shards == {(2, 2)}


def test_a_run_is_not_resumed_with_other_settings(foretold: Foretold) -> None:
    words = ["--appbench-resume=whole", "--appbench-threshold=0.5", "--appbench-clock=real"]
    (ended,) = foretold.sessions([words])
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "threshold 0.8 and 0.5; clock logical and real" in ended.text
    (ended,) = foretold.sessions([["--appbench-resume=no/such/run"]])
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "there is no run" in ended.text
