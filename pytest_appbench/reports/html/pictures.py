"""Screenshots of a report: linked where they lie, or taken into it."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_appbench.reports.html.clean import clean

_TYPES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".webp": "webp"}
_NAME = re.compile(r"(?:[\w-][\w.-]*/)?[\w-][\w.-]*")


class Pictures:
    """Takes in the screenshots of judgings.

    Args:
        out: The report, from whose folder links start.
        way: `link` or `embed`.

    Attributes:
        embedded: The pictures in base64, in order; the report holds each in an element of its own.
    """

    def __init__(self, out: Path, way: str) -> None:
        self._start, self._way = out.resolve().parent, way
        self._taken: dict[Path, int] = {}
        self.embedded: list[str] = []

    def of(self, folder: Path) -> list[dict[str, Any]]:
        """The pictures that lie at the top of a folder of evidence.

        Args:
            folder: The folder of one judging.

        Returns:
            What `one` gives for each, in order of their names.
        """
        names = sorted(path.name for path in folder.iterdir() if path.suffix in _TYPES)
        return [found for name in names if (found := self.one(folder, name))]

    def one(self, folder: Path, name: str) -> dict[str, Any] | None:
        """One picture.

        Args:
            folder: The folder of evidence of one judging.
            name: A file in it, or in a folder below.

        Returns:
            Its name `n`, and either its address `u`, or the number `i` of what was taken in with
            its type `t`; None if it is no picture or is not there.
        """
        path = folder / name
        if not _NAME.fullmatch(name) or path.suffix not in _TYPES or not path.is_file():
            return None
        words = {"n": clean(name, 120)}
        if self._way == "link":
            return {**words, "u": self._address(path)}
        if path not in self._taken:  # several steps may show the same picture
            self._taken[path] = len(self.embedded)
            self.embedded.append(base64.b64encode(path.read_bytes()).decode("ascii"))
        return {**words, "i": self._taken[path], "t": _TYPES[path.suffix]}

    def _address(self, path: Path) -> str:
        try:
            relative = Path(os.path.relpath(path, self._start))
        except ValueError:  # another drive, on Windows
            return path.as_uri()
        return quote(relative.as_posix())
