"""A model that says again what was recorded, at no cost and without a key."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pytest_appbench.models.chat import ModelUnavailable, Reply, Request, Tokens


class RecordedChat:
    """Gives the recorded answers of a conversation in their order, whatever it is asked.

    Args:
        spec: The model that gave them.
        replies: The answers, each with the name of its conversation.
    """

    def __init__(self, spec: str, replies: Iterable[tuple[str, Reply]]) -> None:
        self._spec = spec
        self._replies: dict[str, deque[Reply]] = {}
        for conversation, reply in replies:
            self._replies.setdefault(conversation, deque()).append(reply)

    @property
    def spec(self) -> str:
        """The model that gave the answers."""
        return self._spec

    async def ask(self, request: Request) -> Reply:
        """The next answer of the request's conversation.

        Args:
            request: Only its conversation's name counts.

        Raises:
            ModelUnavailable: There is none.
        """
        left = self._replies.get(request.conversation)
        if not left:
            raise ModelUnavailable(f"the recording of {self._spec} ends here")
        return left.popleft().model_copy(update={"tokens": Tokens(), "cost_usd": 0.0})
