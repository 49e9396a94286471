"""Which files outside the system's folders the programs of this machine consist of.

A sandbox shows the system's folders. What a user installed elsewhere (a virtual environment, Node
by a version manager, a program in `~/.local/bin`) must be shown too, or an agent that works in a
terminal would not work in a sandbox; and it must be shown without the home folder around it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from pytest_appbench.processes.bubblewrap import in_system

_BESIDE_BIN = ("lib", "lib64", "libexec", "ssl", "pyvenv.cfg")
_FIRST_LINE = 512


def on_path(search: str, hidden: Iterable[Path]) -> tuple[Path, ...]:
    """What the programs on PATH and this Python consist of.

    Args:
        search: The value of PATH.
        hidden: Folders of which nothing but this Python's own is shown.

    Returns:
        Files and folders to show, outermost first.
    """
    view = _View(search, hidden)
    for name in search.split(os.pathsep):
        folder = Path(name)
        if folder.is_absolute() and folder.is_dir():
            view.add_folder(folder)
    shown = {path for path in view.paths if not view.is_covered(path)}
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix}:
        shown |= _both(Path(prefix))
    return _outermost(shown)


def of(program: Path, search: str, hidden: Iterable[Path]) -> tuple[Path, ...]:
    """What one program consists of, wherever it lies.

    Args:
        program: The file, absolute.
        search: The value of PATH, where it may look for its interpreter.
        hidden: Folders in which nothing belongs to a program but a virtual environment and
            installed packages.

    Returns:
        The file alone if it stands by itself, else also what was installed with it.
    """
    view = _View(search, hidden)
    view.add_program(program)
    return _outermost(view.paths)


def _both(path: Path) -> set[Path]:
    """A place by the name it is called by and by its real name."""
    return {path, path.resolve()}


def _outermost(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Without what lies outside a user's own folders, and without what another one holds."""
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda path: (len(path.parts), path)):
        if not in_system(path) and not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return tuple(kept)


class _View:
    def __init__(self, search: str, hidden: Iterable[Path]) -> None:
        self._covers = [folder.resolve() for folder in hidden]
        self.paths: set[Path] = set()
        self._search = search
        self._seen: set[Path] = set()

    def is_covered(self, path: Path) -> bool:
        """Whether a place lies in a folder that is hidden."""
        places = _both(path)
        return any(place.is_relative_to(cover) for place in places for cover in self._covers)

    def add_folder(self, folder: Path) -> None:
        """A folder on PATH, with where its links lead."""
        if in_system(folder) or _is_too_wide(folder.resolve()):
            return
        self._add(folder)
        for place in _both(folder):
            self._add_installed_with(place)
        with suppress(OSError):
            for entry in folder.iterdir():
                if entry.is_symlink():
                    self.add_program(entry)

    def add_program(self, program: Path) -> None:
        real = program.resolve()
        if real in self._seen or in_system(program) or not real.is_file():
            return
        self._seen.add(real)
        self._add(program)
        for place in (program, real):
            if place.parent.name in ("bin", "sbin", "shims"):
                self._add_installed_with(place.parent)
            parts = place.parts
            if "node_modules" in parts:
                self._add(Path(*parts[: parts.index("node_modules") + 1]))
        for interpreter in _interpreters(real, self._search):
            self.add_program(interpreter)

    def _add_installed_with(self, folder: Path) -> None:
        if not self.is_covered(folder) or (folder.parent / "pyvenv.cfg").is_file():
            self.paths.update(_installed_with(folder))

    def _add(self, path: Path) -> None:
        self.paths |= _both(path)


def _is_too_wide(folder: Path) -> bool:
    return Path.home().resolve().is_relative_to(folder)


def _installed_with(folder: Path) -> Iterator[Path]:
    """What belongs to a folder of programs, by the custom of installers."""
    if folder.name == "shims":
        # A version manager's: each of them starts the manager, which starts a version it holds.
        if not _is_too_wide(folder.parent):
            yield folder.parent
    elif folder.name in ("bin", "sbin") and not _is_too_wide(folder):
        yield folder
        for name in _BESIDE_BIN:
            if (folder.parent / name).exists():
                yield from _both(folder.parent / name)


def _interpreters(script: Path, search: str) -> Iterator[Path]:
    """What the first line of a script calls."""
    try:
        with script.open("rb") as file:
            line = file.read(_FIRST_LINE).split(b"\n", 1)[0]
    except OSError:
        return
    if not line.startswith(b"#!"):
        return
    words = os.fsdecode(line[2:]).split()
    if words and Path(words[0]).is_absolute():
        yield Path(words[0])
    if words and Path(words[0]).name == "env":
        for word in words[1:]:
            if not word.startswith("-") and "=" not in word:
                found = shutil.which(word, path=search)
                if found:
                    yield Path(found).absolute()
                return
