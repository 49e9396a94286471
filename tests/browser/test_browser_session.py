"""A session: reading in an isolated world, real input, waiting, and the record of what happened."""

from __future__ import annotations

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser.errors import PageGone, PageNavigated, ScriptFailed
from pytest_appbench.browser.events import KEPT, Events

AREA = "position:fixed;left:0;top:0;width:200px;height:200px;user-select:none"


def test_evaluate_takes_and_gives_json(visit: Visit) -> None:
    session = visit("<title>Mine</title>")
    sent = {"a": [1, 2.5, None, True, "é"], "b": {}}
    assert session.evaluate("(x) => x", sent) == sent
    assert session.evaluate("async () => { await null; return document.title; }") == "Mine"
    assert session.evaluate("() => undefined") is None
    assert session.evaluate("() => NaN") is None


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("() => { throw new TypeError('no such thing'); }", "TypeError: no such thing"),
        ("async () => missing", "missing is not defined"),
        ("() => { throw 'a text'; }", "a text"),
        ("() => {", "SyntaxError"),
        ("() => { const a = {}; a.a = a; return a; }", "no JSON"),
    ],
)
def test_evaluate_says_what_failed(visit: Visit, function: str, message: str) -> None:
    session = visit("")
    with pytest.raises(ScriptFailed, match=message):
        session.evaluate(function)


def test_evaluate_follows_the_page_to_its_next_document(visit: Visit) -> None:
    session = visit("<title>first</title>", {"next": "<title>second</title>"})
    assert session.evaluate("() => document.title") == "first"
    with pytest.raises(PageNavigated):
        session.evaluate("() => { location.href = 'next'; return new Promise(() => {}); }")
    session.page.wait_for_load_state()
    assert session.evaluate("() => document.title") == "second"


def test_input_is_what_a_person_would_give(visit: Visit) -> None:
    session = visit(
        f"""<div id=area style='{AREA}'></div><input style='position:fixed;left:0;top:220px'>
        <script>
        const seen = [];
        const types = ['click', 'dblclick', 'pointermove', 'keydown', 'input', 'change', 'wheel'];
        for (const type of types) addEventListener(type, (event) => {{
            seen.push(event.type + (event.isTrusted ? '' : ' forged'));
            document.title = [...new Set(seen)].sort().join(' ');
        }}, {{ passive: true }});
        addEventListener('pointerup', (event) => {{ area.textContent = event.x + ',' + event.y; }});
        </script>"""
    )
    session.click(10, 10)
    session.double_click(20, 20)
    session.hover(30, 30)
    session.drag((10, 10), (110, 60))
    assert session.evaluate("() => document.getElementById('area').textContent") == "110,60"
    session.wheel(0, 40)
    session.click(20, 230)
    session.type_text("héllo ✓")
    session.press("Enter")
    assert session.evaluate("() => document.querySelector('input').value") == "héllo ✓"
    expected = "change click dblclick input keydown pointermove wheel"
    assert session.evaluate("() => document.title") == expected
    assert [(step.number, step.action, step.target) for step in session.steps[1:]] == [
        (2, "click", "(10, 10)"),
        (3, "double_click", "(20, 20)"),
        (4, "hover", "(30, 30)"),
        (5, "drag", "(10, 10) to (110, 60)"),
        (6, "wheel", "(0, 40)"),
        (7, "click", "(20, 230)"),
        (8, "type_text", "héllo ✓"),
        (9, "press", "Enter"),
    ]


def test_things_can_be_dragged_and_dropped(visit: Visit) -> None:
    session = visit(
        f"""<div id=thing draggable=true style='{AREA};width:50px;height:50px'></div>
        <div id=place style='{AREA};left:300px'></div><script>
        thing.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'thing');
        place.ondragover = (event) => event.preventDefault();
        place.ondrop = (event) => {{ document.title = event.dataTransfer.getData('text/plain'); }};
        </script>"""
    )
    session.drag((20, 20), (350, 50))
    assert session.evaluate("() => document.title") == "thing"


def test_settle_waits_until_the_elements_stop_changing(visit: Visit) -> None:
    session = visit(
        """<p></p><script>let n = 0; const timer = setInterval(() => {
        document.querySelector('p').textContent = ++n; if (n === 8) clearInterval(timer); }, 50);
        </script>"""
    )
    session.settle(5000)
    assert session.evaluate("() => document.querySelector('p').textContent") == "8"


def test_settle_ends_where_nothing_ever_stops(visit: Visit) -> None:
    session = visit("<p></p><script>setInterval(() => { document.title += 'x'; }, 10)</script>")
    session.settle(300)
    assert session.evaluate("() => document.title")


def test_page_that_never_finishes_loading_can_be_used(visit: Visit) -> None:
    session = visit.attach()
    session.open(visit.sites.add("<title>usable</title><img src='/never'>"), timeout=4)
    assert session.evaluate("() => document.title") == "usable"


def test_exceptions_and_console_are_recorded_with_their_place(visit: Visit) -> None:
    session = visit(
        "<script src='app.js'></script>",
        {
            "app.js": """console.log('started', 1, true, null, undefined, { a: 1 }, [1, 2], NaN);
            console.warn('careful');
            setTimeout(() => { null.x; });
            Promise.reject(new RangeError('too far'));
            setTimeout(() => { throw 'a text'; }, 1);"""
        },
    )
    eventually(session, lambda: len(session.events.exceptions) == 3)
    first, second = session.events.console
    assert (first.level, first.text) == ("log", "started 1 true null undefined Object Array(2) NaN")
    assert (first.url.rpartition("/")[2], first.line) == ("app.js", 1)
    assert (second.level, second.text) == ("warning", "careful")
    thrown = {entry.text: entry for entry in session.events.exceptions}
    null = next(
        entry for text, entry in thrown.items() if text.startswith("TypeError: Cannot read")
    )
    assert (null.url.rpartition("/")[2], null.line) == ("app.js", 3)
    assert thrown.keys() == {null.text, "RangeError: too far", "Uncaught a text"}


def test_events_since_a_mark(visit: Visit) -> None:
    session = visit(f"<button style='{AREA}' onclick='alert(1); missing()'></button>")
    session.evaluate("() => 0")
    mark = session.events.mark()
    session.click(50, 50)
    eventually(session, lambda: bool(session.events.exceptions))
    later = session.events.since(mark)
    assert [dialog.text for dialog in later.dialogs] == ["1"]
    assert [entry.text for entry in later.exceptions] == ["ReferenceError: missing is not defined"]
    assert session.events.since(session.events.mark()) == Events()


def test_record_stays_small_in_a_flood() -> None:
    events = Events()
    for number in range(KEPT + 7):
        events.add_console("log", "x" * 100_000 + str(number))
        events.add_attempt("fetch", "http://else.test/")
    assert (len(events.console), events.dropped) == (KEPT, 14)
    assert len(events.console[0].text) < 10_000
    assert [(a.kind, a.url, a.count) for a in events.attempted] == [
        ("fetch", "http://else.test/", KEPT)
    ]


def test_closed_page_is_gone(visit: Visit) -> None:
    session = visit("")
    session.page.close()
    with pytest.raises(PageGone):
        session.evaluate("() => 0")
    session.close()


def test_closing_a_session_leaves_a_still_picture(visit: Visit) -> None:
    session = visit("<p>0</p><script>setInterval(() => { document.title += 'x'; }, 5)</script>")
    session.close()
    session.page.wait_for_timeout(50)
    before = session.page.title()
    session.page.wait_for_timeout(100)
    assert session.page.title() == before
    assert session.page.screenshot()


def test_errors_of_a_block_that_has_time_left_are_its_own(visit: Visit) -> None:
    session = visit("")
    with pytest.raises(ZeroDivisionError), session.bounded(5):
        print(1 / 0)
    with session.bounded(5), session.bounded(1):
        assert session.page.title() == ""


def test_every_app_finds_the_same_surroundings(visit: Visit) -> None:
    session = visit("<p>Hi")
    found = session.evaluate(
        """() => [
          navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
          matchMedia("(prefers-color-scheme: dark)").matches,
          matchMedia("(prefers-reduced-motion: reduce)").matches,
        ]"""
    )
    assert found == ["en-US", "UTC", False, False]
