"""From tasks to the formats of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pytest_appbench.errors import ExchangeError, TaskFileError
from pytest_appbench.tasks.importers import Format, listed
from pytest_appbench.tasks.validate import read_tasks


def export(
    form: Format, sources: Iterable[Path], out: Path, *, force: bool = False
) -> tuple[int, Counter[str]]:
    """Write tasks in a format of others.

    Args:
        form: The format.
        sources: Task files, and folders of them.
        out: The file or folder to write.
        force: Replace a file that is there; a folder never.

    Returns:
        The number of tasks, and what the format does not hold with the number of tasks that have
        it.

    Raises:
        ExchangeError: The format cannot be written, or something is in the way.
        TaskFileError: The tasks cannot be read.
    """
    if form.write is None:
        raise ExchangeError(
            f"{form.name} can only be imported: it asks for what a task does not hold. Formats "
            f"that can be written:\n{listed(writable=True)}"
        )
    tasks, problems = read_tasks(sources)
    if problems:
        raise TaskFileError(problems)
    if out.is_dir() and any(out.iterdir()):
        raise ExchangeError(f"{out}: the folder is not empty; name one that is not there yet")
    if out.is_file() and not force:
        raise ExchangeError(f"{out} is there already; name another place, or say --force")
    lost: Counter[str] = Counter()
    for task in tasks:
        said = task.model_dump(exclude_defaults=True, exclude={"id", "path", "line"})
        lost.update(key for key in said if key not in form.holds)
    if out.is_dir():
        out.rmdir()
    out.parent.mkdir(parents=True, exist_ok=True)
    form.write(tasks, out)
    return len(tasks), lost
