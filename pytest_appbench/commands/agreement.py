"""Say how far a judge agrees with people."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.commands import count
from pytest_appbench.commands._runs import HELP, run_path

if TYPE_CHECKING:
    from pytest_appbench.reports.labels import Labelled
    from pytest_appbench.statistics.agreement import Case
    from pytest_appbench.statistics.paired import Side


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument("place", type=run_path, metavar="RUN", help=HELP)
    parser.add_argument(
        "labels", type=Path, metavar="LABELS.csv", help="columns task and label, see docs"
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.commands._runs import generators_of, judges_of, records_of
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.figures import agreement_lines, sweep_lines
    from pytest_appbench.reports.labels import LabelsError, read_labels
    from pytest_appbench.statistics.paired import sides

    records = records_of(options.place)
    found = sides(records)
    labels = read_labels(options.labels)
    matched, told = _matched(labels, found, options.labels)
    cases = [_case(said, side) for said, side in matched if said.label in ("pass", "fail")]
    judged = [case for case in cases if case.outcome != "error"]
    open_ = sum(said.label not in ("pass", "fail") for said, _ in matched)
    if open_:
        told.append(f"left out: {count(open_, 'task')} on which people disagree or are uncertain")
    if len(cases) > len(judged):
        told.append(f"left out: {count(len(cases) - len(judged), 'task')} with no verdict")
    if not judged:
        raise LabelsError(f"{options.labels}: no label speaks of a task that was judged")
    print(spaced(f"{judges_of(records)} on apps of {generators_of(records)}, against people"))
    print(*map(spaced, told), sep="\n", end="\n" if told else "")
    lines = [*_table(judged), "", *agreement_lines(judged), *_beyond_chance(judged, matched)]
    lines += [*_correlations(matched), "", *sweep_lines(judged)]
    print("", *lines, sep="\n")
    return 0


def _matched(
    labels: Sequence[Labelled], found: dict[str, Side], path: Path
) -> tuple[list[tuple[Labelled, Side]], list[str]]:
    """The labels with the tasks they mean, and what is to be told of the others."""
    from pytest_appbench.errors import Problem
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.labels import LabelsError, find

    matched, problems, unknown = [], [], []
    first: dict[str, Labelled] = {}
    for said in labels:
        nodeids = find(said.task, found)
        if len(nodeids) > 1:
            meant = " or ".join(nodeids[:3])
            problems.append(Problem(path, said.line, f"{said.task} may be {meant}; write which"))
        elif not nodeids:
            unknown.append(said)
        elif nodeids[0] in first:
            same = f"{said.task} is the task of line {first[nodeids[0]].line}; write it alike"
            problems.append(Problem(path, said.line, same))
        else:
            first[nodeids[0]] = said
            matched.append((said, found[nodeids[0]]))
    if problems:
        raise LabelsError("\n".join(spaced(str(problem)) for problem in problems))
    told = [f"{path}:{said.line}: no record of {said.task}" for said in unknown[:5]]
    if len(unknown) > 5:
        told.append(f"and {len(unknown) - 5} more that have no record")
    return matched, told


def _case(said: Labelled, side: Side) -> Case:
    from pytest_appbench.reports.figures import scores_of
    from pytest_appbench.statistics.agreement import Case

    return Case(
        name=side.nodeid,
        good=said.label == "pass",
        outcome=side.outcome,
        scores=scores_of(side),
        group=side.record.task.domain or "-",
        human=said.score("score"),
    )


def _table(cases: Sequence[Case]) -> list[str]:
    """What people said against what the judge said."""
    from pytest_appbench.reports.tables import aligned

    rows = [["people \\ judge", "pass", "fail", "uncertain"]]
    for name, good in (("pass", True), ("fail", False)):
        said = Counter(case.outcome for case in cases if case.good is good)
        rows.append([name, *(str(said[word]) for word in rows[0][1:])])
    return aligned(rows)


def _beyond_chance(cases: Sequence[Case], matched: Sequence[tuple[Labelled, Side]]) -> list[str]:
    from pytest_appbench.statistics.agreement import cohen_kappa, confusion, fleiss_kappa

    c = confusion(cases)
    kappa = cohen_kappa([[c.tp, c.fn], [c.fp, c.tn]])
    lines = ["", f"Cohen's kappa, judge and people: {_figure(kappa)}"]
    raters = Counter(len(said.labels) for said, _ in matched)
    most = max(raters)
    if most > 1:
        full = [said for said, _ in matched if len(said.labels) == most]
        words = ("pass", "fail", "uncertain")
        rows = [[list(said.labels.values()).count(word) for word in words] for said in full]
        value = fleiss_kappa(rows)
        among = "not defined" if value is None else f"{value:.3f}"
        lines.append(f"Fleiss' kappa among {most} people: {among}, over {count(len(full), 'task')}")
    return lines


def _correlations(matched: Sequence[tuple[Labelled, Side]]) -> list[str]:
    from pytest_appbench.reports.labels import SCORES
    from pytest_appbench.reports.tables import aligned
    from pytest_appbench.statistics.agreement import correlations

    rows = [["score", "tasks", "Pearson (95 %)", "Spearman", "Kendall tau-b"]]
    for name in SCORES:
        pairs = []
        for said, side in matched:
            theirs, ours = said.score(name), side.mean_score(None if name == "score" else name)
            if theirs is not None and ours is not None:
                pairs.append((ours, theirs))
        if found := correlations(pairs):
            figures = (f"{found.spearman:.3f}", f"{found.kendall:.3f}")
            rows.append([name, str(found.n), _figure(found.pearson), *figures])
    return ["", *aligned(rows)] if len(rows) > 1 else []


def _figure(estimate: object) -> str:
    from pytest_appbench.statistics.agreement import Estimate

    if not isinstance(estimate, Estimate):
        return "not defined"
    if estimate.interval is None:
        return f"{estimate.value:.3f}"
    low, high = estimate.interval
    return f"{estimate.value:.3f} ({low:.3f} to {high:.3f})"
