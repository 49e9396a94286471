"""The judges: each turns one judging into a verdict, and each is one module or package in here.

A judge is found by the first word of its specification, which names its module, and the module's
`make_judge(rest)` takes what follows the colon; or it names a provider of models, and the judge is
that model with a protocol.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from pytest_appbench.errors import SettingsError
from pytest_appbench.models import PROVIDERS

if TYPE_CHECKING:
    from pytest_appbench.judges.judging import Judge

BUILT_IN = ("probe",)


def known() -> tuple[str, ...]:
    """The first words of the judges that can be asked for."""
    return (*BUILT_IN, *(f"{provider}:MODEL" for provider in PROVIDERS))


def require(spec: str) -> None:
    """Make sure that a specification names a judge, without loading it.

    Args:
        spec: The judge's name, with what it needs to know behind a colon if anything.

    Raises:
        SettingsError: No judge has this name, or the model is missing.
    """
    name, _, rest = spec.partition(":")
    if name in PROVIDERS and rest.strip():
        return
    if name not in BUILT_IN:
        raise SettingsError(f"there is no judge {spec!r}; write one of {', '.join(known())}")


def resolve(spec: str) -> Judge:
    """Find the judge that a specification such as `probe` names.

    Args:
        spec: The judge's name, with what it needs to know behind a colon if anything.

    Returns:
        The judge.

    Raises:
        SettingsError: No judge has this name, or it cannot use what follows the colon.
    """
    require(spec)
    name, _, rest = spec.partition(":")
    if name in PROVIDERS:
        from pytest_appbench.judges.model import ModelJudge

        return ModelJudge(spec)
    return cast("Judge", import_module(f"{__name__}.{name}").make_judge(rest))
