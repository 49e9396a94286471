"""The table in the documentation of what stands and what advances, line by line in Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from browserkit import Visit

DOCUMENT = Path(__file__).parents[2] / "docs" / "clock.md"
RUN_MS = 1500
REAL_MS = 400

COUNTS = {
    "setTimeout": "const again = () => { n += 100; setTimeout(again, 100); }; setTimeout(again, 100);",
    "setInterval": "setInterval(() => { n += 100; }, 100);",
    "requestAnimationFrame": "const again = () => { n += 1000 / 60; requestAnimationFrame(again); };"
    "requestAnimationFrame(again);",
    "requestIdleCallback": "const again = () => { n += 50; setTimeout(() => requestIdleCallback(again), 49); };"
    "requestIdleCallback(again);",
    "scheduler.postTask with a delay": "const again = () => { n += 100; scheduler.postTask(again, { delay: 100 }); };"
    "scheduler.postTask(again, { delay: 100 });",
    "AbortSignal.timeout": "const again = () => { const signal = AbortSignal.timeout(100);"
    "signal.onabort = () => { n += 100; again(); }; held = signal; }; again();",
    "timer in a frame of the app": "const frame = document.createElement('iframe'); document.body.append(frame);"
    "frame.contentWindow.setInterval(() => { n += 100; }, 100);",
}
"""Each adds to `n` the milliseconds that passed for it."""

READS = {
    "Date.now": "Date.now()",
    "new Date": "new Date().getTime()",
    "Intl.DateTimeFormat of now": "1000 * new Intl.DateTimeFormat('en',"
    " { second: 'numeric', fractionalSecondDigits: 3 }).format()",
    "performance.now": "performance.now()",
    "Event.timeStamp": "new Event('x').timeStamp",
    "document.timeline": "document.timeline.currentTime",
    "AudioContext.currentTime": "1000 * audio.currentTime",
    "CSS animation": "wide('animated')",
    "CSS transition": "wide('moved')",
    "Web Animations": "wide('scripted')",
    "SVG animation": "1000 * drawn.getCurrentTime()",
}
"""Each tells milliseconds."""

WORKS = {
    "Promise": "Promise.resolve()",
    "MessageChannel": "new Promise((done) => { const { port1, port2 } = new MessageChannel();"
    "port1.onmessage = done; port2.postMessage(0); })",
    "fetch of an own file": "fetch('data.txt').then((answer) => answer.text())",
    "FileReader": "new Promise((done) => { const reader = new FileReader();"
    "reader.onload = done; reader.readAsText(new Blob(['x'])); })",
    "image decoding": "Object.assign(new Image(), { src: 'data:image/gif;base64,"
    "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' }).decode()",
    "crypto.subtle": "crypto.subtle.digest('SHA-256', new Uint8Array(9))",
}
"""Each is a promise that is kept."""

IN_WORKERS = {
    "timer in a worker": "setInterval(() => postMessage(20), 20);",
    "Date.now in a worker": "let last = Date.now(); const again = () => { const now = Date.now();"
    "if (now > last) postMessage(now - last); last = now; setTimeout(again, 20); }; again();",
}
"""Each says how many milliseconds passed for it."""

PAGE = """<style>
@keyframes grow { to { width: 10000px } }
div { width: 0; height: 1px } #animated { animation: grow 10s linear forwards }
#moved { transition: width 10s linear }
</style><body><div id=animated></div><div id=moved></div><div id=scripted></div>
<svg id=drawn><rect width=0><animate attributeName=width to=10 dur=10s /></rect></svg>
<script>
var n = 0, held = null;
const wide = (id) => document.getElementById(id).getBoundingClientRect().width;
wide('moved'); moved.style.width = '10000px';
scripted.animate({ width: ['0', '10000px'] }, { duration: 10000 });
const audio = new AudioContext();
const worker = (source) => new Worker(URL.createObjectURL(new Blob([source])));
</script>"""


def rows() -> dict[str, tuple[str, str]]:
    """The table as it is written down."""
    lines = re.findall(
        r"^\| (.+?) \| (.+?) \| (.+?) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    return {name: (still, run) for name, still, run in lines if name != "What"}


@pytest.mark.parametrize(("what", "told"), rows().items(), ids=rows())
def test_a_line_of_the_table_is_true(visit: Visit, what: str, told: tuple[str, str]) -> None:
    session = visit(PAGE, {"data.txt": "x"}, clock=True)
    assert session.clock is not None
    session.clock.run_for(0)

    def evaluated(script: str) -> Any:
        with session.bounded(10):
            return session.page.evaluate(script)

    if what in WORKS:
        evaluated(f"() => ({WORKS[what]}).then(() => 0)")
        assert told == ("works", "works")
        return
    if what in COUNTS:
        evaluated(f"() => {{ {COUNTS[what]} }}")
    elif what in IN_WORKERS:
        evaluated(
            f"() => {{ worker({IN_WORKERS[what]!r}).onmessage = (e) => {{ n += e.data; }}; }}"
        )
    elif what == "sound that plays":
        evaluated(
            "() => { held = Object.assign(new Audio(URL.createObjectURL(silence())), { loop: true });"
            "function silence() { const data = new Uint8Array(16044);"
            "const view = new DataView(data.buffer), put = (at, text) =>"
            "[...text].forEach((c, i) => { data[at + i] = c.charCodeAt(0); });"
            "put(0, 'RIFF'); view.setUint32(4, 16036, true); put(8, 'WAVEfmt ');"
            "view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);"
            "view.setUint32(24, 8000, true); view.setUint32(28, 8000, true);"
            "view.setUint16(32, 1, true); view.setUint16(34, 8, true); put(36, 'data');"
            "view.setUint32(40, 16000, true); data.fill(128, 44);"
            "return new Blob([data], { type: 'audio/wav' }); }"
            "held.muted = true; return held.play(); }"
        )
    read = READS.get(what, "held.currentTime * 1000" if what == "sound that plays" else "n")
    before = evaluated(f"() => {read}")
    session.page.wait_for_timeout(REAL_MS)
    still = evaluated(f"() => {read}")
    session.clock.run_for(RUN_MS)
    after = evaluated(f"() => {read}")
    if told[0] == "stands":
        assert still == before
        assert after - still == pytest.approx(RUN_MS, abs=110)
    else:
        assert told == ("goes on", "goes on")
        assert still > before


def test_everything_that_is_tried_stands_in_the_table() -> None:
    assert set(rows()) == {*COUNTS, *READS, *WORKS, *IN_WORKERS, "sound that plays"}
