"""The protocol `cookie` from outside: shipped briefs with a scripted model, and what the harness enforces."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cookiebrain import brain
from kit import SharedBenchmark
from provider import Conversation, Provider

SHIPPED = Path(__file__).parents[2] / "benchmarks" / "cookie"
JUDGE = "anthropic:claude-opus-4-8"
TABLE = "deduction table 1 of pytest-appbench"


def tasks() -> set[str]:
    files = SHIPPED.glob("[!d]*.task.yaml")
    return {task["id"] for file in files for task in yaml.safe_load_all(file.read_text("utf-8"))}


class Judged(SharedBenchmark):
    """The shipped briefs, each with its good and its faulty app, judged in one run."""

    requests: list[Conversation]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    bench = Judged(tmp_path_factory.mktemp("cookie"))
    for kind in ("good", "faulty"):
        shutil.copytree(SHIPPED, bench.root / kind, ignore=shutil.ignore_patterns("checks", "apps"))
        for task in tasks():
            shutil.copytree(
                SHIPPED / "apps" / task / kind, bench.root / kind / "apps" / task / "good"
            )
    with Provider(brain) as provider:
        bench.start(
            *("-n2", "--dist=worksteal", f"--appbench-judge={JUDGE}", "--appbench-screen=off"),
            "-oappbench_cache_dir=cache",
            environment=provider.environment(),
        )
        bench.requests = provider.requests
    return bench


def test_good_apps_pass_and_faulty_ones_fail_for_what_their_pages_answered(judged: Judged) -> None:
    found = {(r.nodeid.partition("/")[0], r.task.id): r for r in judged.records()}
    assert len(found) == 2 * len(tasks()) == 12, judged.output
    for (kind, task), record in found.items():
        verdict = record.verdict
        assert verdict is not None, record.error
        told = f"{kind} {task}: {verdict.figures} {verdict.reasons}"
        assert verdict.status == ("pass" if kind == "good" else "fail"), told
        assert verdict.deviations == (
            TABLE,
            "film strip and log of sounds instead of video and audio",
        )
        functionality, aesthetics = verdict.figures["functionality"], verdict.figures["aesthetics"]
        assert verdict.scores.dynamic == functionality / 8
        assert verdict.scores.static == aesthetics / 8
        assert verdict.scores.intention is None
        assert verdict.counted == ("static", "dynamic")
        standing = [part for part in verdict.parts if part.status == "fail"]
        assert functionality == 8 + sum(part.score or 0 for part in standing)
        assert all(part.evidence and part.message for part in standing)
    print(judged.output)
