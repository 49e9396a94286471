"""What the tests of projects of steps share: a project of three quick steps, and its solutions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kit import Benchmark

STEPS = {
    "task-1": "Add a heading 'Shop'.",
    "task-2": "Add a button 'Buy'.",
    "task-3": "Add a paragraph 'Sold out'.",
}
PARTS = {
    "task-1": "<h1>Shop</h1>",
    "task-2": "<button>Buy</button>",
    "task-3": "<p>Sold out</p>",
}
PAGE = '<!doctype html><html lang="en"><title>Shop</title><main>{}</main></html>'
CHECK = '''\
"""A check of one step."""


def check_static_is_there(page):
    """What the step adds is there."""
    assert page.locator("{selector}").count() == 1, "there is no {selector}"
'''


def page_of(*names: str) -> str:
    """The page with the parts of some steps."""
    return PAGE.format("".join(PARTS[name] for name in names))


def add_project(benchmark: Benchmark, folder: str = "bench/projects/shop") -> Path:
    """Write the project, with checks in Python, its initial code and its own solution."""
    lines = [
        json.dumps({"id": name, "date": "2025-5-21", "level": "easy", "description": text})
        for name, text in STEPS.items()
    ]
    benchmark.write(f"{folder}/tasks.jsonl", "\n".join(lines))
    benchmark.write(f"{folder}/src-init/index.html", PAGE.format(""))
    benchmark.write(f"{folder}/src/index.html", page_of(*PARTS))
    for name, selector in zip(STEPS, ("h1", "button", "p"), strict=True):
        benchmark.write(f"{folder}/checks/{name}.py", CHECK.format(selector=selector))
    return benchmark.root / folder


def add_task(
    benchmark: Benchmark, name: str = "shop", steps: str = "projects/shop", **fields: Any
) -> None:
    """Add a task that names a project."""
    own = {"protocol": "webbench", "steps": steps, "query": "A shop.", **fields}
    benchmark.task(name, app=None, checks=None, **own)
