"""What a judge does to an app: real input at hit-tested points, and page time.

Each action finds its target, says at once why it cannot be used, does it as a person would, lets
it take effect, and says what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from pytest_appbench.browser.effects import FRAME_MS, Effects
from pytest_appbench.browser.fields import Fields
from pytest_appbench.browser.find import Finder, Found, Point, Target
from pytest_appbench.browser.measuring import landing
from pytest_appbench.browser.methods import HandsError, Outcome, method
from pytest_appbench.browser.uploads import Uploads

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

ACTION_SECONDS = 5.0
"""How long the input of one action may take before the page counts as unresponsive."""
MOST_MS = 600_000.0
DRAG_MOVES = 12

Ms = Annotated[float, Field(ge=0, le=MOST_MS)]
Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
Times = Annotated[int, Field(ge=1, le=200)]
Keys = Annotated[str, Field(min_length=1)] | list[Annotated[str, Field(min_length=1)]]

_KEYS = {
    "space": " ",
    "spacebar": " ",
    "ctrl": "Control",
    "cmd": "Meta",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
}
_RENDERED = """() => new Promise((resolve) => {
  let frames = 0;
  const count = () => (++frames > 8 ? resolve(true) : requestAnimationFrame(count));
  count();
  setTimeout(resolve, 400, true);
})"""


class Using:
    """The actions on one page.

    Args:
        session: The page.
        finder: Finds what is used.
        effects: Lets it take effect.
        uploads: The files that may be given to the page.
    """

    def __init__(
        self, session: Session, finder: Finder, effects: Effects, uploads: Uploads
    ) -> None:
        self._session, self._finder, self._effects = session, finder, effects
        self._fields, self._uploads = Fields(session, finder), uploads

    @method(
        "click(target, {button, count, modifiers, at: [x, y] in it, hold: ms, force, settle: ms})",
        "press it as a person does; says what changed",
    )
    def click(
        self,
        target: Target,
        *,
        button: Button = "left",
        count: Times = 1,
        modifiers: list[Modifier] | None = None,
        at: Point | None = None,
        hold: Ms = 0,
        force: bool = False,
        settle: Ms | None = None,
    ) -> Outcome:
        """Press the mouse on something."""
        (found,), due = self._finder.begin([target], force=force, at=at)
        mouse, keys = self._session.page.mouse, modifiers or []

        def press() -> None:
            if not hold and not self._effects.is_running:
                mouse.click(found.x, found.y, button=button, click_count=count)
                return
            mouse.move(found.x, found.y)
            for number in range(1, count + 1):
                mouse.down(button=button, click_count=number)
                self._effects.pass_time(hold) if hold else self._effects.hold()
                mouse.up(button=button, click_count=number)

        with self._acting(found, due, hold * count):
            self._with_keys(keys, press)
        return self._told(found.words, settle)

    @method("doubleClick(target, {at, force, settle})", "click it twice")
    def double_click(
        self,
        target: Target,
        *,
        at: Point | None = None,
        force: bool = False,
        settle: Ms | None = None,
    ) -> Outcome:
        """Press the mouse on something twice."""
        return self.click(target, count=2, at=at, force=force, settle=settle)

    @method("hover(target, {at, settle})", "move the pointer onto it")
    def hover(
        self, target: Target, *, at: Point | None = None, settle: Ms | None = None
    ) -> Outcome:
        """Move the pointer."""
        (found,), due = self._finder.begin([target], need="none", at=at)
        with self._acting(found, due):
            self._session.page.mouse.move(found.x, found.y, steps=2)
        return self._told(found.words, settle)

    @method("touch(target, {at, hold: ms, settle})", "tap it with a finger")
    def touch(
        self,
        target: Target,
        *,
        at: Point | None = None,
        hold: Ms = 0,
        settle: Ms | None = None,
    ) -> Outcome:
        """Tap something."""
        (found,), due = self._finder.begin([target], at=at)
        touch = "Input.dispatchTouchEvent"
        with self._acting(found, due, hold):
            points = [{"x": found.x, "y": found.y}]
            self._session.cdp.send(touch, {"type": "touchStart", "touchPoints": points})
            self._effects.pass_time(hold) if hold else self._effects.hold()
            self._session.cdp.send(touch, {"type": "touchEnd", "touchPoints": []})
        return self._told(found.words, settle)

    @method(
        "drag(from, to, ...more, {button, steps, settle})",
        "press at the first, move over the others, let go at the last; each a target or [x, y]",
    )
    def drag(
        self,
        start: Target,
        end: Target,
        *more: Target,
        button: Button = "left",
        steps: Annotated[int, Field(ge=1, le=100)] = DRAG_MOVES,
        settle: Ms | None = None,
    ) -> Outcome:
        """Drag from one place to others."""
        ends, _ = self._finder.begin([end, *more], need="none", force=True)
        (first,), _ = self._finder.begin([start])
        again, due = self._finder.begin([end, *more], need="none", force=True)
        if any((one.x, one.y) != (two.x, two.y) for one, two in zip(ends, again, strict=True)):
            (second,), due = self._finder.begin([start])
            if (second.x, second.y) != (first.x, first.y):
                raise HandsError("both ends are not in the window at once: make it larger first")
        mouse, before = self._session.page.mouse, self._finder.ask("placeOf", first.ref)
        with self._acting(first, due, steps * FRAME_MS * len(again)):
            mouse.move(first.x, first.y)
            mouse.down(button=button)
            self._effects.hold()
            for place in again:
                self._move(
                    first if place is again[0] else again[again.index(place) - 1], place, steps
                )
            mouse.up(button=button)
        words = " to ".join(one.words for one in (first, *again))
        outcome, after = self._told(words, settle), self._finder.ask("placeOf", first.ref)
        landed = landing(before, after, (again[-1].x - first.x, again[-1].y - first.y))
        if landed is None:
            return outcome
        off, told = landed
        return replace(outcome, changed=f"{outcome.changed}; {told}", more={"landed": off})

    @method("scroll(target or [dx, dy], {over: target})", "bring it into view, or turn the wheel")
    def scroll(self, where: Any, *, over: Target | None = None) -> Outcome:
        """Scroll the page or a part of it."""
        from pytest_appbench.browser.find import parse_target

        try:
            target = parse_target(where)
        except ValueError as error:
            raise HandsError(f"scroll: {error}, or a way [dx, dy] in CSS pixels") from None
        if "point" not in target:
            ref = self._finder.ask("locate", target)
            self._watch(None)
            self._finder.ask("bringIntoView", ref)
            return self._told(f"to {ref}")
        dx, dy = target["point"]
        size = self._session.page.viewport_size or {"width": 800, "height": 600}
        point: Target = {"point": [size["width"] / 2, size["height"] / 2]}
        (found,), due = self._finder.begin([over or point], need="none")
        with self._acting(found, due):
            self._session.page.mouse.move(found.x, found.y)
            self._session.page.mouse.wheel(dx, dy)
            self._session.evaluate(_RENDERED)
        return self._told(f"by ({dx:g}, {dy:g}) over {found.words}")

    @method(
        "fill(target, text, {force, settle})",
        "replace what a field holds by typing; also ranges, dates (YYYY-MM-DD), colours (#rrggbb); "
        "the focus stays: press Tab or Enter to confirm",
    )
    def fill(
        self,
        target: Target,
        text: str | float,
        *,
        force: bool = False,
        settle: Ms | None = None,
    ) -> Outcome:
        """Fill a field."""
        text = text if isinstance(text, str) else f"{text:g}"
        (found,), due = self._finder.begin([target], need="field", force=force)
        with self._acting(found, due, len(text) * 20):
            self._fields.fill(found, text)
        return self._told(f"{found.words} with {text!r}", settle)

    @method(
        "type(text, {pace: ms, settle})",
        "type into whatever has the focus; with a pace, page time passes between the keys as under "
        "a person's hands (120 is usual)",
    )
    def type(self, text: str, *, pace: Ms = 0, settle: Ms | None = None) -> Outcome:
        """Type."""
        self._watch(None)
        with self._session.bounded(ACTION_SECONDS + len(text) * (0.02 + pace / 100)):
            for part in text if pace else [text]:
                self._session.page.keyboard.type(part)
                if pace:
                    self._effects.pass_time(pace)
        return self._told(repr(text), settle)

    @method("press(key, {times, settle})", "press a key or chord, such as 'Enter' or 'Control+a'")
    def press(
        self,
        key: Annotated[str, Field(min_length=1)],
        *,
        times: Times = 1,
        settle: Ms | None = None,
    ) -> Outcome:
        """Press a key."""
        chord = _chord(key)
        self._watch(None)
        with self._session.bounded(ACTION_SECONDS + times / 5):
            for number in range(times):
                if number:
                    self._effects.hold()
                self._with_keys(chord, self._effects.hold)
        return self._told(key if times == 1 else f"{key} {times} times", settle)

    @method("hold(key or [keys], ms, {settle})", "keep keys down while page time passes")
    def hold(self, keys: Keys, ms: Ms, *, settle: Ms | None = None) -> Outcome:
        """Hold keys down."""
        chord = [one for key in ([keys] if isinstance(keys, str) else keys) for one in _chord(key)]
        self._watch(None)
        with self._session.bounded(ACTION_SECONDS + ms / 100):
            self._with_keys(chord, lambda: self._effects.pass_time(ms))
        return self._told(f"{'+'.join(chord)} for {ms:g} ms", settle)

    @method("select(target, value or label or [...])", "choose in a select element")
    def select(
        self, target: Target, value: str | float | list[str], *, settle: Ms | None = None
    ) -> Outcome:
        """Choose options."""
        wanted = value if isinstance(value, list) else [_text(value)]
        (found,), due = self._finder.begin([target], need="select")
        self._effects.watch(found.ref, due)
        self._finder.ask("select", {"ref": found.ref, "wanted": wanted})
        return self._told(f"{found.words}: {', '.join(wanted)}", settle)

    @method(
        "check(target, on = true, {force, settle})", "make a check box, radio or switch on or off"
    )
    def check(
        self,
        target: Target,
        on: bool = True,
        *,
        force: bool = False,
        settle: Ms | None = None,
    ) -> Outcome:
        """Check or uncheck something."""
        (found,), due = self._finder.begin([target], need="check", force=force)
        words = f"{found.words} {'on' if on else 'off'}"
        if found.checked is on:
            return Outcome(words, f"it is {'on' if on else 'off'} already")
        with self._acting(found, due):
            self._session.page.mouse.click(found.x, found.y)
        outcome = self._told(words, settle)
        is_on = self._finder.ask("checked", found.ref)
        state = {True: "on", False: "off"}.get(is_on, "neither on nor off")
        return Outcome(words, f"{outcome.changed}; it is {state} now")

    @method(
        "upload(target, [{name, content or base64, type}, or a material's name])",
        "give files to a file input",
    )
    def upload(
        self, target: Target, files: list[str | dict[str, str]], *, settle: Ms | None = None
    ) -> Outcome:
        """Give files."""
        (found,), due = self._finder.begin([target], need="file", aims=False)
        given = self._uploads.given(files)
        self._effects.watch(found.ref, due)
        self._finder.ask("setFiles", {"ref": found.ref, "files": given})
        return self._told(f"{found.words}: {', '.join(file['name'] for file in given)}", settle)

    @method(
        "advance(ms, or 'frame', or 'quiet')",
        "let page time pass: timers, frames and animations run; to the next frame, or until "
        "nothing is due",
    )
    def advance(self, ms: Ms | Literal["frame", "quiet"]) -> Outcome:
        """Let time pass."""
        self._watch(None)
        if ms == "frame":
            return self._told(f"to the next frame, {self._effects.next_frame():.3g} ms", 0)
        if ms == "quiet":
            passed, is_quiet = self._effects.until_quiet()
            outcome = self._told(f"until quiet, {passed:g} ms", 0)
            note = "" if is_quiet else f"not quiet after {passed:g} ms; "
            return Outcome(outcome.target, note + outcome.changed)
        passed = self._effects.pass_time(ms)
        outcome = self._told(f"{ms:g} ms", 0)
        if passed < ms:
            note = f"only {passed:g} ms passed: the page is too slow for more; "
            return Outcome(outcome.target, note + outcome.changed)
        return outcome

    @contextmanager
    def _acting(self, found: Found, due: float | None, ms: float = 0) -> Iterator[None]:
        self._effects.watch(found.ref, due)
        with self._session.bounded(ACTION_SECONDS + ms / 100):
            yield

    def _watch(self, ref: str | None) -> None:
        _, due = self._finder.begin()
        self._effects.watch(ref, due)

    def _told(self, words: str, settle: float | None = None) -> Outcome:
        return Outcome(words, self._effects.told(settle))

    def _move(self, start: Found, end: Found, steps: int) -> None:
        mouse = self._session.page.mouse
        if not self._effects.is_running:
            mouse.move(end.x, end.y, steps=steps)
            return
        for number in range(1, steps + 1):
            share = number / steps
            mouse.move(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
            self._effects.pass_time(FRAME_MS)

    def _with_keys(self, keys: list[Any], act: Callable[[], object]) -> None:
        keyboard, down = self._session.page.keyboard, []
        try:
            for key in keys:
                keyboard.down(key)
                down.append(key)
            act()
        finally:
            for key in reversed(down):
                keyboard.up(key)


def _chord(text: str) -> list[str]:
    """The keys of a chord such as `Shift+ArrowUp`; a plus may be a key itself."""
    parts = text.split("+") if len(text) > 1 and text != " " else [text]
    if parts[-2:] == ["", ""]:
        parts = [*parts[:-2], "+"]
    keys = [part if part in (" ", "+") else part.strip() for part in parts]
    if not all(keys):
        raise HandsError(f"{text!r} is no key: write 'Enter', 'a', 'ArrowUp' or 'Control+a'")
    return [_KEYS.get(key.lower(), key) for key in keys]


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"
