"""An app that overrides primitives changes nothing of what is read, done and recorded."""

from __future__ import annotations

import pytest

from browserkit import Visit, eventually

FULL = "position:fixed;left:0;top:0;width:200px;height:200px"

TAMPERINGS = {
    "arrays": """
        for (const name of ['join', 'map', 'push', 'filter', 'forEach', 'slice', 'concat'])
            Array.prototype[name] = () => 'forged';
        Array.prototype[Symbol.iterator] = function* () { yield 'forged'; };""",
    "json": "JSON.stringify = () => '\"forged\"'; JSON.parse = () => 'forged'; window.JSON = null;",
    "toJSON": "Object.prototype.toJSON = String.prototype.toJSON = () => 'forged';",
    "reflection": """
        for (const name of Object.getOwnPropertyNames(Reflect)) Reflect[name] = () => 'forged';
        for (const name of ['defineProperty', 'keys', 'getOwnPropertyDescriptor', 'assign'])
            Object[name] = () => { throw new Error('forged'); };
        for (const name of ['call', 'apply', 'bind']) Function.prototype[name] = () => 'forged';""",
    "frozen": "for (const o of [Object.prototype, Array.prototype, console]) Object.freeze(o);",
    "dom": """
        const forged = { get() { return () => 'forged'; }, set() {} };
        for (const type of [Document, Element, Node, EventTarget])
            for (const name of Object.getOwnPropertyNames(type.prototype)) {
                try { Object.defineProperty(type.prototype, name, forged); }
                catch { /* not configurable */ }
            }
        window.getComputedStyle = () => 'forged';""",
    "events": """
        for (const name of ['Event', 'CustomEvent', 'MouseEvent', 'MessageEvent'])
            window[name] = class { constructor() { throw new Error('forged'); } };
        for (const name of ['preventDefault', 'stopPropagation'])
            Event.prototype[name] = () => { throw new Error('forged'); };""",
    "promises": """
        window.Promise = class { constructor() { throw new Error('forged'); } };
        const then = () => { throw new Error('forged'); };
        (async () => {})().constructor.prototype.then = then;
        window.queueMicrotask = window.setTimeout = window.requestAnimationFrame = then;""",
    "strings": """
        for (const name of ['slice', 'split', 'replace', 'toString', 'trim'])
            String.prototype[name] = Number.prototype[name] = () => 'forged';
        window.String = window.Number = () => 'forged';""",
    "maps": """
        for (const type of [Map, Set, WeakMap])
            for (const name of ['get', 'set', 'has', 'add', 'forEach'])
                type.prototype[name] = () => 'forged';
        window.Map = window.Set = window.WeakMap = null;""",
    "everything": """
        for (const name of Object.getOwnPropertyNames(window)) {
            if (['document', 'location', 'window', 'top', 'button', 'act'].includes(name)) continue;
            try { delete window[name]; } catch { /* not configurable */ }
            try { window[name] = 'forged'; } catch { /* read only */ }
        }""",
    "clobbering": """
        for (const name of ['title', 'querySelector', 'addEventListener', 'defaultView'])
            document.body.insertAdjacentHTML('beforeend', `<form name=${name}></form>`);""",
    "document": "document.open(); document.write(document_text); document.close();",
}
WATCHERS = {
    "driver": "navigator.webdriver",
    "names": "Object.keys(window).some((name) => /playwright|appbench|cdc_|__pw/.test(name))",
    "source": "!/native code/.test(alert) || !/native code/.test(Function.prototype.toString)",
    "descriptor": "!/get webdriver.*native/.test("
    "Object.getOwnPropertyDescriptor(Navigator.prototype, 'webdriver').get)",
    "own": "Object.getOwnPropertyNames(navigator).length > 0",
}
READ = """() => {
  const button = Reflect.apply(Document.prototype.querySelector, document, ['button']);
  const { position } = getComputedStyle(button);
  return [button.textContent, [1, 2].join('-'), JSON.stringify({ a: [1] }), position];
}"""


@pytest.mark.parametrize("script", TAMPERINGS.values(), ids=TAMPERINGS.keys())
def test_reading_input_and_record_stay_true(visit: Visit, script: str) -> None:
    button = f"<button style='{FULL}' onclick='act()'>0</button>"
    session = visit(
        f"""<body>{button}<script>
        const document_text = `{button}`;
        const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set.call.bind(
            Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set);
        const find = Document.prototype.querySelector.bind(document);
        const ask = window.confirm, say = console.log;
        let n = 0;
        function act() {{
            n += 1;
            text(find('button'), n + (ask('Sure?') === true ? ' sure' : ' not sure'));
            say('clicked');
            throw new Error('thrown');
        }}
        {script}
        </script>""",
        clock=True,
    )
    assert session.evaluate(READ) == ["0", "1-2", '{"a":[1]}', "fixed"]
    session.click(100, 100)
    session.click(100, 100)
    assert session.evaluate(READ)[0] == "2 sure"
    eventually(session, lambda: len(session.events.exceptions) == 2)
    assert [dialog.text for dialog in session.events.dialogs] == ["Sure?", "Sure?"]
    assert [line.text for line in session.events.console] == ["clicked", "clicked"]
    session.close()


@pytest.mark.parametrize("watched", WATCHERS.values(), ids=WATCHERS.keys())
def test_an_app_that_watches_for_automation_shows_what_a_person_sees(
    visit: Visit, watched: str
) -> None:
    session = visit(
        f"<h1>Counter</h1><script>if ({watched}) document.body.textContent = 'robot'</script>"
    )
    assert session.evaluate("() => document.body.innerText") == "Counter"
    assert session.events.exceptions == []
