"""What the gates came to, in words: for the terminal and for `appbench gate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_appbench.gates.decide import Decision
    from pytest_appbench.reports.runfile import Results
    from pytest_appbench.statistics.paired import Pair

_NAMED = 10


def gates_described(decision: Decision, results: Results, baseline: Results | None) -> list[str]:
    """The rulings, then what changed since the baseline.

    Args:
        decision: What the gates came to.
        results: The run.
        baseline: The run it was compared with, or None.

    Returns:
        Lines of text, each to be made harmless for its sink.
    """
    lines = [str(ruling) for ruling in decision.rulings]
    unjudged = sum(record.outcome == "error" for record in results.settled)
    if unjudged and not any(r.gate.figure in ("coverage", "errors") for r in decision.rulings):
        lines.append(
            f"note         {unjudged} of {len(results.settled)} tasks were not judged; "
            "a gate on coverage makes that count"
        )
    if decision.pairing is None or baseline is None:
        return lines
    pairing = decision.pairing
    lines.append("")
    for word, pairs in (
        ("regressed", pairing.regressions),
        ("not judged now", pairing.lost),
        ("improved", pairing.improvements),
        ("attempts disagree", pairing.flaky),
    ):
        lines += _listed(word, pairs, baseline, results)
    lines.append(
        f"baseline: {len(pairing.judged)} tasks judged in both, {len(pairing.regressions)} "
        f"regressed, {len(pairing.improvements)} improved, {len(pairing.new)} only here, "
        f"{len(pairing.missing)} only there"
    )
    return lines


def _listed(word: str, pairs: Sequence[Pair], before: Results, after: Results) -> list[str]:
    lines = []
    for pair in pairs[:_NAMED]:
        was = pair.before.outcome if pair.before else "absent"
        now = pair.after.outcome if pair.after else "absent"
        lines.append(f"{word}: {pair.key} ({was}, now {now})")
        if word == "regressed":
            for label, side, results in (("was", pair.before, before), ("now", pair.after, after)):
                if side and side.evidence:
                    lines.append(f"  {label}: {results.folder / side.evidence[0]}")
    if len(pairs) > _NAMED:
        lines.append(f"{word}: {len(pairs) - _NAMED} more")
    return lines
