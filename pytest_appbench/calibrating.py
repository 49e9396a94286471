"""Makes pytest judge every labelled app of a benchmark: one item for each task and app.

`appbench calibrate` loads it with `-p`, so that it is there in every xdist worker. Each app comes
through the generator fixture, so that its verdict is kept and found under the same key as in any
other run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_appbench.collect import TaskItem

_FIXTURE = "appbench_generator"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a task one item for each of its labelled apps."""
    if _FIXTURE not in metafunc.fixturenames or not _is_task(metafunc.definition):
        return
    from pytest_appbench.artifacts.generators.reference import ReferenceGenerator
    from pytest_appbench.calibration import labelled_names

    file = metafunc.definition.path
    names = labelled_names(file.parent / "apps" / metafunc.definition.originalname)
    root = metafunc.config.rootpath
    generators = [ReferenceGenerator(name, root) for name in names]
    if names:
        metafunc.parametrize(_FIXTURE, generators, ids=names)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out whatever is no labelled app."""
    others = [item for item in items if not _is_labelled(item)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _is_labelled(item)]


class Witness:
    """Remembers which run a session was; it stays in the process that began it."""

    def __init__(self) -> None:
        self.run = Path()
        self.settings: Any = None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Note the run's directory and settings, and spare the reader the closing table.

        A pass rate over good and faulty apps together means nothing.
        """
        from pytest_appbench.fixtures import RUN_ID, SETTINGS

        session.config.pluginmanager.unregister(name="appbench-terminal")
        stash = session.config.stash
        self.settings = stash[SETTINGS]
        self.run = self.settings.run_dir / stash[RUN_ID]


def _is_task(definition: pytest.Item) -> bool:
    from pytest_appbench.collect import TaskModule

    return definition.getparent(TaskModule) is not None


def _is_labelled(item: pytest.Item) -> bool:
    return isinstance(item, TaskItem) and _FIXTURE in getattr(item, "callspec", _NONE).params


class _NONE:
    params: dict[str, Any] = {}  # noqa: RUF012, nothing is ever put in
