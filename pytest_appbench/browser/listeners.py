"""Finds which elements listen to what, as the debugger knows it, and tells the page's observer.

The debugger names nodes by numbers that mean nothing in the page, and resolving one costs a round
trip; where one place of the app's source listens on many elements, a few of them stand for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.devtools import send_all

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

_MOST = 300
_ALIKE = 12
_SAMPLES = 6
_LISTENERS = "DOMDebugger.getEventListeners"
_TELL = "(name, ...all) => globalThis.appbenchObserver[name](...all)"

_Heard = Mapping[int, frozenset[str]]


class Listeners:
    """The event listeners of one page.

    Args:
        session: The page.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: dict[int, frozenset[str]] = {}
        self._roots: tuple[str, int, str] | None = None

    def forget(self) -> None:
        """Start anew: the page has another document, or another observer."""
        self._told.clear()
        self._roots = None

    def tell(self) -> frozenset[str]:
        """Tell the observer in the page what is new.

        Returns:
            All events that something on the page listens to.
        """
        with self._session.bounded(5.0):
            heard, places = self._find()
            fresh = {node: types for node, types in heard.items() if self._told.get(node) != types}
            groups: dict[object, list[int]] = {}
            for node in list(fresh):
                groups.setdefault((places.get(node), fresh[node]), []).append(node)
            alike = [nodes for nodes in groups.values() if len(nodes) > _ALIKE]
            single = [node for nodes in groups.values() if len(nodes) <= _ALIKE for node in nodes]
            self._hear("hear", fresh, single[:_MOST])
            samples = (node for nodes in alike for node in (*nodes[:_SAMPLES], nodes[-1]))
            self._hear("hearAlike", fresh, list(samples)[:_MOST])
            self._told.update((node, fresh[node]) for nodes in alike for node in nodes)
            self._told.update((node, fresh[node]) for node in single[:_MOST])
        return frozenset().union(*heard.values())

    def _find(self) -> tuple[_Heard, Mapping[int, frozenset[object]]]:
        """What each node listens to, and where in the source it was asked to."""
        cdp = self._session.cdp
        if self._roots is None:
            self._roots = self._find_roots()
        document, node, window = self._roots
        below, above = send_all(
            cdp,
            [
                (_LISTENERS, {"objectId": document, "depth": -1, "pierce": True}),
                (_LISTENERS, {"objectId": window}),
            ],
        )
        heard: dict[int, set[str]] = {node: {one["type"] for one in above["listeners"]}}
        places: dict[int, set[object]] = {}
        for listener in below["listeners"]:
            heard.setdefault(listener["backendNodeId"], set()).add(listener["type"])
            places.setdefault(listener["backendNodeId"], set()).add(_place(listener))
        return (
            {node: frozenset(types) for node, types in heard.items()},
            {node: frozenset(one) for node, one in places.items()},
        )

    def _find_roots(self) -> tuple[str, int, str]:
        """The document as an object and as a node, and the window, whose listeners count as its."""
        cdp = self._session.cdp
        tree, window = send_all(
            cdp, [("DOM.getDocument", {"depth": 0}), ("Runtime.evaluate", {"expression": "window"})]
        )
        node = tree["root"]
        document = cdp.send("DOM.resolveNode", {"nodeId": node["nodeId"]})["object"]["objectId"]
        return document, node["backendNodeId"], window["result"]["objectId"]

    def _hear(self, name: str, heard: _Heard, nodes: Sequence[int]) -> None:
        if not nodes:
            return
        cdp, world = self._session.cdp, self._session.world
        objects = send_all(
            cdp,
            [
                ("DOM.resolveNode", {"backendNodeId": node, "executionContextId": world})
                for node in nodes
            ],
        )
        cdp.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": _TELL,
                "executionContextId": world,
                "arguments": [
                    {"value": name},
                    {"value": [sorted(heard[node]) for node in nodes]},
                    *({"objectId": item["object"]["objectId"]} for item in objects),
                ],
            },
        )


def _place(listener: Mapping[str, Any]) -> object:
    return listener["scriptId"], listener["lineNumber"], listener["columnNumber"]
