"""A key that a run needs and nobody set is asked for before anything is done."""

from __future__ import annotations

import pytest

from kit import Benchmark

ANTHROPIC, OPENAI = "anthropic:claude-opus-4-8", "openai:gpt-4.1"


@pytest.fixture
def keyless(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """A benchmark with one task and an ordinary test, where no provider is set up."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    benchmark.task()
    benchmark.write("test_own.py", "def test_own(): pass")
    return benchmark


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((f"--appbench-judge={ANTHROPIC}",), "ANTHROPIC_API_KEY"),
        ((f"--appbench-generator={OPENAI}", "-n2"), "OPENAI_API_KEY, or OPENAI_BASE_URL"),
    ],
    ids=["a judge's", "a generator's, with workers"],
)
def test_a_key_that_is_needed_is_asked_for_before_anything_is_done(
    keyless: Benchmark, arguments: tuple[str, ...], name: str
) -> None:
    result = keyless.run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: no key for * set the environment variable {name}*"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")
    assert not list(keyless.root.glob("appbench-runs/*/results")), "nothing was done"


def test_a_key_that_nothing_needs_is_not_asked_for(keyless: Benchmark) -> None:
    keyless.write("pytest.ini", f"[pytest]\nappbench_judge = {ANTHROPIC}")
    assert keyless.run("--collect-only", "-q").ret == 0
    keyless.run("test_own.py").assert_outcomes(passed=1)
