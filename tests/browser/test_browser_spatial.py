"""Measures by pixels: where something changed, where a drop landed, and whether what is drawn reacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Playwright

from browserkit import Sites, Visit
from pytest_appbench.browser.hands import Hands, HandsError
from pytest_appbench.browser.launch import BrowserKeeper, find_chromium, guard_arguments
from pytest_appbench.browser.watchdog import Watchdog

Open = Callable[[str], Hands]


@pytest.fixture
def hands(visit: Visit) -> Open:
    """Opens a page with given text, with time standing still."""

    def open_page(html: str) -> Hands:
        text = f"<!doctype html><meta charset=utf-8><style>body{{margin:0}}</style>{html}"
        session = visit(text, clock=True)
        return Hands(session, session.url)

    return open_page


def near(box: dict[str, float], x: float, y: float, width: float, height: float) -> bool:
    wanted = {"x": x, "y": y, "width": width, "height": height}
    return all(abs(box[name] - value) <= 4 for name, value in wanted.items())


DOTS = """<canvas id=c width=400 height=200 style="width:800px;height:400px;margin:20px"></canvas>
<script>
  const context = c.getContext("2d");
  c.onclick = ({ offsetX, offsetY }) => {
    context.fillStyle = "teal";
    context.fillRect(offsetX / 2 - 10, offsetY / 2 - 10, 20, 20);
    if (offsetX > 400) context.fillRect(0, 0, 10, 10);
  };
</script>"""


def test_tells_where_on_a_canvas_something_changed(hands: Open) -> None:
    dots = hands(DOTS)
    assert dots.call("changedRegions", ["canvas"]) == []
    dots.call("click", ["canvas", {"at": [200, 100]}])
    (dot,) = dots.call("changedRegions", ["canvas"])
    assert near(dot, 200, 100, 40, 40)
    assert near(dot["canvas"], 90, 40, 20, 20)
    assert dot["at"] == [200, 100]
    assert 1600 <= dot["pixels"] <= 42**2, "its edge is smoothed"
    dots.call("click", ["canvas", {"at": [600, 300]}])
    one, two = dots.call("changedRegions", ["canvas"])
    assert near(one, 600, 300, 40, 40)
    assert near(two, 20, 20, 20, 20)
    assert dots.call("changedRegions", ["canvas"]) == []
    assert dots.steps[-1].changed == "no pixel changed"


def test_tells_of_the_whole_window_but_not_of_a_blinking_caret(visit: Visit) -> None:
    html = "<input><p id=p style='margin:300px'>.</p><button onclick='p.hidden = true'>Go</button>"
    session = visit(html, clock=True)
    page = Hands(session, session.url)
    page.call("click", ["input"])
    page.call("changedRegions", [])
    for _ in range(4):
        session.page.wait_for_timeout(300)  # carets blink in real time
        assert page.call("changedRegions", []) == []
    page.call("click", ["Go"])
    assert page.call("changedRegions", [])


WEBGL = """<canvas id=c width=200 height=160></canvas><p>Shader</p><script>
  const gl = c.getContext("webgl");
  const shader = (type, source) => {
    const made = gl.createShader(type);
    gl.shaderSource(made, source);
    gl.compileShader(made);
    return made;
  };
  const draw = (side) => {
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(1, 0.5, 0, 1); }"));
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([side, -0.5, side + 0.5, -0.5, side, 0.5]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  c.onclick = ({ offsetX }) => draw(offsetX < 100 ? -1 : 0);
</script>"""


def test_says_that_a_canvas_is_webgl_whether_it_is_blank_and_where_it_changed(hands: Open) -> None:
    page = hands(WEBGL)
    assert "canvas 200x160 webgl, blank" in page.call("look", [])
    page.call("changedRegions", ["canvas"])
    told = page.call("click", ["canvas", {"at": [150, 80]}])["changed"]
    assert told == "a canvas that cannot be read was redrawn"
    (triangle,) = page.call("changedRegions", ["canvas"])
    assert near(triangle, 100, 40, 50, 80)
    assert "canvas 200x160 webgl, drawn on" in page.call("look", [])
    assert page.call("read", ["canvas"])["canvas"]["context"] == "webgl"


def test_says_that_a_browser_has_no_webgl_for_an_app_that_asks_for_it(
    playwright: Playwright, sites: Sites, watchdog: Watchdog
) -> None:
    arguments = [*guard_arguments(sites.port), "--disable-3d-apis"]
    browser = playwright.chromium.launch(executable_path=find_chromium().executable, args=arguments)
    try:
        visit = Visit(BrowserKeeper(lambda: browser), sites, watchdog)
        page = "<canvas id=c></canvas><p>Shader</p><script>c.getContext('webgl2');</script>"
        session = visit(page, clock=True)
        text = Hands(session, session.url).call("look", [])
        assert "canvas 300x150 no webgl2, blank" in text
    finally:
        browser.close()


def test_the_look_tells_the_texts_that_are_on_a_canvas_and_not_those_wiped_out(hands: Open) -> None:
    page = hands("""<canvas id=c width=300 height=150></canvas><button onclick="frame()">Go</button><script>
      let score = 0;
      const context = c.getContext("2d");
      const frame = () => {
        context.clearRect(0, 0, c.width, c.height);
        context.fillText(`Score ${score++}`, 20 + score, 30);
        context.save();
        context.translate(100, 50);
        context.scale(2, 2);
        context.strokeText("Level 1", 10, 10);
        context.restore();
        context.fillText({ toString: () => { throw new Error("asked twice"); } } && "", 0, 0);
      };
      frame();
    </script>""")
    assert 'written on it: "Score 0" at 21,30, "Level 1" at 120,70' in page.call("look", [])
    page.call("click", ["Go"])
    assert 'written on it: "Score 1" at 22,30, "Level 1" at 120,70' in page.call("look", [])
    assert page.call("read", ["canvas"])["canvas"]["texts"][0] == {
        "text": "Score 1",
        "at": [22, 30],
    }
    page.call("evaluate", ["() => { c.width = 300; }", None, {"world": "main"}])
    assert "written" not in page.call("look", [])


DRAGGED = """<div id=d style="position:absolute;left:50px;top:60px;width:40px;height:40px;background:teal;cursor:grab"></div>
<script>
  d.onpointerdown = (event) => {
    const box = d.getBoundingClientRect(), [x, y] = [event.clientX - box.x, event.clientY - box.y];
    onpointermove = ({ clientX, clientY }) => {
      d.style.left = `${clientX - x + OFF}px`;
      d.style.top = `${clientY - y}px`;
    };
    onpointerup = () => { onpointermove = null; };
  };
</script>"""


@pytest.mark.parametrize(
    ("off", "landed", "told"),
    [
        ("0", [0, 0], "it landed where it was let go"),
        ("40", [40, 0], "it landed 40 px from where it was let go, by (+40, +0)"),
    ],
)
def test_a_drag_tells_where_it_landed(hands: Open, off: str, landed: Any, told: str) -> None:
    page = hands(DRAGGED.replace("OFF", off))
    result = page.call("drag", ["div", [400, 300]])
    assert result["landed"] == landed
    assert result["changed"].endswith(told)


def test_a_drag_of_what_stays_where_it_is_says_nothing_of_landing(hands: Open) -> None:
    result = hands("<button>Fast</button>").call("drag", ["button", [400, 300]])
    assert "landed" not in result
    assert "landed" not in result["changed"]


BUTTON = (
    "position:absolute;left:200px;top:100px;width:120px;height:48px;background:teal;color:white"
)


@pytest.mark.parametrize(
    ("html", "share", "outside", "shift"),
    [
        (f"<button style='{BUTTON};border:0'>Fire</button>", (1, 1), (0, 0), [0, 0]),
        (
            f"<div style='{BUTTON}'>Fire</div><button aria-label=Fire style='{BUTTON};left:240px;opacity:0'></button>",
            (0.6, 0.72),
            (0.2, 0.35),
            [40, 0],
        ),
        (
            f"<button style='{BUTTON};border:0'>Fire</button><div style='{BUTTON};width:60px'></div>",
            (0.45, 0.6),
            (0, 0),
            [30, 0],
        ),
        (
            "<svg width=120 height=120 style='position:absolute;left:200px;top:100px;cursor:pointer' onclick='0'>"
            "<circle cx=60 cy=60 r=20 fill=teal /></svg>",
            (1, 1),
            (0.6, 0.9),
            [0, 0],
        ),
    ],
    ids=["true", "shifted", "half covered", "reacts around"],
)  # fmt: skip
def test_tells_whether_what_is_drawn_is_what_reacts(
    hands: Open, html: str, share: Any, outside: Any, shift: list[int]
) -> None:
    page = hands(html)
    before = page.call("evaluate", ["() => document.documentElement.outerHTML"])
    zone = page.call("hitZone", [{"css": "svg, button"}])
    assert share[0] <= zone["share"] <= share[1]
    assert outside[0] <= zone["outside"] <= outside[1]
    assert all(abs(one - other) <= 6 for one, other in zip(zone["shift"], shift, strict=True))
    assert page.call("evaluate", ["() => document.documentElement.outerHTML"]) == before


CIRCLE = """<canvas id=c width=400 height=300></canvas><p id=hits>0</p><script>
  const context = c.getContext("2d");
  context.arc(200, 150, 30, 0, 7);
  context.fill();
  c.onclick = ({ offsetX, offsetY }) => {
    if (Math.hypot(offsetX - 200 - OFF, offsetY - 150) < 30) hits.textContent = Number(hits.textContent) + 1;
  };
</script>"""


def test_trial_clicks_tell_that_a_shape_on_a_canvas_reacts_elsewhere(hands: Open) -> None:
    asked = ["canvas", {"at": [200, 150], "trials": 25}]
    true = hands(CIRCLE.replace("OFF", "0")).call("hitZone", asked)
    assert true["share"] >= 0.85
    assert true["outside"] <= 0.15
    assert near(true["drawn"], 170, 120, 60, 60)
    wrong = hands(CIRCLE.replace("OFF", "40")).call("hitZone", asked)
    assert wrong["share"] <= 0.6
    assert wrong["outside"] >= 0.4
    assert 20 <= wrong["shift"][0] <= 55
    assert len(wrong["points"]) == 25


def test_nothing_is_clicked_in_a_canvas_that_nobody_asked_to_click(hands: Open) -> None:
    page = hands(CIRCLE.replace("OFF", "0"))
    with pytest.raises(HandsError, match="the clicks are real"):
        page.call("hitZone", ["canvas", {"at": [200, 150]}])
    with pytest.raises(HandsError, match="nothing is drawn at"):
        page.call("hitZone", ["canvas", {"at": [20, 20], "trials": 9}])
    assert page.call("read", ["p"])["text"] == "0"
    with pytest.raises(HandsError, match="can be pressed"):
        page.call("hitZone", ["p"])
