"""`webbench`: a project of steps that build on each other, judged by its tests, as in Web-Bench.

A model has no part in judging: tests decide, and the verdict names them as its judge. Generating
and judging take turns, so the protocol makes the whole attempt (`stepwise`). Its figures are
pass@1, pass@2 and error@1 in percent; the single score is pass@2 as a share of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from pytest_appbench.errors import JudgeError
from pytest_appbench.judges.protocols import Protocol

if TYPE_CHECKING:
    from pytest_appbench.attempts import Attempt, Bench
    from pytest_appbench.judges.agent import Case
    from pytest_appbench.judges.loop import Steps
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.tasks.model import Task


def judge(case: Case) -> Steps[Verdict]:
    """Refuse to judge a finished app.

    Args:
        case: The app.

    Raises:
        JudgeError: Always: this protocol judges projects of steps.
    """
    raise JudgeError(
        "the protocol webbench judges projects of steps by their tests, not a finished app by a "
        "model; name the project in a task file, with steps: and protocol: webbench"
    )


def attempt(bench: Bench, task: Task, generator: Any, number: int) -> Steps[Attempt]:
    """Make and judge one attempt at a project.

    Args:
        bench: The means.
        task: The task.
        generator: A generator that takes steps.
        number: Counted from 1.

    Returns:
        The attempt.
    """
    from pytest_appbench.stepwise.attempt import attempt_steps

    return attempt_steps(bench, task, generator, number)


def summary(verdicts: Sequence[Verdict | None]) -> list[str]:
    """What a run comes to: the mean of each figure over its projects.

    Args:
        verdicts: One for each project; None for one that ended with an error.
    """
    from pytest_appbench.stepwise.figures import NAMES

    judged = [one for one in verdicts if one is not None and one.figures.keys() >= set(NAMES)]
    if not judged:
        return []
    means = {name: fmean(one.figures[name] for one in judged) for name in NAMES}
    told = ", ".join(f"{name} {value:.1f} %" for name, value in means.items())
    many = "1 project" if len(judged) == 1 else f"{len(judged)} projects"
    return [f"webbench, by tests: {told} (mean of {many})"]


PROTOCOL = Protocol(
    name="webbench",
    judge=judge,
    prompts=(),
    attempt=attempt,
    nothing={
        "score": 0.0,
        "counted": (),
        "figures": {"pass@1": 0.0, "pass@2": 0.0, "error@1": 0.0},
    },
    summary=summary,
)
