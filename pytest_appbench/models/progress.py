"""How far a call of a model has come: a provider in trouble is told from a slow model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Progress:
    """A call that is under way.

    Attributes:
        is_answering: Whether the provider has taken the last try and is sending its answer.
        seen: What came of the try before, if that failed.
    """

    is_answering: bool = False
    seen: str = ""


_current: ContextVar[Progress | None] = ContextVar("appbench_progress", default=None)


@contextmanager
def followed() -> Iterator[Progress]:
    """Follow the call that is made within this context.

    Yields:
        How far it has come; it changes while the call is under way.
    """
    progress = Progress()
    token = _current.set(progress)
    try:
        yield progress
    finally:
        _current.reset(token)


def answering() -> None:
    """Tell whoever follows the call that the provider has begun to answer."""
    if (progress := _current.get()) is not None:
        progress.is_answering = True


def failed(seen: str) -> None:
    """Tell whoever follows the call that a try came to nothing.

    Args:
        seen: What was seen instead of an answer, with secrets taken out.
    """
    if (progress := _current.get()) is not None:
        progress.is_answering, progress.seen = False, seen
