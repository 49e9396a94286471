"""Has a generator take a step, and makes files of what it answers.

What is the project's own, its tests, its configuration and its scripts, is never taken from a
generator; that it was tried is told. Answers are kept from run to run as whole apps are.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.cache import key_of
from pytest_appbench.artifacts.candidate import identity_of
from pytest_appbench.artifacts.paths import UnsafePath, clash, safe_path
from pytest_appbench.artifacts.steps import StepOrder, StepReply, contents, taking_steps
from pytest_appbench.artifacts.store import MAX_ENTRIES
from pytest_appbench.artifacts.workspace import scratch, write
from pytest_appbench.errors import ArtifactRefused, GenerationFailed
from pytest_appbench.judges.loop import Await, Steps

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.judges.verdict import Usage
    from pytest_appbench.stepwise.project import Project
    from pytest_appbench.workshop import Workshop


@dataclass(frozen=True)
class Written:
    """The files after a generator's answer.

    Attributes:
        artifact: All files, in the store.
        left_out: What the answer held and was not taken, each with the reason.
        notes: What the generator had to say.
        usage: What a model consumed; None where none did or the answer was kept from before.
        sandbox: How a process that is not ours was kept in, if one ran.
    """

    artifact: Artifact
    left_out: tuple[str, ...] = ()
    notes: str = ""
    usage: Usage | None = None
    sandbox: str | None = None


@dataclass
class Writer:
    """One generator at work on one project.

    Attributes:
        shop: The shared means.
        generator: The generator.
        project: The project.
        attempt: The attempt at the task, counted from 1.
    """

    shop: Workshop
    generator: Any
    project: Project
    attempt: int

    def begin(self) -> Artifact:
        """The files before the first step: the project's initial code, or none."""
        source = self.project.folder / "src-init"
        if source.is_dir():
            return self.shop.store.add(source, "src-init")
        with scratch() as folder:
            return self.shop.store.add(folder, "src-init")

    def write(self, order: StepOrder, before: Artifact) -> Steps[Written]:
        """Take a step, or find what was answered to the same before.

        Args:
            order: The step.
            before: The files as they are.

        Returns:
            The files afterwards.

        Raises:
            GenerationFailed: The generator's own fault; the files stay as they were.
        """
        identity = identity_of(self.generator, self.shop.settings.generator_version)
        exactly, last = self._keys(order, before.digest, identity)
        kept = self._kept(exactly, last, identity)
        if kept is not None:
            return kept
        self.shop.cache.forget(last)
        value = taking_steps(self.generator).step(order)
        reply: StepReply = (yield Await(value)) if inspect.isawaitable(value) else value
        files, left_out = taken(contents(order.folder), reply, self.project)
        with scratch() as folder:
            write(files, folder)
            try:
                artifact = self.shop.store.add(folder, reply.origin)
            except ArtifactRefused as error:
                raise GenerationFailed(
                    str(error), reply.notes, usage=reply.usage, sandbox=reply.sandbox
                ) from error
        written = Written(artifact, left_out, reply.notes, reply.usage, reply.sandbox)
        self._keep(written, exactly, None if reply.is_found else last, identity)
        return written

    def _keys(self, order: StepOrder, before: str, identity: str | None) -> tuple[str | None, str]:
        """The keys of the exact question, and of the newest answer to this step."""
        from pytest_appbench.artifacts.prompted import digest, prompt

        place = {
            "task": order.task.id,
            "step": order.name,
            "tries": order.tries,
            "attempt": self.attempt,
            "text": order.text,
            "before": before,
        }
        last = key_of(
            generator=self.shop.settings.generator, place=str(order.task.path), steps=place
        )
        if identity is None:
            return None, last
        asked = digest(prompt("steps") + order.rules)
        return key_of(identity=identity, prompt=asked, error=order.error, steps=place), last

    def _kept(self, exactly: str | None, last: str, identity: str | None) -> Written | None:
        cache = self.shop.cache
        data = cache.last(last) if self.shop.reuse_last else None
        if data and identity and data["identity"] not in (None, identity):
            data = None  # an agent that has changed is never judged by its old answers
        if data is None and exactly is not None:
            data = cache.get("generate", exactly)
        artifact = self.shop.store.find(data["digest"], data["origin"]) if data else None
        if data is None or artifact is None:
            return None
        return Written(artifact, tuple(data["left_out"]), data["notes"], sandbox=data["sandbox"])

    def _keep(
        self, written: Written, exactly: str | None, last: str | None, identity: str | None
    ) -> None:
        data = {
            "digest": written.artifact.digest,
            "origin": written.artifact.origin,
            "left_out": list(written.left_out),
            "notes": written.notes,
            "sandbox": written.sandbox,
            "identity": identity,
        }
        if exactly is not None:
            self.shop.cache.put("generate", exactly, data)
        if last is not None:
            self.shop.cache.remember(last, data)


def taken(
    present: Mapping[str, bytes], reply: StepReply, project: Project
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files after an answer, and what of it was not taken.

    Args:
        present: The files before.
        reply: The answer.
        project: What is its own is not taken.

    Returns:
        Contents by path, and for each file that was left out its name and why.

    Raises:
        GenerationFailed: There are more files than an app may have.
    """
    if len(reply.files) > MAX_ENTRIES:
        raise GenerationFailed(f"more than {MAX_ENTRIES:,} files", reply.notes, usage=reply.usage)
    files: dict[str, bytes] = {} if reply.whole else dict(present)
    left_out = []
    for name, content in reply.files.items():
        try:
            path = safe_path(name)
        except UnsafePath as error:
            left_out.append(f"{name[:200]!r} {error}")
            continue
        if project.owns(path):
            left_out.append(f"{path!r} is the project's own")
            continue
        while (other := clash(path, files)) is not None:
            del files[other]
        files[path] = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    return files, tuple(left_out)
