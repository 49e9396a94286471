"""What sounded on a page, and when: tones and samples of Web Audio, media elements, speech.

The hooks in the page (`page/sounds.js`) report; nothing is really heard. It is a record only: what
a sound means is decided by judges.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from pytest_appbench.browser.devtools import Devtools

KEPT = 2000
"""How many sounds of a page are kept; further ones are only counted."""
_MOST_SAID = 4
_LONGEST = 80


@dataclass
class Sound:
    """Something that sounded.

    Attributes:
        at: When it begins, in ms of page time since the session began; after another document was
            loaded, in ms of that page's `Date`.
        kind: tone (an oscillator), sample (a buffer), media (an audio or video element) or speech.
        what: The oscillator's wave form, the file, or the words spoken.
        hz: The frequencies that a tone is set to, in their order.
        ms: How long it lasts, or None as long as nobody knows.
        gain: The loudest that it gets on its way out, 1 being full; None if that is not known.
        silent: Why a person would not hear it, or empty.
    """

    at: float
    kind: str
    what: str = ""
    hz: tuple[float, ...] = ()
    ms: float | None = None
    gain: float | None = None
    silent: str = ""

    def as_json(self) -> dict[str, Any]:
        """What is known of it, for records and judges."""
        known = {k: v for k, v in asdict(self).items() if v not in ("", (), None)}
        return known | ({"hz": [*self.hz]} if self.hz else {})

    def __str__(self) -> str:
        return f"{self._name} at {self.at:g} ms" + (f" ({self.silent})" if self.silent else "")

    @property
    def _name(self) -> str:
        facts = [" to ".join(f"{one:g}" for one in self.hz) + " Hz"] if self.hz else []
        facts += [f"{self.ms:g} ms long"] if self.ms is not None else []
        facts += [f"gain {self.gain:g}"] if self.gain is not None else []
        what = f'"{self.what[:_LONGEST]}"' if self.kind == "speech" else self.what[:_LONGEST]
        return f"{self.kind} {what} {', '.join(facts)}".replace("  ", " ").strip()


class Sounds:
    """The record of one page.

    Attributes:
        all: Every sound so far, in the order in which they were asked for.
        dropped: How many were not kept.
    """

    def __init__(self) -> None:
        self.all: list[Sound] = []
        self.dropped = 0
        self._running: dict[str, Sound] = {}
        self._epoch = time.time() * 1000

    def listen(self, devtools: Devtools) -> Callable[[float], None]:
        """Prepare the hooks for every coming document.

        Args:
            devtools: The page.

        Returns:
            Sets what date the page's time begins at, in ms since 1970; by default the present.
        """
        secret = secrets.token_hex(12)
        binding = f"sounds-{secret}"
        devtools.prepare_binding(binding, self._reported)
        devtools.prepare_isolated_script("senses.js", secret, binding)
        devtools.prepare_script("canvases.js", secret)
        devtools.prepare_script("sounds.js", secret)
        return self._begin

    def words(self, start: int) -> list[str]:
        """The sounds since a moment in a few words, for a judge.

        Args:
            start: How many sounds there were then.
        """
        fresh = self.all[start:]
        left = len(fresh) - _MOST_SAID
        rest = [f"{left} more sounds (sounds() tells them)"] if left > 0 else []
        return [*(f"sounded: {one}" for one in fresh[:_MOST_SAID]), *rest]

    def since(self, start: int) -> Sequence[dict[str, Any]]:
        """The sounds since a moment, as JSON.

        Args:
            start: How many sounds there were then.
        """
        return [sound.as_json() for sound in self.all[start:]]

    def _begin(self, epoch: float) -> None:
        self._epoch = epoch

    def _reported(self, report: Mapping[str, Any]) -> None:
        at = round(float(report["date"]) - self._epoch, 1)
        if report["kind"] == "stop":
            sound = self._running.pop(report["id"], None)
            if sound is not None:
                lasted = max(0.0, round(at - sound.at, 1))
                sound.ms = lasted if sound.ms is None else min(sound.ms, lasted)
            return
        if report["kind"] == "flood" or len(self.all) >= KEPT:
            self.dropped += 1
            return
        gain, length = _number(report["gain"]), _number(report["length"])
        sound = Sound(
            at=at,
            kind=str(report["kind"]),
            what=_named(report["what"]) if report["kind"] == "media" else str(report["what"]),
            hz=tuple(round(float(one), 2) for one in str(report["hz"]).split()[:16]),
            ms=None if length is None else round(length * 1000, 1),
            gain=None if gain is None else round(gain, 4),
            silent=str(report["silent"]),
        )
        self._running[report["id"]] = sound
        self.all.append(sound)


def _number(text: Any) -> float | None:
    return float(text) if text else None


def _named(address: Any) -> str:
    parts = urlsplit(str(address))
    if parts.scheme in ("data", "blob"):
        return f"{parts.scheme}: file"
    return parts.path.rpartition("/")[2]
