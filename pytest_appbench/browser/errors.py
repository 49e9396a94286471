"""What can go wrong with a page that belongs to an app.

These are the app's doing, not the harness's, so they are no `AppbenchError`: a judge catches them and
draws its own conclusion. A missing or dead browser is `pytest_appbench.errors.BrowserUnavailable`.
"""

from __future__ import annotations


class PageError(Exception):
    """Base of everything an app's page can do to a session."""


class PageGone(PageError):
    """The page crashed, was closed, or its browser died; no later call can reach it."""


class PageUnresponsive(PageError):
    """The page did not answer within its time; its script was stopped, or its renderer ended."""


class ScriptFailed(PageError):
    """A function given to `Session.evaluate` threw in the page; the message is the page's."""


class NotSupported(PageError):
    """The feature needs the Chrome DevTools Protocol, which only Chromium speaks."""
