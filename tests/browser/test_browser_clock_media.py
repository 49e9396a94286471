"""The logical clock of what plays: audio and video elements, live audio contexts."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from browserkit import Visit
from pytest_appbench.browser.session import Session

CLIP = base64.b64encode((Path(__file__).parent / "clip.webm").read_bytes()).decode()
"""Two seconds that show another colour every half second."""
LENGTH = 16128
WAVE = (
    b"RIFF" + (36 + LENGTH).to_bytes(4, "little") + b"WAVEfmt \x10\0\0\0\1\0\1\0"
    b"\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data" + LENGTH.to_bytes(4, "little") + b"\x7f" * LENGTH
).decode()
"""2.016 seconds of silence, 8,000 samples a second."""

TOLD = ["play", "playing", "pause", "ended", "timeupdate", "seeking", "seeked", "ratechange"]
PAGE = f"""<body><button id=go>Go</button><div id=place></div><script>
var log = [], say = (...x) => log.push(x.join(' '));
const follow = (media, names = {TOLD}) => {{
    for (const name of names)
        media.addEventListener(name, () => say(name, Math.round(media.currentTime * 1000), performance.now()));
    return media;
}};
</script>"""


def evaluated(session: Session, script: str) -> Any:
    """What a script of the page returns, and as if the page had been used."""
    with session.bounded(10):
        return session.page.evaluate(script)


def run(session: Session, ms: float) -> Any:
    """Run time, and give what the page has logged since."""
    assert session.clock is not None
    session.clock.run_for(ms)
    return evaluated(session, "log.splice(0)")


ADDRESSES = {
    "own file": "'sound.wav'",
    "data": f"'data:audio/wav;base64,{base64.b64encode(WAVE.encode()).decode()}'",
    "blob": f"URL.createObjectURL(new Blob([atob('{base64.b64encode(WAVE.encode()).decode()}')]))",
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_an_audio_file_plays_pauses_and_ends_in_the_page_s_time(visit: Visit, address: str) -> None:
    session = visit(PAGE, {"sound.wav": WAVE}, clock=True)
    evaluated(
        session,
        f"() => {{ window.sound = follow(new Audio({address})); place.append(sound); sound.play(); }}",
    )
    assert run(session, 100)[:2] == ["play 0 0", "playing 0 0"]
    session.page.wait_for_timeout(300)
    assert evaluated(session, "sound.currentTime") == 0.1
    assert run(session, 500) == ["timeupdate 250 250", "timeupdate 500 500"]
    evaluated(session, "sound.pause()")
    assert run(session, 900)[-1:] == ["pause 600 600"]
    assert evaluated(session, "[sound.currentTime, sound.paused]") == [0.6, True]
    evaluated(session, "sound.playbackRate = 2, sound.play(), 0")
    assert evaluated(session, "sound.playbackRate") == 2
    said = run(session, 1000)
    assert said[:3] == ["ratechange 600 1500", "play 600 1500", "playing 600 1500"]
    assert said[3:] == [
        "timeupdate 1100 1750",
        "timeupdate 1600 2000",
        "timeupdate 2016 2208",
        "pause 2016 2208",
        "ended 2016 2208",
    ]
    assert evaluated(session, "[sound.ended, sound.currentTime]") == [True, 2.016]


def test_loops_jumps_and_sounds_out_of_the_document_follow(visit: Visit) -> None:
    session = visit(PAGE, {"sound.wav": WAVE}, clock=True)
    evaluated(
        session,
        "() => { window.sound = new Audio('sound.wav'); sound.loop = true; sound.play(); }",
    )
    run(session, 2116)
    assert abs(evaluated(session, "sound.currentTime") - 0.1) < 1e-6
    evaluated(session, "sound.currentTime = 1")
    run(session, 250)
    assert evaluated(session, "sound.currentTime") == 1.25
    assert session.clock is not None
    assert session.clock.ahead().due is None, "an app that only plays is at rest"


def test_a_video_shows_the_picture_of_its_time_the_same_in_every_run(visit: Visit) -> None:
    runs: list[list[Any]] = []
    colours = set()
    for wait in (0, 70, 300):
        session = visit(
            PAGE + f"<video id=film muted autoplay src='data:video/webm;base64,{CLIP}'></video>"
            "<canvas id=copy width=32 height=32></canvas><script>"
            "const pen = copy.getContext('2d', { willReadFrequently: true });"
            "(function draw() { pen.drawImage(film, 0, 0); requestAnimationFrame(draw); })();"
            "film.addEventListener('ended', () => say('ended'));</script>",
            clock=True,
        )
        assert session.clock is not None
        session.clock.run_for(0)
        found: list[Any] = []
        for _ in range(4):
            session.page.wait_for_timeout(wait)
            session.clock.run_for(500)
            found.append(evaluated(session, "film.currentTime"))
            colours.add(str(evaluated(session, "[...pen.getImageData(9, 9, 1, 1).data].join()")))
            with session.bounded(10):
                found.append(hashlib.sha256(session.page.screenshot()).hexdigest())
        session.clock.run_for(500)
        assert evaluated(session, "[log.join(), film.ended]") == ["ended", True]
        runs.append(found)
        session.close()
    assert runs[1] == runs[0]
    assert runs[2] == runs[0]
    assert len(colours) == 4


def test_an_audio_context_and_what_it_plays_follow(visit: Visit) -> None:
    session = visit(PAGE, clock=True)
    evaluated(
        session,
        """() => {
        setTimeout(() => {
            window.audio = new AudioContext();
            const tone = audio.createOscillator(), other = new OscillatorNode(audio);
            const sample = audio.createBufferSource();
            sample.buffer = audio.createBuffer(1, 8000, 8000);
            for (const [name, node] of [['tone', tone], ['other', other], ['sample', sample]]) {
                node.connect(audio.destination);
                node.onended = () => say(name, audio.currentTime);
            }
            tone.start();
            tone.stop(audio.currentTime + 0.5);
            other.start(0.25);
            other.stop(0.75);
            sample.playbackRate.value = 2;
            sample.start(1);
        }, 100);
        }""",
    )
    assert run(session, 400) == []
    session.page.wait_for_timeout(700)
    assert evaluated(session, "audio.currentTime") == 0.3
    assert run(session, 300) == ["tone 0.5"]
    evaluated(session, "audio.suspend()")
    assert run(session, 5000) == []
    evaluated(session, "audio.resume()")
    assert run(session, 200) == ["other 0.75"]
    assert run(session, 700) == ["sample 1.5"]
    assert [(sound.at, sound.ms) for sound in session.sounds.all] == [
        (100, 500),
        (350, 500),
        (1100, 500),
    ]
    assert (
        evaluated(
            session,
            """async () => {
        const off = new OfflineAudioContext(1, 800, 8000), tone = off.createOscillator();
        tone.connect(off.destination);
        tone.start();
        return (await off.startRendering()).duration;
        }""",
        )
        == 0.1
    )


def test_an_audio_context_stands_until_the_page_is_used(visit: Visit) -> None:
    session = visit(
        PAGE + "<script>const audio = new AudioContext();"
        "go.onclick = () => audio.resume();</script>",
        clock=True,
    )
    assert session.clock is not None
    session.clock.run_for(300)
    session.click(20, 20)
    session.clock.run_for(200)
    assert evaluated(session, "audio.currentTime") == 0.2
