"""`html`: pages that run as they are; nothing is built."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_appbench.artifacts.builders import Format
from pytest_appbench.artifacts.candidate import entry_point


def root(names: Iterable[str]) -> str | None:
    """At the top, or in the one folder that holds an index.html, the highest one."""
    listed = list(names)
    if entry_point(name for name in listed if "/" not in name) is not None:
        return ""
    folders = sorted(
        (name.removesuffix("/index.html") for name in listed if name.endswith("/index.html")),
        key=lambda folder: folder.count("/"),
    )
    if not folders:
        return None
    depth = folders[0].count("/")
    highest = [folder for folder in folders if folder.count("/") == depth]
    return highest[0] if len(highest) == 1 else None


FORMAT = Format(
    name="html",
    wanted="an index.html, or exactly one .html file, at its top",
    missing="no page to open: it must be an index.html, or the only .html file, at the top of the "
    "workspace",
    page="HTML page",
    root=root,
    prompt="html",
    rules="""\
- The page that opens is `index.html`, at the top. Best is one page with its styles and scripts in
  it; further files are fine if it refers to them by relative paths.
- It must run as it is, without a build step and without a server of its own.""",
)
