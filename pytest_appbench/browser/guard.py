"""Protects a browser context before its first page, and logs what its pages tried.

What keeps an app in is the browser's own name resolution (see `launch`); nothing here is needed for
that, except with browsers other than Chromium.
"""

from __future__ import annotations

import secrets
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

CONTEXT_OPTIONS: dict[str, Any] = {"accept_downloads": False, "service_workers": "block"}
"""Arguments that every guarded context must be created with."""


class Guard:
    """The protection of one context.

    Attributes:
        level: `full` with Chromium, `routing` with another browser.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.level = "full"
        self.world = f"appbench-{secrets.token_hex(8)}"
        context.add_init_script(page_script("hooks.js"))


def protect(context: BrowserContext) -> Guard:
    """Protects a context; call it before the context's first page.

    Args:
        context: Created with `CONTEXT_OPTIONS`, by `browser.new_context` or pytest-playwright.
    """
    return Guard(context)


def page_script(name: str) -> str:
    """The text of a script of ours that runs in pages.

    Args:
        name: The file's name in `browser/page/`.
    """
    return files("pytest_appbench.browser").joinpath("page", name).read_text(encoding="utf-8")
