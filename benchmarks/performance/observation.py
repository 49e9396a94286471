"""What one look at a page tells, what it costs, and how long it takes to look and act.

Ten pages of `pages/` are looked at by us, by Playwright's aria snapshot in AI mode, and by
`@playwright/mcp`, in one run. The facts in `pages/facts.yaml` were written down from pictures of
the pages before any observation of them was seen; recall is the share of them that the text of a
look holds, by the same patterns for all three. Tokens are counted by one offline tokenizer,
o200k_base as in the package `rs-bpe`; without that package, by characters / 4, which is said.

The claims:

1. On every page our recall is 100 %, and never below either other.
2. Our looks have at most half the tokens of MCP's, summed over the pages.
3. Looking and acting (a press, and being told what came of it) takes at most a quarter of MCP's
   time.

Exit code 1 when one does not hold. MCP needs Node and `npm install @playwright/mcp` in the folder
given with --mcp; without it, only the first is decided, against the aria snapshot.

    python benchmarks/performance/observation.py [--mcp FOLDER] [--missed] [PAGE ...]
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import yaml
from judge_loop import mcp_server

from pytest_appbench.artifacts.store import Store
from pytest_appbench.browser.hands import Hands
from pytest_appbench.standalone import equipped

PAGES = Path(__file__).parent / "pages"
SIZE = (1280, 720)
TOKENS_SHARE = 0.5
TIME_SHARE = 0.25
ROUNDS = 5
ACTS = {
    "board": "Only Mei",
    "calendar": "Week",
    "chart": "Quarter",
    "dashboard": "Keep their reviews",
    "form": "Save draft",
    "game": "Easy",
    "react": "Family favourite",
    "shadow": "Kit",
    "table": "Send reminder",
    "todo": "Plan Monday's standup",
}
"""What is pressed on each page, by the text that names it."""


@dataclass(frozen=True)
class Seen:
    """One way's look at one page.

    Attributes:
        text: What the look told.
        looking: Seconds of a look, the median.
        acting: Seconds of a press with what came of it, the median; None if it was refused.
        cpu: CPU seconds of a look and a press, browser and helpers included.
    """

    text: str
    looking: float
    acting: float | None
    cpu: float


@dataclass(frozen=True)
class Fact:
    """Something a person sees on a page, and what a text must hold to tell it."""

    page: str
    text: str
    everywhere: tuple[re.Pattern[str], ...]
    near: tuple[re.Pattern[str], ...]

    def is_in(self, text: str) -> bool:
        """Whether a text tells it: `all` somewhere, `line` together in two adjacent lines."""
        if not all(pattern.search(text) for pattern in self.everywhere):
            return False
        lines = [line for line in text.split("\n") if line.strip()]
        windows = ["\n".join(lines[n : n + 2]) for n in range(len(lines))]
        return not self.near or any(
            all(pattern.search(window) for pattern in self.near) for window in windows
        )


def read_facts() -> list[Fact]:
    def patterns(needs: dict[str, list[str]], name: str) -> tuple[re.Pattern[str], ...]:
        flags = re.IGNORECASE | re.MULTILINE
        return tuple(re.compile(one, flags) for one in needs.get(name, []))

    data = yaml.safe_load((PAGES / "facts.yaml").read_text(encoding="utf-8"))
    return [
        Fact(
            one["page"], one["fact"], patterns(one["needs"], "all"), patterns(one["needs"], "line")
        )
        for one in data["facts"]
    ]


def make_counter() -> tuple[Callable[[str], int], str]:
    """Counts tokens, and the name of the ruler."""
    try:
        from rs_bpe import openai
    except ImportError:
        return (lambda text: len(text) // 4), "characters / 4, as rs-bpe is not installed"
    count: Callable[[str], int] = openai.o200k_base().count
    return count, "o200k_base of rs-bpe"


def cpu_of_all(root: psutil.Process) -> float:
    total = 0.0
    for process in (root, *root.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def measure(look: Callable[[], str], act: Callable[[str], None] | None, root: int) -> Seen:
    """Looks once for the text, then looks and acts some times for the time it takes."""
    text, process = look(), psutil.Process(root)
    looks: list[float] = []
    acts: list[float] = []
    before = cpu_of_all(process)
    for _ in range(ROUNDS):
        began = time.perf_counter()
        now = look()
        looks.append(time.perf_counter() - began)
        if act is not None:
            began = time.perf_counter()
            act(now)
            acts.append(time.perf_counter() - began)
    cpu = (cpu_of_all(process) - before) / ROUNDS
    return Seen(text, statistics.median(looks), statistics.median(acts) if acts else None, cpu)


def ours(pages: list[str]) -> dict[str, Seen]:
    seen = {}
    with tempfile.TemporaryDirectory() as folder, equipped() as equipment:
        store = Store(Path(folder))
        for page in pages:
            artifact = store.add(PAGES / page, origin=f"page:{page}")
            opened = equipment.sessions(0, SIZE).open(clock=True)
            with equipment.site(artifact) as url, opened as session:
                session.open(url)
                hands = Hands(session, url)

                def act(_: str, hands: Hands = hands, page: str = page) -> None:
                    hands.call("click", [{"text": ACTS[page]}])

                def look(hands: Hands = hands) -> str:
                    return str(hands.call("look", []))

                seen[page] = measure(look, act, os.getpid())
    return seen


@contextmanager
def served() -> Iterator[str]:
    """The pages on loopback, for those who bring their own browser."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=str(PAGES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def aria(pages: list[str], site: str) -> dict[str, Seen]:
    from playwright.sync_api import sync_playwright

    from pytest_appbench.browser.launch import find_chromium

    seen = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium().executable, args=["--no-sandbox"]
        )
        for name in pages:
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
            page.goto(f"{site}/{name}/")

            def look(page: Any = page) -> str:
                return str(page.aria_snapshot(mode="ai"))

            def act(_: str, page: Any = page, name: str = name) -> None:
                page.get_by_text(ACTS[name], exact=True).first.click(timeout=3000)
                page.aria_snapshot(mode="ai")

            seen[name] = measure(look, act, os.getpid())
            page.close()
        browser.close()
    return seen


def mcp(pages: list[str], site: str, folder: Path) -> dict[str, Seen]:
    seen = {}
    with mcp_server(folder) as call:
        call("browser_resize", {"width": SIZE[0], "height": SIZE[1]})
        for page in pages:
            call("browser_navigate", {"url": f"{site}/{page}/"})

            def look() -> str:
                return call("browser_snapshot", {})

            def act(now: str, page: str = page) -> None:
                found = re.search(rf"{re.escape(ACTS[page])}[^\n]*?\[ref=(\w+)\]", now)
                found = found or re.search(rf"\[ref=(\w+)\][^\n]*{re.escape(ACTS[page])}", now)
                if found is None:
                    raise LookupError(f"{page}: MCP names nothing {ACTS[page]!r}")
                ref = found.group(1)
                told = call("browser_click", {"element": ACTS[page], "ref": ref, "target": ref})
                if "### Error" in told:
                    raise LookupError(f"{page}: {told[:300]}")

            seen[page] = measure(look, act, os.getpid())
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--mcp", type=Path, metavar="FOLDER")
    parser.add_argument("--missed", action="store_true", help="list the facts that we miss")
    parser.add_argument("--show", action="store_true", help="print our looks")
    options = parser.parse_args()
    facts, (count, ruler) = read_facts(), make_counter()
    pages = options.pages or sorted({fact.page for fact in facts})
    with served() as site:
        ways = {"ours": ours(pages), "aria": aria(pages, site)}
        if options.mcp is not None:
            ways["mcp"] = mcp(pages, site, options.mcp.resolve())
    print(f"tokens by {ruler}; recall of facts; ms to look and to act; ms of CPU for both\n")
    print(f"{'page':<11}{'facts':>6}" + "".join(f"{name:>34}" for name in ways))
    is_best, misses = True, []
    for page in pages:
        known = [fact for fact in facts if fact.page == page]
        line, shares = f"{page:<11}{len(known):>6}", {}
        for name, way in ways.items():
            seen = way[page]
            held = [fact for fact in known if fact.is_in(seen.text)]
            shares[name] = len(held) / len(known)
            acting = f"{seen.acting * 1000:>6.0f}" if seen.acting is not None else f"{'-':>6}"
            line += f"{count(seen.text):>9}{shares[name]:>7.0%}{seen.looking * 1000:>6.0f}"
            line += f"{acting}{seen.cpu * 1000:>6.0f}"
            if name == "ours":
                misses += [fact for fact in known if fact not in held]
        is_best &= shares["ours"] == 1 and shares["ours"] >= max(shares.values())
        print(line)
    if options.show:
        for page in pages:
            print(f"\n===== {page}\n{ways['ours'][page].text}")
    if options.missed and misses:
        print("\nwhat our looks do not tell:")
        for fact in misses:
            print(f"  {fact.page:<10} {fact.text}")
    tokens = {name: sum(count(seen.text) for seen in way.values()) for name, way in ways.items()}
    spent = {
        name: sum(seen.looking + (seen.acting or 0) for seen in way.values())
        for name, way in ways.items()
    }
    total = sum(fact.page in pages for fact in facts)
    print(f"\nours holds {total - len(misses)} of {total} facts")
    verdicts = [is_best]
    for name in [name for name in ways if name != "ours"]:
        fewer, faster = tokens["ours"] / tokens[name], spent["ours"] / spent[name]
        print(
            f"ours to {name}: {fewer:.2f} of the tokens, {faster:.2f} of the time to look and act"
        )
        if name == "mcp":
            verdicts += [fewer <= TOKENS_SHARE, faster <= TIME_SHARE]
    print("claims hold" if all(verdicts) else "NOT all claims hold")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
