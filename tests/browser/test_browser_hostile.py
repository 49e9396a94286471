"""Pages that hang, flood, loop and crash: control comes back, the next session is unaffected."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from browserkit import Visit
from pytest_appbench.browser.errors import PageGone, PageLost, PageOverloaded, PageUnresponsive
from pytest_appbench.browser.launch import end_guarded_browsers
from pytest_appbench.browser.watchdog import end_renderer

BUTTON = "<button style='position:fixed;left:0;top:0;width:200px;height:200px'>Go</button>"
TICKING = "setInterval(() => { for (let i = 0; i < 100; i++) %s; }, 0);"
LATER = "setTimeout(() => { %s }, 50);"

HANGING_AT_LOAD = {
    "loop": "while (true);",
    "microtasks": "const again = () => Promise.resolve().then(again); again();",
    "loop in a frame": """
        const frame = document.createElement('iframe');
        frame.srcdoc = '<script>while (true);<' + '/script>';
        document.documentElement.append(frame);""",
    "loop in a sandboxed frame": """
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = '<script>while (true);<' + '/script>';
        document.documentElement.append(frame);""",
    "request that is never answered": """
        const request = new XMLHttpRequest();
        request.open('GET', '/never', false);
        request.send();""",
}
ENDURED = {
    "alert loop": "for (let i = 0; i < 1e6; i++) alert(i);",
    "alert at each tick": "setInterval(() => alert('again'), 0);",
    "200,000 console lines": "for (let i = 0; i < 2e5; i++) console.log('line', i);",
    "console at each tick": TICKING % "console.error(i)",
    "rejections": TICKING % "Promise.reject(i)",
    "history": TICKING % "history.pushState(i, '', '#' + i)",
    "windows": TICKING % "open('/x')",
    "worker that loops": "new Worker(URL.createObjectURL(new Blob(['while (true);'])));",
    "document written for ever": """
        const write = () => { document.open(); document.write('<p>new</p>'); document.close(); };
        setInterval(write, 10);""",
    "leaving handlers": """
        addEventListener('beforeunload', (event) => { event.returnValue = 'stay'; });
        addEventListener('unload', () => { while (true); });
        addEventListener('pagehide', () => { while (true); });""",
}
SURVIVED = {
    "console in a worker": """
        const code = "for (let i = 0; i < 3e4; i++) console.log('from the worker', i)";
        new Worker(URL.createObjectURL(new Blob([code])));""",
    "exceptions": TICKING % "reportError(new Error(i))",
    "links to windows": """
        setInterval(() => {
            const link = document.createElement('a');
            link.target = '_blank';
            link.href = '/x';
            link.click();
        }, 0);""",
    "requests": TICKING % "fetch('http://else.test/' + i).catch(() => 0)",
}


def is_fine(visit: Visit) -> bool:
    """Whether a new session in the same browser works."""
    session = visit("<title>fine</title>")
    return bool(session.evaluate("() => document.title") == "fine")


@pytest.mark.parametrize("script", HANGING_AT_LOAD.values(), ids=HANGING_AT_LOAD.keys())
def test_page_that_hangs_at_load_is_regained(visit: Visit, script: str) -> None:
    session = visit.attach()
    with pytest.raises(PageUnresponsive):
        session.open(visit.sites.add(f"<h1>There</h1><script>{script}</script>"), timeout=4)
    assert session.events.unresponsive
    session.close()
    assert is_fine(visit)


@pytest.mark.parametrize("script", ENDURED.values(), ids=ENDURED.keys())
def test_page_that_floods_stays_usable(visit: Visit, script: str) -> None:
    session = visit(f"<h1>There</h1>{BUTTON}<script>{LATER % script}</script>")
    session.settle(700)
    assert session.evaluate("() => document.readyState", timeout=15)
    session.click(100, 100)
    session.close()
    assert is_fine(visit)


@pytest.mark.parametrize("script", SURVIVED.values(), ids=SURVIVED.keys())
def test_page_that_drowns_the_driver_is_cut_off_or_endured(visit: Visit, script: str) -> None:
    session = visit(f"<h1>There</h1>{BUTTON}<script>{LATER % script}</script>")
    with suppress(PageLost):
        session.settle(300)
        session.click(100, 100)
    session.close()
    session.page.context.close()
    assert is_fine(visit)


@pytest.mark.parametrize(
    "script",
    [
        "while (true);",
        "const again = () => Promise.resolve().then(again); again();",
        "const end = Date.now() + 2e4; while (Date.now() < end);",
    ],
    ids=["loop", "microtasks", "twenty seconds"],
)
def test_click_that_hangs_is_ended_and_the_page_lives_on(visit: Visit, script: str) -> None:
    session = visit(
        f"{BUTTON}<script>document.querySelector('button').onclick = () => {{ {script} }}</script>"
    )
    with pytest.raises(PageUnresponsive, match="its script was ended"), session.bounded(1):
        session.page.mouse.click(100, 100)
    assert session.evaluate("() => document.querySelector('button').textContent") == "Go"
    assert not session.events.crashed


def test_frames_that_take_long_are_bounded(visit: Visit) -> None:
    session = visit(
        "<script>const burn = () => { const end = performance.now() + 10000;"
        "while (performance.now() < end); requestAnimationFrame(burn); }</script>"
    )
    with pytest.raises(PageLost), session.bounded(1):
        session.page.evaluate("() => { burn(); }")
    session.close()
    assert is_fine(visit)


def test_page_that_reloads_for_ever_is_bounded(visit: Visit) -> None:
    session = visit.attach()
    with suppress(PageLost):
        session.open(visit.sites.add("<h1>There</h1><script>location.reload()</script>"), timeout=4)
        session.evaluate("() => document.title")
    session.close()
    assert is_fine(visit)


@pytest.mark.parametrize(
    "script",
    [
        """for (let i = 0; i < 1e6; i++) {
            const node = document.createElement('div');
            node.textContent = i;
            document.body.append(node);
        }
        document.body.offsetHeight;""",
        "const all = []; for (;;) all.push({ a: [1, 2, 3] });",
        "const all = []; for (let i = 0; i < 20; i++) all.push(new Uint8Array(1e8).fill(1));",
    ],
    ids=["a million nodes", "endless objects", "two gigabytes"],
)
def test_page_that_grows_without_measure_is_cut_off(visit: Visit, script: str) -> None:
    session = visit(f"<body><script>globalThis.grow = () => {{ {script} }}</script>")
    with pytest.raises(PageLost), session.bounded(1):
        session.page.evaluate("async () => { for (;;) { grow(); await null; } }")
    session.close()
    assert is_fine(visit)


def test_page_that_holds_too_much_memory_is_ended_by_its_own_process(visit: Visit) -> None:
    other = visit("<title>other</title>")
    session = visit(
        "<script>const all = [];"
        "globalThis.grow = () => setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 10)</script>"
    )
    assert other.renderer is not None
    assert session.renderer is not None
    assert other.renderer.pid != session.renderer.pid
    ended = pytest.raises(PageOverloaded, match=r"took 1,\d+ MB of memory")
    with ended as caught, session.bounded(60):
        session.page.evaluate("() => { grow(); }")
        session.page.wait_for_timeout(60_000)
    assert caught.value.kind == "memory"
    with pytest.raises(PageOverloaded, match="more than the 1,024 MB"):
        session.click(1, 1)
    assert not psutil.pid_exists(session.renderer.pid)
    assert other.evaluate("() => document.title") == "other"


def test_long_call_on_a_page_that_is_caught_is_cut_short(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    late = pytest.raises(PageUnresponsive, match="did not answer within 5 s; its script was ended")
    with late, session.bounded(300):
        session.page.evaluate("() => { while (true); }")
    assert session.evaluate("() => 1") == 1


def test_long_call_on_a_page_that_works_piece_by_piece_is_let_be(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    work = """async () => {
        for (const start = performance.now(); performance.now() - start < 8000; ) {
            for (const end = performance.now() + 300; performance.now() < end; );
            await new Promise((resolve) => setTimeout(resolve));
        }
    }"""
    with session.bounded(60):
        session.page.evaluate(work)
    assert not session.events.unresponsive


def test_crashed_page_is_gone_for_every_later_call(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    end_renderer(session.cdp)
    with pytest.raises(PageGone):
        session.evaluate("() => new Promise(() => {})")
    assert session.events.crashed
    for call in (
        lambda: session.evaluate("() => 0"),
        lambda: session.click(1, 1),
        lambda: session.settle(10),
        lambda: session.open("about:blank"),
    ):
        with pytest.raises(PageGone):
            call()
    session.close()
    assert is_fine(visit)


def test_raw_calls_without_time_limit_are_bounded(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    with pytest.raises(PageUnresponsive, match="its renderer was ended"), session.bounded(0.5):
        session.page.evaluate("() => new Promise(() => {})")
    with pytest.raises(PageGone):
        session.click(1, 1)
    assert is_fine(visit)


@pytest.mark.parametrize("script", ["while (true);", "document.title = 'x'"], ids=["hung", "fine"])
def test_what_follows_a_closed_session_never_hangs(
    visit: Visit, script: str, tmp_path: Path
) -> None:
    session = visit.attach()
    context = session.page.context
    context.tracing.start(screenshots=True, snapshots=True)
    session.open(visit.sites.add(f"<script>setInterval(() => {{ {script} }}, 500)</script>"))
    session.page.wait_for_timeout(600)
    session.close()
    context.tracing.stop(path=tmp_path / "trace.zip")
    for page in context.pages:
        page.screenshot(timeout=5000)
    context.close()
    assert (tmp_path / "trace.zip").stat().st_size
    assert is_fine(visit)


def test_browser_is_ended_where_nothing_else_helps(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    late = pytest.raises(PageUnresponsive, match="its browser was ended")
    with late, visit.watchdog.bounded(0.5):
        session.page.evaluate("() => new Promise(() => {})")
    assert is_fine(visit)


def test_killed_browser_is_replaced(visit: Visit) -> None:
    session = visit("<h1>There</h1>")
    end_guarded_browsers()
    with pytest.raises(PageGone):
        session.evaluate("() => 0")
    session.close()
    assert is_fine(visit)


def test_browser_that_was_killed_between_tests_is_noticed(visit: Visit) -> None:
    first = visit.keeper.get()
    end_guarded_browsers()
    assert visit.keeper.get() is not first
    assert is_fine(visit)
