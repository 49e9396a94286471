"""What is left of a session with a browser that is not Chromium, tried out on Chromium."""

from __future__ import annotations

import pytest

from browserkit import Visit, eventually
from pytest_appbench.browser import guard
from pytest_appbench.browser.errors import NotSupported, PageGone, PageUnresponsive


@pytest.fixture(autouse=True)
def other_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts are taken for Firefox's."""
    monkeypatch.setattr(guard, "engine_of", lambda context: "firefox")


def test_page_can_be_opened_used_and_read(visit: Visit) -> None:
    session = visit(
        "<button style='position:fixed;left:0;top:0;width:200px;height:200px' "
        "onclick=\"alert('Hello'); console.log('said'); missing()\">0</button>"
    )
    session.click(50, 50)
    session.settle(200)
    eventually(session, lambda: len(session.events.exceptions) == 1)
    assert [line.text for line in session.events.console] == ["said"]
    assert session.evaluate("(x) => document.querySelector('button').textContent + x", 1) == "01"


def test_requests_to_other_sites_are_stopped_by_routing(visit: Visit) -> None:
    session = visit(
        "<script>fetch('http://else.test/').catch(() => 0); fetch('own').then((r) => r.text())"
        ".then((text) => { document.title = text; })</script>",
        {"own": "own"},
    )
    eventually(session, lambda: session.page.title() == "own")
    eventually(session, lambda: bool(session.events.attempted))
    assert session.events.attempted[0].url == "http://else.test/"


def test_what_needs_devtools_says_so(visit: Visit) -> None:
    session = visit("")
    with pytest.raises(NotSupported, match="only Chromium"):
        _ = session.cdp
    with pytest.raises(NotSupported, match="needs Chromium"):
        visit.attach(clock=True)


def test_hung_page_is_closed(visit: Visit) -> None:
    session = visit("")
    with pytest.raises(PageUnresponsive, match=r"it was closed|its browser was ended"):
        session.evaluate("() => { while (true); }", timeout=0.5)
    with pytest.raises(PageGone):
        session.click(1, 1)
    assert visit("<title>fine</title>").evaluate("() => document.title") == "fine"
