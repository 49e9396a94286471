"""What a judge learns from an app without touching it, and how it moves between pages and windows.

All reading is done in the isolated world, unless a judge asks for the app's own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from pytest_appbench.browser.effects import Effects, clipped, happened
from pytest_appbench.browser.events import Mark
from pytest_appbench.browser.find import Finder, Target
from pytest_appbench.browser.measuring import look_at_canvases
from pytest_appbench.browser.methods import HandsError, Outcome, method
from pytest_appbench.browser.observe import Observer
from pytest_appbench.browser.using import Ms

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

LOAD_SECONDS = 15.0
EVALUATE_SECONDS = 5.0
MOST_JSON = 200_000
"""Characters of an answer of `evaluate`."""
WAIT_MS = 5000.0

_RECORDED_LOOK = 6000
_RECORDED = 1500
_SLICE_MS = 100.0
_POLLS = 100
_POLL_MS = 50.0
_MOST_LINES = 50
_QUALITY = 70
_BOXED = """(async (box) => {
  try {
    const it = (SOURCE);
    const value = typeof it === "function" ? await it(ARGUMENT) : await it;
    box.json = JSON.stringify(value) ?? "null";
  } catch (error) {
    box.error = String(error?.stack ?? error).slice(0, 1000);
  }
  return box;
})"""
_START = "((box) => { void %s(box); return box; })({ __proto__: null })"
_POLL = """function () {
  if (this.error !== undefined) return { error: this.error };
  if (this.json === undefined) return null;
  return this.json.length > MOST ? { size: this.json.length } : { json: this.json };
}""".replace("MOST", str(MOST_JSON))
_WHOLE = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [scrollWidth, scrollHeight];
}"""
_STORAGE = """() => Object.fromEntries(["localStorage", "sessionStorage"].map((name) => {
  try {
    const items = Object.entries({ ...globalThis[name] }).slice(0, 100);
    return [name, Object.fromEntries(items.map(([key, value]) => [key, value.slice(0, 4000)]))];
  } catch {
    return [name, {}];
  }
}))"""

Size = Annotated[int, Field(ge=100, le=4000)]
MAIN_WORLD = "in the app's own world, untrusted: "
"""How the record of an `evaluate` in the main world begins, which may have changed the app."""


class Looking:
    """The looks at one page.

    Args:
        session: The page.
        observer: The eyes on it.
        finder: Finds what is read.
        effects: Lets time pass.
        url: Where the app begins.
        screenshots: The folder for pictures, or None to take none.
    """

    def __init__(
        self,
        session: Session,
        observer: Observer,
        finder: Finder,
        effects: Effects,
        url: str,
        screenshots: Path | None,
        first: int = 1,
    ) -> None:
        self._session, self._observer, self._finder = session, observer, finder
        self._effects, self._url, self._screenshots = effects, url, screenshots
        self._told, self._pictures = Mark(), first - 1

    @method(
        "look({scope: target, full})",
        "the page as a person reads it, with refs of usable things; {...} says how something looks",
    )
    def look(self, *, scope: Target | None = None, full: bool = False) -> Outcome:
        """Write the page down."""
        self._observer.listen()
        look_at_canvases(self._session, self._observer, self._finder)
        text = str(self._finder.ask("outline", {"scope": scope, "full": full}))
        unseen = self._session.events.since(self._told)
        if unseen.exceptions:
            text += f"\n({len(unseen.exceptions)} uncaught exceptions; console() tells them)"
        words = ("page" if scope is None else json.dumps(scope)) + (", full" if full else "")
        return Outcome(words, clipped(text, _RECORDED_LOOK), text)

    @method(
        "read(target, {html})",
        "{ref, role, name, text, value, checked, disabled, visible, focused, box} of one thing",
    )
    def read(self, target: Target, *, html: bool = False) -> Outcome:
        """Read one thing."""
        return _answer(target, self._finder.ask("read", {"target": target, "html": html}))

    @method("readAll(target)", "the same of all that fit, 200 at most")
    def read_all(self, target: Target) -> Outcome:
        """Read several things."""
        found = self._finder.ask("readAll", target)
        outcome = _answer(target, found["items"])
        note = f"{found['total']} fit: "
        return Outcome(outcome.target, note + outcome.changed, outcome.value)

    @method("count(target)", "how many fit")
    def count(self, target: Target) -> Outcome:
        """Count things."""
        return _answer(target, self._finder.ask("count", target))

    @method(
        "evaluate(functionSource, arg, {world: 'isolated' | 'main'})",
        "JavaScript in the page; the isolated world (default) shares the DOM and cannot be forged, "
        "the main world sees the app's own variables; page time passes while a promise is awaited",
    )
    def evaluate(
        self,
        source: Annotated[str, Field(min_length=1)],
        arg: Any = None,
        *,
        world: Literal["isolated", "main"] = "isolated",
    ) -> Outcome:
        """Evaluate JavaScript."""
        value = self._evaluated(source, arg, world)
        label = MAIN_WORLD if world == "main" else ""
        return _answer(f"{label}{clipped(source, 300)}", value)

    @method(
        "wait({text | gone: target | target | js, ms})",
        "let page time pass until something shows, is gone, or a function gives true",
    )
    def wait(
        self,
        *,
        text: str | None = None,
        gone: Target | None = None,
        target: Target | None = None,
        js: str | None = None,
        ms: Ms = WAIT_MS,
    ) -> Outcome:
        """Wait for something."""
        asked = {"text": text, "gone": gone, "target": target, "js": js}
        wanted = {name: value for name, value in asked.items() if value is not None}
        if len(wanted) != 1:
            raise HandsError("wait: give one of text, gone, target, js; advance(ms) just waits")
        _, due = self._finder.begin()
        self._effects.watch(None, due)
        passed = 0.0
        while not (is_met := self._holds(text, gone, target, js)) and passed < ms:
            part = min(_SLICE_MS, ms - passed)
            done = self._effects.pass_time(part)
            passed += part
            if done < part:
                break
        said = f"{'met' if is_met else 'not met'} after {passed:g} ms; {self._effects.told(0)}"
        return Outcome(json.dumps(wanted), said, {"met": is_met, "waited": passed, "changed": said})

    @method(
        "screenshot({target, full})", "take a picture of the window, of one thing, or of it all"
    )
    def screenshot(self, *, target: Target | None = None, full: bool = False) -> Outcome:
        """Take a picture."""
        if self._screenshots is None:
            raise HandsError("no screenshots are taken in this judging: look() and read() tell")
        options: dict[str, Any] = {"format": "webp", "quality": _QUALITY}
        if full:
            options["captureBeyondViewport"] = True
            size = self._session.evaluate(_WHOLE)
            width, height = (min(int(one), 6000) for one in size)
            options["clip"] = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        elif target is not None:
            options["clip"] = self._clip(target)
        picture = self._session.picture(options)
        self._pictures += 1
        name = f"screenshot-{self._pictures:03}.webp"
        self._screenshots.mkdir(parents=True, exist_ok=True)
        (self._screenshots / name).write_bytes(picture)
        return Outcome("window" if target is None else json.dumps(target), name, {"file": name})

    @method("console()", "exceptions, console lines, dialogs, blocked requests since the last call")
    def console(self) -> Outcome:
        """Tell what the page said."""
        events = self._session.events
        fresh, self._told = events.since(self._told), events.mark()
        value = {
            "exceptions": _last([f"{e.text} ({_base(e.url)}:{e.line})" for e in fresh.exceptions]),
            "console": _last([f"{line.level}: {line.text}" for line in fresh.console]),
            "dialogs": _last([f"{d.kind} {d.text!r} -> {d.answer!r}" for d in fresh.dialogs]),
            "blocked": _last([f"{a.kind} {a.url} ({a.count} times)" for a in fresh.attempted]),
        }
        kept: dict[str, Any] = {name: lines for name, lines in value.items() if lines}
        if fresh.floods:
            kept["flooded"] = fresh.floods
        return _answer("", kept)

    @method("url()", "where the page is")
    def url(self) -> Outcome:
        """Tell the address."""
        return _answer("", self._session.url)

    @method("title()", "the page's title")
    def title(self) -> Outcome:
        """Tell the title."""
        return _answer("", str(self._session.evaluate("() => document.title"))[:1000])

    @method("storage()", "what the page keeps: {localStorage, sessionStorage}")
    def storage(self) -> Outcome:
        """Tell what is stored."""
        return _answer("", self._session.evaluate(_STORAGE))

    @method("note(claim, observed)", "put a finding of yours on record as a step")
    def note(self, claim: str, observed: Any) -> Outcome:
        """Record a finding."""
        text = observed if isinstance(observed, str) else json.dumps(observed, ensure_ascii=False)
        return Outcome(clipped(claim, _RECORDED), clipped(text, _RECORDED))

    @method(
        "viewport(width, height, {compare})",
        "make the window another size, in CSS pixels; compare: false does not say what changed",
    )
    def viewport(self, width: Size, height: Size, *, compare: bool = True) -> Outcome:
        """Resize the window."""
        if compare:
            _, due = self._finder.begin()
            self._effects.watch(None, due)
        with self._session.bounded(LOAD_SECONDS):
            self._session.page.set_viewport_size({"width": width, "height": height})
        told = self._effects.told() if compare else self._effects.rest()
        return Outcome(f"{width} x {height}", told)

    @method("reload()", "load the page again; what it stored is kept")
    def reload(self) -> Outcome:
        """Load the page again."""
        return self._loaded(lambda: self._session.page.reload(wait_until="commit"))

    @method("back()", "go back to the page or state before")
    def back(self) -> Outcome:
        """Go back in the history."""
        with self._session.bounded(EVALUATE_SECONDS):
            history = self._session.cdp.send("Page.getNavigationHistory")
        index = history["currentIndex"]
        if index < 1 or history["entries"][index - 1]["url"] == "about:blank":
            raise HandsError("this is the first page: there is nothing to go back to")
        return self._loaded(lambda: self._session.page.go_back(wait_until="commit"))

    def _loaded(self, go: Any) -> Outcome:
        from playwright.sync_api import TimeoutError as TimeoutReached

        mark = self._session.events.mark()
        with self._session.bounded(LOAD_SECONDS):
            if self._session.url in ("", "about:blank"):
                self._session.open(self._url)
            else:
                go()
            with suppress(TimeoutReached):
                self._session.page.wait_for_load_state("load", timeout=LOAD_SECONDS * 500)
        self._effects.pass_time(_SLICE_MS)
        title = self._session.evaluate("() => document.title")
        said = [f'loaded {self._session.url} "{clipped(str(title), 100)}"']
        return Outcome("", "; ".join([*said, *happened(self._session.events.since(mark))]))

    def _holds(self, text: str | None, gone: Any, target: Any, js: str | None) -> bool:
        if js is not None:
            return bool(self._evaluated(js, None, "isolated"))
        if gone is not None:
            return not self._is_there(gone)
        return self._is_there({"text": text} if text is not None else target)

    def _is_there(self, target: Any) -> bool:
        return bool(self._finder.ask("isThere", target))

    def _clip(self, target: Any) -> dict[str, float]:
        ref = self._finder.ask("locate", target)
        self._finder.ask("bringIntoView", ref)
        place = self._finder.ask("placeOf", ref)
        (x, y, width, height), (right, down) = place["box"], place["scroll"]
        if width < 1 or height < 1:
            raise HandsError(f"{ref} has no size: there is nothing to take a picture of")
        return {"x": x + right, "y": y + down, "width": width, "height": height, "scale": 1}

    def _evaluated(self, source: str, arg: Any, world: str) -> Any:
        body = _BOXED.replace("ARGUMENT", json.dumps(arg)).replace("SOURCE", f"{source}\n")
        cdp = self._session.cdp
        self._observer.doubt()
        options: dict[str, Any] = {"expression": _START % body}
        with self._session.bounded(EVALUATE_SECONDS):
            if world == "isolated":
                options["contextId"] = self._session.world
            box = cdp.send("Runtime.evaluate", options)
        if "exceptionDetails" in box:
            thrown = box["exceptionDetails"].get("exception", {}).get("description", "it threw")
            raise HandsError(f"evaluate: {clipped(thrown, 500)}")
        for _ in range(_POLLS):
            with self._session.bounded(EVALUATE_SECONDS):
                answer = cdp.send(
                    "Runtime.callFunctionOn",
                    {
                        "objectId": box["result"]["objectId"],
                        "functionDeclaration": _POLL,
                        "returnByValue": True,
                    },
                )["result"].get("value")
            if answer is not None:
                return _unboxed(answer)
            self._effects.pass_time(_POLL_MS)
        raise HandsError(f"evaluate: its promise was pending after {_POLLS * _POLL_MS:g} ms")


def _unboxed(answer: dict[str, Any]) -> Any:
    if "error" in answer:
        raise HandsError(f"evaluate: {clipped(str(answer['error']), 500)}")
    if "size" in answer:
        raise HandsError(
            f"evaluate: the answer has {answer['size']} characters, at most {MOST_JSON} are given: "
            "return less of it (slice, filter, count)"
        )
    try:
        return json.loads(answer["json"])
    except (TypeError, ValueError):
        raise HandsError("evaluate: what came back is no JSON (the app may forge it)") from None


def _answer(target: Any, value: Any) -> Outcome:
    words = target if isinstance(target, str) else json.dumps(target, ensure_ascii=False)
    text = json.dumps(value, ensure_ascii=False)
    return Outcome(words, clipped(text, _RECORDED), value)


def _last(lines: Sequence[str]) -> list[str]:
    left = len(lines) - _MOST_LINES
    return [
        *([f"… {left} earlier"] if left > 0 else []),
        *(clipped(line, 500) for line in lines[-_MOST_LINES:]),
    ]


def _base(url: str) -> str:
    return url.rpartition("/")[2] or "page"
