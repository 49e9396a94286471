"""What happened on a page: exceptions, console messages, dialogs, and ways out that were tried.

A plain record that the guard and the session write and judges read. It knows neither Playwright nor
the page; every list is capped so that a flood costs no memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_appbench.judges.verdict import Attempted

KEPT = 1000
"""How many entries of each kind are kept; further ones are only counted."""
CLIPPED = 2000
"""How many characters of a text are kept."""
MOST_ADDRESSES = 20
"""How many addresses of one kind of attempt are told apart."""
OTHERS = "(other addresses)"


@dataclass(frozen=True)
class PageException:
    """An uncaught exception or unhandled rejection.

    Attributes:
        text: Name and message.
        stack: Where it came from, as the page tells it; may be empty.
        url: The script that threw; may be empty.
        line: The line in it, counted from 1, or 0.
    """

    text: str
    stack: str = ""
    url: str = ""
    line: int = 0


@dataclass(frozen=True)
class ConsoleLine:
    """One console message.

    Attributes:
        level: `log`, `info`, `warning`, `error`, `debug`, `trace`, ...
        text: The message, clipped.
        url: The script it came from; may be empty.
        line: The line in it, counted from 1, or 0.
    """

    level: str
    text: str
    url: str = ""
    line: int = 0


@dataclass(frozen=True)
class Dialog:
    """A dialog that the page asked for and that was answered in the page.

    Attributes:
        kind: alert, confirm, prompt, print, filechooser or beforeunload.
        text: What it said, clipped.
        answer: What the page got back.
    """

    kind: str
    text: str
    answer: str = ""


@dataclass(frozen=True)
class Mark:
    """A moment in the record, for `Events.since`."""

    exceptions: int = 0
    console: int = 0
    dialogs: int = 0
    attempts: int = 0
    sniffed: int = 0
    documents: int = 0


@dataclass
class Events:
    """Everything that happened on one page, in order of arrival.

    Attributes:
        exceptions: Uncaught exceptions and unhandled rejections.
        console: Console messages.
        dialogs: Dialogs, each answered at once.
        attempts: Ways out that were tried, one entry per try; `attempted` sums them up.
        dropped: How many entries were not kept because their kind was full.
        floods: Kinds of which the page made more than 300 in a second, so that the rest were kept
            from the record: console, exceptions, dialogs, attempts. Of history entries (history)
            and replaced addresses (address) 200 in ten seconds are enough; one kind of attempt is
            named itself where it kept the harness from being heard.
        sniffed: What the page read to find out whether it is being automated.
        documents: How many documents the page has loaded.
        crashed: The renderer ended, by itself or because it had to be ended.
        closed: The page was closed.
        unresponsive: A call had to be cut off at least once.
    """

    exceptions: list[PageException] = field(default_factory=list)
    console: list[ConsoleLine] = field(default_factory=list)
    dialogs: list[Dialog] = field(default_factory=list)
    attempts: list[tuple[str, str]] = field(default_factory=list)
    dropped: int = 0
    floods: list[str] = field(default_factory=list)
    sniffed: list[str] = field(default_factory=list)
    documents: int = 0
    crashed: bool = False
    closed: bool = False
    unresponsive: bool = False

    def mark(self) -> Mark:
        """The present moment, for `since`."""
        return Mark(
            exceptions=len(self.exceptions),
            console=len(self.console),
            dialogs=len(self.dialogs),
            attempts=len(self.attempts),
            sniffed=len(self.sniffed),
            documents=self.documents,
        )

    def since(self, mark: Mark) -> Events:
        """What happened after a mark, as a record of its own.

        Args:
            mark: A moment of this same record.
        """
        return Events(
            exceptions=self.exceptions[mark.exceptions :],
            console=self.console[mark.console :],
            dialogs=self.dialogs[mark.dialogs :],
            attempts=self.attempts[mark.attempts :],
            floods=self.floods,
            sniffed=self.sniffed[mark.sniffed :],
            documents=self.documents - mark.documents,
            crashed=self.crashed,
            closed=self.closed,
            unresponsive=self.unresponsive,
        )

    @property
    def attempted(self) -> list[Attempted]:
        """Ways out that were tried, equal ones counted together, in order of first try."""
        counts: dict[tuple[str, str], int] = {}
        addresses: Counter[str] = Counter()
        for kind, url in self.attempts:
            if (kind, url) not in counts:
                addresses[kind] += 1
                url = url if addresses[kind] <= MOST_ADDRESSES else OTHERS
            counts[kind, url] = counts.get((kind, url), 0) + 1
        return [Attempted(kind=kind, url=url, count=n) for (kind, url), n in counts.items()]

    def add_exception(self, text: str, stack: str = "", url: str = "", line: int = 0) -> None:
        """Records an uncaught exception."""
        entry = PageException(text[:CLIPPED], stack[:CLIPPED], url[:CLIPPED], line)
        self._keep(self.exceptions, entry)

    def add_console(self, level: str, text: str, url: str = "", line: int = 0) -> None:
        """Records a console message."""
        self._keep(self.console, ConsoleLine(level, text[:CLIPPED], url[:CLIPPED], line))

    def add_dialog(self, kind: str, text: str, answer: str = "") -> None:
        """Records a dialog and how it was answered."""
        self._keep(self.dialogs, Dialog(kind, text[:CLIPPED], answer[:CLIPPED]))

    def add_attempt(self, kind: str, url: str) -> None:
        """Records a way out that was tried."""
        self._keep(self.attempts, (kind, url[:CLIPPED]))

    def add_flood(self, kind: str) -> None:
        """Records that there was too much of something."""
        if kind not in self.floods:
            self.floods.append(kind)

    def add_sniffing(self, what: str) -> None:
        """Records that the page asked whether it is being automated."""
        if what not in self.sniffed:
            self.sniffed.append(what)

    def _keep(self, entries: list[_Entry], entry: _Entry) -> None:
        if len(entries) < KEPT:
            entries.append(entry)
        else:
            self.dropped += 1


_Entry = TypeVar("_Entry")
