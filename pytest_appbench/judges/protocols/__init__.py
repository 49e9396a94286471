"""The published ways of judging with a model, one module each; adding one touches no other file.

A protocol's module defines `PROTOCOL`, and says what it reproduces and where it departs from that.
It writes prompts, chooses tools and reads the result; asking models and driving pages is for
`conversation`, `tools` and `loop`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from statistics import fmean
from typing import TYPE_CHECKING, Any, cast

from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.attempts import Attempt, Bench
    from pytest_appbench.judges.agent import Case
    from pytest_appbench.judges.judging import Brief
    from pytest_appbench.judges.loop import Steps
    from pytest_appbench.judges.verdict import Verdict
    from pytest_appbench.tasks.model import Task


@dataclass(frozen=True)
class Protocol:
    """A way of judging.

    Attributes:
        name: As in `--appbench-protocol`.
        judge: Judges one case.
        prompts: Names of its files in `judges/prompts/`; their content is part of the cache's key.
        sees: Whether the judge is shown screenshots unless the user says otherwise.
        max_turns: The most answers of the model unless the user says otherwise.
        max_actions: The most actions in the browser unless the user says otherwise.
        time_limit: Seconds for one judging unless the user says otherwise.
        labels: Its labels, the worst first; none if it gives no label.
        nothing: The fields of a verdict, as plain data, on an app that is not there to be judged:
            it was not written, not built, or is dead on arrival.
        attempt: Makes and judges a whole attempt, for a protocol in which generating and judging
            take turns: it is given the bench, the task, the generator and the attempt's number.
            None for one that judges a finished app.
        uses_app: Whether the app is used. One that is only read or looked at is not looked at by
            the probe before, which would fail it for what it does when it is used.
        needs: What it cannot do without, of what a judging may be made to go without.
        known_of: The fields of a verdict, as plain data, that follow from the task alone; None if
            there are none.
        summary: What the verdicts of a run come to in the protocol's own figures, as lines of
            text; None stands for a task that ended with an error. Shown below the closing table.
    """

    name: str
    judge: Callable[[Case], Steps[Verdict]]
    prompts: tuple[str, ...]
    sees: bool = False
    max_turns: int = 30
    max_actions: int = 400
    time_limit: float = 900.0
    labels: tuple[str, ...] = ()
    nothing: Mapping[str, Any] = field(
        default_factory=lambda: {"scores": {"intention": 0.0, "static": 0.0, "dynamic": 0.0}}
    )
    attempt: Callable[[Bench, Task, Any, int], Steps[Attempt]] | None = None
    uses_app: bool = True
    needs: frozenset[str] = frozenset()
    known_of: Callable[[Brief], Mapping[str, Any]] | None = None
    summary: Callable[[Sequence[Verdict | None]], Sequence[str]] | None = None

    def absent(self, brief: Brief) -> dict[str, Any]:
        """The fields of a verdict on an app that is not there, as plain data.

        Args:
            brief: What the task gives besides its request.
        """
        return {**self.nothing, **(self.known_of(brief) if self.known_of else {})}


def mean_score(title: str) -> Callable[[Sequence[Verdict | None]], Sequence[str]]:
    """A summary for a protocol of one score: its mean over the apps of a run.

    Args:
        title: What the score is called.
    """

    def summary(verdicts: Sequence[Verdict | None]) -> Sequence[str]:
        scores = [one.score for one in verdicts if one is not None and one.score is not None]
        if not scores:
            return ()
        return (f"{title} {fmean(scores):.2f} (mean over {len(scores)} apps)",)

    return summary


def known() -> tuple[str, ...]:
    """The names of the protocols, in alphabetical order: their modules', with hyphens."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.replace("_", "-") for name in modules))


def require(name: str) -> None:
    """Make sure that there is a protocol, without loading it.

    Args:
        name: As in `--appbench-protocol`.

    Raises:
        SettingsError: There is no such protocol.
    """
    if name not in known():
        raise SettingsError(f"there is no protocol {name!r}; known are {', '.join(known())}")


def resolve(name: str) -> Protocol:
    """Find a protocol.

    Args:
        name: As in `--appbench-protocol`.

    Raises:
        SettingsError: There is no such protocol.
    """
    require(name)
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return cast(Protocol, module.PROTOCOL)


def labels_of(name: str) -> tuple[str, ...]:
    """The labels of a protocol, the worst first.

    Args:
        name: A protocol, or `probe`, which gives none.
    """
    return resolve(name).labels if name in known() else ()
