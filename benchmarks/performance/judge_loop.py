"""How well judgings overlap, and what a turn costs beside the same loop over `@playwright/mcp`.

Two claims, both measured in this run with a model on loopback:

1. With a model that answers after 1 s, 32 judgings of 8 turns by 8 workers keep at least 85 % of
   the 8 calls under way that would be ideal, from the first call to the last answer. It is the
   median of three runs, since the 8 workers share the machine with their browsers.
2. A turn (ask the model, click, tell what changed) takes less CPU in the harness than the same
   turn of an agent that drives `@playwright/mcp` and sends every snapshot along. What a turn costs
   is the difference between a long and a short judging, so that starting up does not count; they
   are medians of seven judgings of each kind, in turn.

Exit code 1 when a claim does not hold. The second needs Node and `npm install @playwright/mcp`
in the folder given with --mcp; without it, only our own figure is printed.

    python benchmarks/performance/judge_loop.py [--mcp FOLDER] [--judgings 32] [--turns 8]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from provider import Answer, Conversation, Provider, ToolUse

WORKERS = 8
SHARE = 0.85
RUNS = 3
SHORT, LONG, ROUNDS = 4, 24, 7
MODEL = "openai:gpt-4.1"
ROWS = "".join(
    f"<tr><td>Item {n}</td><td>{n * 7 % 97}</td><td><button>Buy {n}</button></td></tr>"
    for n in range(40)
)
APP = f"""<!doctype html><html lang="en"><title>Orders</title><h1>Orders</h1><p id="n">0 orders</p>
<button>Add order</button><ul></ul><table>{ROWS}</table><script>
let count = 0
document.querySelector("button").onclick = () => {{
  document.querySelector("p").textContent = ++count + " orders"
  document.querySelector("ul").append(Object.assign(document.createElement("li"),
    {{ textContent: "Order " + count }}))
}}
</script></html>"""
CLICK = {"actions": [{"do": "click", "with": [{"text": "Add order"}]}]}


def judge(turns: int) -> Callable[[Conversation], Answer]:
    """A judge that clicks until its last turn, and then passes the app."""

    def brain(conversation: Conversation) -> Answer:
        if conversation.turn < turns:
            return Answer(tools=[ToolUse("act", CLICK)])
        title = {"source": "file", "where": "index.html", "quote": "<title>Orders</title>"}
        step = re.findall(r"^#(\d+) click", conversation.everything, re.MULTILINE)[-1]
        done = {"source": "step", "where": step, "quote": "orders"}
        given = {
            name: {"score": 0.9, "reason": "it does", "evidence": [cited]}
            for name, cited in (("intention", title), ("static", title), ("dynamic", done))
        }
        return Answer(tools=[ToolUse("submit_verdict", given)])

    return brain


def write_benchmark(folder: Path, count: int) -> None:
    for number in range(count):
        app = folder / "apps" / f"orders-{number}" / "good" / "index.html"
        app.parent.mkdir(parents=True)
        app.write_text(APP, encoding="utf-8")
    tasks = [
        f"---\nid: orders-{number}\ndomain: tools\nquery: Count orders.\n"
        for number in range(count)
    ]
    (folder / "orders.task.yaml").write_text("".join(tasks), encoding="utf-8")


def run_pytest(folder: Path, provider: Provider, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", "-q", f"--appbench-judge={MODEL}"]
    command += ["--appbench-screen=off", "--appbench-cache=off", "-p", "no:cacheprovider"]
    environment = {**os.environ, **provider.environment()}
    return subprocess.Popen(
        [*command, *arguments, "."], cwd=folder, env=environment, stdout=subprocess.PIPE
    )


def overlap(judgings: int, turns: int) -> float:
    """The share of the ideal number of calls under way."""
    starts: list[float] = []

    def timed(conversation: Conversation) -> Answer:
        starts.append(time.monotonic())
        return judge(turns)(conversation)

    with tempfile.TemporaryDirectory() as name, Provider(timed, delay=1.0) as provider:
        write_benchmark(Path(name), judgings)
        options = ("-n", str(WORKERS), "--dist", "worksteal")
        process = run_pytest(Path(name), provider, *options)
        output, _ = process.communicate()
        if process.returncode != 0 or len(starts) != judgings * turns:
            raise SystemExit(f"{len(starts)} calls\n{output.decode()[-3000:]}")
    window = max(starts) + 1.0 - min(starts)
    share = len(starts) / (WORKERS * window)
    print(
        f"{judgings} judgings of {turns} turns by {WORKERS} workers: {window:.1f} s from first "
        f"call to last answer, ideal {len(starts) / WORKERS:.1f} s: {share:.1%}"
    )
    return share


class Meter:
    """Adds up the CPU of a process and all that it starts, apart for browsers."""

    def __init__(self, pid: int) -> None:
        self._root = psutil.Process(pid)
        self._seen: dict[tuple[int, float], tuple[float, bool]] = {}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            try:
                tree = [self._root, *self._root.children(recursive=True)]
            except psutil.Error:
                return
            for process in tree:
                try:
                    times, key = process.cpu_times(), (process.pid, process.create_time())
                    known = self._seen.get(key)
                    browser = known[1] if known else "chrom" in process.name()
                    self._seen[key] = times.user + times.system, browser
                except psutil.Error:
                    continue

    def stop(self) -> tuple[float, float]:
        """CPU seconds of the harness and of browsers."""
        self._done.set()
        self._thread.join()
        harness = sum(cpu for cpu, browser in self._seen.values() if not browser)
        return harness, sum(cpu for cpu, browser in self._seen.values() if browser)


def ours(turns: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name, Provider(judge(turns), delay=0.05) as provider:
        write_benchmark(Path(name), 1)
        limits = (f"--appbench-max-turns={turns + 2}", "-p", "no:xdist")
        process = run_pytest(Path(name), provider, *limits)
        meter = Meter(process.pid)
        output, _ = process.communicate()
        if process.returncode != 0:
            raise SystemExit(output.decode()[-3000:])
        return meter.stop()


def theirs(turns: int, mcp: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "index.html"
        page.write_text(APP, encoding="utf-8")

        def brain(conversation: Conversation) -> Answer:
            return Answer(tools=[ToolUse("browser_click", {})])

        with Provider(brain, delay=0.05) as provider:
            process = subprocess.Popen(
                [sys.executable, __file__, "--loop", str(turns), "--mcp", str(mcp), name],
                env={**os.environ, **provider.environment()},
                stdout=subprocess.PIPE,
            )
            meter = Meter(process.pid)
            output, _ = process.communicate()
            if process.returncode != 0:
                raise SystemExit(output.decode()[-3000:])
            return meter.stop()


@contextmanager
def mcp_server(folder: Path) -> Iterator[Callable[[str, dict[str, Any]], str]]:
    """Starts `@playwright/mcp`; yields a function that calls one of its tools."""
    from pytest_appbench.browser.launch import find_chromium

    command = ["node", str(folder / "node_modules/@playwright/mcp/cli.js"), "--headless"]
    command += ["--isolated", "--no-sandbox", "--executable-path", find_chromium().executable]
    command += ["--allow-unrestricted-file-access"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    count = 0

    def send(method: str, params: dict[str, Any], *, answered: bool = True) -> dict[str, Any]:
        nonlocal count
        count += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        message |= {"id": count} if answered else {}
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        while answered:
            answer: dict[str, Any] = json.loads(server.stdout.readline())
            if answer.get("id") == count:
                return answer
        return {}

    client = {"name": "judge-loop", "version": "1"}
    send(
        "initialize",
        {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client},
    )
    send("notifications/initialized", {}, answered=False)

    def call(tool: str, arguments: dict[str, Any]) -> str:
        answer = send("tools/call", {"name": tool, "arguments": arguments})
        return "\n".join(part.get("text", "") for part in answer["result"]["content"])

    yield call
    server.terminate()
    server.wait()


def accumulate(turns: int, mcp: Path, page: Path) -> None:
    """The peer: an agent that clicks by MCP and keeps every snapshot in its conversation."""
    import asyncio
    import http.server

    from openai import AsyncOpenAI

    handler = http.server.SimpleHTTPRequestHandler
    handler.log_message = lambda *_: None  # type: ignore[method-assign]
    os.chdir(page)
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    tool: Any = {"name": "browser_click", "parameters": {"type": "object", "properties": {}}}

    async def talk(call: Callable[[str, dict[str, Any]], str]) -> None:
        client = AsyncOpenAI()
        url = f"http://127.0.0.1:{site.server_port}/"
        seen = call("browser_navigate", {"url": url}) + call("browser_snapshot", {})
        messages: list[Any] = [{"role": "user", "content": f"Test this app.\n{seen}"}]
        for _ in range(turns - 1):
            answer = await client.chat.completions.create(
                model="gpt-4.1",
                messages=messages,
                tools=[{"type": "function", "function": tool}],
            )
            said = answer.choices[0].message
            found = re.search(r'button "Add order"[^\n]*\[ref=(\w+)\]', seen)
            assert found, seen
            now = call(
                "browser_click",
                {"element": "Add order", "ref": found.group(1), "target": found.group(1)},
            )
            assert "### Error" not in now, now
            messages += [said.model_dump(exclude_none=True)]
            assert said.tool_calls
            messages += [{"role": "tool", "tool_call_id": said.tool_calls[0].id, "content": now}]

    with mcp_server(mcp) as call:
        asyncio.run(talk(call))


Measure = Callable[[int], tuple[float, float]]


def per_turn(*measures: Measure) -> list[tuple[float, float]]:
    """CPU of a turn in ms, of harness and browser, by each measure.

    Medians of many judgings, short and long, ours and theirs in turn: what starting up costs, and
    how fast a machine is from minute to minute, differs by more than a turn costs.
    """
    totals: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for _ in range(ROUNDS):
        for turns in (SHORT, LONG):
            for number, measure in enumerate(measures):
                totals.setdefault((number, turns), []).append(measure(turns))

    def turn(number: int, part: int) -> float:
        short, long = (median(one[part] for one in totals[number, n]) for n in (SHORT, LONG))
        return (long - short) / (LONG - SHORT) * 1000

    return [(turn(number, 0), turn(number, 1)) for number in range(len(measures))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judgings", type=int, default=32)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--mcp", type=Path)
    parser.add_argument("--loop", type=int, help=argparse.SUPPRESS)
    parser.add_argument("page", type=Path, nargs="?", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.loop:
        accumulate(options.loop, options.mcp.resolve(), options.page)
        return 0
    share = median(overlap(options.judgings, options.turns) for _ in range(RUNS))
    print(f"overlap: {share:.1%} of the ideal concurrency (at least {SHARE:.0%})")
    mcp = options.mcp and options.mcp.resolve()
    peers: list[Measure] = [lambda turns: theirs(turns, mcp)] if mcp else []
    (harness, browser), *found = per_turn(ours, *peers)
    print(f"CPU of a turn: harness {harness:.0f} ms, browser {browser:.0f} ms")
    if not found:
        print("no --mcp folder, so no peer was measured")
        return 0 if share >= SHARE else 1
    ((peer, peer_browser),) = found
    print(f"the same over @playwright/mcp: harness {peer:.0f} ms, browser {peer_browser:.0f} ms")
    print(f"ratio of the harnesses: {harness / peer:.2f} (below 1)")
    return 0 if share >= SHARE and harness < peer else 1


if __name__ == "__main__":
    raise SystemExit(main())
