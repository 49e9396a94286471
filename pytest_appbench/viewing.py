"""Opens a judged app again, guarded as it was judged, with the report beside it.

The person at the browser uses the app as the judge did: same files, same guard, same seed, real
time. What the app says on the side (errors, dialogs, ways out that it tries) is told as it happens.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.effects import happened
from pytest_appbench.errors import ReportError
from pytest_appbench.judges.trajectory import NAME

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.reports.results import Record
    from pytest_appbench.standalone import Equipment

_TICK_MS = 100.0
_WINDOW = (1280, 720)
_REPORT_WIDTH = 720


@dataclass(frozen=True)
class Circumstances:
    """Under which an app was judged.

    Attributes:
        seed: Of the page's random numbers.
        viewport: Width and height of the window in CSS pixels.
    """

    seed: int = 0
    viewport: tuple[int, int] = _WINDOW

    @classmethod
    def of(cls, evidence: Path | None) -> Circumstances:
        """Those on record; the usual ones where a judging has not recorded them.

        Args:
            evidence: The folder of evidence of the judging.
        """
        file = evidence / NAME if evidence else None
        if file is None or not file.is_file():
            return cls()
        with file.open(encoding="utf-8", errors="replace") as stream, suppress(ValueError):
            head = json.loads(stream.readline())
            if isinstance(head, dict) and head.get("kind") == "judging":
                width, height = head["viewports"][0]
                return cls(int(head["seed"]), (int(width), int(height)))
        return cls()


def chosen(records: Sequence[Record], task: str, attempt: int | None, place: Path) -> Record:
    """Find the record of one app that was judged.

    Args:
        records: All records of a run.
        task: A task's id, or a node id with or without its parameters.
        attempt: Which attempt, counted from 1; None for the first that has an app.
        place: The run, for messages.

    Returns:
        The record of the whole task where that names an app, else of one of its parts.

    Raises:
        ReportError: There is no such task or attempt, several are called so, or no app was made.
    """
    found = [r for r in records if task in (r.nodeid, r.nodeid.partition("[")[0], r.task.id)]
    names = sorted({record.nodeid for record in found})
    if not found:
        known = ", ".join(sorted({record.task.id for record in records})[:12])
        raise ReportError(f"{place}: no task {task!r} was judged here; there are {known}")
    if len(names) > 1:
        raise ReportError(f"several tasks are called {task!r}: name one of {', '.join(names)}")
    if attempt is not None:
        found = [record for record in found if record.attempt == attempt]
        if not found:
            raise ReportError(f"{task} has no attempt {attempt} on record")
    made = [record for record in found if record.artifact]
    if not made:
        raise ReportError(f"no app was made for {task}, so there is none to open")
    return min(made, key=lambda record: (record.part, record.attempt, record.vote))


def view(
    equipment: Equipment,
    artifact: Artifact,
    circumstances: Circumstances,
    *,
    report: str | None,
    tell: Callable[[str], None],
    done: Callable[[], bool],
) -> None:
    """Keep an app open until the person is done or closes its window.

    Args:
        equipment: A guarded browser and a server.
        artifact: The app.
        circumstances: As it was judged.
        report: Address of a page to open beside it, or None.
        tell: Is told what the app says, a line at a time; hostile text.
        done: Whether to close.
    """
    from playwright.sync_api import Error

    sessions = equipment.sessions(circumstances.seed, circumstances.viewport)
    with equipment.site(artifact) as url, sessions.open() as session:
        session.open(url)
        tell(f"open at {url}")
        with _beside(equipment, session.page, report, circumstances.viewport):
            mark = session.events.mark()
            # What it said while it loaded is told as well.
            for line in happened(session.events):
                tell(line)
            while not done() and not session.page.is_closed():
                try:
                    session.page.wait_for_timeout(_TICK_MS)
                except Error:
                    return
                fresh, mark = session.events.since(mark), session.events.mark()
                for line in happened(fresh):
                    tell(line)


@contextmanager
def _beside(
    equipment: Equipment, app: Page, report: str | None, size: tuple[int, int]
) -> Iterator[None]:
    """The report in a window of its own, to the right of the app's."""
    if report is None:
        yield
        return
    context = equipment.browser.get().new_context(no_viewport=True)
    page = context.new_page()
    page.goto(report)
    _place(app, {"left": 0, "top": 0})
    _place(page, {"left": size[0], "top": 0, "width": _REPORT_WIDTH, "height": size[1] + 120})
    try:
        yield
    finally:
        with suppress(Exception):  # the person may have closed it, or the whole browser
            context.close()


def _place(page: Page, bounds: dict[str, Any]) -> None:
    """Move a window; a browser that cannot leaves it where it is."""
    from playwright.sync_api import Error

    with suppress(Error):
        session = page.context.new_cdp_session(page)
        window = session.send("Browser.getWindowForTarget")["windowId"]
        session.send("Browser.setWindowBounds", {"windowId": window, "bounds": bounds})
        session.detach()
