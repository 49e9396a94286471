"""Whoever waits for a model serves the pages meanwhile, and wakes with the answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import anyio
import pytest
from playwright.sync_api import Page, Route

from browserkit import Visit
from pytest_appbench.models.portal import Portal
from pytest_appbench.waiting import serving


@pytest.fixture
def portal() -> Iterator[Portal]:
    made = Portal()
    yield made
    made.close()


@pytest.fixture
def page(visit: Visit) -> Page:
    """A page of ours, not of pytest-playwright: its browser may be missing here."""
    return visit("<p>waiting</p>").page


def test_routes_and_dialogs_are_served_until_the_answer_comes(page: Page, portal: Portal) -> None:
    served = anyio.Event()

    async def answered() -> str:
        await served.wait()
        return "after the request was served"

    def serve(route: Route) -> None:
        route.fulfill(body="ok")
        portal.call(set_it)

    async def set_it() -> None:
        served.set()

    page.route("**/late", serve)
    page.evaluate("() => { setTimeout(() => fetch('/late'), 50) }")
    future = portal.submit(answered)
    while not future.done():
        serving(page)([future])
    assert future.result() == "after the request was served"


def test_the_first_of_several_answers_is_enough(page: Page, portal: Portal) -> None:
    async def soon() -> str:
        return "soon"

    never = portal.submit(anyio.sleep_forever)
    first = portal.submit(soon)
    serving(page)([never, first])
    assert first.result() == "soon"
    assert not never.done()
    never.cancel()


def test_an_answer_that_is_an_error_is_left_to_who_asked(page: Page, portal: Portal) -> None:
    async def broken() -> None:
        raise LookupError("no answer")

    future = portal.submit(broken)
    while not future.done():
        serving(page)([future])
    with pytest.raises(LookupError, match="no answer"):
        future.result()


def test_waiting_goes_on_over_a_page_that_was_closed(page: Page, portal: Portal) -> None:
    release = threading.Event()

    async def answered() -> str:
        await anyio.to_thread.run_sync(release.wait)
        return "still"

    until = serving(page)
    page.close()
    future = portal.submit(answered)
    release.set()
    while not future.done():
        until([future])
    assert future.result() == "still"
