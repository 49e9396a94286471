"""Whether the gates of a run hold, worked out from its records and nothing else.

A serial run, one over several workers and the merged records of shards therefore decide alike. A
gate that cannot be computed does not hold, and says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_appbench.gates.grammar import SCORES, SHARES, Gate, share_gate
from pytest_appbench.reports.results import count
from pytest_appbench.reports.ways import who_judged
from pytest_appbench.statistics.paired import Pair, Pairing, deciding_score, pair

if TYPE_CHECKING:
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import Results

_NAMED = 5
"""How many tasks a reason names before it counts the others."""


class _NotComputable(Exception):
    """A figure cannot be worked out; the message says why."""


@dataclass(frozen=True)
class Ruling:
    """What became of a gate.

    Attributes:
        gate: The gate.
        holds: Whether it holds; None if that cannot be computed.
        text: The figure and what it counts, or why there is none.
    """

    gate: Gate
    holds: bool | None
    text: str

    def __str__(self) -> str:
        return f"{self.word:<12} {self.gate}: {self.text}"

    @property
    def word(self) -> str:
        """What became of it, in one or two words."""
        return {True: "holds", False: "fails", None: "not computed"}[self.holds]


@dataclass(frozen=True)
class Decision:
    """What the gates come to.

    Attributes:
        rulings: One for each gate, in order.
        pairing: The tasks beside those of the baseline, if there is one.
    """

    rulings: tuple[Ruling, ...]
    pairing: Pairing | None = None

    @property
    def code(self) -> int:
        """The exit code: 0 when every gate holds, else 1."""
        return 0 if all(ruling.holds for ruling in self.rulings) else 1


def asked(
    gates: Sequence[Gate], max_uncertain: float | None, min_coverage: float | None
) -> tuple[Gate, ...]:
    """All gates that the options ask for.

    Args:
        gates: Those written out.
        max_uncertain: The most of the judged tasks, 0..1, that may be uncertain, or None.
        min_coverage: The least of the tasks, 0..1, that must have been judged, or None.

    Returns:
        The gates, those of options of their own first.
    """
    own = []
    if min_coverage is not None:
        own.append(share_gate("coverage", ">=", min_coverage))
    if max_uncertain is not None:
        own.append(share_gate("uncertain", "<=", max_uncertain))
    return (*own, *gates)


def decide(
    gates: Sequence[Gate],
    results: Results,
    baseline: Results | None = None,
    min_coverage: float | None = None,
) -> Decision:
    """Decide on the gates.

    Args:
        gates: What `asked` gave.
        results: The run.
        baseline: The run to compare with, or None.
        min_coverage: Below this share of judged tasks, 0..1, no figure but coverage is computed:
            of all tasks, and of those that the gate selects.

    Returns:
        What the gates come to.
    """
    pairing = pair(baseline.records, results.records) if baseline else None
    least = share_gate("coverage", ">=", min_coverage or 0.0)
    rulings = []
    for gate in gates:
        try:
            value, text = _figure(gate, results, baseline, pairing, least)
        except _NotComputable as reason:
            rulings.append(Ruling(gate, None, str(reason)))
        else:
            rulings.append(Ruling(gate, gate.holds_for(value), text))
    return Decision(tuple(rulings), pairing)


def _figure(
    gate: Gate,
    results: Results,
    baseline: Results | None,
    pairing: Pairing | None,
    least: Gate,
) -> tuple[float, str]:
    """The value of a gate's figure, and what to say about it."""
    if gate.figure in ("cost", "tokens"):
        return _spent(gate.figure, results)
    records = [record for record in results.settled if _selected(gate, record)]
    if not records:
        chosen = " ".join(f"{name}:{word}" for name, word in gate.selectors)
        raise _NotComputable(f"there is no task of {chosen}" if chosen else "there is no task")
    if gate.figure not in ("coverage", "errors"):
        _require_coverage(results.settled, least, "all tasks")
        _require_coverage(records, least, "these tasks")
    if gate.figure == "regressions":
        return _regressions(gate, results, baseline, pairing)
    counts = count(records)
    judged = len(records) - counts["error"]
    if gate.figure in SHARES:
        part, whole = {
            "pass_rate": (counts["pass"], judged),
            "uncertain": (counts["uncertain"], judged),
            "coverage": (judged, len(records)),
            "errors": (counts["error"], len(records)),
        }[gate.figure]
        if not whole:
            raise _NotComputable(f"none of {len(records)} tasks was judged")
        return part / whole, f"{part / whole:.3f} ({part} of {whole})"
    if gate.figure == "tasks":
        return judged, f"{judged} of {len(records)} judged"
    return _score(gate.figure, records)


def _selected(gate: Gate, record: Record) -> bool:
    for name, word in gate.selectors:
        if name == "protocol":
            own = record.verdict.protocol if record.verdict else word  # an error has none to tell
        else:
            own = getattr(record.task, "id" if name == "task" else name)
        if own != word:
            return False
    return True


def _require_coverage(records: Sequence[Record], least: Gate, whose: str) -> None:
    judged = sum(record.outcome != "error" for record in records)
    share = judged / len(records)
    if not least.holds_for(share):
        raise _NotComputable(
            f"the coverage of {whose} is {share:.3f} ({judged} of {len(records)} judged), "
            f"less than {least.bound:g}"
        )


def _score(figure: str, records: Sequence[Record]) -> tuple[float, str]:
    verdicts = [record.verdict for record in records if record.verdict]
    if not verdicts:
        raise _NotComputable(f"none of {len(records)} tasks was judged")
    found = [
        deciding_score(v) if figure == "score" else getattr(v.scores, figure) for v in verdicts
    ]
    scores = [score for score in found if score is not None]
    if not scores:
        raise _NotComputable(f"no judge gave a score for {SCORES[figure].partition(':')[0]}")
    value, judges = fmean(scores), sorted({verdict.judge for verdict in verdicts})
    of = f"{len(scores)} of {len(verdicts)} judged tasks"
    return value, f"{value:.3f} (mean of {of}, by {', '.join(judges)})"


def _spent(figure: str, results: Results) -> tuple[float, str]:
    if results.spent is None:
        raise _NotComputable(
            "what the run spent is not written beside these records: name the run's directory, "
            "or what appbench merge wrote"
        )
    tokens, cost = results.spent
    if figure == "tokens":
        if tokens is None:
            raise _NotComputable("a model was asked whose endpoint does not count tokens")
        return tokens, f"{tokens:,} tokens"
    if cost is None:
        raise _NotComputable("a model was asked whose price is not known: use tokens instead")
    return cost, f"${cost:.4f}"


def _regressions(
    gate: Gate, results: Results, baseline: Results | None, pairing: Pairing | None
) -> tuple[float, str]:
    if baseline is None or pairing is None:
        raise _NotComputable("there is no baseline to compare with")
    if difference := _judged_otherwise(results, baseline):
        raise _NotComputable(difference)
    of = [p for p in pairing.pairs if p.before and _selected(gate, p.before.record)]
    if not of:
        raise _NotComputable("the baseline has no such task")
    chosen = {pair.key for pair in of}
    if others := [p for p in of if _pair_judged_otherwise(p)]:
        raise _NotComputable(f"{_pair_judged_otherwise(others[0])}: {_named(others)}")
    if lost := [p for p in pairing.lost if p.key in chosen]:
        raise _NotComputable(f"passed in the baseline and not judged now: {_named(lost)}")
    # What passes now cannot have become worse, whatever it was.
    unknown = [p for p in of if p.went(["error"], ["fail", "uncertain", "error"])]
    if unknown:
        raise _NotComputable(f"ended in an error in the baseline: {_named(unknown)}")
    worse = [p for p in pairing.regressions if p.key in chosen]
    text = f"{len(worse)} of {len(of)}"
    if worse:
        text += f": {_named(worse)}"
    if flaky := [
        p for p in pairing.flaky if p.key in chosen and p.went(["pass"], ["fail", "uncertain"])
    ]:
        text += f"; not counted, as attempts disagree: {_named(flaky)}"
    return len(worse), text


def _judged_otherwise(results: Results, baseline: Results) -> str:
    """Why two runs cannot be compared; empty if they can."""
    names = ("judge", "protocol", "threshold", "pass_label", "without", "vision", "clock")
    if results.file and baseline.file:
        ours, theirs = results.file.settings, baseline.file.settings
        for name in names:
            if ours.get(name) != theirs.get(name):
                words = name.replace("_", "-")
                return (
                    f"the baseline was judged with {words} {theirs.get(name)}, "
                    f"this run with {words} {ours.get(name)}"
                )
        return ""
    ours_by, theirs_by = (
        {who_judged(r.verdict) for r in each.whole if r.verdict} - {""}
        for each in (results, baseline)
    )
    if ours_by and theirs_by and not ours_by & theirs_by:
        return (
            f"the baseline was judged by {', '.join(sorted(theirs_by))}, "
            f"this run by {', '.join(sorted(ours_by))}"
        )
    return ""


def _pair_judged_otherwise(pair: Pair) -> str:
    """Why the verdicts on a task cannot be compared; empty if they can, or nobody judged it.

    A task file or a fixture may say otherwise than the settings of its run.
    """
    verdicts = [side.record.verdict for side in (pair.before, pair.after) if side]
    known = [verdict for verdict in verdicts if verdict and who_judged(verdict)]
    if len(known) < 2:
        return ""
    before, after = known
    for name, was, now in (
        ("judge", who_judged(before), who_judged(after)),
        ("protocol", before.protocol, after.protocol),
        ("threshold", before.threshold, after.threshold),
    ):
        if was != now:
            return f"judged with {name} {was} in the baseline, and with {name} {now} now"
    return ""


def _named(pairs: Sequence[Pair]) -> str:
    names = [pair.key.partition("::")[2] or pair.key for pair in pairs]
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
