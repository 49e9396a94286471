"""The logical clock of a page: time stands still until a judge runs it forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session


class Clock:
    """Owns a page's timers, animation frames, Date and performance.

    Args:
        session: The session of the page whose time this is.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def now(self) -> float:
        """Milliseconds of page time that have passed since the document was made."""
        with self._session.bounded(5.0):
            return float(self._session.page.evaluate("() => __abk.now"))

    def run_for(self, ms: float, *, timeout: float = 30.0) -> None:
        """Lets page time pass: due timers and animation frames run, CSS animations follow.

        Args:
            ms: How much page time passes, in milliseconds.
            timeout: How long that may take in real time, in seconds.

        Raises:
            PageUnresponsive: The app's callbacks did not end in that time.
        """
        with self._session.bounded(timeout):
            self._session.page.evaluate("ms => __abk.run(ms)", ms)
