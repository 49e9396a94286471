"""What can go wrong with a page that belongs to an app.

These are the app's doing, not the harness's, so none is an `AppbenchError`: a judge catches them
and draws its own conclusion. A missing browser is `pytest_appbench.errors.BrowserUnavailable`.
"""

from __future__ import annotations


class PageLost(Exception):
    """The page could not be used as asked, because of what the app did."""


class PageGone(PageLost):
    """The page crashed, was closed, or its browser ended; no later call can reach it."""


class PageOverloaded(PageGone):
    """The page took more than a page may, so that its process was ended.

    Args:
        kind: Of what, in one word: memory, or what there was a flood of.
        text: The same as a sentence.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)


class PageUnresponsive(PageLost):
    """The page did not answer in time; its script was stopped, or its renderer ended."""


class PageNavigated(PageLost):
    """The page loaded another document before a function called in it returned."""


class ScriptFailed(Exception):
    """A function given to `Session.evaluate` threw, or returned what is no JSON."""


class NotSupported(Exception):
    """This needs the DevTools protocol, which only Chromium speaks."""
