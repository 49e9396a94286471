"""The models layer: one module for each provider, found by the first word of `provider:model`.

A provider is a module in this folder that defines `make_chat(model)`. The official SDKs are
imported when a model is asked, never when pytest starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pytest_appbench.errors import SettingsError

if TYPE_CHECKING:
    from pytest_appbench.models.chat import Chat

PROVIDERS = ("anthropic", "openai")


def resolve(spec: str) -> Chat:
    """Find the model that a specification such as `anthropic:MODEL` names.

    Args:
        spec: The provider, a colon, and the provider's own name of the model.

    Returns:
        The model, ready to be asked. Nothing is sent before that.

    Raises:
        SettingsError: No provider has this name, or the model is missing.
    """
    provider, _, model = spec.partition(":")
    if provider not in PROVIDERS:
        raise SettingsError(
            f"there is no model provider {provider!r}; known are {', '.join(PROVIDERS)}"
        )
    if not model.strip():
        raise SettingsError(f"{spec!r} names no model; write it as {provider}:MODEL")
    return cast("Chat", import_module(f"{__name__}.{provider}").make_chat(model.strip()))


def missing_key(specs: Iterable[str]) -> str | None:
    """What to do about the first key that is needed and not set, or None.

    Args:
        specs: What judges and generators were asked for; those that are no models need none.
    """
    from pytest_appbench.models.endpoints import BY_PROVIDER

    found = (BY_PROVIDER[name].missing_key() for spec in specs if (name := _provider(spec)))
    return next((text for text in found if text), None)


def _provider(spec: str) -> str | None:
    name = spec.partition(":")[0].strip()
    return name if name in PROVIDERS else None
