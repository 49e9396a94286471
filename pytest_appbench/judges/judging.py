"""What a judge is given, and what a judge is: the contract between the judges and everyone else.

It names the task, the served app, the way to a browser and the limits. It knows no particular
judge, nothing of pytest, and no browser beyond the session that it hands out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pytest_appbench.errors import BrowserUnavailable
from pytest_appbench.judges.verdict import Dimension, Finding, Verdict
from pytest_appbench.tasks.model import Reference
from pytest_appbench.tasks.places import Material, materials_of, place

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.browser.session import Session
    from pytest_appbench.browser.workbench import Workbench
    from pytest_appbench.judges.loop import Steps
    from pytest_appbench.models.chat import Chat
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class Check:
    """One executable check of a task.

    Attributes:
        name: The function's name, `check_<dimension>_<what>`.
        dimension: The score it counts for.
        claim: What must hold, in one sentence.
        function: Takes the Playwright page, and the clock where `takes_clock`.
        takes_clock: Whether the check owns the page's time.
        path: The file it was read from.
        line: The line of its `def`, counted from 1.
    """

    name: str
    dimension: Dimension
    claim: str
    function: Callable[..., object]
    takes_clock: bool
    path: Path
    line: int


@dataclass(frozen=True)
class Brief:
    """What some protocols need of a task besides its request and reference.

    Attributes:
        features: What the app must be able to do, one statement each.
        materials: Files that came with the request.
        spec: A structured specification, as Markdown; empty if there is none.
        steps: The folder of a project of steps, or None.
        language: The language that the page must be in, as in HTML's lang attribute, or None.
    """

    features: tuple[str, ...] = ()
    materials: tuple[Material, ...] = ()
    spec: str = ""
    steps: Path | None = None
    language: str | None = None

    @classmethod
    def of(cls, task: Task) -> Brief:
        """The brief of a task.

        Args:
            task: A task whose files are there.
        """
        return cls(
            features=task.features,
            materials=materials_of(task),
            spec=place(task, task.spec).read_text(encoding="utf-8-sig") if task.spec else "",
            steps=place(task, task.steps) if task.steps else None,
            language=task.language,
        )

    @classmethod
    def recorded(cls, facts: Mapping[str, Any]) -> Brief:
        """The brief of a recorded judging: all but its materials, whose content is not kept.

        Args:
            facts: What `facts` gave.
        """
        return cls(
            features=tuple(facts.get("features", ())),
            spec=facts.get("spec", ""),
            language=facts.get("language"),
        )

    def facts(self) -> dict[str, Any]:
        """What a verdict depends on of it, as JSON; files by name and content."""
        return {
            "features": list(self.features),
            "materials": {
                material.name: hashlib.sha256(material.content).hexdigest()
                for material in self.materials
            },
            "spec": self.spec,
            "language": self.language,
        }


class Sessions(Protocol):
    """Opens pages of the app under judgement, each in a fresh and guarded context."""

    def open(
        self,
        *,
        clock: bool = False,
        viewport: tuple[int, int] | None = None,
        beside: Session | None = None,
        person: int = 0,
    ) -> AbstractContextManager[Session]:
        """Open an empty page; the first one opened with defaults is the item's own page.

        Args:
            clock: Whether the page's time stands still until it is run forward.
            viewport: Width and height in CSS pixels; None for the first of the task's.
            beside: A session that is open; the page shares its context, as a second tab does.
            person: Counts the sessions that meet each other, from 0; each has random numbers of its
                own.

        Returns:
            A context manager around the session, which is closed on leaving it.
        """
        ...

    def open_blank(self) -> AbstractContextManager[Workbench]:
        """Open a place for a judge's scripts, with nothing of the app in it.

        Returns:
            A context manager around the workbench, which is closed on leaving it.
        """
        ...


@dataclass(frozen=True)
class Judging:
    """One app to be judged for one task.

    Attributes:
        task_id: The task, as it is named in reports.
        query: The request that the app answers.
        artifact: The app's files.
        url: Where the app is served.
        sessions: The way to pages of the app.
        checks: The task's executable checks, none if it has none.
        threshold: The least score that each dimension must reach, 0..1.
        viewports: Window sizes in CSS pixels, the first one is where the app is used.
        max_turns: The most answers of a model; None for the judge's own limit.
        max_actions: The most actions in the browser; None for the judge's own limit.
        time_limit: Seconds for the whole judging; None for the judge's own limit.
        evidence: The folder to write the trajectory and screenshots into, or None for neither.
        reference: Statements that guide a model judge; the query wins over them.
        brief: What some protocols need of the task besides.
        pass_label: The least label that passes, for a protocol with labels; None for its own.
        protocol: The way in which a model judges.
        without: What a model judge goes without: some of code, agent, reference.
        seed: What the pages' random numbers are seeded with, for the record.
        vision: Whether a model judge sees screenshots: own (the protocol's rule), on or off.
        clock: Page time under a model judge: logical (it stands still between actions) or real.
        capture: Which pictures to take of the steps: off, on-failure, on. What is dropped again
            after a pass is decided by whoever keeps the evidence.
        screen: Looks at the app before a model does, or None to spare that.
        built: The digest of the files that are served, where they were built from the app's own;
            `own server` where the app has one.
        chat: Gives the model that a specification such as `anthropic:MODEL` names, with the limits
            of the run around it; None where no model can be asked.
    """

    task_id: str
    query: str
    artifact: Artifact
    url: str
    sessions: Sessions
    checks: tuple[Check, ...] = ()
    threshold: float = 0.8
    viewports: tuple[tuple[int, int], ...] = ((1280, 720), (390, 844))
    max_turns: int | None = None
    max_actions: int | None = None
    time_limit: float | None = None
    evidence: Path | None = None
    reference: Reference = field(default_factory=Reference)
    brief: Brief = Brief()
    pass_label: str | None = None
    protocol: str = "miniapp"
    without: frozenset[str] = frozenset()
    seed: int = 0
    vision: str = "own"
    clock: str = "logical"
    capture: str = "off"
    screen: Screen | None = None
    built: str = ""
    chat: Callable[[str], Chat] | None = None

    @property
    def sizes(self) -> str:
        """The window sizes, as prompts tell them."""
        return " and in ".join(f"{width} x {height}" for width, height in self.viewports)

    @property
    def owns_time(self) -> bool:
        """Whether page time stands still while a judge thinks."""
        return self.clock == "logical"


class Screen(Protocol):
    """What the probe found out about an app before a model judges it."""

    def findings(self, judging: Judging) -> Sequence[Finding]:
        """What was noticed; the app is looked at once, however often this is asked."""
        ...

    def verdict(self, judging: Judging) -> Verdict | None:
        """The probe's own verdict if the app is dead on arrival, else None."""
        ...


Judge = Callable[[Judging], "Verdict | Awaitable[Verdict] | Steps[Verdict]"]
"""Takes a judging and gives a verdict: at once, when awaited, or step by step (see `loop`)."""


def require_browser(session: Session) -> None:
    """Make sure that a page was lost by its app's doing, and not because the browser died.

    A browser that had to be ended because of this page is this page's doing, too.

    Args:
        session: The session whose page was lost.

    Raises:
        BrowserUnavailable: The browser is gone, so nothing can be said about the app.
    """
    browser = session.page.context.browser
    if browser is not None and not browser.is_connected() and not session.cost_the_browser:
        raise BrowserUnavailable(
            "the browser died while this app was judged; run it again, and see whether the machine "
            "ran out of memory"
        )
