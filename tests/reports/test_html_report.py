"""The report as a reader meets it, in a real browser: figures, list, keys, pages, pictures, print."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from pytest_appbench.browser.launch import BrowserKeeper
from pytest_appbench.errors import RecordsError, ReportError
from pytest_appbench.judges.verdict import CheckResult, Citation, Finding, Reason, Scores, Usage
from pytest_appbench.models.chat import Tokens
from pytest_appbench.models.limits import Ledger
from pytest_appbench.reports.html import write
from pytest_appbench.reports.panels import Panel, put
from pytest_appbench.reports.results import Record
from pytest_appbench.reports.runfile import RunFile, begin
from reportkit import Reader, action, record, synthetic_run, turn, unpacked, write_run

SECRET = "const THE_SOURCE_OF_THE_APP = 1"
MODEL = "anthropic:claude-opus-4-8"
SEEN = Citation(source="step", where="step 2", quote="0 became 1")
READ = Citation(source="file", where="index.html", quote="<title>Counter</title>")
FOUND = Citation(source="probe", where="dead-control", quote="nothing changed")
TRAJECTORY = [
    turn(0, "I shall press it.", code="await app.click('e1')", sent=SECRET),
    action(1, "look", "page", "# Counter; e1 button"),
    action(2, "click", "button e1", "0 became 1; console error: it broke"),
    action(3, "screenshot", "window", "1280x720.png"),
    action(4, "press", "Enter", "no visible change"),
    {
        **action(5, "advance", "500 ms", "the ball moved"),
        "at": 500.0,
        "picture": "steps/0005.png",
        "frames": [
            {"at": 125.0, "file": "steps/0005-1.png"},
            {"at": 250.0, "file": "steps/gone.png"},
        ],
    },
]


def records() -> list[Record]:
    """A pass, two fails, an uncertain and an error, by two judges."""
    failing = CheckResult(
        name="check_dynamic_counts",
        dimension="dynamic",
        outcome="failed",
        claim="It counts.",
        message="three presses do not make 3",
        where="checks/dead.py:9",
    )
    return [
        record("good", domain="tools", level="easy", query="A counter with a button."),
        record(
            "dead",
            domain="tools",
            level="mid",
            outcome="fail",
            checks=(failing,),
            scores=Scores(intention=1.0, static=1.0, dynamic=0.4),
            reasons=(
                Reason(
                    dimension="dynamic",
                    text="it does not count",
                    evidence=(
                        Citation(source="probe", where="check_dynamic_counts", quote="It counts."),
                    ),
                ),
            ),
        ),
        record(
            "model",
            domain="games",
            level="hard",
            outcome="fail",
            judge=MODEL,
            protocol="miniapp",
            scores=Scores(intention=0.9, static=0.7, dynamic=0.95),
            reasons=(
                Reason(dimension="intention", text="it is a counter", evidence=(READ,)),
                Reason(dimension="dynamic", text="a press counts", evidence=(SEEN,)),
                Reason(dimension="static", text="a control is dead", evidence=(FOUND,)),
            ),
            findings=(Finding(kind="dead-control", severity="suspicion", text="e2 is dead"),),
            usage=Usage(turns=1, actions=2, tokens_in=1234, tokens_out=56, cost_usd=0.02),
            generation=Usage(turns=1, tokens_in=100, tokens_out=900, cost_usd=0.03),
            seconds=65.0,
            evidence="tasks/bench/model/1/1",
        ),
        record("coin", domain="games", outcome="uncertain", reasons=(Reason(text="on its edge"),)),
        record("lost", domain="games", outcome="error", error="the worker died\nfor good"),
    ]


@pytest.fixture
def reader(keeper: BrowserKeeper) -> Iterator[Reader]:
    """A reader who fails the test when the page did anything but be read."""
    reader = Reader.start(keeper.get(), viewport={"width": 1280, "height": 800})
    yield reader
    reader.page.context.close()
    assert reader.done == []


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run."""
    root = tmp_path_factory.mktemp("runs")
    return write_run(root, records(), {"tasks/bench/model/1/1": TRAJECTORY})


@pytest.fixture(scope="module")
def report(run: Path) -> Path:
    """Its report, pictures taken in."""
    return write(run.parent / "report.html", run, screenshots="embed")


def ids(page: Page) -> list[str]:
    """The tasks in the list, in order."""
    return page.locator("#list tbody th a").all_text_contents()


def test_the_overview_gives_rates_with_intervals_and_names_the_judges(
    report: Path, reader: Reader
) -> None:
    page = reader.open(report)
    expect(page.get_by_role("heading", level=1)).to_have_text("25 % of 4 judged tasks pass")
    summary = page.locator(".opening").inner_text()
    assert "95 % interval 5 % to 70 %." in summary  # Wilson: 1 of 4
    assert "1 pass, 2 fail, 1 uncertain; 1 not judged for an error of the harness." in summary
    assert f"Judged by {MODEL}, probe; apps from reference:good." in summary
    assert re.sub(r"\s+", " ", page.locator(".facts").inner_text()) == (
        "Coverage 80 % 4 of 5 have a verdict Judging time 1 min 5 s 2 actions, summed over tasks "
        "Tokens 2,290 1,290 judging, 1,000 building Cost $0.0500 judging and building"
    )
    domains = page.get_by_role("group", name="By domain").get_by_role("row").all_inner_texts()
    assert [re.split(r"\s+", row.strip())[:4] for row in domains[1:]] == [
        ["games", "0", "2", "0"],
        ["tools", "1", "2", "50"],
    ]
    assert "9–91" in domains[2]  # Wilson: 1 of 2
    levels = page.get_by_role("group", name="By level").get_by_role("rowheader")
    assert levels.all_text_contents() == ["easy", "mid", "hard", "-"]
    assert page.locator("#spread ~ .eyebrow").all_text_contents() == [
        f"given by {MODEL}, threshold 0.8",
        "given by probe, threshold 0.8",
    ]


def test_the_list_shows_failures_first_each_beside_its_judge(report: Path, reader: Reader) -> None:
    page = reader.open(report)
    assert ids(page) == ["dead", "model", "coin", "lost", "good"]
    row = page.get_by_role("row", name="fail dead tools")
    assert row.get_by_role("cell").all_text_contents()[:5] == [
        "fail",
        "1.00",
        "1.00",
        "0.40",
        "probe",
    ]
    expect(row).to_contain_text("dynamic: three presses do not make 3")
    page.get_by_role("button", name="static").click()
    assert ids(page) == ["model", "coin", "dead", "good", "lost"]
    page.get_by_role("button", name="static").click()
    assert ids(page)[-2:] == ["model", "lost"], "what has no score stays last"
    expect(page.locator("#list [data-id=static]")).to_have_attribute("aria-sort", "descending")
    page.reload()
    assert ids(page)[-2:] == ["model", "lost"], "the address keeps the order"


def test_a_report_is_read_by_keyboard(report: Path, reader: Reader) -> None:
    page = reader.open(report)
    page.keyboard.press("/")
    page.keyboard.type("domain:games judge:anthropic")
    assert ids(page) == ["model"]
    expect(page.locator("#found")).to_have_text("1 of 5 tasks")
    page.keyboard.press("Escape")
    assert len(ids(page)) == 5
    page.keyboard.press("Escape")
    for key in ("j", "j", "j", "k"):
        page.keyboard.press(key)
    expect(page.get_by_role("link", name="model")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("model")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator(".stage .now")).to_have_text("Turn 1")
    page.keyboard.press("l")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage .now")).to_have_text("Step 2: click button e1")
    page.keyboard.press("h")
    expect(page.locator(".stage .now")).to_have_text("Step 1: look page")
    page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_have_text("coin")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="coin")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_each_reason_leads_to_what_it_cites(report: Path, reader: Reader) -> None:
    page = reader.open(report)
    page.get_by_role("link", name="model").click()
    expect(page.locator(".verdict")).to_have_text(f"fail, by {MODEL}threshold 0.8")
    page.get_by_role("link", name="step 2").click()
    expect(page.locator(".stage .now")).to_have_text("Step 2: click button e1")
    page.get_by_role("link", name="file index.html").click()
    expect(page.locator(".marked")).to_have_text("fileindex.html<title>Counter</title>")
    page.get_by_role("link", name="dead-control").click()
    expect(page.locator(".marked")).to_contain_text("e2 is dead")
    page.keyboard.press("k")
    expect(page.get_by_role("heading", level=1)).to_have_text("dead")
    page.get_by_role("link", name="dynamic counts").click()
    expect(page.locator(".marked")).to_contain_text("three presses do not make 3")
    expect(page.locator(".marked")).to_contain_text("checks/dead.py:9")


def test_the_player_shows_what_was_done_changed_said_and_paid(report: Path, reader: Reader) -> None:
    node = "bench%2Ftools.task.yaml%3A%3Amodel%5Bchromium%5D"
    page = reader.open(report, f"#task={node}&step=t1")
    stage = page.locator(".stage")
    expect(stage).to_contain_text("I shall press it.")
    expect(stage).to_contain_text("await app.click('e1')")
    expect(stage).to_contain_text("1,234 in (7 of them cached), 56 out")
    page.goto(f"{report.as_uri()}#task={node}&step=2")
    expect(stage.locator("h3")).to_have_text(["What changed", "What the page said"])
    expect(stage.locator("pre")).to_have_text("console error: it broke")
    for step, words in (("3", ""), ("4", "as it was after step 3")):
        page.goto(f"{report.as_uri()}#task={node}&step={step}")
        expect(stage).to_contain_text(words)
        expect(stage.locator("img")).to_have_js_property("naturalWidth", 1)
    page.goto(f"{report.as_uri()}#task={node}&step=5")
    expect(stage.get_by_alt_text("Step 5, frame 1")).to_have_js_property("naturalWidth", 1)
    expect(stage.get_by_alt_text("The app after step 5")).to_have_js_property("naturalWidth", 1)
    assert stage.locator("img").count() == 2, "what is not there any more is left out"


def test_what_a_run_paid_is_told_apart_from_what_its_verdicts_took(
    tmp_path: Path, reader: Reader
) -> None:
    place = write_run(tmp_path / "runs", records())
    begin(place, RunFile(run=place.name, plugin="1", settings={}))
    Ledger(place / "ledger").charge("model", Tokens(input=10_000), 0.5)  # an error's, too
    page = reader.open(write(tmp_path / "report.html", place))
    facts = re.sub(r"\s+", " ", page.locator(".facts").inner_text())
    assert "Tokens 10,000 in this run; what is on record took 2,290" in facts
    assert "Cost $0.5000 in this run; what is on record took $0.0500" in facts


def test_no_source_of_an_app_is_in_the_report(report: Path) -> None:
    details = json.dumps(unpacked(report))
    assert "I shall press it." in details
    assert "THE_SOURCE_OF_THE_APP" not in details + report.read_text(encoding="utf-8")


def test_linked_pictures_are_shown_while_they_are_there(run: Path, reader: Reader) -> None:
    linked = write(run.parent / "out" / "a report.html", run)
    node = "#task=bench%2Ftools.task.yaml%3A%3Amodel%5Bchromium%5D&step=4"
    page = reader.open(linked, node)
    expect(page.locator(".stage img")).to_have_js_property("naturalWidth", 1)
    assert {one.partition(" file:")[0] for one in reader.done} == {"request"}
    moved = run.parent / "elsewhere" / "below" / "report.html"
    moved.parent.mkdir(parents=True)
    shutil.copy(linked, moved)
    reader.open(moved, node)
    expect(page.locator(".stage")).to_contain_text("is not beside the report any more")
    reader.done.clear()  # what was asked for are files beside the report


def violations(page: Page) -> list[str]:
    """What axe finds on the page."""
    page.evaluate(AXE_SCRIPT)
    found: Any = page.evaluate("async () => (await axe.run()).violations")
    return [f"{one['id']}: {one['nodes'][0]['target']} {one['help']}" for one in found]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_every_page_is_accessible_and_fits(
    report: Path, run: Path, keeper: BrowserKeeper, scheme: Any, width: int
) -> None:
    pair = write(run.parent / "pair.html", run, against=run)
    size: Any = {"width": width, "height": 844}
    reader = Reader.start(keeper.get(), viewport=size, color_scheme=scheme)
    page = reader.page
    node = "#task=bench%2Ftools.task.yaml%3A%3A"
    places = (
        (report, ""),
        (pair, ""),
        (report, f"{node}model%5Bchromium%5D&step=2"),
        (pair, f"{node}dead%5Bchromium%5D"),
    )
    for file, place in places:
        page.goto("about:blank")
        reader.open(file, place)
        expect(page.locator("#task h1" if place else "#found")).not_to_be_empty()
        assert violations(page) == [], (file.name, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
    page.context.close()


def test_two_thousand_attempts_are_listed_as_one_scrolls(tmp_path: Path, reader: Reader) -> None:
    many = [record(f"t{n:04}", outcome=("pass", "fail")[n % 2]) for n in range(2_000)]
    page = reader.open(write(tmp_path / "report.html", write_run(tmp_path / "runs", many)))
    expect(page.locator("#found")).to_have_text("2,000 tasks")
    rows = page.locator("#list tbody tr")
    drawn = rows.count()
    assert drawn <= 200
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(rows.nth(drawn + 1)).to_be_attached()
    page.fill("#q", "t1234")
    expect(rows).to_have_count(1)
    page.fill("#q", "")
    page.get_by_role("button", name="fail").click()
    expect(page.locator("#found")).to_have_text("1,000 of 2,000 tasks")
    page.pdf()
    expect(rows).to_have_count(1_000)


def test_two_runs_stand_side_by_side(run: Path, reader: Reader, tmp_path: Path) -> None:
    before = [
        record("good", run="before", outcome="fail", judge="openai:gpt-4.1"),
        record("dead", run="before", outcome="fail"),
        record("gone", run="before"),
    ]
    other = write_run(tmp_path / "runs", before)
    page = reader.open(write(tmp_path / "report.html", run, against=other))
    expect(page.get_by_label("This run", exact=True)).to_contain_text("25 % of 4 judged")
    expect(page.get_by_label("The run it is compared with")).to_contain_text("33 % of 3 judged")
    expect(page.locator("#moved + p")).to_contain_text(
        "2 tasks are in both runs; 3 only in this one; 1 only in the other."
    )
    page.get_by_role("button", name="changed").click()
    assert ids(page) == ["good"]
    row = page.get_by_role("row").filter(has_text="good")
    expect(row).to_contain_text("was fail, by openai:gpt-4.1")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".pair .verdict")).to_have_text(
        ["pass, by probethreshold 0.8", "fail, by openai:gpt-4.1threshold 0.8"]
    )


def test_attempts_and_votes_have_pages_of_their_own(tmp_path: Path, reader: Reader) -> None:
    whole = record("x", outcome="fail", attempt=0, vote=0, judge="probe + openai:m", artifact=None)
    votes = [
        record("x", outcome=o, attempt=a, vote=v, part=True, judge=j)
        for a, v, o, j in ((1, 1, "pass", "probe"), (1, 2, "fail", "openai:m"), (2, 1, "fail", "probe"))
    ]  # fmt: skip
    page = reader.open(
        write(tmp_path / "report.html", write_run(tmp_path / "runs", [whole, *votes]))
    )
    assert ids(page) == ["x"]
    page.get_by_role("link", name="x", exact=True).click()
    tabs = page.get_by_role("navigation", name="Attempts and judges").get_by_role("link")
    expect(tabs).to_have_text(
        [
            "all together (probe + openai:m): fail",
            "attempt 1 · judge 1 (probe): pass",
            "attempt 1 · judge 2 (openai:m): fail",
            "attempt 2 · judge 1 (probe): fail",
        ]
    )
    tabs.nth(2).click()
    expect(page.locator(".verdict")).to_contain_text("fail, by openai:m")


def test_what_others_put_into_a_run_is_shown(tmp_path: Path, reader: Reader) -> None:
    run = write_run(tmp_path / "runs", records())
    hostile = "<img src=x onerror=alert(1)>"
    put(
        run,
        "gates",
        Panel(
            title="Gates",
            lines=("One of two holds.",),
            head=("gate", "came to"),
            rows=(("pass_rate >= 0.6", hostile),),
        ),
    )
    page = reader.open(write(tmp_path / "report.html", run))
    expect(page.get_by_role("heading", name="Gates")).to_be_visible()
    expect(page.get_by_role("cell", name=hostile)).to_be_visible()
    (run / "panels" / "gates.json").write_text("{}")
    with pytest.raises(RecordsError, match=r"gates\.json: this is no panel"):
        write(tmp_path / "report.html", run)


@pytest.mark.parametrize("place", ["file.txt/report.html", "folder"])
def test_a_report_that_cannot_be_written_says_where(run: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReportError, match=re.escape(place)):
        write(tmp_path / place, run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.txt", "folder"]


def test_a_run_without_records_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="no records here"):
        write(tmp_path / "report.html", tmp_path)


def test_many_attempts_with_long_records_stay_small(tmp_path: Path) -> None:
    report = write(tmp_path / "report.html", synthetic_run(tmp_path / "runs", 50))
    assert report.stat().st_size < 50 / 500 * 15e6
