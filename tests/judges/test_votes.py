"""Votes of judges and attempts at a task become one verdict."""

from __future__ import annotations

import pytest

from pytest_appbench.judges.verdict import NOBODY, Reason, Scores, Status, Usage, Verdict
from pytest_appbench.judges.votes import combine


def verdict(status: Status, least: float | None = None, **fields: object) -> Verdict:
    scores = Scores() if least is None else Scores(intention=1.0, static=1.0, dynamic=least)
    made = {
        "status": status,
        "judge": "a",
        "protocol": "miniapp",
        "threshold": 0.8,
        "scores": scores,
        **fields,
    }
    return Verdict.model_validate(made)


PASS, FAIL, UNCERTAIN = verdict("pass", 0.9), verdict("fail", 0.3), verdict("uncertain")


@pytest.mark.parametrize(
    ("members", "rule", "status"),
    [
        ([PASS, PASS, FAIL], "majority", "pass"),
        ([PASS, FAIL, FAIL], "majority", "fail"),
        ([PASS, FAIL], "majority", "uncertain"),
        ([PASS, FAIL, UNCERTAIN], "majority", "uncertain"),
        ([PASS, PASS, UNCERTAIN], "unanimous", "uncertain"),
        ([PASS, FAIL, UNCERTAIN], "unanimous", "fail"),
        ([PASS, PASS], "all", "pass"),
        ([FAIL, PASS], "any", "pass"),
        ([FAIL, UNCERTAIN], "any", "uncertain"),
        ([FAIL, FAIL], "any", "fail"),
        ([PASS, FAIL], "mean", "fail"),
        ([PASS, verdict("fail", 0.75)], "mean", "pass"),
        ([PASS, verdict("fail", 0.75)], "min", "fail"),
        ([PASS, UNCERTAIN], "mean", "uncertain"),
    ],
)
def test_the_rule_decides(members: list[Verdict], rule: str, status: Status) -> None:
    assert combine(members, rule, unit="judge").status == status


@pytest.mark.parametrize("rule", ["mean", "min"])
@pytest.mark.parametrize("status", ["pass", "fail", "uncertain"])
@pytest.mark.parametrize("protocol", ["miniapp", "webgame"])
def test_what_all_say_holds_where_a_score_or_label_is_missing(
    protocol: str, status: Status, rule: str
) -> None:
    unscored = Scores(static=1.0, dynamic=0.0)
    member = verdict(status, protocol=protocol, scores=unscored)
    assert combine([member, member], rule, unit="attempt").status == status


@pytest.mark.parametrize("rule", ["mean", "min"])
def test_members_who_differ_without_a_score_come_to_uncertain(rule: str) -> None:
    members = [verdict(said, scores=Scores(static=1.0, dynamic=0.5)) for said in ("pass", "fail")]
    assert combine(members, rule, unit="attempt").status == "uncertain"


def test_one_verdict_stays_as_it_is() -> None:
    assert combine([PASS], "majority", unit="judge") is PASS


def test_the_combined_verdict_names_every_judge_and_what_each_said() -> None:
    because = (
        Reason(dimension="static", text="all is there"),
        Reason(dimension="dynamic", text="the timer never ends"),
    )
    other = verdict("fail", 0.3, judge="b", reasons=because)
    combined = combine([PASS, other, verdict("pass", 1.0, judge="c")], "majority", unit="judge")
    assert combined.judge == "a + b + c"
    assert [reason.text for reason in combined.reasons] == [
        "judge 1 (a): pass",
        "judge 2 (b): fail, the timer never ends",
        "judge 3 (c): pass",
    ]
    assert combined.scores.dynamic == pytest.approx((0.9 + 0.3 + 1.0) / 3)


def test_judges_who_are_all_uncertain_agree() -> None:
    unsure = verdict("uncertain", reasons=(Reason(text="the time was over"),))
    said = [reason.text for reason in combine([unsure, unsure], "majority", unit="judge").reasons]
    assert said[0] == "judge 1 (a): uncertain, the time was over"
    divided = combine([unsure, PASS], "majority", unit="judge")
    assert divided.reasons[0].text == "no majority among 2 judges"


def test_the_reasons_are_those_of_a_member_that_agrees_and_was_judged() -> None:
    nothing = verdict("fail", 0.0, judge=NOBODY, reasons=(Reason(text="it declined"),))
    dead = verdict("fail", 0.1, reasons=(Reason(dimension="dynamic", text="nothing moves"),))
    said = [reason.text for reason in combine([nothing, dead], "majority", unit="attempt").reasons]
    assert said == [
        "attempt 1 (generator): fail, it declined",
        "attempt 2 (a): fail",
        "nothing moves",
    ]


def test_an_attempt_that_made_no_app_names_no_judge() -> None:
    nothing = verdict("fail", 0.0, judge=NOBODY)
    assert combine([nothing, PASS], "any", unit="attempt").judge == "a"
    assert combine([nothing, nothing], "any", unit="attempt").judge == NOBODY


def checked(status: Status, outcome: str) -> Verdict:
    check = {"name": "check_it", "dimension": "dynamic", "outcome": outcome, "claim": "it works"}
    return verdict(status, 0.9 if status == "pass" else 0.3, checks=[check])


@pytest.mark.parametrize(
    ("rule", "status", "outcomes"),
    [
        ("any", "pass", ["passed"]),
        ("all", "fail", ["failed"]),
        ("majority", "uncertain", []),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_checks_are_those_of_a_member_that_agrees(
    is_turned: bool, rule: str, status: Status, outcomes: list[str]
) -> None:
    members = [checked("pass", "passed"), checked("fail", "failed")]
    combined = combine(members[::-1] if is_turned else members, rule, unit="attempt")
    assert combined.status == status
    assert [check.outcome for check in combined.checks] == outcomes


def test_what_any_member_tried_or_departed_from_is_told_of_all() -> None:
    out, away = ({"kind": "fetch", "url": f"https://{host}"} for host in ("a.test", "b.test"))
    members = [
        verdict("pass", 0.9, attempted=[out]),
        verdict("pass", 0.9, attempted=[{**out, "count": 2}, away], guard="routing"),
        verdict("pass", 0.9, deviations=("vision on",)),
    ]
    combined = combine(members, "all", unit="attempt")
    assert [(one.url, one.count) for one in combined.attempted] == [
        ("https://a.test", 3),
        ("https://b.test", 1),
    ]
    assert (combined.deviations, combined.guard) == (("vision on",), "routing")


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    priced = verdict("pass", 0.9, usage=Usage(turns=2, tokens_in=10, tokens_out=5, cost_usd=0.5))
    free = verdict("pass", 0.9, usage=Usage(actions=7))
    unknown = verdict("pass", 0.9, usage=Usage(turns=1, tokens_in=1, tokens_out=1))
    summed = combine([priced, priced, free], "majority", unit="judge").usage
    assert (summed.turns, summed.actions, summed.tokens_in, summed.cost_usd) == (4, 7, 20, 1.0)
    assert combine([priced, unknown], "majority", unit="judge").usage.cost_usd is None


def cookie(functionality: float, aesthetics: float) -> Verdict:
    least = min(functionality, aesthetics) / 8
    return verdict(
        "pass" if least >= 0.8 else "fail",
        protocol="cookie",
        counted=("static", "dynamic"),
        scores=Scores(static=aesthetics / 8, dynamic=functionality / 8),
        figures={"functionality": functionality, "aesthetics": aesthetics},
    )


@pytest.mark.parametrize(
    ("rule", "status", "functionality", "aesthetics"),
    [
        ("majority", "pass", 6.5, 6.75),
        ("mean", "pass", 6.5, 6.75),
        ("min", "fail", 4.0, 6.5),
    ],
)
def test_figures_and_the_scores_that_they_give_are_combined_alike(
    rule: str, status: str, functionality: float, aesthetics: float
) -> None:
    members = [cookie(8.0, 6.5), cookie(7.5, 7.0), cookie(4.0, 6.75)]
    combined = combine(members, rule, unit="judge")
    assert combined.status == status
    assert combined.figures == {"functionality": functionality, "aesthetics": aesthetics}
    assert combined.scores.dynamic == functionality / 8
    assert combined.scores.static == aesthetics / 8
    assert combined.scores.intention is None
    assert combined.least == min(functionality, aesthetics) / 8


def test_a_member_without_figures_leaves_none_for_all() -> None:
    unsure = verdict("uncertain", protocol="cookie", counted=("static", "dynamic"))
    combined = combine([unsure, cookie(8.0, 7.0), cookie(8.0, 7.0)], "majority", unit="judge")
    assert (combined.status, combined.figures, combined.least) == ("pass", {}, None)
