"""Task files become pytest items.

Each task file is a `pytest.Module` with a synthetic module object: one function per task, and the
fixtures that guard the browser for these items only. Everything pytest does with functions of a
module (marks, keywords, fixtures, parametrisation, conftest overrides) therefore holds for tasks.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from pytest_appbench import guarded
from pytest_appbench.errors import TaskFileError
from pytest_appbench.settings import Settings
from pytest_appbench.stepwise.layout import is_project

TASK_FILES = ["*.task.yaml", "*.task.yml"]
IDS: pytest.StashKey[Any] = pytest.StashKey()
ALIKE = {
    "_pytest.fixtures",
    "_pytest.python",
    "pytest_asyncio.plugin",
    "pytest_playwright.pytest_playwright",
}
"""Modules whose test generation cannot tell one task of a file from another."""
DEFAULTS = ("defaults.task.yaml", "defaults.task.yml")


class TaskItem(pytest.Function):
    """One task, and for each browser one, as pytest runs it."""

    task: Any

    @classmethod
    def remake(
        cls, made: pytest.Function, task: Any, function: Callable[..., None] | None = None
    ) -> TaskItem:
        """Make a task item of an item that pytest generated for this or an earlier task.

        Args:
            made: The item, parametrised or not.
            task: The task.
            function: The task's function, if the item was made for another.

        Returns:
            The item, with the task, its words as keywords, and its place in the task file.
        """
        parameters = {"callspec": made.callspec} if hasattr(made, "callspec") else {}
        item: TaskItem = cls.from_parent(
            made.parent,
            name=task.id + made.name.removeprefix(made.originalname),
            originalname=task.id,
            callobj=function or made.obj,
            fixtureinfo=made._fixtureinfo,
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

    _first: Sequence[TaskItem] = ()

    def _getobj(self) -> types.ModuleType:
        module = types.ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        vars(module).update(
            (name, value) for name, value in vars(guarded).items() if name.startswith("guarded_")
        )
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
        generate = self._generated if self._tasks_may_differ() else self._copied
        for task in tasks:
            yield from generate(task)

    def _claim(self, tasks: Iterable[Any]) -> None:
        from pytest_appbench.tasks.load import Ids

        ids = self.session.stash.setdefault(IDS, {}).setdefault(self.path.parent, Ids())
        problems = [problem for task in tasks if (problem := ids.claim(task))]
        if problems:
            raise self.CollectError("\n".join(map(str, problems)))

    def _generated(self, task: Any) -> Iterator[TaskItem]:
        """Let pytest generate the items of one task."""
        function = _function_of(task)
        setattr(self.obj, task.id, function)  # pytest looks its functions up in the module
        collected = self.ihook.pytest_pycollect_makeitem(collector=self, name=task.id, obj=function)
        for item in collected or ():
            yield TaskItem.remake(item, task)

    def _copied(self, task: Any) -> Iterator[TaskItem]:
        """Copy the items that pytest generated for the first task: same fixtures, same browsers."""
        if not self._first:
            self._first = list(self._generated(task))
            yield from self._first
            return
        function = _function_of(task)
        for item in self._first:
            yield TaskItem.remake(item, task, function)

    def _tasks_may_differ(self) -> bool:
        """Whether somebody generates tests by looking at the single task.

        Working out fixtures and parameters is most of the cost of collecting; where only those
        take part that treat all tasks of a file alike, it is done once.
        """
        implementations = self.ihook.pytest_generate_tests.get_hookimpls()
        return any(i.function.__module__ not in ALIKE for i in implementations)


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
    def run(request: pytest.FixtureRequest, page: Any, appbench_verdict: Any) -> None:
        from pytest_appbench import outcome

        outcome.amend(request.node, appbench_verdict)
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


def fences(settings: Settings, globs: Sequence[str]) -> Fences:
    """The places into which pytest must never look.

    Args:
        settings: The settings of the run.
        globs: Patterns for the names of task files.

    Returns:
        Those around the run directories, the cache, and the folders of the generator's apps.
    """
    from pytest_appbench.artifacts.generators import resolve

    generator = resolve(settings.generator, settings.base("generator"))
    return Fences((settings.run_dir, settings.cache_dir, *generator.roots), globs)


class Fences:
    """Where files come from apps, agents or models, and where the tests of projects of steps are.

    Args:
        folders: Folders into which pytest must never look, beside every `apps/` of task files.
        globs: Patterns for the names of task files.
    """

    def __init__(self, folders: Iterable[Path], globs: Sequence[str]) -> None:
        self._globs = globs
        # pytest asks for every file, and folders are told by files that would have to be sought.
        self._known = dict.fromkeys(folders, True)

    def hold(self, path: Path) -> bool:
        """Whether a path lies within a fence.

        Args:
            path: A file or folder that pytest is about to collect.
        """
        known = self._known.get(path)
        if known is None:
            known = (path.parent != path and self.hold(path.parent)) or self._begins_at(path)
            self._known[path] = known
        return known

    def _begins_at(self, path: Path) -> bool:
        if not path.is_dir():
            return False
        if path.name == "apps" and any(is_task_file(f, self._globs) for f in path.parent.iterdir()):
            return True
        return is_project(path)


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
