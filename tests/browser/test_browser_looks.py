"""What shows only in the looks of things is told in words: what stands out, colours, bars, cuts, what floats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from browserkit import Visit
from pytest_appbench.browser.hands import Hands

Look = Callable[[str], str]

STAR = "<i style='color:{}'>★</i>"
TRACK = "<div style='width:200px;height:10px;background:#eee'>{}</div>"
BARS = "".join(
    f"<rect x={40 + 30 * n} y={100 - value} width=20 height={value} fill={fill} />"
    f"<text x={40 + 30 * n} y=116>{name}</text>"
    for n, (name, value, fill) in enumerate(
        [("Jan", 20, "blue"), ("Feb", 60, "orange"), ("Mar", 45, "blue")]
    )
)
TICKS = "".join(
    f"<line x1=32 x2=150 y1={100 - at} y2={100 - at} stroke=grey />"
    f"<text x=30 y={103 - at} text-anchor=end>{at * 2}</text>"
    for at in (0, 25, 50, 75)
)


@pytest.fixture
def look(visit: Visit) -> Look:
    """Open a page and look at it once; its first line, of title and window, is left out."""

    def looked(html: str) -> str:
        session = visit(
            "<!doctype html><meta charset=utf-8><style>body { font: 16px Arial }</style>" + html
        )
        return str(Hands(session, session.url).call("look", [])).partition("\n")[2]

    return looked


@pytest.mark.parametrize(
    ("html", "line"),
    [
        (
            "<button>Day</button><button class=on style='background:#2050e0'>Week</button>"
            "<button>Month</button>",
            'e2 button "Week" {highlighted blue}',
        ),
        (
            "<div onclick=f()>One</div><div onclick=f() style='font-weight:700'>Two</div>"
            "<div onclick=f()>Three</div>",
            'clickable "Two" {bold}',
        ),
        ("<p>Fine<p style='color:#c00'>Late", "Late {red text}"),
        ("<span style='background:#e33;color:#fff'>Overdue</span>", "Overdue {on red}"),
        ("<p style='border-left:5px solid #d33'>Urgent", "Urgent {red stripe}"),
        ("<p style='opacity:.4'>Away", "Away {faded}"),
        ("<p style='transform:rotate(4deg)'>Loose", "Loose {tilted}"),
        ("<p style='writing-mode:vertical-rl'>Icebox", "Icebox {turned, top to bottom}"),
        (
            "<p style='width:60px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis'>"
            "Quarterly budget",
            "Quarterly budget {cut off …}",
        ),
        (
            TRACK.format("<div style='width:38%;height:10px;background:#2a2'></div>"),
            "bar 38% green",
        ),
        (
            "<p><span style='display:inline-block;width:9px;height:9px;border-radius:5px;"
            "background:#d22'></span> High",
            "● red High",
        ),
        ("<p>" + STAR.format("orange") * 4 + STAR.format("grey"), "(4 orange, 1 grey)"),
        (
            "<style>ol{counter-reset:n}li{counter-increment:n;list-style:none}"
            "li::before{content:'Step ' counter(n) ': '}</style><ol><li>Mix<li>Bake</ol>",
            "Step 2: Bake",
        ),
        ("<button aria-label=Cart>🛒 <b>12</b></button>", 'button "Cart" shows "🛒 12"'),
        ("<a href=#a>All<b style='margin-left:9px'>8</b></a>", 'link "All 8"'),
        (
            "<div onclick=f() style='width:44px;height:24px;border-radius:12px;background:#999'>"
            "<b style='display:block;width:20px;height:20px;border-radius:50%;background:#fff'></b>"
            "</div>",
            "its knob at the left (off)",
        ),
    ],
)
def test_tells_in_words_what_only_looks_say(look: Look, html: str, line: str) -> None:
    assert line in look(html)


def test_the_documentation_shows_a_look_as_it_is(visit: Visit) -> None:
    page = (Path(__file__).parents[2] / "docs" / "looking.md").read_text(encoding="utf-8")
    html, text = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("html", "text"))
    session = visit(html)
    assert str(Hands(session, session.url).call("look", [])) == text.strip()


@pytest.mark.parametrize(
    "html",
    [
        "<p>Press <kbd style='border:1px solid blue;color:blue'>Space</kbd> to go on",
        "<p>One<p>Two<p>Three",
        "<button>Save</button><button>Open</button>",
        "<a href=#a>Home</a>",
        "<input value=5>",
    ],
)
def test_says_nothing_of_looks_that_say_nothing(look: Look, html: str) -> None:
    text = look(html)
    assert "{" not in text
    assert "bar" not in text


def test_names_what_floats_over_the_rest_and_what_it_covers(look: Look) -> None:
    text = look(
        "<p style='margin:0;height:40px'>Under<p>Beside<div style='position:fixed;top:0;left:0;"
        "width:300px;height:40px;background:#fff'>Saved</div>"
    )
    assert "Under (covered)\nBeside\n" in text
    assert "(floats on top of the page:)\nSaved" in text


def test_tells_how_far_a_part_is_scrolled_and_what_of_it_is_out_of_sight(look: Look) -> None:
    rows = "".join(f"<p style='height:20px;margin:0'>Row {n}" for n in range(9))
    text = look(
        f"<div id=d style='height:60px;overflow:auto'>{rows}</div><script>d.scrollTop = 80</script>"
    )
    assert "(scrolls down, at 80 of 120)" in text
    above, _, rest = text.partition("(in the window)")
    assert "(above what it shows, scrolled out of view)\nRow 0" in above
    assert rest.startswith("\nRow 4\nRow 5\nRow 6\n(below what it shows")


def test_reads_the_values_of_a_chart_at_its_scale(look: Look) -> None:
    text = look(f"<svg width=200 height=140>{TICKS}{BARS}</svg>")
    assert "3 bars blue, about: Jan 40, Feb 120 orange, Mar 90; scale 0 50 100 150" in text


def test_tells_the_shapes_on_a_canvas_by_colour_place_and_size(look: Look) -> None:
    text = look(
        """<canvas id=c width=400 height=300></canvas><script>
        const g = c.getContext("2d"), sky = g.createLinearGradient(0, 0, 0, 300)
        sky.addColorStop(0, "#101430"), sky.addColorStop(1, "#2c1b45")
        g.fillStyle = sky, g.fillRect(0, 0, 400, 300)
        g.fillStyle = "#dd3322", g.fillRect(20, 20, 60, 40), g.fillRect(120, 20, 60, 40)
        g.fillStyle = "#ffd166", g.beginPath(), g.arc(300, 60, 20, 0, 7), g.fill()
        g.strokeStyle = "#33cc66", g.lineWidth = 4, g.beginPath(), g.arc(200, 200, 50, 0, 7)
        g.stroke(), g.fillStyle = "#fff", g.font = "16px Arial", g.fillText("Score 7", 20, 280)
        </script>"""
    )
    assert 'written on it: "Score 7" at 20,280' in text
    _, _, shapes = text.partition("; shapes: ")
    said = shapes.split("; ")
    assert "2 red box #dd3322 60x40 at 50,40 and 60x40 at 150,40" in said
    assert any(one.startswith("yellow disc #ffd166 40x40 at 300,60") for one in said)
    assert any(one.startswith("green ring #33cc66 ") and one.endswith("at 200,200") for one in said)
    assert len(said) == 3


def test_names_outlines_on_a_canvas_that_have_a_name(look: Look) -> None:
    text = look(
        """<canvas id=c width=420 height=120></canvas><script>
        const g = c.getContext("2d"), turn = Math.PI / 4
        const path = (points) => {
            g.beginPath()
            points.forEach(([x, y]) => g.lineTo(x, y))
            g.closePath()
        }
        const heart = (x) => {  // of a square on its corner and two discs
            g.beginPath(), g.arc(x - 11, 40, 15.5, 3 * turn, 7 * turn)
            g.arc(x + 11, 40, 15.5, 5 * turn, 9 * turn), g.lineTo(x, 73), g.closePath()
        }
        const star = (x, inner) => path([...Array(10).keys()].map((k) => [
            x + (k % 2 ? inner : 30) * Math.sin(k * Math.PI / 5),
            60 - (k % 2 ? inner : 30) * Math.cos(k * Math.PI / 5),
        ]))
        g.fillStyle = g.strokeStyle = "#dd2233", g.lineWidth = 4
        heart(40), g.fill(), heart(110), g.stroke()
        g.fillStyle = "#ffd166", star(190, 12), g.fill(), star(270, 29), g.fill()
        g.fillStyle = "#22aa55", path([[350, 80], [330, 30], [310, 80]]), g.fill()
        path([[370, 30], [410, 30], [400, 80], [380, 80]]), g.fill()
        </script>"""
    )
    _, _, shapes = text.partition("; shapes: ")
    forms = [" ".join(one.split(" #")[0].split()[1:]) for one in shapes.split("; ")]
    assert sorted(forms) == ["disc", "heart", "hollow heart", "shape", "star", "triangle"]
