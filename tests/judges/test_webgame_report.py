"""What holds of a report on a game: the record, and not the judge's word, bears it out."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.model import lower
from pytest_appbench.judges.protocols import resolve
from pytest_appbench.judges.protocols.webgame import summary
from pytest_appbench.judges.protocols.webgame.report import CORE, Report, Settled, settle
from pytest_appbench.judges.seats import BAND
from pytest_appbench.judges.verdict import Scores, Verdict
from pytest_appbench.judges.votes import combine
from pytest_appbench.tasks.specification import SECTIONS, parse

POINTS = """\
- B1 entry (Start): Start begins the game.
- S1 topology (board): The board has nine cells.
- S2 spatial mapping (board): A click marks the cell that was clicked.
- T2 terminal condition: Three in a row end the game.
"""
SPECIFICATION = parse(
    "# Game\n\n- Family: Puzzle/Matching\n- S: S1\n- L: L3\n\n"
    + "".join(f"## {name}\n\nWords.\n\n" for name in SECTIONS[:-1])
    + f"## {SECTIONS[-1]}\n\n{POINTS}"
)
LOOK, CLICK, BUILD, LOOK_AFTER, CLICK_AFTER = 1, 2, 5, 6, 7
OTHER_CLICK = BAND + 3


def records() -> Records:
    """A session that looked, clicked, built a state, looked and clicked, and another one."""
    made = Records(frozenset({"step"}))
    for number, is_action in {
        LOOK: False,
        CLICK: True,
        BUILD: False,
        LOOK_AFTER: False,
        CLICK_AFTER: True,
        OTHER_CLICK: True,
    }.items():
        made.add("step", str(number), f"seen in step {number}", is_action=is_action)
    return made


def cite(*numbers: int) -> list[dict[str, str]]:
    return [{"source": "step", "where": str(n), "quote": f"seen in step {n}"} for n in numbers]


def report(**changes: Any) -> dict[str, Any]:
    """A report on a game without a flaw; changes by the name of a check or point, or of a part."""
    passed = {"result": "pass", "observed": "It did.", "evidence": cite(CLICK)}
    places = {"aimed_at": "cell 2", "took_effect_at": "cell 2"}
    own: dict[str, dict[str, Any]] = {"P2": {"evidence": cite(LOOK)}, "P3": {**places}}
    names = [*CORE, "P1", "P2", "P3", "P4"]
    items = {n: {**passed, **own.get(n, {}), **changes.pop(n, {})} for n in names}
    return {
        "label": "EXCELLENT",
        "summary": "It plays well.",
        "core": [{"name": name, **items[name]} for name in CORE],
        "acceptance": [{"point": name, **items[name]} for name in names[len(CORE) :]],
        **changes,
    }


def settled(**changes: Any) -> Settled:
    given = Report.model_validate(report(**changes))
    return settle(given, SPECIFICATION, records(), [BUILD])


def result(found: Settled, name: str) -> str:
    return next(item.result for item in found.items if item.name == name)


def test_a_flawless_report_stands_as_it_is() -> None:
    found = settled()
    assert (found.label, found.problems, found.remarks) == ("EXCELLENT", (), ())
    assert (found.share("S"), found.share("BT")) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"rules": {"result": "fail"}, "label": "UNUSABLE"}, "UNUSABLE"),
        ({"rules": {"result": "fail"}, "label": "USABLE"}, None),
        ({"label": "UNUSABLE"}, None),
        ({"ending": {"result": "unverified"}, "label": "USABLE"}, None),
        ({"ending": {"result": "unverified"}, "label": "UNUSABLE"}, None),
        ({"P4": {"result": "fail"}, "label": "USABLE"}, "USABLE"),
        ({"P4": {"result": "fail"}}, "USABLE"),
        ({"P4": {"result": "unverified"}}, "USABLE"),
        ({"issues": [{"text": "It is ugly", "affects_label": True}]}, "USABLE"),
        ({"issues": [{"text": "It is ugly", "affects_label": False}]}, "EXCELLENT"),
    ],
)
def test_a_label_follows_from_its_report_or_is_none(
    changes: dict[str, Any], label: str | None
) -> None:
    found = settled(**changes)
    assert found.label == label
    said = changes.get("label", "EXCELLENT")
    assert bool(found.problems) is (said != label), (
        "the judge is asked where its label cannot stand"
    )


@pytest.mark.parametrize(
    ("name", "item", "told"),
    [
        ("P1", {"evidence": []}, "no step on record shows it"),
        ("P1", {"evidence": cite(LOOK)}, "no action by real input"),
        ("P1", {"evidence": cite(99)}, "there is no step '99'"),
        ("P4", {"evidence": cite(CLICK_AFTER)}, "no look between"),
        ("P4", {"evidence": cite(LOOK, CLICK_AFTER)}, "no look between"),
        ("P4", {"evidence": cite(BUILD, CLICK_AFTER)}, "no look between"),
    ],
)
@pytest.mark.parametrize("said", ["pass", "fail"])
def test_what_the_record_does_not_bear_out_is_unverified_and_no_failure(
    name: str, item: dict[str, Any], told: str, said: str
) -> None:
    found = settled(**{name: {"result": said, **item}})
    assert result(found, name) == "unverified"
    assert any(told in problem for problem in found.problems), found.problems
    assert found.label == "USABLE"
    (part,) = [one.part() for one in found.items if one.name == name]
    assert part.status == "uncertain"


@pytest.mark.parametrize("place", ["aimed_at", "took_effect_at"])
def test_a_reaction_is_no_proof_that_its_place_is_the_place_aimed_at(place: str) -> None:
    found = settled(P3={place: " "})
    assert result(found, "P3") == "unverified"
    assert "P3: say what was aimed at and where it took effect" in found.problems
    assert result(settled(P3={place: "", "result": "fail"}), "P3") == "fail"


@pytest.mark.parametrize("evidence", [cite(LOOK_AFTER, CLICK_AFTER), cite(OTHER_CLICK)])
def test_a_state_that_was_seen_before_the_last_action_is_sound(evidence: list[Any]) -> None:
    assert result(settled(P4={"evidence": evidence}), "P4") == "pass"


def test_what_is_not_reported_is_asked_for_and_then_unverified() -> None:
    given = report()
    given["acceptance"] = [one for one in given["acceptance"] if one["point"] != "P4"]
    given["acceptance"].append({"point": "P9", "result": "pass", "observed": "It did."})
    given["core"].pop()
    found = settle(Report.model_validate(given), SPECIFICATION, records(), [])
    assert {"restart: report on it", "P4: report on it"} < set(found.problems)
    assert any(problem.startswith("P9: the specification has no") for problem in found.problems)
    assert (result(found, "P4"), found.label) == ("unverified", None)


def test_shares_count_what_is_open_as_not_passed() -> None:
    found = settled(P4={"result": "unverified"}, P3={"result": "fail"})
    assert (found.share("S"), found.share("BT")) == (0.5, 0.5)


def test_points_that_the_specification_does_not_name_are_the_judges_own() -> None:
    plain = parse("# Brick Breaker\n\n- A ball\n\n# Rules\n\nIt bounces.\n")
    assert (plain.title, plain.level, plain.points) == ("Brick Breaker", 0, ())
    given = report()
    own = {"P1": ("B1", "It starts."), "P2": ("S1", "Nine cells."), "P3": ("S2", "It hits.")}
    for one in given["acceptance"]:
        one["kind"], one["text"] = own.get(one["point"], ("", ""))
    found = settle(Report.model_validate(given), plain, records(), [])
    assert (found.label, found.share("S"), found.share("BT")) == ("EXCELLENT", 1.0, 1.0)
    assert found.problems == ("P4: say what must hold, and its kind: B1 to T2",)
    assert found.points[0].part().text == "whole game: It starts."
    given["acceptance"] = []
    found = settle(Report.model_validate(given), plain, records(), [])
    assert (found.label, found.share("S")) == (None, None)
    assert any(problem.startswith("acceptance: derive points") for problem in found.problems)


def verdict(label: str | None, **fields: Any) -> Verdict:
    status = {"EXCELLENT": "pass", "USABLE": "pass", "UNUSABLE": "fail", None: "uncertain"}[label]
    made = {
        "status": status,
        "label": label,
        "judge": "a",
        "protocol": "webgame",
        "threshold": 0.8,
        "counted": (),
        **fields,
    }
    return Verdict.model_validate(made)


E, U, N, X = (verdict(label) for label in ("EXCELLENT", "USABLE", "UNUSABLE", None))


@pytest.mark.parametrize(
    ("members", "rule", "status", "label"),
    [
        ([E, U, N], "majority", "pass", "USABLE"),
        ([E, E, N], "majority", "pass", "EXCELLENT"),
        ([E, N, N], "majority", "fail", "UNUSABLE"),
        ([E, N], "majority", "uncertain", None),
        ([E, X, X], "majority", "uncertain", None),
        ([E, U], "unanimous", "pass", "USABLE"),
        ([E, N], "unanimous", "fail", "UNUSABLE"),
        ([E, N], "any", "pass", "EXCELLENT"),
        ([E, U, N], "min", "fail", "UNUSABLE"),
        ([E, U, N], "mean", "pass", "USABLE"),
        ([E, X], "min", "uncertain", None),
    ],
)
def test_labels_of_several_judges_become_one(
    members: list[Verdict], rule: str, status: str, label: str | None
) -> None:
    together = combine(members, rule, unit="judge")
    assert (together.status, together.label) == (status, label)


def test_the_worse_label_counts_after_a_second_judging() -> None:
    assert lower(E, U).label == "USABLE"
    assert lower(U, E).label == "USABLE"
    assert (lower(E, N).label, lower(E, N).status) == ("UNUSABLE", "fail")
    assert (lower(E, X).label, lower(E, X).status) == (None, "uncertain")
    better = verdict("USABLE", scores=Scores(static=1, dynamic=1), figures={"passed": 9.0})
    assert lower(E, better).figures == {"passed": 9.0}, "label and figures are of one judging"


def test_an_app_that_is_not_there_is_unusable_at_its_level() -> None:
    nothing = resolve("webgame").nothing
    dead = verdict("UNUSABLE", figures={"level": 4.0}, **{k: nothing[k] for k in ("scores",)})
    lines = summary([E, verdict("USABLE", figures={"level": 3.0}), dead, X, None])
    assert lines == [
        "webgame: coverage 3/5 (60.0 %), usable 2/3 (66.7 %), excellent 1/3 (33.3 %)",
        "usable / labelled by level: no level 1/1, D3 1/1, D4 0/1",
        "labels by a",
    ]
    assert summary([None]) == ["webgame: coverage 0/1 (0.0 %)"]
