"""Where each provider is asked, and which environment variables say so."""

from __future__ import annotations

import hashlib
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
        has_keyless: Whether others offer compatible endpoints that ask for no key.
    """

    provider: str
    home: str
    url: str
    keys: tuple[str, ...]
    has_keyless: bool = False

    def address(self) -> str:
        """The base URL that the environment asks for."""
        return os.environ.get(self.url, "").strip() or self.home

    def key(self) -> tuple[str, str]:
        """The name of the variable that holds a key and the key, or two empty texts."""
        found = ((name, os.environ.get(name, "").strip()) for name in self.keys)
        return next(((name, key) for name, key in found if key), ("", ""))

    def missing_key(self) -> str | None:
        """What to do about a key that is needed and not set, or None."""
        if self.key()[1] or (self.has_keyless and not self.owns(self.address())):
            return None
        told = f"no key for {self.provider} models: set the environment variable {self.keys[0]}"
        other = f", or {self.url} to the address of a compatible endpoint"
        return told + (other if self.has_keyless else "")

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
OPENAI = Endpoint(
    "openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",), has_keyless=True
)

BY_PROVIDER = {endpoint.provider: endpoint for endpoint in (ANTHROPIC, OPENAI)}


def elsewhere(spec: str) -> str:
    """What tells apart models of one name that different endpoints serve.

    Args:
        spec: The model, such as `openai:MODEL`.

    Returns:
        A digest of the base URL, which may hold a password; empty where the environment sets none.
    """
    endpoint = BY_PROVIDER.get(spec.partition(":")[0])
    url = os.environ.get(endpoint.url, "") if endpoint else ""
    return hashlib.sha256(url.encode()).hexdigest()[:16] if url else ""
