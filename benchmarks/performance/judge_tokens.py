"""Prompt tokens of a judging with 15 actions, beside the accumulate-every-snapshot way.

The claim: at most a quarter. Both are counted in this run on shipped apps, by one ruler (characters
/ 4), and both carry the same standing instruction, request and source. Ours is what a model was
really sent: one script of 15 actions, one look, one verdict. The other way takes one action a turn
and keeps Playwright's accessibility snapshot of the page after each of them in the conversation.
Exit code 1 when the claim does not hold.

    python benchmarks/performance/judge_tokens.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from brains import concluded
from provider import Answer, Conversation, Provider, ToolUse

LIMIT = 0.25
ACTIONS = 15
TASKS = ("atom-builder", "lights-out", "water-log", "csv-lookup", "bar-chart-maker")
SCRIPT = f"""
const seen = await app.look();
const refs = [...new Set(seen.match(/\\be\\d+\\b/g) ?? [])];
for (let n = 0; n < {ACTIONS}; n++) {{
  try {{ await app.click(refs[n % refs.length]); }} catch (error) {{ print(String(error)); }}
}}
"""


def judge(conversation: Conversation) -> Answer:
    if conversation.turn == 1:
        return Answer(tools=[ToolUse("script", {"code": SCRIPT})])
    if conversation.turn == 2:
        return Answer(tools=[ToolUse("look", {})])
    return Answer(tools=[ToolUse("submit_verdict", concluded(conversation))])


def ours(name: str) -> list[Conversation]:
    """What a model was sent while it judged a shipped app."""
    with tempfile.TemporaryDirectory() as folder, Provider(judge) as provider:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["--appbench-judge=openai:gpt-4.1", "--appbench-screen=off"]
        command += ["--appbench-cache=off", f"--appbench-run-dir={folder}", "-k", name]
        subprocess.run(
            [*command, str(ROOT / "benchmarks")],
            cwd=ROOT,
            env={**os.environ, **provider.environment()},
            capture_output=True,
            check=False,
        )
        return list(provider.requests)


def snapshots(app: Path) -> list[str]:
    """The page's accessibility snapshot at the start and after each of the actions."""
    from playwright.sync_api import Error, sync_playwright

    from pytest_appbench.browser.launch import find_chromium

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=find_chromium().executable, args=arguments
        )
        page = browser.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(app.as_uri())
        body = page.locator("body")
        seen = [body.aria_snapshot()]
        controls = page.locator("button, a, input, select, canvas, [onclick]")
        for number in range(ACTIONS):
            with suppress(Error):  # covered, hidden or disabled: it looks again all the same
                controls.nth(number % max(1, controls.count())).click(timeout=500)
            seen.append(body.aria_snapshot())
        browser.close()
    return seen


def main() -> int:
    print(f"{'app':<16}{'ours':>10}{'accumulated':>14}{'ratio':>8}")
    ratios = []
    for name in TASKS:
        (app,) = (ROOT / "benchmarks").glob(f"*/apps/{name}/good/index.html")
        sent = ours(name)
        if len(sent) != 3:
            raise SystemExit(f"{name}: {len(sent)} turns instead of 3")
        tokens = sum(len(request.everything) + len(str(request.tools)) for request in sent) // 4
        standing = len(sent[0].everything) + len(str(sent[0].tools))
        kept, accumulated = standing, 0
        for snapshot in snapshots(app):
            kept += len(snapshot)
            accumulated += kept
        ratios.append(tokens / (accumulated // 4))
        print(f"{name:<16}{tokens:>10,}{accumulated // 4:>14,}{ratios[-1]:>8.2f}")
    worst = max(ratios)
    print(f"worst ratio: {worst:.2f} (at most {LIMIT})")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
