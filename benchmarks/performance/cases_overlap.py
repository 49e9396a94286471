"""How far the model waits of the cases of one app overlap.

A model on loopback answers after 1 s; 16 cases take 3 turns each. One after the other their answers
alone would take 48 s. Both are measured in this run: the same session is judged with the cases side
by side as shipped, and with one at a time. The claim is that side by side takes less than a third.

Exit code 1 when the claim does not hold.

    python benchmarks/performance/cases_overlap.py [--cases 16] [--delay 1.0]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from provider import Answer, Conversation, Provider, ToolUse

SHARE = 1 / 3
MODEL = "anthropic:claude-opus-4-8"
APP = """<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>
<p role="status">0 orders</p><button>Add order</button></main><script>
let count = 0
document.querySelector("button").onclick = () =>
  (document.querySelector("p").textContent = ++count + " orders")
</script></html>"""
CONFTEST = """
import pytest_appbench.judges.protocols.cases as cases
cases.SIDE_BY_SIDE = {most}
"""
CLICK = {"actions": [{"do": "click", "with": [{"text": "Add order"}]}]}


class Judge:
    """Writes cases at once; clicks, looks, and passes each. Remembers when cases were asked for.

    Args:
        cases: How many to write.
        delay: Seconds before each answer to a case.
    """

    def __init__(self, cases: int, delay: float) -> None:
        self.cases, self.delay = cases, delay
        self.begun: list[float] = []

    def __call__(self, conversation: Conversation) -> Answer:
        """What it answers."""
        if any(tool["name"] == "submit_cases" for tool in conversation.tools):
            return Answer(tools=[ToolUse("submit_cases", {"cases": self._cases()})])
        self.begun.append(time.monotonic())
        return Answer(tools=[self._next(conversation)], delay=self.delay)

    def _cases(self) -> list[dict[str, Any]]:
        return [
            {
                "name": f"order {number}",
                "feature": 1,
                "dimension": "dynamic",
                "steps": [f"Add an order, number {number}."],
                "expected": "It is counted.",
            }
            for number in range(1, self.cases + 1)
        ]

    @staticmethod
    def _next(conversation: Conversation) -> ToolUse:
        if conversation.turn == 1:
            return ToolUse("act", CLICK)
        if conversation.turn == 2:
            return ToolUse("look", {})
        step = re.findall(r"^#(\d+) click", conversation.everything, re.MULTILINE)[-1]
        cited = {"source": "step", "where": step, "quote": "orders"}
        return ToolUse("submit_case", {"result": "pass", "observed": "ok", "evidence": [cited]})


def measure(cases: int, delay: float, most: int | None) -> float:
    """Seconds from the first question about a case to the end of the last case.

    Args:
        cases: How many.
        delay: Of the model.
        most: How many side by side, or None as shipped.
    """
    judge = Judge(cases, delay)
    with tempfile.TemporaryDirectory() as name, Provider(judge) as provider:
        folder = Path(name)
        app = folder / "apps" / "orders" / "good" / "index.html"
        app.parent.mkdir(parents=True)
        app.write_text(APP, encoding="utf-8")
        (folder / "orders.task.yaml").write_text(
            "id: orders\ndomain: tools\nquery: Count orders.\nprotocol: cases\n"
            "features: [Orders are counted.]\n",
            encoding="utf-8",
        )
        if most is not None:
            (folder / "conftest.py").write_text(CONFTEST.format(most=most), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
        command += [f"--appbench-judge={MODEL}", "--appbench-screen=off", "--appbench-cache=off"]
        command += ["--appbench-capture=off", "."]
        environment = {**os.environ, **provider.environment()}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0 or len(judge.begun) != 3 * cases:
            raise SystemExit(f"{len(judge.begun)} answers\n{done.stdout[-3000:]}{done.stderr}")
    return max(judge.begun) + delay - min(judge.begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=16)
    parser.add_argument("--delay", type=float, default=1.0)
    options = parser.parse_args()
    beside = measure(options.cases, options.delay, None)
    after = measure(options.cases, options.delay, 1)
    ratio = beside / after
    print(
        f"{options.cases} cases of 3 turns, answers after {options.delay:g} s: {beside:.1f} s side "
        f"by side, {after:.1f} s one after the other: {ratio:.2f} (below {SHARE:.2f})"
    )
    return 0 if ratio < SHARE else 1


if __name__ == "__main__":
    raise SystemExit(main())
