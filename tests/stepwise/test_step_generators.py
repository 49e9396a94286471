"""A service, an agent and a model take the steps of a project, and learn what the tests said."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from buildkit import share_packages
from kit import Benchmark
from provider import Answer, Conversation, Provider
from pytest_appbench.processes import bubblewrap
from stepkit import PAGE, PARTS, STEPS, add_project, add_task, page_of

Files = dict[str, str]


@contextmanager
def service(answer: Callable[[dict[str, Any]], Files | None]) -> Iterator[tuple[str, list[Any]]]:
    """A service that speaks the contract of Web-Bench, C.2; None is answered with status 500."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            files = answer(asked[-1])
            self.send_response(500 if files is None else 200)
            self.end_headers()
            self.wfile.write(json.dumps({"files": files}).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/agent", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def with_next(request: dict[str, Any]) -> Files:
    """The page with the part that the request's task asks for."""
    name = next(name for name, text in STEPS.items() if text == request["task"])
    page = request["files"]["index.html"]
    return {"index.html": page.replace("</main>", PARTS[name] + "</main>")}


def told(benchmark: Benchmark, task: str = "shop") -> list[dict[str, Any]]:
    """The record of a task's steps in the last run."""
    (file,) = (benchmark.runs()[-1] / "tasks").glob(f"*/{task}-*/1/1/steps.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_service_is_asked_as_published_and_told_what_failed(benchmark: Benchmark) -> None:
    add_project(benchmark)
    add_task(benchmark)

    def answer(request: dict[str, Any]) -> Files | None:
        if request["task"] == STEPS["task-2"] and "error" not in request:
            return {"index.html": PAGE.format("<button>Buy</button>")}  # forgets the heading
        if "error" in request:
            return {"index.html": page_of("task-1", "task-2")}
        return with_next(request)

    with service(answer) as (url, asked):
        benchmark.run(f"--appbench-generator={url}").assert_outcomes(passed=1)
    assert [(one["type"], one["task"]) for one in asked] == [
        ("normal", STEPS["task-1"]),
        ("normal", STEPS["task-2"]),
        ("normal", STEPS["task-2"]),
        ("normal", STEPS["task-3"]),
    ]
    assert [one["files"]["index.html"] for one in asked] == [
        PAGE.format(""),
        page_of("task-1"),
        PAGE.format("<button>Buy</button>"),  # the second attempt stands on the first one's files
        page_of("task-1", "task-2"),
    ]
    assert "error" not in asked[0]
    assert asked[2]["error"] == (
        "task-1 no longer holds: What the step adds is there.\n  there is no h1"
    )
    verdict = benchmark.verdict("shop")
    assert verdict.figures == {"pass@1": 33.33, "pass@2": 100, "error@1": 33.33}
    assert benchmark.record("shop").generator == url


def test_a_reply_that_rewrites_tests_gains_nothing_and_is_on_record(benchmark: Benchmark) -> None:
    folder = add_project(benchmark)
    add_task(benchmark)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    passing = '"""x"""\n\ndef check_static_is_there(page):\n    """Nothing."""\n'

    def answer(request: dict[str, Any]) -> Files:
        own = {"checks/task-1.py": passing, "../checks/task-1.py": passing, "tasks.jsonl": "{}"}
        return {**own, "index.html": PAGE.format("nothing of what was asked")}

    with service(answer) as (url, asked):
        benchmark.run(f"--appbench-generator={url}").assert_outcomes(failed=1)
    assert len(asked) == 2
    verdict = benchmark.verdict("shop")
    assert verdict.figures["pass@2"] == 0
    texts = [one.text for one in verdict.findings if one.kind == "not-its-own"]
    assert "task-1, attempt 1: 'checks/task-1.py' is the project's own; it was left out" in texts
    assert len(texts) == 6
    assert [len(line["left_out"]) for line in told(benchmark)] == [3, 3]
    kept = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert kept == before


def test_a_service_that_fails_fails_the_attempt_at_the_step(benchmark: Benchmark) -> None:
    add_project(benchmark)
    add_task(benchmark)

    def answer(request: dict[str, Any]) -> Files | None:
        if request["task"] == STEPS["task-3"] and "error" not in request:
            return None
        return with_next(request)

    with service(answer) as (url, asked):
        benchmark.run(f"--appbench-generator={url}").assert_outcomes(passed=1)
    assert "status 500" in asked[-1]["error"]
    assert [line["passed"] for line in told(benchmark)] == [True, True, False, True]


def test_without_initial_code_the_generator_is_asked_for_it(benchmark: Benchmark) -> None:
    folder = add_project(benchmark)
    (folder / "src-init/index.html").unlink()
    (folder / "src-init").rmdir()
    init = json.dumps({"id": "init", "description": "An empty page."})
    listed = (folder / "tasks.jsonl").read_text(encoding="utf-8")
    (folder / "tasks.jsonl").write_text(f"{init}\n{listed}", encoding="utf-8")
    add_task(benchmark)

    def answer(request: dict[str, Any]) -> Files:
        return {"index.html": PAGE.format("")} if request["type"] == "init" else with_next(request)

    with service(answer) as (url, asked):
        benchmark.run(f"--appbench-generator={url}").assert_outcomes(passed=1)
    assert asked[0] == {"type": "init", "task": "An empty page."}
    assert [part.name for part in benchmark.verdict("shop").parts] == list(STEPS)


AGENT = """
    import os, pathlib, sys
    asked, page = sys.stdin.read(), pathlib.Path("index.html")
    text = page.read_text()
    part = {parts!r}
    name = next(name for name, words in {steps!r}.items() if words in asked)
    if name == "task-2" and "second attempt" not in asked:
        page.write_text("<title>Shop</title>")
        pathlib.Path("notes.txt").write_text("forgot everything")
    elif name == "task-2":
        assert "there is no button" in asked and "forgot" in pathlib.Path("notes.txt").read_text()
        pathlib.Path("notes.txt").unlink()
        page.write_text({repaired!r})
    else:
        assert not pathlib.Path("notes.txt").exists()
        page.write_text(text.replace("</main>", part[name] + "</main>"))
    assert not pathlib.Path("checks").exists()
    os.symlink("/etc", "etc")
"""


def test_an_agent_works_in_the_files_as_they_are(benchmark: Benchmark, tmp_path: Path) -> None:
    add_project(benchmark)
    add_task(benchmark)
    script = tmp_path / "agents" / "agent.py"
    script.parent.mkdir()
    words = dedent(AGENT).format(parts=PARTS, steps=STEPS, repaired=page_of("task-1", "task-2"))
    script.write_text(words, encoding="utf-8")
    command = f"command:{sys.executable} {script}"
    benchmark.run(f"--appbench-generator={command}").assert_outcomes(passed=1)
    verdict, record = benchmark.verdict("shop"), benchmark.record("shop")
    assert verdict.figures["error@1"] == 33.33
    assert record.sandbox
    notes = (benchmark.runs()[-1] / "tasks").glob("*/shop-*/1/notes.txt")
    assert "links that lead out of the workspace were removed: etc" in next(notes).read_text()


def test_a_model_takes_the_steps_once_and_its_answers_are_kept(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_project(benchmark)
    add_task(benchmark)

    def brain(conversation: Conversation) -> Answer:
        said = conversation.said
        name = next(name for name, words in STEPS.items() if words in said)
        if name == "task-3" and "there is no p" not in said:
            return Answer("I will not.", stop="refusal")
        taken = list(STEPS)[: list(STEPS).index(name)]
        assert page_of(*taken) in said
        return Answer(f"#### `index.html`\n```html\n{page_of(*taken, name)}\n```\n")

    with Provider(brain) as provider:
        for name, value in provider.environment(wait=0.2).items():
            monkeypatch.setenv(name, value)
        command = "--appbench-generator=anthropic:claude-opus-4-8"
        benchmark.run(command).assert_outcomes(failed=1)
        first = len(provider.requests)
        verdict, record = benchmark.verdict("shop"), benchmark.record("shop")
        assert verdict.judge == "tests"
        assert "declined to take the step" in verdict.reasons[0].text
        assert record.generation is not None
        assert record.generation.turns == first == 4
        assert record.generation.cost_usd
        benchmark.run(command).assert_outcomes(failed=1)
    # What was refused is asked again; what was answered is not.
    assert len(provider.requests) == first + 2
    assert benchmark.verdict("shop").figures == verdict.figures


def test_what_is_built_is_said_before_and_what_the_compiler_says_afterwards(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_packages(benchmark.root / ".appbench-cache")
    folder = add_project(benchmark)
    (folder / "tasks.jsonl").write_text(
        json.dumps({"id": "task-1", "description": STEPS["task-1"]}), encoding="utf-8"
    )
    (folder / "src-init/index.html").unlink()
    page = "export default () => <h1>Shop</h1>\n"
    benchmark.write("bench/projects/shop/src-init/src/App.tsx", page.replace("Shop", "?"))
    add_task(benchmark, format="react")
    asked = []

    def brain(conversation: Conversation) -> Answer:
        asked.append(conversation.said)
        own = '#### `package.json`\n```json\n{"dependencies": {"nanoid": "5"}}\n```\n'
        wrong = "import { nanoid } from 'nanoid'\n" + page.replace("<h1>", "<h1 id={nanoid()}>")
        text = page if len(asked) == 2 else wrong
        return Answer(f"{own}#### `src/App.tsx`\n```tsx\n{text}```\n")

    with Provider(brain) as provider:
        for name, value in provider.environment(wait=0.2).items():
            monkeypatch.setenv(name, value)
        command = "--appbench-generator=anthropic:claude-opus-4-8"
        benchmark.run(command).assert_outcomes(passed=1)
    assert "Only `react` and `react-dom` can be imported" in asked[0]
    told = (
        'the app does not build: imports that are not available: "nanoid" (in src/App.tsx). '
        "An app may import its own files and: react, react-dom"
    )
    assert "nanoid" not in asked[0]
    assert told in asked[1]
    assert benchmark.verdict("shop").figures == {"pass@1": 0, "pass@2": 100, "error@1": 100}
    (notes,) = (benchmark.runs()[-1] / "tasks").glob("*/shop-*/1/notes.txt")
    left_out = "the template's own configuration is used: package.json"
    assert left_out in notes.read_text(encoding="utf-8")


@pytest.mark.skipif(bool(bubblewrap.find().problem), reason="needs bubblewrap")
def test_a_server_of_its_own_is_started_for_each_step(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_project(benchmark)
    serve = "grep -q closed sign.txt && exit 1; exec python3 -m http.server $PORT"
    add_task(benchmark, format="project", project={"serve": f"{serve} --bind 127.0.0.1"})

    def brain(conversation: Conversation) -> Answer:
        said = conversation.said
        assert f"- serve: `{serve}" in said
        assert "A shop." not in said
        name = next(name for name, words in STEPS.items() if words in said)
        if name == "task-2" and "second attempt" not in said:
            return Answer("#### `sign.txt`\n```\nclosed\n```\n")
        page = page_of(*list(STEPS)[: list(STEPS).index(name) + 1])
        assert ("ended (exit code 1) before it answered" in said) == ("second attempt" in said)
        sign = "#### `sign.txt`\n```\nopen\n```\n"
        return Answer(f"{sign}#### `index.html`\n```html\n{page}\n```\n")

    with Provider(brain) as provider:
        for name, value in provider.environment(wait=0.2).items():
            monkeypatch.setenv(name, value)
        benchmark.run("--appbench-generator=anthropic:claude-opus-4-8").assert_outcomes(passed=1)
    assert benchmark.verdict("shop").figures == {"pass@1": 33.33, "pass@2": 100, "error@1": 33.33}
    assert benchmark.record("shop").built == "own server"
