"""What the HTML report costs its reader: time to open, time to filter, size.

The claims: a report of 500 attempts, each with a trajectory of 60 steps, opens in Chromium in under
1.5 s, filters in under 100 ms and is under 15 MB without screenshots. The floor is measured in the
same run: an empty page for opening, and for filtering a plain table of as many rows whose rows are
hidden one by one, as a page without our script would do it. Opening ends when the list is drawn and
laid out; filtering ends after layout. The figures are medians. Exit code 1 when a claim does not
hold.

    python benchmarks/performance/report.py [--attempts 500] [--times 7]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from playwright.sync_api import Browser, Page, sync_playwright

from pytest_appbench.browser.launch import find_chromium, guard_arguments
from pytest_appbench.reports.html import write
from reportkit import synthetic_run

OPEN_MS, FILTER_MS, MOST_MB = 1_500.0, 100.0, 15.0
WORDS = ("games", "task-01", "outcome:fail level:hard", "nothing-like-that", "")
EMPTY = "<!doctype html><title>empty</title><p id=found>0"
PLAIN = """<!doctype html><title>plain</title><input id=q><table><tbody id=rows>{rows}</table>
<script>
q.oninput = () => {{ for (const row of rows.rows) row.hidden = !row.textContent.includes(q.value) }}
</script>"""
FILTER = """(words) => {
  const input = document.getElementById('q');
  const begun = performance.now();
  input.value = words;
  input.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  return performance.now() - begun;
}"""


def opening(browser: Browser, page_file: Path) -> float:
    """Milliseconds until a page is there and laid out, in a context of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(page_file.as_uri())
    page.wait_for_function(
        "document.getElementById('found').textContent && document.body.offsetHeight"
    )
    took = (time.perf_counter() - begun) * 1000
    context.close()
    return took


def filtering(page: Page) -> list[tuple[float, float]]:
    """Milliseconds of each filtering, by the clock and of the page's own thread."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def used() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        seconds = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
        return float(seconds) * 1000

    found = []
    for words in WORDS:
        before = used()
        took = float(page.evaluate(FILTER, words))
        found.append((took, used() - before))
    devtools.detach()
    return found


def repeated(times: int, measure: Callable[[], float]) -> float:
    """The median, after one round to warm up."""
    measure()
    return median(measure() for _ in range(times))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attempts", type=int, default=500)
    parser.add_argument("--times", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        run = synthetic_run(folder / "runs", options.attempts)
        begun = time.process_time()
        report = write(folder / "report.html", run)
        wrote = time.process_time() - begun
        empty, plain = folder / "empty.html", folder / "plain.html"
        empty.write_text(EMPTY, encoding="utf-8")
        row = "<tr><td>fail<td>task-{:04}<td>games hard<td>0.91<td>0.42<td>0.87<td>made-up<td>12 s"
        rows = "".join(row.format(number) for number in range(options.attempts))
        plain.write_text(PLAIN.format(rows=rows), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=find_chromium().executable, args=guard_arguments(9)
        )
        opened = repeated(options.times, lambda: opening(browser, report))
        floor = repeated(options.times, lambda: opening(browser, empty))
        worst = []
        for file in (report, plain):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(file.as_uri())
            rounds = [filtering(page) for _ in range(options.times + 1)][1:]
            worst.append(
                [
                    max(median(one[i][kind] for one in rounds) for i in range(len(WORDS)))
                    for kind in (0, 1)
                ]
            )
            page.close()
        browser.close()
        size = report.stat().st_size / 1e6
    print(f"{options.attempts} attempts of 60 steps, written in {wrote:.1f} s of CPU time")
    print(f"size    {size:6.2f} MB (below {MOST_MB:g} MB)")
    print(
        f"open    {opened:6.0f} ms (below {OPEN_MS:g} ms); an empty page {floor:.0f} ms; "
        f"ratio {opened / floor:.1f}"
    )
    (took, used), (plain_took, plain_used) = worst
    print(
        f"filter  {took:6.1f} ms for the slowest of {len(WORDS)} (below {FILTER_MS:g} ms), "
        f"{used:.1f} ms of it CPU time; a plain table {plain_took:.1f} ms, {plain_used:.1f} ms; "
        f"ratio {took / max(plain_took, 0.1):.1f}"
    )
    print(f"load    {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, others included")
    return 0 if size < MOST_MB and opened < OPEN_MS and took < FILTER_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
