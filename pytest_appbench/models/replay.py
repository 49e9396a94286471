"""A model that says again what was recorded, at no cost and without a key."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pytest_appbench.models.chat import ModelUnavailable, Reply, Request, Tokens


class RecordedChat:
    """Gives recorded answers in their order, whatever it is asked.

    Args:
        spec: The model that gave them.
        replies: The answers.
    """

    def __init__(self, spec: str, replies: Iterable[Reply]) -> None:
        self._spec, self._replies = spec, deque(replies)

    @property
    def spec(self) -> str:
        """The model that gave the answers."""
        return self._spec

    async def ask(self, _: Request) -> Reply:
        """The next answer.

        Raises:
            ModelUnavailable: There is none.
        """
        if not self._replies:
            raise ModelUnavailable(f"the recording of {self._spec} ends here")
        return self._replies.popleft().model_copy(update={"tokens": Tokens(), "cost_usd": 0.0})
