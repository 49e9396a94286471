"""What a judge can do to an app and learn from it, by name and JSON arguments, every call a step.

It is for one session, on the thread of that session's page. What a name does is said in `using` and
`looking`; this module calls them, records them, and turns what goes wrong into words.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.effects import UNCHANGED, Effects, clipped
from pytest_appbench.browser.errors import PageLost, PageNavigated, ScriptFailed
from pytest_appbench.browser.find import SCRIPTS, Finder
from pytest_appbench.browser.looking import Looking
from pytest_appbench.browser.measuring import Measuring
from pytest_appbench.browser.methods import RECORDED, HandsError, Outcome, methods_of
from pytest_appbench.browser.observe import Observer
from pytest_appbench.browser.uploads import Uploads
from pytest_appbench.browser.using import Using

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

__all__ = ["METHODS", "Hands", "HandsError"]

_OWNERS = (Looking, Measuring, Using)
_ALL = {name: method for owner in _OWNERS for name, method in methods_of(owner).items()}
_UNSHOWN = methods_of(Looking).keys() - {"viewport", "reload", "back", "wait"} | {
    "changedRegions",
    "sounds",
}
"""Looks, which show nothing that the step before did not."""

_SITE = re.compile(r"\b[0-9a-f]{8,}\.app\.localhost:\d+")
_BLOB = re.compile(r"\b(blob:http://[0-9a-f]{8,}\.app\.localhost:\d+)/[0-9a-f-]{36}")

METHODS: Mapping[str, str] = {name: method.usage for name, method in _ALL.items()}
"""How each method is called and what it does, in one line, by name."""


class Hands:
    """The hands and eyes of a judge on one app.

    Args:
        session: A session at the app.
        url: Where the app begins.
        screenshots: The folder for pictures that are asked for, or None to take none.
        camera: Takes a picture after each step that does something, or None.
        first: The number of the first step.
        materials: Files that may be uploaded by their names.

    Attributes:
        steps: Every call so far.
        may_wait: Whether the picture of a step may wait until the next step or `catch_up`. That is
            for pages whose time stands still in between.
    """

    def __init__(
        self,
        session: Session,
        url: str,
        screenshots: Path | None = None,
        camera: Camera | None = None,
        *,
        first: int = 1,
        materials: Mapping[str, Path] | None = None,
    ) -> None:
        observer = Observer(session, SCRIPTS)
        finder, effects = Finder(observer), Effects(session, observer, camera)
        self._session, self._camera, self._effects = session, camera, effects
        self._owners: dict[str, object] = {}
        for owner in (
            Looking(session, observer, finder, effects, url, screenshots, first),
            Measuring(session, observer, finder, effects),
            Using(session, finder, effects, Uploads(materials)),
        ):
            self._owners.update(dict.fromkeys(methods_of(type(owner)), owner))
        self.steps: list[Step] = []
        self.may_wait = False
        self._first = first
        self._owed: tuple[Step, bool] | None = None

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """Do or learn one thing.

        Args:
            name: One of `METHODS`.
            arguments: As JSON, in order; the last may be an object of options.

        Returns:
            As JSON: `{"step", "changed"}` of an action, else the answer.

        Raises:
            HandsError: It cannot be done; the message is for the judge.
            PageLost: The page cannot be regained.
        """
        from playwright.sync_api import Error

        method = _ALL.get(name)
        if method is None:
            raise HandsError(f"there is no {name!r}; there are {', '.join(_ALL)}")
        values, options = method.bind(arguments)
        self.catch_up()
        words = clipped(json.dumps(list(arguments), ensure_ascii=False)[1:-1], 200)
        step = self.step(name, words)
        self._effects.surprise = ""
        started, heard = time.monotonic(), len(self._session.sounds.all)
        outcome: Outcome | None = None
        try:
            outcome = method.function(self._owners[name], *values, **options)
        except HandsError as error:
            step.changed = f"not done: {error}"
            raise
        except PageNavigated as error:
            step.changed = "another document was loaded meanwhile"
            raise HandsError(f"{step.changed}: look again") from error
        except PageLost as error:
            step.changed = str(error)
            if not self._is_alive():
                raise
            raise HandsError(
                f"{error}; the page can be used on, or opened again by reload()"
            ) from error
        except (Error, ScriptFailed) as error:
            step.changed = f"not done: {_first_line(error)}"
            raise HandsError(f"{name}: {_first_line(error)}") from error
        finally:
            step.seconds = round(time.monotonic() - started, 3)
            step.sounds = tuple(self._session.sounds.since(heard))
            if self._camera is not None and name not in _UNSHOWN:
                self._owed = step, outcome is not None and outcome.changed == UNCHANGED
                step.at = self._camera.now
                if not self.may_wait:
                    self.catch_up()
        step.surprise = self._effects.surprise
        step.target, step.changed = clipped(outcome.target, 300), _lasting(outcome.changed)
        if outcome.value is RECORDED:
            return {"step": step.number, "changed": step.changed, **outcome.more}
        return _lasting(outcome.value)

    def catch_up(self) -> None:
        """Take the picture that the last step may still be without."""
        if self._owed is None or self._camera is None:
            return
        (step, is_same), self._owed = self._owed, None
        step.picture, step.frames = self._camera.finish(step.number, is_same=is_same)

    def step(self, action: str, target: str) -> Step:
        """Put a step on record under the next number.

        Args:
            action: What is done.
            target: What it is done to.
        """
        step = Step(self._first + len(self.steps), action, target)
        self.steps.append(step)
        return step

    def _is_alive(self) -> bool:
        try:
            self._session.evaluate("() => 0", timeout=2.0)
        except PageNavigated:
            return True
        except PageLost:
            return False
        return True


def _lasting(value: Any) -> Any:
    """The same with addresses that do not change from run to run, as a site's name and port do."""
    if isinstance(value, str):
        return _SITE.sub("app.localhost", _BLOB.sub(r"\1/...", value))
    if isinstance(value, list):
        return [_lasting(one) for one in value]
    if isinstance(value, dict):
        return {name: _lasting(one) for name, one in value.items()}
    return value


def _first_line(error: Exception) -> str:
    return clipped(str(error).split("\n")[0].removeprefix("Keyboard.").strip(), 300)
