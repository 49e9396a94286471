"""Runs under `cases`, `code-quality` and `visual-quality`: what counts, and what does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit import COUNTER, SharedBenchmark
from provider import Answer, Conversation, Provider, ToolUse
from pytest_appbench.judges.verdict import Part, Verdict

JUDGE = "anthropic:claude-opus-4-8"
SECRET = "Rhubarb,17"
UPLOADER = COUNTER.replace(
    "</main>",
    '<label>List <input type="file"></label><output></output></main>'
    "<script>document.querySelector('input').onchange = async (event) => (document"
    ".querySelector('output').textContent = event.target.files[0].name + ': ' +"
    "await event.target.files[0].text())</script>",
)
FEATURES = ["Presses are counted.", "A list can be read.", "Songs are ten to fifteen."]
CLICK = {"actions": [{"do": "click", "with": [{"text": "Add one"}]}]}
# name of the case: feature and dimension
CASES: dict[str, tuple[int | str, str]] = {
    "counts": (1, "dynamic"),
    "counts on a clean page": ("Presses are counted", "dynamic"),
    "uploads a file of the request": (2, "dynamic"),
    "uploads something else": ("2.", "dynamic"),
    "quotes what never was": (3, "static"),
    "takes three for ten": ("songs are ten to fifteen.", "intention"),
    "only looks": (3, "dynamic"),
    "never ends": (3, "dynamic"),
    "belongs nowhere": ("Pigs fly.", "static"),
}


def use(file: Any) -> ToolUse:
    call = {"do": "upload", "with": [{"css": "input"}, [file]]}
    return ToolUse("act", {"actions": [call]})


def carried_out(conversation: Conversation) -> Answer:
    """A judge with habits, good and bad, one for each case."""
    opening = conversation.messages[0]["parts"][0]["text"]
    name = next(name for name in reversed(CASES) if f"\n\n{name}\n\nFeature" in opening)
    if conversation.turn == 1 or name == "never ends":
        first = {
            "uploads a file of the request": use("lists/words.csv"),
            "uploads something else": use("/etc/passwd"),
        }
        return Answer(tools=[first.get(name, ToolUse("act", CLICK))])
    said = conversation.everything
    steps = re.findall(r"^#(\d+) \w+ .*?: (.+)$", said, re.MULTILINE)
    number, quote = steps[-1] if steps else ("0", "nothing")
    look = re.findall(r"Step (\d+):", said)[0]
    given: dict[str, Any] = {"result": "pass", "observed": quote[:200]}
    cited = {"source": "step", "where": number, "quote": quote[:100]}
    if name == "quotes what never was":
        cited["quote"] = "ten songs are playing"
    if name == "takes three for ten":
        given["numbers"] = [{"what": "songs", "value": 3, "at_least": 10, "at_most": 15}]
    if name in ("only looks", "belongs nowhere"):
        cited = {"source": "step", "where": look, "quote": "Counter"}
    if name == "uploads something else":
        given = {"result": "uncertain", "observed": conversation.results[0]}
    return Answer(tools=[ToolUse("submit_case", {**given, "evidence": [cited]})])


def judge(conversation: Conversation) -> Answer:
    """A model under all three protocols."""
    tools = {tool["name"] for tool in conversation.tools}
    if "submit_case" in tools:
        return carried_out(conversation)
    if "submit_cases" in tools:
        cases = [
            {
                "name": name,
                "feature": feature,
                "dimension": dimension,
                "steps": [f"Do {name}."],
                "expected": "It is so.",
            }
            for name, (feature, dimension) in CASES.items()
        ]
        return Answer(tools=[ToolUse("submit_cases", {"cases": cases})])
    if "submit_review" in tools:
        cited = {"source": "file", "where": "index.html", "quote": "<title>Counter</title>"}
        rows = [
            {"feature": n, "points": points, "reason": "as read", "evidence": [cited]}
            for n, points in enumerate((76, 75, 100), start=1)
        ]
        rows[2]["evidence"] = [{**cited, "quote": "class Playlist"}]
        return Answer(tools=[ToolUse("submit_review", {"features": rows})])
    grades = zip(("rendering", "relevance", "layout", "finish"), (5, 4, 4, 3), strict=True)
    sheet = {name: {"grade": grade, "reason": "as seen"} for name, grade in grades}
    return Answer(tools=[ToolUse("submit_grades", sheet)])


class Judged:
    """A finished run of one task under each protocol."""

    def __init__(self, bench: SharedBenchmark, requests: list[Conversation]) -> None:
        self.bench, self.requests = bench, requests

    def verdict(self, task: str) -> Verdict:
        return self.bench.verdict(task)

    def sent(self, tool: str) -> list[Conversation]:
        """The requests of the conversations that end with a tool."""
        return [one for one in self.requests if tool in {t["name"] for t in one.tools}]

    def case(self, name: str) -> Part:
        found = [part for part in self.verdict("by-cases").parts if part.name.endswith(f" {name}")]
        (part,) = found
        return part


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    bench = SharedBenchmark(tmp_path_factory.mktemp("cases"))
    bench.write("bench/lists/words.csv", f"word,count\n{SECRET}\n")
    for name, protocol in (
        ("by-cases", "cases"),
        ("by-code", "code-quality"),
        ("by-looks", "visual-quality"),
    ):
        bench.task(
            name,
            app=UPLOADER,
            checks=None,
            protocol=protocol,
            features=FEATURES,
            materials=["lists/words.csv"],
        )
    with Provider(judge) as provider:
        bench.start(
            *("-p", "no:xdist", f"--appbench-judge={JUDGE}", "--appbench-screen=off"),
            *("--appbench-max-turns=3", "-oappbench_cache_dir=cache"),
            environment=provider.environment(),
        )
        yield Judged(bench, provider.requests)


def test_cases_are_written_without_the_app_and_sent_back_once(judged: Judged) -> None:
    asked = judged.sent("submit_cases")
    assert len(asked) == 2
    assert "Add one" not in asked[0].everything
    assert all(feature in asked[0].said for feature in FEATURES)
    assert SECRET in asked[0].said
    (said,) = asked[1].results
    for problem in ("there are 9 cases; write 15 to 20", "'Pigs fly.', which is not in the list"):
        assert problem in said


def test_each_case_has_a_clean_page_and_a_conversation_of_its_own(judged: Judged) -> None:
    for name in ("counts", "counts on a clean page"):
        assert judged.case(name).status == "pass"
        assert '"1"' in judged.case(name).message, "the page was used before"
    lines = judged.bench.trajectory("by-cases")
    names = [line["name"] for line in lines if line["kind"] == "conversation"]
    assert sorted(names) == sorted(["write", *(f"case-{n}" for n in range(1, len(CASES) + 1))])
    numbers = [line["number"] for line in lines if line["kind"] == "action"]
    assert len(set(numbers)) == len(numbers)


def test_only_files_of_the_request_are_uploaded_by_name(judged: Judged) -> None:
    sent = judged.case("uploads a file of the request")
    assert sent.status == "pass"
    assert "words.csv" in sent.message
    assert SECRET in sent.message
    refused = judged.case("uploads something else")
    assert refused.status == "uncertain"
    assert "there is no material '/etc/passwd'; there are: lists/words.csv" in refused.message
    assert "root:" not in refused.message


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("quotes what never was", "no evidence could be found for pass"),
        ("only looks", "no evidence could be found for pass"),
        (
            "takes three for ten",
            "called a pass, but songs is 3, and at least 10 is expected",
        ),
        ("never ends", "the limit of 3 turns was reached"),
    ],
)
def test_what_is_not_proved_is_uncertain_and_never_a_default(
    judged: Judged, name: str, why: str
) -> None:
    assert judged.case(name).status == "uncertain"
    assert why in judged.case(name).message


def test_cases_make_features_features_a_score_and_what_is_open_no_failure(judged: Judged) -> None:
    verdict = judged.verdict("by-cases")
    features = {part.text: part.status for part in verdict.parts if part.kind == "feature"}
    assert features == dict(zip(FEATURES, ("pass", "uncertain", "uncertain"), strict=True))
    assert verdict.score == pytest.approx(1 / 3)
    assert verdict.figures["case_rate"] == pytest.approx(4 / 9)
    assert verdict.figures["uncertain_cases"] == pytest.approx(5 / 9)
    assert verdict.scores.dynamic == pytest.approx(3 / 6)
    assert verdict.scores.static == pytest.approx(1 / 2)
    assert verdict.scores.intention == 0
    assert (verdict.status, verdict.cut_short) == ("uncertain", True)
    assert "9 cases instead of 15 to 20" in verdict.deviations
    assert "cases: feature rate 0.33, case rate 0.44 (means over 1 apps" in judged.bench.output
    assert "5 of 9 cases uncertain" in judged.bench.output


def test_code_quality_needs_more_than_75_points_and_a_quote(judged: Judged) -> None:
    verdict = judged.verdict("by-code")
    assert [(part.status, part.score) for part in verdict.parts] == [
        ("pass", 76.0),
        ("fail", 75.0),
        ("uncertain", 100.0),
    ]
    assert verdict.score == pytest.approx(1 / 3)
    assert verdict.status == "fail"
    (first, *_) = judged.sent("submit_review")
    assert "document.querySelector" in first.everything
    assert "look" not in {tool["name"] for tool in first.tools}


def test_visual_quality_is_graded_from_a_picture_of_each_window(judged: Judged) -> None:
    verdict = judged.verdict("by-looks")
    assert verdict.score == pytest.approx(0.75)
    assert (verdict.status, verdict.figures) == ("fail", {"grade": 4.0})
    (asked,) = judged.sent("submit_grades")
    assert len(asked.images) == 2
    assert "document.querySelector" not in asked.everything
    folder = judged.bench.runs()[-1] / str(verdict.evidence)
    cited = {citation.quote for reason in verdict.reasons for citation in reason.evidence}
    assert len(cited) == 2
    assert all((folder / name).is_file() for name in cited)
    assert Path(folder).is_dir()
