"""What the harness enforces under `cookie`, whatever the model would like. One run judges them all."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cookiebrain import impression
from kit import COUNTER, DEAD_COUNTER, Benchmark, SharedBenchmark
from provider import Answer, Conversation, Provider, ToolUse
from pytest_appbench.judges.verdict import Part, Verdict

GARBLED = """<!doctype html><meta charset="utf-8"><title>x</title><p></p><button>go</button><script>
const seen = Number(sessionStorage.seen ?? 0);
sessionStorage.seen = seen + 1;
document.querySelector("p").textContent = seen < LOADS ? "\\ufffd\\ufffd\\ufffd \\ufffd\\ufffd" : "Plain words";
</script>"""
HANDLER = "document.querySelector('button').onclick"
SUSPICION = {
    "kind": "control-dead",
    "points": 1.5,
    "what": "the button seems to do nothing",
    "evidence": [{"source": "file", "where": "index.html", "quote": HANDLER}],
}
RESTLESS = """
const attempt = async (name, ...given) => {
  try { await app[name](...given); return true; } catch (error) { print(name, "refused:", String(error)); return false; }
};
let waits = 0, clicks = 0, reloads = 0;
for (let i = 0; i < 6; i++) waits += await attempt("advance", 400 + i);
for (let i = 0; i < 6; i++) clicks += await attempt("click", { role: "button" });
for (let i = 0; i < 6; i++) reloads += await attempt("reload");
print(`done: ${waits} waits, ${clicks} clicks, ${reloads} reloads`);
"""
BEEP = """document.querySelector("button").addEventListener("click", () => {
  const context = new AudioContext(), tone = context.createOscillator();
  tone.connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.1);
})"""
CLICK = [{"do": "click", "with": [{"role": "button"}]}]


class Model:
    """Plays the model for several requests, each of which names the part to play."""

    def __init__(self) -> None:
        self.returned: dict[str, list[str]] = {}

    def __call__(self, conversation: Conversation) -> Answer:
        said = conversation.everything.partition(conversation.system)[2]
        part = said.partition("Play ")[2].partition(".")[0]
        if conversation.turn > 1:
            self.returned.setdefault(part, []).append(conversation.said)
        names = {tool["name"] for tool in conversation.tools}
        if "submit_impression" in names:
            held = (SUSPICION,) if part in ("disproved", "undisproved", "unsettled") else ()
            return self._submit("impression", impression(conversation, *held))
        if "submit_record" in names:
            if conversation.turn == 1:
                if part == "restless":
                    return Answer(tools=[ToolUse("script", {"code": RESTLESS})])
                return Answer(tools=[ToolUse("act", {"actions": CLICK})])
            tried = [{"what": "the button", "observed": "see the step", "outcome": "works"}]
            return self._submit("record", {"summary": "used", "tried": tried})
        return self._submit("scores", self.scores(part, conversation, said))

    @staticmethod
    def _submit(name: str, given: dict[str, Any]) -> Answer:
        return Answer(tools=[ToolUse(f"submit_{name}", given)])

    def scores(self, part: str, conversation: Conversation, said: str) -> dict[str, Any]:
        """The scores of a part; functionality is 8 but for what the part does with it."""
        lines = [line for line in said.split("\n") if line.startswith("#") and " click " in line]
        number, _, rest = lines[0].partition(" ") if lines else ("#1", "", "")
        step = {"source": "step", "where": number[1:], "quote": rest[:60]}
        file = {"source": "file", "where": "index.html", "quote": HANDLER}
        functionality: dict[str, Any] = {
            "level": "complete", "score": 8.0, "reason": "it was used", "evidence": [step],
        }  # fmt: skip
        settled: list[dict[str, Any]] = []
        second = conversation.turn > 1
        if part == "sums" and not second:
            functionality["score"] = 6.0
        elif part == "stubborn":
            functionality["score"] = 7.0
        elif part == "disproved":
            settled = [{"id": "S1", "disproved": True, "why": "it counted", "evidence": [step]}]
        elif part == "undisproved":
            settled = [{"id": "S1", "disproved": True, "why": "read well", "evidence": [file]}]
        elif part == "unsettled":
            functionality["score"] = 6.5
        elif part in ("outside", "blocked"):
            quote = "blocked fetch http://elsewhere.example/x" if part == "blocked" else "nowhere"
            doubtful = {**step, "quote": quote}
            functionality |= {
                "score": 6.0,
                "deductions": [
                    {"kind": "feature-missing", "points": 2.0, "what": "x", "evidence": [doubtful]}
                ],
            }
        elif part == "prices":
            functionality |= {
                "score": 5.0,
                "deductions": [
                    {"kind": "no-feedback", "points": 3.0, "what": "x", "evidence": [step]}
                ],
            }
        elif part == "always":
            found = re.search(r"^#(\d+) (look .{10})", said, re.MULTILINE)
            assert found, "no look is on record"
            seen = {"source": "step", "where": found[1], "quote": found[2]}
            crash = {"kind": "crash", "points": 8.0, "what": "garbled", "evidence": [seen]}
            functionality |= {"score": 0.0, "deductions": [crash], "evidence": [seen]}
            step = seen
        aesthetics = {
            "level": "professional", "merits": ["response"], "score": 7.0, "reason": "clear",
            "evidence": [step],
        }  # fmt: skip
        return {"settled": settled, "functionality": functionality, "aesthetics": aesthetics}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[SharedBenchmark, Model, Provider]:
    bench, model = SharedBenchmark(tmp_path_factory.mktemp("rules")), Model()
    fetching = COUNTER.replace("(document", "(fetch('http://elsewhere.example/x'), document")
    apps = {
        "outside": COUNTER, "sums": COUNTER.replace("let n", f"{BEEP}; let n"), "stubborn": COUNTER, "disproved": COUNTER,
        "undisproved": DEAD_COUNTER, "unsettled": DEAD_COUNTER, "restless": DEAD_COUNTER,
        "prices": COUNTER, "blocked": fetching,
        "once": GARBLED.replace("LOADS", "1"), "always": GARBLED.replace("LOADS", "9"),
    }  # fmt: skip
    for name, app in apps.items():
        _task(bench, name, app)
    with Provider(model) as provider:
        bench.start(
            *("-n2", "--dist=worksteal", "--appbench-judge=openai:gpt-4.1"),
            *("--appbench-protocol=cookie", "--appbench-screen=off"),
            environment=provider.environment(),
        )
    return bench, model, provider


def _task(bench: Benchmark, name: str, app: str) -> None:
    bench.task(name, query=f"Play {name}. A counter with a button.", app=app, checks=None)


Played = tuple[SharedBenchmark, Model, Provider]


def verdict_of(played: Played, name: str) -> Verdict:
    return played[0].verdict(name)


def part_of(verdict: Verdict) -> Part:
    (part,) = verdict.parts
    return part


def test_a_sum_that_is_wrong_may_be_mended_once(played: Played) -> None:
    (returned,) = [text for text in played[1].returned["sums"] if "Not accepted" in text]
    assert "functionality does not add up: 8 (complete) = 8, not 6" in returned
    assert (verdict_of(played, "sums").status, verdict_of(played, "sums").score) == ("pass", None)
    stubborn = verdict_of(played, "stubborn")
    assert stubborn.status == "uncertain"
    assert (stubborn.figures, stubborn.scores.dynamic) == ({}, None)
    assert "also when mended: functionality does not add up" in stubborn.reasons[0].text


def test_points_outside_of_the_table_do_not_hold(played: Played) -> None:
    verdict = verdict_of(played, "prices")
    assert verdict.status == "uncertain"
    assert "no-feedback takes 0.25 to 0.5, not 3" in verdict.reasons[0].text


def test_a_code_problem_stands_unless_something_that_was_done_disproves_it(played: Played) -> None:
    disproved = verdict_of(played, "disproved")
    assert (disproved.status, disproved.figures["functionality"]) == ("pass", 8.0)
    part = part_of(disproved)
    assert (part.name, part.status, part.score) == ("S1 control-dead", "pass", 0.0)
    undisproved = verdict_of(played, "undisproved")
    assert undisproved.figures["functionality"] == 6.5
    part = part_of(undisproved)
    assert part.status == "fail"
    assert "disproved by no step in which something was done" in part.message
    assert "major; index.html:" in part.message, "the place in the code is not named"
    assert any("S1 is disproved by no step" in one for one in played[1].returned["undisproved"])
    assert part_of(verdict_of(played, "unsettled")).status == "fail"


@pytest.mark.parametrize("name", ["outside", "blocked"])
def test_a_deduction_without_evidence_decides_nothing(played: Played, name: str) -> None:
    verdict = verdict_of(played, name)
    assert verdict.status == "uncertain"
    assert "without evidence that could be found would decide it" in verdict.reasons[0].text
    assert part_of(verdict).status == "uncertain"
    words = "what the sandbox blocked counts as working" if name == "blocked" else "does not hold"
    assert any(words in text for text in played[1].returned[name])


def test_waits_loops_and_refreshes_are_ended_and_the_scorer_is_told(played: Played) -> None:
    bench, _, provider = played
    (script,) = [text for text in played[1].returned["restless"] if "done: " in text]
    assert "done: 3 waits, 3 clicks, 2 reloads" in script
    notes = [
        line["target"]
        for line in bench.trajectory("restless")
        if line["kind"] == "action" and line["action"] == "note"
    ]
    assert notes == [
        "no change observed: advance",
        "loop broken: click",
        "refreshes used up: reload",
    ]
    scored = [
        request.said
        for request in provider.requests
        if "Play restless" in request.said
        and any(tool["name"] == "submit_scores" for tool in request.tools)
    ]
    assert "no change observed: advance" in scored[0]


def test_sounds_are_told_beside_the_film_strip(played: Played) -> None:
    (scored, *_) = [
        r for r in played[2].requests if "Play sums" in r.said and "What sounded" in r.said
    ]
    assert re.search(r"step \d+: tone sine 440 Hz, 100 ms long", scored.said)


def test_without_pictures_or_code_the_verdict_says_so_and_a_dead_app_comes_to_nothing(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    _task(benchmark, "plain", COUNTER)
    _task(benchmark, "dead", "<!doctype html><title>x</title><body><script>boom(</script></body>")
    with Provider(Model()) as provider:
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)
        arguments = ("--appbench-judge=openai:gpt-4.1", "--appbench-protocol=cookie", "-pno:xdist")
        benchmark.run(*arguments, "--appbench-vision=off", "--appbench-without=code")
        assert not any(request.images for request in provider.requests)
        assert not any(HANDLER in request.everything for request in provider.requests)
        plain, dead = benchmark.verdict("plain"), benchmark.verdict("dead")
        assert plain.status == "pass"
        assert plain.deviations == (
            *("without code", "vision off"),
            *("deduction table 1 of pytest-appbench", "log of sounds instead of video and audio"),
        )
        assert (dead.status, dead.cause) == ("fail", "load")
        assert dead.figures == {"functionality": 0.0, "aesthetics": 0.0}
        assert (dead.least, dead.scores.intention) == (0.0, None)
        assert dead.deviations == ("deduction table 1 of pytest-appbench",)
        benchmark.run(*arguments, "-k", "plain", "--appbench-without=agent")
        assert "leave out --appbench-without=agent" in str(benchmark.record("plain").error)


def test_a_garbled_page_is_refreshed_and_given_up_after_two_times(played: Played) -> None:
    actions = {
        name: [line["action"] for line in played[0].trajectory(name) if line["kind"] == "action"]
        for name in ("once", "always")
    }
    assert actions["once"].count("reload") == 1
    assert actions["always"].count("reload") == 2
    stages = [
        line["name"] for line in played[0].trajectory("always") if line["kind"] == "conversation"
    ]
    assert stages == ["perceive", "score"]
    assert verdict_of(played, "always").status == "fail"
    assert "nobody used it" in json.dumps([request.said for request in played[2].requests])
