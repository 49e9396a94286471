"""GitHub Actions: the summary of a step, and annotations on task files.

The summary is Markdown that GitHub renders and annotations are commands that its runner obeys, so
whatever apps, models and builds said goes through the escaping of its own sink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.reports.escape import code, command_data, command_property
from pytest_appbench.reports.table import rows_of, source_of
from pytest_appbench.reports.worst import worst

if TYPE_CHECKING:
    from pytest_appbench.gates.decide import Decision
    from pytest_appbench.reports.results import Record
    from pytest_appbench.reports.runfile import Results

SUMMARY = "GITHUB_STEP_SUMMARY"
ACTIONS = "GITHUB_ACTIONS"
_ANNOTATED = 10
"""GitHub shows ten annotations of a kind for each step."""


def publish(
    environment: Mapping[str, str],
    results: Results,
    decision: Decision | None,
    root: Path,
    write: Callable[[str], object] = print,
) -> None:
    """Tell GitHub what a run came to, where this is a step of GitHub Actions.

    Args:
        environment: Variables; `GITHUB_STEP_SUMMARY` names the file of the summary, and annotations
            are written only where `GITHUB_ACTIONS` is true.
        results: The run.
        decision: What its gates came to, if it has some.
        root: The folder that node ids start from.
        write: Writes a line to the step's log.
    """
    if not results.settled:
        return
    if path := environment.get(SUMMARY):
        with Path(path).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(summary(results, decision))
    if environment.get(ACTIONS) == "true":
        workspace = Path(environment.get("GITHUB_WORKSPACE") or Path.cwd())
        for command in commands(results, decision, root, workspace):
            write(command)


def summary(results: Results, decision: Decision | None) -> str:
    """What a run came to, in GitHub's Markdown.

    Args:
        results: The run.
        decision: What its gates came to, if it has some.
    """
    head, *rows = rows_of(results.settled)
    lines = ["### appbench", "", code(source_of(results.settled)), ""]
    lines += [_row(head), _row(["---", *["---:"] * (len(head) - 1)])]
    lines += [_row([code(row[0]), *row[1:]]) for row in rows]
    if decision:
        lines += ["", _row(["gate", "", "figure"]), _row(["---"] * 3)]
        lines += [_row([code(str(r.gate)), r.word, code(r.text)]) for r in decision.rulings]
    if found := worst(results.records, results.folder):
        lines += ["", "What fared worst:", ""]
    for one in found:
        lines.append(f"- {code(one.record.nodeid)} {one.record.outcome}, {code(one.scores)}")
        lines += [f"  - {code(reason)}" for reason in one.reasons]
        if one.evidence:
            lines.append(f"  - evidence {code(str(one.evidence))}")
    return "\n".join(lines) + "\n\n"


def commands(
    results: Results, decision: Decision | None, root: Path, workspace: Path
) -> Iterator[str]:
    """What should stand beside the task files of a change, as workflow commands.

    Args:
        results: The run.
        decision: What its gates came to, if it has some. With gates a task that does not pass is a
            warning, as it decides nothing alone.
        root: The folder that node ids start from.
        workspace: The folder of the checkout.

    Yields:
        One line for each.
    """
    for ruling in [r for r in decision.rulings if not r.holds][:_ANNOTATED] if decision else ():
        yield _command("error", {"title": f"gate {ruling.gate}"}, f"{ruling.word}: {ruling.text}")
    kind = "warning" if decision else "error"
    for one in worst(results.records, results.folder, shown=_ANNOTATED):
        text = "\n".join([one.scores, *one.reasons])
        title = f"{one.record.task.id}: {one.record.outcome}"
        yield _command(kind, {**_place(one.record, root, workspace), "title": title}, text)
    errors = [record for record in results.settled if record.outcome == "error"]
    for record in errors[:_ANNOTATED]:
        title = f"{record.task.id}: not judged"
        where = _place(record, root, workspace)
        yield _command("warning", {**where, "title": title}, record.error or "")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _command(name: str, properties: Mapping[str, str], message: str) -> str:
    told = ",".join(f"{key}={command_property(value)}" for key, value in properties.items())
    return f"::{name} {told}::{command_data(message)}"


def _place(record: Record, root: Path, workspace: Path) -> dict[str, str]:
    file = root / record.nodeid.partition("::")[0]
    return {"file": str(file.relative_to(workspace))} if file.is_relative_to(workspace) else {}
