"""Where a value comes from, and what is said when it cannot be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_appbench.errors import SettingsError
from pytest_appbench.options import parse_caching, parse_viewports
from pytest_appbench.settings import Settings, resolve
from pytest_appbench.tasks.model import Task

HERE = Path("/somewhere/below")
ROOT = Path("/somewhere")


def settings(
    command_line: Mapping[str, str | Sequence[str] | None] | None = None,
    ini: dict[str, str] | None = None,
) -> Settings:
    return resolve(
        command_line or {},
        ini or {},
        invocation_dir=HERE,
        root_dir=ROOT,
        cache_dir=ROOT / ".cache",
    )


def task(**fields: object) -> Task:
    document = {"id": "x", "domain": "tools", "query": "q", "path": ROOT / "x.task.yaml", "line": 1}
    return Task.model_validate({**document, **fields})


def test_command_line_beats_task_beats_ini_beats_default() -> None:
    assert settings().for_task(task()).threshold == 0.8
    assert settings(ini={"threshold": "0.7"}).for_task(task()).threshold == 0.7
    assert settings(ini={"threshold": "0.7"}).for_task(task(threshold=0.6)).threshold == 0.6
    typed = settings({"threshold": "0.5"}, {"threshold": "0.7"})
    assert typed.for_task(task(threshold=0.6)).threshold == 0.5


def test_relative_paths_start_where_their_writer_stood() -> None:
    assert settings({"run_dir": "runs"}).run_dir == HERE / "runs"
    assert settings(ini={"run_dir": "runs"}).run_dir == ROOT / "runs"
    assert settings({"generator": "dir:out"}).base("generator") == HERE
    assert settings(ini={"generator": "dir:out"}).base("generator") == ROOT


def test_the_description_names_what_was_set_and_where() -> None:
    described = settings({"seed": "7"}, {"threshold": "0.5"}).described()
    assert (
        described == "generator reference, judge probe, threshold 0.5 (ini), seed 7 (command line)"
    )


@pytest.mark.parametrize(
    ("option", "text", "advice"),
    [
        ("threshold", "80", "--appbench-threshold: cannot use '80': write a number from 0 to 1"),
        (
            "viewport",
            "wide",
            "--appbench-viewport: cannot use 'wide': write sizes such as 1280x720",
        ),
        ("seed", "-1", "--appbench-seed: cannot use '-1': write a whole number from 0 up"),
        ("without", "sight", "--appbench-without: cannot use 'sight': write some of code, agent"),
        ("cache", "judge=never", "--appbench-cache: cannot use 'judge=never': write off, read or"),
        ("run-cost", "0", "--appbench-run-cost: cannot use '0': write a number above 0"),
        (
            "run-cost",
            "inf",
            "--appbench-run-cost: cannot use 'inf': write a number above 0, or none",
        ),
        ("task-cost", "inf", "--appbench-task-cost: cannot use 'inf': write a number above 0, or"),
        ("time-limit", "inf", "--appbench-time-limit: cannot use 'inf': write a number of seconds"),
        ("time-limit", "nan", "--appbench-time-limit: cannot use 'nan': write a number of seconds"),
        ("uncertain", "maybe", "--appbench-uncertain: 'maybe' is not one of fail, skip"),
    ],
)
def test_a_value_that_cannot_be_used_says_what_to_write(
    option: str, text: str, advice: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        settings({option.replace("-", "_"): text})
    assert str(caught.value).startswith(advice)


def test_viewports_are_read_in_order() -> None:
    assert parse_viewports("1280x720+390x844") == ((1280, 720), (390, 844))
    assert parse_viewports("800x600, 320x480") == ((800, 600), (320, 480))


def test_several_judges_are_given_by_repeating_the_option_or_as_words_of_the_ini_file() -> None:
    assert settings({"judge": ["openai:a", "probe"]}).judge == ("openai:a", "probe")
    assert settings(ini={"judge": "openai:a\nopenai:b"}).judge == ("openai:a", "openai:b")
    assert settings().judge == ("probe",)


def test_limits_are_left_to_the_judge_unless_somebody_sets_them() -> None:
    assert settings().max_turns is None
    assert settings({"max_turns": "12", "time_limit": "60"}).max_turns == 12
    assert settings(ini={"max_turns": "own"}).max_turns is None


def test_each_stage_can_use_what_was_kept_in_its_own_way() -> None:
    assert parse_caching("off") == {"generate": "off", "build": "off", "judge": "off"}
    kept = parse_caching("generate=read,judge=refresh")
    assert kept == {"generate": "read", "build": "read", "judge": "refresh"}


def test_a_model_judge_can_go_without_parts_of_its_input() -> None:
    assert settings({"without": "code,reference"}).without == {"code", "reference"}
    assert settings().without == frozenset()
