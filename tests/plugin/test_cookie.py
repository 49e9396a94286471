"""The protocol `cookie` over the briefs that ship: by a scripted model, by the probe, and again."""

from __future__ import annotations

import json
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
DEVIATIONS = (
    "deduction table 1 of pytest-appbench",
    "film strip and log of sounds instead of video and audio",
)


def tasks() -> set[str]:
    files = [SHIPPED / f"{name}.task.yaml" for name in ("english", "chinese")]
    return {task["id"] for file in files for task in yaml.safe_load_all(file.read_text("utf-8"))}


class Shipped(SharedBenchmark):
    """The shipped briefs, each with its good app in one folder and its faulty one in another."""

    requests: list[Conversation]

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        for kind in ("good", "faulty"):
            shutil.copytree(SHIPPED, root / kind, ignore=shutil.ignore_patterns("apps"))
            for task in tasks():
                app = SHIPPED / "apps" / task / kind
                shutil.copytree(app, root / kind / "apps" / task / "good")

    def outcomes(self) -> dict[str, set[str]]:
        """The outcomes of the last run for the good and for the faulty apps."""
        assert len(self.records()) == 2 * len(tasks()) == 12, self.output
        found: dict[str, set[str]] = {"good": set(), "faulty": set()}
        for record in self.records():
            found[record.nodeid.partition("/")[0]].add(record.outcome)
        return found


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    bench = Shipped(tmp_path_factory.mktemp("cookie"))
    with Provider(brain) as provider:
        bench.start(
            *("-n2", "--dist=worksteal", f"--appbench-judge={JUDGE}", "--appbench-screen=off"),
            "-oappbench_cache_dir=cache",
            environment=provider.environment(),
        )
        bench.requests = provider.requests
    return bench


def test_good_apps_pass_and_faulty_ones_fail_for_what_their_pages_answered(judged: Shipped) -> None:
    assert judged.outcomes() == {"good": {"pass"}, "faulty": {"fail"}}, judged.output
    for record in judged.records():
        verdict = record.verdict
        assert verdict is not None
        assert (verdict.protocol, verdict.deviations) == ("cookie", DEVIATIONS)
        functionality, aesthetics = verdict.figures["functionality"], verdict.figures["aesthetics"]
        assert (verdict.scores.dynamic, verdict.scores.static) == (
            functionality / 8,
            aesthetics / 8,
        )
        assert verdict.scores.intention is None
        standing = [part for part in verdict.parts if part.status == "fail"]
        assert functionality == 8 + sum(part.score or 0 for part in standing)
        assert bool(standing) is (verdict.status == "fail")
        for part in standing:
            assert part.evidence
            assert "major; step " in part.message or "critical" in part.message
    assert "cookie: functionality " in judged.output
    assert "most deductions: feature-wrong " in judged.output


def test_a_page_in_another_language_than_asked_for_is_measured(judged: Shipped) -> None:
    languages = {
        (record.nodeid.partition("/")[0], record.task.id)
        for record in judged.records()
        if record.verdict and any("wrong-language" in part.name for part in record.verdict.parts)
    }
    assert languages == {("faulty", "six-teas")}


def test_each_stage_has_the_eyes_and_hands_that_are_its_own(judged: Shipped) -> None:
    by_stage: dict[str, list[Conversation]] = {"impression": [], "record": [], "scores": []}
    for request in judged.requests:
        names = {tool["name"] for tool in request.tools}
        (submit,) = [name for name in names if name.startswith("submit_")]
        by_stage[submit.removeprefix("submit_")].append(request)
        hands = names & {"script", "act", "wait", "resize", "evaluate"}
        assert bool(hands) is (submit == "submit_record")
    assert [len(requests) for requests in by_stage.values()] == [12, 36, 12]
    assert all(len(request.images) == 2 for request in by_stage["impression"])
    for request in by_stage["scores"]:
        assert len(request.images) >= 4, "the first look or the film strip is missing"
        assert request.said.count("Picture: step ") == len(request.images) - 2


def test_the_pictures_that_were_needed_are_dropped_where_nobody_asked_for_them(
    judged: Shipped,
) -> None:
    run = judged.runs()[-1]
    assert not [*run.glob("tasks/good-*/*/1/1/steps/*.jpg")]
    assert [*run.glob("tasks/faulty-*/*/1/1/steps/*.jpg")]


def test_a_judging_is_replayed_without_a_difference(judged: Shipped) -> None:
    names = {name: value for name, value in os.environ.items() if "API_KEY" not in name}
    command = [sys.executable, "-m", "pytest_appbench.cli", "replay", str(judged.runs()[-1])]
    done = subprocess.run(
        [*command, "-k", "six-teas", "--cache-dir=cache"],
        cwd=judged.root,
        env=names,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 judgings: none differ from the record" in done.stdout + done.stderr


@pytest.mark.usefixtures("of_the_whole_benchmark")
def test_the_probe_gives_the_same_labels_by_the_checks(tmp_path: Path) -> None:
    bench = Shipped(tmp_path)
    bench.start("-n2", "--dist=worksteal", "--appbench-max-actions=6", environment={})
    assert bench.outcomes() == {"good": {"pass"}, "faulty": {"fail"}}, bench.output
    assert json.dumps([r.verdict.judge for r in bench.records() if r.verdict]).count("probe") == 12
