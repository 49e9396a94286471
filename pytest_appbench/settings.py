"""What a run was asked to do: every option resolved once, with the place each value came from.

The order is: command line, task file, folder defaults, ini file, default. This module knows the
names, the defaults and how to read a value. It does not know pytest: `plugin` hands it the values.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.tasks.model import Task

POLICIES = ("fail", "skip", "xfail", "pass")
CAPTURES = ("off", "on-failure", "on")


@dataclass(frozen=True)
class Option:
    """One option: `--appbench-NAME` on the command line, `appbench_NAME` in an ini file.

    Attributes:
        name: With hyphens, without the prefix.
        default: The value when nobody sets it, as a user would write it.
        help: One line for `pytest --help`.
        read: Turns the text into the value; raises ValueError with what to write instead.
        choices: The words allowed, if only some are.
        metavar: The placeholder in `pytest --help`.
    """

    name: str
    default: str
    help: str
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    metavar: str | None = None

    @property
    def ini(self) -> str:
        """The name in an ini file."""
        return "appbench_" + self.attribute

    @property
    def attribute(self) -> str:
        """The name of the field in `Settings`."""
        return self.name.replace("-", "_")


def _fraction(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError("write a number from 0 to 1, such as 0.8")
    return value


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError("write a whole number from 1 up")
    return value


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError("write a whole number from 0 up")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if value <= 0:
        raise ValueError("write a number of seconds above 0")
    return value


def parse_viewports(text: str) -> tuple[tuple[int, int], ...]:
    """Read window sizes.

    Args:
        text: Sizes in CSS pixels, such as `1280x720+390x844`.

    Returns:
        Pairs of width and height.

    Raises:
        ValueError: The text is not of that form.
    """
    sizes = re.split(r"[+,\s]+", text.strip())
    if not all(re.fullmatch(r"[1-9]\d{1,4}x[1-9]\d{1,4}", size) for size in sizes):
        raise ValueError("write sizes such as 1280x720 or 1280x720+390x844")
    return tuple((int(w), int(h)) for w, h in (size.split("x") for size in sizes))


OPTIONS: tuple[Option, ...] = (
    Option(
        "generator",
        "reference",
        "where each task's app comes from: reference[:NAME] or dir:PATH",
        metavar="SPEC",
    ),
    Option("judge", "probe", "who judges the app: probe", metavar="NAME"),
    Option(
        "threshold",
        "0.8",
        "the least score, 0..1, that each dimension must reach",
        _fraction,
        metavar="SCORE",
    ),
    Option(
        "viewport",
        "1280x720+390x844",
        "window sizes; the first is where the app is used, the others are looked at",
        parse_viewports,
        metavar="WxH[+WxH]",
    ),
    Option("seed", "0", "seeds the page's Math.random", _seed, metavar="N"),
    Option(
        "uncertain",
        "fail",
        "how pytest counts an uncertain verdict; records keep it as uncertain",
        choices=POLICIES,
    ),
    Option("max-actions", "40", "the most actions the explorer takes", _positive, metavar="N"),
    Option(
        "time-limit", "120", "the most seconds one judging may take", _seconds, metavar="SECONDS"
    ),
    Option("run-dir", "appbench-runs", "the folder for records and evidence", Path, metavar="DIR"),
    Option(
        "capture",
        "on-failure",
        "keep screenshots of judgings",
        choices=CAPTURES,
    ),
)


@dataclass(frozen=True)
class Settings:
    """The options of a run, or of one task within it, as values ready to use.

    Attributes:
        generator: Spec of the generator.
        judge: Name of the judge.
        threshold: The least score, 0..1, that each dimension must reach.
        viewport: Window sizes, pairs of width and height in CSS pixels.
        seed: Seed of the page's random numbers.
        uncertain: How pytest counts an uncertain verdict.
        max_actions: The most actions the explorer takes.
        time_limit: The most seconds one judging may take.
        run_dir: Folder of runs, absolute.
        capture: Which screenshots are kept: off, on-failure, on.
        invocation_dir: Where the user stands; paths on the command line start here.
        root_dir: The project's root; paths in an ini file start here.
        cache_dir: Folder of the artifact store, absolute.
        sources: For each option, where its value came from.
    """

    generator: str
    judge: str
    threshold: float
    viewport: tuple[tuple[int, int], ...]
    seed: int
    uncertain: str
    max_actions: int
    time_limit: float
    run_dir: Path
    capture: str
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

    def described(self) -> str:
        """The values that were not left at their defaults, in one line, with their sources."""
        parts = [f"generator {self.generator}", f"judge {self.judge}"]
        parts += [
            f"{option.name} {_written(getattr(self, option.attribute))}"
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
    """A name for a run that sorts by time: UTC date and time and four random characters."""
    return f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(2)}"


def resolve(
    command_line: Mapping[str, str | None],
    ini: Mapping[str, str],
    *,
    invocation_dir: Path,
    root_dir: Path,
    cache_dir: Path,
) -> Settings:
    """Resolve every option.

    Args:
        command_line: Option attribute to the text given, or None.
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
        text, source = option.default, "default"
        if given is not None:
            text, source = given, "command line"
        elif written:
            text, source = written, "ini"
        values[option.attribute] = _read(option, text, source)
        sources[option.attribute] = source
    typed = sources["run_dir"] == "command line"
    values["run_dir"] = ((invocation_dir if typed else root_dir) / values["run_dir"]).resolve()
    return Settings(
        **values,
        invocation_dir=invocation_dir,
        root_dir=root_dir,
        cache_dir=cache_dir.resolve(),
        sources=sources,
    )


def _read(option: Option, text: str, source: str) -> Any:
    where = f"--appbench-{option.name}" if source == "command line" else option.ini
    if option.choices and text not in option.choices:
        raise SettingsError(f"{where}: {text!r} is not one of {', '.join(option.choices)}")
    try:
        return option.read(text)
    except ValueError as error:
        raise SettingsError(f"{where}: cannot use {text!r}: {error}") from None


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(f"{w}x{h}" for w, h in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
