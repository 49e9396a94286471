"""Fixtures of the tests of judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from browserkit import Sites
from judgekit import Judgings
from pytest_appbench.browser.launch import BrowserKeeper
from pytest_appbench.browser.watchdog import Watchdog


@pytest.fixture
def judging(keeper: BrowserKeeper, sites: Sites, watchdog: Watchdog, tmp_path: Path) -> Judgings:
    """Makes judgings of pages."""
    return Judgings(keeper, sites, watchdog, tmp_path)
