"""The project's own pytest configuration."""

pytest_plugins = ["pytester"]
