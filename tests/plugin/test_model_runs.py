"""Runs with model judges: what is kept, votes, attempts, ablations, budgets, the blind protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from brains import blind, clicker, concluded
from kit import COUNTER, DEAD_COUNTER, Benchmark
from provider import Answer, Brain, Conversation, Drop, Garbage, Provider, Status, ToolUse
from pytest_appbench.judges.verdict import Scores, Verdict

ANTHROPIC, OPENAI = "anthropic:claude-opus-4-8", "openai:gpt-4.1"
SECRET_WORDS = "Zanzibar lighthouse counter"


class Court:
    """A benchmark whose judge is a model at the loopback provider."""

    def __init__(
        self, benchmark: Benchmark, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.benchmark, self.provider = benchmark, provider
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)

    def run(self, *arguments: str, judge: str = ANTHROPIC) -> pytest.RunResult:
        """Judge all tasks, without the probe's look unless it is asked for."""
        screen = () if any("screen" in a for a in arguments) else ("--appbench-screen=off",)
        return self.benchmark.run(f"--appbench-judge={judge}", *screen, *arguments)

    def verdict(self, task: str = "counter") -> Verdict:
        """What the last run came to for a task."""
        return self.benchmark.verdict(task)

    def error(self, task: str = "counter") -> str:
        """The error that was recorded for a task."""
        (record,) = [r for r in self.benchmark.records() if r.task.id == task]
        assert record.outcome == "error"
        return str(record.error)


@pytest.fixture
def court(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> Any:
    @contextmanager
    def opened(brain: Brain = clicker, **options: Any) -> Iterator[Court]:
        with Provider(brain, **options) as provider:
            yield Court(benchmark, provider, monkeypatch)

    return opened


def test_a_second_run_asks_no_model_and_attempts_are_judged_apart(
    court: Any, benchmark: Benchmark
) -> None:
    benchmark.task()
    with court() as it:
        it.run()
        first, asked = it.verdict(), len(it.provider.requests)
        it.run()
        again = it.verdict()
        assert len(it.provider.requests) == asked
        assert again.cached
        assert again.scores == first.scores
        assert again.reasons == first.reasons
        it.run("--appbench-cache=judge=refresh")
        assert len(it.provider.requests) == 2 * asked
        it.run("--appbench-attempts=3")
        assert len(it.provider.requests) == 4 * asked
        records = benchmark.records()
        assert sorted((r.attempt, r.part) for r in records) == [
            (0, False),
            (1, True),
            (2, True),
            (3, True),
        ]


def test_a_verdict_is_kept_for_the_endpoint_that_gave_it(court: Any, benchmark: Benchmark) -> None:
    benchmark.task()
    with court() as first:
        first.run(judge=OPENAI)
        with court() as second:
            second.run(judge=OPENAI)
            assert not second.verdict().cached
            assert len(second.provider.requests) == 3


def test_a_verdict_is_kept_for_the_context_arguments_it_was_given_under(
    court: Any, benchmark: Benchmark
) -> None:
    dark = """
        import pytest


        @pytest.fixture(scope="session")
        def browser_context_args(browser_context_args):
            return {**browser_context_args, "color_scheme": "dark"}
    """
    german = """
        import pytest


        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.browser_context_args(locale="de-DE"))
    """
    benchmark.task()
    with court() as it:
        it.run()
        for conftest, arguments in (("", ("--device=iPhone 13",)), (dark, ()), (german, ())):
            benchmark.write("conftest.py", conftest)
            it.run(*arguments)
            assert not it.verdict().cached, (conftest, arguments)
        it.run()
        assert it.verdict().cached


def test_several_judges_vote_and_each_vote_is_on_record(court: Any, benchmark: Benchmark) -> None:
    def divided(conversation: Conversation) -> Answer:
        if conversation.turn == 3 and conversation.model == "gpt-4.1":
            low = concluded(conversation)
            low["static"]["score"] = 0.2
            return Answer(tools=[ToolUse("submit_verdict", low)])
        return clicker(conversation)

    benchmark.task()
    with court(divided, delay=0.8) as it:  # longer than it takes to open an app for the next judge
        it.run(f"--appbench-judge={OPENAI}", "--appbench-judge=openai:gpt-4o")
        verdict = it.verdict()
        assert verdict.status == "pass"
        assert verdict.judge == f"{ANTHROPIC} + {OPENAI} + openai:gpt-4o"
        votes = {r.vote: r.outcome for r in benchmark.records() if r.part}
        assert votes == {1: "pass", 2: "fail", 3: "pass"}
        assert it.provider.peak > 1, "the judges did not wait at the same time"
        result = it.run(
            f"--appbench-judge={OPENAI}", "--appbench-judge=openai:gpt-4o", "--appbench-vote=min"
        )
        assert it.verdict().status == "fail"
        assert "1 failed" in result.outlines[-1]


def test_each_vote_of_one_model_is_kept_as_it_was_cast(court: Any, benchmark: Benchmark) -> None:
    cast: list[float] = []

    def wavers(conversation: Conversation) -> Answer:
        if conversation.turn < 3:
            return clicker(conversation)
        judged = concluded(conversation)
        judged["static"]["score"] = (0.9, 0.8, 0.2)[len(cast) % 3]
        cast.append(judged["static"]["score"])
        return Answer(tools=[ToolUse("submit_verdict", judged)])

    def scores() -> list[float | None]:
        votes = sorted((r.vote, r.verdict) for r in benchmark.records() if r.part)
        return [verdict.scores.static for _, verdict in votes if verdict]

    same = [f"--appbench-judge={ANTHROPIC}"] * 3
    benchmark.task()
    with court(wavers) as it:
        it.run(*same[1:])
        first, asked = scores(), len(it.provider.requests)
        assert sorted(cast) == sorted(filter(None, first)) == [0.2, 0.8, 0.9]
        it.run(*same[1:])
        assert scores() == first
        assert len(it.provider.requests) == asked
        it.run(*same, judge=OPENAI)
        assert scores()[1:] == first
        assert all(request.model == "gpt-4.1" for request in it.provider.requests[asked:])


def test_an_app_that_one_test_judges_repeatedly_is_judged_each_time(
    court: Any, benchmark: Benchmark
) -> None:
    benchmark.write("dist/index.html", COUNTER)
    benchmark.write(
        "test_mine.py",
        """
        def test_steady(appbench):
            for _ in range(3):
                appbench.judge("dist", query="a counter")
        """,
    )
    with court() as it:
        it.run()
        assert len(it.provider.requests) == 3 * 3
        assert [r.verdict.cached for r in benchmark.records() if r.verdict] == [False] * 3
        it.run()
        assert len(it.provider.requests) == 3 * 3
        assert [r.verdict.cached for r in benchmark.records() if r.verdict] == [True] * 3


@pytest.mark.parametrize(
    ("without", "absent", "present"),
    [
        ("code", ["document.querySelector", '"read_source"'], ["look", "the button is labelled"]),
        ("agent", ['"script"', '"look"', "app.click"], ["document.querySelector", "read_source"]),
        ("reference", ["the button is labelled"], ["document.querySelector", "look"]),
    ],
)
def test_an_ablation_takes_away_what_it_names(
    court: Any, benchmark: Benchmark, without: str, absent: list[str], present: list[str]
) -> None:
    benchmark.task(reference={"static": ["the button is labelled"]})
    with court() as it:
        it.run(f"--appbench-without={without}")
        sent = json.dumps(it.provider.requests[0].body)
        assert it.verdict().status == "pass"
        assert it.verdict().deviations == (f"without {without}",)
    for words in absent:
        assert words not in sent
    for words in present:
        assert words in sent


def test_blind_stages_know_either_the_app_or_the_request(court: Any, benchmark: Benchmark) -> None:
    benchmark.task("good", query=SECRET_WORDS)
    benchmark.task("dead", app=DEAD_COUNTER, query=SECRET_WORDS)
    with court(blind) as it:
        it.run("--appbench-protocol=blind")
        for request in it.provider.requests:
            describes = any(tool["name"] == "submit_description" for tool in request.tools)
            assert (SECRET_WORDS in json.dumps(request.body)) is not describes
            assert ("document.querySelector" in request.everything) is describes
        assert it.verdict("good").status == "pass"
        assert it.verdict("good").score == 0.9
        assert it.verdict("good").scores == Scores()
        assert it.verdict("dead").status == "fail"
        names = [
            line["name"] for line in benchmark.trajectory("good") if line["kind"] == "conversation"
        ]
        assert names == ["describe", "compare"]


def test_an_app_that_is_dead_on_arrival_costs_no_token(court: Any, benchmark: Benchmark) -> None:
    benchmark.task(app="<!doctype html><title>x</title><body><script>boom(</script></body>")
    with court() as it:
        it.run("--appbench-screen=on")
        verdict = it.verdict()
        assert it.provider.requests == []
    assert (verdict.status, verdict.cause, verdict.judge) == ("fail", "load", "probe")


def test_the_probes_findings_are_handed_over_as_evidence(court: Any, benchmark: Benchmark) -> None:
    benchmark.task(app=DEAD_COUNTER)
    with court() as it:
        it.run("--appbench-screen=on")
        assert "automatic probe" in it.provider.requests[0].said
        assert it.verdict().judge == ANTHROPIC


def test_a_passing_fault_costs_nothing_but_time(court: Any, benchmark: Benchmark) -> None:
    benchmark.task()
    faults = {1: Status(529, "overloaded"), 3: Drop(0.5), 5: Garbage()}
    with court(faults=faults) as it:
        it.run()
        assert it.verdict().status == "pass"
        assert it.verdict().usage.turns == 3


def test_a_model_that_writes_an_app_is_held_to_the_time_limit(
    court: Any, benchmark: Benchmark
) -> None:
    benchmark.task()
    writes = f"--appbench-generator={OPENAI}"
    with court(lambda _: Answer("Let me think.", pause=60)) as slow:
        # time enough for a busy machine to load the SDK before the answer begins
        slow.run(writes, "--appbench-time-limit=10")
        assert (slow.verdict().status, slow.verdict().cause) == ("fail", "generation")
        assert "did not finish its answer within 10 s" in slow.verdict().reasons[0].text
    with court(lambda _: Answer("Let me think.", delay=30)) as silent:
        silent.run(writes, "--appbench-time-limit=1")
        assert "had not begun to answer after 1 s" in silent.error()


def test_a_wrong_key_is_told_at_once_without_the_key(court: Any, benchmark: Benchmark) -> None:
    benchmark.task()
    with court(lambda _: Status(401, "invalid x-api-key")) as it:
        result = it.run()
        result.assert_outcomes(errors=1)
        assert len(it.provider.requests) == 1
        assert it.provider.key not in result.stdout.str()
        assert "ANTHROPIC_API_KEY" in it.error()


def test_a_run_that_has_spent_its_money_asks_no_further_model(
    court: Any, benchmark: Benchmark
) -> None:
    for name in ("one", "two", "three"):
        benchmark.task(name)
    with court() as it:
        it.run("--appbench-run-cost=0.000001", "-p", "no:xdist")
        assert len(it.provider.requests) == 1
        assert {r.outcome for r in benchmark.records()} == {"uncertain"}
        assert "--appbench-run-cost" in it.verdict("two").reasons[0].text


def test_tasks_of_one_id_in_two_folders_have_a_budget_each(
    court: Any, benchmark: Benchmark
) -> None:
    for name in ("one", "two"):
        page = COUNTER.replace("<title>", f"<title>{name} ")
        benchmark.task(file=f"bench/{name}/tools.task.yaml", query=f"Write {name}.", app=page)

    def writes(conversation: Conversation) -> Answer:
        if not conversation.tools:
            return Answer(f"```html\n{COUNTER}\n```", output_tokens=90_000)
        return clicker(conversation)

    with court(writes) as it:
        it.run()
        usages = [record.verdict.usage for record in benchmark.records() if record.verdict]
        enough = max((usage.tokens_in or 0) + (usage.tokens_out or 0) for usage in usages)
        it.run("--appbench-cache=off", f"--appbench-task-tokens={enough}")
        assert [record.outcome for record in benchmark.records()] == ["pass", "pass"]
        it.run(f"--appbench-generator={OPENAI}", "--appbench-task-tokens=90000")
        assert [record.outcome for record in benchmark.records()] == ["uncertain", "uncertain"]
        told = [r.verdict.reasons[0].text for r in benchmark.records() if r.verdict]
        assert all("the task 'counter' has spent" in text for text in told)


def test_an_app_that_may_no_longer_be_paid_for_is_an_error(
    court: Any, benchmark: Benchmark
) -> None:
    benchmark.task("one")
    benchmark.task("two")
    with court(lambda _: Answer(f"```html\n{COUNTER}\n```")) as it:
        it.run(f"--appbench-generator={OPENAI}", "--appbench-run-tokens=1", "-p", "no:xdist")
        assert len(it.provider.requests) == 1
        assert it.verdict("one").status == "uncertain"
        assert "--appbench-run-tokens" in it.error("two")


def test_an_unknown_price_cannot_be_limited(court: Any, benchmark: Benchmark) -> None:
    benchmark.task()
    with court() as it:
        it.run(judge="openai:my-vllm-model")
        assert it.verdict().usage.cost_usd is None
        assert it.verdict().status == "pass"
        it.run("--appbench-run-cost=5", judge="openai:another-model")
        assert "price" in it.error()


def test_last_failed_judges_the_same_app_afresh(court: Any, benchmark: Benchmark) -> None:
    benchmark.task("good")
    benchmark.task("dead", app=DEAD_COUNTER)
    with court() as it:
        run = benchmark.pytester.runpytest_subprocess
        arguments = (f"--appbench-judge={ANTHROPIC}", "--appbench-screen=off")
        run(*arguments)
        asked = len(it.provider.requests)
        run("--lf", *arguments)
        assert [r.task.id for r in benchmark.records()] == ["dead"]
        assert len(it.provider.requests) == asked + 3


@pytest.mark.parametrize("judge", ["oracle", "anthropic:", "openai"])
def test_a_judge_that_does_not_exist_is_refused_before_anything_runs(
    benchmark: Benchmark, judge: str
) -> None:
    benchmark.task()
    result = benchmark.run(f"--appbench-judge={judge}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: there is no judge '{judge}'; write one of probe,*"])


def test_a_provider_that_dies_leaves_what_was_earned(court: Any, benchmark: Benchmark) -> None:
    for name in ("first", "second"):
        benchmark.task(name)

    with court(lambda conversation: clicker(conversation)) as it:

        def dies(conversation: Conversation) -> bool:
            if len(it.provider.requests) == 5:
                it.provider.stop()
            return False

        it.provider.fail(dies, Status(500))
        result = it.run("-p", "no:xdist")
        result.assert_outcomes(passed=1, errors=1)
        assert benchmark.verdict("first").status == "pass"
        (lost,) = [r for r in benchmark.records() if r.task.id == "second"]
        assert lost.outcome == "error"
        assert {line["kind"] for line in benchmark.trajectory("second")} >= {"turn", "action"}


def test_a_judge_sees_pictures_only_where_that_is_asked_for(
    court: Any, benchmark: Benchmark
) -> None:
    def looks(conversation: Conversation) -> Answer:
        names = {tool["name"] for tool in conversation.tools}
        if conversation.turn == 1 and "screenshot" in names:
            return Answer(tools=[ToolUse("screenshot", {})])
        return clicker(conversation)

    benchmark.task()
    with court(looks) as it:
        it.run("--appbench-vision=on", "--appbench-capture=on")
        assert it.verdict().deviations == ("vision on",)
        assert len(it.provider.requests[1].images) == 1
        (image,) = [
            part
            for line in benchmark.trajectory()
            if line["kind"] == "turn"
            for message in line["messages"]
            for result in message["parts"]
            for part in result.get("content", ())
            if part["kind"] == "image"
        ]
        assert image["data"] == ""
        assert list(benchmark.runs()[-1].rglob(image["name"]))
        it.run()
        assert it.provider.requests[-1].images == []
        assert it.verdict().deviations == ()


def test_page_time_flows_while_a_judge_thinks_only_where_that_is_asked_for(
    court: Any, benchmark: Benchmark
) -> None:
    ticking = COUNTER.replace(
        "let n = 0", "let n = 0; setInterval(() => { document.title = Date.now(); }, 10)"
    )
    titles: list[str] = []

    def waits(conversation: Conversation) -> Answer:
        if conversation.turn > 1:
            titles.append(conversation.said)
        if conversation.turn <= 2:
            code = "print('title', await app.title())"
            return Answer(tools=[ToolUse("script", {"code": code})])
        return clicker(conversation)

    benchmark.task(app=ticking)
    with court(waits, delay=0.5) as it:
        it.run()
        assert it.verdict().deviations == ()
        still = [re.findall(r"title (\w+)", text)[-1] for text in titles[:2]]
        assert still[0] == still[1]
        assert "stands still" in it.provider.requests[-1].system
        titles.clear()
        it.run("--appbench-clock=real")
        assert it.verdict().deviations == ("clock real",)
        flowing = [re.findall(r"title (\d+)", text)[-1] for text in titles[:2]]
        assert int(flowing[1]) - int(flowing[0]) > 300
        assert "Page time flows" in it.provider.requests[-1].system
