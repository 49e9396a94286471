"""The way to scipy and statsmodels, which come with the extra `stats`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pytest_appbench.errors import AppbenchError


class ExtraMissing(AppbenchError):
    """A package that only some figures need is not installed."""


def library(name: str) -> Any:
    """Import a module of the extra `stats`.

    Args:
        name: Such as `scipy.stats`.

    Returns:
        The module.

    Raises:
        ExtraMissing: It is not installed; the message says how to get it.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise ExtraMissing(
            f'this needs {package}, which is not installed: pip install "pytest-appbench[stats]"'
        ) from None
