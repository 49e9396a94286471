"""The registry of generators: finds the one that a specification names.

Every module in this folder that defines `SCHEMES` takes part; adding a generator is adding one
file. The registry knows what a specification looks like and nothing of what a generator does.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.candidate import Generator, Means
from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.models.chat import Chat


@dataclass(frozen=True)
class Scheme:
    """One word that a generator specification may begin with.

    Attributes:
        name: The word before the colon.
        help: What it does, in one line.
        example: A specification to copy.
        make: Called with what follows the colon (empty if there is none), the folder that relative
            paths start from, and the means of the run. Raises SettingsError if it cannot use them.
    """

    name: str
    help: str
    example: str
    make: Callable[[str, Path, Means], Generator]


def schemes() -> dict[str, Scheme]:
    """All known schemes, by name.

    Returns:
        The schemes of every module in this folder, sorted by name.
    """
    found: list[Scheme] = []
    for module in pkgutil.iter_modules(__path__):
        declared = importlib.import_module(f"{__name__}.{module.name}")
        found.extend(getattr(declared, "SCHEMES", ()))
    return {scheme.name: scheme for scheme in sorted(found, key=lambda scheme: scheme.name)}


def resolve(spec: str, root: Path, means: Means | None = None) -> Generator:
    """Find the generator that a specification names.

    Args:
        spec: Such as `reference`, `reference:faulty` or `dir:out/`.
        root: The folder that relative paths start from: where pytest was invoked.
        means: What generators are given in this run; by default models without limits.

    Returns:
        The generator, ready to be called with tasks.

    Raises:
        SettingsError: The specification cannot be used; the message lists those that can.
    """
    name, _, argument = spec.strip().partition(":")
    known = schemes()
    if name in known:
        return known[name].make(argument.strip(), root, means or Means(_unlimited))
    listed = "\n".join(f"  {scheme.example:<20} {scheme.help}" for scheme in known.values())
    raise SettingsError(
        f"no generator '{spec}'{_suggestion(spec, name, root, known)}. Known generators:\n{listed}"
    )


def _unlimited(spec: str, _: str) -> Chat:
    from pytest_appbench.models import resolve as resolve_model

    return resolve_model(spec)


def _suggestion(spec: str, name: str, root: Path, known: dict[str, Scheme]) -> str:
    if spec.strip() and (root / spec.strip()).is_dir():
        return f"; did you mean 'dir:{spec.strip()}'?"
    close = get_close_matches(name.lower(), known, n=1)
    return f"; did you mean '{known[close[0]].example}'?" if close else ""
