"""What a run was asked to do: every option resolved once, with the place each value came from.

The order is: command line, task file, folder defaults, ini file, default. The options themselves
are in `options`. It does not know pytest: `plugin` hands it the values.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.browser.remote import WHY_ROUTING
from pytest_appbench.errors import SettingsError
from pytest_appbench.gates.grammar import Gate
from pytest_appbench.options import OPTIONS, Option, parse_viewports

if TYPE_CHECKING:
    from pytest_appbench.browser.remote import Endpoint
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class Settings:
    """The options of a run, or of one task within it, as values ready to use.

    Attributes:
        generator: Spec of the generator.
        generator_version: What the user calls the present version of an agent.
        generator_env: Names of environment variables that a command may see.
        judge: Specs of the judges, one for each vote.
        protocol: The way in which a model judges.
        threshold: The least score, 0..1, that each dimension must reach.
        pass_label: The least label that passes, or None for the protocol's own.
        viewport: Window sizes, pairs of width and height in CSS pixels.
        seed: Seed of the page's random numbers.
        without: What a model judge goes without.
        vision: Whether a model judge sees screenshots: own, on or off.
        clock: Page time under a model judge: logical or real.
        screen: Whether the probe looks before a model does: on or off.
        attempts: How often a task is generated and judged.
        reducer: How attempts become one outcome.
        vote: How several judges become one verdict.
        uncertain: How pytest counts an uncertain verdict.
        max_turns: The most answers of one judge; None for its own limit.
        max_actions: The most actions of one judge; None for its own limit.
        time_limit: The most seconds of one generation or judging; None for its own limit.
        task_tokens: The most tokens of one task, or None.
        task_cost: The most US dollars of one task, or None.
        run_tokens: The most tokens of the run, or None.
        run_cost: The most US dollars of the run, or None.
        concurrency: The most model calls at a time, over all workers, or None.
        cache: Stage (generate, build, judge) to off, read or refresh.
        run_dir: Folder of runs, absolute.
        capture: Which pictures are kept: off, on-failure, on.
        html: File of the HTML report, absolute, or None for none.
        html_screenshots: Its screenshots: link or embed.
        sandbox: How processes that are not ours are kept in: auto or none.
        guard: How apps are kept in: full or routing.
        browser_endpoint: Where a remote browser is, or None.
        resume: The run to go on with, or None.
        baseline: The run or file of records to compare with, or None.
        gate: What decides the exit code, besides the two that follow.
        max_uncertain: The most of the judged tasks, 0..1, that may be uncertain, or None.
        min_coverage: The least of the tasks, 0..1, that must have been judged, or None.
        invocation_dir: Where the user stands; paths on the command line start here.
        root_dir: The project's root; paths in an ini file start here.
        cache_dir: Folder of the artifact store, absolute.
        sources: For each option, where its value came from.
    """

    generator: str
    generator_version: str | None
    generator_env: tuple[str, ...]
    judge: tuple[str, ...]
    protocol: str
    threshold: float
    pass_label: str | None
    viewport: tuple[tuple[int, int], ...]
    seed: int
    without: frozenset[str]
    vision: str
    clock: str
    screen: str
    attempts: int
    reducer: str
    vote: str
    uncertain: str
    max_turns: int | None
    max_actions: int | None
    time_limit: float | None
    task_tokens: int | None
    task_cost: float | None
    run_tokens: int | None
    run_cost: float | None
    concurrency: int | None
    cache: Mapping[str, str]
    run_dir: Path
    capture: str
    html: Path | None
    html_screenshots: str
    sandbox: str
    guard: str
    browser_endpoint: Endpoint | None
    resume: str | None
    baseline: str | None
    gate: tuple[Gate, ...]
    max_uncertain: float | None
    min_coverage: float | None
    invocation_dir: Path
    root_dir: Path
    cache_dir: Path
    sources: Mapping[str, str] = field(default_factory=dict)

    def base(self, option: str) -> Path:
        """The folder that a relative path in this option's value starts from.

        Args:
            option: The option's field name.

        Returns:
            The invocation folder for a value of the command line, else the root folder.
        """
        typed = self.sources.get(option) == "command line"
        return self.invocation_dir if typed else self.root_dir

    def chosen_viewport(self) -> tuple[int, int] | None:
        """The first window size if somebody set it, else None: the browser context's own holds."""
        return None if self.sources.get("viewport") == "default" else self.viewport[0]

    def for_task(self, task: Task) -> Settings:
        """The settings of one task: its own values stand between command line and ini file.

        Args:
            task: The task, with the defaults of its folder already in it.

        Returns:
            The settings with the task's values where the command line left room.
        """
        changes: dict[str, Any] = {}
        if task.protocol is not None:
            changes["protocol"] = task.protocol
        if task.threshold is not None:
            changes["threshold"] = task.threshold
        if task.seed is not None:
            changes["seed"] = task.seed
        if task.viewports is not None:
            changes["viewport"] = parse_viewports("+".join(task.viewports))
        changes = {k: v for k, v in changes.items() if self.sources.get(k) != "command line"}
        if not changes:
            return self
        sources = {**self.sources, **dict.fromkeys(changes, "task")}
        return Settings(**{**vars(self), **changes, "sources": sources})

    def _typed(self, value: Any) -> Any:
        """A path as one would type it where the user stands; any other value as it is."""
        if isinstance(value, Path) and value.is_relative_to(self.invocation_dir):
            return value.relative_to(self.invocation_dir)
        return value

    def described(self) -> str:
        """The values that were not left at their defaults, in one line, with their sources."""
        parts = [f"generator {self.generator}", f"judge {_written(self.judge)}"]
        parts += [
            f"{option.name} {_written(self._typed(getattr(self, option.attribute)))}"
            for option in OPTIONS
            if option.name not in ("generator", "judge")
            and self.sources.get(option.attribute, "default") != "default"
        ]
        named = []
        for part in parts:
            source = self.sources.get(part.split(" ")[0].replace("-", "_"), "default")
            named.append(part if source == "default" else f"{part} ({source})")
        return ", ".join(named)


def new_run_id() -> str:
    """A name for a run that sorts by time: UTC date and time and eight random characters."""
    return f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(4)}"


def resolve(
    command_line: Mapping[str, str | Sequence[str] | None],
    ini: Mapping[str, str],
    *,
    invocation_dir: Path,
    root_dir: Path,
    cache_dir: Path,
) -> Settings:
    """Resolve every option.

    Args:
        command_line: Option attribute to the text given, or None; several texts for an option
            that repeats.
        ini: Option attribute to the text of the ini file, or an empty text.
        invocation_dir: Where the user stands.
        root_dir: The project's root.
        cache_dir: Folder of the artifact store.

    Returns:
        The settings of the run.

    Raises:
        SettingsError: A value cannot be read; the message names the option and what to write.
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for option in OPTIONS:
        given, written = command_line.get(option.attribute), ini.get(option.attribute, "")
        text: str | Sequence[str] = option.default
        source = "default"
        if given:
            text, source = given, "command line"
        elif written:
            text, source = written, "ini"
        if option.repeats:
            texts = option.several(text) if isinstance(text, str) else text
            values[option.attribute] = tuple(_read(option, one, source) for one in texts)
        else:
            values[option.attribute] = _read(option, str(text), source)
        sources[option.attribute] = source
    if values["browser_endpoint"] is not None and values["guard"] != "routing":
        typed = sources["browser_endpoint"] == "command line"
        where = "--appbench-browser-endpoint" if typed else "appbench_browser_endpoint"
        raise SettingsError(f"{where}: {WHY_ROUTING}")
    for name in ("run_dir", "html"):
        base = invocation_dir if sources[name] == "command line" else root_dir
        values[name] = None if values[name] is None else (base / values[name]).resolve()
    _require_places(values["run_dir"], values["html"])
    return Settings(
        **values,
        invocation_dir=invocation_dir,
        root_dir=root_dir,
        cache_dir=cache_dir.resolve(),
        sources=sources,
    )


def _require_places(run_dir: Path, html: Path | None) -> None:
    """What cannot be written is told before an app is judged, not after."""
    if run_dir.exists() and not run_dir.is_dir():
        raise SettingsError(f"--appbench-run-dir: {run_dir} is a file; name a folder for runs")
    if html is not None and html.is_dir():
        raise SettingsError(f"--appbench-html: {html} is a folder; name a file in it")


def read_value(name: str, text: str) -> Any:
    """Read the value of one option as the command line has it.

    Args:
        name: The option's name, with hyphens.
        text: Its text.

    Returns:
        The value.

    Raises:
        SettingsError: It cannot be read; the message names the option and what to write.
    """
    (option,) = (option for option in OPTIONS if option.name == name)
    return _read(option, text, "command line")


def _read(option: Option, text: str, source: str) -> Any:
    where = f"--appbench-{option.name}" if source == "command line" else option.ini
    if option.choices and text not in option.choices:
        raise SettingsError(f"{where}: {text!r} is not one of {', '.join(option.choices)}")
    try:
        return option.read(text)
    except ValueError as error:
        raise SettingsError(f"{where}: cannot use {text!r}: {error}") from None


def _written(value: Any) -> str:
    if isinstance(value, tuple | frozenset):
        words = value if isinstance(value, tuple) else sorted(value)
        if value and isinstance(next(iter(value)), Gate):
            return "; ".join(map(str, value))
        return "+".join(one if isinstance(one, str) else f"{one[0]}x{one[1]}" for one in words)
    if isinstance(value, Mapping):
        return ",".join(f"{name}={how}" for name, how in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
