"""The judges: each turns one judging into a verdict, and each is one module or package in here.

A judge is found by the first word of its specification, which names its module; the module's
`make_judge(rest)` takes what follows the colon. Adding a judge touches no other file.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.judges.judging import Judge

_NO_JUDGES = frozenset({"evidence", "judging", "verdict"})


def known() -> tuple[str, ...]:
    """The names of the judges that can be asked for, in alphabetical order."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in _NO_JUDGES))


def resolve(spec: str) -> Judge:
    """Find the judge that a specification such as `probe` names.

    Args:
        spec: The judge's name, with what it needs to know behind a colon if anything.

    Returns:
        The judge.

    Raises:
        SettingsError: No judge has this name, or it cannot use what follows the colon.
    """
    name, _, rest = spec.partition(":")
    if name not in known():
        raise SettingsError(f"there is no judge {name!r}; known judges are {', '.join(known())}")
    return cast("Judge", import_module(f"{__name__}.{name}").make_judge(rest))
