"""Folders in which an app comes to be, outside the repository, and what is made of them afterwards.

Whatever wrote there is not trusted: links that lead out are removed, and nothing is followed. This
module does not know who writes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.builders.html import FORMAT as HTML
from pytest_appbench.artifacts.candidate import enumerate_names
from pytest_appbench.artifacts.store import JUNK
from pytest_appbench.errors import GenerationFailed

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Format

_PREFIX = "appbench-"


@contextmanager
def new_workspace(hidden: Iterable[Path] = ()) -> Iterator[Path]:
    """An empty folder; it stays if all goes well, and is removed if not.

    Args:
        hidden: Folders that it must not lie in.
    """
    folder = _new(hidden)
    try:
        yield folder
    except BaseException:
        remove(folder)
        raise


@contextmanager
def scratch(hidden: Iterable[Path] = ()) -> Iterator[Path]:
    """An empty folder that is removed afterwards.

    Args:
        hidden: Folders that it must not lie in.
    """
    folder = _new(hidden)
    try:
        yield folder
    finally:
        remove(folder)


def _new(hidden: Iterable[Path]) -> Path:
    covers = [folder.resolve() for folder in hidden]
    usual = Path(tempfile.gettempdir()).resolve()
    places = [usual, *(path for path in (Path("/tmp"), Path("/var/tmp")) if path.is_dir())]
    outside = [
        place for place in places if not any(place.resolve().is_relative_to(c) for c in covers)
    ]
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=next(iter(outside), usual))).resolve()


def remove(folder: Path) -> None:
    """Remove a folder with all it holds, also what its writer made unreadable.

    Args:
        folder: The folder; it may be gone already.
    """
    for _ in _folders(folder, leave=frozenset()):
        pass
    shutil.rmtree(folder, ignore_errors=True)


def write(files: Mapping[str, str | bytes], folder: Path) -> None:
    """Write an app's files.

    Args:
        files: Relative paths, already known to be safe, and contents.
        folder: An empty folder.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
        path.write_bytes(data)


def tidy(workspace: Path, form: Format = HTML) -> tuple[str, ...]:
    """Make what was left in a workspace an app: without links that lead out, and at the top.

    Args:
        workspace: Where someone wrote; its content is changed.
        form: What the app is made of.

    Returns:
        What was done, as sentences.

    Raises:
        GenerationFailed: There is no app in it; the message says what there is.
    """
    links = _unlink_strangers(workspace)
    names = sorted(file_names(workspace))
    root = form.root(names)
    if root is None:
        found = enumerate_names(names)
        raise GenerationFailed(f"{form.missing} (found: {found})", _told(links))
    notes = []
    if root:
        notes.append(f"the app was taken from the folder {root}/, it was not at the top")
        _raise_to_top(workspace / root, workspace)
        links += _unlink_strangers(workspace)
    return tuple(notes) if not links else (*notes, _told(links))


def secure(workspace: Path) -> tuple[str, ...]:
    """Make all files of a workspace readable, and remove links that lead out of it.

    Args:
        workspace: Where someone wrote; its content is changed.

    Returns:
        What was done, as sentences.
    """
    links = _unlink_strangers(workspace)
    for _ in file_names(workspace):
        pass
    return (_told(links),) if links else ()


def _raise_to_top(inner: Path, workspace: Path) -> None:
    aside = workspace.with_name(workspace.name + ".app")
    inner.rename(aside)
    shutil.rmtree(workspace)
    aside.rename(workspace)


def _folders(top: Path, leave: Container[str] = JUNK) -> Iterator[Path]:
    """Every folder but installed packages, made readable first, without following links."""
    pending = [top]
    while pending:
        folder = pending.pop()
        with suppress(OSError):
            folder.chmod(0o700)
        yield folder
        with suppress(OSError), os.scandir(folder) as entries:
            pending += [
                Path(entry)
                for entry in entries
                if entry.name not in leave and entry.is_dir(follow_symlinks=False)
            ]


def file_names(top: Path) -> Iterator[str]:
    """The relative paths of an app's files, made readable; without installed packages.

    Args:
        top: The folder.
    """
    for folder in _folders(top):
        for path in folder.iterdir():
            if path.is_file() and path.name not in JUNK:
                if not os.access(path, os.R_OK):
                    path.chmod(0o600)
                yield path.relative_to(top).as_posix()


def _unlink_strangers(top: Path) -> list[str]:
    """Remove links that lead out of a folder, nowhere, or to a folder that holds them."""
    removed = []
    for folder in _folders(top):
        for path in folder.iterdir():
            if path.is_symlink():
                # Path.resolve raises on a link that leads to itself; realpath answers.
                target = Path(os.path.realpath(path))
                leads_out = not target.is_relative_to(top) or not target.exists()
                if leads_out or path.is_relative_to(target):
                    removed.append(path.relative_to(top).as_posix())
                    path.unlink()
    return sorted(removed)


def _told(links: list[str]) -> str:
    named = enumerate_names(links)
    return f"links that lead out of the workspace were removed: {named}" if links else ""
