"""Judging in browsers that somebody else started: a Playwright server, a DevTools endpoint."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from kit import COUNTER, Benchmark, end_tree
from pytest_appbench.browser.launch import find_chromium
from pytest_appbench.reports.runfile import load

Remote = Callable[[Path], AbstractContextManager[str]]
ROUTING = "--appbench-guard=routing"
TRIES = """\
<script src="own.js"></script>
<script>
const there = '127.0.0.1:PORT'
fetch(`http://${there}/fetched`).catch(() => 0)
fetch(`http://other.app.localhost:PORT/own-domain`).catch(() => 0)
new WebSocket(`ws://${there}/socket`)
new Image().src = `http://${there}/image`
const text = `new WebSocket('ws://${there}/of-a-worker'); fetch('http://${there}/by-a-worker')`
new Worker(URL.createObjectURL(new Blob([text])))
</script></body>
"""
OWN_CHECK = '''

def check_static_its_own_files_arrive(page):
    """Scripts, folders and their queries are the app's own."""
    expect(page).to_have_title("own")
    text = "fetch('folder?a=1').then((answer) => answer.text())"
    assert page.evaluate(text) == "in the folder"
    page.goto(page.url + "folder?a=1")
    page.wait_for_url("**/folder/?a=1")
    expect(page.locator("body")).to_have_text("in the folder")
'''
HANGS = COUNTER.replace("++n)", "++n) && (() => { while (true); })()")


class Listener:
    """Counts who comes by."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.came: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                visitor, _ = self._socket.accept()
                with visitor:
                    self.came.append(visitor.recv(100))

    def close(self) -> None:
        """Listen no longer."""
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A server that no app may reach."""
    listener = Listener()
    yield listener
    listener.close()


@contextmanager
def started(command: list[str], pattern: str) -> Iterator[str]:
    """Run a program until the end of the block; gives what it says that matches."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            found = None
            while found is None:
                line = process.stdout.readline()
                assert line, f"{command[0]} ended with {process.wait()}"
                found = re.search(pattern, line)
            yield found[0]
            assert process.poll() is None, "the remote browser was ended"
        finally:
            end_tree(psutil.Process(process.pid))


@contextmanager
def playwright_server(folder: Path) -> Iterator[str]:
    """A Playwright server with a browser that was started without any rule of ours."""
    config = folder / "server.json"
    config.write_text(json.dumps({"executablePath": find_chromium().executable}))
    driver = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium"]
    with started([*driver, "--config", str(config)], r"ws://\S+") as url:
        yield url


@contextmanager
def devtools(folder: Path) -> Iterator[str]:
    """A Chromium that speaks the DevTools protocol."""
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    places = ["--remote-debugging-port=0", f"--user-data-dir={folder / 'profile'}", "--headless"]
    command = [find_chromium().executable, *places, *root, "about:blank"]
    with started(command, r"ws://[^/]+") as url:
        yield url.replace("ws:", "http:")


@pytest.mark.parametrize("remote", [playwright_server, devtools])
def test_a_remote_browser_judges_apps_and_keeps_them_in_by_routing(
    benchmark: Benchmark, listener: Listener, remote: Remote
) -> None:
    app = COUNTER.replace("</body>", TRIES.replace("PORT", str(listener.port)))
    benchmark.task(app=app)
    benchmark.write("bench/apps/counter/good/own.js", "document.title = 'own'")
    benchmark.write("bench/apps/counter/good/folder/index.html", "in the folder")
    checks = benchmark.root / "bench/checks/counter.py"
    checks.write_text(checks.read_text() + OWN_CHECK)
    benchmark.task("hangs", app=HANGS, checks=None)
    benchmark.task("after")
    with remote(benchmark.root) as url:
        arguments = (ROUTING, f"--appbench-browser-endpoint={url}", "--junitxml=report.xml")
        result = benchmark.run(*arguments)
    result.assert_outcomes(passed=2, failed=1)
    said = "/".join(url.split("/")[:3])
    result.stdout.fnmatch_lines([f"*guard routing*browser-endpoint {said} *"])
    verdict = benchmark.verdict()
    assert verdict.passed, verdict
    tried = {(one.kind, one.url.rpartition("/")[2]) for one in verdict.attempted}
    assert {("fetch", "fetched"), ("websocket", "socket"), ("image", "image")} <= tried
    assert ("fetch", "own-domain") in tried, "a port of ours that is not the server's is foreign"
    assert listener.came == []
    assert "hang: the page no longer answered" in result.stdout.str()
    assert {record.verdict and record.verdict.guard for record in benchmark.records()} == {
        "routing"
    }
    assert {one["appbench.guard"] for one in benchmark.properties().values()} == {"routing"}
    described = load(benchmark.runs()[-1]).file
    assert described is not None
    assert described.settings["guard"] == "routing"


def test_a_remote_browser_is_refused_unless_routing_will_do(benchmark: Benchmark) -> None:
    benchmark.task()
    result = benchmark.run("--appbench-browser-endpoint=ws://localhost:1/?token=hush")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*--appbench-browser-endpoint: the host rules*started without them*--appbench-guard=*"]
    )
    benchmark.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture(scope="session")
        def connect_options():
            return {"ws_endpoint": "ws://localhost:1/"}
        """,
    )
    result = benchmark.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*connect_options: the host rules*"])


def test_a_secret_of_the_endpoint_is_not_told(benchmark: Benchmark) -> None:
    benchmark.task()
    result = benchmark.run(
        ROUTING, "--appbench-browser-endpoint=ws://me:hush@localhost:1/hush?t=hush"
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no browser could be used at ws://localhost:1: *"])
    assert "hush" not in result.stdout.str()
    written = [path for path in benchmark.runs()[-1].rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if b"hush" in path.read_bytes()]


def test_routing_on_a_browser_of_this_machine_is_on_record(benchmark: Benchmark) -> None:
    benchmark.task()
    benchmark.run().assert_outcomes(passed=1)
    assert benchmark.verdict().guard == "full"
    benchmark.run(ROUTING).assert_outcomes(passed=1)
    verdict = benchmark.verdict()
    assert (verdict.guard, verdict.cached) == ("routing", False), "verdicts are kept by guard"
