"""Judge scripts: what they can do through `app`, and that they can do nothing else.

Most tests give `app` to a dispatcher that only takes notes; those at the end use a real page.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright

from browserkit import Visit
from judgekit import Judgings
from pytest_appbench.browser.guard import CONTEXT_OPTIONS
from pytest_appbench.browser.launch import BrowserKeeper, find_chromium, guard_arguments
from pytest_appbench.browser.session import Session
from pytest_appbench.browser.watchdog import Watchdog, end_renderer
from pytest_appbench.browser.workbench import Workbench
from pytest_appbench.errors import BrowserUnavailable
from pytest_appbench.judges.script import ScriptResult, run_script

METHODS = ("advance", "click", "fill", "look", "refuse")


class Refused(Exception):
    """What the dispatcher of these tests raises for a script to catch."""


@dataclass
class Tools:
    """Runs scripts whose `app` only takes notes.

    Attributes:
        calls: What the last script asked for.
        during: Called with each call.
    """

    bench: Workbench
    calls: list[tuple[str, list[Any]]] = field(default_factory=list)
    during: Callable[[str, list[Any]], object] = lambda name, given: None

    def run(self, code: str, **limits: Any) -> ScriptResult:
        """Run a script; only the limits that matter to a test need to be named."""
        self.calls.clear()
        given = {"seconds": 30, "max_actions": 200, "output_chars": 2000, **limits}
        return run_script(self.bench, code, self._call, methods=METHODS, errors=(Refused,), **given)

    def _call(self, name: str, given: list[Any]) -> Any:
        self.calls.append((name, given))
        self.during(name, given)
        if name == "refuse":
            raise Refused(f"there is no {given[0]}; try another")
        return {"done": name, "call": len(self.calls)}


@pytest.fixture(scope="module")
def bench(keeper: BrowserKeeper, watchdog: Watchdog) -> Iterator[Workbench]:
    """The workbench that these tests share: no script may spoil it for the next."""
    bench = Workbench(keeper.get, watchdog)
    yield bench
    bench.close()


@pytest.fixture
def tools(bench: Workbench) -> Tools:
    return Tools(bench)


def page_of(browser: Browser) -> Page:
    """The blank page of the workbench."""
    return next(
        page
        for context in browser.contexts
        for page in context.pages
        if page.url.startswith("data:")
    )


# --- what a script is, and what it can do


@pytest.mark.parametrize(
    "code",
    [
        "const r = await app.click('a'); return r.call",
        "async () => (await app.click('a')).call",
        "// A test.\nasync (app) => {\n  return (await app.click('a')).call;\n};\n// The end.\n",
        "async function test(it) { return (await it.click('a')).call }",
        "(async () => { return (await app.click('a')).call })()",
        "(await app.click('a')).call",
        "const { click } = app;\r\nconst main = async () => (await click('a')).call;\r\nreturn main()",
    ],
    ids=["body", "arrow", "commented", "function", "called", "expression", "inner"],
)
def test_every_way_to_write_a_script_is_understood(tools: Tools, code: str) -> None:
    result = tools.run(code)
    assert (result.value, result.error, result.notes) == (1, "", ())
    assert tools.calls == [("click", ["a"])]


def test_a_whole_test_of_60_actions_is_one_run(tools: Tools) -> None:
    result = tools.run(
        """async (app) => {
          let wrong = 0;
          for (let i = 0; i < 20; i++)
            for (const name of ['click', 'fill', 'look']) {
              const { done } = await app[name](`e${i}`, { at: i });
              if (done !== name) wrong += 1;
            }
          print('wrong:', wrong);
        }"""
    )
    assert (result.output, result.error, result.actions) == ("wrong: 0", "", 60)
    assert tools.calls == [
        (name, [f"e{i}", {"at": i}]) for i in range(20) for name in ("click", "fill", "look")
    ]


def test_a_function_is_handed_on_as_its_source(tools: Tools) -> None:
    tools.run("await app.look(() => document.title, [1, (x) => x])")
    assert tools.calls == [("look", ["() => document.title", [1, "(x) => x"]])]


def test_calls_started_together_are_done_in_turn(tools: Tools) -> None:
    result = tools.run(
        """const all = [app.click(1), app.fill(2), app.refuse('door').catch((e) => e.message),
             app.look(3)];
           return (await Promise.all(all)).map((one) => one.call ?? one)"""
    )
    assert result.value == [1, 2, "there is no door; try another", 4]
    assert [name for name, _ in tools.calls] == ["click", "fill", "refuse", "look"]


@pytest.mark.parametrize(
    "code",
    [
        "for (const i of [1, 2, 3]) app.click(i)",
        "const main = async () => { for (const i of [1, 2, 3]) await app.click(i) }; main();",
        "for (const i of [1, 2, 3]) app.click(i); throw new Error('over')",
    ],
    ids=["at once", "in turn", "failed"],
)
def test_calls_that_are_not_awaited_are_done_before_the_result(tools: Tools, code: str) -> None:
    result = tools.run(code)
    assert tools.calls == [("click", [1]), ("click", [2]), ("click", [3])]
    assert result.actions == 3
    assert "did not await" in result.notes[0]


def test_what_cannot_be_done_is_an_error_that_a_script_can_catch(tools: Tools) -> None:
    result = tools.run(
        "try { await app.refuse('door') } catch (e) { return [e instanceof Error, e.message] }"
    )
    assert (result.value, result.error) == ([True, "there is no door; try another"], "")


@pytest.mark.parametrize("awaiting", ["await ", ""])
def test_what_is_not_caught_is_told_with_its_place(tools: Tools, awaiting: str) -> None:
    result = tools.run(f"await app.click(1);\nif (true)\n  {awaiting}app.refuse('door');\n")
    column = len(f"  {awaiting}app.") + 1
    assert (result.line, result.column) == (3, column)
    assert result.error.startswith(f"line 3, column {column}: there is no door; try another\n")
    assert result.actions == 2


def test_an_unknown_method_is_answered_with_the_one_meant(tools: Tools) -> None:
    result = tools.run("const it = app;\nawait it.clik('a')")
    assert result.error.startswith(
        "line 2, column 10: app has no method clik; did you mean click\n"
    )
    assert "it has advance, click, fill, look, refuse" in tools.run("app.jump()").error
    assert tools.calls == []


def test_numbers_that_are_none_are_refused_before_anything_is_done(tools: Tools) -> None:
    result = tools.run("await app.click(0 / 0)")
    assert "an argument is NaN" in result.error
    assert tools.calls == []


def test_a_fault_of_the_harness_ends_the_script_and_is_raised(tools: Tools) -> None:
    def fail(name: str, given: list[Any]) -> None:
        raise LookupError("a bug")

    tools.during = fail
    with pytest.raises(LookupError, match="a bug"):
        tools.run("try { await app.click() } catch {} await app.click()")
    assert len(tools.calls) == 1
    tools.during = lambda name, given: None
    assert tools.run("return 1").value == 1


# --- what a script gives back


def test_any_value_is_given_back_as_json(tools: Tools) -> None:
    result = tools.run(
        """class Board { cells = [1]; get bad() { throw 1 } }
        return [NaN, 1n, undefined, () => 1, new Map([['a', { b: 2 }]]), new Set([3]),
            new Date(0), new TypeError('t'), new Uint8Array(2), new Board(), app, '\\ud800']"""
    )
    expected: list[Any] = ["NaN", "1", None, "[function]", [["a", {"b": 2}]], [3]]
    expected += ["1970-01-01T00:00:00.000Z", "TypeError: t", [0, 0], {"cells": [1]}, "[app]"]
    assert result.value == [*expected, "\ufffd"]
    assert result.notes == ()


@pytest.mark.parametrize(
    ("code", "value", "told"),
    [
        ("const a = { b: [] }; a.b.push(a); return a", {"b": ["[cyclic]"]}, "refers to itself"),
        ("return ['ab', 'x'.repeat(1e7), 'c']", ["ab", "x" * 98 + "[cut]", "[cut]"], "too long"),
        ("const o = {}; o.o = o; return { o, n: 1 }", {"o": {"o": "[cyclic]"}, "n": 1}, "itself"),
    ],
    ids=["cyclic", "long", "cyclic object"],
)
def test_a_value_that_cannot_be_shown_whole_is_cut_and_told(
    tools: Tools, code: str, value: object, told: str
) -> None:
    result = tools.run(code, output_chars=100)
    assert result.value == value
    assert told in result.notes[0]


@pytest.mark.parametrize("count", [10**6, 10**9])
def test_a_huge_value_takes_little(tools: Tools, count: int) -> None:
    result = tools.run(f"const a = []; a.length = {count}; return a")
    assert len(json.dumps(result.value)) < 200_000
    assert "too long" in result.notes[0]


def test_output_is_kept_with_the_rest_on_request(tools: Tools) -> None:
    result = tools.run(
        """print(1, 'a', [1], { b: null }, undefined, new Error('e'));
        console.error('no'); console.assert(1, 'x'); console.assert(0, 'y'); console.group('g');""",
        output_chars=20,
    )
    text = '1 a [1] {"b":null} undefined "Error: e"\nno\nAssertion failed: y\ng'
    assert (result.output, result.rest, result.cut) == (text[:20], text[20:], len(text) - 20)
    assert result.stopped == ""


def test_a_script_that_does_nothing_is_told_so(tools: Tools) -> None:
    assert "call it" in tools.run("const test = async () => { await app.click() }").notes[0]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("const a = 1;\n  const b = ;", "line 2, column 13: SyntaxError: Unexpected token ';'"),
        ("async () => {\n  await app.click('a'));\n}", "line 2, column 23: SyntaxError: "),
        ("const a = '\u2028';\nif (a) {", "line 3, column 1: SyntaxError: the script ends too"),
        ("return `", "line 1, column 1: SyntaxError: the script ends too early"),
        ("\n  nothing();", "line 2, column 3: ReferenceError: nothing is not defined"),
        ("const f = () => null.x;\n\nf();", "line 1, column 22: TypeError: "),
        ("throw { code: 7 }", 'threw {"code":7}'),
    ],
)
def test_errors_name_the_place_in_the_judges_own_text(tools: Tools, code: str, error: str) -> None:
    assert tools.run(code).error.startswith(error)


def test_a_script_of_any_length_is_not_taken(tools: Tools) -> None:
    assert "too long" in tools.run("x" * 200_001).error


# --- limits


@pytest.mark.parametrize(
    "loop", ["while (true) {}", "for (;;) await null", "for (;;) try { x() } catch {}"]
)
def test_an_endless_loop_is_ended_and_what_it_did_stays(
    tools: Tools, keeper: BrowserKeeper, loop: str
) -> None:
    result = tools.run(f"print('begun'); await app.click(1); print('clicked'); {loop}", seconds=2)
    assert (result.stopped, result.output, result.actions) == ("time", "begun\nclicked", 1)
    assert "longer than 2 s" in result.error
    assert tools.run("return 'next'").value == "next"
    page = page_of(keeper.get())
    for _ in range(400):
        if not page.workers:
            return
        page.wait_for_timeout(50)
    raise AssertionError("a script goes on after its end")


def test_a_script_stops_at_its_last_action(tools: Tools) -> None:
    result = tools.run("for (;;) { try { await app.click() } catch {} print('.') }", max_actions=10)
    assert (result.stopped, result.actions, len(tools.calls)) == ("actions", 10, 10)
    assert result.output == ".\n" * 9 + "."
    assert "more than 10 calls" in result.error


def test_calls_beyond_the_limit_are_refused_however_many_are_started(tools: Tools) -> None:
    result = tools.run("for (let i = 0; i < 1e5; i++) app.click(i)", max_actions=3)
    assert (result.stopped, [given for _, given in tools.calls]) == ("actions", [[0], [1], [2]])


def test_a_script_of_many_actions_stops_at_its_time(tools: Tools) -> None:
    result = tools.run("for (;;) await app.look()", seconds=2, max_actions=10**6)
    assert result.stopped == "time"
    assert result.actions == len(tools.calls) > 0


@pytest.mark.parametrize(
    "line", ["console.log('line', i)", "try { print('x'.repeat(100000)) } catch {}"]
)
def test_a_flood_of_output_ends_the_script(tools: Tools, line: str) -> None:
    result = tools.run(f"await app.click(); for (let i = 0; i < 2e5; i++) {line}")
    assert (result.stopped, result.actions, len(result.output)) == ("output", 1, 2000)
    assert result.cut == len(result.rest) < 1_000_001
    assert "print less" in result.error
    assert tools.run("return 1").value == 1


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("await new Promise(() => {})", "waits for something that never comes"),
        ("await new Promise((done) => setTimeout(done, 9))", "await app.advance(ms)"),
        ("await sleep(100)", "await app.advance(ms)"),
        ("await new Promise(async (done) => { await app.refuse('door'); done() })", "no door"),
    ],
)
def test_waiting_in_vain_is_told(tools: Tools, code: str, told: str) -> None:
    result = tools.run(code)
    assert told in result.error
    assert result.stopped == ""


# --- containment


@pytest.mark.parametrize(
    "code",
    [
        "app = { click: () => 'mine' }",
        "globalThis.app = null",
        "app.click = () => 'mine'",
        "delete app.click",
        "Object.defineProperty(app, 'click', { value: 1 })",
        "Object.defineProperty(globalThis, 'app', { value: 1 })",
        "Object.setPrototypeOf(app, null)",
        "'use strict'; delete globalThis.app",
        "'use strict'; app.click.now = 1",
    ],
)
def test_app_cannot_be_redefined(tools: Tools, code: str) -> None:
    assert tools.run(code).error
    result = tools.run(
        f"try {{ (() => {{ {code} }})() }} catch {{}} await app.click(1); return Object.isFrozen(app)"
    )
    assert (result.value, tools.calls) == (True, [("click", [1])])


def test_replaced_builtins_change_nothing_that_is_done_or_recorded(tools: Tools) -> None:
    result = tools.run(
        """const none = null;
        Promise.prototype.then = Promise.all = Promise.resolve = () => 'forged';
        for (const type of [Array, Map, Set, String, Function, Object, Error])
          for (const name of Object.getOwnPropertyNames(type.prototype))
            try { type.prototype[name] = none } catch {}
        Array.prototype[Symbol.iterator] = none;
        Object.prototype.then = Object.prototype.get = Object.prototype.set = 'mine';
        JSON.stringify = () => '["forged"]';
        JSON.parse = Reflect.get = Reflect.apply = () => 'forged';
        globalThis.Promise = globalThis.Map = globalThis.Error = none;
        const first = await app.click('true');
        print('first', first);
        return first"""
    )
    assert tools.calls == [("click", ["true"])]
    assert (result.output, result.error) == ('first {"done":"click","call":1}', "")
    assert result.value == {"done": "click", "call": 1}


def test_there_is_nothing_but_the_language(tools: Tools) -> None:
    result = tools.run(
        """const names = [];
        for (let o = globalThis; o !== Object.prototype; o = Object.getPrototypeOf(o))
          for (const name of Object.getOwnPropertyNames(o)) names.push(name);
        return names.filter((name) => {
          const value = globalThis[name];
          if (!/^(object|function)$/.test(typeof value)) return !/^(string|number|undefined)$/.test(typeof value);
          const source = Function.prototype.toString.call(
            typeof value === 'function' ? value : value.constructor ?? Object);
          try { value.anything } catch (e) { return !e.message.includes('is not available') }
          return /\\[native code\\]/.test(source) === false && name !== 'print' && name !== 'console';
        }).concat(['Blob', 'EventTarget', 'MessageChannel', 'Response'].filter((n) => n in globalThis))""",
        output_chars=5000,
    )
    assert (result.value, result.error) == ([], "")


def test_the_stack_leads_to_nothing_of_ours(tools: Tools) -> None:
    result = tools.run(
        """const seen = [];
        Error.prepareStackTrace = (error, sites) => {
          for (const site of sites) seen.push(site.getFunction(), site.getThis());
          return 'stack';
        };
        function probe() { return probe.caller }
        const caller = [1].map(probe)[0];
        try { await app.refuse('x') } catch (e) { e.stack }
        try { document.x } catch (e) { e.stack }
        return seen.concat(caller).filter((one) => one && one !== globalThis && !String(one).includes('seen'))"""
    )
    assert (result.value, result.error) == ([], "")


def test_nothing_is_carried_over_to_the_next_script(tools: Tools) -> None:
    tools.run("globalThis.left = 1; Array.prototype.left = 2; later = 3; Math.PI2 = 4")
    result = tools.run("return [typeof left, typeof [].left, typeof later, typeof Math.PI2]")
    assert result.value == ["undefined"] * 4


def test_a_lost_page_is_told_and_replaced(tools: Tools, keeper: BrowserKeeper) -> None:
    def crash(name: str, given: list[Any]) -> None:
        page = page_of(keeper.get())
        end_renderer(page.context.new_cdp_session(page))
        with suppress(Error):
            page.wait_for_event("close")

    tools.during = crash
    result = tools.run("print('before'); await app.click(); print('after')")
    assert (result.output, result.actions) == ("before", 1)
    assert "page was lost" in result.error
    tools.during = lambda name, given: None
    assert tools.run("return 'next'").value == "next"


def test_a_browser_that_died_is_no_fault_of_the_script(
    start_browser: Callable[[], Browser], watchdog: Watchdog
) -> None:
    browser = start_browser()
    tools = Tools(Workbench(lambda: browser, watchdog))
    tools.during = lambda name, given: browser.close()
    with pytest.raises(BrowserUnavailable):
        tools.run("await app.click()")
    with pytest.raises(BrowserUnavailable):
        tools.run("return 1")


# --- no network


@dataclass
class Net:
    """A browser whose app server is a listener that counts who comes.

    Attributes:
        port: Where it listens, by TCP and UDP.
        reached: How often it was reached.
    """

    browser: Browser
    port: int
    reached: list[str]


@pytest.fixture(scope="module")
def net(playwright: Playwright) -> Iterator[Net]:
    reached: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as stream:
        port = stream.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram:
            datagram.bind(("127.0.0.1", port))

            def accept() -> None:
                while True:
                    try:
                        connection, _ = stream.accept()
                    except OSError:
                        return
                    reached.append("tcp")
                    connection.close()

            def receive() -> None:
                while (datagram.recv(2000)) != b"end":
                    reached.append("udp")

            threads = [threading.Thread(target=work, daemon=True) for work in (accept, receive)]
            for thread in threads:
                thread.start()
            browser = playwright.chromium.launch(
                executable_path=find_chromium().executable, args=guard_arguments(port)
            )
            yield Net(browser, port, reached)
            browser.close()
            datagram.sendto(b"end", ("127.0.0.1", port))
            stream.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()


@pytest.fixture(scope="module")
def lonely(net: Net, watchdog: Watchdog) -> Iterator[Tools]:
    """Tools whose workbench is in that browser."""
    bench = Workbench(lambda: net.browser, watchdog)
    yield Tools(bench)
    bench.close()


WAYS = {
    "fetch": "await fetch(url)",
    "XMLHttpRequest": "const r = new XMLHttpRequest(); r.open('GET', url); r.send()",
    "WebSocket": "new WebSocket(url.replace('http', 'ws'))",
    "EventSource": "new EventSource(url)",
    "WebTransport": "new WebTransport(url.replace('http', 'https'))",
    "RTCPeerConnection": "new RTCPeerConnection({ iceServers: [{ urls: 'stun:x.app.localhost' }] })",
    "Image": "new Image().src = url",
    "navigator": "navigator.sendBeacon(url)",
    "Worker": "new Worker(url)",
    "importScripts": "importScripts(url)",
    "document": "document.body.append(Object.assign(document.createElement('iframe'), { src: url }))",
    "location": "location.href = url",
    "open": "open(url)",
    "parent": "parent.location = url",
    "top": "top.postMessage(url, '*')",
    "opener": "opener.location = url",
    "self": "self.fetch(url)",
    "localStorage": "localStorage.x = 1",
    "indexedDB": "indexedDB.open('x')",
    "BroadcastChannel": "new BroadcastChannel('x')",
    "process": "process.exit()",
    "require": "require('fs')",
}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_out_is_refused_and_told(net: Net, lonely: Tools, name: str) -> None:
    for url in ("http://x.app.localhost/", f"http://127.0.0.1:{net.port}/"):
        result = lonely.run(f"const url = '{url}';\ntry {{ {WAYS[name]} }} catch {{}} return 'end'")
        assert result.value == "end"
        assert result.notes[0].startswith(f"{name} is not available: ")
    assert net.reached == []


@pytest.mark.parametrize(
    "code",
    [
        "await import(url)",
        "await import('data:text/javascript,export default 1')",
        "await eval('import(url)')",
        "await (async () => {}).constructor('return import(\"' + url + '\")')()",
    ],
)
def test_nothing_is_imported(net: Net, lonely: Tools, code: str) -> None:
    result = lonely.run(f"const url = 'http://x.app.localhost/a.js';\n{code}")
    assert "Failed to fetch dynamically imported module" in result.error
    assert net.reached == []


OUTWARD = """async ([name, port]) => {
  const settled = (make) => new Promise((done) => {
    try {
      const made = make(done);
      for (const kind of ['load', 'error', 'close', 'open']) made?.addEventListener?.(kind, done);
      made?.then?.(done, done);
    } catch (error) { done(error) }
  });
  const element = (tag, url) => {
    const made = Object.assign(document.createElement(tag), { src: url });
    document.body.append(made);
    return made;
  };
  const inWorker = (url) => (done) => {
    const text = `const end = () => postMessage(0);
      fetch('http://${url}/').then(end, () => {
        const socket = new WebSocket('ws://${url}/'); socket.onerror = socket.onopen = end; })`;
    const worker = new Worker(URL.createObjectURL(new Blob([text])));
    worker.onmessage = done;
  };
  const gathered = (url) => (done) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:${url}` }] });
    peer.createDataChannel('x');
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  };
  for (const url of [`${name}:80`, `127.0.0.1:${port}`, `localhost:${port}`]) {
    navigator.sendBeacon(`http://${url}/`);
    await Promise.all([
      settled(() => fetch(`http://${url}/`, { mode: 'no-cors' })),
      settled(() => new WebSocket(`ws://${url}/`)),
      settled(() => new WebTransport(`https://${url}/`).closed),
      settled(() => element('img', `http://${url}/`)),
      settled(() => element('iframe', `http://${url}/`)),
      settled(inWorker(url)),
      settled(gathered(url)),
    ]);
  }
  return 'tried';
}"""


def test_even_an_ordinary_page_in_the_context_of_scripts_reaches_nothing(
    net: Net, lonely: Tools
) -> None:
    assert lonely.run("return 1").value == 1
    assert try_to_get_out(page_of(net.browser).context, net) == "tried"
    assert net.reached == []
    context = net.browser.new_context(**CONTEXT_OPTIONS)
    assert try_to_get_out(context, net) == "tried"
    context.close()
    assert net.reached, "without our precautions the app's server is reached"


def try_to_get_out(context: BrowserContext, net: Net) -> object:
    page = context.new_page()
    tried = page.evaluate(OUTWARD, ["x.app.localhost", net.port])
    with pytest.raises(Error):
        page.goto("http://x.app.localhost/")
    page.close()
    return tried


# --- with a real page

COUNTER = """<button onclick="this.textContent = +this.textContent + 1">0</button>
<input oninput="document.querySelector('p').textContent = this.value * 2"><p></p>"""


def hands_of(session: Session) -> Callable[[str, list[Any]], Any]:
    """A dispatcher that uses a page by selectors."""

    def call(name: str, given: list[Any]) -> Any:
        if name == "look":
            return session.evaluate("(s) => document.querySelector(s).textContent", given[0])
        x, y = session.evaluate(
            """(selector) => {
              const box = document.querySelector(selector)?.getBoundingClientRect();
              return box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0];
            }""",
            given[0],
        )
        if not x:
            raise Refused(f"nothing matches {given[0]}")
        session.click(x, y)
        if name == "fill":
            session.press("Control+A")
            session.type_text(given[1])
        return None

    return call


def test_a_script_uses_a_page_and_every_action_is_a_recorded_step(
    bench: Workbench, visit: Visit
) -> None:
    session = visit(COUNTER)
    result = run_script(
        bench,
        """async () => {
          for (let i = 0; i < 50; i++) await app.click('button');
          const doubled = [];
          for (const value of ['4', '-1', 'abc']) {
            await app.fill('input', value);
            doubled.push(await app.look('p'));
          }
          try { await app.click('#none') } catch (error) { print(error.message) }
          return [await app.look('button'), doubled];
        }""",
        hands_of(session),
        seconds=60,
        max_actions=100,
        output_chars=100,
        methods=METHODS,
        errors=(Refused,),
    )
    assert (result.value, result.error) == (["50", ["8", "-2", "NaN"]], "")
    assert (result.output, result.actions) == ("nothing matches #none", 58)
    actions = [step.action for step in session.steps]
    assert actions == ["open", *["click"] * 50, *["click", "press", "type_text"] * 3]
    assert [step.number for step in session.steps] == list(range(1, 61))


def test_a_page_that_hangs_is_regained_while_its_script_waits(
    bench: Workbench, visit: Visit
) -> None:
    session = visit("<button style='position:fixed;inset:0' onclick='for (;;) {}'>hang</button>")

    def click(name: str, given: list[Any]) -> None:
        try:
            with session.bounded(1):
                session.page.mouse.click(50, 50)
        except Exception as error:
            raise Refused(f"the page does not answer: {error}") from error

    result = run_script(
        bench,
        "try { await app.click() } catch (error) { return error.message }",
        click,
        seconds=60,
        max_actions=5,
        output_chars=1000,
        methods=METHODS,
        errors=(Refused,),
    )
    assert str(result.value).startswith("the page does not answer: ")


def test_a_judging_opens_a_workbench_of_its_own(judging: Judgings, keeper: BrowserKeeper) -> None:
    before = len(keeper.get().contexts)
    with judging("<h1>Hello</h1>").sessions.open_blank() as bench:
        tools = Tools(bench)
        assert tools.run("return 1 + 1").value == 2
        assert len(keeper.get().contexts) == before + 1
    assert len(keeper.get().contexts) == before
