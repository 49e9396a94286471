"""What the observer sees: controls as a person finds them, changes as a person notices them."""

from __future__ import annotations

from contextlib import suppress

import pytest

from browserkit import Visit
from pytest_appbench.browser.errors import PageNavigated
from pytest_appbench.browser.observe import Changes, Control, Observer
from pytest_appbench.browser.session import Session

# Everything that an app could reach to make an observer in its own world see nothing.
FORGERY = """<script>
  Array.prototype.join = () => "";
  Array.prototype.map = Array.prototype.filter = () => [];
  JSON.stringify = () => "{}";
  JSON.parse = () => null;
  Document.prototype.querySelector = Element.prototype.querySelector = () => null;
  Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
  Document.prototype.elementFromPoint = () => null;
  Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 0, height: 0 });
  Element.prototype.getAttribute = () => null;
  Node.prototype.addEventListener = () => {};
  globalThis.getComputedStyle = () => ({ display: "none", getPropertyValue: () => "none" });
  globalThis.MutationObserver = class { observe() {} disconnect() {} takeRecords() { return []; } };
  globalThis.WeakMap = globalThis.Map = class { get() {} set() {} has() { return false; } };
  const read = [[Node, "firstChild"], [Node, "textContent"], [Element, "localName"]];
  for (const [type, name] of read) {
    Object.defineProperty(type.prototype, name, { get: () => null });
  }
</script>"""
# Named fields and pictures shadow the properties of forms and documents, in every world.
CLOBBERING = """<form onclick=""><input name="getAttribute"><input name="localName">
  <input name="firstChild"><input name="labels"><input name="isConnected">
  <input name="parentNode"></form>
  <img name="documentElement" alt=""><img name="getElementById" alt=""><form name="body"></form>"""


def controls(session: Session) -> list[tuple[str, str]]:
    return [(control.kind, control.name) for control in Observer(session).look().controls]


def only(session: Session) -> tuple[Observer, Control]:
    observer = Observer(session)
    (control,) = observer.look().controls
    return observer, control


def changes_by(session: Session, script: str) -> Changes:
    observer = Observer(session)
    observer.remember()
    session.page.evaluate(script)
    return observer.changes()


@pytest.mark.parametrize(
    "html",
    [
        "<button autofocus id=x>Go</button>",
        "<svg><circle id=x tabindex=0 r=20 /></svg>",
        "<math><mi id=x tabindex=0>x</mi></math>",
    ],
    ids=["html", "svg", "mathml"],
)
def test_blur_takes_the_focus_from_elements_of_every_family(visit: Visit, html: str) -> None:
    session = visit(html)
    session.page.evaluate("document.getElementById('x').focus()")
    assert session.page.evaluate("document.activeElement.id") == "x"
    Observer(session).blur()
    assert session.page.evaluate("document.activeElement.localName") == "body"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<button>Go</button>", ("button", "Go")),
        ("<input type=submit value=Send>", ("button", "Send")),
        ("<button aria-label='Close it'>x</button>", ("button", "Close it")),
        ("<span id=t>Total</span><input aria-labelledby=t>", ("field", "Total")),
        ("<label>Name <input></label>", ("field", "Name")),
        ("<label>Size <select><option>S<option>L</select></label>", ("select", "Size")),
        ("<textarea placeholder=Notes></textarea>", ("field", "Notes")),
        ("<div contenteditable title=Page>text</div>", ("field", "text")),
        ("<label><input type=checkbox> Loud</label>", ("toggle", "Loud")),
        ("<label><input type=radio> Red</label>", ("toggle", "Red")),
        (
            "<input type=checkbox id=c style='position:absolute;opacity:0;width:0;height:0'>"
            "<label for=c>Dark</label>",
            ("toggle", "Dark"),
        ),
        ("<input type=range aria-label=Speed>", ("range", "Speed")),
        ("<input type=date aria-label=Day>", ("pick", "Day")),
        ("<input type=color aria-label=Ink>", ("pick", "Ink")),
        ("<input type=file aria-label=Photo>", ("file", "Photo")),
        ("<a href='#x'>Jump</a>", ("link", "Jump")),
        ("<details><summary>More</summary>text</details>", ("button", "More")),
        ("<div role=tab tabindex=0>First</div>", ("button", "First")),
        ("<div role=slider tabindex=0 aria-label=Volume>|</div>", ("slider", "Volume")),
        ("<div style='cursor:pointer'>Tile</div>", ("press", "Tile")),
        ("<div id=a>Plain</div><script>a.onclick = () => {}</script>", ("area", "Plain")),
        ("<div draggable=true>Card</div>", ("drag", "Card")),
        ("<div style='cursor:grab'>Handle</div>", ("drag", "Handle")),
        (
            "<canvas id=c aria-label=Board></canvas><script>c.onpointerdown = () => {}</script>",
            ("canvas", "Board"),
        ),
        (
            "<svg width=50 height=50><rect id=r width=50 height=50 aria-label=Bar></svg>"
            "<script>r.addEventListener('click', () => {})</script>",
            ("area", "Bar"),
        ),
        ("<iframe srcdoc='<button>Inside</button>'></iframe>", ("button", "Inside")),
        (
            "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = "
            "'<button>Shadow</button>'</script>",
            ("button", "Shadow"),
        ),
    ],
)
def test_finds_what_a_person_would_use(visit: Visit, html: str, found: tuple[str, str]) -> None:
    session = visit(html)
    session.settle(300)
    assert controls(session) == [found]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Only text</p>",
        "<button hidden>Go</button>",
        "<button style='visibility:hidden'>Go</button>",
        "<div style='opacity:0'><button>Go</button></div>",
        "<details><summary style='display:none'></summary><button>Go</button></details>",
        "<dialog><button>Go</button></dialog>",
        "<canvas></canvas>",
        "<input type=hidden>",
    ],
)
def test_does_not_find_what_nobody_could_use(visit: Visit, html: str) -> None:
    assert controls(visit(html)) == []


def test_what_lies_in_a_control_is_part_of_it(visit: Visit) -> None:
    session = visit(
        "<button><span style='cursor:pointer' onclick=''>Go</span></button>"
        "<div id=board><button>1</button><button>2</button></div>"
        "<script>board.onclick = () => {}</script>"
    )
    assert controls(session) == [("button", "Go"), ("button", "1"), ("button", "2")]


def test_tells_what_is_disabled_chosen_and_listened_to(visit: Visit) -> None:
    session = visit(
        "<button disabled>A</button><button aria-pressed=true>B</button><button id=c>C</button>"
        "<script>c.addEventListener('dblclick', () => {})</script>"
    )
    a, b, c = Observer(session).look().controls
    assert [a.disabled, b.disabled] == [True, False]
    assert [a.chosen, b.chosen] == [False, True]
    assert c.heard == ("dblclick",)


def test_a_reference_lasts_as_long_as_its_element(visit: Visit) -> None:
    session = visit("<button>One</button><button>Two</button>")
    observer = Observer(session)
    first, second = observer.look().controls
    session.page.evaluate("document.body.prepend(document.querySelectorAll('button')[1])")
    assert [control.ref for control in observer.look().controls] == [second.ref, first.ref]


# Aiming


def test_aims_at_a_control_that_has_to_be_scrolled_to(visit: Visit) -> None:
    session = visit(
        "<div style='height:3000px'></div><button onclick='document.title = 1'>Go</button>"
    )
    observer, control = only(session)
    point = observer.aim(control).point
    assert point is not None
    session.click(*point)
    assert session.page.title() == "1"


def test_aims_into_frames_and_shadow_roots(visit: Visit) -> None:
    session = visit(
        "<p>above</p><iframe style='margin:40px; border:7px solid' srcdoc=\"<div id=h></div>"
        "<script>"
        "h.attachShadow({mode: 'open'}).innerHTML = '<button>Go</button>';"
        "h.shadowRoot.firstChild.onclick = () => { parent.document.title = 'pressed' }"
        '</script>"></iframe>'
    )
    session.settle(300)
    observer, control = only(session)
    point = observer.aim(control).point
    assert point is not None
    session.click(*point)
    assert session.page.title() == "pressed"


def test_aims_beside_what_covers_the_middle(visit: Visit) -> None:
    session = visit(
        "<button style='position:absolute;left:0;top:0;width:200px;height:200px'>Go</button>"
        "<div style='position:absolute;left:80px;top:80px;width:40px;height:40px'></div>"
    )
    observer, control = only(session)
    point = observer.aim(control).point
    assert point is not None
    assert not (80 <= point[0] <= 120 and 80 <= point[1] <= 120)


@pytest.mark.parametrize(
    ("html", "why"),
    [
        (
            "<button>Go</button><div id=veil style='position:fixed;inset:0'>Wait</div>",
            'it is covered by <div#veil> "Wait"',
        ),
        ("<button style='position:fixed;left:-500px'>Go</button>", "it is outside the window"),
    ],
)
def test_says_why_a_control_cannot_be_pressed(visit: Visit, html: str, why: str) -> None:
    observer, control = only(visit(html))
    assert (observer.aim(control).point, observer.aim(control).why) == (None, why)


# Changes

THINGS = """<h1 id=h>Title</h1><p id=p>Some text</p><input id=i value=1><div id=d class=a>box</div>
<input type=checkbox id=k><ul id=u><li>one<li>two</ul><canvas id=c width=90 height=90></canvas>
<svg width=60 height=60><circle id=o cx=20 cy=20 r=9></svg><style>.b { color: red } .moved {
  position: relative; left: 50px }</style><div style='height:2000px'></div>"""


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("p.textContent = 'Other text'", "text"),
        ("p.firstChild.data = 'Other text'", "text"),
        ("i.value = 'typed'", "value"),
        ("k.checked = true", "value"),
        ("o.setAttribute('cx', 40)", "value"),
        ("d.className = 'b'", "appearance"),
        ("d.style.background = 'blue'", "appearance"),
        ("document.styleSheets[0].insertRule('#d { color: green }')", "appearance"),
        ("d.className = 'moved'", "place"),
        (
            "u.append(Object.assign(document.createElement('li'), {textContent: 'three'}))",
            "appeared",
        ),
        ("u.firstChild.remove()", "disappeared"),
        ("p.hidden = true", "disappeared"),
        ("c.getContext('2d').fillRect(3, 3, 2, 2)", "canvas"),
        ("d.animate([{opacity: 1}, {opacity: 0.5}], 9e9).currentTime = 4e9", "appearance"),
    ],
)
def test_notices_what_a_person_would_notice(visit: Visit, script: str, what: str) -> None:
    changes = changes_by(visit(THINGS), script)
    assert what in [thing.what for thing in changes.things]


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("document.title = 'Other'", "title"),
        ("location.hash = 'there'", "address"),
        ("history.pushState(1, '', '?page=2')", "address"),
        ("scrollTo(0, 500)", "scroll"),
        ("localStorage.setItem('a', 'b')", "storage"),
        ("document.cookie = 'a=b'", "cookies"),
        ("(() => { const a = new AudioContext(); a.createOscillator().start() })()", "sound"),
        ("location.reload()", "document"),
    ],
)
def test_notices_what_happens_to_the_page_as_a_whole(visit: Visit, script: str, what: str) -> None:
    session = visit(THINGS)
    observer = Observer(session)
    observer.remember()
    session.page.evaluate(script)
    with suppress(PageNavigated):  # a document is loaded some time after it was asked for
        session.settle(300)
    session.page.wait_for_load_state()
    assert what in observer.changes().whole


def test_notices_changes_in_frames_and_shadow_roots(visit: Visit) -> None:
    session = visit(
        "<iframe srcdoc='<p>in the frame</p>'></iframe><div id=h></div>"
        "<script>h.attachShadow({mode: 'open'}).innerHTML = '<p>in the shadow</p>'</script>"
    )
    session.settle(300)
    for script in (
        "document.querySelector('iframe').contentDocument.body.innerHTML = '<p>other</p>'",
        "h.shadowRoot.firstChild.textContent = 'other'",
    ):
        assert changes_by(session, script), script


def test_notices_what_a_canvas_shows_that_cannot_be_read(visit: Visit) -> None:
    session = visit("<canvas id=c width=90 height=90></canvas>")
    draw = """() => new Promise((done) => requestAnimationFrame(() => {
      const gl = (globalThis.gl ??= c.getContext('webgl'));
      gl.clearColor(Math.random(), 0.5, 0.2, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      requestAnimationFrame(() => requestAnimationFrame(done));
    }))"""
    session.page.evaluate(draw)
    assert not changes_by(session, "0")
    assert changes_by(session, draw)


@pytest.mark.parametrize(
    "script",
    [
        "i.focus()",
        "d.dataset.seen = 'yes'",
        "u.innerHTML = u.innerHTML",
        "p.textContent = 'Some text'",
        "getSelection().selectAllChildren(p)",
        "document.head.append(document.createElement('meta'))",
        "console.log('nothing to see')",
    ],
)
def test_takes_no_notice_of_what_nobody_would_notice(visit: Visit, script: str) -> None:
    style = "<style>:focus { outline: 4px solid red; background: pink }</style>"
    assert not changes_by(visit(THINGS + style), script)


def test_hovering_and_pressing_are_no_change(visit: Visit) -> None:
    session = visit(
        "<style>button { transition: none } button:hover { color: red } button:focus { color: blue;"
        "padding: 9px } button:active { transform: scale(2) }</style>"
        "<button>Dead</button><p>text</p>"
    )
    observer, control = only(session)
    point = observer.aim(control).point
    assert point is not None
    observer.remember(control)
    session.click(*point)
    assert not observer.changes()


def test_tells_the_controls_own_change_from_others(visit: Visit) -> None:
    session = visit(
        "<label><input type=checkbox onchange='p.textContent = 2'> On</label><p id=p>1</p>"
    )
    observer, control = only(session)
    point = observer.aim(control).point
    assert point is not None
    observer.remember(control)
    session.click(*point)
    changes = observer.changes()
    assert {thing.own for thing in changes.things} == {True, False}
    assert not changes.only_own


def test_leaves_out_what_changes_by_itself(visit: Visit) -> None:
    session = visit(
        "<p id=t>0</p><p id=q>quiet</p><ul id=u><li>0</ul><script>let n = 0; setInterval(() => {"
        "t.textContent = ++n; u.innerHTML = `<li>${n}`; }, 20)</script>",
        clock=True,
    )
    observer = Observer(session)
    observer.remember()
    session.settle(200)
    assert observer.changes(mark_restless=True)
    observer.remember()
    session.settle(200)
    assert not observer.changes(skip_restless=True)
    session.page.evaluate("q.textContent = 'loud'")
    assert [thing.to for thing in observer.changes(skip_restless=True).things] == ["loud"]


# The app has no say in any of it


@pytest.mark.parametrize("hostile", [FORGERY, CLOBBERING, FORGERY + CLOBBERING])
def test_an_app_cannot_change_what_is_seen(visit: Visit, hostile: str) -> None:
    page = "<main><h1 id=h>Title</h1><button onclick='h.append(1)'>Go</button></main>"
    seen = []
    for html in (page, page + hostile):
        session = visit(html)
        observer = Observer(session)
        look = observer.look()
        control = look.controls[0]
        point = observer.aim(control).point
        assert point is not None
        observer.remember(control)
        session.click(*point)
        thing = observer.changes().things[0]
        seen.append((control.kind, control.name, control.box, control.heard, point, str(thing)))
    assert seen[0] == seen[1]


def test_an_app_finds_nothing_of_the_observer(visit: Visit) -> None:
    session = visit(
        "<button>Go</button><script>before = Reflect.ownKeys(globalThis).length</script>"
    )
    observer, control = only(session)
    observer.remember(control)
    observer.changes()
    names = session.page.evaluate(
        "Reflect.ownKeys(globalThis).map(String).slice(before).concat(typeof appbenchObserver)"
    )
    assert names == ["before", "undefined"] or names == ["undefined"]
