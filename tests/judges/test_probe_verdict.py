"""The probe's verdict: scores come from checks, faults fail, and nothing passes unlooked-at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from judgekit import Judgings
from pytest_appbench.errors import CheckError, SettingsError
from pytest_appbench.judges import known, resolve
from pytest_appbench.judges.probe import judge
from pytest_appbench.judges.verdict import Reason, Scores, Verdict

GOOD = """<!doctype html><html lang=en><title>Counter</title><main><h1>Counter</h1>
<p role=status id=p>0</p><button onclick='p.textContent++'>Add</button></main>"""
BROKEN = GOOD.replace("p.textContent++", "nothing.there()").replace("</main>", "<p>x</p></main>")


def check_intention_adds(page: Page) -> None:
    """A press adds one."""


def check_static_has_a_button(page: Page) -> None:
    """There is a button."""


def check_dynamic_goes_on(page: Page) -> None:
    """It goes on."""


def check_dynamic_fails(page: Page) -> None:
    """It never holds."""
    raise AssertionError("three presses gave 2")


def check_dynamic_is_broken(page: Page) -> None:
    """It cannot hold."""
    raise NameError("no such name")


ALL = (check_intention_adds, check_static_has_a_button, check_dynamic_goes_on)


def cited(verdict: Verdict, reason: Reason) -> bool:
    """Whether every quote of a reason stands in the record that it names."""
    probe = {finding.kind: finding.text for finding in verdict.findings}
    probe |= {check.name: f"{check.claim} {check.message}" for check in verdict.checks}
    return all(c.source == "step" or c.quote in probe[c.where] for c in reason.evidence)


@pytest.mark.parametrize(
    ("checks", "threshold", "status", "scores"),
    [
        (ALL, 0.8, "pass", (1.0, 1.0, 1.0)),
        (ALL[:2], 0.8, "uncertain", (1.0, 1.0, None)),
        ((), 0.8, "uncertain", (None, None, None)),
        ((*ALL, check_dynamic_fails), 0.8, "fail", (1.0, 1.0, 0.4)),
        ((*ALL, check_dynamic_fails), 0.4, "pass", (1.0, 1.0, 0.4)),
        ((check_dynamic_fails,), 0.8, "fail", (None, None, 0.0)),
        ((check_dynamic_fails,), 0.0, "uncertain", (None, None, 0.0)),
    ],
)
def test_scores_come_from_checks(
    judging: Judgings,
    checks: tuple[Callable[..., object], ...],
    threshold: float,
    status: str,
    scores: tuple[float | None, ...],
) -> None:
    verdict = judge(judging(GOOD, *checks, threshold=threshold))
    assert verdict.status == status
    assert tuple(value for _, value in verdict.scores) == scores
    assert (verdict.judge, verdict.protocol, verdict.cause) == ("probe", "probe", None)
    assert [check.name for check in verdict.checks] == [check.__name__ for check in checks]
    assert verdict.reasons
    assert all(cited(verdict, reason) for reason in verdict.reasons)


def test_a_failed_check_gives_its_symptom_as_the_reason(judging: Judgings) -> None:
    verdict = judge(judging(GOOD, *ALL, check_dynamic_fails))
    reason = next(reason for reason in verdict.reasons if reason.dimension == "dynamic")
    assert reason.text == "three presses gave 2"
    assert reason.evidence[0].where == "check_dynamic_fails"


def test_an_uncertain_verdict_says_what_no_check_covers(judging: Judgings) -> None:
    assert "there are no checks" in judge(judging(GOOD)).reasons[0].text
    verdict = judge(judging(GOOD, check_static_has_a_button))
    assert verdict.reasons[0].text == "no check covers intention and dynamic"


def test_a_fault_fails_an_app_whose_checks_all_pass(judging: Judgings) -> None:
    verdict = judge(judging(BROKEN, *ALL))
    assert verdict.status == "fail"
    assert verdict.scores == Scores(intention=1.0, static=1.0, dynamic=0.4)
    reason = verdict.reasons[0]
    assert reason.dimension == "dynamic"
    assert 'button "Add": click: nothing else happened' in reason.text
    assert {citation.source for citation in reason.evidence} == {"probe", "step"}
    assert cited(verdict, reason)


def test_a_fault_without_checks_invents_no_score(judging: Judgings) -> None:
    verdict = judge(judging(BROKEN))
    assert (verdict.status, verdict.scores) == ("fail", Scores())


def test_a_broken_check_is_an_error_and_no_verdict(judging: Judgings) -> None:
    with pytest.raises(CheckError, match="no such name"):
        judge(judging(GOOD, check_dynamic_is_broken))


def test_checks_that_no_time_was_left_for_leave_it_uncertain(judging: Judgings) -> None:
    verdict = judge(judging(GOOD, *ALL, time_limit=0.0))
    assert (verdict.status, verdict.checks, verdict.scores) == ("uncertain", (), Scores())
    assert "time limit of 0 s" in verdict.reasons[0].text


def test_what_the_app_tried_is_listed(judging: Judgings) -> None:
    verdict = judge(judging(GOOD + "<script>fetch('https://example.org/x')</script>"))
    assert [tried.url for tried in verdict.attempted] == ["https://example.org/x"]


def test_accessibility_is_evidence_and_never_scored(judging: Judgings) -> None:
    verdict = judge(judging(GOOD.replace("lang=en", ""), *ALL))
    assert verdict.status == "pass"
    (found,) = [finding for finding in verdict.findings if finding.kind == "axe"]
    assert found.severity == "note"
    assert found.text.startswith("html-has-lang (serious): ")
    assert found.text.endswith("1 in all, such as html")


def test_an_app_cannot_silence_axe(judging: Judgings) -> None:
    mute = (
        "<script>Object.defineProperty(globalThis, 'axe', { value: { run: () => ({ violations: []"
    )
    mute += " }) } }); Document.prototype.querySelectorAll = () => []</script>"
    verdict = judge(judging(GOOD.replace("lang=en", "") + mute))
    assert "axe" in [finding.kind for finding in verdict.findings]


def test_the_trajectory_is_kept_step_by_step(judging: Judgings, tmp_path: Path) -> None:
    verdict = judge(judging(GOOD))
    lines = (tmp_path / "evidence/trajectory.jsonl").read_text("utf-8").splitlines()
    steps = [json.loads(line) for line in lines]
    assert len(steps) == verdict.usage.actions
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    press = next(step for step in steps if step["action"] == "click")
    assert press["target"] == 'button "Add": click'
    assert '"0" became "1"' in press["changed"]


def test_the_same_app_gets_the_same_verdict(judging: Judgings) -> None:
    verdicts = [judge(judging(GOOD + BROKEN)) for _ in range(2)]
    first, second = (verdict.model_dump(exclude={"seconds"}) for verdict in verdicts)
    assert first == second


# Finding a judge


def test_the_probe_is_found_by_its_name() -> None:
    assert known() == ("probe", "anthropic:MODEL", "openai:MODEL")
    assert resolve("probe") is judge


@pytest.mark.parametrize("spec", ["oracle", "verdict", "judging", "", "probe.checks"])
def test_an_unknown_judge_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(SettingsError, match="write one of probe, anthropic:MODEL"):
        resolve(spec)


def test_the_probe_takes_no_options() -> None:
    with pytest.raises(SettingsError, match="takes no options"):
        resolve("probe:fast")
