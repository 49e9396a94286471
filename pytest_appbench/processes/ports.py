"""Ports for servers of others that cannot be handed a socket."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of loopback on which nothing listened a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
