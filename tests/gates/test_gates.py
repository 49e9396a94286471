"""The exit code by gates: one table, over a serial run, workers, and shards that were merged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_appbench.cli import main
from pytest_appbench.gates.decide import decide
from pytest_appbench.gates.grammar import parse
from pytest_appbench.models.chat import Tokens
from pytest_appbench.models.limits import Ledger
from pytest_appbench.reports.merging import join, write
from pytest_appbench.reports.results import Record
from pytest_appbench.reports.runfile import Results, RunFile, load
from recordkit import a_record, a_run
from runkit import Foretold

TASKS = ("pass-a", "pass-b", "fail-c", "uncertain-d", "pass-e", "error-f")
"""Games: pass-a (hard), fail-c, pass-e. Tools: pass-b, uncertain-d, error-f."""
BASELINE = {"same": "", "better": "fail-c=pass", "down": "pass-a=error", "worse": "pass-e=fail"}

CASES: list[tuple[int, tuple[str, ...]]] = [
    # 3 of 5 judged tasks passed; that tests failed changes nothing.
    (0, ("--gate", "pass_rate >= 0.6")),
    (1, ("--gate", "pass_rate > 60 %")),
    (0, ("--gate", "domain:games >= 0.66", "--gate", "level:hard >= 1")),
    (1, ("--gate", "domain:games >= 0.66", "--gate", "domain:tools >= 0.66")),
    (0, ("--gate", "task:pass-a score >= 0.9", "--gate", "domain:games dynamic >= 0.75")),
    # Errors lower coverage only.
    (0, ("--gate", "coverage >= 0.8", "--gate", "errors <= 0.2")),
    (1, ("--gate", "coverage >= 0.9")),
    (0, ("--gate", "pass_rate >= 0.5", "--min-coverage", "0.8")),
    (1, ("--gate", "pass_rate >= 0.5", "--min-coverage", "0.9")),
    (1, ("--gate", "domain:tools pass_rate >= 0", "--min-coverage", "0.8")),
    (0, ("--max-uncertain", "20%")),
    (1, ("--max-uncertain", "0.1")),
    # What cannot be computed does not hold.
    (1, ("--gate", "domain:art >= 0")),
    (1, ("--gate", "task:error-f >= 0")),
    (0, ("--gate", "cost <= 0")),
    (0, ("--gate", "no-regressions", "--baseline", "same")),
    (1, ("--gate", "no-regressions", "--baseline", "better")),
    (0, ("--gate", "regressions <= 1", "--baseline", "better")),
    (0, ("--gate", "domain:tools no-regressions", "--baseline", "better")),
    (0, ("--gate", "no-regressions", "--baseline", "worse")),
    (0, ("--gate", "no-regressions", "--baseline", "down")),
]
WITH_WORKERS = [0, 8, 16]
"""Of the table, as each costs two workers."""


@pytest.fixture(scope="module")
def foretold(tmp_path_factory: pytest.TempPathFactory) -> Foretold:
    """The tasks, baselines of them, and two shards merged into `all.jsonl`."""
    made = Foretold(tmp_path_factory.mktemp("gates"), TASKS)
    shards = [["--splits=2", f"--group={n}", f"--appbench-resume=shard-{n}"] for n in (1, 2)]
    # What stands as an error now could not be compared with an error.
    changes = [{"FORETOLD": f"error-f=fail,{change}"} for change in BASELINE.values()]
    runs = [["--appbench-resume", name] for name in BASELINE]
    made.sessions([*runs, *shards], [*changes, {}, {}])
    parts = [str(made.root / "appbench-runs" / f"shard-{n}") for n in (1, 2)]
    assert main(["merge", *parts, "-o", str(made.root / "all.jsonl")]) == 0
    return made


def as_options(words: Sequence[str]) -> list[str]:
    return [word.replace("--", "--appbench-", 1) for word in words]


def test_a_serial_run_ends_by_its_gates(foretold: Foretold) -> None:
    codes = foretold.codes([as_options(words) for _, words in CASES])
    assert dict(zip(CASES, codes, strict=True)) == {case: case[0] for case in CASES}


def test_workers_change_nothing(foretold: Foretold) -> None:
    cases = [CASES[number] for number in WITH_WORKERS]
    codes = foretold.codes([["-n", "2", *as_options(words)] for _, words in cases])
    assert dict(zip(cases, codes, strict=True)) == {case: case[0] for case in cases}


def test_shards_that_were_merged_change_nothing(
    foretold: Foretold, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(foretold.root)
    codes = {case: main(["gate", "all.jsonl", *case[1]]) for case in CASES}
    assert codes == {case: case[0] for case in CASES}
    said = capsys.readouterr().out
    assert "not computed domain:art >= 0: there is no task of domain:art" in said
    assert "not computed pass_rate >= 0.5: the coverage of all tasks is 0.833 (5 of 6" in said
    assert "1 of 6: fail-c" in said


def test_a_task_regressed_when_it_passed_and_was_then_judged_otherwise(foretold: Foretold) -> None:
    cases = {
        # Attempts that disagree name a task flaky; that alone is no regression.
        "pass-a=pass+fail+fail": (0, "not counted, as attempts disagree: pass-a"),
        "pass-a=fail+fail+fail": (1, "1 of 6: pass-a"),
        "pass-a=uncertain": (1, "1 of 6: pass-a"),
        "pass-a=error": (1, "passed in the baseline and not judged now: pass-a"),
        "fail-c=error": (0, "0 of 6"),
    }
    words = ["--appbench-baseline=same", "--appbench-gate=no-regressions"]
    changes = [{"FORETOLD": change} for change in cases]
    ended = foretold.sessions([words] * len(cases), changes)
    assert [one.code for one in ended] == [code for code, _ in cases.values()]
    for one, (_, said) in zip(ended, cases.values(), strict=True):
        assert said in one.text
    listed = ended[1].text
    assert "regressed: bench/all.task.yaml::pass-a[chromium] (pass, now fail)" in listed
    lines = listed.splitlines()
    was, now = (next(x for x in lines if x.startswith(f"  {word}: ")) for word in ("was", "now"))
    assert Path(was.partition(": ")[2], "last.png").is_file()
    assert list(Path(now.partition(": ")[2]).iterdir())
    assert "/same/" in was
    assert "/same/" not in now


def test_how_pytest_counts_uncertain_never_changes_a_gate(foretold: Foretold) -> None:
    gates = ("uncertain <= 0.2", "uncertain < 0.2", "pass_rate >= 0.6", "pass_rate > 0.6")
    sessions = [
        [f"--appbench-uncertain={policy}", f"--appbench-gate={gate}"]
        for policy in ("skip", "xfail", "pass")
        for gate in gates
    ]
    assert foretold.codes(sessions) == [0, 1, 0, 1] * 3


def test_tests_keep_their_outcomes_and_other_tests_and_errors_of_pytest_their_codes(
    foretold: Foretold,
) -> None:
    bodies = {
        "test_fails.py": "def test_fails():\n    assert False\n",
        "test_stops.py": "def test_stops():\n    raise KeyboardInterrupt\n",
        "test_broken.py": "import nothing_of_this_name\n",
    }
    for name, body in bodies.items():
        (foretold.root / name).write_text(body)
    gate = "--appbench-gate=pass_rate >= 0.5"
    words = [["bench", name, gate, "--continue-on-collection-errors"] for name in bodies]
    failed, stopped, broken = foretold.sessions(words)
    for name in bodies:
        (foretold.root / name).unlink()
    assert failed.code == 1
    assert "a test failed that is no task, or a fixture" in failed.text
    assert "holds        pass_rate >= 0.5: 0.600 (3 of 5)" in failed.text
    assert "2 failed, 3 passed, 1 error, 1 uncertain" in failed.text.replace("1 warning, ", "")
    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert broken.code == 1


def test_what_cannot_be_a_gate_ends_before_anything_runs(foretold: Foretold) -> None:
    runs = len(foretold.runs())
    sessions = [
        ["--appbench-gate=passrate >= 0.5"],
        ["--appbench-gate=no-regressions"],
        ["--appbench-gate=no-regressions", "--appbench-baseline=nowhere.jsonl"],
        ["-k", "no_such_task", "--appbench-gate=pass_rate >= 0"],
    ]
    nothing = int(pytest.ExitCode.NO_TESTS_COLLECTED)
    usage = int(pytest.ExitCode.USAGE_ERROR)
    assert foretold.codes(sessions) == [usage, usage, usage, nothing]
    assert len(foretold.runs()) == runs


def test_tasks_that_did_not_run_lower_the_coverage(foretold: Foretold) -> None:
    sessions = [
        ["-x", "--appbench-gate=coverage >= 0.5"],  # ends at the third of six
        ["-x", "--appbench-gate=coverage > 0.5"],
        ["-x", "--appbench-gate=pass_rate >= 0.66", "--appbench-min-coverage=0.9"],
    ]
    assert foretold.codes(sessions) == [0, 1, 1]


def test_a_baseline_judged_otherwise_is_nothing_to_compare_with_and_ini_gates_count(
    foretold: Foretold,
) -> None:
    words = ("--appbench-baseline=same", "--appbench-gate=no-regressions")
    ini = foretold.root / "other.ini"
    ini.write_text("[pytest]\nappbench_gate =\n    pass_rate >= 0.6\n    domain:games > 0.7\n")
    otherwise, by_ini = foretold.sessions(
        [
            [*words, "--appbench-threshold=0.5"],
            ["-c", str(ini), "--rootdir", str(foretold.root), "bench"],
        ]
    )
    assert otherwise.code == by_ini.code == 1
    assert "was judged with threshold 0.8, this run with threshold 0.5" in otherwise.text
    assert "holds        pass_rate >= 0.6" in by_ini.text
    assert "fails        domain:games > 0.7" in by_ini.text


def no_regressions(
    before: Record, after: Record, *, has_settings: bool = True
) -> tuple[bool | None, str]:
    """Whether the gate holds over one task, and what it says."""
    file = RunFile(run="r", settings={"judge": ["seer"]}) if has_settings else None
    runs = [Results(Path("run"), (one,), file) for one in (before, after)]
    (ruling,) = decide([parse("no-regressions")], runs[1], runs[0]).rulings
    return ruling.holds, ruling.text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"threshold": 0.5}, "judged with threshold 0.8 in the baseline, and with threshold 0.5"),
        ({"protocol": "blind"}, "judged with protocol miniapp in the baseline, and with protocol"),
        ({"judge": "seer + second"}, "judged with judge seer in the baseline, and with judge seer"),
    ],
)
def test_a_task_that_was_judged_otherwise_in_the_baseline_is_not_compared(
    fields: dict[str, object], told: str
) -> None:
    record = a_record("pass", judge="seer")
    assert record.verdict
    changed = record.verdict.model_copy(update=fields)
    holds, text = no_regressions(record, record.model_copy(update={"verdict": changed}))
    assert holds is None
    assert text.startswith(told)
    assert text.endswith(": x")


def test_a_baseline_that_asked_for_another_label_is_nothing_to_compare_with() -> None:
    files = [
        RunFile(run="r", settings={"judge": ["seer"], "pass_label": label})
        for label in ("EXCELLENT", None)
    ]
    baseline, run = (Results(Path("run"), (a_record(),), file) for file in files)
    (ruling,) = decide([parse("no-regressions")], run, baseline).rulings
    assert ruling.holds is None
    assert "with pass-label EXCELLENT, this run with pass-label None" in ruling.text


@pytest.mark.parametrize(
    ("uncounted", "holds", "told"),
    [(Tokens(), None, "does not count tokens"), (Tokens(output=5), True, "15 tokens")],
)
def test_tokens_that_are_not_known_are_not_computed_also_of_merged_runs(
    tmp_path: Path, uncounted: Tokens, holds: bool | None, told: str
) -> None:
    for name, tokens in (("one", Tokens(output=10)), ("two", uncounted)):
        path = a_run(tmp_path, name, [a_record("pass", name)])
        (path / "run.json").write_text(RunFile(run=name, settings={}).model_dump_json())
        Ledger(path / "ledger").charge(name, tokens, None)
    parts = [load(tmp_path / name) for name in ("one", "two")]
    write(join(parts, tmp_path / "all.jsonl"))
    gates = [parse("tokens <= 100")]
    for run in (tmp_path / "two", tmp_path / "all.jsonl"):
        (ruling,) = decide(gates, load(run)).rulings
        assert ruling.holds is holds
    assert told in ruling.text
    (ruling,) = decide(gates, parts[0]).rulings
    assert (ruling.holds, ruling.text) == (True, "10 tokens")


@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize("judge", ["generator", "builder", "probe"])
def test_an_app_that_no_judge_saw_is_compared_with_one_that_was_judged(
    judge: str, has_settings: bool
) -> None:
    record, dead = a_record("pass", judge="seer"), a_record("fail", judge="seer")
    assert dead.verdict
    unseen = dead.verdict.model_copy(update={"judge": judge, "threshold": 0.5})
    after = dead.model_copy(update={"verdict": unseen})
    found = no_regressions(record, after, has_settings=has_settings)
    assert found == (False, "1 of 1: x")
