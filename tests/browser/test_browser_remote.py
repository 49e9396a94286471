"""A session with a browser whose processes are not ours, from hang to last resort."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import psutil
import pytest
from playwright.sync_api import Playwright

from browserkit import Sites, Visit, eventually
from kit import end_tree
from pytest_appbench.browser import listen
from pytest_appbench.browser.errors import PageLost, PageOverloaded, PageUnresponsive
from pytest_appbench.browser.launch import HOST_RULES, BrowserKeeper, find_chromium, guard_arguments
from pytest_appbench.browser.remote import connect, parse_endpoint
from pytest_appbench.browser.routing import Confinement
from pytest_appbench.browser.watchdog import Watchdog


@pytest.fixture(scope="module")
def process(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> Iterator[psutil.Popen]:
    """A Playwright server, below this process, whose browser has the guard's own arguments.

    The browser is as like to one of ours as can be, so that it would be ended if any were.
    """
    config = tmp_path_factory.mktemp("server") / "server.json"
    own = {"executablePath": find_chromium().executable, "args": guard_arguments(sites.port)}
    config.write_text(json.dumps(own), encoding="utf-8")
    driver = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium"]
    with psutil.Popen(
        [*driver, "--config", str(config)], stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        end_tree(process)


@pytest.fixture(scope="module")
def remote_keeper(
    playwright: Playwright, process: psutil.Popen, sites: Sites
) -> Iterator[BrowserKeeper]:
    """Gives that browser as a remote one."""
    endpoint = parse_endpoint(process.stdout.readline().strip())
    start = partial(connect, playwright.chromium, endpoint, {}, {})
    keeper = BrowserKeeper(start, Confinement("routing", is_remote=True, port=sites.port))
    yield keeper
    keeper.close()


@pytest.fixture
def remote_visit(remote_keeper: BrowserKeeper, sites: Sites) -> Iterator[Visit]:
    """Opens a page with given text in the remote browser."""
    dog = Watchdog(remote_keeper.end, blames=False)
    visit = Visit(remote_keeper, sites, dog)
    yield visit
    visit.close()
    dog.stop()


def is_main(process: psutil.Process) -> bool:
    """Whether this is the process by which a watchdog ends a browser of ours."""
    with suppress(psutil.Error):
        arguments = process.cmdline()
        is_guarded = any(one.startswith(HOST_RULES) for one in arguments)
        return is_guarded and not any(one.startswith("--type=") for one in arguments)
    return False


def test_a_page_that_hangs_loses_its_script_and_no_process_of_this_machine(
    remote_visit: Visit, process: psutil.Popen
) -> None:
    session = remote_visit("<title>fine</title>")
    assert session.renderer is None
    renderers = {child.pid for child in process.children(recursive=True)}
    with pytest.raises(PageUnresponsive, match="its script was ended"):
        session.evaluate("() => { while (true); }", timeout=0.5)
    assert session.evaluate("() => document.title") == "fine"
    assert renderers == {child.pid for child in process.children(recursive=True)}


def test_a_page_that_floods_is_ended_by_the_protocol(
    remote_visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listen, "MOST_PER_SECOND", 5)
    session = remote_visit("")
    with pytest.raises(PageLost):
        session.evaluate(
            "async () => { for (;;) await fetch('http://else.test/').catch(() => 0); }"
        )
    eventually(session, lambda: session.events.crashed)
    with pytest.raises(PageOverloaded, match="more than"):
        session.click(1, 1)
    assert remote_visit("<title>next</title>").page.title() == "next"


def test_a_browser_out_of_reach_is_let_go_blames_no_app_and_is_asked_again(
    remote_visit: Visit, process: psutil.Popen
) -> None:
    session = remote_visit("<title>fine</title>")
    is_spent = remote_visit.watchdog.from_now()
    # The server is stopped, so that nothing answers; renderers come and go.
    all_of_it = [process, *process.children(recursive=False)]
    for one in all_of_it:
        one.send_signal(signal.SIGSTOP)
    try:
        # As if ending its renderer had not helped.
        bounded = remote_visit.watchdog.bounded(0.2)
        with pytest.raises(PageUnresponsive, match="its browser was ended"), bounded:
            session.page.evaluate("() => 1")
    finally:
        for one in all_of_it:
            one.send_signal(signal.SIGCONT)
    assert session.page.context.browser is not remote_visit.keeper.get()
    assert not is_spent()
    assert all(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in all_of_it)
    assert any(is_main(one) for one in process.children(recursive=True)), "the browser was ended"
    assert remote_visit("<title>again</title>").page.title() == "again"
