"""What people said of apps, from a CSV file: a label for each task, from one rater or several."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_appbench.errors import AppbenchError, Problem
from pytest_appbench.reports.escape import spaced
from pytest_appbench.statistics.rates import mean

WORDS = {
    **dict.fromkeys(("pass", "good", "true", "yes", "1"), "pass"),
    **dict.fromkeys(("fail", "faulty", "false", "no", "0"), "fail"),
    "uncertain": "uncertain",
}
"""What may stand in the column `label`, and what it means."""
SCORES = ("score", "intention", "static", "dynamic")
COLUMNS = ("task", "label", "rater", *SCORES)


class LabelsError(AppbenchError):
    """A file of labels cannot be used; the message lists every place with what to write."""


@dataclass
class Labelled:
    """What people said of one task.

    Attributes:
        task: As the file has it: a node id, its end, or a task id.
        line: The first line that speaks of it.
        labels: Rater to pass, fail or uncertain.
        scores: Column to the scores given, each 0..1.
    """

    task: str
    line: int
    labels: dict[str, str] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)

    @property
    def label(self) -> str | None:
        """What more than half of the raters said, or None."""
        word, times = Counter(self.labels.values()).most_common(1)[0]
        return word if 2 * times > len(self.labels) else None

    def score(self, column: str) -> float | None:
        """The mean of the raters' scores.

        Args:
            column: One of `score`, `intention`, `static`, `dynamic`.
        """
        return mean(self.scores.get(column, []))


def read_labels(path: Path) -> list[Labelled]:
    """Read a file of labels.

    Args:
        path: CSV in UTF-8, with the columns `task` and `label`, and if wanted `rater`, `score`,
            `intention`, `static` and `dynamic`; other columns are left alone.

    Returns:
        What was said of each task, in the order of the file.

    Raises:
        LabelsError: Lines cannot be used; the message names each as file:line.
    """
    found: dict[str, Labelled] = {}
    problems: list[Problem] = []
    with path.open(encoding="utf-8-sig", newline="", errors="replace") as stream:
        reader = csv.DictReader(stream)
        heads = [(head or "").strip().lower() for head in reader.fieldnames or ()]
        reader.fieldnames = heads
        if missing := [name for name in COLUMNS[:2] if name not in heads]:
            raise LabelsError(
                f"{path}:1: the first line names no column {' and none '.join(missing)}; write "
                f"the heads {', '.join(COLUMNS[:2])} and if wanted {', '.join(COLUMNS[2:])}"
            )
        try:
            for row in reader:
                text = {name: (row.get(name) or "").strip() for name in COLUMNS}
                if problem := _take(text, path, reader.line_num, found):
                    problems.append(problem)
        except csv.Error as error:
            problems.append(Problem(path, reader.line_num + 1, f"this is no CSV: {error}"))
    if not found and not problems:
        problems.append(Problem(path, 2, "there is no label; write a line for each task"))
    if problems:
        raise LabelsError("\n".join(spaced(str(problem)) for problem in problems))
    return list(found.values())


def _take(
    row: Mapping[str, str], path: Path, line: int, found: dict[str, Labelled]
) -> Problem | None:
    """Add a row to what was found, or say what is wrong with it."""
    task, rater = row["task"], row["rater"]
    if not task:
        return Problem(path, line, "no task is named; write its node id or its id")
    word = WORDS.get(row["label"].lower())
    if word is None:
        return Problem(path, line, f"the label is {row['label']!r}; write pass, fail or uncertain")
    scores = {}
    for name in SCORES:
        if row[name]:
            value = _fraction(row[name])
            if value is None:
                return Problem(path, line, f"{name} is {row[name]!r}; write a number from 0 to 1")
            scores[name] = value
    known = found.setdefault(task, Labelled(task, line))
    if rater in known.labels:
        who = f"rater {rater!r}" if rater else "nobody by name"
        again = "; several raters need a column rater" if not rater else ""
        return Problem(
            path, line, f"{task} has a label by {who} already, from line {known.line}{again}"
        )
    known.labels[rater] = word
    for name, value in scores.items():
        known.scores.setdefault(name, []).append(value)
    return None


def _fraction(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def find(task: str, nodeids: Iterable[str]) -> list[str]:
    """The node ids that a task of a file of labels may mean.

    Args:
        task: A node id, its end, or a task id, with or without the browser in brackets.
        nodeids: Those on record.

    Returns:
        The one that is the same, else all that end so.
    """
    known = list(nodeids)
    if task in known:
        return [task]

    def ends(nodeid: str) -> bool:
        bare = nodeid.partition("[")[0] if "[" not in task else nodeid
        if "::" in task:
            return bare == task or bare.endswith("/" + task)
        return bare.rpartition("::")[2] == task

    return [nodeid for nodeid in known if ends(nodeid)]
