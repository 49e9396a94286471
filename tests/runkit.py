"""Runs whose verdicts are foretold: pytest, records, gates and reports as they are, but no browser.

What is tested with it begins where a verdict is there. A task of the id `<outcome>-<anything>` comes
to that outcome.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from kit import LEAN, OF_A_SERVICE

FORETOLD = """
import os
import time

import pytest


@pytest.fixture
def page():
    return None


@pytest.fixture
def appbench_verdict(request, appbench_task, appbench_settings):
    from pytest_appbench import outcome
    from pytest_appbench.artifacts.store import Store
    from pytest_appbench.attempts import Attempt, outcome_of
    from pytest_appbench.errors import JudgeError
    from pytest_appbench.judges.verdict import Reason, Scores, Verdict
    from pytest_appbench.running import status_of
    from pytest_appbench.workshop import Made

    status_of(request.config).begin(appbench_task.id, "judging")
    time.sleep(float(os.environ.get("FORETOLD_SECONDS", "0")))
    changed = dict(pair.split("=") for pair in os.environ.get("FORETOLD", "").split(",") if pair)
    status = changed.get(appbench_task.id) or appbench_task.id.partition("-")[0]
    if status == "error":
        raise JudgeError("the provider is down")
    app = request.path.parent / "app"
    made = Made(Store(appbench_settings.cache_dir).add(app, "foretold"))
    run, attempts = outcome.run_of(request.config), []
    for number, one in enumerate(status.split("+"), start=1):
        score = {"pass": 1.0, "fail": 0.25, "uncertain": None}[one]
        evidence = run.evidence(request.node.nodeid, number, 1)
        (evidence / "last.png").write_bytes(b"")
        verdict = Verdict(
            status=one,
            judge="seer",
            protocol="seer",
            threshold=0.8,
            scores=Scores(intention=score, static=score, dynamic=score),
            reasons=(Reason(dimension="dynamic", text=os.environ.get("FORETOLD_TEXT", "seen")),),
            seconds=1.5,
            evidence=evidence.relative_to(run.path).as_posix(),
        )
        attempts.append(Attempt(number, made, (verdict,), verdict))
    verdict = outcome_of(attempts, appbench_settings.reducer)
    outcome.record(request.node, run, attempts, verdict)
    return verdict
"""

_MANY = """
import contextlib, io, json, os, sys, pytest
ended, before = [], dict(os.environ)
for environment, arguments in json.loads(sys.argv[1]):
    os.environ.clear()
    os.environ.update(before, **environment)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = int(pytest.main(arguments))
    ended.append((code, said.getvalue()))
print(json.dumps(ended))
"""


@dataclass(frozen=True)
class Ended:
    """How a session of pytest ended."""

    code: int
    text: str


class Foretold:
    """A folder of tasks whose verdicts are known.

    Args:
        root: The folder.
        ids: The tasks; every other one is a game, the first one hard.
    """

    def __init__(self, root: Path, ids: Sequence[str]) -> None:
        self.root = root
        bench = root / "bench"
        # Made once and before any run: workers that wrote it would read it half written by each other.
        (bench / "app").mkdir(parents=True)
        (bench / "app" / "index.html").write_text("<p>app")
        (root / "pytest.ini").write_text("[pytest]\n")
        (bench / "conftest.py").write_text(FORETOLD)
        documents = [
            {
                "id": task,
                "domain": ("games", "tools")[number % 2],
                "level": "hard" if number == 0 else "easy",
                "query": "An app.",
            }
            for number, task in enumerate(ids)
        ]
        (bench / "all.task.yaml").write_text(yaml.safe_dump_all(documents))

    def command(self, *arguments: str) -> list[str]:
        """The words that start pytest here."""
        return [sys.executable, "-m", "pytest", *LEAN, *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        """The environment, without what tells of a service."""
        kept = {k: v for k, v in os.environ.items() if k not in OF_A_SERVICE}
        kept = {k: v for k, v in kept.items() if not k.startswith("GITHUB_")}
        return {**kept, **more}

    def pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in a process of its own."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            check=False,
        )

    def sessions(
        self, sessions: Iterable[Sequence[str]], environments: Sequence[dict[str, str]] = ()
    ) -> list[Ended]:
        """Several sessions in one process, which saves its start; each with its environment."""
        each = [*sessions]
        wanted = [*environments] or [{} for _ in each]
        words = [(env, [*LEAN, *one]) for env, one in zip(wanted, each, strict=True)]
        done = subprocess.run(
            [sys.executable, "-c", _MANY, json.dumps(words)],
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [Ended(*one) for one in json.loads(done.stdout)]

    def codes(self, sessions: Iterable[Sequence[str]]) -> list[int]:
        """The exit codes of several sessions."""
        return [one.code for one in self.sessions(sessions)]

    def runs(self) -> list[Path]:
        """The directories of runs, oldest first."""
        found = (self.root / "appbench-runs").glob("*/run.json")
        return [path.parent for path in sorted(found, key=lambda path: path.stat().st_mtime_ns)]
