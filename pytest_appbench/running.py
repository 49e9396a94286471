"""A run as pytest's session: which run it is, what of it is there already, and its exit code.

A plugin of its own, registered in every process. What it decides rests on the run's records, so
that workers, shards and a run that was resumed come to the same.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_appbench.collect import TaskItem
from pytest_appbench.errors import AppbenchError, SettingsError
from pytest_appbench.fixtures import RUN_ID, SETTINGS, STARTED
from pytest_appbench.gates.grammar import NO_REGRESSIONS
from pytest_appbench.settings import Settings, new_run_id

if TYPE_CHECKING:
    from pytest_appbench.gates.decide import Decision
    from pytest_appbench.reports.runfile import Results
    from pytest_appbench.reports.status import Status

WORKER_INPUT = "appbench_run"
DONE: pytest.StashKey[frozenset[str]] = pytest.StashKey()
"""Node ids that have a verdict in the run that is resumed."""
DECISION: pytest.StashKey[Decision] = pytest.StashKey()
"""What the gates came to, once the session has ended."""
BASELINE: pytest.StashKey[Results | None] = pytest.StashKey()
"""The run to compare with, read before any test runs."""
OWN_FAILED: pytest.StashKey[bool] = pytest.StashKey()
"""Whether a test failed that is no task, or a file that could not be collected."""
STATUS_DIR: pytest.StashKey[Path] = pytest.StashKey()
"""Where the processes of a watched run tell what they are doing."""
_STATUS: pytest.StashKey[Status] = pytest.StashKey()
_DECIDED = (
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
)
"""Exit codes that a gate may change; interruption and errors of pytest keep theirs."""


def open_run(config: pytest.Config, settings: Settings) -> Settings:
    """Name the run of this session, a new one or the one that is resumed.

    Args:
        config: pytest's configuration, whose stash gets the run's id and what is done of it.
        settings: The settings as resolved.

    Returns:
        The settings, with the folder of runs that the run lies in.

    Raises:
        SettingsError: The run was made with other settings, or a gate lacks its baseline.
        RecordsError: A run or baseline that was named cannot be found or read.
    """
    config.stash[DONE] = frozenset()
    if worker := getattr(config, "workerinput", None):
        run = worker[WORKER_INPUT]
        config.stash[RUN_ID], config.stash[DONE] = run["id"], frozenset(run["done"])
        return replace(settings, run_dir=Path(run["dir"]))
    if settings.baseline is None and any(gate.needs_baseline for gate in settings.gate):
        raise SettingsError(f"{NO_REGRESSIONS} compares with another run: --appbench-baseline")
    config.stash[BASELINE] = _baseline(settings)
    if settings.resume is None:
        config.stash[RUN_ID] = new_run_id()
        return settings
    path = _resumed(settings)
    settings = replace(settings, run_dir=path.parent)
    config.stash[RUN_ID] = path.name
    if path.is_dir():
        config.stash[DONE] = _done(path, settings)
    return settings


def _baseline(settings: Settings) -> Results | None:
    if settings.baseline is None:
        return None
    from pytest_appbench.reports import runfile

    return runfile.load(
        runfile.find(settings.baseline, settings.base("baseline"), settings.run_dir)
    )


def status_of(config: pytest.Config) -> Status:
    """What tells whoever watches what this process is doing.

    Args:
        config: pytest's configuration.
    """
    if _STATUS not in config.stash:
        from pytest_appbench.reports.status import Status

        worker = getattr(config, "workerinput", {})
        folder = worker.get(WORKER_INPUT, {}).get("status") or config.stash.get(STATUS_DIR, None)
        name = worker.get("workerid", "main")
        config.stash[_STATUS] = Status(Path(folder) if folder else None, name)
    return config.stash[_STATUS]


def _resumed(settings: Settings) -> Path:
    name = settings.resume or ""
    typed = settings.base("resume") / name
    if typed.is_dir():
        return typed.resolve()
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise SettingsError(
            f"--appbench-resume: there is no run {typed}; name the directory of a run, or give a "
            "new run a name of letters, digits, dots, hyphens and underscores"
        )
    return settings.run_dir / name


def _done(path: Path, settings: Settings) -> frozenset[str]:
    from pytest_appbench.reports import runfile
    from pytest_appbench.reports.results import read

    if (path / runfile.NAME).is_file():
        before = runfile.read_file(path / runfile.NAME)
        if differing := before.differences(runfile.describe(settings, path.name)):
            raise SettingsError(
                f"--appbench-resume: {path.name} was begun otherwise ({'; '.join(differing)}): go "
                "on with the same settings, or begin another run"
            )
    return runfile.done(read(path))


class RunKeeper:
    """Keeps a session in step with its run.

    Args:
        config: pytest's configuration.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._settings = config.stash[SETTINGS]
        self._is_controller = not hasattr(config, "workerinput")
        config.stash[OWN_FAILED] = False

    @property
    def _path(self) -> Path:
        return self._settings.run_dir / self._config.stash[RUN_ID]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Let a person at a terminal watch."""
        from pytest_appbench.reports import live

        if live.is_wanted(self._config):
            shown = live.LiveLine(self._config, self._path)
            self._config.stash[STATUS_DIR] = shown.folder
            self._config.pluginmanager.register(shown, "appbench-live")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell an xdist worker which run it works for, and what of it is done."""
        done = self._config.stash[DONE]
        node.workerinput[WORKER_INPUT] = {
            "id": self._config.stash[RUN_ID],
            "dir": str(self._settings.run_dir),
            "done": sorted(done),
            "status": str(self._config.stash.get(STATUS_DIR, "")),
        }

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Leave out what is done, after all others have chosen: a shard stays the same shard."""
        yield
        done = self._config.stash[DONE]
        there = [i for i in items if isinstance(i, TaskItem) and i.nodeid in done]
        if there:
            left_out = set(there)
            items[:] = [item for item in items if item not in left_out]
            self._config.hook.pytest_deselected(items=there)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write down what the run is asked to do, where tasks are collected."""
        tasks = [item for item in session.items if isinstance(item, TaskItem)]
        shard = _shard(self._config)
        if _runs_nothing(self._config) or not (tasks or shard):
            return
        if tasks and (missing := self._missing_key()):
            if self._is_controller:
                raise pytest.UsageError(missing)
            return  # a worker cannot refuse; the controller does, below
        from pytest_appbench.reports import runfile
        from pytest_appbench.reports.results import TaskWords

        words = (TaskWords.model_validate(item.task, from_attributes=True) for item in tasks)
        expected = [
            runfile.Expected(nodeid=item.nodeid, task=own)
            for item, own in zip(tasks, words, strict=True)
        ]
        try:  # in this order: what is begun knows its tasks, whenever it is killed
            runfile.expect(self._path, expected, shard)
            runfile.begin(self._path, runfile.describe(self._settings, self._config.stash[RUN_ID]))
        except AppbenchError as error:
            raise pytest.UsageError(f"--appbench-run-dir: {error}") from None
        if tasks and (problem := _unwritable(self._settings.cache_dir)):
            raise pytest.UsageError(f"appbench_cache_dir: {problem} (-o appbench_cache_dir=PLACE)")

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Refuse what cannot be done, before a worker begins with it."""
        if any(map(self._is_task, ids)) and (missing := self._missing_key()):
            raise pytest.UsageError(missing)

    def _missing_key(self) -> str | None:
        from pytest_appbench.models import missing_key

        return missing_key((*self._settings.judge, self._settings.generator))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note when a task began."""
        item.stash[STARTED] = time.monotonic()

    def pytest_runtest_logfinish(self) -> None:
        """Nothing is done until the next test begins."""
        if status := self._config.stash.get(_STATUS, None):
            status.end()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notice failures that no gate speaks for: other tests, and fixtures being torn down."""
        if report.failed and (report.when == "teardown" or not self._is_task(report.nodeid)):
            self._config.stash[OWN_FAILED] = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Notice files that could not be collected."""
        if report.failed:
            self._config.stash[OWN_FAILED] = True

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Let the gates decide the exit code, or the whole of a run that was resumed."""
        config = self._config
        if not self._is_controller or exitstatus not in _DECIDED or _runs_nothing(config):
            return
        from pytest_appbench.gates.decide import asked, decide

        self._put_calibration()
        settings = self._settings
        gates = asked(settings.gate, settings.max_uncertain, settings.min_coverage)
        resumed = config.stash[DONE]
        nothing_ran = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
        if not (gates or resumed) or (nothing_ran and not resumed):
            return
        from pytest_appbench.reports import runfile

        if self._path.is_dir():
            results = runfile.load(self._path, may_be_empty=True)
        else:  # no task was selected
            results = runfile.Results(self._path, ())
        if gates:
            decision = decide(gates, results, config.stash[BASELINE], settings.min_coverage)
            config.stash[DECISION] = decision
            code = decision.code
            self._put_gates(decision)
        else:
            before = [r for r in results.whole if r.nodeid in resumed and self._is_task(r.nodeid)]
            has_failed = any(_counts_as_failed(r.outcome, settings) for r in before)
            code = int(has_failed or exitstatus == pytest.ExitCode.TESTS_FAILED)
        session.exitstatus = 1 if config.stash[OWN_FAILED] else code

    def _put_gates(self, decision: Decision) -> None:
        """Let the run's reports show what the gates came to."""
        from pytest_appbench.reports.panels import Panel, put

        if self._path.is_dir():
            rows = tuple((str(one.gate), one.word, one.text) for one in decision.rulings)
            put(self._path, "gates", Panel(title="Gates", head=("gate", "", "figure"), rows=rows))

    def _put_calibration(self) -> None:
        """Let them show what is known of how far the judge can be trusted."""
        if not (self._path.is_dir() and (self._settings.cache_dir / "calibration").is_dir()):
            return
        from pytest_appbench.calibration import find_for
        from pytest_appbench.reports import runfile
        from pytest_appbench.reports.panels import Panel, put

        records = runfile.load(self._path, may_be_empty=True).whole
        if found := find_for(records, self._settings):
            panel = Panel(title="Calibration of the judge", lines=(str(found),))
            put(self._path, "calibration", panel)

    def _is_task(self, nodeid: str) -> bool:
        from pytest_appbench.collect import is_task_file

        file = Path(nodeid.partition("::")[0])
        return is_task_file(file, self._config.getini("appbench_task_files"))


def _unwritable(folder: Path) -> str:
    """Why nothing can be kept in a folder, which is made if there is none; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"{folder} cannot be made: {error.strerror}; name a place where you may write"
    if not os.access(folder, os.W_OK):
        return f"{folder} cannot be written to; name a place where you may write"
    return ""


def _runs_nothing(config: pytest.Config) -> bool:
    """Whether pytest was asked to show something instead of running tests."""
    names = ("collectonly", "showfixtures", "show_fixtures_per_test", "setupplan")
    return any(getattr(config.option, name, False) for name in names)


def _counts_as_failed(outcome: str, settings: Settings) -> bool:
    return outcome in ("fail", "error") or (outcome == "uncertain" and settings.uncertain == "fail")


def _shard(config: pytest.Config) -> tuple[int, int] | None:
    """Which part of how many this session runs, as pytest-split was told; None for all."""
    group, splits = (config.getoption(name, None) for name in ("group", "splits"))
    return (int(group), int(splits)) if group and splits else None
