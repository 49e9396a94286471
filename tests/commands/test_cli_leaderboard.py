"""`appbench leaderboard`: many generators, and ranks that claim no more than is known."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pytest_appbench.cli import main
from pytest_appbench.reports.results import Record
from pytest_appbench.reports.runfile import RunFile
from pytest_appbench.statistics.standings import Rate, ranks
from recordkit import a_record, a_run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_of(generator: str, passed: int, total: int = 40, judge: str = "probe") -> list[Record]:
    """A run that passes the first tasks; every second one is a game."""
    return [
        a_record(
            "pass" if i < passed else "fail",
            f"t{i}",
            domain="games" if i % 2 else "tools",
            level="hard" if i % 4 == 0 else "easy",
            generator=generator,
            judge=judge,
        )
        for i in range(total)
    ]


def test_entries_whose_intervals_overlap_share_a_rank() -> None:
    rates = [Rate(38, 40), Rate(35, 40), Rate(20, 40), Rate(0, 0), Rate(12, 40)]
    assert ranks(rates) == [1, 1, 3, None, 3]


def test_the_table_names_the_judge_and_sorts_by_pass_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path, "1", run_of("anthropic:a", 20))
    a_run(tmp_path, "2", run_of("openai:b", 38))
    a_run(tmp_path, "3", run_of("openai:b", 38, judge="openai:j"))
    (tmp_path / "notes").mkdir()
    assert main(["leaderboard", "1", "2", "own name=2", "3", "notes"]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("left out: notes: no records here")
    by_probe, by_model = shown.out.split("\n\njudged by openai:j, protocol miniapp")
    assert by_probe.startswith("judged by probe, protocol probe, threshold 0.8\n")
    rows = [line.split() for line in by_probe.splitlines()[2:]]
    assert rows[0][-4:] == ["games", "tools", "easy", "hard"]
    assert [(row[0], row[1]) for row in rows[1:]] == [
        *(("openai:b", "1"), ("own", "name"), ("anthropic:a", "3")),
    ]
    assert "95 % (83-99 %)" in by_probe
    assert "anthropic:a" not in by_model


def put(record: Record, **fields: object) -> Record:
    """The record with other fields in its verdict."""
    assert record.verdict
    return record.model_copy(update={"verdict": record.verdict.model_copy(update=fields)})


def tables(text: str) -> dict[str, list[str]]:
    """Each table's heading, and the generators in it."""
    found = {}
    for block in text.split("judged by ")[1:]:
        lines = block.splitlines()
        found[lines[0]] = [line.split()[0] for line in lines[3:] if " %" in line]
    return found


MODEL = "openai:j, protocol miniapp, threshold 0.8"


@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize("standing_in", ["generator", "builder", "probe"])
def test_apps_that_no_judge_saw_count_in_the_table_of_the_judge_of_their_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], standing_in: str, has_settings: bool
) -> None:
    a_run(tmp_path, "good", run_of("a", 30, judge="openai:j"))
    # As many verdicts by the same protocol: only its own settings tell whose apps these were.
    others = run_of("a", 50, total=60, judge="openai:k" if has_settings else "probe")
    a_run(tmp_path, "others", others)
    unseen = [put(r, judge=standing_in, protocol="miniapp") for r in run_of("bad", 0)]
    a_run(tmp_path, "bad", unseen)
    if has_settings:
        settings = {"judge": ["openai:j"], "protocol": "miniapp", "threshold": 0.8}
        text = RunFile(run="bad", settings=settings).model_dump_json()
        (tmp_path / "bad" / "run.json").write_text(text)
    assert main(["leaderboard", "good", "others", "bad"]) == 0
    found = tables(capsys.readouterr().out)
    assert len(found) == 2
    assert found[MODEL] == ["a", "bad"]


def test_apps_that_no_judge_saw_are_no_second_way_of_their_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = run_of("a", 30, judge="openai:j")
    nobody = put(judged[-1], judge="generator")
    attempts = put(judged[-2], judge="probe + openai:j")
    failed = a_record("error", "t36", generator="a")
    a_run(tmp_path, "1", [*judged[:36], failed, judged[37], attempts, nobody])
    assert main(["leaderboard", "1"]) == 0
    shown = capsys.readouterr().out
    assert tables(shown) == {MODEL: ["a"]}
    assert "39      1" in shown, "the tasks with a verdict, and the error"


def test_the_judge_that_a_run_was_asked_for_has_its_table_where_it_saw_no_app(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(tmp_path, "bad", [put(r, judge="generator", protocol="miniapp") for r in run_of("b", 0)])
    assert main(["leaderboard", "bad"]) == 0
    assert tables(capsys.readouterr().out) == {"nobody": ["b"]}
    settings = {"judge": ["openai:j"], "protocol": "miniapp", "threshold": 0.8}
    (tmp_path / "bad" / "run.json").write_text(
        RunFile(run="bad", settings=settings).model_dump_json()
    )
    assert main(["leaderboard", "bad"]) == 0
    assert tables(capsys.readouterr().out) == {MODEL: ["b"]}


def test_protocols_and_thresholds_of_one_run_have_tables_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = run_of("a", 30, judge="openai:j")
    mixed[0] = put(mixed[0], protocol="blind")
    mixed[1] = put(mixed[1], threshold=0.5)
    a_run(tmp_path, "1", mixed)
    assert main(["leaderboard", "1"]) == 0
    assert tables(capsys.readouterr().out) == {
        MODEL: ["a"],
        "openai:j, protocol blind, threshold 0.8": ["a"],
        "openai:j, protocol miniapp, threshold 0.5": ["a"],
    }


def test_shards_are_one_entry_and_repeats_are_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run_of("a", 30)
    a_run(tmp_path, "shard-1", whole[:25])
    a_run(tmp_path, "shard-2", whole[25:])
    a_run(tmp_path, "later", run_of("a", 36))
    a_run(tmp_path, "other", run_of("b", 10, total=10))
    assert main(["leaderboard", "shard-1", "shard-2", "later", "other"]) == 0
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines() if line[:2] in ("a ", "b ") and "%" in line]
    assert [row[:6] for row in rows] == [
        ["b", "1", "10", "0", "100", "%"],
        ["a", "(later)", "1", "40", "0", "90"],
        ["a", "1", "40", "0", "75", "%"],
    ]
    assert "b lacks 30 of 40 tasks: its rates are over others" in shown


def test_csv_and_page_hold_every_figure_and_obey_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ['=cmd|"/c calc"!A1', "<img src=x onerror=alert(1)>", "@sum", "a\x1b[2J"]
    for number, name in enumerate(names):
        a_run(tmp_path, str(number), run_of(name, 20 + number))
    assert main(["leaderboard", *"0123", "--csv", "out.csv", "--html", "out.html"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 4 * 5, "all, two domains and two levels"
    assert {row["generator"] for row in rows} == {
        "'" + names[0],
        names[1],
        "'" + names[2],
        names[3],
    }
    (one,) = (r for r in rows if r["generator"] == "'@sum" and r["by"] == "all")
    assert (one["passed"], one["judged"], one["rate"], one["rank"]) == ("22", "40", "0.55", "1")
    assert float(one["low"]) < 0.55 < float(one["high"])
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<h2>Judged by probe, protocol probe, threshold 0.8</h2>" in page
