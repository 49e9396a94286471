"""The optional parameters of a request, and what becomes of those that an endpoint refuses.

Models differ in what they let a caller set: some take no temperature, some not together with top_p,
some shorter replies only. What an endpoint refused once is remembered as long as the process lives.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from pytest_appbench.models.retry import Failure

log = logging.getLogger("pytest_appbench.models")

LENGTHS = ("max_tokens", "max_output_tokens", "max_completion_tokens")
_ROOM = re.compile(r"(\d+) \+ (\d+) > (\d+)")
_SMALLEST_REPLY = 1024

_refused: dict[tuple[str, str], dict[str, int | str | None]] = {}
"""For each endpoint and model what becomes of a parameter: a lower value, another name, nothing."""


class Parameters:
    """The parameters of one request that it could do without.

    Args:
        spec: The model, for the log.
        endpoint: The base URL.
        wanted: Names and values; a value of None is not sent. The first to be given up comes first.
        required: One that may be lowered but not left out.
    """

    def __init__(
        self, spec: str, endpoint: str, wanted: Mapping[str, Any], required: str = ""
    ) -> None:
        self._spec, self._key, self._required = spec, (endpoint, spec), required
        self.sent = {name: value for name, value in wanted.items() if value is not None}
        for name, value in _refused.get(self._key, {}).items():
            if name in self.sent:
                self._replace(name, value)

    def adapt(self, failure: Failure) -> bool:
        """Give up what a refusal names.

        Args:
            failure: Why the request was refused.

        Returns:
            Whether the request has changed, so that it is worth sending again.
        """
        if failure.status not in (400, 422):
            return False
        overflow = failure.kind == "overflow"
        named = [n for n in self.sent if re.search(rf"\b{n}\b", failure.seen)]
        if overflow:
            # Only a shorter reply can help against an overflow, and only this once: the next prompt
            # may be shorter.
            named = [n for n in self.sent if n in LENGTHS and self._blamed(n, failure.seen)]
        if not named:
            return False
        name = named[0]
        before, instead = self.sent[name], self._instead(name, failure)
        if instead is None and name == self._required:
            return False
        self._replace(name, instead)
        if not overflow:
            _refused.setdefault(self._key, {})[name] = instead
        log.warning(
            "%s refuses %s=%s; %s %s",
            self._spec,
            name,
            before,
            "it is left out" if instead is None else f"it becomes {instead}",
            "this once" if overflow else "from now on",
        )
        return True

    def _replace(self, name: str, instead: int | str | None) -> None:
        value = self.sent.pop(name)
        if isinstance(instead, str):
            self.sent[instead] = value
        elif instead is not None:
            self.sent[name] = min(value, instead)

    def _blamed(self, name: str, seen: str) -> bool:
        return re.search(rf"\b{name}\b|\bin the completion\b", seen) is not None

    def _instead(self, name: str, failure: Failure) -> int | str | None:
        """What to send instead: the longest reply that the refusal allows, or another name."""
        if name not in LENGTHS:
            return None
        room = _ROOM.search(failure.seen)
        if room is not None:
            prompt, _, window = map(int, room.groups())
            return window - prompt if window - prompt >= _SMALLEST_REPLY else None
        if failure.kind == "overflow":
            return None
        if name == "max_tokens" and "max_completion_tokens" in failure.seen:
            return "max_completion_tokens"
        numbers = (int(n.replace(",", "")) for n in re.findall(r"\b\d[\d,]*", failure.seen))
        return max((n for n in numbers if _SMALLEST_REPLY <= n < self.sent[name]), default=None)
