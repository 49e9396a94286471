"""The project's own pytest configuration."""

from __future__ import annotations

import pytest

from kit import OF_A_SERVICE, Benchmark

pytest_plugins = ["pytester", "browserkit"]


@pytest.fixture
def benchmark(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """An empty folder for tasks, with a pytest of its own."""
    for name in OF_A_SERVICE:
        monkeypatch.delenv(name, raising=False)
    return Benchmark(pytester)
