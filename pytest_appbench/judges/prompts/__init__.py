"""Reads the prompt templates beside this file.

They are Jinja2 templates of our own words. Only what the harness itself knows is filled in; what
came from an app stands in tool results or fenced text, never in here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **values: Any) -> str:
    """Fill in a template.

    Args:
        name: The file's name.
        values: What the template names; a missing one is an error.
    """
    return _environment().from_string(source(name)).render(values).strip()


@cache
def source(name: str) -> str:
    """The text of a template."""
    return (files(__name__) / name).read_text("utf-8")


def digest(names: Iterable[str]) -> str:
    """A short hash of templates, for the keys of the cache.

    Args:
        names: The files' names.
    """
    whole = hashlib.sha256()
    for name in names:
        whole.update(f"{name}\0{source(name)}\0".encode())
    return whole.hexdigest()[:16]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, StrictUndefined

    return Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def sections(*parts: str) -> str:
    """Sections of a prompt, without those that are empty.

    Args:
        parts: The sections.

    Returns:
        The sections with a blank line between them.
    """
    return "\n\n".join(part for part in parts if part)
