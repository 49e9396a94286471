"""Reads where a remote browser is, and connects to it.

The endpoint's text may hold a secret (a path that nobody can guess, a token in the query, a
password): only `Endpoint.url` has it, and nothing but the connection itself uses that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_appbench.errors import BrowserUnavailable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

WHY_ROUTING = (
    "the host rules that keep an app in are arguments of a browser that we start ourselves, and a "
    "remote browser has been started without them. Add --appbench-guard=routing to have requests "
    "stopped one by one, which every record will say, or judge with a browser of this machine"
)
_CDP = "cdp+"
_CONNECT_MS = 30_000


@dataclass(frozen=True)
class Endpoint:
    """Where a remote browser is.

    Attributes:
        url: Its address, with whatever secret is in it.
        is_cdp: Whether Chromium's own protocol is spoken there, and not that of a Playwright
            server.

    As text it is scheme, host and port.
    """

    url: str = field(repr=False)
    is_cdp: bool

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def parse_endpoint(text: str) -> Endpoint:
    """Read the address of a remote browser.

    Args:
        text: `ws://` or `wss://` of a Playwright server; `http://` or `https://` of a browser that
            speaks the DevTools protocol, or the same with `cdp+` before `ws://` or `wss://`.

    Returns:
        The endpoint.

    Raises:
        ValueError: The text is no such address.
    """
    url = text.removeprefix(_CDP)
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname)
    except ValueError:
        is_whole = False
    if not is_whole or parts.scheme not in ("ws", "wss", "http", "https"):
        raise ValueError(
            "write ws://HOST:PORT of a Playwright server, or http://HOST:PORT (cdp+ws://... for a "
            "web socket) of a browser that speaks the DevTools protocol"
        )
    is_socket_of_devtools = parts.path.startswith("/devtools/")
    is_cdp = text != url or parts.scheme.startswith("http") or is_socket_of_devtools
    return Endpoint(url, is_cdp)


def connect(
    browser_type: BrowserType,
    endpoint: Endpoint | None,
    options: Mapping[str, Any],
    launch_options: Mapping[str, Any],
) -> Browser:
    """Connect to a remote browser.

    Args:
        browser_type: Which browser.
        endpoint: Where it is; None if the options say it.
        options: Arguments of Playwright's `connect`, as of pytest-playwright's `connect_options`.
        launch_options: How a Playwright server is asked to start the browser. It heeds what it was
            set up to heed.

    Returns:
        The browser.

    Raises:
        BrowserUnavailable: Nobody answers there, or not as a browser.
    """
    from playwright.sync_api import Error

    headers = dict(options.get("headers") or {})
    asked = {_in_camel_case(name): value for name, value in launch_options.items()}
    wanted = {"x-playwright-launch-options": json.dumps(asked, default=str)}
    rest = {k: v for k, v in options.items() if k != "headers"}
    if endpoint is not None:
        rest = {k: v for k, v in rest.items() if k not in ("endpoint", "ws_endpoint")}
    rest.setdefault("timeout", _CONNECT_MS)
    try:
        if endpoint is None:
            return browser_type.connect(**rest, headers={**wanted, **headers})
        if endpoint.is_cdp:
            known = {k: v for k, v in rest.items() if k in ("timeout", "slow_mo")}
            return browser_type.connect_over_cdp(endpoint.url, headers=headers, **known)
        return browser_type.connect(endpoint.url, headers={**wanted, **headers}, **rest)
    except Error as error:
        place = str(endpoint or "the place that connect_options names")
        # Further lines are a log of the connection, with its address in full.
        said = error.message.partition("\n")[0]
        if endpoint is not None:
            said = said.replace(endpoint.url, place)
        raise BrowserUnavailable(f"no browser could be used at {place}: {said}") from None


def _in_camel_case(name: str) -> str:
    """A Python name of Playwright's as its server knows it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
