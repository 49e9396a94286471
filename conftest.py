"""The project's own pytest configuration."""

from __future__ import annotations

import pytest

from kit import OF_A_SERVICE, Benchmark

pytest_plugins = ["pytester", "browserkit"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let whoever changes apps, checks or the built-in judge have all of the content judged."""
    parser.addoption(
        "--whole-benchmark",
        action="store_true",
        help="judge every app of the shipped benchmark, not a quarter of them",
    )


@pytest.fixture(scope="session")
def whole_benchmark(pytestconfig: pytest.Config) -> bool:
    """Whether every app of the shipped benchmark is to be judged."""
    return bool(pytestconfig.getoption("whole_benchmark"))


@pytest.fixture(scope="session")
def of_the_whole_benchmark(whole_benchmark: bool) -> None:
    """Skips a test that judges again by the probe what a model judges in the test before."""
    if not whole_benchmark:
        pytest.skip("judges all apps: --whole-benchmark")


@pytest.fixture
def benchmark(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """An empty folder for tasks, with a pytest of its own."""
    for name in OF_A_SERVICE:
        monkeypatch.delenv(name, raising=False)
    return Benchmark(pytester)
