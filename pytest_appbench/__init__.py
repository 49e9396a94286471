"""pytest-appbench turns app requests into tests that a judge decides in a real browser."""

from importlib.metadata import version as _version

__version__ = _version("pytest-appbench")
