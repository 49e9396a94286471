"""The project's own pytest configuration."""

from __future__ import annotations

import pytest

from kit import Benchmark

pytest_plugins = ["pytester", "browserkit"]


@pytest.fixture
def benchmark(pytester: pytest.Pytester) -> Benchmark:
    """An empty folder for tasks, with a pytest of its own."""
    return Benchmark(pytester)
