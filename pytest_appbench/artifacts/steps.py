"""One step of a project as generators see it: what is asked, what there is, and what they answer.

A generator that takes steps has a method `step`; adding one to a generator touches nothing else.
This module does not know how steps are judged.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from pytest_appbench.artifacts.store import JUNK, MAX_BYTES, MAX_ENTRIES
from pytest_appbench.errors import ArtifactRefused, GenerationFailed, MissingArtifact, SettingsError

if TYPE_CHECKING:
    from pytest_appbench.judges.verdict import Usage
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class StepOrder:
    """One step to be taken.

    Attributes:
        task: The task that names the project.
        project: The project's folder; a generator that is judged by it must not be shown it.
        name: The step's id, such as `task-3`.
        number: Its place among the steps, counted from 1; 0 for the initial code.
        text: What is to be done.
        folder: The files as they are, read-only.
        files: Those of them that are text, by relative path.
        names: The ids of all steps, in order.
        tries: 1 for the first attempt at this step, 2 for the second.
        error: On the second attempt what went wrong in the first, cleaned; else empty.
        rules: What holds for files that are built or run, in Markdown; empty where they are
            neither, or by the project's own scripts.
    """

    task: Task
    project: Path
    name: str
    number: int
    text: str
    folder: Path
    files: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    tries: int = 1
    error: str = ""
    rules: str = ""


@dataclass(frozen=True)
class StepReply:
    """What a generator answers.

    Attributes:
        files: Contents by path, as given: nothing has been checked.
        origin: Where they came from, such as `reference:good`.
        whole: Whether these are all files, so that those not among them are gone; otherwise they
            are written over what is there.
        is_found: Whether they lie in a folder that is read afresh each time.
        notes: What the generator had to say.
        usage: What a model consumed, or None where no model did.
        sandbox: How a process that is not ours was kept in, if one ran.
    """

    files: Mapping[str, str | bytes]
    origin: str
    whole: bool = False
    is_found: bool = False
    notes: str = ""
    usage: Usage | None = None
    sandbox: str | None = None


class TakesSteps(Protocol):
    """A generator that can work on a project step by step."""

    def step(self, order: StepOrder) -> StepReply | Awaitable[StepReply]:
        """Take one step.

        Args:
            order: The step.

        Returns:
            The files that were written or changed.

        Raises:
            MissingArtifact: There is nothing for this task.
            GenerationFailed: The candidate's own fault: it refused, timed out or wrote nothing.
        """
        ...


def taking_steps(generator: object) -> TakesSteps:
    """The generator, if it takes steps.

    Args:
        generator: A generator, or a user's own callable.

    Raises:
        SettingsError: It makes whole apps only.
    """
    if callable(getattr(generator, "step", None)):
        return cast(TakesSteps, generator)
    raise SettingsError(
        f"the generator {generator!r} takes no steps; for a project of steps, "
        "appbench_generator must return an object with a method step(order), which returns a "
        "StepReply"
    )


def recorded(folder: Path, order: StepOrder, origin: str) -> StepReply:
    """What somebody recorded for a step.

    Args:
        folder: One finished project, whose files answer every step; or, as Web-Bench's evaluator
            writes it, a folder `task-3` for each step, with `task-3-2` for its second attempt.
            A step that has none is answered with the last one before it.
        order: The step.
        origin: Where the folder came from.

    Returns:
        All files of the folder that answers the step.

    Raises:
        MissingArtifact: A link in it leads out of it.
    """
    source = _answering(folder, order)
    if source is None:
        nothing = f"nothing was recorded up to {order.name}"
        return StepReply({}, origin, is_found=True, notes=nothing)
    return StepReply(contents(source), origin, whole=True, is_found=True)


def _answering(folder: Path, order: StepOrder) -> Path | None:
    """The folder that answers a step; None if the recording begins later."""
    earlier = ["init", *order.names[: max(0, order.number - 1)]]
    wanted = [f"{order.name}-{tries}" for tries in range(order.tries, 0, -1)]
    wanted += [order.name]
    wanted += [f"{name}{suffix}" for name in reversed(earlier) for suffix in ("-2", "-1", "")]
    for name in wanted:
        if (folder / name).is_dir():
            return folder / name
    suffixes = ("", "-1", "-2")
    is_by_step = any((folder / (name + end)).is_dir() for name in order.names for end in suffixes)
    return None if is_by_step else folder


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder that is not trusted, by relative path; installed packages left out.

    Args:
        folder: The folder.

    Raises:
        MissingArtifact: A link in it leads out of it.
        ArtifactRefused: It is larger than an app may be.
    """
    top, size = folder.resolve(), 0
    found: dict[str, bytes] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in JUNK)
        for name in sorted(set(names) - JUNK):
            path = Path(place) / name
            if not path.resolve().is_relative_to(top):
                raise MissingArtifact(
                    f"the link {path} leads out of its folder: replace it by a copy of the file"
                )
            if path.is_file():
                size += path.stat().st_size
                if size > MAX_BYTES or len(found) >= MAX_ENTRIES:
                    raise ArtifactRefused(
                        f"{folder} holds more than {MAX_ENTRIES:,} files or "
                        f"{MAX_BYTES // 1_000_000} MB"
                    )
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def texts(folder: Path) -> dict[str, str]:
    """Those files of a folder that are text in UTF-8.

    Args:
        folder: The folder.
    """
    found = {}
    for name, content in contents(folder).items():
        if b"\0" not in content:
            try:
                found[name] = content.decode("utf-8")
            except UnicodeDecodeError:
                continue
    return found


def step_prompt(order: StepOrder) -> str:
    """What a model or an agent is asked in a step; the files are given apart.

    Args:
        order: The step.
    """
    parts = [order.text.strip()]
    if order.rules:
        parts.append(f"What the files must be like:\n\n{order.rules}")
    if order.error:
        mark = fence(order.error)
        parts.append(
            "This is the second attempt at this step: the first one, on which the present files "
            f"stand, did not pass its tests. They said:\n\n{mark}\n{order.error.strip()}\n{mark}"
        )
    return "\n\n".join(parts)


def step_message(order: StepOrder) -> str:
    """What a model is asked in a step, with the files that are text.

    Args:
        order: The step.
    """
    parts = []
    for name, text in order.files.items():
        mark = fence(text)
        parts.append(f"#### `{name}`\n{mark}{Path(name).suffix[1:]}\n{text}\n{mark}")
    files = "\n\n".join(parts) or "There are none yet."
    return f"# The files as they are\n\n{files}\n\n# The task\n\n{step_prompt(order)}"


def fence(text: str) -> str:
    """Backticks enough to stand around a text.

    Args:
        text: Any text.
    """
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)


def files_in(reply: str, present: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The files that a model's reply holds.

    Args:
        reply: What the model wrote.
        present: The files that were there.

    Returns:
        Contents by path, unchecked, and what was assumed to find them.

    Raises:
        GenerationFailed: There is no file in it.
    """
    from pytest_appbench.artifacts.replies import blocks

    files: dict[str, str] = {}
    notes: list[str] = []
    nameless = []
    for block in blocks(reply):
        if block.name:
            files[block.name] = block.text
            if not block.is_closed:
                notes.append(f"{block.name} was cut off; what there is of it was taken")
        else:
            nameless.append(block)
    pages = [block for block in nameless if block.is_document]
    if pages and not files and set(present) <= {"index.html"}:
        files["index.html"] = max(pages, key=lambda block: len(block.text)).text
        notes.append("a page without a name was taken as index.html, the only file")
    elif nameless:
        notes.append(f"{len(nameless)} blocks without a file's name were left out")
    if not files:
        start = " ".join(reply.split())[:200]
        raise GenerationFailed(
            "the reply holds no file with its name" + (f"; it begins: {start!r}" if start else ""),
            reply,
        )
    return files, tuple(notes)
