"""The table in the documentation of what stands and what advances, line by line in Chromium."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from browserkit import Visit

DOCUMENT = Path(__file__).parents[2] / "docs" / "clock.md"
CLIP = base64.b64encode((Path(__file__).parent / "clip.webm").read_bytes()).decode()
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
    "OfflineAudioContext": "new OfflineAudioContext(1, 800, 8000).startRendering()",
    "message to a worker and back": "new Promise((done) => { const one = worker('onmessage = (e) =>"
    " fetch(\\'data:,x\\').then(() => postMessage(e.data))'); one.onmessage = done; one.postMessage(1); })",
    "crypto.subtle": "crypto.subtle.digest('SHA-256', new Uint8Array(9))",
}
"""Each is a promise that is kept."""

IN_WORKERS = {
    "timer in a worker": "setInterval(() => postMessage(20), 20);",
    "requestAnimationFrame in a worker": "const again = () => { postMessage(1000 / 60);"
    "requestAnimationFrame(again); }; requestAnimationFrame(again);",
    "Date.now in a worker": "let last = Date.now(); const again = () => { const now = Date.now();"
    "if (now > last) postMessage(now - last); last = now; setTimeout(again, 20); }; again();",
    "performance.now in a worker": "let last = performance.now(); setInterval(() => {"
    "postMessage(performance.now() - last); last = performance.now(); }, 20);",
    "timer in a worker of a worker": "const url = URL.createObjectURL(new Blob(["
    "'setInterval(() => postMessage(20), 20)'])); new Worker(url).onmessage ="
    " (e) => postMessage(e.data);",
}
"""Each says how many milliseconds passed for it."""

PLAYS = {
    "audio element": ("held.currentTime * 1000", "play(new Audio(wave()))"),
    "video element": ("held.currentTime * 1000", "play(video(film))"),
    "AudioContext.currentTime": ("1000 * held.currentTime", "held = new AudioContext()"),
    "end of a scheduled sound": (
        "n",
        "const audio = new AudioContext(); const again = () => { const tone = audio.createOscillator();"
        "tone.onended = () => { n += 100; again(); }; tone.start(); tone.stop(audio.currentTime + 0.1);"
        "}; again()",
    ),
    "timer in a shared worker": (
        "n",
        "const url = URL.createObjectURL(new Blob([`onconnect = ({ ports: [port] }) =>"
        "setInterval(() => port.postMessage(20), 20)`])); held = new SharedWorker(url);"
        "held.port.onmessage = (e) => { n += e.data; }",
    ),
    "samples that an AnalyserNode reads": (
        "levels()",
        "const audio = new AudioContext(), tone = audio.createOscillator(); const levels_ ="
        "audio.createAnalyser(); tone.frequency.value = 1; tone.connect(levels_); tone.start();"
        "const data = new Float32Array(32); levels = () => { levels_.getFloatTimeDomainData(data);"
        "return data[0]; }",
    ),
    "video of a MediaStream": (
        "held.currentTime",
        "const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');"
        "document.body.append(canvas); held = document.createElement('video'); held.muted = true;"
        "held.srcObject = canvas.captureStream(30); real(() => pen.fillRect(0, 0, 9, 9));"
        "return held.play()",
    ),
}
"""How each is read, and how it is begun."""

PAGE = """<style>
@keyframes grow { to { width: 10000px } }
div { width: 0; height: 1px } #animated { animation: grow 10s linear forwards }
#moved { transition: width 10s linear }
</style><body><div id=animated></div><div id=moved></div><div id=scripted></div>
<svg id=drawn><rect width=0><animate attributeName=width to=10 dur=10s /></rect></svg>
<script>
var n = 0, held = null, levels = null;
const wide = (id) => document.getElementById(id).getBoundingClientRect().width;
wide('moved'); moved.style.width = '10000px';
scripted.animate({ width: ['0', '10000px'] }, { duration: 10000 });
const play = (media) => { held = Object.assign(media, { loop: true, muted: true }); return held.play(); };
const video = (src) => Object.assign(document.createElement('video'), { src });
const film = 'data:video/webm;base64,CLIP';
const wave = () => {
    const data = new Uint8Array(16044), view = new DataView(data.buffer);
    const put = (at, text) => [...text].forEach((c, i) => { data[at + i] = c.charCodeAt(0); });
    put(0, 'RIFF'); view.setUint32(4, 16036, true); put(8, 'WAVEfmt '); view.setUint32(16, 16, true);
    view.setUint16(20, 1, true); view.setUint16(22, 1, true); view.setUint32(24, 8000, true);
    view.setUint32(28, 8000, true); view.setUint16(32, 1, true); view.setUint16(34, 8, true);
    put(36, 'data'); view.setUint32(40, 16000, true); data.fill(128, 44);
    return URL.createObjectURL(new Blob([data], { type: 'audio/wav' }));
};
const real = (draw) => { const again = () => { draw(); const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => setImmediateFor(again); port2.postMessage(0); }; again(); };
const setImmediateFor = (act) => createImageBitmap(new ImageData(9, 9)).then(act);
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
    session = visit(PAGE.replace("CLIP", CLIP), {"data.txt": "x"}, clock=True)
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
    elif what in PLAYS:
        evaluated(f"() => {{ {PLAYS[what][1]} }}")
    read = READS[what] if what in READS else PLAYS.get(what, ("n", ""))[0]
    session.clock.run_for(0)
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
        assert still != before


def test_everything_that_is_tried_stands_in_the_table() -> None:
    assert set(rows()) == {*COUNTS, *READS, *WORKS, *IN_WORKERS, *PLAYS}
