"""What the tests share: a small benchmark folder, run by a pytest of its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

import psutil
import pytest
import yaml

from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.reports.results import Record, read

T = TypeVar("T")

COUNTER = """\
<!doctype html><html lang="en"><head><title>Counter</title></head><body><main>
<h1>Counter</h1><p role="status">0</p><button>Add one</button></main><script>
let n = 0
document.querySelector('button').onclick = () =>
    (document.querySelector('[role=status]').textContent = ++n)
</script></body></html>
"""
DEAD_COUNTER = COUNTER.replace("++n", "n")
COUNTER_CHECKS = '''\
from playwright.sync_api import expect


def check_intention_counts(page):
    """A press counts."""
    page.get_by_role("button", name="Add one").click()
    expect(page.get_by_role("status"), "a press of Add one is not counted").to_have_text("1")


def check_static_has_a_button(page):
    """There is a button Add one."""
    expect(page.get_by_role("button", name="Add one"), "no button Add one").to_be_visible()


def check_dynamic_goes_on_counting(page):
    """Three presses make three."""
    for _ in range(3):
        page.get_by_role("button", name="Add one").click()
    expect(page.get_by_role("status"), "three presses do not make 3").to_have_text("3")
'''


LEAN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
"""Spares each pytest that is started the folder it would leave, and a second of imports."""


OF_A_SERVICE = ("CI", "BUILD_NUMBER")
"""Where these are set pytest cuts no line of its summary; tests count what a person sees."""


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a thread of its own, as the portal does.

    A thread in which a page of sync Playwright lived starts no other event loop, and which tests
    share a process is chance.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()  # noqa: TID251


def end_tree(process: psutil.Process) -> None:
    """End a process with all that it started: wrapper scripts leave the program itself behind."""
    with suppress(psutil.Error):
        for one in [*process.children(recursive=True), process]:
            with suppress(psutil.Error):
                one.kill()


class Benchmark:
    """A folder of tasks below a pytester's directory, and the pytest that runs it.

    Args:
        pytester: Runs pytest in a process of its own.
    """

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.root = pytester.path

    def write(self, path: str, text: str) -> Path:
        """Write a file below the directory."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
        return file

    def task(
        self,
        name: str = "counter",
        *,
        file: str = "bench/tools.task.yaml",
        app: str | None = COUNTER,
        checks: str | None = COUNTER_CHECKS,
        **fields: Any,
    ) -> None:
        """Add a task to a file, with its good app and its checks."""
        document = {"id": name, "domain": "tools", "query": "A counter with a button.", **fields}
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as stream:
            stream.write("---\n" + yaml.safe_dump(document, sort_keys=False))
        if app is not None:
            self.app(name, app, folder=str(path.parent.relative_to(self.root)))
        if checks is not None:
            (path.parent / "checks").mkdir(exist_ok=True)
            (path.parent / "checks" / f"{name}.py").write_text(checks, encoding="utf-8")

    def app(self, task: str, html: str, name: str = "good", folder: str = "bench") -> None:
        """Add a reference app of one page."""
        self.write(f"{folder}/apps/{task}/{name}/index.html", html)

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*LEAN, *arguments)

    def record(self, task: str = "counter") -> Record:
        """What the last run came to for a task, errors of the harness included."""
        (record,) = [r for r in self.records() if r.task.id == task and not r.part]
        return record

    def verdict(self, task: str = "counter") -> Verdict:
        """What the last run came to for a task."""
        record = self.record(task)
        assert record.verdict is not None, record.error
        return record.verdict

    def trajectory(self, task: str = "counter") -> list[dict[str, Any]]:
        """What is on record of a task's first judging in the last run."""
        (file,) = (self.runs()[-1] / "tasks").glob(f"*/{task}-*/1/1/trajectory.jsonl")
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]

    def runs(self) -> list[Path]:
        """The run directories, oldest first."""
        return sorted(p for p in (self.root / "appbench-runs").glob("*") if p.is_dir())

    def records(self) -> list[Record]:
        """The records of the last run."""
        return read(self.runs()[-1])

    def junit(self, *arguments: str) -> dict[str, dict[str, str]]:
        """Run with `--junitxml` and return the properties of each test case by its name."""
        self.run("--junitxml=report.xml", *arguments)
        return self.properties()

    def properties(self) -> dict[str, dict[str, str]]:
        """The properties of each test case in the last `report.xml`, by the case's name."""
        tree = ElementTree.parse(self.root / "report.xml")
        return {
            case.get("name", ""): {
                prop.get("name", ""): prop.get("value", "") for prop in case.iter("property")
            }
            for case in tree.iter("testcase")
        }


class SharedBenchmark(Benchmark):
    """A folder of tasks for several tests, run by a pytest of its own.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.output, self.code = "", -1

    def start(self, *arguments: str, environment: Mapping[str, str]) -> None:
        """Run pytest once; its words and its exit code are kept.

        Args:
            arguments: Of pytest.
            environment: More environment variables.
        """
        command = [sys.executable, "-m", "pytest", *LEAN, *arguments]
        inherited = {k: value for k, value in os.environ.items() if k not in OF_A_SERVICE}
        done = subprocess.run(
            command,
            cwd=self.root,
            env={**inherited, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        self.output, self.code = done.stdout + done.stderr, done.returncode
