"""How a look writes a page down: what a person reads and can use, and no more than that."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from browserkit import Visit
from pytest_appbench.browser.hands import Hands

Look = Callable[..., str]


@pytest.fixture
def look(visit: Visit) -> Look:
    """Looks at a page with given text; the first line tells the window and is left out."""

    def look_at(html: str, options: dict[str, object] | None = None, *, script: str = "") -> str:
        session = visit(f"<!doctype html><meta charset=utf-8><body>{html}", clock=True)
        session.settle(50)
        if script:
            session.evaluate(script)
        text = Hands(session, session.url).call("look", [options] if options else [])
        return str(text).partition("\n")[2]

    return look_at


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<h2>Head <small>sub</small></h2>", "## Head sub"),
        ("<p>Some <b>bold</b> text, <i>really</i>.</p>", "Some bold text, really."),
        ("<p>See the <a href=#x>guide</a>, please</p>", 'See the · e1 link "guide", please'),
        ("<button disabled>Go</button>", 'e1 button "Go" disabled'),
        ("<button aria-pressed=true>B</button>", 'e1 button "B" pressed'),
        ("<div role=tab aria-selected=true tabindex=0>One</div>", 'e1 tab "One" selected'),
        ("<button aria-expanded=false>More</button>", 'e1 button "More" collapsed'),
        ("<label>Name <input value=Ada required></label>", 'e1 textbox "Name" = "Ada" required'),
        ("<input aria-label=Age type=number min=0 max=9>", 'e1 spinbutton "Age" = "" (0..9)'),
        ("<input aria-label=Code aria-invalid=true>", 'e1 textbox "Code" = "" invalid'),
        ("<input type=password aria-label=Word value=abc>", 'e1 textbox "Word" = "•••"'),
        ("<label><input type=checkbox checked> Loud</label>", 'e1 checkbox "Loud" checked'),
        ("<label><input type=radio> Red</label>", 'e1 radio "Red" not checked'),
        ("<input autofocus aria-label=Here>", 'e1 textbox "Here" = "" focused'),
        (
            "<select aria-label=Size><option>S<option selected>M</select>",
            'e1 combobox "Size" = "M" of S, M',
        ),
        ("<div style='cursor:pointer'>Tile <b>7</b></div>", 'e1 clickable "Tile 7"'),
        ("<div style='cursor:pointer' class='tile red'></div><style>.tile{height:9px}</style>", "e1 clickable.tile.red"),
        ("<div id=d>Plain</div><script>d.onclick = () => {}</script>", 'e1 clickable "Plain"'),
        ("<p draggable=true>Card</p>", 'e1 draggable "Card"'),
        ("<p style='text-decoration:line-through'>Milk</p>", "~~Milk~~"),
        ("<img alt='A cat' src=none.png>", 'img "A cat" broken'),
        ("<progress value=3 max=9></progress>", "progress 3/9"),
        ("<table><tr><th>Name<th>Age<tr><td>Ada<td><tr><td>Bob<td>7</table>", "Name | Age\nAda | \nBob | 7"),
        ("<dialog open aria-label=Sure><button>Yes</button></dialog>", 'e1 dialog "Sure"\n e2 button "Yes"'),
        ("<iframe title=Ad srcdoc='<button>In</button>'></iframe>", 'iframe "Ad"\n e1 button "In"'),
        ("<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<b>Dark</b>'</script>", "Dark"),
        ("<p class=x>Done</p><style>.x::before { content: '✓ ' }</style>", "✓ Done"),
        (
            "<svg width=90 height=60><title>Chart</title><rect width=9 height=9 /><text y=9>Sum</text></svg>",
            'svg "Chart" 90x60 (1 rect black) "Sum"',
        ),
        (
            "<canvas id=c width=20 height=10></canvas><script>c.onclick = () => {};"
            "c.getContext('2d').fillRect(1, 1, 5, 5)</script>",
            "e1 canvas 20x10 drawn on, hears click; shapes: black box #000000 5x5 at 4,4",
        ),
        (
            "<canvas id=c width=20 height=10></canvas><script>c.getContext('webgl')</script>",
            "e1 canvas 20x10 webgl, blank",
        ),
    ],
)  # fmt: skip
def test_writes_down_what_a_person_sees(look: Look, html: str, line: str) -> None:
    assert look(html) == line


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>Text</p>",
        "<p style='visibility:hidden'>Text</p>",
        "<p style='opacity:0'>Text</p>",
        "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>Text</p>",
        "<!-- Text --><script>'Text'</script><template>Text</template>",
        "<details><summary style='display:none'></summary>Text</details>",
    ],
)
def test_leaves_out_what_nobody_sees(look: Look, html: str) -> None:
    assert look(html) == "(nothing to see)"


def test_a_row_is_a_line(look: Look) -> None:
    html = "<ul>" + "".join(
        f"<li style='display:flex'><input type=checkbox aria-label={name}><span>{name}</span>"
        f"<button>✕</button></li>"
        for name in ("Milk", "Eggs")
    )
    assert look(html) == (
        'e1 checkbox "Milk" not checked · Milk · e2 button "✕"\n'
        'e3 checkbox "Eggs" not checked · Eggs · e4 button "✕"'
    )


def test_a_board_is_told_row_by_row(look: Look) -> None:
    html = """<style>#b { display: grid; grid-template-columns: repeat(4, 20px) }
        .cell { height: 20px; cursor: pointer }</style><div id=b></div><script>
        for (let i = 0; i < 12; i++) {
          b.innerHTML += `<div class="cell ${i === 5 ? "lit" : ""}">${i === 8 ? "X" : ""}</div>`;
        }</script>"""
    assert look(html) == (
        "e13 board of 3 x 4 clickable.cell\n e1–e4\n e5 e6.lit e7–e8\n e9:X e10–e12"
    )


def test_cells_without_classes_are_told_by_their_colour(look: Look) -> None:
    html = """<style>#b { display: grid; grid-template-columns: repeat(3, 20px) }
        #b div { height: 20px; cursor: pointer }</style><div id=b></div><script>
        for (let i = 0; i < 9; i++) b.append(document.createElement("div"));
        b.children[4].style.background = "#ff8000"</script>"""
    assert " e4 e5#ff8000 e6" in look(html).split("\n")


def test_of_long_lists_and_tables_what_is_in_sight_is_told_and_the_last(look: Look) -> None:
    rows = "".join(f"<tr><td>{n}<td>Name {n}<td><button>Edit</button>" for n in range(300))
    lines = look(f"<table>{rows}</table>").split("\n")
    told = [line for line in lines if "Name" in line]
    assert [line.split(" | ")[0] for line in told[:20]] == [str(n) for n in range(20)]
    assert told[-1].startswith("299 | Name 299")
    assert len(told) < 40
    assert f"… {300 - len(told)} more <tr>; look({{scope: 'e" in "\n".join(lines)
    assert look(f"<table>{rows}</table>", {"scope": "table", "full": True}).count("Name") == 300
    assert look("<ul>" + "<li>One thing" * 400 + "</ul>").count("One thing") < 62


def test_no_look_is_larger_than_what_can_be_read(look: Look) -> None:
    html = "".join(f"<p>Paragraph {n}: {'word ' * 30}</p><hr>" for n in range(1000))
    assert len(look(html)) < 9_000
    assert len(look(html, {"full": True})) < 26_000
    assert "(14699 more characters)" in look(f"<p>{'word ' * 3000}")


def test_marks_what_is_below_the_window_or_covered(look: Look) -> None:
    text = look(
        "<button>Top</button><div style='height:2000px'></div><button>Low</button>"
        "<div id=veil style='position:absolute;left:0;top:0;width:500px;height:90px'>Wait</div>"
    )
    assert 'e1 button "Top" covered by e2' in text
    assert '(below the window)\ne3 button "Low"' in text


def test_tells_the_window_the_title_and_the_keys_that_are_heard(visit: Visit) -> None:
    session = visit(
        "<title>Snake</title><div style='height:1720px'></div><script>onkeydown = () => {}; null.x</script>",
        clock=True,
    )
    text = Hands(session, session.url).call("look", [])
    assert text.split("\n")[0].startswith('"Snake" /, window 1280x720, scrolled 0 of 10')
    assert text.split("\n")[0].endswith("the page hears keydown")
    assert text.split("\n")[-1] == "(1 uncaught exceptions; console() tells them)"


def test_looks_into_a_part(look: Look) -> None:
    html = "<p>Around</p><section id=s><h2>Part</h2><button>Go</button></section>"
    assert look(html, {"scope": "#s"}) == '## Part\ne1 button "Go"'


def test_says_with_references_less_than_an_accessibility_snapshot_without(visit: Visit) -> None:
    cards = "".join(
        f"<div class=card><h3>Item {n}</h3><p>Costs <b>{n}</b> coins</p><div class=row>"
        f"<button aria-label='Less of item {n}'>-</button><span>{n}</span><button>+</button></div></div>"
        for n in range(8)
    )
    session = visit(f"<nav><a href=#a>Home</a><a href=#b>About</a></nav><h1>Shop</h1>{cards}")
    snapshot = session.page.locator("body").aria_snapshot()
    text = Hands(session, session.url).call("look", [])
    assert json.dumps(text).count("button") == 16
    assert len(text) < len(snapshot) * 0.75
