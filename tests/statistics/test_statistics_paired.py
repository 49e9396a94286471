"""Which tasks two runs share, and what became of each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.judges.verdict import Scores, Verdict
from pytest_appbench.reports.results import Record, TaskWords
from pytest_appbench.statistics.paired import Outcome, Pairing, pair


def record(
    outcome: Outcome = "pass", nodeid: str = "bench/a.task.yaml::x", **fields: object
) -> Record:
    """A record of one judging, with an evidence folder named after attempt and vote."""
    base = Record(run="r", nodeid=nodeid, outcome=outcome, task=TaskWords(id="x"))
    kept = base.model_copy(update=fields)
    if outcome == "error":
        return kept
    score = 1.0 if outcome == "pass" else 0.25
    verdict = Verdict(
        status=outcome,
        judge="probe",
        protocol="probe",
        threshold=0.8,
        scores=Scores(intention=score, static=1.0, dynamic=1.0),
        evidence=f"tasks/a/x/{kept.attempt}/{kept.vote}" if kept.attempt and kept.vote else None,
    )
    return kept.model_copy(update={"verdict": verdict})


def attempts(*outcomes: Outcome, together: Outcome, run: str = "r") -> list[Record]:
    """The records of a task with several attempts, as a run writes them."""
    parts = [
        record(outcome, attempt=number, part=True, run=run)
        for number, outcome in enumerate(outcomes, start=1)
    ]
    return [*parts, record(together, attempt=0, vote=0, run=run)]


def picked(pairing: Pairing) -> set[str]:
    """The names of the properties that pick the only pair."""
    names = ("regressions", "lost", "improvements", "flaky", "new", "missing", "judged")
    return {name for name in names if getattr(pairing, name)}


def test_each_change_of_a_task_has_its_name() -> None:
    changes: dict[tuple[Outcome, Outcome], set[str]] = {
        ("pass", "pass"): {"judged"},
        ("pass", "fail"): {"judged", "regressions"},
        ("pass", "uncertain"): {"judged", "regressions"},
        ("pass", "error"): {"lost"},
        ("fail", "pass"): {"judged", "improvements"},
        ("uncertain", "pass"): {"judged", "improvements"},
        ("fail", "uncertain"): {"judged"},
        ("fail", "error"): set(),
        ("error", "pass"): set(),
        ("error", "fail"): set(),
    }
    for (before, after), names in changes.items():
        assert picked(pair([record(before)], [record(after)])) == names, (before, after)
    assert picked(pair([record("pass")], [])) == {"lost", "missing"}
    assert picked(pair([record("fail")], [])) == {"missing"}
    assert picked(pair([], [record("fail")])) == {"new"}


def test_a_task_whose_attempts_disagree_is_flaky_and_no_regression() -> None:
    steady = attempts("pass", "pass", "pass", together="pass")
    shaky = attempts("pass", "fail", "fail", together="fail")
    worse = attempts("fail", "fail", "fail", together="fail")
    assert picked(pair(steady, shaky)) == {"judged", "flaky"}
    assert picked(pair(shaky, steady)) == {"judged", "flaky"}
    assert picked(pair(steady, worse)) == {"judged", "regressions"}
    (only,) = pair(steady, shaky).flaky
    assert only.after is not None
    assert only.after.attempts == ("pass", "fail", "fail")
    assert only.after.evidence == ("tasks/a/x/2/1", "tasks/a/x/3/1", "tasks/a/x/1/1")


def test_judges_that_disagree_over_one_app_do_not_make_a_task_flaky() -> None:
    votes = [
        record("pass", vote=1, part=True),
        record("fail", vote=2, part=True),
        record("uncertain", vote=0),
    ]
    assert picked(pair(votes, [record("uncertain")])) == {"judged"}
    # with attempts, the record of vote 0 is what the judges of one attempt come to
    both = [
        one
        for number in (1, 2)
        for one in (
            record("pass", attempt=number, vote=1, part=True),
            record("fail", attempt=number, vote=2, part=True),
            record("uncertain", attempt=number, vote=0, part=True),
        )
    ]
    (only,) = pair([*both, record("uncertain", attempt=0, vote=0)], []).pairs
    assert only.before is not None
    assert only.before.attempts == ("uncertain", "uncertain")


def test_several_runs_of_one_side_come_to_what_most_of_them_say() -> None:
    runs = [record("pass", run="1"), record("fail", run="2"), record("fail", run="3")]
    (only,) = pair(runs, [record("fail")]).pairs
    assert only.before is not None
    assert (only.before.outcome, only.before.score) == ("fail", 0.5)
    assert only.before.record.run == "2"
    assert only.flaky
    (tie,) = pair([record("error", run="0"), *runs[:2]], []).pairs
    assert tie.before is not None
    assert tie.before.outcome == "uncertain"


def test_attempts_of_one_run_are_not_those_of_another() -> None:
    first = attempts("pass", "pass", together="pass", run="1")
    second = attempts("fail", "fail", together="fail", run="2")
    (only,) = pair(first + second, []).pairs
    assert only.before is not None
    assert only.before.attempts == ("pass", "pass", "fail", "fail")


def test_several_apps_judged_by_one_test_are_tasks_of_their_own() -> None:
    before = [record("pass", attempt=1), record("pass", attempt=2)]
    after = [record("pass", attempt=1), record("fail", attempt=2)]
    (worse,) = pair(before, after).regressions
    assert worse.key == "bench/a.task.yaml::x#2"


def test_folders_in_front_of_a_path_do_not_part_a_task_from_itself() -> None:
    before = [record(nodeid=f"benchmarks/{d}/logic.task.yaml::x") for d in ("games", "tools")]
    after = [record(nodeid=f"{d}/logic.task.yaml::x") for d in ("tools", "games")]
    assert [
        (p.before.nodeid, p.after.nodeid) for p in pair(before, after).pairs if p.before and p.after
    ] == [
        ("benchmarks/games/logic.task.yaml::x", "games/logic.task.yaml::x"),
        ("benchmarks/tools/logic.task.yaml::x", "tools/logic.task.yaml::x"),
    ]
    # where the end of a path names several tasks, nothing is guessed
    found = pair([record(nodeid="logic.task.yaml::x")], after)
    assert (len(found.missing), len(found.new)) == (1, 2)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), unique=True),
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), unique=True),
    st.sampled_from(["", "home/runner/"]),
)
def test_every_task_of_either_run_is_in_exactly_one_pair(
    old: list[tuple[str, str]], new: list[tuple[str, str]], prefix: str
) -> None:
    before = [record(nodeid=f"{d}/t.task.yaml::{name}") for d, name in old]
    after = [record(nodeid=f"{prefix}{d}/t.task.yaml::{name}") for d, name in new]
    pairs = pair(before, after).pairs
    assert sorted(p.before.nodeid for p in pairs if p.before) == sorted(r.nodeid for r in before)
    assert sorted(p.after.nodeid for p in pairs if p.after) == sorted(r.nodeid for r in after)
    shared = set(old) & set(new)
    assert sum(bool(p.before and p.after) for p in pairs) >= len(shared)
