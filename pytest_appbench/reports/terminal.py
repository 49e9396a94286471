"""What a person reads in the terminal: one header line, checks with `-v`, and the closing table.

This is a pytest plugin of its own, registered only in the process whose terminal is read. Its
figures come from the run's records, never from what it saw pass by.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_appbench.errors import AppbenchError
from pytest_appbench.reports.escape import plain
from pytest_appbench.reports.gating import gates_described
from pytest_appbench.reports.table import closing_table, own_figures
from pytest_appbench.running import BASELINE, DECISION, DONE, OWN_FAILED
from pytest_appbench.settings import Settings

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import Results
    from pytest_appbench.tasks.model import Task

CATEGORY = "appbench_category"
"""Attribute of a report that carries the terminal category of a task."""
CHECKS = "appbench_checks"
"""Attribute of a report that carries name, outcome and claim of each check."""
EXPLANATION = "appbench_explanation"
"""Attribute of a report that carries why a task is uncertain."""


class TerminalReport:
    """Prints nothing in a session without tasks.

    Args:
        config: pytest's configuration.
        run: The run's directory.
        settings: The settings of the run.
    """

    def __init__(self, config: pytest.Config, run: Path, settings: Settings) -> None:
        self._config, self._run, self._settings = config, run, settings
        self._announced = False

    def pytest_report_collectionfinish(self, items: Sequence[pytest.Item]) -> str | None:
        """Say what was resolved, once there is a task."""
        return self._header(item.nodeid for item in items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Say it under xdist too, where only the workers collect."""
        header, reporter = self._header(ids), self._reporter()
        if header and reporter:
            reporter.ensure_newline()
            reporter.write_line(header)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a task whose worker died, and list the checks with `-v`."""
        if report.when not in ("setup", "call", "teardown") and self._is_task(report.nodeid):
            self._record_lost(report)
        checks = getattr(report, CHECKS, ())
        reporter = self._reporter()
        if checks and reporter and report.when == "call" and self._config.get_verbosity() > 0:
            reporter.ensure_newline()
            for name, outcome, claim in checks:
                mark = {"green": True} if outcome == "passed" else {"red": True}
                reporter.write(f"    {outcome:<7}", **mark)
                reporter.write_line(f" {name}  {claim}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        """Give uncertain and lost tasks a category of their own."""
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]
            return None
        if getattr(report, CATEGORY, None) == "uncertain":
            return "uncertain", "U", ("UNCERTAIN", {"yellow": True})
        if report.when not in ("setup", "call", "teardown") and self._is_task(report.nodeid):
            return "error", "E", ("ERROR", {"red": True})
        return None

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List the uncertain tasks and close with the table."""
        if not self._run.is_dir():
            return
        from pytest_appbench.reports import github, runfile
        from pytest_appbench.reports.results import Run
        from pytest_appbench.reports.worst import described, worst

        try:
            Run(self._run.parent, self._run.name).join()
        except (AppbenchError, OSError) as error:  # the parts hold every record all the same
            terminalreporter.write_line(f"results.jsonl is missing: {error}", red=True)
        results = runfile.load(self._run, may_be_empty=True)
        records = results.whole
        if not results.settled:
            return
        uncertain = terminalreporter.stats.get("uncertain", [])
        if uncertain:
            terminalreporter.write_sep("=", "uncertain", yellow=True)
            for report in uncertain:
                _write_uncertain(terminalreporter, report)
        terminalreporter.write_sep("=", "appbench")
        width = terminalreporter._tw.fullwidth
        for row in (*closing_table(records), *own_figures(records)):
            terminalreporter.write_line(row)
        if found := worst(results.records, self._run):
            terminalreporter.write_line("what fared worst:")
            for text in described(found, width, self._config.invocation_params.dir):
                terminalreporter.write_line(text)
            terminalreporter.write_line("")
        if results.missing:
            text = f"not run: {len(results.missing)} of {len(results.settled)} tasks"
            terminalreporter.write_line(text, yellow=True)
        if spent := _spent(self._run):
            terminalreporter.write_line(spent)
        if calibrated := _calibrated(self._run, self._settings, records):
            terminalreporter.write_line(calibrated)
        joined = self._run / "results.jsonl"
        place = _relative(
            joined if joined.exists() else self._run, self._config.invocation_params.dir
        )
        terminalreporter.write_line(f"results: {place}")
        self._write_gates(terminalreporter, results)
        decision = self._config.stash.get(DECISION, None)
        write = terminalreporter.write_line
        github.publish(os.environ, results, decision, self._config.rootpath, write)

    def _write_gates(self, reporter: Any, results: Results) -> None:
        decision = self._config.stash.get(DECISION, None)
        if decision is None:
            return
        reporter.write_sep("=", "gates", **({"red": True} if decision.code else {"green": True}))
        colours = {"holds": {"green": True}, "fails": {"red": True}, "not computed": {"red": True}}
        for text in gates_described(decision, results, self._config.stash[BASELINE]):
            word = next((word for word in colours if text.startswith(word)), "")
            reporter.write_line(plain(text), **colours.get(word, {}))
        if self._config.stash[OWN_FAILED]:
            text = (
                "the run fails whatever the gates say: a test failed that is no task, or a fixture "
                "when it was torn down"
            )
            reporter.write_line(text, red=True)

    def _header(self, nodeids: Iterable[str]) -> str | None:
        if self._announced or self._config.get_verbosity() < 0:
            return None
        if not self._settings.resume and not any(self._is_task(nodeid) for nodeid in nodeids):
            return None
        self._announced = True
        lines = [f"appbench: {self._settings.described()}", *self._resumed(), *self._warnings()]
        return "\n".join(lines)

    def _resumed(self) -> list[str]:
        if not self._settings.resume:
            return []
        if not self._run.is_dir():
            return [f"appbench: begins the run {self._run.name}: there is none to resume"]
        there = len(self._config.stash[DONE])
        tasks = (
            "1 task has a verdict there and is"
            if there == 1
            else (f"{there} tasks have a verdict there and are")
        )
        return [f"appbench: resumes the run {self._run.name}: {tasks} not judged again"]

    def _warnings(self) -> list[str]:
        if not self._settings.generator.startswith("command:"):
            return []
        from pytest_appbench.sandbox import warning

        text = warning(self._settings.sandbox)
        return [f"appbench: {text}"] if text else []

    def _is_task(self, nodeid: str) -> bool:
        from pytest_appbench.collect import is_task_file

        file = Path(nodeid.partition("::")[0])
        return is_task_file(file, self._config.getini("appbench_task_files"))

    def _record_lost(self, report: pytest.TestReport) -> None:
        """Put a task on record whose worker died, unless its verdict was already there."""
        from pytest_appbench.reports.results import Run, lost, read

        run = Run(self._run.parent, self._run.name)
        if any(record.nodeid == report.nodeid for record in read(run.path)):
            return
        file, _, name = report.nodeid.partition("::")
        tasks = _tasks_of(self._config.rootpath / file, self._config.rootpath)
        task = next((task for task in tasks if task.id == name.partition("[")[0]), None)
        run.write(lost(run.id, report.nodeid, str(report.longrepr), task))

    def _reporter(self) -> Any:
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        return reporter if self._config.get_verbosity() >= 0 else None


def _tasks_of(file: Path, root: Path) -> list[Task]:
    from pytest_appbench.errors import TaskFileError
    from pytest_appbench.tasks.load import load_file

    try:
        return load_file(file, root=root)
    except (OSError, TaskFileError):
        return []


def _write_uncertain(reporter: Any, report: pytest.TestReport) -> None:
    text = str(getattr(report, EXPLANATION, ""))
    counted = f"{report.nodeid} (counted as {report.outcome})"
    if reporter.config.getoption("tbstyle") in ("no", "line"):
        reporter.write_line(f"{counted}: {text.partition(chr(10))[0]}")
        return
    reporter.write_sep("_", counted, yellow=True)
    reporter.write_line(text)


def _spent(run: Path) -> str:
    """What models were paid in a run, those that then failed included; empty if none was asked."""
    from pytest_appbench.models.limits import Ledger

    ledger = run / "ledger"
    if not ledger.is_dir():
        return ""
    tokens, cost = Ledger(ledger).spent()
    price = "at a cost that is not known" if cost is None else f"${cost:.4f}"
    return f"models:  {tokens:,} tokens, {price}" if tokens else ""


def _calibrated(run: Path, settings: Settings, records: Sequence[Record]) -> str:
    """What is known of how far the judge can be trusted; empty if nothing is.

    A copy goes into the run's directory, so that whatever is made of the run later can carry it.
    """
    if not (settings.cache_dir / "calibration").is_dir():
        return ""
    from pytest_appbench.calibration import NAME, find_for

    found = find_for(records, settings)
    if found is None:
        return ""
    (run / NAME).write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return plain(f"calibration of {found}")


def _relative(path: Path, start: Path) -> str:
    return str(path.relative_to(start)) if path.is_relative_to(start) else str(path)
