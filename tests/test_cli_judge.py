"""`appbench judge` judges one app without a task file, from wherever one stands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from brains import clicker
from kit import COUNTER, COUNTER_CHECKS, DEAD_COUNTER
from provider import Provider
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.reports.results import read

ANTHROPIC, OPENAI = "anthropic:claude-opus-4-8", "openai:gpt-4.1"
QUERY = "--query=A counter with a button."
SET = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")

Judge = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Runs the command in a folder that holds a few apps and checks."""
    for name, page in (("good", COUNTER), ("dead", DEAD_COUNTER)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "dead.html").write_text(DEAD_COUNTER, encoding="utf-8")
    (tmp_path / "checks.py").write_text(COUNTER_CHECKS, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/notes.txt").write_text("later", encoding="utf-8")
    usual = {name: value for name, value in os.environ.items() if name not in SET}

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest_appbench.cli", "judge", *arguments],
            cwd=tmp_path,
            env={**usual, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def verdict_in(folder: Path) -> Verdict:
    """The verdict that the only run in a folder put on record."""
    (run,) = (path for path in (folder / "appbench-runs").iterdir() if path.is_dir())
    (record,) = read(run)
    assert record.verdict is not None
    return record.verdict


@pytest.mark.parametrize(("app", "status", "code"), [("good", "pass", 0), ("dead.html", "fail", 1)])
def test_the_probe_judges_by_checks(
    judge: Judge, tmp_path: Path, app: str, status: str, code: int
) -> None:
    done = judge(app, QUERY, "--checks=checks.py")
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(f"{status}: ")
    assert "by probe" in done.stdout
    verdict = verdict_in(tmp_path)
    assert verdict.status == status
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("  evidence "))
    assert (tmp_path / line.split()[1] / "verdict.json").is_file()


@pytest.mark.parametrize("model", [ANTHROPIC, OPENAI])
def test_a_model_judges_and_its_judging_can_be_replayed(
    judge: Judge, tmp_path: Path, model: str
) -> None:
    with Provider(clicker) as provider:
        done = judge("good", QUERY, f"--judge={model}", **provider.environment())
        assert (done.returncode, done.stderr) == (0, "")
        assert f"by {model}" in done.stdout
        again = judge("good", QUERY, f"--judge={model}", **provider.environment())
        assert again.returncode == 0
        assert len(provider.requests) == 3, "a verdict is kept"
    first = sorted((tmp_path / "appbench-runs").glob("2*"))[0]
    replayed = subprocess.run(
        [sys.executable, "-m", "pytest_appbench.cli", "replay", str(first)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert replayed.stdout.endswith("1 judging: none differ from the record\n")


def test_several_judges_vote(judge: Judge, tmp_path: Path) -> None:
    with Provider(clicker) as provider:
        done = judge(
            *("dead", QUERY, f"--judge={ANTHROPIC}", f"--judge={OPENAI}", "--screen=off"),
            **provider.environment(),
        )
    assert done.returncode == 1
    assert done.stdout.startswith("fail: ")
    (run,) = (tmp_path / "appbench-runs").glob("2*")
    assert sorted((r.vote, r.outcome, r.part) for r in read(run)) == [
        (0, "fail", False),
        (1, "fail", True),
        (2, "fail", True),
    ]


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["nowhere"], {}, "there is no app at nowhere"),
        (["empty"], {}, "empty is not an app, it needs an index.html"),
        (["good", "--checks=none.py"], {}, "none.py:1: the checks cannot be read"),
        (["good", "--judge=oracle"], {}, "there is no judge 'oracle'; write one of probe,"),
        (["good", "--protocol=dance"], {}, "there is no protocol 'dance'; known are blind,"),
        (["good", "--threshold=high"], {}, "--threshold: cannot use 'high'"),
        (["good", f"--judge={ANTHROPIC}"], {}, "set the environment variable ANTHROPIC_API_KEY"),
        (["good", f"--judge={OPENAI}"], {}, "set the environment variable OPENAI_API_KEY"),
        (
            ["good"],
            {"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere", "APPBENCH_BROWSER": ""},
            "No Chromium was found. Run `playwright install",
        ),
        (["good", "--run-dir=checks.py/runs"], {}, "Not a directory"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    judge: Judge, arguments: list[str], environment: dict[str, str], told: str
) -> None:
    done = judge(*arguments, QUERY, **environment)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("appbench: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_browser_that_does_not_start_is_told_in_its_own_words(
    judge: Judge, tmp_path: Path
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(
        "#!/bin/sh\necho '[1:1:0101/000000.1:ERROR:ui.cc(1)] No display' >&2\nexit 1\n"
    )
    browser.chmod(0o755)
    done = judge("good", QUERY, APPBENCH_BROWSER=str(browser))
    assert done.returncode == 2
    assert done.stderr == "appbench: the browser did not start: No display\n"


def test_a_provider_that_is_down_is_told_and_is_nobodys_verdict(
    judge: Judge, tmp_path: Path
) -> None:
    with Provider(clicker) as provider:
        environment = provider.environment(wait=0.1)
    done = judge("good", QUERY, f"--judge={ANTHROPIC}", "--screen=off", **environment)
    assert done.returncode == 2
    assert done.stderr.startswith(f"appbench: {ANTHROPIC} gave no answer after")
    assert "Traceback" not in done.stderr
    assert provider.key not in done.stderr
    assert not list((tmp_path / "appbench-runs").glob("*/results*"))
