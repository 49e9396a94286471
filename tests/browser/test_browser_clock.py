"""The logical clock: page time stands still between run_for calls, and is the same in every run."""

from __future__ import annotations

from typing import Any

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser.clock import EPOCH
from pytest_appbench.browser.errors import PageUnresponsive
from pytest_appbench.browser.session import Session


def log_of(session: Session) -> Any:
    """What the page pushed onto its `log`."""
    with session.bounded(5):
        return session.page.evaluate("log")


def page(script: str, body: str = "") -> str:
    """A page that keeps a log."""
    log = "var log = [], say = (...x) => log.push(x.join(' '));"
    return f"<body>{body}<script>{log}{script}</script>"


def test_time_stands_still_until_it_is_run(visit: Visit) -> None:
    session = visit(
        page("setTimeout(() => say('late'), 5); requestAnimationFrame(() => say('frame'));"),
        clock=True,
    )
    session.page.wait_for_timeout(100)
    assert log_of(session) == []
    assert session.clock is not None
    session.clock.run_for(20)
    assert log_of(session) == ["late", "frame"]
    assert session.clock.now == 20


def test_countdown_of_a_minute_passes_in_order(visit: Visit) -> None:
    session = visit(
        page("""
        let left = 60;
        const timer = setInterval(() => {
            left -= 1;
            if (left) return;
            clearInterval(timer);
            say('over', performance.now());
        }, 1000);
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(59_999)
    assert log_of(session) == []
    session.clock.run_for(1)
    assert log_of(session) == ["over 60000"]


def test_all_that_tells_the_time_agrees(visit: Visit) -> None:
    session = visit(
        page(f"""
        class Moment extends Date {{ plus(ms) {{ return new Moment(+this + ms); }} }}
        const tell = () => {{
            const now = {EPOCH} + performance.now();
            say([
                Date.now() === now, +new Date() === now, Date() === String(new Date(now)),
                +new Moment() === now, new Moment() instanceof Date,
                +new Moment().plus(5) === now + 5, new Date().constructor === Date,
                new Date(0).getTime() === 0, Date.UTC(2000, 0) === 946684800000,
                Date.parse('2000-01-01T00:00:00Z') === 946684800000,
                performance.timeOrigin === {EPOCH}, new Event('x').timeStamp === performance.now(),
                new Intl.DateTimeFormat('en', {{ timeStyle: 'medium' }}).format()
                    === new Intl.DateTimeFormat('en', {{ timeStyle: 'medium' }}).format(now),
                typeof Temporal === 'undefined' || Temporal.Now.instant().epochMilliseconds === now,
                typeof Temporal === 'undefined'
                    || new Date(now).toISOString().startsWith(Temporal.Now.plainDateISO('UTC')),
                document.timeline.currentTime === performance.now(),
            ].map(Number).join(''));
        }};
        tell();
        setTimeout(tell, 1500);
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(2000)
    assert log_of(session) == ["1" * 16, "1" * 16]


def test_timers_behave_as_in_a_browser(visit: Visit) -> None:
    session = visit(
        page("""
        setTimeout("say('text', this === window)", 1);
        setTimeout((a, b) => say('values', a, b), 2, 1, 2);
        setTimeout(function () { say('this', this === window); }, 3);
        setTimeout(() => say('no delay'));
        setTimeout(() => say('words'), 'soon');
        setTimeout(() => say('negative'), -5);
        setTimeout(() => say('very long'), 2 ** 31);
        for (const wrong of [undefined, null, NaN, -1, {}, 'x', 99999]) {
            clearTimeout(wrong);
            cancelAnimationFrame(wrong);
        }
        const id = setTimeout(() => say('cancelled'), 4);
        clearInterval(String(id));
        const frame = requestAnimationFrame(() => say('frame of its own'));
        clearTimeout(frame);
        setTimeout(() => say('last'), 30);
        requestIdleCallback((d) => say('idle', d.didTimeout, d.timeRemaining() > 0));
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(40)
    assert log_of(session) == [
        "no delay",
        "words",
        "negative",
        "very long",
        "text true",
        "idle false true",
        "values 1 2",
        "this true",
        "frame of its own",
        "last",
    ]


def test_nested_timers_are_clamped_to_four_milliseconds(visit: Visit) -> None:
    session = visit(
        page(
            """
            let n = 0;
            const again = () => { say(performance.now()); if (++n < 9) setTimeout(again, 0); };
            setTimeout(again, 0);
            """
        ),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(100)
    assert [float(x) for x in log_of(session)] == [0, 0, 0, 0, 0, 4, 8, 12, 16]


def test_callbacks_of_one_frame_run_together(visit: Visit) -> None:
    session = visit(
        page("""
        requestAnimationFrame((t) => {
            say('one', t === performance.now());
            Promise.resolve().then(() => say('promise of one'));
            setTimeout(() => say('timer'), 0);
            requestAnimationFrame((u) => say('next frame', Math.round(u - t)));
            cancelAnimationFrame(three);
        });
        requestAnimationFrame(() => say('two'));
        const three = requestAnimationFrame(() => say('three'));
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(40)
    assert log_of(session) == ["one true", "promise of one", "two", "timer", "next frame 17"]


def test_what_a_callback_throws_is_an_uncaught_exception_and_time_goes_on(visit: Visit) -> None:
    session = visit(
        page("""
        addEventListener('error', (event) => say('error', event.message));
        setTimeout(() => { throw new Error('from a timer'); }, 10);
        requestAnimationFrame(() => { missing(); });
        setTimeout(() => Promise.reject(new Error('from a promise')), 15);
        setTimeout(() => say('still here'), 20);
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(50)
    log = log_of(session)
    assert log[-1] == "still here"
    assert [entry.text for entry in session.events.exceptions] == [
        "Error: from a timer",
        "Error: from a promise",
        "ReferenceError: missing is not defined",
    ]


def test_frames_of_the_same_site_share_the_clock(visit: Visit) -> None:
    inner = """<script>setInterval(() => {
        parent.say('inner', performance.now(), Date.now() === parent.Date.now());
    }, 10); parent.isReady = true</script>"""
    session = visit(
        page("""
        setInterval(() => say('outer', performance.now()), 10);
        setTimeout(() => {
            const frame = document.createElement('iframe');
            frame.src = 'inner';
            document.body.append(frame);
        }, 15);"""),
        {"inner": inner},
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(15)
    eventually(session, lambda: bool(session.page.evaluate("() => globalThis.isReady")))
    session.clock.run_for(20)
    assert log_of(session) == ["outer 10", "outer 20", "inner 10 true", "outer 30", "inner 20 true"]


def test_css_and_web_animations_follow(visit: Visit) -> None:
    session = visit(
        """<style>@keyframes go { to { width: 100px } }
        #css { width: 0; animation: go 1s linear forwards }
        #move { width: 0; transition: width 2s linear }</style>
        <div id=css></div><div id=move></div><div id=api></div><script>
        const log = [];
        for (const name of ['animationend', 'transitionend'])
            document.addEventListener(name, () => log.push(name + ' ' + performance.now()));
        api.animate({ width: ['0', '300px'] }, { duration: 3000, fill: 'forwards' }).finished.then(
            () => log.push('finished'));
        setTimeout(() => { move.style.width = '200px'; }, 500);
        </script>""",
        clock=True,
    )
    assert session.clock is not None
    widths = """() => ['css', 'move', 'api'].map(
        (id) => Math.round(document.getElementById(id).getBoundingClientRect().width))"""
    session.page.wait_for_timeout(100)
    assert session.evaluate(widths)[0] == 0
    session.clock.run_for(500)
    assert session.evaluate(widths) == [50, 0, 50]
    session.clock.run_for(1000)
    assert session.evaluate(widths) == [100, 100, 150]
    session.clock.run_for(2000)
    assert session.evaluate(widths) == [100, 200, 300]
    log = log_of(session)
    assert [entry.split()[0] for entry in log] == ["animationend", "transitionend", "finished"]
    assert 1000 <= float(log[0].split()[1]) < 1017
    assert 2500 <= float(log[1].split()[1]) < 2517


def test_runs_are_the_same_each_time(visit: Visit) -> None:
    game = page(
        """
        const canvas = document.querySelector('canvas'), g = canvas.getContext('2d');
        let x = 0, v = 1;
        (function frame(t) {
            v += Math.random() - 0.5; x += v;
            g.fillRect(x % 200, t % 100, 5, 5);
            requestAnimationFrame(frame);
        })(0);
        setInterval(() => say(x, Date.now()), 37);
        """,
        "<canvas></canvas>",
    )
    seen = set()
    for wait in (0, 30, 90):
        session = visit(game, clock=True, seed=7)
        assert session.clock is not None
        for _ in range(5):
            session.clock.run_for(111)
            session.page.wait_for_timeout(wait)
        with session.bounded(5):
            seen.add(session.page.evaluate("JSON.stringify(log) + canvas.toDataURL()"))
        session.close()
    assert len(seen) == 1


def test_storm_of_timers_ends_with_the_time_that_is_run(visit: Visit) -> None:
    session = visit(
        page("let n = 0; (function again() { n++; setTimeout(again, 0); })();"), clock=True
    )
    assert session.clock is not None
    session.clock.run_for(1000)
    with session.bounded(5):
        assert 200 < session.page.evaluate("n") < 300


@pytest.mark.parametrize(
    "script",
    ["while (true);", "const again = () => Promise.resolve().then(again); again();"],
    ids=["loop", "microtasks"],
)
def test_callback_that_never_returns_is_ended_and_the_page_lives_on(
    visit: Visit, script: str
) -> None:
    session = visit(
        page(f"setTimeout(() => {{ {script} }}, 10); setTimeout(() => say('later'), 20);"),
        clock=True,
    )
    assert session.clock is not None
    with pytest.raises(PageUnresponsive, match="its script was ended"):
        session.clock.run_for(100, timeout=1)
    session.clock.run_for(100)
    assert log_of(session) == ["later"]


def test_endless_growth_of_timers_is_cut_off(visit: Visit) -> None:
    session = visit(
        page("(function again() { setTimeout(again, 0); setTimeout(again, 0); })();"), clock=True
    )
    assert session.clock is not None
    with pytest.raises(PageUnresponsive):
        session.clock.run_for(10_000, timeout=2)


def test_date_goes_on_over_a_reload(visit: Visit) -> None:
    session = visit(page("say(Date.now(), performance.now())"), clock=True)
    assert session.clock is not None
    session.clock.run_for(5000)
    with session.bounded(5):
        session.page.reload()
    date, now = log_of(session)[0].split()
    assert EPOCH + 5000 <= int(date) <= EPOCH + 6000
    assert now == "0"
    session.clock.run_for(10)


def test_reload_from_within_a_callback_does_not_end_the_clock(visit: Visit) -> None:
    session = visit(
        page(
            """
            const again = () => { sessionStorage.n = 1; location.reload(); };
            if (!sessionStorage.n) setTimeout(again, 10);
            setTimeout(() => say('tick'), 20);
            """
        ),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(1000)
    session.clock.run_for(1000)
    assert log_of(session) == ["tick"]


def test_waiting_of_playwright_still_works(visit: Visit) -> None:
    from playwright.sync_api import expect

    session = visit(
        page("fetch('data').then((r) => r.text()).then((t) => document.body.append(t))"),
        {"data": "loaded"},
        clock=True,
    )
    with session.bounded(10):
        expect(session.page.locator("body")).to_contain_text("loaded")


def test_time_does_not_run_backwards(visit: Visit) -> None:
    session = visit("", clock=True)
    assert session.clock is not None
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="forward"):
            session.clock.run_for(wrong)


def test_page_can_neither_find_nor_forge_the_clock(visit: Visit) -> None:
    session = visit(
        page("""
        document.body.append(document.createElement('output'), document.createElement('output'));
        const names = [];
        for (let o = window; o; o = Object.getPrototypeOf(o))
            names.push(...Reflect.ownKeys(o).map(String));
        const clean = document.createElement('iframe');
        for (const type of ['time', 'tell', 'step']) {
            document.dispatchEvent(new Event(type));
            window.dispatchEvent(new Event(type));
        }
        const heard = [];
        const overhear = (object, ...names) => {
            for (const name of names) object[name] = () => { heard.push(name); };
        };
        overhear(EventTarget.prototype, 'dispatchEvent', 'addEventListener');
        overhear(Element.prototype, 'setAttribute', 'getAttribute');
        overhear(Map.prototype, 'forEach', 'set', 'get', 'delete');
        overhear(Reflect, 'apply', 'construct');
        overhear(Function.prototype, 'call', 'apply');
        for (const name of ['Promise', 'MessageChannel', 'Event', 'Map', 'Number', 'String'])
            window[name] = class { constructor() { heard.push(name); throw new Error(name); } };
        Object.prototype.at = -1;
        Array.prototype[Symbol.iterator] = () => { throw new Error('iterator'); };
        const [all, told] = document.querySelectorAll('output');
        all.value = names.join(' ');
        setTimeout(() => {
            document.title = 'ticked at ' + performance.now();
            told.value = heard.join(' ');
        }, 50);
        """),
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(49)
    assert session.evaluate("() => document.title") == ""
    session.clock.run_for(1)
    assert session.evaluate("() => document.title") == "ticked at 50"
    names, heard = session.evaluate(
        "() => [...document.querySelectorAll('output')].map((o) => o.value)"
    )
    assert "appbench" not in names
    assert heard == ""
