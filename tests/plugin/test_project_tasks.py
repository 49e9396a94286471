"""Tasks of apps with a server of their own, end to end: written by a model, run, used, judged."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kit import COUNTER_CHECKS, SharedBenchmark
from provider import Answer, Conversation, Provider
from pytest_appbench.processes import bubblewrap

pytestmark = pytest.mark.skipif(bool(bubblewrap.find().problem), reason="needs bubblewrap")

PAGE = """<!doctype html><html lang="en"><head><title>Counter</title></head><body><main>
<h1>Counter</h1><p role="status">0</p><button>Add one</button></main><script>
const own = 'OWN'
document.querySelector('button').onclick = async () => {
    const answer = await fetch('/count', {method: 'POST', body: own})
    document.querySelector('[role=status]').textContent = await answer.text()
}
</script></body></html>"""
SERVER = """
import collections, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
counts = collections.Counter()
class Handler(BaseHTTPRequestHandler):
    def answer(self, text):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())
    def do_GET(self):
        counts["pages"] += 1
        self.answer(open("page.html").read().replace("OWN", f"page {counts['pages']}"))
    def do_POST(self):
        name = self.rfile.read(int(self.headers["Content-Length"])).decode()
        counts[name] += 1
        self.answer(str(counts[name]))
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""
REPLY = f"#### `server.py`\n```python\n{SERVER}```\n#### `page.html`\n```html\n{PAGE}\n```\n"
RUN = {"serve": "exec python3 server.py"}


def said(conversation: Conversation) -> Answer:
    """The project, if the model was told how it will be run; without its server for one task."""
    told = "environment variable `PORT`" in conversation.system
    if not told or "- serve: `exec python3 server.py`" not in conversation.said:
        return Answer("How is it run?")
    broken = "(case broken)" in conversation.said
    return Answer(
        REPLY.replace("ThreadingHTTPServer((", "raise SystemExit(('no server',")
        if broken
        else REPLY
    )


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """A session in which a model wrote two projects."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("judged"))
    for name in ("works", "broken"):
        query = f"A counter. (case {name})"
        bench.task(
            name, app=None, checks=COUNTER_CHECKS, query=query, format="project", project=RUN
        )
    with Provider(said) as provider:
        environment = provider.environment(wait=0.2)
        bench.start("--appbench-generator=anthropic:claude-opus-4-8", environment=environment)
    return bench


def test_an_app_is_used_through_its_own_server(judged: SharedBenchmark) -> None:
    verdict = judged.verdict("works")
    assert verdict.passed, verdict
    assert verdict.attempted == ()
    assert judged.record("works").sandbox == bubblewrap.find().version


def test_an_app_whose_server_does_not_start_fails_by_its_own_fault(
    judged: SharedBenchmark,
) -> None:
    verdict = judged.verdict("broken")
    assert (verdict.status, verdict.cause, verdict.judge) == ("fail", "build", "builder")
    assert "the app's server ended (exit code 1) before it answered" in verdict.reasons[0].text
    assert "no server" in verdict.reasons[0].text


def test_it_is_not_opened_again_without_its_server(judged: SharedBenchmark) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest_appbench.cli",
            "view",
            str(judged.runs()[-1]),
            "works",
            "--headless",
        ],
        cwd=judged.root,
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "the app has a server of its own and cannot be opened from its files" in done.stderr
