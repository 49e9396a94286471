"""Pages that hang, flood, loop and crash: control comes back, and the next session is not affected."""

from __future__ import annotations

from contextlib import suppress

import pytest
from browserkit import Sites, Visit
from playwright.sync_api import Error
from pytest_appbench.browser.errors import PageGone, PageLost, PageUnresponsive
from pytest_appbench.browser.watchdog import end_renderer

BUTTON = "<button style='position:fixed;left:0;top:0;width:200px;height:200px'>Go</button>"
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
    "console at each tick": "setInterval(() => { for (let i = 0; i < 1e3; i++) console.error(i); }, 0);",
    "rejections": "setInterval(() => { for (let i = 0; i < 100; i++) Promise.reject(i); }, 0);",
    "history": "setInterval(() => { for (let i = 0; i < 100; i++) history.pushState(i, '', '#' + i); }, 0);",
    "windows": "setInterval(() => { for (let i = 0; i < 100; i++) open('/x'); }, 0);",
    "worker that loops": "new Worker(URL.createObjectURL(new Blob(['while (true);'])));",
    "document written for ever": """
        setInterval(() => { document.open(); document.write('<p>new</p>'); document.close(); }, 10);""",
    "leaving handlers": """
        addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });
        addEventListener('unload', () => { while (true); });
        addEventListener('pagehide', () => { while (true); });""",
}
SURVIVED = {
    "console in a worker": """
        const code = "for (let i = 0; i < 1e5; i++) console.log('from the worker', i)";
        new Worker(URL.createObjectURL(new Blob([code])));""",
    "exceptions": "setInterval(() => { for (let i = 0; i < 1e3; i++) reportError(new Error(i)); }, 0);",
    "links to windows": """
        setInterval(() => {
            const link = document.createElement('a');
            link.target = '_blank';
            link.href = '/x';
            link.click();
        }, 0);""",
    "requests": "setInterval(() => { for (let i = 0; i < 100; i++) fetch('http://else.test/' + i).catch(() => 0); }, 0);",
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
    with pytest.raises(PageUnresponsive, match="its script was ended"):
        session.click(100, 100)
    assert session.evaluate("() => document.querySelector('button').textContent") == "Go"
    assert not session.events.crashed


def test_frames_that_take_long_are_bounded(visit: Visit) -> None:
    session = visit(
        "<script>requestAnimationFrame(function burn() {"
        "const end = performance.now() + 10000; while (performance.now() < end);"
        "requestAnimationFrame(burn); })</script>"
    )
    with pytest.raises(PageLost):
        session.evaluate("() => new Promise(requestAnimationFrame)", timeout=1)
    session.close()
    assert is_fine(visit)


def test_page_that_reloads_for_ever_is_bounded(visit: Visit) -> None:
    session = visit.attach()
    with suppress(PageLost):
        session.open(visit.sites.add("<h1>There</h1><script>location.reload()</script>"), timeout=4)
        session.evaluate("() => document.title")
    session.close()
    assert is_fine(visit)


def test_a_million_nodes_are_cut_off(visit: Visit) -> None:
    session = visit(
        "<body><script>setTimeout(() => { for (let i = 0; i < 1e6; i++) {"
        "const node = document.createElement('div'); node.textContent = i;"
        "document.body.append(node); } }, 50)</script>"
    )
    with pytest.raises(PageLost):
        for _ in range(20):
            session.evaluate("() => document.body.scrollHeight", timeout=1)
            session.settle(200)
        raise PageUnresponsive("it coped")
    session.close()
    assert is_fine(visit)


def test_page_that_takes_all_memory_is_cut_off(visit: Visit) -> None:
    session = visit(
        "<script>const all = []; setTimeout(() => { for (;;) all.push({ a: [1, 2, 3] }); }, 50)</script>"
    )
    session.page.wait_for_timeout(100)
    with pytest.raises(PageLost):
        session.evaluate("() => 0", timeout=1)
    session.close()
    assert is_fine(visit)


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
    with pytest.raises(PageUnresponsive, match="its renderer was ended"):
        with session.bounded(0.5):
            session.page.evaluate("() => new Promise(() => {})")
    with pytest.raises(PageGone):
        session.click(1, 1)
    assert is_fine(visit)


def test_hung_page_is_closed_with_its_context(visit: Visit) -> None:
    session = visit("<h1>There</h1><script>setTimeout(() => { while (true); }, 300)</script>")
    session.page.wait_for_timeout(400)
    session.close()
    with suppress(Error):
        session.page.screenshot(timeout=2000)
    session.page.context.close()
    assert is_fine(visit)


def test_killed_browser_is_replaced(visit: Visit) -> None:
    from pytest_appbench.browser.launch import end_guarded_browsers

    session = visit("<h1>There</h1>")
    end_guarded_browsers()
    with pytest.raises(PageGone):
        session.evaluate("() => 0")
    session.close()
    assert is_fine(visit)


def test_browser_that_was_killed_between_tests_is_noticed(visit: Visit, sites: Sites) -> None:
    from pytest_appbench.browser.launch import end_guarded_browsers

    first = visit.keeper.get()
    end_guarded_browsers()
    assert visit.keeper.get() is not first
    assert is_fine(visit)
