"""A model that is asked once for an app: the prompt, the one call, and the files of its reply.

It knows models only as `Chat`, and not which provider serves them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.builders import formats, of
from pytest_appbench.artifacts.builders.html import FORMAT as HTML
from pytest_appbench.artifacts.candidate import Candidate
from pytest_appbench.errors import GenerationFailed, SettingsError

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Format
    from pytest_appbench.artifacts.candidate import Means
    from pytest_appbench.artifacts.steps import StepOrder, StepReply
    from pytest_appbench.judges.verdict import Usage
    from pytest_appbench.models.chat import Decoding, Reply, Request
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class PromptedGenerator:
    """Asks a model for each task's app.

    Attributes:
        spec: The model, such as `anthropic:MODEL`.
        means: Gives the model.
        root: Folders of apps are not made below this one.
    """

    spec: str
    means: Means
    root: Path

    @property
    def identity(self) -> str:
        """The model, where it is served, its decoding and the prompt."""
        from pytest_appbench.models.endpoints import elsewhere

        prompts = "".join(prompt(form.prompt) for form in formats().values())
        parts = (self.spec, self._decoding().model_dump_json(), f"prompt {digest(prompts)}")
        blind = () if self.means.images else ("no pictures",)
        where = elsewhere(self.spec)
        return "; ".join((*parts, *blind, *((f"endpoint {where}",) if where else ())))

    @property
    def roots(self) -> tuple[Path, ...]:
        """None: apps are made in temporary folders."""
        return ()

    async def __call__(self, task: Task) -> Candidate:
        """Ask the model for the task's app.

        Args:
            task: The task.

        Returns:
            The files of its reply; the reply itself is kept in the notes.

        Raises:
            GenerationFailed: It declined, took too long, or its reply holds no app.
            ModelError: It could not be asked; the candidate is not blamed for that.
        """
        from pytest_appbench.artifacts.asking import lay_out
        from pytest_appbench.artifacts.extract import extract
        from pytest_appbench.artifacts.workspace import new_workspace, write

        reply = await self._ask(self._request(task), task)
        text, usage = reply.message.text, _usage(reply)
        if reply.stop == "refusal":
            declined = f"{self.spec} declined to write the app{_said(text)}"
            raise GenerationFailed(declined, text, usage=usage)
        try:
            found = extract(text, of(task.format), truncated=reply.stop == "length")
        except GenerationFailed as failure:
            raise GenerationFailed(str(failure), failure.notes, usage=usage) from None
        with new_workspace((*self.means.hidden, self.root)) as folder:
            write(found.files, folder)
            lay_out(task, folder)
        return Candidate(
            folder,
            origin=self.spec,
            notes=_notes(found.notes, reply),
            temporary=True,
            usage=usage,
        )

    async def step(self, order: StepOrder) -> StepReply:
        """Ask the model for one step of a project.

        Args:
            order: The step.

        Returns:
            The files of its reply, which are written over what is there.

        Raises:
            GenerationFailed: It declined, took too long, or its reply holds no file.
            ModelError: It could not be asked; the candidate is not blamed for that.
        """
        from pytest_appbench.artifacts.steps import StepReply, files_in, step_message
        from pytest_appbench.models.chat import Message, Request, Text

        message = Message(role="user", parts=(Text(text=step_message(order)),))
        request = Request(system=prompt("steps"), messages=(message,), decoding=self._decoding())
        reply = await self._ask(request, order.task)
        text, usage = reply.message.text, _usage(reply)
        if reply.stop == "refusal":
            declined = f"{self.spec} declined to take the step{_said(text)}"
            raise GenerationFailed(declined, text, usage=usage)
        try:
            files, notes = files_in(text, order.files)
        except GenerationFailed as failure:
            raise GenerationFailed(str(failure), failure.notes, usage=usage) from None
        return StepReply(files, self.spec, notes=_notes(notes, reply), usage=usage)

    async def _ask(self, request: Request, task: Task) -> Reply:
        try:
            return await self.means.chat(self.spec, task.id).ask(request)
        except TimeoutError:
            raise GenerationFailed(
                f"{self.spec} did not finish its answer within {self.means.time_limit:g} s: "
                "--appbench-time-limit raises the limit"
            ) from None

    def _request(self, task: Task) -> Request:
        from pytest_appbench.artifacts.asking import parts_for_model
        from pytest_appbench.models.chat import Message, Request

        form = of(task.format)
        return Request(
            system=prompt(form.prompt),
            messages=(Message(role="user", parts=parts_for_model(task, images=self.means.images)),),
            decoding=self._decoding(),
        )

    def _decoding(self) -> Decoding:
        from pytest_appbench.models.decoding import decoding_for

        return decoding_for(self.spec.partition(":")[2])


def make(provider: str, model: str, root: Path, means: Means) -> PromptedGenerator:
    """The generator of one provider's model.

    Args:
        provider: The word before the colon.
        model: The provider's name of the model.
        root: Where pytest was started.
        means: What the run gives.

    Raises:
        SettingsError: No model is named.
    """
    if not model:
        raise SettingsError(
            f"'{provider}' needs the model that writes the apps, such as {provider}:MODEL"
        )
    return PromptedGenerator(f"{provider}:{model}", means, root)


@cache
def prompt(name: str) -> str:
    """The text of a prompt.

    Args:
        name: The file's name in `artifacts/prompts/`, without its suffix.
    """
    path = files("pytest_appbench.artifacts").joinpath("prompts", f"{name}.md")
    return path.read_text(encoding="utf-8").strip()


def agent_prompt(query: str, delivery: str, form: Format = HTML) -> str:
    """What an agent is asked: the request, and how to hand over the app.

    Args:
        query: The task's request.
        delivery: Where the files go, as a sentence.
        form: What the app is to be made of.
    """
    asked = prompt("agent").replace("{delivery}", delivery).replace("{rules}", form.rules)
    return asked.replace("{query}", query.strip())


def agent_identity(spec: str, version: str, delivery: str) -> str | None:
    """What tells two agents apart that we only ask: where, what, and what the user calls them.

    Args:
        spec: The generator, without secrets.
        version: What the user calls its present version; empty if nothing was said.
        delivery: Where the files go, as a sentence.

    Returns:
        The identity; None without a version, since nobody knows whether the agent has changed.
    """
    if not version:
        return None
    asked = "\n".join(agent_prompt("", delivery, form) for form in formats().values())
    return f"{spec}; version {version}; prompt {digest(asked)}"


def digest(text: str) -> str:
    """A short hash, for an identity."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _usage(reply: Reply) -> Usage:
    from pytest_appbench.judges.verdict import Usage

    return Usage(
        turns=1,
        tokens_in=reply.tokens.prompt,
        tokens_out=reply.tokens.output,
        cost_usd=reply.cost_usd,
    )


def _said(text: str) -> str:
    words = " ".join(text.split())[:200]
    return f": {words!r}" if words else ""


def _notes(assumed: tuple[str, ...], reply: Reply) -> str:
    listed = "".join(f"- {note}\n" for note in assumed)
    head = f"Assumed to find the app in the reply:\n{listed}\nThe reply:\n\n" if assumed else ""
    return head + reply.message.text
