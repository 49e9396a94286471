"""The fixtures of a task, each small enough to override in the conftest.py beside the tasks."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_appbench.settings import Settings

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
RUN_ID: pytest.StashKey[str] = pytest.StashKey()
OF_TASK_ITEMS: dict[str, Any] = {}
