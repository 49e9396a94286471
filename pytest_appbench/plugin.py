"""Wiring: the options and hooks by which pytest meets the engine, and nothing else.

What is heavy (YAML, pydantic, Playwright) is imported when the first task file is collected, so
that a session without task files pays only for a few names.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_appbench import collect, judges, running
from pytest_appbench.errors import AppbenchError
from pytest_appbench.fixtures import RUN_ID, SETTINGS
from pytest_appbench.judges import protocols
from pytest_appbench.options import OPTIONS
from pytest_appbench.reports.terminal import TerminalReport
from pytest_appbench.settings import resolve

pytest_plugins = ("pytest_appbench.fixtures",)

FENCES: pytest.StashKey[collect.Fences] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--appbench-NAME` and `appbench_NAME` for every option."""
    group = parser.getgroup("appbench", "app requests as tests (pytest-appbench)")
    for option in OPTIONS:
        text = f"{option.help} (default: {option.default})"
        group.addoption(
            f"--appbench-{option.name}",
            dest=option.ini,
            action="append" if option.repeats else "store",
            choices=option.choices or None,
            metavar=option.metavar,
            help=text,
        )
        parser.addini(option.ini, text, default="")
    parser.addini("appbench_task_files", "globs of task files", "args", collect.TASK_FILES)
    parser.addini("appbench_cache_dir", "folder of the artifact store", default=".appbench-cache")


def pytest_configure(config: pytest.Config) -> None:
    """Resolve the settings once; name the run; report only where a person reads."""
    config.addinivalue_line(
        "markers",
        "appbench(domain, subclass, level): set on every task; "
        "select with -m \"appbench(domain='games')\"",
    )
    try:
        settings = resolve(
            {option.attribute: config.getoption(option.ini) for option in OPTIONS},
            {option.attribute: config.getini(option.ini) for option in OPTIONS},
            invocation_dir=config.invocation_params.dir,
            root_dir=config.rootpath,
            cache_dir=config.rootpath / config.getini("appbench_cache_dir"),
        )
        for spec in settings.judge:
            judges.require(spec)
        protocols.require(settings.protocol)
        settings = running.open_run(config, settings)
        config.stash[FENCES] = collect.fences(settings, config.getini("appbench_task_files"))
    except AppbenchError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[SETTINGS] = settings
    config.pluginmanager.register(running.RunKeeper(config), "appbench-run")
    if not hasattr(config, "workerinput"):
        run = settings.run_dir / config.stash[RUN_ID]
        report = TerminalReport(config, run, settings)
        config.pluginmanager.register(report, "appbench-terminal")
        if settings.html is not None:
            from pytest_appbench.reports.html.session import HtmlReport

            page = HtmlReport(settings.html, run, settings.html_screenshots)
            config.pluginmanager.register(page, "appbench-html")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Keep pytest out of everything that came from an app, an agent or a model."""
    return True if config.stash[FENCES].hold(collection_path) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect task files."""
    if collect.is_task_file(file_path, parent.config.getini("appbench_task_files")):
        return collect.TaskModule.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order async tests before the first page."""
    collect.pages_last(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give a task's report its outcome, its text and its record."""
    report = yield
    if isinstance(item, collect.TaskItem):
        from pytest_appbench import outcome

        outcome.reshape(item, report, call)
        outcome.record_error(item, report, call)
    return report
