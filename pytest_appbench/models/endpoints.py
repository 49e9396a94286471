"""Where each provider is asked, and which environment variables say so."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Endpoint:
    """The address and the key of a provider.

    Attributes:
        provider: Its name in specifications.
        home: Its own base URL.
        url: The environment variable that sets another base URL.
        keys: The environment variables that hold a key; the first that is set counts.
    """

    provider: str
    home: str
    url: str
    keys: tuple[str, ...]

    def address(self) -> str:
        """The base URL that the environment asks for."""
        return os.environ.get(self.url, "").strip() or self.home

    def key(self) -> tuple[str, str]:
        """The name of the variable that holds a key and the key, or two empty texts."""
        found = ((name, os.environ.get(name, "").strip()) for name in self.keys)
        return next(((name, key) for name, key in found if key), ("", ""))

    def owns(self, address: str) -> bool:
        """Whether a base URL is the provider's own."""
        host, own = urlsplit(address).hostname or "", urlsplit(self.home).hostname or ""
        return host == own or host.endswith(f".{own}")


ANTHROPIC = Endpoint(
    "anthropic",
    "https://api.anthropic.com",
    "ANTHROPIC_BASE_URL",
    ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
)
OPENAI = Endpoint("openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",))
