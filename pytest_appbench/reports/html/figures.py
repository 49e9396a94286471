"""The figures of the overview: rates with intervals, score distributions, what a run consumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from pytest_appbench.judges.verdict import DIMENSIONS, UNJUDGED, Usage
from pytest_appbench.judges.votes import summed
from pytest_appbench.reports.html.clean import clean
from pytest_appbench.reports.results import Record, count
from pytest_appbench.statistics import mean, wilson_interval

BINS = 10
LEVELS = ("easy", "mid", "hard")


@dataclass(frozen=True)
class Group:
    """A row of a table of rates.

    Attributes:
        name: What the records have in common.
        counts: Outcome to number.
        interval: The 95 % Wilson interval of the pass rate, or None where nothing was judged.
        scores: Dimension to the mean score, or None.
        judges: Who gave the scores.
    """

    name: str
    counts: dict[str, int]
    interval: tuple[float, float] | None
    scores: dict[str, float | None]
    judges: str

    @property
    def judged(self) -> int:
        """How many have a verdict."""
        return self.counts["pass"] + self.counts["fail"] + self.counts["uncertain"]

    @property
    def total(self) -> int:
        """How many were attempted."""
        return self.judged + self.counts["error"]

    @property
    def rate(self) -> float | None:
        """The pass rate, 0..1; errors are left out."""
        return self.counts["pass"] / self.judged if self.judged else None

    @property
    def coverage(self) -> float | None:
        """The part of what was attempted that has a verdict, 0..1."""
        return self.judged / self.total if self.total else None


@dataclass(frozen=True)
class Histogram:
    """How the scores of one judge are spread in one dimension.

    Attributes:
        name: The dimension, or `score` for a protocol's own.
        judge: Who gave them.
        bins: Number of scores in each tenth; 1.0 is in the last.
        median: The middle score.
        threshold: What scores were compared with, if it was the same for all.
    """

    name: str
    judge: str
    bins: tuple[int, ...]
    median: float
    threshold: float | None

    @property
    def total(self) -> int:
        """How many scores."""
        return sum(self.bins)


@dataclass(frozen=True)
class Spent:
    """What judging and generating took.

    Attributes:
        seconds: Of all judgings together, kept ones included.
        actions: In the browser.
        judging: Of judges that are models.
        generation: Of models that wrote apps.
        kept: How many verdicts were given in an earlier run.
        paid: Tokens and US dollars (each None if not known) that the run spent on models, kept
            verdicts left out and what came to nothing included; None if nothing tells.
    """

    seconds: float
    actions: int
    judging: Usage
    generation: Usage
    kept: int
    paid: tuple[int | None, float | None] | None = None

    @property
    def asked(self) -> list[Usage]:
        """What models consumed, where any was asked."""
        return [one for one in (self.judging, self.generation) if one.tokens_in is not None]

    @property
    def cost(self) -> float | None:
        """US dollars, or None if a part is not known."""
        return summed(self.asked).cost_usd

    @property
    def on_record(self) -> int:
        """The tokens of all verdicts and apps, kept ones included."""
        return tokens(self.judging) + tokens(self.generation)

    @property
    def differs(self) -> bool:
        """Whether the run spent something else than what is on record took."""
        return self.paid is not None and self.paid[0] not in (None, self.on_record)


def tokens(usage: Usage) -> int:
    """All tokens, in and out; 0 where no model was asked."""
    return (usage.tokens_in or 0) + (usage.tokens_out or 0)


def group(name: str, records: Sequence[Record]) -> Group:
    """Sum up records.

    Args:
        name: What they have in common.
        records: Records that stand for tasks.
    """
    counts = count(records)
    judged = counts["pass"] + counts["fail"] + counts["uncertain"]
    verdicts = [record.verdict for record in records if record.verdict]
    means: dict[str, float | None] = {
        name: mean([score for v in verdicts if (score := getattr(v.scores, name)) is not None])
        for name in DIMENSIONS
    }
    interval = wilson_interval(counts["pass"], judged)
    return Group(clean(name, 80), counts, interval, means, ", ".join(judges_of(records)))


def groups(records: Sequence[Record], of: Callable[[Record], str | None]) -> list[Group]:
    """Sum up records by what they have in common.

    Args:
        records: Records that stand for tasks.
        of: Gives what a record is put under; those without are put under a dash.
    """
    names = sorted({of(record) or "-" for record in records}, key=_order)
    return [group(name, [r for r in records if (of(r) or "-") == name]) for name in names]


def _order(name: str) -> tuple[int, str]:
    return (LEVELS.index(name) if name in LEVELS else len(LEVELS) + (name == "-"), name)


def judges_of(records: Iterable[Record]) -> list[str]:
    """The names of all judges that gave a verdict."""
    names = {record.verdict.judge for record in records if record.verdict}
    return [clean(name, 120) for name in sorted(names - UNJUDGED)]


def histograms(records: Sequence[Record]) -> list[list[Histogram]]:
    """How scores are spread: a list for each judge, with each dimension it scores.

    Args:
        records: Records that stand for tasks.
    """
    found = []
    verdicts = [r.verdict for r in records if r.verdict and r.verdict.judge not in UNJUDGED]
    for judge in sorted({verdict.judge for verdict in verdicts}):
        of_judge = [verdict for verdict in verdicts if verdict.judge == judge]
        thresholds = {verdict.threshold for verdict in of_judge}
        threshold = thresholds.pop() if len(thresholds) == 1 else None
        row = []
        for name in (*DIMENSIONS, "score"):
            holder = [verdict if name == "score" else verdict.scores for verdict in of_judge]
            values = [value for one in holder if (value := getattr(one, name)) is not None]
            if values:
                bins = [0] * BINS
                for value in values:
                    bins[min(BINS - 1, int(round(value * BINS, 9)))] += 1
                middle = float(median(values))
                row.append(Histogram(name, clean(judge, 120), tuple(bins), middle, threshold))
        if row:
            found.append(row)
    return found


def spent(records: Sequence[Record], paid: tuple[int | None, float | None] | None = None) -> Spent:
    """Sum up what records say was consumed.

    Args:
        records: Records that stand for tasks; what their parts consumed is in them.
        paid: Tokens and US dollars that the run itself spent, if that is known.
    """
    verdicts = [record.verdict for record in records if record.verdict]
    return Spent(
        seconds=sum(verdict.seconds for verdict in verdicts),
        actions=sum(verdict.usage.actions for verdict in verdicts),
        judging=summed([verdict.usage for verdict in verdicts]),
        generation=summed([record.generation for record in records if record.generation]),
        kept=sum(verdict.cached for verdict in verdicts),
        paid=paid,
    )
