"""The protocol `webgame` over the games that ship, and where it gives no label.

The scripted judge plays each game by a script of its own (`tests/webgames/`). What it reports is
what the page answered; the label follows from that.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from brains import first_look
from kit import Benchmark, SharedBenchmark
from provider import Answer, Conversation, Provider, ToolUse
from pytest_appbench.errors import GenerationFailed
from pytest_appbench.judges.judging import Brief
from pytest_appbench.judges.protocols.webgame.report import CORE
from pytest_appbench.tasks.specification import SECTIONS
from pytest_appbench.workshop import not_usable

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "benchmarks" / "webgame"
PLAYS = ROOT / "tests" / "webgames"
JUDGE = "anthropic:claude-opus-4-8"


def plays_of(game: str) -> list[str]:
    """The tools that the judge uses for a game, one after the other; `//// name` begins another."""
    text = (PLAYS / f"{game}.js").read_text(encoding="utf-8")
    return re.split(r"^(?=//// )", text, flags=re.MULTILINE)


def use(play: str) -> ToolUse:
    """A use of a tool: `//// open_session kind tab`, or a script."""
    words = play.split("\n")[0].split()
    if words[:1] == ["////"] and words[1] != "script":
        value = int(words[3]) if words[3].isdigit() else words[3]
        return ToolUse(words[1], {words[2]: value})
    prelude = (PLAYS / "prelude.js").read_text(encoding="utf-8")
    caught = "try {\n" + play + "\n} catch (error) { print('stopped: ' + error); }\nreturn done;"
    return ToolUse("script", {"code": prelude + caught})


def citation(step: int, quote: str) -> dict[str, str]:
    """Words of a step."""
    return {"source": "step", "where": str(step), "quote": quote}


def noted(conversation: Conversation) -> list[dict[str, Any]]:
    """What the scripts noted, each of which returned a list."""
    found = re.findall(r"^returned (\[.*\])$", conversation.everything, re.MULTILINE)
    return [one for part in found for one in json.loads(part)]


def concluded(conversation: Conversation) -> dict[str, Any]:
    """A report from what was noted; a check fails where one note of it does not hold."""
    look = first_look(conversation)
    items: dict[str, dict[str, Any]] = {}
    for one in noted(conversation):
        before = [citation(**one["before"])] if "before" in one else []
        cited = citation(one["step"], one["quote"])
        item = {
            "result": "pass" if one["holds"] else "fail",
            "observed": f"{one['quote'] or 'The page as it opened'}: {one['holds']}",
            "evidence": [*before, cited if one["step"] else look],
            "aimed_at": one.get("aimed_at", ""),
            "took_effect_at": one.get("took_effect_at", ""),
        }
        if items.get(one["name"], {}).get("result") != "fail":
            items[one["name"]] = item
    points = re.findall(r"^- (P\d+) \(", conversation.everything, re.MULTILINE)
    left = {"result": "unverified", "observed": "the play did not come so far"}
    core = [{"name": name, **items.get(name, left)} for name in CORE]
    acceptance = [{"point": name, **items.get(name, left)} for name in points]
    failed = [one for one in (*core, *acceptance) if one["result"] != "pass"]
    is_broken = any(one["result"] == "fail" for one in core)
    return {
        "label": "UNUSABLE" if is_broken else "USABLE" if failed else "EXCELLENT",
        "summary": f"{len(failed)} of {len(core) + len(acceptance)} checks and points do not hold",
        "core": core,
        "acceptance": acceptance,
        "unverified": [
            {"item": one.get("name") or one["point"], "reason": "not reached"}
            for one in failed
            if one["result"] == "unverified"
        ],
    }


def player(conversation: Conversation) -> Answer:
    """Plays the game that the specification is about, and reports."""
    game = re.search(r"# The specification\s+# (.+)", conversation.everything)
    assert game, "the judge was shown no specification"
    if conversation.turn == 1:
        plays = plays_of(game[1].lower().replace(" ", "-"))
        return Answer(tools=[use(play) for play in plays])
    return Answer(tools=[ToolUse("submit_report", concluded(conversation))])


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """All games that ship, good, faulty and flawed, judged in one run."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("webgame"))
    for file in sorted(GAMES.glob("*.task.yaml")):
        task = yaml.safe_load(file.read_text(encoding="utf-8"))
        for app in (GAMES / "apps" / task["id"]).iterdir():
            if app.is_dir():
                folder = bench.root / app.name
                shutil.copytree(app, folder / "apps" / task["id"] / "good")
                for shared in ("specs", "checks"):
                    shutil.copytree(GAMES / shared, folder / shared, dirs_exist_ok=True)
                shutil.copy(file, folder)
    with Provider(player) as provider:
        bench.start(
            "-n2",
            "--dist=worksteal",
            f"--appbench-judge={JUDGE}",
            "--appbench-screen=off",
            "--appbench-capture=off",
            "-oappbench_cache_dir=cache",
            environment=provider.environment(),
        )
    return bench


def test_games_that_ship_get_the_labels_that_they_were_built_for(judged: SharedBenchmark) -> None:
    expected = {"good": "EXCELLENT", "flawed": "USABLE", "faulty": "UNUSABLE"}
    records = judged.records()
    assert len(records) >= 14, judged.output
    for record in records:
        kind, verdict = record.nodeid.partition("/")[0], record.verdict
        assert verdict is not None, record.error
        told = [f"{p.name} {p.status} {p.message}" for p in verdict.parts if p.status != "pass"]
        assert verdict.label == expected[kind], (record.nodeid, told, verdict.reasons)
        assert verdict.status == ("fail" if kind == "faulty" else "pass")
        assert (verdict.judge, verdict.protocol) == (JUDGE, "webgame")


def test_the_run_is_summed_up_in_the_published_figures(judged: SharedBenchmark) -> None:
    assert (
        "webgame: coverage 16/16 (100.0 %), usable 9/16 (56.2 %), excellent 7/16" in judged.output
    )
    assert "usable / labelled by level: D1 3/5, D2 2/3, D3 3/6, D4 1/2" in judged.output
    assert f"labels by {JUDGE}" in judged.output


def test_scores_figures_and_the_five_parts_follow_from_the_points(judged: SharedBenchmark) -> None:
    for record in judged.records():
        verdict = record.verdict
        assert verdict is not None
        points = [part for part in verdict.parts if part.kind == "point"]
        for name in ("static", "dynamic"):
            own = [part.status == "pass" for part in points if part.dimension == name]
            assert getattr(verdict.scores, name) == sum(own) / len(own)
        assert verdict.scores.intention is None
        assert verdict.figures["points"] == len(points) >= 11
        assert [p.name for p in verdict.parts if p.kind == "core"] == [*CORE]
        written = judged.runs()[-1] / str(verdict.evidence) / "webgame-report.json"
        whole = json.loads(written.read_text(encoding="utf-8"))
        assert [*whole] == ["conclusion", "core", "issues", "acceptance", "unverified"]
        assert (whole["conclusion"]["label"], whole["conclusion"]["judge"]) == (
            verdict.label,
            JUDGE,
        )
        assert len(whole["unverified"]) == sum(p.status == "uncertain" for p in verdict.parts)


def test_two_windows_are_two_sessions_with_steps_of_their_own(judged: SharedBenchmark) -> None:
    (record,) = [r for r in judged.records() if r.nodeid.startswith("good/board")]
    assert record.verdict is not None
    file = judged.runs()[-1] / str(record.verdict.evidence) / "trajectory.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    actions = [line for line in lines if line["kind"] == "action"]
    numbers = [line["number"] for line in actions]
    assert {number // 10_000 for number in numbers} == {0, 1}
    assert len(numbers) == len(set(numbers))


@pytest.mark.usefixtures("of_the_whole_benchmark")
def test_the_checks_of_the_games_tell_good_from_faulty_without_a_model(
    judged: SharedBenchmark,
) -> None:
    judged.start("-n2", "--dist=worksteal", "-oappbench_cache_dir=cache", environment={})
    records = judged.records()
    assert len(records) == 16, judged.output
    for record in records:
        kind, verdict = record.nodeid.partition("/")[0], record.verdict
        assert verdict is not None, record.error
        failed = [check.message for check in verdict.checks if check.outcome == "failed"]
        assert record.outcome == ("pass" if kind == "good" else "fail"), (record.nodeid, failed)
        assert bool(failed) is (kind != "good")


SPECIFICATION = (
    "# Counter\n\n- Family: Casual/Reaction/Idle\n- S: S3\n- L: L4\n\n"
    + "".join(f"## {name}\n\nWords.\n\n" for name in SECTIONS[:-1])
    + f"## {SECTIONS[-1]}\n\n- B1 input response (button): A press counts.\n"
    "- S1 topology (page): There is a button.\n- T2 score update (status): Three presses make 3.\n"
)
PLAY = """
const step = await app.click(button("Add one"));
note("entry input mapping rules state ending restart P1 P3", true, step);
note("P2", true, null);
"""


def counts(**changes: Any) -> Any:
    """A judge of the counter that presses once and reports; changes by the part of the report."""

    def brain(conversation: Conversation) -> Answer:
        if conversation.turn == 1:
            return Answer(tools=[use(PLAY)])
        return Answer(tools=[ToolUse("submit_report", {**concluded(conversation), **changes})])

    return brain


def run(benchmark: Benchmark, brain: Any, *arguments: str, **fields: Any) -> pytest.RunResult:
    """Judge a counter by its specification."""
    benchmark.write("bench/game.md", SPECIFICATION)
    benchmark.task(**{"spec": "game.md", "protocol": "webgame", "checks": None, **fields})
    with pytest.MonkeyPatch.context() as patch, Provider(brain) as provider:
        for name, value in provider.environment().items():
            patch.setenv(name, value)
        screen = () if any("screen" in one for one in arguments) else ("--appbench-screen=off",)
        return benchmark.run(f"--appbench-judge={JUDGE}", *screen, *arguments)


def test_the_least_label_that_passes_can_be_raised(benchmark: Benchmark) -> None:
    usable = counts(label="USABLE", issues=[{"text": "It is dull", "affects_label": True}])
    run(benchmark, usable, "--appbench-pass-label=excellent")
    verdict = benchmark.verdict()
    assert (verdict.status, verdict.label) == ("fail", "USABLE")
    assert verdict.figures == {"level": 4, "points": 3, "passed": 3, "failed": 0, "unverified": 0}


@pytest.mark.parametrize(
    ("arguments", "fields", "told"),
    [
        (("--appbench-pass-label=GOOD",), {}, "webgame passes USABLE or EXCELLENT"),
        (("--appbench-without=agent",), {}, "the protocol webgame cannot judge without the agent"),
        ((), {"spec": None}, "names none; give the task one, such as `spec: specs/game.md`"),
    ],
)
def test_what_cannot_be_judged_is_an_error_and_no_label(
    benchmark: Benchmark, arguments: tuple[str, ...], fields: dict[str, Any], told: str
) -> None:
    fields = {name: value for name, value in fields.items() if value} or fields
    result = run(benchmark, counts(), *arguments, **fields)
    result.assert_outcomes(errors=1)
    assert told in str(benchmark.record().error)


def test_a_time_out_is_an_error_that_lowers_coverage_only(benchmark: Benchmark) -> None:
    result = run(benchmark, lambda _: Answer("...", delay=20.0), "--appbench-time-limit=2")
    result.assert_outcomes(errors=1)
    assert "the evaluation is unresolved, which is no label" in str(benchmark.record().error)


def test_a_label_against_its_report_is_asked_about_once_and_then_none(benchmark: Benchmark) -> None:
    result = run(benchmark, counts(label="UNUSABLE"))
    verdict = benchmark.verdict()
    assert (verdict.status, verdict.label, verdict.usage.turns) == ("uncertain", None, 3)
    assert "no label follows from the report: label: UNUSABLE" in verdict.reasons[0].text
    assert "webgame: coverage 0/1 (0.0 %)" in result.stdout.str()


def test_a_game_that_is_not_there_is_unusable_at_its_level(benchmark: Benchmark) -> None:
    broken = "<!doctype html><title>x</title><body><script>boom(</script></body>"
    result = run(benchmark, counts(), "--appbench-screen=on", app=broken)
    verdict = benchmark.verdict()
    assert (verdict.status, verdict.label, verdict.protocol) == ("fail", "UNUSABLE", "webgame")
    assert (verdict.judge, verdict.cause, verdict.usage.turns) == ("probe", "load", 0)
    assert "coverage 1/1 (100.0 %), usable 0/1 (0.0 %)" in result.stdout.str()
    assert "usable / labelled by level: D4 0/1" in result.stdout.str()
    unwritten = not_usable(GenerationFailed("no"), 0.8, "webgame", Brief(spec=SPECIFICATION))
    assert (unwritten.label, unwritten.figures) == ("UNUSABLE", {"level": 4, "points": 3})
