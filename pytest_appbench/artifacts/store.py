"""The content-addressed store: takes an app's files in once, and never changes them afterwards.

It copies what a generator left on disk, whatever that contains, as plain data: nothing is executed,
imported or interpreted. It knows nothing of tasks, generators or servers.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_appbench.artifacts.candidate import entry_point
from pytest_appbench.errors import AppbenchError, ArtifactRefused

MAX_ENTRIES = 2_000
"""Files and folders that an app may have."""

MAX_BYTES = 200_000_000
"""Size of all files of an app together, in bytes."""

JUNK = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".DS_Store",
        ".idea",
        ".venv",
        ".vscode",
        "Thumbs.db",
        "__MACOSX",
        "__pycache__",
        "node_modules",
    }
)
"""Names of files and folders that no app needs while it runs."""

_LOCK_SECONDS = 300.0
_CACHE_TAG = """\
Signature: 8a477f597d28d172789f06886806bc55
# This file marks a cache directory, created by pytest-appbench. It can be deleted at any time.
# For information about cache directory tags, see https://bford.info/cachedir/
"""


@dataclass(frozen=True)
class Artifact:
    """An app's files in the store.

    Attributes:
        root: The folder that holds them; its files are read-only.
        digest: SHA-256 over their relative paths and contents, in hexadecimal.
        origin: Where they came from, such as `reference:good`.
        skipped: Relative paths that were left out: version control, installed packages, and
            whatever is not a regular file.
    """

    root: Path
    digest: str
    origin: str
    skipped: tuple[str, ...] = ()

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The relative paths of all files, with forward slashes, sorted."""
        return tuple(sorted(_stored_files(self.root)))

    @cached_property
    def entry(self) -> str | None:
        """The page that opens first, or None if the files are not an app."""
        return entry_point(name for name in self.files if "/" not in name)


class Store:
    """Artifacts by content, shared by all processes that use the same cache directory.

    Args:
        cache_dir: The cache directory; created if it does not exist.
    """

    def __init__(self, cache_dir: Path) -> None:
        self._artifacts = cache_dir.resolve() / "artifacts"
        self._artifacts.mkdir(parents=True, exist_ok=True)
        tag = self._artifacts.parent / "CACHEDIR.TAG"
        if not tag.exists():
            tag.write_text(_CACHE_TAG, encoding="utf-8")
            (tag.parent / ".gitignore").write_text("*\n", encoding="utf-8")

    def add(self, source: Path, origin: str) -> Artifact:
        """Take an app's files in; cheap if they are already there.

        Args:
            source: A folder, or a single file.
            origin: Where the files came from, such as `reference:good`.

        Returns:
            The stored copy.

        Raises:
            ArtifactRefused: A link leads out of the folder, there are too many files or too many
                bytes, a file cannot be read, or files change while they are copied.
            AppbenchError: The store stays locked by another process.
        """
        try:
            files, skipped = _survey(source)
            digest = _digest(files)
        except OSError as error:
            raise ArtifactRefused(f"cannot read the files of {source}: {error}") from error
        root = self._artifacts / digest[:2] / digest
        if not _holds(root, digest):
            self._take_in(files, root, source)
        return Artifact(root, digest, origin, skipped)

    def find(self, digest: str, origin: str) -> Artifact | None:
        """An artifact that was taken in before, or None if it is not there or not whole.

        Args:
            digest: Its digest.
            origin: Where its files came from.
        """
        root = self._artifacts / digest[:2] / digest
        return Artifact(root, digest, origin) if _holds(root, digest) else None

    def _take_in(self, files: Mapping[str, Path], root: Path, source: Path) -> None:
        lock = self._artifacts / ".lock"
        try:
            with FileLock(lock, timeout=_LOCK_SECONDS):
                if not _holds(root, root.name):
                    self._copy(files, root, source)
        except Timeout as error:
            raise AppbenchError(
                f"another process has held {lock} for {_LOCK_SECONDS:.0f} s: end the one that "
                "hangs, or choose another cache directory"
            ) from error

    def _copy(self, files: Mapping[str, Path], root: Path, source: Path) -> None:
        incoming = self._artifacts / ".incoming"
        _remove(incoming)
        incoming.mkdir()
        for name, path in files.items():
            target = incoming / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            target.chmod(0o444)
        if _digest(_stored_files(incoming)) != root.name:
            _remove(incoming)
            raise ArtifactRefused(
                f"the files of {source} changed while they were copied: let whatever writes there "
                "finish first"
            )
        _remove(root)
        root.parent.mkdir(exist_ok=True)
        incoming.rename(root)


def _survey(source: Path) -> tuple[dict[str, Path], tuple[str, ...]]:
    """List what to copy: relative paths to real files, and what is left out."""
    top = source.resolve(strict=True)
    if not top.is_dir():
        return {source.name: top}, ()
    files: dict[str, Path] = {}
    skipped: list[str] = []
    entries = size = 0
    pending = [(top, "", frozenset({top}))]
    while pending:
        folder, prefix, trail = pending.pop()
        for path in folder.iterdir():
            name = prefix + path.name
            entries += 1
            if entries > MAX_ENTRIES:
                raise ArtifactRefused(
                    f"{source} has more than {MAX_ENTRIES:,} files and folders: point to the "
                    "finished app, not to the project it was built from"
                )
            _require_utf8(name, source)
            if path.name in JUNK:
                skipped.append(name)
                continue
            real = _follow(path, name, top, source) if path.is_symlink() else path
            if real.is_dir():
                if real in trail:
                    raise ArtifactRefused(
                        f"the link '{name}' in {source} leads back to a folder that it lies in"
                    )
                pending.append((real, name + "/", trail | {real}))
            elif real.is_file():
                size += real.stat().st_size
                if size > MAX_BYTES:
                    raise ArtifactRefused(
                        f"{source} has more than {MAX_BYTES // 1_000_000} MB of files"
                    )
                files[name] = real
            else:
                skipped.append(name)
    return files, tuple(sorted(skipped))


def _follow(link: Path, name: str, top: Path, source: Path) -> Path:
    # Path.resolve raises on a link that leads to itself; realpath answers, and the link is skipped
    # later because it is neither a folder nor a file.
    real = Path(os.path.realpath(link))
    if not real.is_relative_to(top):
        raise ArtifactRefused(
            f"the link '{name}' in {source} leads out of the folder, to {real}: "
            "replace it by a copy of the file"
        )
    return real


def _require_utf8(name: str, source: Path) -> None:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ArtifactRefused(
            f"the file name {os.fsencode(name)!r} in {source} is not UTF-8: rename the file"
        ) from error


def _stored_files(root: Path) -> dict[str, Path]:
    return {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def _digest(files: Mapping[str, Path]) -> str:
    whole = hashlib.sha256()
    for name in sorted(files):
        with files[name].open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        # A name holds no NUL and a hexadecimal digest has a fixed length, so that no two different
        # sets of files spell the same sequence.
        whole.update(f"{name}\0{content}".encode())
    return whole.hexdigest()


def _holds(root: Path, digest: str) -> bool:
    """Whether an artifact is there and whole; a cleaner of old files may have thinned it out."""
    try:
        return root.is_dir() and _digest(_stored_files(root)) == digest
    except OSError:
        return False


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
