"""What a person sees on a page and can use, and what changed between two moments.

It asks `page/observe.js` and `page/compare.js`, which read in an isolated world, and the debugger,
which knows all listeners: neither can be seen or forged by the app. It draws no conclusions;
judges do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.devtools import send_all
from pytest_appbench.browser.errors import PageNavigated
from pytest_appbench.browser.guard import page_script
from pytest_appbench.browser.listeners import Listeners

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

_CALL = """async (call) => {
  const observer = globalThis.appbenchObserver;
  if (!observer?.[call.name]) return null;
  return { answer: await observer[call.name](call.argument), given: observer.given() };
}"""
_SCRIPTS = ("observe.js", "compare.js")
_MOST_SHOTS = 2
_SECONDS = 8.0

Box = tuple[int, int, int, int]
"""Left, top, width and height in CSS pixels of the viewport."""


@dataclass(frozen=True)
class Control:
    """Something that a person would take for usable.

    Attributes:
        ref: Names the element for as long as it lives.
        kind: How it is used: button, link, press (clickable, but no button), area (a region that
            listens to the pointer), toggle, range, slider, field, select, pick (dates and colours),
            file, drag, canvas or media.
        tag: The element's tag.
        type: The type of an input, else empty.
        name: What it is called, as a person or a screen reader would.
        disabled: It says that it cannot be used now.
        chosen: It says that it is selected, pressed, checked or current.
        numeric: It is for numbers, as far as its type, keyboard or value tell.
        value: Its value, if it has one.
        options: The values a select offers.
        min: The least value it allows, as written in the page.
        max: The greatest value it allows, as written in the page.
        kin: Its tag and class, and those of what it lies in: alike for the squares of a board.
        href: Where a link leads.
        heard: The events that the element itself listens to.
        box: Where it was at the time of the look.
    """

    ref: str
    kind: str
    tag: str
    type: str
    name: str
    disabled: bool
    chosen: bool
    numeric: bool
    value: str
    options: tuple[str, ...]
    min: str
    max: str
    kin: str
    href: str
    heard: tuple[str, ...]
    box: Box

    def __str__(self) -> str:
        kind = {"press": "clickable", "pick": self.type, "field": f"{self.type} field".strip()}
        if not self.ref:
            return self.name
        word = kind.get(self.kind, self.kind)
        return f'{word} "{self.name}"' if self.name else f"{word} <{self.tag}> without a name"


@dataclass(frozen=True)
class Seen:
    """How much there is to see.

    Attributes:
        text: Characters of text that shows.
        pictures: Loaded images, videos and embedded pages.
        shapes: SVG shapes.
        ink: Canvases with more than one colour.
        elements: All elements that are rendered.
    """

    text: int
    pictures: int
    shapes: int
    ink: int
    elements: int


@dataclass(frozen=True)
class Look:
    """The page at one moment.

    Attributes:
        url: Its address.
        title: Its title.
        text: The first 2,000 characters of text that shows.
        odd: The first text that reads like a slip of a program (NaN, undefined, ...), else empty.
        seen: How much there is to see.
        controls: What can be used, in the order of the document.
        zones: Where things can be dropped, as far as elements say.
    """

    url: str
    title: str
    text: str
    odd: str
    seen: Seen
    controls: tuple[Control, ...]
    zones: tuple[Box, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see and nothing to use, as far as elements tell."""
        seen = self.seen
        return not (seen.text or seen.pictures or seen.shapes or seen.ink or self.controls)


@dataclass(frozen=True)
class Aim:
    """Where a press reaches a control, or why none does.

    Attributes:
        point: CSS pixels of the viewport, or None.
        why: If there is no point: "it is covered by ...", "it is outside the window", ...
    """

    point: tuple[float, float] | None
    why: str = ""


@dataclass(frozen=True)
class Thing:
    """One thing that changed.

    Attributes:
        what: text, value, canvas, appeared, disappeared, appearance or place.
        own: It is the control in question itself, or its label.
        who: The element.
        from_: What it was before, where that can be told.
        to: What it is now, where that can be told.
        ref: Its reference, if it was given one.
    """

    what: str
    own: bool
    who: str
    from_: str
    to: str
    ref: str = ""

    def __str__(self) -> str:
        if self.what == "text":
            return f'{self.who}: "{self.from_}" became "{self.to}"'
        if self.what == "value":
            return f'{self.who} is now "{self.to}"' if self.to else f"{self.who} changed its state"
        if self.what == "canvas":
            return f"{self.who} was redrawn ({self.to})"
        words = {"appearance": "changed its look", "place": "moved", "beyond": "and more changed"}
        return f"{self.who} {words.get(self.what, self.what)}"


@dataclass(frozen=True)
class Changes:
    """What is different since `Observer.remember`.

    Attributes:
        things: Some of the things that changed, the most telling first.
        total: How many things changed.
        minor: How many of them only moved, or came and went with what they lie in.
        whole: What changed of the page as a whole: address, title, scroll, storage, cookies, full
            (screen), speaking, document (another one was loaded), sound, picture (a screenshot of
            what cannot be read otherwise).
        skipped: How many changes were left out because they happen by themselves.
    """

    things: tuple[Thing, ...] = ()
    total: int = 0
    minor: int = 0
    whole: tuple[str, ...] = ()
    skipped: int = 0

    def __bool__(self) -> bool:
        return bool(self.things or self.whole)

    @property
    def only_own(self) -> bool:
        """Whether nothing changed but the control itself."""
        return bool(self.things) and not self.whole and all(thing.own for thing in self.things)

    def __str__(self) -> str:
        parts = [str(thing) for thing in self.things[:3]]
        if self.total > len(parts):
            parts.append(f"{self.total - len(parts)} more")
        return "; ".join([*parts, *(f"the page's {name} changed" for name in self.whole)])


class Observer:
    """The eyes on one session.

    Args:
        session: The page to look at; open the app before the first look.
        scripts: Further files of `browser/page/` that add to what can be asked.

    Attributes:
        heard: All events that something on the page listened to at the last look.
        documents: How many documents were looked at; references hold within one.
    """

    def __init__(self, session: Session, scripts: Sequence[str] = ()) -> None:
        self._session = session
        self._listeners = Listeners(session)
        self._given = 0
        own, *more = (page_script(name) for name in (*_SCRIPTS, *scripts))
        install = f"({own})(call.given); {' '.join(f'({one})();' for one in more)}"
        self._installing = f"(call) => {{ {install} return ({_CALL})(call); }}"
        self.heard: frozenset[str] = frozenset()
        self.documents = 0
        self._sounds = self._sounds_before = 0
        self._is_doubted = False
        self._shots: list[tuple[Mapping[str, float], str]] = []
        self._whole: set[str] = set()
        self._restless_whole: set[str] = set()
        for event in ("WebAudio.audioNodeCreated", "Media.playersCreated"):
            session.cdp.on(event, self._count_sound)
        send_all(session.cdp, [("WebAudio.enable", {}), ("Media.enable", {})])

    def look(self) -> Look:
        """What there is to see and to use now."""
        self.listen()
        data = self.ask("look")
        data["seen"] = Seen(**data["seen"])
        data["zones"] = tuple(tuple(zone) for zone in data["zones"])
        data["controls"] = tuple(_control(item) for item in data["controls"])
        return Look(**data)

    def overflow(self) -> tuple[int, str]:
        """By how many CSS pixels the page is wider than the window, and because of what."""
        data = self.ask("overflow")
        return data["excess"], data["culprit"]

    def aim(self, control: Control) -> Aim:
        """Find where to press so that the press arrives, scrolling the control into view.

        Args:
            control: From a look at this page.

        Returns:
            The point, or what is in the way.
        """
        data = self.ask("aim", control.ref)
        return Aim((data["x"], data["y"])) if "x" in data else Aim(None, data["why"])

    def choose(self, control: Control, value: str) -> bool:
        """Set the value of a select, a date or a colour as the browser's own picker would.

        Args:
            control: From a look at this page.
            value: What to choose.

        Returns:
            Whether the control was still there.
        """
        return bool(self.ask("choose", {"ref": control.ref, "value": value}))

    def blur(self) -> None:
        """Take the focus away from whatever has it, so that keys go to the page."""
        self.ask("blur")

    def remember(self, control: Control | str | None = None) -> None:
        """Keep the present state, for `changes` to compare with.

        Args:
            control: What is about to be used, or its reference: its own reaction is told apart.
        """
        ref = control.ref if isinstance(control, Control) else control
        unread = self.ask("remember", {"ref": ref, "isDoubted": self._is_doubted})
        self._is_doubted = False
        self._sounds_before = self._sounds
        self._shots = [(box, self._shot(box)) for box in unread[:_MOST_SHOTS]]

    def doubt(self) -> None:
        """Say that something ran in the page which may have changed what no observer is told of."""
        self._is_doubted = True

    def changes(self, *, skip_restless: bool = False, mark_restless: bool = False) -> Changes:
        """What is different since `remember`.

        Args:
            skip_restless: Leave out what was seen to change by itself.
            mark_restless: Nobody did anything since: whatever changed does so by itself.

        Returns:
            The changes; a new document is one.
        """
        data: Any = self.ask("changes", {"skip": skip_restless, "mark": mark_restless})
        if data is None:  # another document, with another copy of the observer
            data = dict.fromkeys(("skipped", "total", "minor"), 0)
            data |= {"whole": ["document"], "unread": (), "things": ()}
        whole = [*data["whole"]]
        if self._sounds > self._sounds_before:
            whole.append("sound")
        shots = zip(data["unread"], self._shots, strict=False)
        if any(box and self._shot(box) != shot for box, (_, shot) in shots):
            whole.append("picture")
        skipped = data["skipped"]
        if mark_restless:
            self._restless_whole.update(whole)
        else:
            self._whole = set(whole)
        if skip_restless:
            skipped += len(self._restless_whole & set(whole))
            whole = [name for name in whole if name not in self._restless_whole]
        things = tuple(
            Thing(item["what"], item["own"], item["who"], item["from"], item["to"], item["ref"])
            for item in data["things"]
        )
        return Changes(things, data["total"], data["minor"], tuple(whole), skipped)

    def unexplained(self) -> int:
        """How many of the last compared changes are of things not known to change by themselves.

        Ask after a later comparison has marked more things as restless.
        """
        return int(self.ask("unexplained")) + len(self._whole - self._restless_whole)

    def fingerprint(self) -> str:
        """A text that is the same for two pages that look the same, hover and focus aside."""
        return "-".join([str(self.ask("fingerprint")), *(self._shot(b) for b, _ in self._shots)])

    def ask(self, name: str, argument: Any = None) -> Any:
        """Call a function of the observer in the page.

        Args:
            name: The function.
            argument: Its argument, as JSON.

        Returns:
            What it returned, as JSON.
        """
        call, data = {"name": name, "argument": argument, "given": self._given}, None
        if self.documents:
            with suppress(PageNavigated):
                data = self._session.evaluate(_CALL, call, timeout=_SECONDS)
        if data is None:  # the observer does not live in this document yet
            self._listeners.forget()
            self.documents += 1
            data = self._session.evaluate(self._installing, call, timeout=_SECONDS)
        self._given = data["given"]
        return data["answer"]

    def listen(self) -> None:
        """Tell the page-side observer which elements listen to what, as the debugger knows it."""
        self.ask("isReady")
        self.heard = self._listeners.tell()

    def _shot(self, box: Mapping[str, float]) -> str:
        """A digest of the pixels of one box, for canvases that give none of their own."""
        options = {"format": "png", "optimizeForSpeed": True, "clip": {**box, "scale": 1}}
        return hashlib.sha256(self._session.picture(options, timeout=5.0)).hexdigest()

    def _count_sound(self, _: object) -> None:
        self._sounds += 1


def _control(data: dict[str, Any]) -> Control:
    tuples = {name: tuple(data[name]) for name in ("options", "heard", "box")}
    return Control(**{**data, **tuples})
