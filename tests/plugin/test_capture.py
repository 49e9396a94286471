"""What a run keeps to be seen: pictures of the steps of whatever did not pass, unless asked otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from brains import clicker, concluded
from kit import COUNTER, Benchmark
from provider import Answer, Conversation, Provider, ToolUse

BEEP = """
document.querySelector("button").addEventListener("click", () => {
  const context = new AudioContext(), tone = context.createOscillator();
  tone.connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.1);
});
"""


def strict(conversation: Conversation) -> Answer:
    """A judge to whom one of two apps looks bad."""
    if conversation.turn == 3 and "Loud" in conversation.everything:
        low = concluded(conversation)
        low["static"]["score"] = 0.2
        return Answer(tools=[ToolUse("submit_verdict", low)])
    return clicker(conversation)


def pictures(benchmark: Benchmark, task: str) -> list[Path]:
    return [*benchmark.runs()[-1].glob(f"tasks/*/{task}-*/1/1/steps/*.jpg")]


def test_a_run_keeps_pictures_of_the_steps_of_what_did_not_pass(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark.task("calm")
    loud = COUNTER.replace("<title>", "<title>Loud ").replace("</script>", BEEP + "</script>")
    benchmark.task("loud", app=loud, checks=None)
    judge = ("--appbench-judge=openai:gpt-4.1", "--appbench-screen=off")
    with Provider(strict) as provider:
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)
        benchmark.run(*judge)
        assert benchmark.verdict("calm").passed
        assert not benchmark.verdict("loud").passed
        assert pictures(benchmark, "calm") == []
        shown = {path.name for path in pictures(benchmark, "loud")}
        lines = benchmark.trajectory("loud")
        (click, *_) = [one for one in lines if one.get("action") == "click"]
        assert Path(click["picture"]).name in shown
        (sound,) = click["sounds"]
        assert (sound["kind"], sound["hz"], sound["ms"]) == ("tone", [440.0], 100.0)
        assert (
            f"sounded: tone sine 440 Hz, 100 ms long, gain 1 at {sound['at']:g} ms"
            in click["changed"]
        )
        assert len([one for one in lines if one["kind"] == "video"]) == 1

        benchmark.run(*judge, "--appbench-capture=off", "--appbench-cache=judge=refresh")
        assert pictures(benchmark, "loud") == []
        assert not any("picture" in one for one in benchmark.trajectory("loud"))
