"""Apps come from models, agents and services: real sessions, real SDKs, a real browser.

What a model answers, and what an agent does, is chosen by the task's id.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from brains import clicker, has
from kit import COUNTER, COUNTER_CHECKS, DEAD_COUNTER, SharedBenchmark
from provider import Answer, Conversation, Outcome, Provider, Status
from pytest_appbench import sandbox
from pytest_appbench.reports.results import Record

ANTHROPIC, OPENAI = "anthropic:claude-opus-4-8", "openai:gpt-4.1"
# An app that is broken stays broken: there is no need to wait five seconds for it each time.
CHECKS = COUNTER_CHECKS.replace('")\n', '", timeout=500)\n')
JUDGE = """
    import pytest
    from pytest_appbench.judges.verdict import Scores, Verdict

    @pytest.fixture
    def appbench_judge():
        scores = Scores(intention=0, static=0, dynamic=0)
        return lambda judging: Verdict(
            status="fail", judge="strict", protocol="own", threshold=0.8, scores=scores
        )
"""


def reply(html: str) -> str:
    """A model's reply that holds a page."""
    return f"A counter.\n\n#### `index.html`\n```html\n{html}```\n"


def notes(bench: SharedBenchmark, task: str) -> str:
    """What a task's generator had to say in the last run."""
    (file,) = (bench.runs()[-1] / "tasks").glob(f"*/{task}-*/1/notes.txt")
    return file.read_text(encoding="utf-8")


# A model


SENTENCE = "Which colours do you like?"
REPLIES: dict[str, Outcome] = {
    "works": Answer(reply(COUNTER)),
    "broken": Answer(reply(DEAD_COUNTER)),
    "half": Answer(reply(COUNTER.partition("let n")[0]).removesuffix("```\n"), stop="length"),
    "declines": Answer("I would rather not.", stop="refusal"),
    "asks": Answer(SENTENCE),
    "unbegun": Answer("Let me think about", stop="length"),
    "down": Status(529, "overloaded"),
}


def case_of(conversation: Conversation) -> str:
    """The task that a query names."""
    return conversation.said.partition("(case ")[2].partition(")")[0]


@pytest.fixture(scope="module", params=[ANTHROPIC, OPENAI])
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, SharedBenchmark]:
    """A model, and a session in which it wrote an app for every task."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("written"))
    for name in REPLIES:
        bench.task(name, app=None, checks=CHECKS, query=f"A counter. (case {name})")
    with Provider(lambda conversation: REPLIES[case_of(conversation)]) as provider:
        bench.start(
            f"--appbench-generator={request.param}",
            "--junitxml=report.xml",
            environment=provider.environment(wait=0.2),
        )
    return request.param, bench


def test_a_models_app_is_judged_like_any_other(written: tuple[str, SharedBenchmark]) -> None:
    model, bench = written
    assert bench.verdict("works").status == "pass"
    assert bench.verdict("broken").status == "fail"
    for task in ("works", "broken"):
        record = bench.record(task)
        assert record.generator == model
        assert record.artifact
        assert record.generation is not None
        assert record.generation.turns == 1
        assert record.generation.tokens_in
        assert record.generation.tokens_out
        assert record.generation.cost_usd
    assert notes(bench, "works") == reply(COUNTER)


def test_a_reply_that_was_cut_off_is_judged_as_far_as_it_goes_and_says_so(
    written: tuple[str, SharedBenchmark],
) -> None:
    _, bench = written
    assert bench.verdict("half").status == "fail"
    assert bench.verdict("half").cause is None
    assert "the reply was cut off; what there is of its last file was taken" in notes(bench, "half")


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("declines", "declined to write the app: 'I would rather not.'"),
        ("asks", f"it holds no HTML page (found: nothing); it begins: '{SENTENCE}'"),
        ("unbegun", "the model's reply is no app: it was cut off before a page began"),
    ],
)
def test_a_model_that_writes_no_app_fails_with_its_own_words(
    written: tuple[str, SharedBenchmark], task: str, why: str
) -> None:
    model, bench = written
    record, verdict = bench.record(task), bench.verdict(task)
    assert (verdict.status, verdict.cause) == ("fail", "generation")
    assert why in verdict.reasons[0].text
    assert verdict.least == 0
    assert record.artifact is None
    assert record.generation is not None, "the reply was paid for all the same"
    assert record.generation.tokens_out
    answer = REPLIES[task]
    assert isinstance(answer, Answer)
    assert notes(bench, task).strip() == answer.text
    properties = bench.properties()[f"{task}[chromium]"]
    assert properties["appbench.verdict"] == "fail"
    assert properties["appbench.cause"] == "generation"
    assert properties["appbench.generator"] == model
    assert f"generation: {verdict.reasons[0].text}" in bench.output


def test_a_provider_that_is_down_is_an_error_of_nobody_s_app(
    written: tuple[str, SharedBenchmark],
) -> None:
    model, bench = written
    record = bench.record("down")
    assert record.outcome == "error"
    assert record.verdict is None
    assert "overloaded" in (record.error or "")
    assert f"{model} gave no answer after" in bench.output
    assert "Traceback" not in bench.output


def test_a_run_says_what_it_spent(written: tuple[str, SharedBenchmark]) -> None:
    _, bench = written
    spent = [r.generation for r in bench.records() if r.generation]
    tokens = sum((usage.tokens_in or 0) + (usage.tokens_out or 0) for usage in spent)
    cost = sum(usage.cost_usd or 0 for usage in spent)
    assert f"models:  {tokens:,} tokens, ${cost:.4f}\n" in bench.output


# The same model writes and judges, three times


@dataclass
class Attempts:
    """Two identical runs of three attempts.

    Attributes:
        bench: The folder of tasks.
        runs: The records of each run.
        asked: How often the provider was asked in each run.
    """

    bench: SharedBenchmark
    runs: list[list[Record]]
    asked: list[int]


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Attempts:
    """A provider that answers nobody before all three attempts have asked."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("attempts"))
    bench.task(app=None, checks=None)
    writing, judging = (threading.Barrier(3, timeout=60) for _ in range(2))

    def brain(conversation: Conversation) -> Answer:
        if has(conversation, "submit_verdict"):
            if conversation.turn == 1:
                judging.wait()
            return clicker(conversation)
        number = writing.wait()
        return Answer(reply(COUNTER.replace("<h1>Counter", f"<h1>Counter {number}")))

    runs, asked = [], []
    with Provider(brain) as provider:
        for _ in range(2):
            bench.start(
                f"--appbench-generator={ANTHROPIC}",
                f"--appbench-judge={ANTHROPIC}",
                "--appbench-attempts=3",
                "--appbench-screen=off",
                "--junitxml=report.xml",
                environment=provider.environment(),
            )
            runs.append(bench.records())
            asked.append(len(provider.requests))
    return Attempts(bench, runs, asked)


def test_attempts_are_written_and_judged_side_by_side(attempts: Attempts) -> None:
    *parts, whole = sorted(attempts.runs[0], key=lambda record: (not record.part, record.attempt))
    assert [record.attempt for record in parts] == [1, 2, 3]
    assert len({record.artifact for record in parts}) == 3
    for record in parts:
        assert record.verdict is not None
        assert record.verdict.status == "pass"
        assert record.verdict.usage.turns == 3
        assert record.verdict.usage.cost_usd
        assert record.generation is not None
        assert record.generation.cost_usd
    assert (whole.attempt, whole.outcome, whole.artifact) == (0, "pass", None)
    assert whole.verdict is not None
    assert whole.verdict.usage.turns == 9
    assert whole.generation is not None
    assert whole.generation.turns == 3
    assert whole.generation.tokens_out == sum(
        record.generation.tokens_out or 0 for record in parts if record.generation
    )
    assert attempts.asked[0] == 3 + 9


def test_a_second_identical_run_asks_nothing_and_comes_to_the_same(attempts: Attempts) -> None:
    first, second = attempts.runs
    assert attempts.asked[1] == attempts.asked[0]
    assert [(r.key, r.artifact, r.outcome) for r in first] == [
        (r.key, r.artifact, r.outcome) for r in second
    ]
    assert all(record.verdict and record.verdict.cached for record in second)
    assert not any(record.generation for record in second), "nothing was spent in this run"
    assert "models: " not in attempts.bench.output
    properties = attempts.bench.properties()["counter[chromium]"]
    assert properties["appbench.attempts"] == "3"


# An agent on the command line


AGENT = f"""
    import os, sys, time, uuid
    from pathlib import Path

    prompt, task = Path(sys.argv[1]).read_text(), sys.argv[2]
    assert "A counter with a button." in prompt
    print(task, "sees", *sorted(os.environ))
    asked = Path(sys.argv[0]).with_name("asked-" + task)
    if task == "moody":
        asked.open("a").write("x")
        if asked.stat().st_size == 2:
            sys.exit("out of credit")
    if task not in ("silent", "slow"):
        page = {COUNTER!r}
        Path("index.html").write_text(page + f"<!-- {{uuid.uuid4()}} -->")
    if task == "slow":
        time.sleep(600)
    sys.exit({{"grumbles": 7, "silent": 3}}.get(task, 0))
"""
COMMAND = f"command:{sys.executable} ./agent.py {{prompt_file}} {{task_id}}"


def agents(folder: Path, *tasks: str, **fields: Any) -> SharedBenchmark:
    """A folder of tasks for the agent, and the agent beside it."""
    bench = SharedBenchmark(folder)
    bench.write("agent.py", AGENT)
    for name in tasks:
        bench.task(name, app=None, **fields)
    return bench


@pytest.fixture(scope="module")
def commanded(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session of the agent in whatever sandbox there is, judged by the probe."""
    bench = agents(
        tmp_path_factory.mktemp("commanded"), "works", "grumbles", "silent", checks=CHECKS
    )
    bench.start(
        f"--appbench-generator={COMMAND}",
        "--appbench-generator-env=AGENT_SETTING",
        "--junitxml=report.xml",
        environment={"AGENT_SETTING": "blue", "OTHER_SETTING": "red", "OPENAI_API_KEY": "sk-12345"},
    )
    return bench


def test_what_an_agent_leaves_is_judged_whatever_its_exit_code(commanded: SharedBenchmark) -> None:
    assert commanded.verdict("works").status == "pass"
    assert commanded.verdict("grumbles").status == "pass"
    assert json.loads(notes(commanded, "grumbles"))["exit_code"] == 7


def test_an_agent_that_leaves_nothing_fails_with_its_last_words(commanded: SharedBenchmark) -> None:
    verdict = commanded.verdict("silent")
    assert (verdict.status, verdict.cause) == ("fail", "generation")
    assert "the agent left no app (exit code 3)" in verdict.reasons[0].text
    assert "silent sees" in verdict.reasons[0].text
    assert "generation: the agent left no app (exit code 3)" in commanded.output
    assert json.loads(notes(commanded, "silent"))["exit_code"] == 3


def test_an_agent_sees_the_variables_that_were_named_and_no_others(
    commanded: SharedBenchmark,
) -> None:
    seen = json.loads(notes(commanded, "works"))["stdout"].split()
    assert "AGENT_SETTING" in seen
    assert not {"OTHER_SETTING", "OPENAI_API_KEY"} & set(seen)


def test_the_sandbox_is_on_record(commanded: SharedBenchmark) -> None:
    for task in ("works", "silent"):
        assert commanded.record(task).sandbox == sandbox.describe()
        properties = commanded.properties()[f"{task}[chromium]"]
        assert properties["appbench.sandbox"] == sandbox.describe()
    assert ("appbench: no sandbox" in commanded.output) is (sandbox.describe() == "none")


@dataclass
class Series:
    """Runs of the same agent, one after the other; every app is failed by its judge.

    Attributes:
        outputs: What each run said, by its name.
        records: The records of each run, by its name and the task.
    """

    outputs: dict[str, str]
    records: dict[str, dict[str, Record]]

    def app(self, run: str, task: str = "works") -> str | None:
        """The app that a task was judged on in a run."""
        return self.records[run][task].artifact


RUNS = {
    "first": ["--appbench-time-limit=5", "--junitxml=report.xml"],
    "again": ["-kworks or moody"],
    "last failed": ["--lf", "-kworks or moody"],
    "version 1": ["-kworks", "--appbench-generator-version=1"],
    "version 1 again": ["-kworks", "--appbench-generator-version=1"],
    "version 2, last failed": ["-kworks", "--appbench-generator-version=2", "--lf"],
}


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Series:
    """The runs, without a sandbox."""
    bench = agents(tmp_path_factory.mktemp("series"), "works", "moody", "slow", checks=None)
    bench.write("bench/conftest.py", JUDGE)
    done = Series({}, {})
    for name, arguments in RUNS.items():
        bench.start(
            f"--appbench-generator={COMMAND}",
            "--appbench-sandbox=none",
            "-pcacheprovider",
            *arguments,
            environment={},
        )
        done.outputs[name] = bench.output
        done.records[name] = {record.task.id: record for record in bench.records()}
    return done


def test_without_a_sandbox_the_header_warns_and_records_say_so(series: Series) -> None:
    warning = "appbench: no sandbox (it is turned off): agents and builds run with your own rights"
    assert warning in series.outputs["first"]
    assert series.records["first"]["works"].sandbox == "none"
    assert series.records["first"]["slow"].sandbox == "none"


def test_an_agent_that_takes_too_long_is_ended_and_fails(series: Series) -> None:
    record = series.records["first"]["slow"]
    assert record.verdict is not None
    assert (record.outcome, record.verdict.cause) == ("fail", "generation")
    assert record.verdict.reasons[0].text == "the agent was ended: it ran longer than 5 s"


def test_an_agent_without_a_version_is_asked_every_time(series: Series) -> None:
    assert series.app("first")
    assert series.app("again") not in (None, series.app("first"))


def test_last_failed_takes_the_last_app(series: Series) -> None:
    assert series.app("last failed") == series.app("again")


def test_last_failed_never_goes_back_to_an_app_before_the_last(series: Series) -> None:
    assert series.app("first", "moody")
    assert series.app("again", "moody") is None
    assert series.app("last failed", "moody") not in (None, series.app("first", "moody"))


def test_a_version_makes_an_agents_apps_last(series: Series) -> None:
    assert series.app("version 1") not in (None, series.app("last failed"))
    assert series.app("version 1 again") == series.app("version 1")


def test_a_changed_agent_is_never_judged_on_its_old_app(series: Series) -> None:
    assert series.app("version 2, last failed") not in (None, series.app("version 1"))


# A service, and generators of the user's own


class _Service(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status = 500 if "(case fails)" in asked["task"] else 200
        status = 503 if "(case away)" in asked["task"] else status
        body = json.dumps({"files": {"index.html": COUNTER}}).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


OWN = {
    "plain": """
        def appbench_generator():
            return lambda task: FOLDER
    """,
    "later": """
        def appbench_generator():
            async def make(task):
                await anyio.sleep(0)
                return Candidate(FOLDER, origin="mine", notes=f"made for {task.id}")
            return make
    """,
    "gives-up": """
        def appbench_generator():
            async def make(task):
                raise GenerationFailed("the agent gave up")
            return make
    """,
    "forgets": """
        def appbench_generator():
            return lambda task: None
    """,
}
HEAD = """
import anyio, pytest
from pathlib import Path
from pytest_appbench.artifacts.candidate import Candidate
from pytest_appbench.errors import GenerationFailed

FOLDER = Path(__file__).with_name("app")

@pytest.fixture
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session with a service, and with fixtures that replace it in some folders."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("served"))
    for name in ("web", "fails", "away"):
        bench.task(name, app=None, checks=CHECKS, query=f"A counter. (case {name})")
    for name, body in OWN.items():
        bench.task(name, file=f"{name}/own.task.yaml", app=None, checks=CHECKS)
        bench.write(f"{name}/app/index.html", COUNTER)
        bench.write(f"{name}/conftest.py", HEAD + dedent(body).lstrip())
    with ThreadingHTTPServer(("127.0.0.1", 0), _Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/generate"
        bench.start(f"--appbench-generator={url}", environment={})
        server.shutdown()
    return bench


def test_a_services_app_is_judged(served: SharedBenchmark) -> None:
    assert served.verdict("web").status == "pass"
    assert (served.record("web").generator or "").startswith("http://127.0.0.1:")


def test_a_service_that_says_it_failed_fails_and_one_that_is_away_does_not(
    served: SharedBenchmark,
) -> None:
    verdict = served.verdict("fails")
    assert (verdict.status, verdict.cause) == ("fail", "generation")
    assert "failed (status 500)" in verdict.reasons[0].text
    away = served.record("away")
    assert away.outcome == "error"
    assert "answered with status 503, where 200 or 500 is expected" in (away.error or "")


def test_a_fixture_replaces_the_generator_plain_or_async(served: SharedBenchmark) -> None:
    assert served.verdict("plain").status == "pass"
    assert served.record("plain").generator == "own:appbench_generator"
    assert served.verdict("later").status == "pass"
    assert served.record("later").generator == "mine"
    assert notes(served, "later") == "made for later\n"


def test_a_generator_of_ones_own_may_fail_its_candidate_and_must_not_forget_it(
    served: SharedBenchmark,
) -> None:
    verdict = served.verdict("gives-up")
    assert (verdict.status, verdict.cause) == ("fail", "generation")
    assert "generation: the agent gave up" in served.output
    assert served.record("gives-up").generator == "own:make"
    forgot = served.record("forgets")
    assert forgot.outcome == "error"
    assert "the appbench_generator fixture answered None" in (forgot.error or "")
    assert forgot.generator == "own:appbench_generator"
