"""How far a judge can be trusted, by apps whose quality is known.

It finds the labelled apps of a benchmark, guesses what judging them costs, and keeps what came of
it as a calibration that later reports by the same judge carry. It judges nothing and knows no
pytest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_appbench import __version__
from pytest_appbench.judges.verdict import BETWEEN
from pytest_appbench.statistics.agreement import Confusion, confusion, sweep

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.settings import Settings
    from pytest_appbench.statistics.agreement import Case
    from pytest_appbench.tasks.model import Task

NAME = "calibration.json"
"""Of the copy that a run directory carries."""
FAULTS = "FAULTS.md"
UNDESCRIBED = "not described"
_GOOD = re.compile(r"good\d*")
_FAULTY = re.compile(r"(faulty|planted)(-?\d+)?")
_DESCRIBED = re.compile(r"^- `(?P<name>[^`]+)`: (?P<kind>[^:\n]{1,60}): ", re.MULTILINE)


@dataclass(frozen=True)
class LabelledApp:
    """A reference app whose quality its folder's name tells.

    Attributes:
        task: Its task.
        name: The folder's name: `good`, `good2`, ... or `faulty`, `planted-1`, ...
        good: Whether it is good.
        fault: The class of its fault, as `FAULTS.md` has it; empty for a good app.
    """

    task: Task
    name: str
    good: bool
    fault: str = ""

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.task.folder / "apps" / self.task.id / self.name


def labelled_apps(folder: Path) -> Iterator[LabelledApp]:
    """Find the labelled apps of a benchmark.

    Args:
        folder: The benchmark; it is searched for task files.

    Yields:
        Each app whose folder's name says good or faulty; others are left alone.

    Raises:
        TaskFileError: A task file has mistakes.
    """
    from pytest_appbench.tasks.defaults import NAMES
    from pytest_appbench.tasks.load import load_file
    from pytest_appbench.tasks.validate import task_files

    for file in sorted(task_files(folder.absolute())):
        if file.name in NAMES:
            continue
        for task in load_file(file):
            apps = task.folder / "apps" / task.id
            faults = _faults(apps / FAULTS)
            for name in labelled_names(apps):
                good = _GOOD.fullmatch(name) is not None
                yield LabelledApp(task, name, good, "" if good else faults.get(name, UNDESCRIBED))


def labelled_names(apps: Path) -> list[str]:
    """The names of the labelled apps of one task, in alphabetical order.

    Args:
        apps: The folder `apps/<task id>`.
    """
    names = sorted(path.name for path in apps.iterdir() if path.is_dir()) if apps.is_dir() else []
    return [name for name in names if _GOOD.fullmatch(name) or _FAULTY.fullmatch(name)]


def _faults(file: Path) -> dict[str, str]:
    if not file.is_file():
        return {}
    text = file.read_text(encoding="utf-8", errors="replace")
    return {found["name"]: found["kind"].strip() for found in _DESCRIBED.finditer(text)}


# What it costs


@dataclass(frozen=True)
class Estimate:
    """What judging may cost.

    Attributes:
        tokens: Prompt and reply together; 0 for a judge without a model.
        cost: US dollars, or None where there is no price.
        source: What it rests on, in words.
    """

    tokens: int
    cost: float | None
    source: str


_ANSWERS, _REPLY, _GROWTH, _STANDING = 6, 900, 1_800, 3_500
"""Tokens of a guessed judging: that many answers, each so long, each adding so much to read, after
so much of standing instructions and tools."""


def estimate(
    apps: Sequence[LabelledApp], judges: Sequence[str], known: Iterable[Record]
) -> Estimate:
    """Say what judging some apps may cost, before it is done.

    Args:
        apps: What is to be judged.
        judges: Who is to judge, each by its spec.
        known: Records of earlier runs, whose judgings by the same judges are the best guide.

    Returns:
        The sum over all judges and apps; verdicts that are kept already cost nothing.
    """
    verdicts = [record.verdict for record in known if record.verdict]
    parts = [_estimate_of(apps, spec, [v for v in verdicts if v.judge == spec]) for spec in judges]
    costs = [part.cost for part in parts]
    return Estimate(
        tokens=sum(part.tokens for part in parts),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        source="; ".join(dict.fromkeys(part.source for part in parts)),
    )


def _estimate_of(apps: Sequence[LabelledApp], spec: str, verdicts: Sequence[object]) -> Estimate:
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.models.chat import Tokens
    from pytest_appbench.models.prices import cost

    provider, colon, model = spec.partition(":")
    if not colon:
        return Estimate(0, 0.0, f"{spec} asks no model")
    usages = [
        v.usage for v in verdicts if isinstance(v, Verdict) and v.usage.tokens_in and not v.cached
    ]
    if usages:
        tokens = [(u.tokens_in or 0) + (u.tokens_out or 0) for u in usages]
        costs = [u.cost_usd for u in usages if u.cost_usd is not None]
        each = sum(costs) / len(costs) if len(costs) == len(usages) else None
        return Estimate(
            round(sum(tokens) / len(tokens) * len(apps)),
            None if each is None else each * len(apps),
            f"by the {len(usages)} judgings of {spec} that are on record",
        )
    growth = _GROWTH * _ANSWERS * (_ANSWERS - 1) // 2
    read = sum(_ANSWERS * (_STANDING + _size(app.folder) // 3) + growth for app in apps)
    written = _ANSWERS * _REPLY * len(apps)
    price = cost(provider, model, Tokens(input=read, output=written))
    source = f"a guess from the size of the apps: {_ANSWERS} answers each, nothing cached"
    return Estimate(read + written, price, source)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# What came of it


class Counts(BaseModel):
    """A confusion table; see `statistics.agreement.Confusion`."""

    model_config = ConfigDict(frozen=True)

    tp: int
    fp: int
    fn: int
    tn: int

    @classmethod
    def of(cls, found: Confusion) -> Counts:
        """The same counts as data.

        Args:
            found: The counts.
        """
        return cls(tp=found.tp, fp=found.fp, fn=found.fn, tn=found.tn)

    @property
    def table(self) -> Confusion:
        """The counts with their figures."""
        return Confusion(self.tp, self.fp, self.fn, self.tn)


class Calibration(BaseModel):
    """How a judge did on labelled apps.

    Attributes:
        version: Of this format.
        plugin: Version of pytest-appbench.
        date: When, as YYYY-MM-DD in UTC.
        judges: The specs of the judges.
        protocol: The way in which a model judged.
        without: What a model judge went without.
        vision: Whether a model judge saw screenshots: own, on or off.
        threshold: What scores were compared with; None in what an earlier version kept.
        run: Id of the run that judged.
        counts: At the threshold of the run.
        domains: The same for each domain.
        faults: Class of fault to how many apps have it and in how many it was caught.
        thresholds: The same counts at other thresholds, by the least score.
        missed: Faulty apps that passed.
        wronged: Good apps that did not pass.
        unjudged: Apps without a verdict, from errors of the harness.
        screened: Verdicts that the probe gave before a model was asked.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = 1
    plugin: str = __version__
    date: str
    judges: tuple[str, ...]
    protocol: str
    without: tuple[str, ...] = ()
    vision: str = "own"
    threshold: float | None = None
    run: str
    counts: Counts
    domains: dict[str, Counts]
    faults: dict[str, tuple[int, int]]
    thresholds: dict[str, Counts]
    missed: tuple[str, ...]
    wronged: tuple[str, ...]
    unjudged: tuple[str, ...] = ()
    screened: int = 0

    def fits(self, settings: Settings) -> bool:
        """Whether it speaks of the judge that a run has.

        Args:
            settings: The settings of the run.
        """
        if self.judges != settings.judge or self.plugin != __version__:
            return False
        if self.threshold != settings.threshold:
            return False
        if all(":" not in spec for spec in self.judges):
            return True
        return (self.protocol, self.without, self.vision) == (
            settings.protocol,
            tuple(sorted(settings.without)),
            settings.vision,
        )

    def __str__(self) -> str:
        from pytest_appbench.reports.tables import percent_within

        table = self.counts.table
        bounds = table.intervals()
        accuracy = percent_within(table.accuracy, bounds["accuracy"])
        f1 = percent_within(table.f1, bounds["f1"])
        told = f"accuracy {accuracy}, F1 {f1} over {table.n} labelled apps on {self.date}"
        return f"{' + '.join(self.judges)}: {told}"


@dataclass(frozen=True)
class Judged:
    """A labelled app and what the judge made of it."""

    app: LabelledApp
    case: Case
    judge: str


def conclude(judged: Sequence[Judged], settings: Settings, run: str, date: str) -> Calibration:
    """Sum up.

    Args:
        judged: The apps with their verdicts; the outcome `error` stands for none.
        settings: The settings of the run.
        run: Its id.
        date: Today, as YYYY-MM-DD.
    """
    known = [one for one in judged if one.case.outcome != "error"]
    cases = [one.case for one in known]
    domains = {
        domain: Counts.of(confusion([case for case in cases if case.group == domain]))
        for domain in sorted({case.group for case in cases})
    }
    faults: dict[str, tuple[int, int]] = {}
    for one in known:
        if not one.app.good:
            have, caught = faults.get(one.app.fault, (0, 0))
            faults[one.app.fault] = (have + 1, caught + (one.case.outcome != "pass"))
    modelled = any(":" in spec for spec in settings.judge)
    return Calibration(
        date=date,
        judges=settings.judge,
        protocol=settings.protocol if modelled else "probe",
        without=tuple(sorted(settings.without)),
        vision=settings.vision,
        threshold=settings.threshold,
        run=run,
        counts=Counts.of(confusion(cases)),
        domains=domains,
        faults=dict(sorted(faults.items())),
        thresholds={f"{t:.2f}": Counts.of(found) for t, found in sweep(cases)},
        missed=tuple(c.name for c in cases if not c.good and c.outcome == "pass"),
        wronged=tuple(c.name for c in cases if c.good and c.outcome != "pass"),
        unjudged=tuple(one.case.name for one in judged if one.case.outcome == "error"),
        screened=sum(one.judge == "probe" for one in known) if modelled else 0,
    )


def place_of(calibration: Calibration, cache: Path) -> Path:
    """Where later runs look for a calibration.

    Args:
        calibration: What is to be kept.
        cache: The folder of the artifact store.
    """
    told = [*calibration.judges]
    if calibration.protocol not in calibration.judges:
        told.append(calibration.protocol)
    told += calibration.without
    if calibration.vision != "own":
        told.append(f"vision-{calibration.vision}")
    if calibration.threshold is not None:
        told.append(f"{calibration.threshold:g}")
    words = "-".join(told)
    return cache / "calibration" / (re.sub(r"[^A-Za-z0-9._-]+", "-", words)[-150:] + ".json")


def find_for(records: Iterable[Record], settings: Settings) -> Calibration | None:
    """The latest calibration of the judge that gave the verdicts of a run.

    Args:
        records: Those of the run.
        settings: Its settings.

    Returns:
        None as for `find`, and where no verdict is by that judge.
    """
    verdicts = [record.verdict for record in records if record.verdict]
    judges = {judge for verdict in verdicts for judge in verdict.judge.split(BETWEEN)}
    return find(settings) if judges & set(settings.judge) else None


def find(settings: Settings) -> Calibration | None:
    """The latest calibration of the judge that a run has.

    Args:
        settings: The settings of the run.

    Returns:
        None if that judge, in that way and by this version, was never calibrated here.
    """
    found = []
    for file in sorted((settings.cache_dir / "calibration").glob("*.json")):
        try:
            one = Calibration.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):  # written by another version: as good as none
            continue
        if one.fits(settings):
            found.append(one)
    return max(found, key=lambda one: one.date, default=None)
