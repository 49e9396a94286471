"""A model judges apps that ship: through both SDKs, on four workers, and again from the record.

The scripted judge uses whatever it finds, on the desktop and on a phone, and knows none of the apps.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from brains import concluded
from kit import SharedBenchmark
from provider import Answer, Conversation, Provider, ToolUse

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
JUDGES = {"good": "anthropic:claude-opus-4-8", "faulty": "openai:gpt-4.1"}
TASKS = {
    "games": ("reaction-test", "matchbox-snake", "lights-out"),
    "humanities": ("maya-calendar",),
    "lifestyle": ("bubble-wrap", "breathing-pacer", "water-log"),
    "tools": ("loan-planner", "date-span"),
    "visualization": ("seed-poster",),
}
COUNT = sum(map(len, TASKS.values()))
USE = """
const seen = await app.look();
const refs = [...new Set(seen.match(/\\be\\d+\\b/g) ?? [])].slice(0, 8);
const attempt = async (name, ...given) => {
  try { print(name, (await app[name](...given)).changed); } catch (error) { print(name, String(error)); }
};
for (const ref of refs) await attempt("click", ref);
for (const ref of refs.slice(0, 3)) await attempt("fill", ref, "17");
for (const key of ["Tab", "ArrowRight", "Enter"]) await attempt("press", key);
await app.advance(2500);
print(await app.look());
"""
CONFTEST = """
    import pytest
    from pytest_appbench.judges import resolve

    @pytest.fixture
    def appbench_judge():
        return resolve("{judge}")
"""


def brain(conversation: Conversation) -> Answer:
    """Tests with one script, resizes the window, and concludes from what changed."""
    if conversation.turn == 1:
        return Answer(tools=[ToolUse("script", {"code": USE})])
    if conversation.turn == 2:
        return Answer(tools=[ToolUse("resize", {"width": 390, "height": 844})])
    return Answer(tools=[ToolUse("submit_verdict", concluded(conversation))])


def copy(kind: str, root: Path) -> None:
    """Copy the tasks with their good or their faulty apps into a folder with a judge of its own."""
    for domain, wanted in TASKS.items():
        for file in sorted((BENCHMARKS / domain).glob("*.task.yaml")):
            for task in yaml.safe_load_all(file.read_text(encoding="utf-8")):
                if task["id"] in wanted:
                    target = root / kind / f"{task['id']}.task.yaml"
                    target.parent.mkdir(exist_ok=True)
                    target.write_text(yaml.safe_dump(task), encoding="utf-8")
                    apps = root / kind / "apps" / task["id"]
                    shutil.copytree(BENCHMARKS / domain / "apps" / task["id"] / kind, apps / "good")


@dataclass
class Judged:
    """A finished run.

    Attributes:
        bench: The folder of tasks, with the run.
        wires: The wire formats that were spoken.
    """

    bench: SharedBenchmark
    wires: set[str]

    def appbench(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Use the command line on the run, without a key and with nobody to ask."""
        unset = {"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}
        return subprocess.run(
            [
                *(sys.executable, "-m", "pytest_appbench.cli"),
                *(command, str(self.bench.runs()[-1]), *arguments),
            ],
            cwd=self.bench.root,
            env={name: value for name, value in os.environ.items() if name not in unset},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Ten good apps judged through one SDK, ten faulty ones through the other."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("shipped"))
    for kind, judge in JUDGES.items():
        copy(kind, bench.root)
        bench.write(f"{kind}/conftest.py", CONFTEST.format(judge=judge))
    with Provider(brain) as provider:
        bench.start(
            "-n4",
            "--dist=worksteal",
            "--appbench-screen=off",
            "-oappbench_cache_dir=cache",
            environment=provider.environment(),
        )
        return Judged(bench, {request.wire for request in provider.requests})


def test_every_record_carries_scores_reasons_evidence_usage_and_cost(judged: Judged) -> None:
    records = judged.bench.records()
    assert len(records) == 2 * COUNT == 20, judged.bench.output
    assert judged.wires == {"anthropic", "chat"}
    for record in records:
        verdict = record.verdict
        assert verdict is not None, record.error
        assert verdict.judge == JUDGES[record.nodeid.partition("/")[0]]
        assert verdict.status == ("pass" if verdict.least == 0.85 else "fail")
        assert {reason.dimension for reason in verdict.reasons} == {
            "intention",
            "static",
            "dynamic",
        }
        assert all(reason.text and reason.evidence for reason in verdict.reasons)
        assert (verdict.usage.turns, verdict.cut_short) == (3, False)
        assert verdict.usage.actions > 5
        assert verdict.usage.tokens_in
        assert verdict.usage.tokens_out
        assert verdict.usage.cost_usd


def test_a_run_is_replayed_on_live_pages_without_a_difference(judged: Judged) -> None:
    done = judged.appbench("replay", "--cache-dir=cache")
    said = done.stdout + done.stderr
    assert f"{2 * COUNT} judgings: none differ from the record" in said, said
    assert done.returncode == 0


def test_a_run_is_exported_with_all_messages_in_every_step(judged: Judged, tmp_path: Path) -> None:
    done = judged.appbench("export", "-o", str(tmp_path / "out"))
    assert done.stdout == f"{2 * COUNT} trajectories in {tmp_path / 'out'}\n"
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 2 * COUNT
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        steps: list[dict[str, Any]] = [json.loads(line) for line in lines]
        assert [step["step"] for step in steps] == [0, 1, 2]
        before: list[dict[str, str]] = []
        for step in steps:
            assert set(step) == {"step", "messages", "llm_response"}
            assert step["messages"][: len(before)] == before
            before = step["messages"]
            assert all(set(message) == {"role", "content"} for message in before)
            response = step["llm_response"]
            assert all(response[name] for name in ("model", "created_at", "finish_reason"))
            usage = response["usage"]
            assert usage["prompt_tokens"] + usage["completion_tokens"] == usage["total_tokens"]
            (call,) = response["tool_calls"]
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
        assert [message["role"] for message in before] == [
            "system",
            *("user", "assistant", "user", "assistant", "user"),
        ]
        names = [step["llm_response"]["tool_calls"][0]["function"]["name"] for step in steps]
        assert names == ["script", "resize", "submit_verdict"]
