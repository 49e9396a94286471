"""Every option: its name, its default, its help, and how its text becomes a value.

The order of sources and what a task may change belong to `settings`; nothing here knows pytest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_appbench.browser.remote import parse_endpoint
from pytest_appbench.gates.grammar import parse as parse_gate

POLICIES = ("fail", "skip", "xfail", "pass")
CAPTURES = ("off", "on-failure", "on")
ABLATIONS = ("code", "agent", "reference")
VOTES = ("unanimous", "majority", "mean", "min")
REDUCERS = ("all", "any", "majority", "mean")
SCREENSHOTS = ("link", "embed")
GUARDS = ("full", "routing")
STAGES = ("generate", "build", "judge")
CACHING = ("off", "read", "refresh")


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
        repeats: Whether it may be given several times; its values then become a tuple.
        separator: What stands between several values in an ini file: a pattern.
    """

    name: str
    default: str
    help: str
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    repeats: bool = False
    separator: str = r"\s+"

    def several(self, text: str) -> list[str]:
        """The texts of an option that repeats, as an ini file has them.

        Args:
            text: The text of the ini file.
        """
        return [one for one in re.split(self.separator, text.strip()) if one]

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


def _share(text: str) -> float:
    value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise ValueError("write a number from 0 to 1, such as 0.1, or 10%")
    return value


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError("write a whole number from 1 up")
    return value


def _optional(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """The same reading, with None for `none` and for the judge's or protocol's `own`."""
    return lambda text: None if text in ("none", "own") else read(text)


def _amount(text: str) -> float:
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError("write a number above 0, or none for no limit")
    return value


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.split(r"[,\s]+", text.strip())) if text.strip() else ()


def _without(text: str) -> frozenset[str]:
    words = frozenset(_words(text)) - {"none"}
    if not words <= set(ABLATIONS):
        raise ValueError(f"write some of {', '.join(ABLATIONS)}, with commas between them")
    return words


def parse_caching(text: str) -> dict[str, str]:
    """Read how each stage of a task uses what is kept from earlier runs.

    Args:
        text: One word for all stages, or `generate=read,judge=refresh`; a stage that is not named
            keeps `read`.

    Returns:
        Stage to off, read or refresh.

    Raises:
        ValueError: The text is not of that form.
    """
    kept = dict.fromkeys(STAGES, "read")
    for part in _words(text):
        stage, named, how = part.rpartition("=")
        if how not in CACHING or (named and stage not in STAGES):
            raise ValueError(
                "write off, read or refresh, alone or as in generate=read,judge=refresh; "
                f"stages are {', '.join(STAGES)}"
            )
        kept.update({stage: how} if named else dict.fromkeys(STAGES, how))
    return kept


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError("write a whole number from 0 up")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < math.inf:
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
        "where each task's app comes from: reference[:NAME], dir:PATH, anthropic:MODEL, "
        "openai:MODEL, command:CMD or http:URL",
        metavar="SPEC",
    ),
    Option(
        "generator-version",
        "none",
        "what you call the present version of your agent; its apps are kept under this name",
        _optional(str),
        metavar="VERSION",
    ),
    Option(
        "generator-env",
        "",
        "names of environment variables that a command may see",
        _words,
        metavar="NAMES",
    ),
    Option(
        "judge",
        "probe",
        "who judges the app: probe, anthropic:MODEL or openai:MODEL; repeat it for votes",
        metavar="SPEC",
        repeats=True,
    ),
    Option(
        "protocol",
        "miniapp",
        "the way in which a model judges; the docs have a page for each",
    ),
    Option(
        "threshold",
        "0.8",
        "the least score, 0..1, that each dimension must reach",
        _fraction,
        metavar="SCORE",
    ),
    Option(
        "pass-label",
        "own",
        "the least label that passes, for protocols that give labels",
        _optional(str.upper),
        metavar="LABEL",
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
        "without",
        "none",
        f"what a model judge goes without: some of {', '.join(ABLATIONS)}",
        _without,
        metavar="PARTS",
    ),
    Option(
        "vision",
        "own",
        "whether a model judge sees screenshots; own leaves it to the protocol",
        choices=("own", "on", "off"),
    ),
    Option(
        "clock",
        "logical",
        "page time under a model judge: logical stands still while it thinks, real flows",
        choices=("logical", "real"),
    ),
    Option(
        "screen",
        "on",
        "whether the probe looks first: an app that is dead on arrival costs no tokens",
        choices=("on", "off"),
    ),
    Option("attempts", "1", "how often a task is generated and judged", _positive, metavar="N"),
    Option("reducer", "majority", "how attempts become one outcome", choices=REDUCERS),
    Option("vote", "majority", "how several judges become one verdict", choices=VOTES),
    Option(
        "uncertain",
        "fail",
        "how pytest counts an uncertain verdict; records keep it as uncertain",
        choices=POLICIES,
    ),
    Option("max-turns", "own", "the most answers of one judge", _optional(_positive), metavar="N"),
    Option(
        "max-actions",
        "own",
        "the most actions of one judge in the browser",
        _optional(_positive),
        metavar="N",
    ),
    Option(
        "time-limit",
        "own",
        "the most seconds that one generation or one judging may take",
        _optional(_seconds),
        metavar="SECONDS",
    ),
    Option("task-tokens", "none", "the most tokens of one task", _optional(_positive), metavar="N"),
    Option(
        "task-cost", "none", "the most US dollars of one task", _optional(_amount), metavar="USD"
    ),
    Option("run-tokens", "none", "the most tokens of the run", _optional(_positive), metavar="N"),
    Option("run-cost", "none", "the most US dollars of the run", _optional(_amount), metavar="USD"),
    Option(
        "concurrency",
        "none",
        "the most model calls at a time, over all workers",
        _optional(_positive),
        metavar="N",
    ),
    Option(
        "cache",
        "read",
        "what is kept of earlier runs: off, read or refresh, for all stages or as in "
        "generate=read,judge=refresh",
        parse_caching,
        metavar="HOW",
    ),
    Option("run-dir", "appbench-runs", "the folder for records and evidence", Path, metavar="DIR"),
    Option(
        "capture",
        "on-failure",
        "keep pictures of the steps of judgings",
        choices=CAPTURES,
    ),
    Option(
        "html",
        "none",
        "write an HTML report of the run to this file",
        _optional(Path),
        metavar="FILE",
    ),
    Option(
        "html-screenshots",
        "link",
        "screenshots of the HTML report: link to where they lie, or embed them",
        choices=SCREENSHOTS,
    ),
    Option(
        "sandbox",
        "auto",
        "how processes that are not ours are kept in; none lets them see everything",
        choices=("auto", "none"),
    ),
    Option(
        "guard",
        "full",
        "how apps are kept in: full by host rules of a browser started here, routing request by "
        "request, which a remote browser needs and WebRTC escapes",
        choices=GUARDS,
    ),
    Option(
        "browser-endpoint",
        "none",
        "a remote browser: ws://HOST:PORT of a Playwright server or http://HOST:PORT of a Chromium "
        "that speaks the DevTools protocol; needs --appbench-guard=routing",
        _optional(parse_endpoint),
        metavar="URL",
    ),
    Option(
        "resume",
        "none",
        "go on with a run: only what is missing or ended in an error is judged; a name that is not "
        "there yet begins a run of that name",
        _optional(str),
        metavar="RUN",
    ),
    Option(
        "gate",
        "",
        "decides the exit code, such as 'pass_rate >= 0.6', 'domain:games >= 0.5' or "
        "no-regressions; repeat it for several",
        parse_gate,
        metavar="EXPR",
        repeats=True,
        separator=r"\s*[;\n]\s*",
    ),
    Option(
        "baseline",
        "none",
        "the run, or file of records, that no-regressions compares with",
        _optional(str),
        metavar="FILE|RUN",
    ),
    Option(
        "max-uncertain",
        "none",
        "a gate: the most of the judged tasks, 0..1, that may be uncertain",
        _optional(_share),
        metavar="SHARE",
    ),
    Option(
        "min-coverage",
        "none",
        "a gate: the least of the tasks, 0..1, that must have been judged; below it no other gate "
        "is computed",
        _optional(_share),
        metavar="SHARE",
    ),
)
