"""The published ways of judging with a model, one module each; adding one touches no other file.

A protocol's module defines `PROTOCOL`, and says what it reproduces and where it departs from that.
It writes prompts, chooses tools and reads the result; asking models and driving pages is for
`agent`, `tools` and `loop`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.judges.agent import Case
    from pytest_appbench.judges.loop import Steps
    from pytest_appbench.judges.verdict import Verdict


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
    """

    name: str
    judge: Callable[[Case], Steps[Verdict]]
    prompts: tuple[str, ...]
    sees: bool = False
    max_turns: int = 30
    max_actions: int = 400
    time_limit: float = 900.0


def known() -> tuple[str, ...]:
    """The names of the protocols, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


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
    return cast(Protocol, import_module(f"{__name__}.{name}").PROTOCOL)
