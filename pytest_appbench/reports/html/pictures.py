"""Screenshots of a report: linked where they lie, or taken into it."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_appbench.judges.evidence import PICTURES
from pytest_appbench.reports.html.clean import clean

_TYPES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".webp": "webp"}


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
        self.embedded: list[str] = []

    def of(self, folder: Path) -> dict[str, dict[str, Any]]:
        """The pictures of one judging by their file names.

        Args:
            folder: Its folder of evidence.

        Returns:
            For each the name `n`, and either the address `u`, or the number `i` of what was taken
            in with its type `t`.
        """
        files = sorted(path for path in folder.iterdir() if path.suffix in PICTURES)
        return {path.name: self._take(path) for path in files if path.is_file()}

    def _take(self, path: Path) -> dict[str, Any]:
        name = clean(path.name, 120)
        if self._way == "embed":
            self.embedded.append(base64.b64encode(path.read_bytes()).decode("ascii"))
            return {"n": name, "i": len(self.embedded) - 1, "t": _TYPES[path.suffix]}
        return {"n": name, "u": self._address(path)}

    def _address(self, path: Path) -> str:
        try:
            relative = Path(os.path.relpath(path, self._start))
        except ValueError:  # another drive, on Windows
            return path.as_uri()
        return quote(relative.as_posix())
