"""Task files become pytest items.

Each task file is a `pytest.Module` with a synthetic module object: one function per task, and the
fixtures that guard the browser for these items only. Everything pytest does with functions of a
module (marks, keywords, fixtures, parametrisation, conftest overrides) therefore holds for tasks.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from pytest_appbench import fixtures
from pytest_appbench.errors import TaskFileError
from pytest_appbench.settings import Settings

TASK_FILES = ["*.task.yaml", "*.task.yml"]
IDS: pytest.StashKey[Any] = pytest.StashKey()
DEFAULTS = ("defaults.task.yaml", "defaults.task.yml")


class TaskItem(pytest.Function):
    """One task, and for each browser one, as pytest runs it."""

    task: Any

    @classmethod
    def remake(cls, function: pytest.Function, task: Any) -> TaskItem:
        """Make a task item of the function item that pytest generated for a task.

        Args:
            function: The item, parametrised or not.
            task: Its task.

        Returns:
            The item, with the task, its words as keywords, and its place in the task file.
        """
        parameters = {"callspec": function.callspec} if hasattr(function, "callspec") else {}
        item: TaskItem = cls.from_parent(
            function.parent,
            name=function.name,
            originalname=function.originalname,
            callobj=function.obj,
            fixtureinfo=function._fixtureinfo,
            **parameters,
        )
        item.task = task
        item.extra_keyword_matches.update(words_of(task).values())
        return item

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place of the task: its file and line, counted from 0, and the item's name."""
        return self.path, self.task.line - 1, self.name


class TaskModule(pytest.Module):
    """A task file."""

    def _getobj(self) -> types.ModuleType:
        module = types.ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        for name, fixture in fixtures.OF_TASK_ITEMS.items():
            setattr(module, name, fixture)
        return module

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Yield an item for each task and browser.

        Raises:
            CollectError: The file has mistakes; the message lists every one with its line.
        """
        from pytest_appbench.tasks.load import load_file

        list(super().collect())  # registers the fixtures of the synthetic module
        try:
            tasks = load_file(self.path, root=self.config.rootpath)
        except TaskFileError as error:
            raise self.CollectError(str(error)) from None
        self._claim(tasks)
        for task in tasks:
            yield from self._items(task)

    def _claim(self, tasks: Iterable[Any]) -> None:
        from pytest_appbench.tasks.load import Ids

        ids = self.session.stash.setdefault(IDS, {}).setdefault(self.path.parent, Ids())
        problems = [problem for task in tasks if (problem := ids.claim(task))]
        if problems:
            raise self.CollectError("\n".join(map(str, problems)))

    def _items(self, task: Any) -> Iterator[pytest.Item]:
        collected = self.ihook.pytest_pycollect_makeitem(
            collector=self, name=task.id, obj=_function_of(task)
        )
        for function in collected or ():
            yield TaskItem.remake(function, task)


def words_of(task: Any) -> dict[str, str]:
    """The words that select a task with `-k` and, by name, with `-m`.

    Args:
        task: The task.

    Returns:
        domain, subclass and level, as far as the task has them.
    """
    words = {"domain": task.domain, "subclass": task.subclass, "level": task.level}
    return {name: word for name, word in words.items() if word}


def _function_of(task: Any) -> Callable[..., None]:
    def run(page: Any, appbench_verdict: Any) -> None:
        from pytest_appbench import outcome

        outcome.report(appbench_verdict)

    run.__name__ = run.__qualname__ = task.id
    run.__doc__ = task.query
    run.__test__ = True  # type: ignore[attr-defined]
    run.pytestmark = [pytest.mark.appbench(**words_of(task)).mark]  # type: ignore[attr-defined]
    return run


def is_task_file(path: Path, globs: Iterable[str]) -> bool:
    """Whether a file holds tasks.

    Args:
        path: The file.
        globs: Patterns for the file's name.

    Returns:
        True for a task file; a file of defaults is none.
    """
    return path.name not in DEFAULTS and any(fnmatch(path.name, glob) for glob in globs)


def fences(settings: Settings) -> tuple[Path, ...]:
    """The folders into which pytest must never look, beside every `apps/` of task files.

    Args:
        settings: The settings of the run.

    Returns:
        The run directories, the cache, and the folders of the generator's apps.
    """
    from pytest_appbench.artifacts.generators import resolve

    generator = resolve(settings.generator, settings.base("generator"))
    return settings.run_dir, settings.cache_dir, *generator.roots


def is_fenced(path: Path, fenced: tuple[Path, ...]) -> bool:
    """Whether a path lies where files come from apps, agents or models.

    Args:
        path: A file or folder that pytest is about to collect.
        fenced: The folders of `fences`.

    Returns:
        True when nothing in there may be collected.
    """
    lineage = (path, *path.parents)
    return any(fence in lineage for fence in fenced) or any(
        folder.name == "apps" and any(folder.parent.glob("*.task.y*ml")) for folder in lineage
    )


def pages_last(items: list[pytest.Item]) -> None:
    """Put async tests that use no page before the task items.

    After the first page of sync Playwright no asyncio runner starts in that thread, so an async
    test that came after a task would fail for no fault of its own.

    Args:
        items: The collected items, ordered in place.
    """
    if any(isinstance(item, TaskItem) for item in items):
        items.sort(key=lambda item: not _is_async_without_page(item))


def _is_async_without_page(item: pytest.Item) -> bool:
    return (
        isinstance(item, pytest.Function)
        and inspect.iscoroutinefunction(item.obj)
        and "page" not in item.fixturenames
    )
