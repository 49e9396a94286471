"""Apps that hang, flood, grow and crash, judged in one session with apps that only look like it.

Each is a counter that works, and does something besides. What nobody could use fails with its cause
named, what works passes, and nothing of one app is left when the next one is judged.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import psutil
import pytest

from kit import COUNTER, SharedBenchmark

TICKING = "setInterval(() => { for (let i = 0; i < 100; i++) %s; }, 0);"
LATER = "addEventListener('load', () => setTimeout(() => { %s }))"
NESTED = """let node = document.createElement('div');
    node.hidden = %s;
    document.body.append(node);
    for (let i = 0; i < 5000; i++) {
        const inner = document.createElement('div');
        node.append(inner);
        node = inner;
    }
    node.textContent = 'deep';"""

HOSTILE = {
    "endless-loop": (LATER % "while (true);", "hangs|before anybody uses it, .* not answer"),
    "endless-promises": (
        LATER % "const again = () => Promise.resolve().then(again); again();",
        "hangs|before anybody uses it, .* not answer",
    ),
    "endless-requests": (
        LATER % "for (;;) { const r = new XMLHttpRequest(); r.open('GET', '/', false); r.send(); }",
        "hangs|before anybody uses it, .* not answer",
    ),
    "slow-frames": (
        "const burn = () => { const end = performance.now() + 20000;"
        "while (performance.now() < end); requestAnimationFrame(burn); };"
        "requestAnimationFrame(burn)",
        "hangs|before anybody uses it, .* not answer",
    ),
    "alerts": ("setInterval(() => alert('again'), 0)", "opens dialogs without end.*again"),
    "console": (TICKING % "console.error('line', i)", "floods the console"),
    "exceptions": (TICKING % "reportError(new Error('no'))", "throws without end.*Error: no"),
    "windows": (
        """setInterval(() => {
            open('/x');
            const link = document.createElement('a');
            link.target = '_blank';
            link.href = '/y';
            link.click();
        }, 0)""",
        "opens windows without end",
    ),
    "downloads": (
        """setInterval(() => {
            const link = document.createElement('a');
            link.download = 'data.csv';
            link.href = URL.createObjectURL(new Blob(['1,2']));
            link.click();
        }, 20)""",
        "starts downloads without end",
    ),
    "navigation": ("setTimeout(() => { location.search = Math.random() }, 20)", "loading itself"),
    "leaving": (
        "setInterval(() => { location = 'http://else.test/' + Math.random() }, 1)",
        "leave for other sites without",
    ),
    "history": (TICKING % "history.pushState(i, '', '#' + i)", "fills the history"),
    "permissions": ("setInterval(() => Notification.requestPermission(), 5)", "for permissions"),
    "growth": (
        "const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 10)",
        "MB of memory, more than the 1,024 MB",
    ),
    "endless-objects": ("const all = []; for (;;) all.push({ a: [1, 2, 3] })", "of memory|hangs"),
    "large-canvas": (
        """const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 16384;
        document.body.append(canvas);
        const context = canvas.getContext('2d');
        setInterval(() => context.fillRect(0, 0, 16384, 16384), 16);""",
        "of memory|hangs|not answer",
    ),
    "long-text": ("document.body.append('lorem ipsum '.repeat(4.4e6))", "of memory|hangs"),
    "million-nodes": (
        "for (let i = 0; i < 1e6; i++) document.body.append(document.createElement('p'))",
        "of memory|hangs|elements, more than",
    ),
    "deep-layout": (NESTED % "false", "crashes while it loads"),
}
WELL = {
    "many-listeners": """const grid = document.createElement('div');
        for (let i = 0; i < 500; i++) {
            const cell = document.createElement('i');
            for (let k = 0; k < 20; k++) cell.addEventListener('pointerdown', () => { cell.title = k });
            grid.append(cell);
        }
        document.body.append(grid);""",
    "deep-dom": NESTED % "true",
    "plain-frames": "const next = () => requestAnimationFrame(next); next()",
    "busy-worker": "new Worker(URL.createObjectURL(new Blob(['while (true);'])))",
    "lost-webgl": """const canvas = document.createElement('canvas');
        document.body.append(canvas);
        canvas.getContext('webgl')?.getExtension('WEBGL_lose_context').loseContext();""",
    "leaving-handlers": """
        addEventListener('beforeunload', (event) => { event.returnValue = 'stay'; });
        addEventListener('pagehide', () => { while (true); });""",
    "service-worker": "navigator.serviceWorker.register('/sw.js').then((own) => own.scope)",
    "closing": "close(); print(); navigator.geolocation.getCurrentPosition(() => 0)",
    "watcher": "if (navigator.webdriver) document.querySelector('h1').textContent = 'robot'",
    "zz-untouched": "",
}
CHECKS = '''\
from playwright.sync_api import expect


def check_intention_counts(page):
    """A press counts."""
    page.get_by_role("button", name="Add one").click()
    expect(page.get_by_role("status")).to_have_text("1")


def check_static_is_what_a_person_sees(page):
    """The heading is the counter's."""
    expect(page.get_by_role("heading", name="Counter")).to_be_visible()


def check_dynamic_counts_on(page):
    """Twice is two."""
    page.get_by_role("button", name="Add one").dblclick()
    expect(page.get_by_role("status")).to_have_text("2")
'''
# Before each task: which renderers are there although none should be, and which processes ran.
WATCHER = """\
import time

import psutil
import pytest


def descendants():
    for process in psutil.Process().children(recursive=True):
        try:
            yield process, "--type=renderer" in process.cmdline()
        except psutil.Error:
            continue


def left():
    for _ in range(200):
        found = [process.pid for process, is_renderer in descendants() if is_renderer]
        if not found:
            break
        time.sleep(0.05)
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    with open("left.txt", "a") as file:
        print(item.name, *left(), file=file)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    with open("ran.txt", "a") as file:
        for process, _ in descendants():
            print(process.pid, process.create_time(), file=file)
"""

DROWNING = {
    "worker-console": "new Worker(URL.createObjectURL(new Blob(['for (;;) console.log(1)'])))",
}
"""What drowns a browser or does not, as fast as the machine is."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> SharedBenchmark:
    """All apps, judged by the probe in one session of one process."""
    bench = SharedBenchmark(tmp_path_factory.mktemp("hostile"))
    bench.write("conftest.py", WATCHER)
    scripts = {name: script for name, (script, _) in HOSTILE.items()} | WELL | DROWNING
    for name, script in scripts.items():
        app = COUNTER.replace("</body>", f"<script>{{ {script} }}</script></body>")
        bench.task(name, app=app, checks=CHECKS)
    # Chromium itself crashes now and then under such treatment: an error, which one runs again.
    again = ("--reruns", "2", "--only-rerun", "BrowserUnavailable")
    bench.start("bench", "--appbench-cache=off", *again, environment={})
    return bench


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_app_fails_with_its_cause_named(judged: SharedBenchmark, name: str) -> None:
    verdict = judged.verdict(name)
    assert (verdict.status, verdict.cause) == ("fail", "load"), verdict.findings
    assert re.search(HOSTILE[name][1], verdict.reasons[0].text), verdict.reasons
    assert verdict.seconds < 120


@pytest.mark.parametrize("name", WELL)
def test_an_app_that_works_passes_beside_them(judged: SharedBenchmark, name: str) -> None:
    verdict = judged.verdict(name)
    assert verdict.status == "pass", verdict.reasons
    assert [finding for finding in verdict.findings if finding.severity == "fault"] == []


@pytest.mark.parametrize("name", DROWNING)
def test_an_app_that_may_drown_its_browser_is_judged_all_the_same(
    judged: SharedBenchmark, name: str
) -> None:
    verdict = judged.verdict(name)
    told = [reason.text for reason in verdict.reasons]
    told += [cited.quote for reason in verdict.reasons for cited in reason.evidence]
    slow = re.compile("not answer|hangs|Timeout .* exceeded")
    assert verdict.status == "pass" or any(map(slow.search, told)), verdict.reasons


def test_what_they_asked_for_is_told(judged: SharedBenchmark) -> None:
    def asked(name: str) -> set[str]:
        return {f"{one.kind} {one.url}".strip() for one in judged.verdict(name).attempted}

    assert asked("closing") == {"window-close", "permission geolocation"}
    assert asked("service-worker") == {"service-worker /sw.js"}
    assert len(asked("leaving")) <= 21
    (found,) = judged.verdict("watcher").findings
    assert (found.kind, found.severity) == ("automation", "suspicion")
    assert found.text == "the app asks whether it is being automated: navigator.webdriver"


def test_no_process_is_left_behind(judged: SharedBenchmark) -> None:
    lines = (judged.root / "left.txt").read_text().splitlines()
    assert [line for line in lines if " " in line] == []
    assert len(lines) >= len(HOSTILE) + len(WELL) + len(DROWNING)
    ran = {tuple(line.split()) for line in (judged.root / "ran.txt").read_text().splitlines()}
    assert len(ran) > 5
    # One that has ended stays listed as a zombie where nothing collects what was orphaned.
    alive = {
        (str(one.pid), str(one.create_time()))
        for one in psutil.process_iter()
        if one.status() != psutil.STATUS_ZOMBIE
    }
    assert ran & alive == set()


def test_nothing_is_written_beside_the_record(judged: SharedBenchmark) -> None:
    written = {Path(folder).name for folder, _, files in os.walk(judged.root) for _ in files}
    assert not any("download" in name.lower() for name in written)
    assert not list(judged.root.rglob("*.csv"))
