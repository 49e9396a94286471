"""Speaks the DevTools protocol to one page: its isolated world, its init scripts, what it reports.

The isolated world shares the page's DOM and nothing else, so an app can neither see nor change what
runs there. Only Chromium speaks this protocol.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.errors import PageNavigated, ScriptFailed
from pytest_appbench.browser.guard import page_script

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

_STALE = ("Cannot find context with specified id", "uniqueContextId not found")
_NAVIGATED = ("Execution context was destroyed", "Inspected target navigated or closed")
_UNREADABLE = ("Object reference chain is too long", "Promise was collected")
_ADD_SCRIPT = "Page.addScriptToEvaluateOnNewDocument"

Command = tuple[str, Mapping[str, Any]]
"""A command of the protocol: its name and its parameters."""


class Devtools:
    """The protocol session of a page.

    Args:
        cdp: Playwright's session of the page.
        world: The name of the isolated world; a secret of the context.
    """

    def __init__(self, cdp: CDPSession, world: str) -> None:
        self.cdp = cdp
        self._world_name = world
        self._frame = ""
        self._worlds: dict[str, int] = {}
        self._prepared: list[Command] = [("Page.enable", {}), ("Runtime.enable", {})]
        self._scripts: dict[str, list[str]] = {world: [], "": []}
        cdp.on("Page.frameNavigated", self._note_frame)
        cdp.on("Runtime.executionContextCreated", self._note_world)
        cdp.on("Runtime.executionContextsCleared", lambda _: self._worlds.clear())

    def world(self) -> int:
        """The execution context of the page's isolated world, made if there is none yet."""
        world = self._worlds.get(self._frame)
        if world is None:
            self._frame = self.cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            made = self.cdp.send(
                "Page.createIsolatedWorld", {"frameId": self._frame, "worldName": self._world_name}
            )
            world = self._worlds[self._frame] = int(made["executionContextId"])
        return world

    def evaluate(self, function: str, arg: Any) -> Any:
        """Calls a function in the isolated world.

        Args:
            function: Source of a JavaScript function of one argument; may be async.
            arg: Its argument, as JSON.

        Returns:
            What it returned, as JSON.

        Raises:
            ScriptFailed: It threw, or returned what is no JSON.
            PageNavigated: The page loaded another document before it returned.
        """
        from playwright.sync_api import Error

        for is_last in (False, True):
            try:
                answer = self.cdp.send(
                    "Runtime.callFunctionOn",
                    {
                        "functionDeclaration": function,
                        "executionContextId": self.world(),
                        "arguments": [{"value": arg}],
                        "returnByValue": True,
                        "awaitPromise": True,
                    },
                )
                break
            except Error as error:
                if any(text in error.message for text in _STALE):
                    self._worlds.clear()
                    if not is_last:
                        continue
                if any(text in error.message for text in (*_STALE, *_NAVIGATED)):
                    raise PageNavigated("the page loaded another document meanwhile") from error
                if any(text in error.message for text in _UNREADABLE):
                    raise ScriptFailed(f"the function returned no JSON: {error.message}") from error
                raise
        if "exceptionDetails" in answer:
            raise ScriptFailed(as_text(answer["exceptionDetails"]["exception"]))
        return answer["result"].get("value")

    def prepare(self, method: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Prepares a command for `install`.

        Args:
            method: Its name.
            parameters: Its parameters.
        """
        self._prepared.append((method, parameters or {}))

    def prepare_binding(self, name: str, receive: Callable[[dict[str, Any]], None]) -> None:
        """Prepares a function of the isolated worlds that sends a JSON object to the harness.

        Args:
            name: The function's name.
            receive: Gets each object.
        """

        def take(event: dict[str, Any]) -> None:
            if event["name"] == name:
                receive(json.loads(event["payload"]))

        self.cdp.on("Runtime.bindingCalled", take)
        self.prepare("Runtime.addBinding", {"name": name, "executionContextName": self._world_name})

    def prepare_script(self, name: str, *arguments: Any, parts: Sequence[str] = ()) -> None:
        """Prepares a script of `browser/page/` for every document that comes after `install`.

        It runs there before the document's own scripts, after those that were prepared before it
        and after all that were prepared for the isolated world.

        Args:
            name: The file, which holds one function.
            arguments: What the function is called with, as JSON.
            parts: Further such files, whose functions it is called with after that.
        """
        self._scripts[""].append(script_call(name, *arguments, parts=parts))

    def prepare_isolated_script(self, name: str, *arguments: Any) -> None:
        """Prepares a script of `browser/page/` for the isolated world of every coming document.

        Args:
            name: The file, which holds one function.
            arguments: What the function is called with, as JSON.
        """
        self._scripts[self._world_name].append(script_call(name, *arguments))

    def install(self) -> None:
        """Installs all that was prepared; call it once, before the page goes anywhere."""
        for world, scripts in self._scripts.items():
            self.prepare(_ADD_SCRIPT, {"source": "\n".join(scripts), "worldName": world})
        send_all(self.cdp, self._prepared)

    def add_isolated_script(self, name: str, *arguments: Any) -> str:
        """Runs a script of `browser/page/` in the isolated world of every coming document.

        Args:
            name: The file, which holds one function.
            arguments: What the function is called with, as JSON.

        Returns:
            What `remove_script` takes.
        """
        script = {"source": script_call(name, *arguments), "worldName": self._world_name}
        return str(self.cdp.send(_ADD_SCRIPT, script)["identifier"])

    def remove_script(self, identifier: str) -> None:
        """Runs a script in no more documents.

        Args:
            identifier: What adding it gave.
        """
        self.cdp.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})

    def _note_frame(self, event: dict[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self._frame = event["frame"]["id"]

    def _note_world(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if context["name"] == self._world_name:
            self._worlds[context["auxData"]["frameId"]] = context["id"]


def send_all(cdp: CDPSession, commands: Sequence[Command]) -> list[dict[str, Any]]:
    """Sends several commands, and only then waits for what they come to.

    One after the other, each would wait for its turn in four processes.

    Args:
        cdp: The protocol session.
        commands: The commands; none may need the answer to another one.

    Returns:
        The answers, in order.

    Raises:
        playwright.sync_api.Error: What the first one to fail was refused for.
    """
    private: Any = cdp
    inner = private._impl_obj

    async def answers() -> list[Any]:
        rest = rest_of(inner)[1:]
        sent = [inner.send(method, dict(parameters), *rest) for method, parameters in commands]
        return await asyncio.gather(*sent)

    answered: list[dict[str, Any]] = private._sync(answers())
    return answered


def rest_of(inner: Any) -> list[None]:
    """What a command is sent with besides its name: no parameters, and lately no time-out.

    Args:
        inner: The private side of a protocol session.
    """
    return [None] * (len(inspect.signature(inner.send).parameters) - 1)


def script_call(name: str, *arguments: Any, parts: Sequence[str] = ()) -> str:
    """The source that calls the function of one of our page scripts.

    Args:
        name: The file's name in `browser/page/`.
        arguments: What the function is called with, as JSON.
        parts: Further such files, whose functions it is called with after that.
    """
    given = [*map(json.dumps, arguments), *map(page_script, parts)]
    return f"({page_script(name)})({', '.join(given)});"


def as_text(value: Mapping[str, Any]) -> str:
    """A value of the page, as a console shows it.

    Args:
        value: What the protocol calls a remote object.
    """
    if value.get("type") == "undefined":
        return "undefined"
    if "value" in value:
        kept = value["value"]
        return kept if isinstance(kept, str) else json.dumps(kept)
    if "unserializableValue" in value:
        return str(value["unserializableValue"])
    return str(value.get("description", value.get("type", "")))
