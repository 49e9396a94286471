"""What is kept from one run to the next: apps that models wrote, and verdicts that models gave.

Each stage has a policy: `read` uses what is there and keeps what is new, `refresh` keeps what is
new without looking, `off` does neither. A key is a hash of everything that the result depends on.
Errors and refusals are never kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock


class Cache:
    """Results by key, shared by all processes that use the same cache directory.

    Args:
        folder: The cache directory.
        policy: Stage (generate, build, judge) to off, read or refresh.
    """

    def __init__(self, folder: Path, policy: Mapping[str, str]) -> None:
        self._folder, self._policy = folder, policy

    def get(self, stage: str, key: str, files: Path | None = None) -> dict[str, Any] | None:
        """What is kept under a key.

        Args:
            stage: generate, build or judge.
            key: From `key_of`.
            files: A folder into which the files kept with it are copied.

        Returns:
            The data, or None if there is none or the policy says not to look.
        """
        if self._policy[stage] != "read":
            return None
        return self._read(self._place(stage, key), files)

    def put(self, stage: str, key: str, data: Mapping[str, Any], files: Path | None = None) -> None:
        """Keep a result.

        Args:
            stage: generate, build or judge.
            key: From `key_of`.
            data: The result, as JSON.
            files: A folder whose files are kept with it.
        """
        if self._policy[stage] != "off":
            self._write(self._place(stage, key), data, files)

    def last(self, key: str) -> dict[str, Any] | None:
        """What `remember` kept, whatever the policy: the newest result of its kind."""
        return self._read(self._place("last", key), None)

    def remember(self, key: str, data: Mapping[str, Any]) -> None:
        """Keep the newest result of its kind, for `--lf`."""
        self._write(self._place("last", key), data, None)

    def forget(self, key: str) -> None:
        """Undo `remember`: the newest attempt came to nothing."""
        (self._place("last", key) / "result.json").unlink(missing_ok=True)

    def _place(self, stage: str, key: str) -> Path:
        return self._folder / stage / key[:2] / key

    def _read(self, place: Path, files: Path | None) -> dict[str, Any] | None:
        try:
            data: dict[str, Any] = json.loads((place / "result.json").read_text("utf-8"))
            if files is not None and (place / "files").is_dir():
                shutil.copytree(place / "files", files, dirs_exist_ok=True)
        except (OSError, ValueError):  # not there, or thinned out by a cleaner of old files
            return None
        return data

    def _write(self, place: Path, data: Mapping[str, Any], files: Path | None) -> None:
        place.mkdir(parents=True, exist_ok=True)
        with FileLock(place / ".lock"):
            if files is not None:
                shutil.rmtree(place / "files", ignore_errors=True)
                shutil.copytree(files, place / "files")
            # The result comes last and at once: whoever reads it finds its files.
            draft = place / "result.tmp"
            draft.write_text(json.dumps(data), encoding="utf-8")
            draft.replace(place / "result.json")


def key_of(**facts: Any) -> str:
    """The key of everything that a result depends on.

    Args:
        facts: Values as JSON.

    Returns:
        A hash, in hexadecimal.
    """
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
