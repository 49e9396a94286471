"""Whether an app comes up: what nobody could use fails, what only comes late or loudly does not."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browserkit import Sites
from judgekit import Judgings
from pytest_appbench.browser.errors import PageNavigated
from pytest_appbench.browser.session import Session
from pytest_appbench.judges.probe import health, judge
from pytest_appbench.judges.probe.health import check_health, photograph
from pytest_appbench.judges.verdict import Finding, Scores

TEXT = "<h1>Hello</h1>"
THROWS = "<script>nothing.there()</script>"


def failure(judging: Judgings, html: str, url: str | None = None) -> Finding | None:
    sample = judging(html, url=url)
    with sample.sessions.open() as session:
        return check_health(session, sample).failure


def remarks(judging: Judgings, html: str) -> list[Finding]:
    sample = judging(html)
    with sample.sessions.open() as session:
        health = check_health(session, sample)
        assert health.failure is None
        return health.findings + photograph(session, sample)


@pytest.mark.parametrize(
    ("html", "kind", "said"),
    [
        ("", "blank", "stays blank"),
        ("<main><p hidden>x</p></main><div style='height:9px'></div>", "blank", "stays blank"),
        ("<canvas></canvas>", "blank", "stays blank"),
        (THROWS, "blank", "ReferenceError: nothing is not defined"),
        ("<body style='opacity:0'><h1>Hello</h1>", "blank", "stays blank"),
        ("<script>while (true);</script>" + TEXT, "hang", "did not answer"),
        (TEXT + "<script>setTimeout(() => { while (true); })</script>", "hang", "did not answer"),
        (TEXT + "<script>while (true) alert('Hi')</script>", "dialog-flood", '"Hi"'),
        (
            TEXT + "<script>for (let i = 0; i < 99; i++) confirm('Hi')</script>",
            "dialog-flood",
            "Hi",
        ),
        (
            TEXT + "<script>for (let i = 0; i < 2e5; i++) console.log('line', i)</script>",
            "console-flood",
            '"line 0"',
        ),
        (
            # a slow machine does not even get an answer in time
            "<main id=m></main><script>m.innerHTML = '<i></i>'.repeat(250000)</script>",
            "element-flood or hang",
            "the page",
        ),
    ],
)
def test_an_app_that_nobody_could_use_fails(
    judging: Judgings, html: str, kind: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_appbench.judges.probe.health.SHOW_SECONDS", 2.0)
    found = failure(judging, html)
    assert found is not None
    assert found.kind in kind.split(" or ")
    assert found.severity == "fault"
    assert said in found.text


@pytest.mark.parametrize(
    "html",
    [
        TEXT,
        TEXT + THROWS,
        "<script>setTimeout(() => document.body.append('late'), 2500)</script>",
        "<button aria-label=Go></button>",
        "<input aria-label=Name>",
        '<img alt=\'\' src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9"'
        ' height="9"><rect width="9" height="9"/></svg>\'>',
        "<canvas id=c></canvas><script>c.getContext('2d').fillRect(9, 9, 9, 9)</script>",
        "<svg width=99 height=99><circle r=9 cx=9 cy=9></svg>",
        "<div style='height:99px;width:99px;background:red'></div>",
        "<iframe srcdoc='<p>text</p>'></iframe>",
        "<script>alert('Welcome')</script>" + TEXT,
        "<script>if (!location.search) location.replace('?here')</script>" + TEXT,
        "<script>for (let i = 0; i < 50; i++) console.log(i)</script>" + TEXT,
        "<main></main><script>for (let i = 0; i < 9000; i++) document.querySelector('main').append("
        "Object.assign(document.createElement('i'), {textContent: i}))</script>",
    ],
)
def test_an_app_that_shows_something_is_healthy(judging: Judgings, html: str) -> None:
    assert failure(judging, f"<!doctype html><body>{html}") is None


def test_an_app_that_is_not_there_fails(judging: Judgings, sites: Sites) -> None:
    missing = f"http://nowhere.app.localhost:{sites.port}/"
    found = failure(judging, "", missing)
    assert found is not None
    assert found.kind == "not-opened"
    assert found.text.startswith("the server answers")


def test_an_app_that_cannot_be_reached_fails(judging: Judgings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = failure(judging, "", f"http://127.0.0.1:{unused.getsockname()[1]}/")
    assert found is not None
    assert found.text.startswith("the page cannot be opened: net::ERR_")


def test_nothing_else_is_judged_of_an_app_that_fails_to_load(
    judging: Judgings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_static_never_runs(page: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr("pytest_appbench.judges.probe.health.SHOW_SECONDS", 1.0)
    verdict = judge(judging(THROWS, check_static_never_runs))
    assert (verdict.status, verdict.cause) == ("fail", "load")
    assert verdict.scores == Scores(intention=0.0, static=0.0, dynamic=0.0)
    assert verdict.checks == ()
    assert {reason.dimension for reason in verdict.reasons} == {"intention", "static", "dynamic"}
    for reason in verdict.reasons:
        assert reason.evidence[0].quote in verdict.findings[0].text


@pytest.mark.parametrize(("moves", "kind"), [(1, None), (99, "reload-loop")])
def test_an_app_that_moves_on_while_it_is_looked_at_is_looked_at_again(
    judging: Judgings, monkeypatch: pytest.MonkeyPatch, moves: int, kind: str | None
) -> None:
    left, look = moves, health._remarks

    def moving(session: Session) -> list[Finding]:
        nonlocal left
        if not left:
            return look(session)
        left -= 1
        session.page.goto(f"{session.url.partition('?')[0]}?{left}")
        raise PageNavigated("the page loaded another document meanwhile")

    monkeypatch.setattr(health, "_remarks", moving)
    found = failure(judging, TEXT)
    assert (found and found.kind) == kind


def test_exceptions_of_a_page_that_shows_are_remarks(judging: Judgings) -> None:
    (found,) = remarks(judging, TEXT + THROWS)
    assert (found.kind, found.severity) == ("uncaught-exception", "suspicion")
    assert "nothing is not defined" in found.text


@pytest.mark.parametrize(
    "script",
    [
        "new ResizeObserver(() => { document.body.style.width = Math.random() * 99 + 'px' })"
        ".observe(document.body)",
        "fetch('https://api.example.org/data')",
        "console.error('my own words')",
    ],
)
def test_what_is_not_the_apps_fault_is_no_remark(judging: Judgings, script: str) -> None:
    assert not remarks(judging, f"{TEXT}<script>{script}</script>")


def test_missing_files_are_remarks(judging: Judgings) -> None:
    (found,) = remarks(judging, TEXT + "<script src=logic.js></script><img alt='' src=cat.png>")
    assert found.kind == "missing-file"
    assert "/logic.js" in found.text
    assert "/cat.png" in found.text


def test_a_page_wider_than_a_phone_is_a_suspicion(judging: Judgings) -> None:
    (found,) = remarks(
        judging, "<h1>Hello</h1><table id=wide style='width:600px'><tr><td>x</table>"
    )
    assert found.kind == "overflow"
    assert "at 390 pixels" in found.text
    assert "<table#wide>" in found.text


def test_screenshots_of_each_window_size_are_kept(judging: Judgings, tmp_path: Path) -> None:
    remarks(judging, TEXT)
    pictures = sorted(path.name for path in (tmp_path / "evidence").iterdir())
    assert pictures == ["1280x720.jpg", "390x844.jpg"]
    assert (tmp_path / "evidence/390x844.jpg").read_bytes()[:3] == b"\xff\xd8\xff"


def test_an_app_that_hangs_in_one_window_is_used_in_the_other_and_has_a_fault(
    judging: Judgings,
) -> None:
    def check_dynamic_shows_a_heading(page: Page) -> None:
        expect(page.get_by_role("heading")).to_be_visible()

    phone = "<script>onresize = () => { while (innerWidth < 500); }</script>"
    verdict = judge(judging(TEXT + phone, check_dynamic_shows_a_heading))
    assert (verdict.status, verdict.cause) == ("fail", None)
    assert [check.outcome for check in verdict.checks] == ["passed"]
    assert verdict.scores.dynamic == 0.4
    (found,) = [finding for finding in verdict.findings if finding.severity == "fault"]
    assert found.text.startswith("in a window of 390 x 844, before anybody uses it, the page did")
