"""What a judge does to an app by name: each action is real, hit-tested, recorded, and tells what changed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browserkit import Visit
from pytest_appbench.browser import using
from pytest_appbench.browser.errors import PageGone
from pytest_appbench.browser.hands import METHODS, Hands, HandsError
from pytest_appbench.browser.session import Session
from pytest_appbench.browser.watchdog import end_renderer

Open = Callable[..., "App"]

# Draws everything anew at every change, as many small apps do.
TODO = """<!doctype html><meta charset=utf-8><title>Todo</title><div id=app></div><script>
  let items = [{ name: "Milk" }, { name: "Bread" }, { name: "Eggs" }];
  const render = () => {
    app.innerHTML = `<h1>Todo</h1><form onsubmit="add(event)"><input id=t placeholder="New task">
      <button>Add</button></form><ul>${items.map((item, i) => `<li><label>
      <input type=checkbox ${item.done ? "checked" : ""} onchange="toggle(${i})">
      ${item.name}</label><button onclick="remove(${i})">✕</button></li>`).join("")}</ul>
      <p>${items.filter((item) => !item.done).length} left</p>`;
  };
  const add = (event) => { event.preventDefault(); items.push({ name: t.value }); render(); };
  const toggle = (i) => { items[i].done = !items[i].done; render(); };
  globalThis.remove = (i) => { items.splice(i, 1); render(); };
  render();
</script>"""


class App:
    """An app under hands, with short words for the tests."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.session, self.folder = session, folder
        self.hands = Hands(session, session.url, folder)

    def __call__(self, name: str, *arguments: Any) -> Any:
        answer = self.hands.call(name, arguments)
        json.dumps(answer)
        return answer

    def changed(self, name: str, *arguments: Any) -> str:
        return str(self(name, *arguments)["changed"])

    def refused(self, name: str, *arguments: Any) -> str:
        with pytest.raises(HandsError) as caught:
            self(name, *arguments)
        return str(caught.value)

    def text(self, target: Any) -> str:
        return str(self("read", target)["text"])

    def ref(self, target: Any) -> str:
        return str(self("read", target)["ref"])


@pytest.fixture
def app(visit: Visit, tmp_path: Path) -> Open:
    """Opens a page with given text, with time standing still."""

    def open_page(html: str, *, clock: bool = True) -> App:
        page = (
            html if html.startswith("<!doctype") else f"<!doctype html><meta charset=utf-8>{html}"
        )
        return App(visit(page, clock=clock), tmp_path)

    return open_page


# Acting


def test_uses_an_app_from_first_to_last(app: Open) -> None:
    todo = app(TODO)
    todo("fill", {"label": "New task"}, "Butter")
    assert '<li> "Butter ✕" appeared' in todo.changed("press", "Enter")
    assert "checked" in todo.changed("check", {"role": "checkbox", "name": "Bread"})
    assert todo.text("p") == "3 left"
    assert todo.changed("check", {"role": "checkbox", "name": "Bread"}, True) == "it is on already"
    assert '<li> "Milk ✕" disappeared' in todo.changed("click", {"role": "button", "nth": 1})
    assert todo("count", "li") == 3
    assert [item["text"] for item in todo("readAll", "li")] == ["Bread✕", "Eggs✕", "Butter✕"]
    assert [step.number for step in todo.hands.steps] == list(range(1, 9))
    step = todo.hands.steps[0]
    assert (step.action, step.target) == ("fill", "textbox \"New task\" e1 with 'Butter'")


def test_says_when_nothing_changed(app: Open) -> None:
    assert app("<button>Dead</button>").changed("click", "Dead") == "no visible change"


@pytest.mark.parametrize(
    ("name", "arguments", "heard"),
    [
        ("click", (), "mousedown:0 mouseup:0 click:1"),
        ("click", ({"button": "right"},), "mousedown:2 contextmenu:2 mouseup:2"),
        ("click", ({"count": 2},), "mousedown:0 mouseup:0 click:1 mousedown:0 mouseup:0 click:2 dblclick:2"),
        ("doubleClick", (), "mousedown:0 mouseup:0 click:1 mousedown:0 mouseup:0 click:2 dblclick:2"),
        ("click", ({"modifiers": ["Shift"]},), "mousedown:0+shift mouseup:0+shift click:1+shift"),
        ("hover", (), "mouseover:0"),
        ("touch", (), "touchstart touchend mousedown:0 mouseup:0 click:1"),
        ("click", ({"at": [3, 4]},), "mousedown:0@3,4 mouseup:0@3,4 click:1@3,4"),
    ],
)  # fmt: skip
def test_presses_as_a_person_does(app: Open, name: str, arguments: Any, heard: str) -> None:
    page = app("""<button id=b style="border:0;padding:0;width:90px;height:60px">Go</button>
        <p id=log></p><script>
          for (const type of ["mousedown", "mouseup", "click", "dblclick", "contextmenu", "touchstart",
                              "touchend", "mouseover"]) {
            b.addEventListener(type, (event) => {
              const number = /click/.test(type) ? event.detail : event.button ?? "";
              const place = log.dataset.places ? `@${event.offsetX},${event.offsetY}` : "";
              const what = type + (number === "" ? "" : `:${number}`) + (event.shiftKey ? "+shift" : "");
              log.append(what + place + " ");
            });
          }
        </script>""")
    if "@" in heard:
        page("evaluate", "() => { document.getElementById('log').dataset.places = 1 }")
    page(name, "#b", *arguments)
    said = page.text("#log")
    if name != "hover":
        said = said.removeprefix("mouseover:0 ").replace("mouseover:0@3,4 ", "")
        said = said.replace("mouseover:0+shift ", "").replace("mouseover:0 ", "")
    assert said == heard


def test_draws_on_a_canvas_by_dragging(app: Open) -> None:
    page = app("""<canvas id=c width=200 height=100 aria-label=Sheet></canvas><script>
        const g = c.getContext("2d");
        let isDown = false;
        c.onpointerdown = (e) => { isDown = true; g.moveTo(e.offsetX, e.offsetY); };
        c.onpointermove = (e) => { if (isDown) { g.lineTo(e.offsetX, e.offsetY); g.stroke(); } };
        c.onpointerup = () => { isDown = false; };
    </script>""")
    x, y, width, height = page("read", "#c")["box"].values()
    assert page("read", "#c")["canvas"]["drawn"] is None
    changed = page.changed("drag", [x + 5, y + 5], [x + width - 9, y + 5], [x + 5, y + height - 9])
    assert "<canvas#c>" in changed
    assert "was redrawn" in changed
    assert page("read", "#c")["canvas"]["drawn"] is True


def test_drags_and_drops(app: Open) -> None:
    page = app("""<div id=card draggable=true>Card</div><div id=zone style="height:50px">Here</div><script>
        card.ondragstart = (event) => event.dataTransfer.setData("text", "card");
        zone.ondragover = (event) => event.preventDefault();
        zone.ondrop = (event) => { zone.textContent = "got " + event.dataTransfer.getData("text"); };
    </script>""")
    assert '"Here" became "got card"' in page.changed("drag", "#card", "#zone")


@pytest.mark.parametrize(
    ("field", "value", "held"),
    [
        ("<input id=f value=old oninput='n.textContent++'>", "new", "new"),
        ("<input id=f value=old>", "", ""),
        ("<textarea id=f>old</textarea>", "two\nlines", "two\nlines"),
        ("<input type=number id=f value=3>", 42, "42"),
        ("<input type=range id=f min=0 max=10>", 7, "7"),
        ("<input type=range id=f min=-1000 max=1000 step=5 value=0>", "-455", "-455"),
        ("<input type=range id=f min=0 max=1 step=any value=0>", 0.25, "0.25"),
        ("<input type=date id=f>", "2024-02-29", "2024-02-29"),
        ("<input type=time id=f>", "23:59", "23:59"),
        ("<input type=color id=f>", "#00ff80", "#00ff80"),
    ],
)
def test_fills_fields_of_all_kinds(app: Open, field: str, value: Any, held: str) -> None:
    page = app(f"""{field}<p id=n>0</p><p id=log></p><script>
        f.addEventListener("input", () => {{ log.textContent = "heard " + f.value; }});
    </script>""")
    page("fill", "#f", value)
    assert page("read", "#f")["value"] == held
    assert page("evaluate", "() => document.getElementById('log').textContent") == f"heard {held}"


def test_fills_editable_text(app: Open) -> None:
    page = app("<div contenteditable id=f aria-label=Note>old <b>text</b></div>")
    page("fill", {"label": "Note"}, "new")
    assert page.text("#f") == "new"


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("<input type=date id=f>", "29.2.2024", "write YYYY-MM-DD"),
        ("<input type=date id=f>", "2023-02-29", "there is no date"),
        ("<input type=range id=f max=10>", "11", "goes from 0 to 10"),
        ("<input type=range id=f>", "much", "holds a number"),
        ("<input id=f readonly>", "x", "read-only"),
        ("<input id=f disabled>", "x", "disabled"),
        ("<input type=checkbox id=f>", "x", "use check"),
        ("<select id=f></select>", "x", "use select"),
        ("<h1 id=f>Title</h1>", "x", "is no field to fill"),
    ],
)
def test_says_why_a_field_cannot_be_filled(app: Open, field: str, value: str, why: str) -> None:
    assert why in app(field).refused("fill", "#f", value)


def test_selects_by_label_or_value(app: Open) -> None:
    page = app("""<label>Size <select onchange="log.textContent = value"><option value=s>Small
        <option value=m>Medium<option value=l disabled>Large</select></label><p id=log>-</p>""")
    assert '"-" became "m"' in page.changed("select", {"label": "Size"}, "medium")
    assert '"m" became "s"' in page.changed("select", {"label": "Size"}, "s")
    assert 'it has "Small", "Medium", "Large"' in page.refused("select", {"label": "Size"}, "Huge")
    assert "disabled" in page.refused("select", {"label": "Size"}, "Large")


def test_checks_what_is_drawn_by_its_label(app: Open) -> None:
    page = app("""<input type=checkbox id=c style="position:absolute;opacity:0">
        <label for=c>Dark</label>""")
    assert page.changed("check", {"role": "checkbox", "name": "Dark"}).endswith("it is on now")
    assert page.changed("check", {"text": "Dark"}, False).endswith("it is off now")


def test_uploads_files(app: Open) -> None:
    page = app("""<label>Photos <input type=file multiple id=f></label><p id=log>-</p><script>
        f.onchange = async () => {
          const texts = await Promise.all([...f.files].map((file) => file.text()));
          log.textContent = [...f.files].map((file, i) => `${file.name} ${file.type} ${texts[i]}`).join();
        };
    </script>""")
    encoded = base64.b64encode(b"two").decode()
    files = [
        {"name": "a.txt", "type": "text/plain", "content": "one"},
        {"name": "b", "base64": encoded},
    ]
    page("upload", {"text": "Photos"}, files)
    page("wait", {"text": "b two"})
    assert page.text("#log") == "a.txt text/plain one,b two"


def test_scrolls_by_wheel_and_to_things(app: Open) -> None:
    page = app("<h1>Top</h1><div style='height:3000px'></div><button>Far</button>")
    page("scroll", [0, 400])
    assert page("evaluate", "() => scrollY") == 400
    page("scroll", "Far")
    assert page("evaluate", "() => scrollY") > 1500
    page("scroll", [0, -9999])
    page("click", "Far")


# Targets


def test_finds_by_role_text_label_css_and_point(app: Open) -> None:
    page = app("""<button>Save</button><button>Save as</button><div style="cursor:pointer">Tile</div>
        <label>Name <input></label><h2>Head</h2><a href="#x">Menu</a><input placeholder=Find type=search>
        <div id=h></div><iframe srcdoc="<button>Framed</button>"></iframe>
        <script>h.attachShadow({ mode: "open" }).innerHTML = "<button>Shaded</button>"</script>""")
    page("wait", {"target": {"text": "Framed"}})
    for target, role, name in [
        ({"role": "button", "name": "Save"}, "button", "Save"),
        ({"role": "button", "name": "save AS"}, "button", "Save as"),
        ({"text": "tile"}, "clickable", "Tile"),
        ({"label": "Name"}, "textbox", "Name"),
        ({"label": "Find"}, "searchbox", "Find"),
        ({"role": "heading"}, "heading", "Head"),
        ("Menu", "link", "Menu"),
        ("Framed", "button", "Framed"),
        ("Shaded", "button", "Shaded"),
        ({"css": "button", "nth": 1}, "button", "Save as"),
        ([15, 15], "button", "Save"),
    ]:
        found = page("read", target)
        assert (found["role"], found["name"]) == (role, name), target
    assert page("count", {"role": "button"}) == 4


def test_names_the_choices_where_several_fit(app: Open) -> None:
    page = app("<p>A <button>Delete</button></p><p>B <button>Delete</button></p>")
    said = page.refused("click", "Delete")
    assert said.startswith('2 things fit "Delete": button "Delete" e1, button "Delete" e2.')
    assert page.changed("click", {"text": "Delete", "nth": 1}) == "no visible change"
    assert "only 2 things fit" in page.refused("click", {"text": "Delete", "nth": 2})


def test_says_what_is_there_where_nothing_fits(app: Open) -> None:
    page = app("<button>Start</button>")
    assert 'usable now: button "Start" e1' in page.refused(
        "click", {"role": "button", "name": "Stop"}
    )
    assert "is no CSS selector" in page.refused("click", {"css": "##"})
    assert "outside the window" in page.refused("click", [5000, 5])


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("clack", (), "there is no 'clack'; there are look, "),
        ("click", (), "0 arguments were given. Use it as click(target, {button, "),
        ("click", ("#a", {"speed": 3}), "there is no option 'speed'"),
        ("click", ("#a", {"button": "upper"}), "button is \"upper\": Input should be 'left'"),
        ("click", (7,), "a target is a ref such as 'e12'"),
        ("click", ({"name": "x"},), "a target is a ref such as 'e12'"),
        ("click", ({"css": "a", "nth": -1},), "nth counts from 0"),
        ("press", ("Hyper",), "Unknown key"),
        ("advance", (-1,), "greater than or equal to 0"),
        ("wait", ({},), "give one of text, gone, target, js"),
        ("back", (), "there is nothing to go back to"),
    ],
)
def test_says_what_is_wrong_with_a_call(app: Open, name: str, arguments: Any, problem: str) -> None:
    assert problem in app("<a id=a>x</a>").refused(name, *arguments)


# References


def test_references_survive_drawing_everything_anew(app: Open) -> None:
    todo = app(TODO)
    todo("look")
    add, field, eggs = (
        todo.ref("Add"),
        todo.ref("#t"),
        todo.ref({"role": "checkbox", "name": "Eggs"}),
    )
    todo("fill", field, "Tea")
    todo("click", add)
    assert (todo.ref("Add"), todo.ref("#t")) == (add, field)
    assert "e" in todo.changed("check", eggs)
    assert todo("read", eggs)["checked"] is True
    assert todo("read", eggs)["name"] == "Eggs"


def test_reference_of_what_was_deleted_is_gone_for_good(app: Open) -> None:
    todo = app(TODO)
    first, second, third = (todo.ref({"css": "li button", "nth": n}) for n in range(3))
    todo("click", first)
    said = todo.refused("click", first)
    assert f"{first} (<button>" in said
    assert f'in its place there is now button "✕" {second}' in said
    todo("click", third)
    assert [item["text"] for item in todo("readAll", "li")] == ["Bread✕"]
    assert "is gone" in todo.refused("click", first)
    assert todo.ref("li button") == second


def test_no_twin_takes_over_the_reference_of_what_was_deleted(app: Open) -> None:
    twins = app(TODO.replace('"Bread"', '"Milk"').replace('"Eggs"', '"Milk"'))
    refs = [twins.ref({"css": "li button", "nth": n}) for n in range(3)]
    twins("click", refs[0])
    left = [twins.ref({"css": "li button", "nth": n}) for n in range(2)]
    assert not set(left) & set(refs)


def test_references_of_a_board_keep_their_places(app: Open) -> None:
    board = app("""<div id=b></div><p id=n></p><script>
        const marks = Array(9).fill("");
        const draw = () => {
          b.innerHTML = marks.map((m, i) => `<button onclick="put(${i})">${m}</button>`).join("");
          n.textContent = `move ${marks.filter(Boolean).length}`;
        };
        const put = (i) => { marks[i] ||= marks.filter(Boolean).length % 2 ? "O" : "X"; draw(); };
        draw();
    </script>""")
    refs = [board.ref({"css": "button", "nth": n}) for n in range(9)]
    for number in (0, 4, 8):
        board("click", refs[number])
    assert [board.ref({"css": "button", "nth": n}) for n in range(9)] == refs
    assert [board.text(refs[n]) for n in (0, 4, 8)] == ["X", "O", "X"]


def test_rows_that_were_sorted_keep_their_references(app: Open) -> None:
    page = app("""<ul id=u></ul><button onclick="draw([7, 12, 30])">Sort</button><script>
        const draw = (all) => { u.innerHTML = all.map((n) => `<li>${n} <button>x</button></li>`).join(""); };
        draw([30, 7, 12]);
    </script>""")
    before = {
        page.text({"css": "li", "nth": n}): page.ref({"css": "li button", "nth": n})
        for n in range(3)
    }
    page("click", "Sort")
    after = {
        page.text({"css": "li", "nth": n}): page.ref({"css": "li button", "nth": n})
        for n in range(3)
    }
    assert after == before


def test_references_never_pass_to_another_document(app: Open) -> None:
    page = app("<button>One</button>")
    old = page.ref("One")
    page("reload")
    assert "not on the page" in page.refused("click", old)
    assert page.ref("One") != old


# What stands in the way


def test_says_what_covers_a_thing(app: Open) -> None:
    page = app("""<button onclick="this.textContent = 'pressed'">Go</button>
        <div id=veil style="position:fixed;inset:0">Wait</div>""")
    said = page.refused("click", "button")
    assert said.startswith(
        'button "Go" e1 cannot be reached: it is covered by <div#veil> "Wait" (e2)'
    )
    assert page.text("e2") == "Wait"
    assert page.hands.steps[0].changed == f"not done: {said}"
    assert page.text("button") == "Go"


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<button disabled>Go</button>", "is disabled"),
        ("<fieldset disabled><button>Go</button></fieldset>", "is disabled"),
        ("<button aria-disabled=true>Go</button>", "is disabled"),
        ("<button hidden>Go</button>", "it is not visible"),
        ("<button style='position:fixed;left:-500px'>Go</button>", "outside the window"),
    ],
)
def test_says_why_a_thing_cannot_be_pressed(app: Open, html: str, why: str) -> None:
    assert why in app(html).refused("click", {"css": "button"})


# Time


def test_waits_out_debounce_and_short_animation(app: Open) -> None:
    page = app("""<style>p { transition: margin 0.8s } .far { margin-left: 300px }</style>
        <input oninput="clearTimeout(t); t = setTimeout(() => { p.textContent = value }, 300)">
        <button onclick="p.className = 'far'">Move</button><p id=p>-</p><script>let t;</script>""")
    assert '"-" became "cat"' in page.changed("fill", "input", "cat")
    page("click", "Move")
    assert (
        page("evaluate", "() => getComputedStyle(document.getElementById('p')).marginLeft")
        == "300px"
    )


def test_plays_a_game_that_reads_the_keys_in_each_frame(app: Open) -> None:
    game = app("""<p id=p>0</p><script>
        const down = new Set();
        let x = 0, last = 0;
        onkeydown = (event) => down.add(event.key);
        onkeyup = (event) => down.delete(event.key);
        const frame = (now) => {
          if (down.has("ArrowRight")) x += now - last;
          last = now;
          p.textContent = Math.round(x);
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    </script>""")
    game("hold", "ArrowRight", 1000)
    held = int(game.text("p"))
    assert 950 <= held <= 1050
    game("press", "right")
    pressed = int(game.text("p")) - held
    assert 30 <= pressed <= 90
    now = game.session.clock
    assert now is not None
    assert now.now < 1500


def test_a_page_is_scrolled_at_once_however_smoothly_it_asks_to_be(app: Open) -> None:
    page = app("""<style>html { scroll-behavior: smooth } div { height: 3000px }</style>
        <button onclick="end.scrollIntoView({ behavior: 'smooth' })">Down</button><div></div>
        <p id=end>The end</p>""")
    page("click", "Down")
    assert page("evaluate", "() => scrollY") > 2000
    page("press", "Home")
    assert page("evaluate", "() => scrollY") == 0


def test_addresses_are_told_as_they_are_in_every_run(app: Open) -> None:
    page = app("""<a href="#there">There</a><button onclick="save()">Save</button><script>
        const save = () => {
          const a = document.createElement("a");
          a.href = URL.createObjectURL(new Blob(["x"]));
          a.download = "x.txt";
          a.click();
          document.title = a.href;
        };</script>""")
    assert 'the address is now "http://app.localhost/' in page.changed("click", "There")
    assert page("url") == "http://app.localhost/#there"
    page("click", "Save")
    assert page("title") == "blob:http://app.localhost/..."


def test_what_the_browser_tells_with_a_frame_is_an_effect_of_what_was_done(app: Open) -> None:
    page = app("""<style>#panel { display: none } #space { height: 3000px }</style>
        <button>Show</button><p id=panel>Panel</p><p id=window></p><p id=later></p><p id=high></p>
        <p id=seen></p><div id=space></div><p id=end>The end</p><script>
        const say = (id, text) => { document.getElementById(id).textContent = text; };
        addEventListener("resize", () => {
          say("window", innerWidth);
          setTimeout(() => say("later", `later ${innerWidth}`), 150);
        });
        new ResizeObserver(() => say("high", panel.offsetHeight ? "open" : "closed")).observe(panel);
        new IntersectionObserver((all) => say("seen", all.at(-1).isIntersecting)).observe(end);
        document.querySelector("button").onclick = () =>
          (panel.style.display = panel.style.display ? "" : "block");
        </script>""")
    for _ in range(3):
        narrow = page.changed("viewport", 390, 844)
        assert '"390"' in narrow
        assert '"later 390"' in narrow
        shown = page.changed("click", "Show")
        assert '"closed" became "open"' in shown
        assert "later" not in shown
        assert '"open" became "closed"' in page.changed("click", "Show")
        assert '"false" became "true"' in page.changed("scroll", [0, 5000])
        assert '"true" became "false"' in page.changed("scroll", [0, -5000])
        assert '"later 1280"' in page.changed("viewport", 1280, 720)


def test_what_the_judge_s_own_script_did_is_not_told_as_done_by_the_next_action(app: Open) -> None:
    page = app(
        "<input value=old><button onclick='this.nextSibling.textContent += 1'>Go</button><p>"
    )
    page("click", {"text": "Go"})
    page("evaluate", "() => { document.querySelector('input').value = 'new' }")
    assert "new" not in page.changed("click", {"text": "Go"})


def test_time_passes_only_when_it_is_let(app: Open) -> None:
    page = app(
        """<p id=p>0</p><button onclick="setInterval(() => p.textContent++, 1000)">Go</button>"""
    )
    page("click", "Go", {"settle": 0})
    assert '"0" became "60"' in page.changed("advance", 60_000)
    assert page("wait", {"text": "65"}) == {
        "met": True,
        "waited": 5000.0,
        "changed": 'met after 5000 ms; <p#p> "60" became "65"',
    }
    met = page("wait", {"js": "() => document.getElementById('p').textContent === '99'", "ms": 200})
    assert met["met"] is False


def test_time_passes_by_a_frame_or_until_nothing_is_due(app: Open) -> None:
    page = app(
        """<p>0</p><b>-</b><script>
        let frames = 0
        const [p, b] = [document.querySelector("p"), document.querySelector("b")]
        const step = () => { p.textContent = ++frames; if (frames < 5) requestAnimationFrame(step) }
        requestAnimationFrame(step)
        setTimeout(() => { b.textContent = "later" }, 7000)
        </script>"""
    )
    assert '"0" became "1"' in page.changed("advance", "frame")
    assert '"1" became "2"' in page.changed("advance", "frame")
    assert '"- " became "later"'.replace("- ", "-") in page.changed("advance", "quiet")
    assert page.text("p") == "5"
    page("evaluate", "() => { setInterval(() => {}, 50) }", None, {"world": "main"})
    assert page.changed("advance", "quiet").startswith("not quiet after 10000 ms")


def test_a_person_s_pace_is_kept_where_it_is_asked_for(app: Open) -> None:
    page = app(
        """<input autofocus><p></p><script>
        let last = 0
        document.querySelector("input").onkeydown = (event) => {
          document.querySelector("p").textContent += Math.round(event.timeStamp - last) + " "
          last = event.timeStamp
        }</script>"""
    )
    page("type", "abcd", {"pace": 150})
    assert page.text("p").split()[1:] == ["150"] * 3


@pytest.mark.parametrize(
    "loses",
    ["this.style.display = 'none'", "this.disabled = true", "document.forms[0].inert = true"],
)
def test_what_can_no_longer_have_the_focus_has_it_no_more_at_once(app: Open, loses: str) -> None:
    page = app(f'<form><button type=button onclick="{loses}">Go</button></form><p>x</p>')
    page("click", {"text": "Go"}, {"settle": 0})
    assert page("read", {"css": "body"})["focused"] is True
    assert page("read", {"css": "button"})["focused"] is False


def test_a_step_says_what_nobody_could_foresee(app: Open) -> None:
    page = app(
        "<button onclick='throw new Error(\"oh\")'>Break</button><button>Fine</button>"
        "<button onclick='alert(\"Hi\")'>Greet</button>"
    )
    for name in ("Break", "Fine", "Greet"):
        page("click", {"text": name})
    surprises = [step.surprise for step in page.hands.steps]
    assert "uncaught Error: oh" in surprises[0]
    assert surprises[1] == ""
    assert surprises[2] == 'alert "Hi"'


def test_says_that_it_goes_on(app: Open) -> None:
    page = app("""<p id=p>0</p><button onclick="tick()">Go</button>
        <script>const tick = () => { p.textContent++; requestAnimationFrame(tick); }</script>""")
    assert "it goes on" in page.changed("click", "Go")


def test_without_a_clock_time_flows(app: Open) -> None:
    page = app("""<p id=p>-</p><button onclick="setTimeout(() => { p.textContent = 'late' }, 300)">Go
        </button>""", clock=False)  # fmt: skip
    assert '"-" became "late"' in page.changed("click", "Go")
    page("advance", 50)
    assert page("wait", {"text": "late"})["met"]


# What else is told


def test_tells_dialogs_exceptions_errors_and_blocked_ways(app: Open) -> None:
    page = app("""<button onclick="alert('Saved'); prompt('Name?', 'Ada'); console.error('bad');
        window.open('http://else.test/'); null.x">Go</button>""")
    changed = page.changed("click", "Go")
    for said in (
        'alert "Saved"',
        'prompt "Name?" was answered "Ada"',
        "uncaught TypeError: Cannot read properties of null",
        "console error: bad",
        "blocked popup http://else.test/",
    ):
        assert said in changed
    console = page("console")
    assert console["dialogs"] == ["alert 'Saved' -> ''", "prompt 'Name?' -> 'Ada'"]
    assert console["console"] == ["error: bad"]
    assert page("console") == {}


def test_follows_links_and_comes_back_with_what_was_stored(app: Open) -> None:
    page = app("""<title>Home</title><a href="?2">Next</a><form><button name=q value=1>Send</button></form>
        <button onclick="localStorage.x = 1">Keep</button>""")
    assert "stores changed" in page.changed("click", "Keep")
    assert "another document was loaded: http" in page.changed("click", "Next")
    assert page("url").endswith("/?2")
    assert "loaded" in page.changed("back")
    assert "?q=1" in page.changed("click", "Send")
    page("reload")
    assert page("storage") == {"localStorage": {"x": "1"}, "sessionStorage": {}}
    assert page("title") == "Home"


def test_takes_pictures_into_the_folder(app: Open) -> None:
    page = app("<h1>Hello</h1><div style='height:2000px'></div><button>Go</button>")
    files = [page("screenshot")["file"], page("screenshot", {"target": "button"})["file"]]
    assert files == ["screenshot-001.webp", "screenshot-002.webp"]
    assert all((page.folder / file).read_bytes()[8:12] == b"WEBP" for file in files)
    blind = Hands(page.session, page.session.url)
    with pytest.raises(HandsError, match="no screenshots are taken"):
        blind.call("screenshot", [])


def test_changes_the_window_and_takes_notes(app: Open) -> None:
    page = app("<style>@media (max-width: 500px) { p { color: red } }</style><p>Text</p>")
    page("viewport", 390, 844)
    assert page("evaluate", "() => [innerWidth, innerHeight]") == [390, 844]
    assert page("note", "it is red", {"colour": "red"}) == {
        "step": 3,
        "changed": '{"colour": "red"}',
    }
    assert page.hands.steps[2].target == "it is red"


# Evaluating


def test_evaluates_in_the_isolated_world_unless_asked(app: Open) -> None:
    page = app("<p id=p>1</p><script>globalThis.score = 42;</script>")
    assert page("evaluate", "() => typeof score") == "undefined"
    assert page("evaluate", "(x) => score + x", 1, {"world": "main"}) == 43
    assert "untrusted" in page.hands.steps[1].target
    assert page("evaluate", "document.getElementById('p').textContent") == "1"
    assert page("evaluate", "({ a, b }) => a + b", {"a": 1, "b": 2}) == 3
    assert page("evaluate", "() => {}") is None


def test_page_time_passes_while_a_promise_is_awaited(app: Open) -> None:
    page = app("<p>x</p>")
    later = "() => new Promise((resolve) => setTimeout(resolve, 2000, 'late'))"
    assert page("evaluate", later, None, {"world": "main"}) == "late"
    assert "was pending" in page.refused("evaluate", "() => new Promise(() => {})")
    assert page.text("p") == "x"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("() => { throw new Error('no') }", "Error: no"),
        ("() => {", "SyntaxError"),
        ("() => 'x'.repeat(300000)", "at most 200000"),
        ("() => globalThis", "evaluate: "),
    ],
)
def test_says_why_nothing_was_evaluated(app: Open, source: str, why: str) -> None:
    assert why in app("<p>x</p>").refused("evaluate", source)


# Hostile pages


def test_page_that_forges_its_own_world_is_still_seen(app: Open) -> None:
    page = app("""<button id=b>0</button><script>
        Array.prototype.join = () => "forged"; Array.prototype.map = () => []; JSON.stringify = () => "{}";
        Document.prototype.querySelectorAll = () => []; Element.prototype.getBoundingClientRect = () => ({});
        Map.prototype.get = () => 7; String.prototype.replace = () => "forged";
        b.onclick = () => { b.textContent = "1"; };
    </script>""")
    assert page.changed("click", "#b") == 'e1 <button#b> "0" became "1"'
    assert 'e1 button "1"' in page("look")


def test_page_that_hangs_is_regained(app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(using, "ACTION_SECONDS", 1.0)
    page = app("<button onclick='while (true);'>Hang</button><p>There</p>")
    said = page.refused("click", "Hang")
    assert "did not answer" in said
    assert "reload()" in said
    assert page.hands.steps[0].changed.startswith("the page did not answer")
    assert page.text("p") == "There"
    assert "loaded" in page.changed("reload")


def test_loop_in_evaluate_is_ended_and_the_page_lives(
    app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_appbench.browser.looking.EVALUATE_SECONDS", 1.0)
    page = app("<p>There</p>")
    for world in ("isolated", "main"):
        assert "did not answer" in page.refused(
            "evaluate", "() => { for (;;); }", None, {"world": world}
        )
    assert page.text("p") == "There"


def test_page_that_is_lost_for_good_raises_the_session_s_error(app: Open) -> None:
    page = app("<p>There</p>")
    end_renderer(page.session.cdp)
    with pytest.raises(PageGone):
        page("evaluate", "() => new Promise(() => {})")
    with pytest.raises(PageGone):
        page("look")


def test_every_method_says_how_it_is_used() -> None:
    assert set(METHODS) >= {
        "look",
        "click",
        "fill",
        "drag",
        "evaluate",
        "advance",
        "screenshot",
        "note",
    }
    assert all(usage.startswith(f"{name}(") and " - " in usage for name, usage in METHODS.items())
