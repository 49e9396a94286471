"""The explorer uses everything, sees what comes of it, and accuses nobody falsely."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judgekit import Judgings
from pytest_appbench.browser.errors import PageLost
from pytest_appbench.judges.probe import MAX_ACTIONS
from pytest_appbench.judges.probe.conclude import conclude
from pytest_appbench.judges.probe.explore import Exploration, explore
from pytest_appbench.judges.verdict import Finding

Explore = Callable[[str], tuple[Exploration, list[Finding]]]


@pytest.fixture
def explored(judging: Judgings) -> Explore:
    """Explores a page to the end."""

    def run(html: str) -> tuple[Exploration, list[Finding]]:
        sample = judging(html)
        with sample.sessions.open(clock=True) as session:
            session.open(sample.url)
            found = explore(session, sample.url, MAX_ACTIONS)
        return found, conclude(found, sample.sessions.open, sample.url)

    return run


def effects(found: Exploration, name: str) -> list[str]:
    return [trial.effect for trial in found.trials if trial.control.name == name]


def kinds(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.severity, finding.kind) for finding in findings]


# Each page has a control named Live that does something, seen in one way only.
LIVE = {
    "text": "<button onclick='p.textContent += 1'>Live</button><p id=p>a</p>",
    "its own state": "<button onclick='ariaPressed = ariaPressed !== `true`'>Live</button>",
    "look": "<button onclick='p.classList.toggle(`x`)'>Live</button><p id=p>a</p>"
    "<style>.x { color: red; transition: color 0.3s }</style>",
    "look of a pseudo-element": "<button onclick='p.classList.toggle(`x`)'>Live</button>"
    "<p id=p>a</p><style>.x::after { content: '!' }</style>",
    "place": "<button onclick='p.style.left = `90px`'>Live</button>"
    "<p id=p style='position:absolute'>a</p>",
    "canvas": "<button onclick='c.getContext(`2d`).fillRect(n += 9, 9, 5, 5)'>Live</button>"
    "<canvas id=c></canvas><script>n = 0</script>",
    "dialog": "<button onclick='alert(`Hello`)'>Live</button>",
    "modal": "<button onclick='d.showModal()'>Live</button><dialog id=d>x<form method=dialog>"
    "<button>Close</button></form></dialog>",
    "popover": "<button popovertarget=d>Live</button><div id=d popover>x</div>",
    "title": "<button onclick='document.title += 1'>Live</button>",
    "address": "<button onclick='history.pushState(0, ``, `#` + Math.random())'>Live</button>",
    "storage": "<button onclick='localStorage.n = Math.random()'>Live</button>",
    "sound": "<button onclick='new AudioContext().createOscillator().start()'>Live</button>",
    "download": "<a id=a download=x href='data:,x'></a><button onclick='a.click()'>Live</button>",
    "popup": "<button onclick='open(`/other`)'>Live</button>",
    "scroll": "<button onclick='window.scrollBy(0, 50)'>Live</button><div style='height:3000px'>",
    "later": "<button onclick='setTimeout(() => { p.textContent += 1 }, 700)'>Live</button>"
    "<p id=p>a</p>",
    "next frame": "<button onclick='requestAnimationFrame(() => { p.textContent += 1 })'>Live"
    "</button><p id=p>a</p>",
    "animation": "<button onclick='p.animate([{ opacity: 1 }, { opacity: 0.2 }], 900)'>Live"
    "</button><p id=p>a</p>",
    "delegated": "<main><button>Live</button><p id=p>a</p></main>"
    "<script>document.onclick = (e) => { if (e.target.tagName === 'BUTTON') p.append(1) }</script>",
    "clickable box": "<div style='cursor:pointer' onclick='p.append(1)'>Live</div><p id=p>a</p>",
    "box that only listens": "<div id=d>Live</div><p id=p>a</p>"
    "<script>d.addEventListener('pointerup', () => p.append(1))</script>",
    "double click": "<button ondblclick='p.append(1)'>Live</button><p id=p>a</p>",
    "drop": "<p draggable=true aria-label=Live ondragstart='0'>card</p>"
    "<div style='height:90px' ondragover='event.preventDefault()' ondrop='this.append(1)'>z</div>",
    "pointer drag": "<p id=d style='position:absolute;cursor:grab' aria-label=Live>card</p><script>"
    "let on = 0; d.onpointerdown = (e) => { on = 1; e.preventDefault() };"
    "onpointermove = (e) => { if (on) d.style.left = e.x + 'px' }; onpointerup = () => { on = 0 }"
    "</script>",
    "drawing": "<canvas id=c aria-label=Live></canvas><script>const g = c.getContext('2d');"
    "c.onmousemove = (e) => { if (e.buttons) g.fillRect(e.offsetX, e.offsetY, 4, 4) };"
    "c.onmousedown = () => {}</script>",
    "range": "<input type=range aria-label=Live oninput='p.textContent = value'><p id=p>a</p>",
    "slider": "<div role=slider tabindex=0 aria-label=Live onkeydown='p.append(event.key)'>o</div>"
    "<p id=p>a</p>",
    "select": "<select aria-label=Live onchange='p.textContent = value'><option>1<option>2</select>"
    "<p id=p>a</p>",
    "checkbox": "<input type=checkbox id=k aria-label=Live><p>a</p>"
    "<style>:checked + p { color: red }</style>",
    "text field": "<input aria-label=Live oninput='p.textContent = value'><p id=p>a</p>",
    "text field on Enter": "<input aria-label=Live onchange='p.textContent = value'><p id=p>a</p>",
    "number field": "<input type=number aria-label=Live oninput='p.textContent = 2 * value'>"
    "<p id=p>a</p>",
    "date field": "<input type=date aria-label=Live oninput='p.textContent = value'><p id=p>a</p>",
    "colour": "<input type=color aria-label=Live oninput='p.style.color = value'><p id=p>a</p>",
    "editable text": "<div contenteditable aria-label=Live oninput='p.append(1)'>x</div>"
    "<p id=p>a</p>",
    "details": "<details><summary>Live</summary>text</details>",
    "frame": "<iframe srcdoc='<button onclick=\"this.after(1)\">Live</button>'></iframe>",
    "worker": "<button onclick='w.postMessage(0)'>Live</button><p id=p>a</p><script>w = new Worker("
    "URL.createObjectURL(new Blob(['onmessage = () => postMessage(0)'])));"
    "w.onmessage = () => p.append(1)</script>",
    "triangles": "<button onclick='draw(0.9)'>Live</button><canvas id=c></canvas><script>"
    "const g = c.getContext('webgl'); function draw(x) { g.clearColor(x, 0, 0, 1);"
    "g.clear(g.COLOR_BUFFER_BIT) } draw(0.1)</script>",
    "navigation": "<a href='?2'>Live</a>",
    "form": "<form><button name=a value=1>Live</button></form>",
}


@pytest.mark.parametrize("html", LIVE.values(), ids=LIVE)
def test_sees_that_a_control_does_something(explored: Explore, html: str) -> None:
    found, findings = explored(f"<!doctype html><html lang=en>{html}")
    assert "seen" in effects(found, "Live")
    assert not [finding for finding in findings if finding.kind != "uncaught-exception"]


# Each page has a dead control beside one that works.
DEAD = {
    "button": "<button>Dead</button>",
    "button that is styled under the hand": "<button class=b>Dead</button><style>.b:hover { color:"
    "red } .b:active { scale: 1.2 } .b:focus { background: pink } * { transition: 0.3s }</style>",
    "button whose listener does nothing": "<button onclick='void 0'>Dead</button>",
    "button that only marks itself": "<button onclick='this.dataset.n = 1'>Dead</button>",
    "button that draws the same anew": "<button onclick='u.innerHTML = u.innerHTML'>Dead</button>"
    "<ul id=u><li>a<li>b</ul>",
    "button that only logs": "<button onclick='console.log(1)'>Dead</button>",
    "link": "<a href='#'>Dead</a>",
    "role": "<div role=button tabindex=0>Dead</div>",
    "clickable box": "<div style='cursor:pointer'>Dead</div>",
    "card": "<div draggable=true>Dead</div>",
    "beside a clock": "<button>Dead</button><p id=t></p><script>setInterval(() => {"
    "t.textContent = new Date().toISOString() }, 1000)</script>",
    "beside an animation": "<button>Dead</button><canvas id=c></canvas><script>let x = 0;"
    "(function f() { c.getContext('2d').fillRect(x++ % 300, x % 150, 9, 9);"
    "requestAnimationFrame(f) })()</script>",
    "beside a list drawn anew": "<button>Dead</button><ul id=u></ul><script>let n = 0; setInterval("
    "() => { u.innerHTML = '<li>' + n++ + '<li>b' }, 300)</script>",
    "beside a title that ticks": "<button>Dead</button><script>setInterval(() => {"
    "document.title = localStorage.n = Date.now() }, 500)</script>",
    "beside exceptions that come by themselves": "<button>Dead</button>"
    "<script>setInterval(() => { nothing.there() }, 900)</script>",
    "beside an animated style": "<button>Dead</button><p class=m>x</p><style>.m { animation: m 2s"
    " infinite } @keyframes m { to { translate: 90px; color: red } }</style>",
}


@pytest.mark.parametrize("html", DEAD.values(), ids=DEAD)
def test_reports_a_dead_control_as_a_suspicion(explored: Explore, html: str) -> None:
    works = "<button onclick='o.textContent += 1'>Works</button><p id=o>o</p>"
    found, findings = explored(f"{html}{works}")
    assert "seen" in effects(found, "Works")
    assert kinds(findings) == [("suspicion", "dead-control")]
    assert "Dead" in findings[0].text
    assert len(findings[0].evidence) >= 2
    assert not any(trial.exceptions for trial in found.trials)


# Each page is fine; a hasty eye would call its control dead.
INNOCENT = {
    "what only acts in a running animation": "<button onclick='v = 3'>Faster</button><canvas id=c>"
    "</canvas><script>let x = 0, v = 1; (function f() { c.getContext('2d').fillRect((x += v) % 300,"
    "x % 150, 9, 9); requestAnimationFrame(f) })()</script>",
    "what only acts in running triangles": "<button onclick='v = 0.037'>Faster</button>"
    "<canvas id=c></canvas><script>const g = c.getContext('webgl'); let x = 0, v = 0.01;"
    "(function f() { g.clearColor(x = (x + v) % 1, x, 0, 1); g.clear(g.COLOR_BUFFER_BIT);"
    "requestAnimationFrame(f) })()</script>",
    "undo with nothing to undo": "<button onclick='if (n) o.textContent = --n'>Undo</button>"
    "<button onclick='o.textContent = ++n'>Add</button><p id=o>0</p><script>n = 0</script>",
    "reset of what is as it was": "<input type=range value=3 id=r aria-label=Size"
    " oninput='o.textContent = value'><p id=o>3</p>"
    "<button onclick='r.value = o.textContent = 3'>Reset</button>",
    "what is chosen already": "<button aria-pressed=true>Day</button>"
    "<button onclick='o.append(1)'>Night</button><p id=o>0</p>",
    "disabled": "<button disabled>Send</button>"
    "<button onclick='o.append(1)'>Go</button><p id=o>0</p>",
    "copying": "<button onclick='navigator.clipboard.writeText(1)'>Copy</button>"
    "<button onclick='o.append(1)'>Go</button><p id=o>0</p>",
    "a form that waits for its button": "<form onsubmit='o.textContent = q.value; return false'>"
    "<label>Name <input id=q></label><label><input type=checkbox> Big</label>"
    "<button>Go</button></form><p id=o>0</p>",
    "squares that cannot be played": "<div id=b></div><p id=o>0</p><script>"
    "for (let i = 0; i < 9; i++) b.innerHTML += `<button class=sq onclick="
    "'if (${i} === 4) o.append(1)'>${i}</button>`</script>",
    "what answers to a finger": "<button ontouchstart='o.append(1)'>Tap</button>"
    "<button oncontextmenu='o.append(1)'>Flag</button><p id=o>0</p>",
    "a link to another site": "<a href='https://example.org/'>Elsewhere</a>"
    "<button onclick='o.append(1)'>Go</button><p id=o>0</p>",
    "a picture that is only looked at": "<canvas id=c></canvas>"
    "<script>c.getContext('2d').fillRect(9, 9, 9, 9)</script>"
    "<button onclick='o.append(1)'>Go</button><p id=o>0</p>",
}


@pytest.mark.parametrize("html", INNOCENT.values(), ids=INNOCENT)
def test_accuses_no_control_falsely(explored: Explore, html: str) -> None:
    _, findings = explored(html)
    assert not findings


def test_uses_what_only_appears_later(explored: Explore) -> None:
    found, _ = explored(
        "<div id=cover style='position:fixed;inset:0;background:#fff'><button "
        "onclick='cover.remove()'>Start</button></div><main><button onclick='this.after(1)'>Play"
        "</button></main>"
    )
    assert effects(found, "Start") == ["seen"]
    assert "seen" in effects(found, "Play")
    assert not found.unreached


def test_types_boundary_values_into_fields(explored: Explore) -> None:
    found, _ = explored("<label>Age <input type=number max=90></label><label>Note <input></label>")
    typed = {name: [] for name in ("Age", "Note")}  # type: dict[str, list[str]]
    for trial in found.trials:
        typed.setdefault(trial.control.name, []).append(trial.use.words)
    assert {"empty it", 'type "-7"', 'type "999999999999"'} <= set(typed["Age"])
    assert {"empty it", "type 300 letters"} <= set(typed["Note"])
    assert any("<b>" in words for words in typed["Note"])


def test_presses_keys_where_the_page_listens_to_keys(explored: Explore) -> None:
    page = "<p id=p>a</p><button onclick='p.append(1)'>Go</button><script>%s</script>"
    found, _ = explored(page % "onkeydown = (e) => { if (e.key === 'ArrowUp') p.append('up') }")
    pressed = {trial.use.words: trial.effect for trial in found.trials if not trial.control.ref}
    assert pressed["press ArrowUp"] == "seen"
    assert pressed["press Escape"] == "none"
    found, _ = explored(page % "")
    assert all(trial.control.ref for trial in found.trials)


def test_samples_the_squares_of_a_big_board(explored: Explore) -> None:
    found, _ = explored(
        "<div id=b></div><p id=o>0</p><script>for (let i = 0; i < 90; i++) b.innerHTML += "
        "`<button class=sq onclick='o.append(1)'>${i}</button>`</script><button>Other</button>"
    )
    used = {trial.control.name for trial in found.trials}
    assert "Other" in used
    assert 3 <= len(used) <= 10


# What is more than a suspicion


def test_a_control_that_only_throws_is_a_fault(explored: Explore) -> None:
    _, findings = explored(
        "<button onclick='nothing.there()'>Broken</button><button onclick='o.append(1)'>Go</button>"
        "<p id=o>0</p>"
    )
    assert kinds(findings) == [("fault", "broken-control")]
    assert 'button "Broken"' in findings[0].text
    assert "nothing is not defined" in findings[0].text
    assert findings[0].evidence


def test_a_control_that_throws_after_its_work_is_a_suspicion(explored: Explore) -> None:
    _, findings = explored(
        "<button onclick='o.append(1); nothing.there()'>Go</button><p id=o>0</p>"
    )
    assert kinds(findings) == [("suspicion", "uncaught-exception")]


@pytest.mark.parametrize(
    "script",
    [
        "new ResizeObserver(() => { p.style.width = Math.random() * 99 + 'px' }).observe(p)",
        "fetch('https://api.example.org/')",
        "navigator.clipboard.readText()",
    ],
)
def test_exceptions_that_are_not_the_apps_are_left_out(explored: Explore, script: str) -> None:
    _, findings = explored(f'<button onclick="p.append(1); {script}">Go</button><p id=p>0</p>')
    assert not findings


def test_an_app_that_is_blank_after_an_exception_has_a_fault(explored: Explore) -> None:
    _, findings = explored(
        "<button onclick='document.body.innerHTML = ``; nothing.there()'>Clear</button>"
        "<button onclick='o.append(1)'>Go</button><p id=o>0</p>"
    )
    assert ("fault", "blank") in kinds(findings)


def test_an_app_that_hangs_after_an_action_has_a_fault(explored: Explore) -> None:
    found, findings = explored(
        "<button onclick='o.append(1)'>Go</button><p id=o>0</p>"
        "<button onclick='while (true);'>Hang</button>"
    )
    assert found.stuck is not None
    assert isinstance(found.stuck.error, PageLost)
    assert kinds(findings) == [("fault", "hang")]
    assert 'button "Hang": click' in findings[0].text


MOCK = "<h1>Calculator</h1><p>42</p><button>Plus</button><button>Minus</button>"


def test_an_app_of_which_nothing_works_has_a_fault(explored: Explore) -> None:
    _, findings = explored(MOCK)
    assert kinds(findings) == [("fault", "nothing-works")]
    assert 'button "Plus", button "Minus"' in findings[0].text


@pytest.mark.parametrize(
    "also",
    [
        "<script>onkeydown = () => document.body.append(1)</script>",
        "<canvas id=c></canvas><script>c.onpointerdown = () => document.body.append(1)</script>",
        "<input type=file>",
        "<script>onwheel = () => document.body.append(1)</script>",
    ],
)
def test_an_app_of_which_something_else_works_has_none(explored: Explore, also: str) -> None:
    _, findings = explored(MOCK + also)
    assert "fault" not in [finding.severity for finding in findings]


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Packing list</h1><label><input type=checkbox> Tent</label>"
        "<label><input type=checkbox> Stove</label>",
        "<h1>Story</h1><p>Once upon a time.</p>",
        "<h1>Notes</h1><textarea aria-label=Notes></textarea>",
        "<h1>One</h1><button>Only one</button>",
    ],
)
def test_an_app_without_much_to_use_has_no_fault(explored: Explore, html: str) -> None:
    _, findings = explored(html)
    assert "fault" not in [finding.severity for finding in findings]


# What else is worth a look


def test_reports_what_can_never_be_reached(explored: Explore) -> None:
    found, findings = explored(
        "<button onclick='o.append(1)'>Go</button><p id=o>0</p><div style='position:relative'>"
        "<button>Below</button><div id=veil style='position:absolute;inset:0'>veil</div></div>"
    )
    assert kinds(findings) == [("suspicion", "unreachable")]
    assert 'button "Below" cannot be pressed: it is covered by <div#veil>' in findings[0].text
    assert not effects(found, "Below")


def test_reports_output_that_reads_like_a_slip(explored: Explore) -> None:
    _, findings = explored(
        "<label>Amount <input inputmode=decimal oninput='o.textContent = `Half: ${value"
        " ? value / 2 : NaN}`'></label><p id=o>0</p>"
    )
    assert kinds(findings) == [("suspicion", "broken-output")]
    assert "Half: NaN" in findings[0].text


def test_reports_the_one_slider_that_moves_nothing(explored: Explore) -> None:
    _, findings = explored(
        "".join(
            f"<label>{name} <input type=range oninput='o.textContent = `{name}` + value'></label>"
            for name in ("Length", "Mass")
        )
        + "<label>Gravity <input type=range></label><p id=o>0</p>"
    )
    assert kinds(findings) == [("suspicion", "dead-control")]
    assert 'nothing follows from range "Gravity"' in findings[0].text


@pytest.mark.parametrize("hostile", [True, False])
def test_an_app_cannot_talk_its_dead_controls_alive(explored: Explore, hostile: bool) -> None:
    forgery = """<script>
      Array.prototype.join = () => String(Math.random());
      JSON.stringify = () => String(Math.random());
      globalThis.getComputedStyle = () => ({ color: String(Math.random()) });
      globalThis.MutationObserver = class { observe() {} takeRecords() { return [{}] } };
      Element.prototype.getBoundingClientRect = () => new DOMRect(Math.random() * 500, 0, 9, 9);
    </script>"""
    found, findings = explored((forgery if hostile else "") + MOCK)
    assert [(trial.control.name, trial.effect) for trial in found.trials] == [
        ("Plus", "none"),
        ("Minus", "none"),
        ("Plus", "none"),
        ("Minus", "none"),
    ]
    assert kinds(findings) == [("fault", "nothing-works")]
