"""The logical clock inside an app's workers: one time for all, in one order, out of the app's reach."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser.clock import EPOCH
from pytest_appbench.browser.session import Session

TICKS = """
const say = (...x) => postMessage(x.join(' '));
setInterval(() => say('tick', performance.now(), Date.now() - 1750000000000), 100);
"""
MAKE = {
    "classic": "new Worker('ticks.js')",
    "module": "new Worker('module.js', { type: 'module' })",
    "blob": "blob({})",
    "blob of a module": "blob({ type: 'module' })",
    "data": "new Worker('data:text/javascript,' + encodeURIComponent(TICKS))",
    "nested": "new Worker('outer.js')",
    "subclass": "new (class extends Worker {})('ticks.js', { name: 'mine' })",
}
FILES = {
    "ticks.js": TICKS,
    "module.js": "import './ticks.js';",
    "outer.js": "const inner = new Worker('./ticks.js'); inner.onmessage = (e) => postMessage(e.data);",
}


def page(script: str, body: str = "") -> str:
    """A page that keeps a log, and can make workers."""
    return f"""<body>{body}<script>
    var log = [], say = (...x) => log.push(x.join(' '));
    const TICKS = `{TICKS}`;
    const blob = (options, text = TICKS) => {{
        const url = URL.createObjectURL(new Blob([text], {{ type: 'text/javascript' }}));
        const worker = new Worker(url, options);
        URL.revokeObjectURL(url);
        return worker;
    }};
    {script}</script>"""


def run(session: Session, ms: float) -> Any:
    """Run time, and give what the page has logged since."""
    assert session.clock is not None
    session.clock.run_for(ms)
    with session.bounded(5):
        return session.page.evaluate("log.splice(0)")


@pytest.mark.parametrize("making", MAKE.values(), ids=MAKE)
def test_time_of_a_worker_stands_and_passes_with_that_of_its_page(
    visit: Visit, making: str
) -> None:
    session = visit(
        page(f"""
        setTimeout(() => {{
            const made = {making};
            made.onmessage = (e) => say('worker', e.data, performance.now());
        }}, 40);
        setInterval(() => say('page', performance.now()), 120);"""),
        FILES,
        clock=True,
    )
    assert run(session, 40) == []
    session.page.wait_for_timeout(250)
    assert run(session, 0) == []
    assert run(session, 100) == ["page 120", "worker tick 100 140 140"]
    session.page.wait_for_timeout(150)
    assert run(session, 200) == ["page 240", "worker tick 200 240 240", "worker tick 300 340 340"]


def test_workers_and_page_take_turns_in_the_order_of_time(visit: Visit) -> None:
    session = visit(
        page("""
        for (const [name, ms] of [['a', 30], ['b', 20]]) {
            const worker = blob({ name }, `setInterval(() => postMessage(performance.now()), ${ms})`);
            worker.onmessage = (e) => say(name, e.data);
        }
        setInterval(() => say('page', performance.now()), 15);"""),
        clock=True,
    )
    assert run(session, 60) == (
        ["page 15", "b 20", "page 30", "a 30", "b 40", "page 45", "page 60", "a 60", "b 60"]
    )


def test_what_is_no_time_works_in_workers_while_time_stands(visit: Visit) -> None:
    session = visit(
        page("""
        const worker = new Worker('deep/worker.js', { name: 'mine' });
        worker.addEventListener('message', (e) => say(e.data));
        worker.postMessage('hello');"""),
        {
            "deep/worker.js": """
            importScripts('lib.js', '../lib2.js');
            const say = (...x) => postMessage(x.join(' '));
            onmessage = async ({ data }) => {
                say('got', data, one + two, name);
                say(location.pathname, new URL('x', location).pathname, `${self.location}` === location.href);
                say(await (await fetch('data.txt')).text(), await (await fetch(new Request('data.txt'))).text());
                const asked = new XMLHttpRequest();
                asked.open('GET', new URL('data.txt', location), false);
                asked.send();
                say(asked.responseText);
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = (e) => say('port', e.data, performance.now());
                port2.postMessage('heard');
                setTimeout((x) => say('timer', x, performance.now()), 500, 'late');
                setTimeout("say('text')", 500);
                requestAnimationFrame((t) => say('frame', t > 16 && t === performance.now()));
            };""",
            "deep/lib.js": "'use strict'; const one = 1;",
            "lib2.js": "two = 2;",
            "deep/data.txt": "own file",
        },
        clock=True,
    )
    said: list[str] = []

    def has_heard_all() -> bool:
        said.extend(run(session, 0))
        return "port heard 0" in said

    eventually(session, has_heard_all)
    assert said == [
        "got hello 3 mine",
        "/deep/worker.js /deep/x true",
        "own file own file",
        "own file",
        "port heard 0",
    ]
    assert run(session, 500) == ["frame true", "timer late 500", "text"]


def test_what_a_worker_throws_reaches_its_page_and_its_time_goes_on(visit: Visit) -> None:
    session = visit(
        page("""
        const follow = (worker) => {
            worker.onmessage = (e) => say(e.data);
            worker.onerror = (e) => { say('error', e.message ?? e.type); e.preventDefault(); };
        };
        follow(blob({}, `
            setTimeout(() => { throw new Error('from a timer'); }, 10);
            setTimeout(() => postMessage('still here'), 20);`));
        follow(new Worker('missing.js', { type: 'module' }));
        let wrong = 0;
        for (const values of [[], ['http://['], ['http://elsewhere.test/w.js'], ['w.js', 3]])
            try { new Worker(...values); } catch (error) { wrong += 1; }
        say(wrong);
        const gone = blob({}, 'setInterval(() => postMessage("gone"), 15)');
        follow(gone);
        setTimeout(() => gone.terminate(), 16);
        follow(blob({}, 'setInterval(() => { postMessage("closed"); close(); }, 15)'));"""),
        clock=True,
    )
    eventually(session, lambda: bool(session.page.evaluate("log.includes('error error')")))
    begun = time.monotonic()
    said = run(session, 100)
    assert time.monotonic() - begun < 4, "a worker that is gone was waited for"
    assert sorted(said[:2]) == ["4", "error error"]
    assert said[2:] == ["error Uncaught Error: from a timer", "gone", "closed", "still here"]


def test_runs_with_workers_are_the_same_each_time(visit: Visit) -> None:
    game = page(
        """
        const view = document.querySelector('canvas').transferControlToOffscreen();
        const worker = blob({}, `
            onmessage = ({ data }) => {
                const g = data.getContext('2d');
                let x = 0, n = 0;
                const step = (t) => {
                    x += Math.random() * 9; n += crypto.getRandomValues(new Uint8Array(1))[0];
                    g.fillRect(x % 200, t % 100, 9, 9);
                    postMessage([x, n, t]);
                    requestAnimationFrame(step);
                };
                requestAnimationFrame(step);
            };`);
        worker.onmessage = (e) => say(e.data, Date.now());
        worker.postMessage(view, [view]);
        setInterval(() => worker.postMessage, 37);
        """,
        "<canvas width=200 height=100></canvas>",
    )
    states, pictures = set(), set()
    for wait in (0, 30, 90):
        session = visit(game, clock=True, seed=7)
        assert session.clock is not None
        for _ in range(4):
            session.clock.run_for(111)
            session.page.wait_for_timeout(wait)
        with session.bounded(5):
            states.add(session.page.evaluate("JSON.stringify(log)"))
            pictures.add(hashlib.sha256(session.page.screenshot()).hexdigest())
        session.close()
    assert len(states) == 1
    assert states.pop().count(str(EPOCH)[:6]) == 26
    assert len(pictures) == 1


def test_a_worker_that_is_busy_for_long_is_not_waited_for(visit: Visit) -> None:
    session = visit(
        page("""
        const busy = blob({}, 'postMessage(1); while (true);');
        setInterval(() => say('page', performance.now()), 50);"""),
        clock=True,
    )
    assert run(session, 100) == ["page 50", "page 100"]
    begun = time.monotonic()
    assert run(session, 100) == ["page 150", "page 200"]
    assert time.monotonic() - begun < 3


def test_a_policy_that_forbids_our_scripts_leaves_the_worker_as_it_is(visit: Visit) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"worker-src 'self'\">"
    script = """<script>const worker = new Worker('ticks.js'); let n = 0;
    worker.onmessage = () => { document.title = ++n; };</script>"""
    session = visit(policy + script, FILES, clock=True)
    eventually(session, lambda: session.evaluate("() => document.title") != "")


FORGED = """
    const heard = [];
    const overhear = (object, ...names) => {
        for (const name of names) {
            const { value } = Object.getOwnPropertyDescriptor(object, name);
            object[name] = function (...x) { heard.push(name); return value.apply(this, x); };
        }
    };
    overhear(Map.prototype, 'forEach', 'set', 'get', 'delete');
    overhear(EventTarget.prototype, 'dispatchEvent', 'addEventListener');
    overhear(Event.prototype, 'stopImmediatePropagation');
    overhear(String.prototype, 'slice', 'startsWith');
    overhear(URL, 'createObjectURL', 'revokeObjectURL');
    overhear(URL.prototype, 'toString');
    overhear(JSON, 'parse', 'stringify');
    const own = Array.prototype[Symbol.iterator];
    for (const [type, name] of [[MessageEvent, 'data'], [URL, 'href'], [Map, 'size']]) {
        const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
        Object.defineProperty(type.prototype, name, { get() { heard.push(name); return get.call(this); } });
    }
    for (const name of ['Blob', 'URL', 'Map', 'Proxy', 'Promise'])
        globalThis[name] = class { constructor() { heard.push(name); throw new Error(name); } };
    Array.prototype[Symbol.iterator] = function () { heard.push('iterator'); return own.call(this); };
    Object.getPrototypeOf([][Symbol.iterator]()).next = () => { heard.push('next'); return { done: true }; };
    heard.length = 0;
"""


def test_neither_a_page_nor_its_worker_can_find_or_forge_the_clock(visit: Visit) -> None:
    session = visit(
        page(
            """
        setTimeout(() => {
            const worker = new Worker('hostile.js');
            worker.onmessage = (event) => { document.title += `; ${reading.call(event)}`; };
            setTimeout(() => { document.title += `; page heard:${heard.join()}`; }, 60);
        }, 10);
        const reading = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
        """
            + FORGED
            + "document.title = 'ready'; Worker.prototype.postMessage = () => { heard.push('post'); };"
        ),
        {
            "hostile.js": """
            const got = [];
            const found = new Error('here').stack.match(/blob:[^ )]+?(?=:[0-9]+:[0-9]+)/g);
            const names = [];
            for (let o = self; o; o = Object.getPrototypeOf(o)) names.push(...Reflect.ownKeys(o).map(String));
            const ask = fetch, said = postMessage.bind(self);
            self.addEventListener('message', (e) => { got.push('listener'); });
            onmessage = () => { got.push('handler'); };
            self.postMessage = () => { got.push('answer'); };
            """
            + FORGED
            + """
            setTimeout(() => {
                said('ticked at ' + performance.now());
                said('names ' + names.filter((name) => /appbench|token|clock|facts/i.test(name)).length);
                said('got ' + got.length);
                said('heard:' + heard.join());
            }, 50);
            ask(found[0]).then(() => said('read'), () => said('not to be read'));
            """,
        },
        clock=True,
    )
    assert session.evaluate("() => document.title") == "ready"
    assert session.clock is not None
    session.clock.run_for(10)
    eventually(session, lambda: session.evaluate("() => document.title") != "ready")
    session.clock.run_for(49)
    assert session.evaluate("() => document.title") == "ready; not to be read"
    session.clock.run_for(11)
    assert session.evaluate("() => document.title").split("; ")[2:] == [
        "ticked at 50",
        "names 0",
        "got 0",
        "heard:",
        "page heard:",
    ]
