"""The event loop that models are asked on: one in a thread of its own, for each worker.

Sync Playwright keeps the main thread's loop busy, so async code runs here. The SDKs' clients live
on this loop too, one for each provider and address, and are closed with it. Nothing here may touch
a page: pages belong to the main thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, TypeVarTuple

from anyio.from_thread import start_blocking_portal
from anyio.lowlevel import RunVar

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Client(Protocol):
    """What all SDKs' async clients have in common."""

    async def close(self) -> None:
        """Close its connections."""
        ...


C = TypeVar("C", bound=Client)
_clients: RunVar[dict[Hashable, Any]] = RunVar("appbench_clients")


def client(key: Hashable, make: Callable[[], C]) -> C:
    """The client of the running event loop, made at first use.

    Args:
        key: What tells clients apart: provider, address, credentials.
        make: Makes one.

    Returns:
        The client; the same one for the same key as long as the loop runs.
    """
    clients = _clients.get({})
    if key not in clients:
        clients[key] = make()
        _clients.set(clients)
    found: C = clients[key]
    return found


async def close_clients() -> None:
    """Close all clients of the running event loop."""
    clients: dict[Hashable, Client] = _clients.get({})
    while clients:
        # A client whose connections are already broken has nothing left to close.
        with suppress(Exception):
            await clients.popitem()[1].close()


class Portal:
    """Runs async functions on an event loop in a thread, which starts at first use."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._running: set[Future[Any]] = set()
        self._closed = False

    def submit(self, function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> Future[T]:
        """Start an async function.

        Args:
            function: The function.
            *args: Its arguments.

        Returns:
            Its future result; cancelling it cancels the function.

        Raises:
            RuntimeError: The portal was closed.
        """
        with self._lock:
            future = self._started().start_task_soon(function, *args)
            self._running.add(future)
        future.add_done_callback(self._running.discard)
        return future

    def call(self, function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
        """Run an async function and wait for it; the calling thread does nothing else meanwhile.

        Args:
            function: The function.
            *args: Its arguments.

        Returns:
            What it returns; what it raises is raised.
        """
        return self.submit(function, *args).result()

    def close(self) -> None:
        """Cancel what runs, close all clients and end the thread. Closing twice does no harm."""
        with self._lock:
            self._closed = True
            portal, self._portal = self._portal, None
        if portal is None:
            return
        for future in tuple(self._running):
            future.cancel()
        portal.call(close_clients)
        self._stack.close()

    def _started(self) -> BlockingPortal:
        if self._closed:
            raise RuntimeError("the portal is closed: models can be asked only while a run lasts")
        if self._portal is None:
            self._portal = self._stack.enter_context(
                start_blocking_portal("asyncio", name="appbench-models")
            )
        return self._portal
