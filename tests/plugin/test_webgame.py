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
from kit import SharedBenchmark
from provider import Answer, Conversation, Provider, ToolUse
from pytest_appbench.judges.protocols.webgame.report import CORE

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
                shutil.copytree(GAMES / "specs", folder / "specs", dirs_exist_ok=True)
                shutil.copy(file, folder)
    with Provider(player) as provider:
        bench.start(
            "-n2",
            "--dist=worksteal",
            f"--appbench-judge={JUDGE}",
            "--appbench-screen=off",
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
