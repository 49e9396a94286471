#!/usr/bin/env python3
"""Makes the pictures of the README from a real run: the terminal and the report.

Takes the apps that ship, good ones for most tasks and faulty ones for every third, as if an agent
had written them; judges them with the probe; and takes pictures of what pytest printed and of the
report, into docs/pictures/. Further words go to pytest:

    python scripts/pictures.py [-k games]
"""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pytest_appbench.browser.launch import find_chromium, guard_arguments

ROOT = Path(__file__).resolve().parents[1]
BUILT = ("react",)
"""Folders of tasks whose apps are built first: left out, they need Node.js."""
OUT = ROOT / "docs" / "pictures"
COMMAND = ("pytest", "benchmarks", "-n2", "--dist=worksteal", "--tb=no")
OPTIONS = ("--appbench-generator=dir:candidates", "--appbench-html=report.html")
COLUMNS = 112
CONFIGURATION = """\
[pytest]
filterwarnings = ignore:Session-scoped fixtures defined as instance methods
"""
COLOURS = {"31": "#a63a2e", "32": "#2b6e4a", "33": "#86610f", "36": "#2f6b78"}
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: inline-block; padding: 26px 32px; background: #fbfaf8; color: #1d1d1b }}
pre {{ margin: 0; width: {columns}ch; white-space: pre-wrap; word-break: break-all;
  font: 13px/1.5 ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }}
</style><pre>{text}</pre>"""


def candidates(folder: Path) -> None:
    """Put an app for each task where `dir:` looks for it."""
    found = sorted((ROOT / "benchmarks").glob("*/apps/*"))
    for number, apps in enumerate(path for path in found if path.parts[-3] not in BUILT):
        kind = "faulty" if number % 3 == 1 and (apps / "faulty").is_dir() else "good"
        shutil.copytree(apps / kind, folder / apps.name)


def judged(folder: Path, words: list[str]) -> str:
    """Run pytest in a folder of its own; gives what it printed."""
    built = shutil.ignore_patterns(*BUILT)
    shutil.copytree(ROOT / "benchmarks", folder / "benchmarks", ignore=built)
    candidates(folder / "candidates")
    (folder / "pytest.ini").write_text(CONFIGURATION, encoding="utf-8")
    inherited = {k: v for k, v in os.environ.items() if k not in ("CI", "BUILD_NUMBER")}
    done = subprocess.run(
        [*COMMAND, *OPTIONS, *words, "--no-header", "--color=yes", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**inherited, "COLUMNS": str(COLUMNS)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)
    return f"$ {shlex.join((*COMMAND, *OPTIONS, *words))}\n{done.stdout}"


def coloured(text: str) -> Iterator[str]:
    """The terminal's colours as HTML."""
    style: dict[str, str] = {}
    for code, words in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", text):
        for one in code.split(";") if code else ():
            if one == "0":
                style.clear()
            elif one == "1":
                style["font-weight"] = "600"
            elif one in COLOURS:
                style["color"] = COLOURS[one]
        if words:
            written = ";".join(f"{name}:{value}" for name, value in style.items())
            yield f'<span style="{written}">{html.escape(words)}</span>'


def take(folder: Path, printed: str) -> None:
    """Take the pictures."""
    terminal = folder / "terminal.html"
    terminal.write_text(
        TERMINAL.format(columns=COLUMNS + 1, text="".join(coloured(printed))), encoding="utf-8"
    )
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium().executable, args=guard_arguments(9)
        )
        size: Any = {"width": 1200, "height": 900}
        for name, scheme in (("light", "light"), ("dark", "dark")):
            page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=1.5)
            page.goto((folder / "report.html").as_uri())
            page.wait_for_function("document.getElementById('found').textContent")
            page.screenshot(path=OUT / f"report-{name}.png")
            page.close()
        page = browser.new_page(viewport=size, device_scale_factor=1.5)
        page.goto(terminal.as_uri())
        page.locator("body").screenshot(path=OUT / "terminal.png")
        browser.close()


def main() -> int:
    """Judge, and take the pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take(folder, judged(folder, sys.argv[1:]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
