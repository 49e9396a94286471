"""The recipes of docs/ci.md: they parse, their commands are ours, and the plain one runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from pytest_appbench.cli import _parser
from pytest_appbench.options import OPTIONS
from pytest_appbench.reports.results import read
from runkit import Foretold

TEXT = (Path(__file__).parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
DOCUMENTS = [yaml.safe_load(block) for language, block in BLOCKS if language == "yaml"]
SHELL = [block for language, block in BLOCKS if language == "sh"]
PYTEST = {"-n", "--dist", "--splits", "--group", "--junitxml"}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


def commands() -> Iterator[list[str]]:
    """Every call of pytest and of appbench in a recipe, variables replaced by a number."""
    for text in (*strings(DOCUMENTS), *SHELL):
        filled = re.sub(r"\$\{\{.*?\}\}|\$\(\(.*?\)\)|\$\w+", "1", text)
        for line in filled.splitlines():
            words = shlex.split(line)
            if len(words) > 1 and words[0] in ("pytest", "appbench"):
                yield words


def test_there_is_a_recipe_for_each_place_and_its_commands_are_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = {option.name: option for option in OPTIONS}
    found = list(commands())
    assert len(found) >= 11
    monkeypatch.setattr(Path, "exists", lambda _: True)  # whatever runs they name
    for words in found:
        if words[0] == "appbench":
            assert _parser().parse_args(words[1:])
            continue
        options = [word for word in words[1:] if word.startswith("-")]
        for option in options:
            if option.startswith("--appbench-"):
                given = words[words.index(option) + 1]
                names[option.removeprefix("--appbench-")].read(given)
            else:
                assert option.partition("=")[0] in PYTEST


def test_the_kubernetes_manifest_is_one_by_its_schema() -> None:
    (job,) = (document for document in DOCUMENTS if document.get("kind") == "Job")
    kubernetes_validate.validate(job, "1.31", strict=True)
    spec = job["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    assert f"--splits {spec['completions']} " in container["args"][0]
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in spec["template"]["spec"]["volumes"]}


def test_the_jobs_of_github_and_gitlab_hand_on_what_the_next_one_takes() -> None:
    github = next(d for d in DOCUMENTS if "jobs" in d)
    judge, gate = github["jobs"]["judge"], github["jobs"]["gate"]
    assert gate["needs"] == "judge"
    (call,) = (step["run"] for step in judge["steps"] if "pytest bench" in step.get("run", ""))
    assert f"--splits {len(judge['strategy']['matrix']['group'])} " in call
    kept = next(s["with"] for s in judge["steps"] if "upload" in s.get("uses", ""))
    taken = next(s["with"] for s in gate["steps"] if "download" in s.get("uses", ""))
    assert kept["path"] == taken["path"] == "appbench-runs"
    gitlab = next(d for d in DOCUMENTS if "judge" in d)
    assert gitlab["gate"]["needs"] == ["judge"]
    assert gitlab["judge"]["artifacts"]["paths"] == ["appbench-runs"]
    assert gitlab["gate"]["artifacts"]["reports"]["junit"] == "all.xml"


def test_the_plain_recipe_runs(tmp_path: Path) -> None:
    ids = ("pass-a", "pass-b", "fail-c", "uncertain-d", "pass-e", "pass-f")
    foretold = Foretold(tmp_path / "project", ids)
    (recipe,) = (block for block in SHELL if "for group in" in block)
    done = subprocess.run(
        ["sh", "-eu", "-c", recipe],
        cwd=foretold.root,
        env=foretold.environment(
            PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(read(foretold.root / "all.jsonl")) == len(ids)
    assert (foretold.root / "all.xml").is_file()
    assert (foretold.root / ".test_durations").is_file()
    assert "holds        pass_rate >= 0.5: 0.667 (4 of 6)" in done.stdout
