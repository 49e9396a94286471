"""The portal runs async code beside the main thread, and ends with everything on it."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import anyio
import pytest

from kit import run_async
from modelkit import Serve, ask_for, model
from provider import Answer
from pytest_appbench.models import portal as portals
from pytest_appbench.models.portal import Portal


async def thread() -> str:
    return threading.current_thread().name


def test_its_thread_starts_at_first_use_and_ends_with_it() -> None:
    def running() -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t.name == name and t.is_alive()]

    name = "appbench-models"
    before = len(running())
    portal = Portal()
    assert len(running()) == before
    assert portal.call(thread) == name
    assert len(running()) == before + 1
    portal.close()
    portal.close()
    assert len(running()) == before


def test_results_and_errors_come_back(portal: Portal) -> None:
    async def double(n: int) -> int:
        if n < 0:
            raise ValueError("negative")
        return 2 * n

    futures = [portal.submit(double, n) for n in range(5)]
    assert [future.result() for future in futures] == [0, 2, 4, 6, 8]
    with pytest.raises(ValueError, match="negative"):
        portal.call(double, -1)


def test_closing_cancels_what_runs() -> None:
    portal, cleaned, begun = Portal(), threading.Event(), threading.Event()

    async def wait() -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            cleaned.set()

    future = portal.submit(wait)
    assert begun.wait(10)
    portal.close()
    with pytest.raises(CancelledError):
        future.result(timeout=10)
    assert cleaned.wait(10)
    with pytest.raises(RuntimeError, match="closed"):
        portal.submit(wait)


def test_one_client_serves_all_calls_to_an_address_and_is_closed_with_the_portal(
    serve: Serve, wire: str
) -> None:
    serve(lambda _: Answer("Fine.", delay=0.05))
    portal = Portal()

    async def clients() -> list[object]:
        return list(portals._clients.get({}).values())

    for future in [portal.submit(model(wire).ask, ask_for("Hello?")) for _ in range(4)]:
        future.result()
    (client,) = portal.call(clients)
    assert not client.is_closed()  # type: ignore[attr-defined]
    serve(lambda _: Answer("Elsewhere."))
    portal.call(model(wire).ask, ask_for("Hello?"))
    assert len(portal.call(clients)) == 2
    portal.close()
    assert client.is_closed()  # type: ignore[attr-defined]


def test_models_can_be_asked_on_any_other_loop(serve: Serve, wire: str) -> None:
    serve(lambda _: Answer("Fine."))

    async def ask() -> str:
        reply = await model(wire).ask(ask_for("Hello?"))
        await portals.close_clients()
        return reply.message.text

    assert [run_async(ask()), run_async(ask())] == ["Fine.", "Fine."]
