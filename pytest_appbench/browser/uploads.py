"""The files that a judge may give to a file input: those that came with the request, or its own.

A material is named and read here; what is not on the list is never read, whatever its name.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_appbench.browser.methods import HandsError

_HOW = "each file is the name of a material, or {name, content or base64}, and may have type"


class Uploads:
    """What can be uploaded.

    Args:
        materials: Where each material is, by its name.
    """

    def __init__(self, materials: Mapping[str, Path] | None = None) -> None:
        self._materials = dict(materials or {})

    def given(self, files: Sequence[str | dict[str, str]]) -> list[dict[str, str]]:
        """Files as the page takes them.

        Args:
            files: Names of materials, or files that the judge wrote itself.

        Returns:
            Name, media type and content, base64, of each.

        Raises:
            HandsError: One is neither.
        """
        return [
            self._material(file) if isinstance(file, str) else self._own(file) for file in files
        ]

    def _material(self, name: str) -> dict[str, str]:
        from pytest_appbench.artifacts.mime import content_type

        path = self._materials.get(name)
        if path is None:
            ends = [one for one in self._materials if one.rpartition("/")[2] == name]
            path = self._materials[ends[0]] if len(ends) == 1 else None
        if path is None:
            known = ", ".join(self._materials) or "none in this task"
            raise HandsError(f"upload: there is no material {name!r}; there are: {known}. {_HOW}")
        media = content_type(path.name).partition(";")[0]
        encoded = base64.b64encode(path.read_bytes()).decode()
        return {"name": name.rpartition("/")[2], "type": media, "base64": encoded}

    def _own(self, file: dict[str, str]) -> dict[str, str]:
        name = file.get("name")
        if name and "content" not in file and "base64" not in file:
            return self._material(name)
        if not name or ("content" in file) == ("base64" in file):
            raise HandsError(f"upload: {_HOW}")
        encoded = file.get("base64") or base64.b64encode(file.get("content", "").encode()).decode()
        return {"name": name, "type": file.get("type", ""), "base64": encoded}
