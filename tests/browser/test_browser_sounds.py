"""What sounds is on record with its time, and nothing of the record shows to the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser.hands import Hands
from pytest_appbench.browser.session import Session

PIANO = """<!doctype html><meta charset=utf-8><title>Piano</title>
<button id=a>Note</button> <button id=later>Later</button> <button id=sweep>Sweep</button>
<button id=mute>Muted</button> <button id=loose>Loose</button> <button id=noise>Noise</button>
<script>
  let context;
  const play = (level, change = () => {}, isLoose = false) => {
    context ??= new AudioContext();
    const tone = context.createOscillator(), gain = context.createGain();
    gain.gain.value = level;
    tone.connect(gain);
    if (!isLoose) gain.connect(context.destination);
    change(tone);
    tone.start();
    tone.stop(context.currentTime + 0.25);
  };
  a.onclick = () => play(0.2, (tone) => { tone.frequency.value = 880; });
  later.onclick = () => setTimeout(a.onclick, 300);
  sweep.onclick = () => play(0.5, (tone) => {
    tone.type = "square";
    tone.frequency.setValueAtTime(220, context.currentTime);
    tone.frequency.linearRampToValueAtTime(440, context.currentTime + 0.2);
  });
  mute.onclick = () => play(0);
  loose.onclick = () => play(1, () => {}, true);
  noise.onclick = () => {
    context ??= new AudioContext();
    const noise = context.createBufferSource();
    noise.buffer = context.createBuffer(1, 22050, 44100);
    noise.playbackRate.value = 2;
    noise.connect(context.destination);
    noise.start(context.currentTime + 1);
  };
</script>"""

# One second of silence, as a file.
_WAVE = """
  const bytes = new DataView(new ArrayBuffer(44 + 8000));
  [0x52494646, 0, 0x57415645, 0x666d7420].forEach((word, i) => bytes.setUint32(4 * i, word));
  bytes.setUint32(4, 36 + 8000, true); bytes.setUint32(16, 16, true); bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true); bytes.setUint32(24, 8000, true); bytes.setUint32(28, 8000, true);
  bytes.setUint16(32, 1, true); bytes.setUint16(34, 8, true); bytes.setUint32(36, 0x64617461);
  bytes.setUint32(40, 8000, true);
  for (let i = 44; i < 8044; i++) bytes.setUint8(i, 128);
  const wave = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
"""


@pytest.fixture
def hands(visit: Visit) -> Callable[[str], Hands]:
    """Opens a page with given text, with time standing still."""

    def open_page(html: str) -> Hands:
        session = visit(html, clock=True)
        return Hands(session, session.url)

    return open_page


def heard(session: Session) -> list[dict[str, Any]]:
    return list(session.sounds.since(0))


def test_tones_are_told_with_pitch_length_loudness_and_time(hands: Callable[[str], Hands]) -> None:
    piano = hands(PIANO)

    def use(name: str) -> tuple[str, list[dict[str, Any]]]:
        changed = piano.call("click", [name])["changed"]
        return changed, piano.call("sounds", [])

    beep = {"at": 0.0, "kind": "tone", "what": "sine", "hz": [880.0], "ms": 250.0, "gain": 0.2}
    assert use("Note") == ("sounded: tone sine 880 Hz, 250 ms long, gain 0.2 at 0 ms", [beep])
    assert use("Later")[1] == [{**beep, "at": 800.0}]
    (swept,) = use("Sweep")[1]
    assert (swept["what"], swept["hz"], swept["gain"]) == ("square", [220.0, 440.0], 0.5)
    assert use("Muted")[1][0]["silent"] == "its volume is 0"
    assert use("Loose")[1][0]["silent"] == "it is connected to no loudspeaker"
    assert use("Noise")[1] == [
        {"at": 3500.0, "kind": "sample", "ms": 250.0, "gain": 1.0},
    ]
    assert piano.steps[0].as_json()["sounds"] == (beep,)
    assert "sounds" not in piano.steps[1].as_json()


def test_a_sound_before_the_page_is_used_is_one_that_a_browser_keeps_back(visit: Visit) -> None:
    session = visit(PIANO.replace("</script>", "a.onclick();</script>"), clock=True)
    assert heard(session)[0]["silent"] == "a browser keeps it silent until the page is used"


def test_audio_elements_are_told_when_they_begin_and_end(visit: Visit) -> None:
    page = f"""<button onclick="one.play()">Play</button><button onclick="one.pause()">Pause</button>
        <script>{_WAVE} const one = new Audio(wave); one.volume = 0.5;</script>"""
    session = visit(page, clock=True)
    piano = Hands(session, session.url)
    piano.call("click", ["Play"])
    eventually(session, lambda: len(session.sounds.all) == 1)
    piano.call("advance", [500])
    piano.call("click", ["Pause"])
    eventually(session, lambda: session.sounds.all[0].ms is not None)
    (sound,) = heard(session)
    assert (sound["kind"], sound["what"], sound["gain"]) == ("media", "blob: file", 0.5)
    assert sound["ms"] >= 500


def test_speech_is_told_and_spoken_without_a_sound_that_the_app_could_miss(visit: Visit) -> None:
    session = visit("<button>Say</button>", clock=True)
    told = session.page.evaluate("""() => {
      const words = new SpeechSynthesisUtterance("Three, two, one");
      words.volume = 0.7;
      const before = words.volume;
      speechSynthesis.speak(words);
      return [before, words.volume];
    }""")
    assert told[0] == told[1] == pytest.approx(0.7)
    (sound,) = heard(session)
    assert (sound["kind"], sound["what"]) == ("speech", "Three, two, one")
    assert sound["gain"] == pytest.approx(0.7)


def test_what_is_wrapped_reads_and_fails_as_the_browser_s_own_does(visit: Visit) -> None:
    wrapped = {
        "AudioScheduledSourceNode": ["start", "stop"],
        "AudioNode": ["connect", "disconnect"],
        "AudioParam": ["setValueAtTime", "cancelScheduledValues"],
        "HTMLMediaElement": ["play"],
        "SpeechSynthesis": ["speak"],
        "HTMLCanvasElement": ["getContext"],
        "CanvasRenderingContext2D": ["fillText", "strokeText", "fillRect", "clearRect"],
    }
    odd = visit("", clock=True).page.evaluate(
        """(wrapped) => {
          const before = new Set(Object.keys(globalThis)), found = [...before].filter((name) => /appbench/i.test(name));
          for (const [type, names] of Object.entries(wrapped)) for (const name of names) {
            const { value, enumerable, writable, configurable } = Object.getOwnPropertyDescriptor(globalThis[type].prototype, name);
            if (value.name !== name) found.push(`${name} is named ${value.name}`);
            if (!/\\[native code\\]/.test(Function.prototype.toString.call(value))) found.push(`${name} shows its source`);
            if (!(enumerable && writable && configurable)) found.push(`${name} is another property`);
            if (name === "play") continue; // it answers with a promise
            try { value.call({}); found.push(`${name} accepts anything`); } catch (error) {
              if (error.constructor !== TypeError) found.push(`${name} throws ${error}`);
            }
          }
          return found;
        }""",
        wrapped,
    )
    assert odd == []


def test_an_app_that_meddles_with_built_ins_neither_stops_nor_forges_the_record(
    visit: Visit,
) -> None:
    meddling = """<script>
      const thief = () => { throw new Error("stolen"); };
      for (const name of ["dispatchEvent", "addEventListener"]) EventTarget.prototype[name] = thief;
      Element.prototype.setAttribute = thief;
      Map.prototype.set = Map.prototype.get = WeakMap.prototype.get = WeakMap.prototype.set = thief;
      Array.prototype[Symbol.iterator] = thief;
      Array.prototype.map = Set.prototype.add = Set.prototype.forEach = thief;
      Math.max = String.prototype.slice = queueMicrotask = thief;
    </script>"""
    session = visit(PIANO.replace("<script>", f"{meddling}<script>"), clock=True)
    assert "880 Hz" in Hands(session, session.url).call("click", ["Note"])["changed"]
    assert [sound["hz"] for sound in heard(session)] == [[880.0]]
    assert session.events.exceptions == []


def test_an_endless_orchestra_is_cut_off(visit: Visit) -> None:
    session = visit("<p>Quiet</p>", clock=True)
    session.page.evaluate("""() => {
      for (let i = 0; i < 1100; i++) speechSynthesis.speak(new SpeechSynthesisUtterance("la"));
    }""")
    assert len(session.sounds.all) == 999
    assert session.sounds.dropped == 1
