"""React tasks end to end: a model writes sources, they are built, and checks decide."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from buildkit import COUNTER, share_packages
from kit import COUNTER as PAGE
from kit import COUNTER_CHECKS, Benchmark, SharedBenchmark
from provider import Answer, Conversation, Provider
from pytest_appbench.reports.results import read

REPLY = f"A counter.\n\n#### `src/App.tsx`\n```tsx\n{COUNTER}```\n"
UNNAMED = f"Here it is.\n\n```tsx\n{COUNTER}```\n\n```css\np {{ color: tan }}\n```\n"
BROKEN = REPLY.replace("</main>", "</div>")
REPLIES = {
    "named": REPLY,
    "unnamed": UNNAMED,
    "broken": BROKEN,
    "unfinished": f"#### `index.html`\n```html\n{PAGE}```\n",
    "html": f"#### `index.html`\n```html\n{PAGE}```\n",
}


def said(conversation: Conversation) -> Answer:
    """The reply for the task that the query names, if the model was told what it is to be made of."""
    name = conversation.said.partition("(case ")[2].partition(")")[0]
    wanted = "src/App.tsx" if name != "html" else "<!DOCTYPE html>"
    return Answer(REPLIES[name] if wanted in conversation.system else "What is this about?")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session in which a model wrote an app for every task, after one for the first alone."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("written"))
    share_packages(bench.root / ".appbench-cache")
    for name in REPLIES:
        form = "html" if name == "html" else "react"
        bench.task(
            name, app=None, query=f"A counter. (case {name})", format=form, subclass="counter"
        )
    with Provider(said) as provider:
        for chosen in ("named and not unnamed", "counter"):
            bench.start(
                f"-k={chosen}",
                "--appbench-generator=anthropic:claude-opus-4-8",
                "--junitxml=report.xml",
                environment=provider.environment(wait=0.2),
            )
    return bench


@pytest.mark.parametrize("task", ["named", "unnamed", "html"])
def test_what_a_model_wrote_is_built_and_judged_in_the_browser(
    task: str, written: SharedBenchmark
) -> None:
    verdict = written.verdict(task)
    assert verdict.passed, verdict
    record = written.record(task)
    if task == "html":
        assert (record.built, record.sandbox) == (None, None)
    else:
        assert record.built not in (None, record.artifact)
        assert record.sandbox
        assert written.properties()[f"{task}[chromium]"]["appbench.sandbox"] == record.sandbox


def test_an_app_that_does_not_build_fails_by_its_own_fault(written: SharedBenchmark) -> None:
    record, verdict = written.record("broken"), written.verdict("broken")
    assert (verdict.status, verdict.cause, verdict.judge) == ("fail", "build", "builder")
    assert set(dict(verdict.scores).values()) == {0.0}
    assert "Expected corresponding JSX closing tag" in verdict.reasons[0].text
    assert "build: the app does not build:" in written.output
    assert re.search(r"judged by probe(\[[^]]*\])?; ", written.output), (
        "a builder was named as a judge"
    )
    assert (record.artifact is None, record.built) == (False, None)
    assert record.sandbox


def test_a_page_is_no_react_app(written: SharedBenchmark) -> None:
    verdict = written.verdict("unfinished")
    assert (verdict.status, verdict.cause) == ("fail", "generation")
    assert "it holds no component App (found: index.html)" in verdict.reasons[0].text


def test_a_second_run_builds_nothing_again(written: SharedBenchmark) -> None:
    first, second = (
        {record.task.id: record.built for record in read(run)} for run in written.runs()
    )
    assert first == {"named": second["named"]}
    assert first["named"] is not None
    kept = list((written.root / ".appbench-cache/build").glob("*/*/result.json"))
    assert len(kept) == 2, "an app that does not build was kept, or one was built twice"


def test_a_built_app_is_opened_again_as_it_was_judged(written: SharedBenchmark) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest_appbench.cli",
            "view",
            str(written.runs()[-1]),
            "named",
            "--headless",
        ],
        cwd=written.root,
        input="\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "open at http://" in done.stdout
    assert "404" not in done.stdout


def test_without_node_a_react_task_is_an_error_and_a_page_is_judged(
    benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = benchmark.root / "programs"
    programs.mkdir()
    for name in ("bwrap", "chromium", "chromium-headless-shell", "google-chrome"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    benchmark.task("made-of-react", app=None, format="react")
    benchmark.write("bench/apps/made-of-react/good/src/App.tsx", COUNTER)
    benchmark.task("page", checks=COUNTER_CHECKS)
    result = benchmark.run()
    result.assert_outcomes(passed=1, errors=1)
    record = benchmark.record("made-of-react")
    assert (record.outcome, record.verdict) == ("error", None)
    assert "there is no `node` on PATH: install it" in (record.error or "")
