"""`command` lets the user's own coding agent write each app, in an empty workspace of its own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.candidate import Candidate
from pytest_appbench.artifacts.commandline import CommandLine, parse
from pytest_appbench.artifacts.generators import Scheme
from pytest_appbench.errors import ArtifactRefused, GenerationFailed, SettingsError
from pytest_appbench.threads import in_thread

if TYPE_CHECKING:
    from pytest_appbench.artifacts.candidate import Means
    from pytest_appbench.artifacts.steps import StepOrder, StepReply
    from pytest_appbench.sandbox import Finished
    from pytest_appbench.tasks.model import Task


DELIVERY = "Write the app's files into the current directory. It is empty, and it is yours alone."
WITH_FILES = (
    "Write the app's files into the current directory. It holds the files of the request and "
    "nothing else, and it is yours alone."
)

_SHORTEST_SECRET = 8
_RANDOM = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+=._-]{20,}")
_SCANNED_BYTES = 20_000_000
_TAIL = 2_000


@dataclass(frozen=True)
class CommandGenerator:
    """Runs an agent for each task.

    Attributes:
        text: The command line as the user wrote it.
        line: The same, read.
        means: The time limit, the sandbox, what is hidden and what the agent may see.
        root: Where pytest was started.
    """

    text: str
    line: CommandLine
    means: Means
    root: Path

    @property
    def identity(self) -> str | None:
        """The command, its prompt and the user's version of it; None without a version."""
        from pytest_appbench.artifacts.prompted import agent_identity

        return agent_identity(self._spec, self.means.version, DELIVERY)

    @property
    def roots(self) -> tuple[Path, ...]:
        """None: workspaces are temporary folders."""
        return ()

    async def __call__(self, task: Task) -> Candidate:
        """Run the agent in a thread.

        Args:
            task: The task.

        Returns:
            What it left in its workspace, with its output in the notes.

        Raises:
            GenerationFailed: It ran out of time, or left no app.
            SandboxError: It could not be started.
        """
        return await in_thread(partial(self._make, task))

    async def step(self, order: StepOrder) -> StepReply:
        """Run the agent for one step of a project, in a thread.

        Args:
            order: The step.

        Returns:
            The whole workspace as it left it.

        Raises:
            GenerationFailed: It ran out of time.
            SandboxError: It could not be started.
        """
        return await in_thread(partial(self._step, order))

    def _step(self, order: StepOrder, stop: Event) -> StepReply:
        from pytest_appbench.artifacts.prompted import prompt
        from pytest_appbench.artifacts.steps import StepReply, contents, step_prompt
        from pytest_appbench.artifacts.workspace import scratch, secure, write

        asked = prompt("agent_step").replace("{query}", step_prompt(order))
        outside = (*self.means.hidden, self.root)
        with scratch(outside) as workspace:
            write(contents(order.folder), workspace)
            with scratch(outside) as home:
                finished = self._run(order.task, asked, workspace, home, stop)
            self._require_finished(order.task, finished, workspace)
            links = secure(workspace)
            self._require_no_secret(workspace, finished)
            try:
                files = contents(workspace)
            except ArtifactRefused:
                raise GenerationFailed(
                    "the agent left too many files, or too large ones",
                    self._notes(finished, links),
                    sandbox=finished.sandbox,
                ) from None
        return StepReply(
            files,
            self._spec,
            whole=True,
            notes=self._notes(finished, links),
            sandbox=finished.sandbox,
        )

    def _make(self, task: Task, stop: Event) -> Candidate:
        from pytest_appbench.artifacts import builders
        from pytest_appbench.artifacts.asking import lay_out, text_for_agent
        from pytest_appbench.artifacts.prompted import agent_prompt
        from pytest_appbench.artifacts.workspace import new_workspace, scratch, tidy

        outside = (*self.means.hidden, self.root)
        builder = builders.of(task.format)
        delivery = WITH_FILES if task.materials else DELIVERY
        prompt = agent_prompt(text_for_agent(task), delivery, builder)
        with new_workspace(outside) as workspace:
            lay_out(task, workspace)
            with scratch(outside) as home:
                finished = self._run(task, prompt, workspace, home, stop)
            self._require_finished(task, finished, workspace)
            try:
                assumed = tidy(workspace, builder)
                lay_out(task, workspace)
            except GenerationFailed as failure:
                raise self._no_app(failure, finished) from None
            self._require_no_secret(workspace, finished)
        return Candidate(
            workspace,
            origin=self._spec,
            notes=self._notes(finished, assumed),
            temporary=True,
            sandbox=finished.sandbox,
        )

    def _run(self, task: Task, prompt: str, workspace: Path, home: Path, stop: Event) -> Finished:
        from pytest_appbench import sandbox

        prompt_file = home / "prompt.md"
        prompt_file.write_text(prompt, encoding="utf-8")
        values = {
            "workspace": str(workspace),
            "prompt_file": str(prompt_file),
            "task_id": task.id,
            "prompt": prompt,
        }
        return sandbox.run(
            self.line.filled(values),
            workspace=workspace,
            home=home,
            environment=sandbox.environment(self.means.environment),
            readonly=self._programs,
            hidden=(*self.means.hidden, task.folder),
            time_limit=self.means.time_limit,
            stdin=prompt if self.line.wants_stdin else b"",
            sandbox=self.means.sandbox,
            stop=stop,
        )

    @cached_property
    def _programs(self) -> tuple[Path, ...]:
        """What the command line names, and the programs of this machine."""
        from pytest_appbench.processes import programs

        search = os.environ.get("PATH", os.defpath)
        named = [path for path in self.line.named if path.is_dir()]
        for path in (Path(self.line.words[0]), *self.line.named):
            named += programs.of(path, search, self.means.hidden)
        # The whole set is given at once; of two places, one inside the other, both are shown.
        return (*programs.on_path(search, self.means.hidden), *named)

    def _require_finished(self, task: Task, finished: Finished, workspace: Path) -> None:
        if finished.ended == "itself":
            return
        reasons = {
            "time": f"it ran longer than {self.means.time_limit:g} s",
            "output": "its output never ended",
            "stopped": "the run was stopped",
        }
        there = " (an index.html was there by then)" * (workspace / "index.html").is_file()
        raise GenerationFailed(
            f"the agent was ended: {reasons[finished.ended]}{there}",
            self._notes(finished, ()),
            sandbox=finished.sandbox,
        )

    def _no_app(self, failure: GenerationFailed, finished: Finished) -> GenerationFailed:
        code = finished.exit_code
        how = f"exit code {code}" if code is not None else "it was killed"
        said = self._scrubbed(finished.stderr.strip() or finished.stdout.strip())
        tail = said[-_TAIL:]
        words = f"; the end of its output:\n{tail}" if tail else "; it wrote no output"
        hints = "".join(
            f"\n'{word}' is looked for in the empty workspace; write ./{word} for the one in "
            f"{self.root}"
            for word in self.line.misplaced
        )
        return GenerationFailed(
            f"the agent left no app ({how}): {failure}{words}{hints}",
            self._notes(finished, (failure.notes,) if failure.notes else ()),
            sandbox=finished.sandbox,
        )

    def _require_no_secret(self, workspace: Path, finished: Finished) -> None:
        """An app is kept, shown and shared; a key in it would be too."""
        from pytest_appbench.artifacts.workspace import file_names

        values = {name: value.encode() for name, value in self._secrets()}
        for file in sorted(file_names(workspace)) if values else ():
            path = workspace / file
            content = path.read_bytes() if path.stat().st_size <= _SCANNED_BYTES else b""
            for name in (name for name, value in values.items() if value in content):
                raise GenerationFailed(
                    f"the agent wrote the value of the environment variable {name} into {file}",
                    self._notes(finished, ()),
                    sandbox=finished.sandbox,
                )

    def _notes(self, finished: Finished, assumed: tuple[str, ...]) -> str:
        facts: dict[str, Any] = {key: value for key, value in asdict(finished).items() if value}
        facts |= {
            "exit_code": finished.exit_code,
            "seconds": round(finished.seconds, 3),
            "stdout": self._scrubbed(finished.stdout),
            "stderr": self._scrubbed(finished.stderr),
        }
        if assumed:
            facts["assumed"] = list(assumed)
        return json.dumps(facts, ensure_ascii=False, indent=2)

    def _scrubbed(self, text: str) -> str:
        from pytest_appbench.models.scrub import scrub

        for name, value in self._secrets():
            text = text.replace(value, f"[{name}]")
        return scrub("".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text))

    def _secrets(self) -> Iterator[tuple[str, str]]:
        """What the user let the agent see, as far as it is called or looks like a secret."""
        from pytest_appbench.models.scrub import is_secret

        for name in self.means.environment:
            value = os.environ.get(name, "").strip()
            if len(value) >= _SHORTEST_SECRET and (is_secret(name) or _RANDOM.fullmatch(value)):
                yield name, value

    @property
    def _spec(self) -> str:
        from pytest_appbench.models.scrub import scrub

        return scrub(f"command:{self.text}")


def _make(argument: str, root: Path, means: Means) -> CommandGenerator:
    if not argument:
        raise SettingsError("'command' needs the agent's command line, such as command:./my-agent")
    return CommandGenerator(argument, parse(argument, root, means.hidden), means, root.resolve())


SCHEMES = (
    Scheme(
        name="command",
        help="what your agent writes; {prompt_file}, {prompt}, {workspace}, {task_id} or stdin",
        example="command:./my-agent",
        make=_make,
    ),
)
