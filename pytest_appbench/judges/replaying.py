"""Does a recorded judging again on a live page, and says where reality differs from the record.

The model's answers come from the trajectory; every action is carried out anew. What the app does
now is compared with what was recorded, step by step.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.store import Artifact
from pytest_appbench.browser.effects import UNCHANGED
from pytest_appbench.judges import trajectory
from pytest_appbench.judges.judging import Brief, Judging, Sessions
from pytest_appbench.judges.loop import Answers, finish
from pytest_appbench.judges.model import REDACTED, judge_twice
from pytest_appbench.judges.verdict import Finding, Verdict
from pytest_appbench.models.chat import Message, ModelUnavailable, Reply
from pytest_appbench.models.replay import RecordedChat
from pytest_appbench.tasks.model import Reference

if TYPE_CHECKING:
    from pytest_appbench.waiting import Wait

_FOREVER = 1e9
_COMPARED = ("action", "target", "changed")


@dataclass(frozen=True)
class Recording:
    """A judging as it was recorded.

    Attributes:
        folder: Its folder of evidence.
        head: What it was about.
        lines: Its trajectory, and that of the judging with suspect words removed, if there was one.
    """

    folder: Path
    head: Mapping[str, Any]
    lines: tuple[Mapping[str, Any], ...]

    @classmethod
    def read(cls, folder: Path) -> Recording:
        """Read the record of a judging.

        Args:
            folder: Its folder of evidence.

        Raises:
            RecordsError: No model judged here, or the file was damaged.
        """
        lines = trajectory.read(folder / trajectory.NAME)
        second = folder / REDACTED
        if second.is_file():
            lines += trajectory.read(second)
        return cls(folder, lines[0], tuple(lines))

    @property
    def digest(self) -> str:
        """The digest of the app's files."""
        return str(self.head["artifact"])

    @property
    def served(self) -> str:
        """The digest of the files that were served: the app's own, or what they were built to."""
        return str(self.head.get("built") or self.digest)

    @property
    def viewport(self) -> tuple[int, int]:
        """The window in which the app was used."""
        width, height = self.head["viewports"][0]
        return width, height

    def replies(self) -> list[tuple[str, Reply]]:
        """The model's answers, in order, each with the name of its conversation."""
        return [
            (
                line["conversation"],
                Reply.model_validate(
                    {**line["reply"], "message": Message.model_validate(line["message"])}
                ),
            )
            for line in self.lines
            if line["kind"] == "turn"
        ]

    def actions(self) -> list[Mapping[str, Any]]:
        """The steps in the browser, in order."""
        return [line for line in self.lines if line["kind"] == "action"]


@dataclass(frozen=True)
class Replay:
    """What came of doing it again.

    Attributes:
        steps: How many steps were done.
        differences: Where reality differs from the record, in words.
        verdict: The verdict that the recorded answers lead to now, or None if they lead nowhere.
    """

    steps: int
    differences: tuple[str, ...]
    verdict: Verdict | None


class _RecordedScreen:
    """What the probe had found."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = tuple(findings)

    def findings(self, _: Judging) -> Sequence[Finding]:
        return self._findings

    def verdict(self, _: Judging) -> Verdict | None:
        return None


def replay(
    recording: Recording,
    artifact: Artifact,
    url: str,
    sessions: Sessions,
    answers: Answers,
    until: Wait,
) -> Replay:
    """Do a recorded judging again.

    Args:
        recording: The record.
        artifact: The app's files.
        url: Where the app is served now.
        sessions: The way to pages of the app, seeded as in the record.
        answers: Runs async code.
        until: Waits while the browser is served.

    Returns:
        What was done, and where it differs.
    """
    head = recording.head
    findings = [Finding.model_validate(one) for one in head["findings"]]
    markers = [line["marker"] for line in recording.lines if line["kind"] == "judging"]
    chat = RecordedChat(head["judge"], recording.replies())
    with tempfile.TemporaryDirectory(prefix="appbench-replay-") as scratch:
        judging = Judging(
            task_id=head["task"],
            query=head["query"],
            artifact=artifact,
            url=url,
            sessions=sessions,
            threshold=head["threshold"],
            viewports=tuple((width, height) for width, height in head["viewports"]),
            max_turns=head["max_turns"],
            max_actions=head["max_actions"],
            time_limit=_FOREVER,
            evidence=Path(scratch),
            reference=Reference.model_validate(head["reference"]),
            brief=Brief.recorded(head.get("brief", {})),
            pass_label=head.get("pass_label"),
            protocol=head["protocol"],
            without=frozenset(head["without"]),
            seed=head["seed"],
            vision=head["vision"],
            clock=head.get("clock", "logical"),
            screen=_RecordedScreen(findings) if head["screened"] else None,
        )
        steps = judge_twice(judging, head["judge"], chat, (markers[0], markers[-1]))
        verdict: Verdict | None = None
        problems = []
        try:
            verdict = finish(steps, answers, until)
        except ModelUnavailable as error:
            problems.append(str(error))
        again = Recording.read(Path(scratch))
    differences = [*problems, *_differences(recording.actions(), again.actions())]
    return Replay(len(again.actions()), tuple(differences), verdict)


def _differences(
    recorded: Sequence[Mapping[str, Any]], live: Sequence[Mapping[str, Any]]
) -> list[str]:
    found = []
    before, now = _by_conversation(recorded), _by_conversation(live)
    for name, steps in before.items():
        for old, new in zip(steps, now.get(name, ()), strict=False):
            if any(_compared(old, name) != _compared(new, name) for name in _COMPARED):
                found.append(f"step {old['number']}: recorded {_words(old)}; now {_words(new)}")
    if len(recorded) != len(live):
        found.append(f"{len(recorded)} steps were recorded, {len(live)} were done now")
    return found


def _compared(step: Mapping[str, Any], name: str) -> Any:
    """What is compared of a step: all but what the guard stopped.

    The browser tells of that in its own time, on a busy machine a step later.
    """
    if name != "changed":
        return step[name]
    parts = str(step[name]).split("; ")
    return [part for part in parts if part != UNCHANGED and not part.startswith("blocked ")]


def _by_conversation(steps: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The steps of each conversation: those side by side may take turns otherwise."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for step in steps:
        found.setdefault(step["conversation"], []).append(step)
    return found


def _words(step: Mapping[str, Any]) -> str:
    return f"{step['action']} {step['target']}: {step['changed']}"[:300]
