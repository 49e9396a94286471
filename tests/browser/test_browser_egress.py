"""An app reaches its own site and nothing else, by whatever way it tries.

The pages in `egress/` try every way out that Chromium knows, each towards a listener of its own.
They are opened twice: in a browser without the guard's arguments, which shows that the ways are
real, and in one with them, where no listener may be reached.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import socket
import struct
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright

from pytest_appbench.artifacts.serve import AppServer
from pytest_appbench.artifacts.store import Artifact
from pytest_appbench.browser.launch import find_chromium, guard_arguments
from pytest_appbench.errors import BrowserUnavailable

PAGES = ("scripts", "elements", "realtime", "navigations")

NEED_A_NETWORK = ("stun", "turn-udp", "turn-tcp", "turn-tls", "peer-udp", "peer-tcp", "peer-mdns")
REAL = (
    *NEED_A_NETWORK,
    *("fetch", "fetch-no-cors", "fetch-https", "xhr", "beacon", "event-source", "websocket"),
    *("import", "audio-worklet", "font-face", "payment", "sign-in", "proxy", "web-transport"),
    *("worker-fetch", "worker-websocket", "worker-import-scripts", "worker-event-source"),
    *("worker-nested", "worker-module"),
    *("shared-worker-fetch", "shared-worker-websocket", "shared-worker-import-scripts"),
    *("service-worker-fetch", "service-worker-websocket", "service-worker-install"),
    *("csp-report", "link-header", "refresh-header", "unload-keepalive", "unload-beacon"),
    *("image", "input-image", "script", "module-script", "video", "poster", "audio", "svg-image"),
    *("iframe", "object", "embed", "background-attribute", "data-frame"),
    *("stylesheet", "css-import", "css-url", "css-font"),
    *("speculation-prefetch", "speculation-prerender", "prefetch", "preload", "modulepreload"),
    *("icon", "form-post", "form-get", "form-blank", "meta-refresh", "frame-location"),
    *("download", "link-blank", "popup", "popup-location"),
)
"""Ways that lead out of a browser without the guard."""

DORMANT = (
    *("preconnect", "dns-prefetch", "prerender", "manifest", "ping", "fetch-later"),
    "service-worker-import-scripts",
)
"""Ways that lead out only with some builds or settings; nothing may come of them either."""

NEED_WINDOWS = ("icon", "payment")
"""Ways that a browser without windows does not have."""

DATAGRAMS = ("stun", "turn-udp", "peer-udp", "web-transport")
FORBIDDEN_SCHEMES = ("file", "chrome", "devtools", "view-source")


def own_address() -> str | None:
    """An IPv4 address of this machine that is no loopback address."""
    addresses = [
        address.address
        for interface in psutil.net_if_addrs().values()
        for address in interface
        if address.family == socket.AF_INET and not address.address.startswith("127.")
    ]
    return addresses[0] if addresses else None


class Listeners:
    """A listener for each way out, on the loopback addresses and on one of the machine.

    Attributes:
        ports: The port of each way.
        reached: The ways by which something arrived.
        multicast_name: A name that only a question to the local network could resolve.
    """

    def __init__(self) -> None:
        self.ports: dict[str, int] = {}
        self.reached: set[str] = set()
        self.multicast_name = f"{uuid.uuid4()}.local"
        self._selector = selectors.DefaultSelector()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Listeners:
        addresses = [(socket.AF_INET, "127.0.0.1")]
        if socket.has_ipv6 and can_bind(socket.AF_INET6, "::1"):
            addresses.append((socket.AF_INET6, "::1"))
        if own := own_address():
            addresses.append((socket.AF_INET, own))
            self._selector.register(multicast_listener(own), selectors.EVENT_READ, "peer-mdns")
        for way in (*REAL, *DORMANT):
            kind = socket.SOCK_DGRAM if way in DATAGRAMS else socket.SOCK_STREAM
            sockets = bind_alike(addresses, kind)
            self.ports[way] = sockets[0].getsockname()[1]
            for listener in sockets:
                self._selector.register(listener, selectors.EVENT_READ, way)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            for key, _ in self._selector.select(timeout=0.1):
                listener = key.fileobj
                assert isinstance(listener, socket.socket)
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                elif not self._is_ours(key.data, listener.recv(9000)):
                    continue
                self.reached.add(key.data)

    def _is_ours(self, way: str, datagram: bytes) -> bool:
        # Others ask the local network, too. A question for the keyword of a resolver rule is ours.
        label = self.multicast_name.partition(".")[0].encode()
        return way != "peer-mdns" or label in datagram or b"NOTFOUND" in datagram


def can_bind(family: socket.AddressFamily, host: str) -> bool:
    try:
        with socket.socket(family) as probe:
            probe.bind((host, 0))
    except OSError:
        return False
    return True


def bind_alike(
    addresses: list[tuple[socket.AddressFamily, str]], kind: socket.SocketKind
) -> list[socket.socket]:
    """Sockets with the same port at each address."""
    while True:
        with ExitStack() as stack:
            sockets: list[socket.socket] = []
            try:
                for family, host in addresses:
                    listener = stack.enter_context(socket.socket(family, kind))
                    listener.bind((host, sockets[0].getsockname()[1] if sockets else 0))
                    sockets.append(listener)
                    if kind == socket.SOCK_STREAM:
                        listener.listen(64)
            except OSError:
                continue
            stack.pop_all()
            return sockets


def multicast_listener(own: str) -> socket.socket:
    """Hears the questions that are asked of the local network (mDNS)."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("", 5353))
    group = struct.pack("4s4s", socket.inet_aton("224.0.0.251"), socket.inet_aton(own))
    listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    return listener


@dataclass(frozen=True)
class Visit:
    """What came of opening the pages.

    Attributes:
        reached: The ways by which a listener was reached.
        opened: The pages whose script ran to its end.
        schemes: The schemes of all addresses that a page or frame ended at.
        refusal: How opening a page of another site ended, in Chromium's words.
        seconds: How long the open pages were watched.
    """

    reached: frozenset[str]
    opened: tuple[str, ...]
    schemes: frozenset[str]
    refusal: str
    seconds: float


def visit(
    playwright: Playwright,
    executable: str,
    folder: Path,
    arguments: Callable[[int], list[str]],
    enough: Callable[[set[str], float], bool],
) -> Visit:
    """Open the pages in a browser of their own.

    Args:
        playwright: Playwright.
        executable: The browser.
        folder: Where to put the pages.
        arguments: The browser's arguments, by the port of the server.
        enough: Told what was reached and for how many seconds all pages have been open, says
            whether to stop.
    """
    shutil.copytree(Path(__file__).parent / "egress", folder)
    with Listeners() as listeners, AppServer() as server:
        (folder / "targets.js").write_text(f"const targets = {json.dumps(targets(listeners))}")
        site = server.mount(Artifact(folder, "0" * 64, "test"))
        proxy = f"http://127.0.0.1:{listeners.ports['proxy']}"
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=arguments(server.port),
            env={**os.environ, "http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""},
        )
        try:
            context = browser.new_context()
            opened = tuple(open_page(context, f"{site.url}{name}.html") for name in PAGES)
            started = time.monotonic()
            page = context.pages[0]
            while not enough(listeners.reached, time.monotonic() - started):
                page.wait_for_timeout(100)
            seconds = time.monotonic() - started
            return Visit(
                frozenset(listeners.reached),
                opened,
                frozenset(
                    urlsplit(frame.url).scheme for page in context.pages for frame in page.frames
                ),
                failure(context.new_page(), "http://outside.localhost/"),
                seconds,
            )
        finally:
            browser.close()


def targets(listeners: Listeners) -> dict[str, object]:
    """What the pages need to know."""
    own = own_address()
    return {
        "ports": listeners.ports,
        "hosts": [
            *("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"),
            *("app.localhost", "other.app.localhost"),
            *([own] if own else []),
        ],
        "multicastName": listeners.multicast_name,
        "forbidden": [
            Path(__file__).as_uri(),
            f"view-source:{Path(__file__).as_uri()}",
            "chrome://version/",
            "devtools://devtools/bundled/inspector.html",
        ],
    }


def open_page(context: BrowserContext, url: str) -> str:
    page = context.new_page()
    page.goto(url, wait_until="commit")
    page.wait_for_function("document.title === 'tried'", timeout=60_000)
    return page.title()


def failure(page: Page, url: str) -> str:
    try:
        page.goto(url, wait_until="commit")
    except Error as error:
        return error.message
    return ""


def chromiums() -> list[str]:
    """The browsers of this machine that a judging may use, with windows and without."""
    found: dict[str, None] = {}
    for headed in (False, True):
        with suppress(BrowserUnavailable):
            found[find_chromium(headed=headed).executable] = None
    return list(found)


def has_way(executable: str, way: str) -> bool:
    if way in NEED_A_NETWORK:
        return own_address() is not None
    return way not in NEED_WINDOWS or "headless" not in executable


@pytest.fixture(scope="module", params=chromiums(), ids=lambda path: Path(path).name)
def executable(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def unguarded(
    playwright: Playwright, executable: str, tmp_path_factory: pytest.TempPathFactory
) -> Visit:
    expected = {way for way in REAL if has_way(executable, way)}
    return visit(
        playwright,
        executable,
        tmp_path_factory.mktemp("unguarded") / "app",
        lambda port: [flag for flag in guard_arguments(port) if flag == "--no-sandbox"],
        lambda reached, seconds: reached >= expected or seconds > 90,
    )


@pytest.fixture(scope="module")
def guarded(
    playwright: Playwright,
    executable: str,
    unguarded: Visit,
    tmp_path_factory: pytest.TempPathFactory,
) -> Visit:
    # Nothing tells that a request was never made. The same pages are watched for longer than
    # they needed to get out without the guard.
    return visit(
        playwright,
        executable,
        tmp_path_factory.mktemp("guarded") / "app",
        guard_arguments,
        lambda reached, seconds: seconds > unguarded.seconds + 3,
    )


@pytest.mark.parametrize("way", REAL)
def test_without_the_guard_an_app_gets_out(unguarded: Visit, executable: str, way: str) -> None:
    if not has_way(executable, way):
        pytest.skip("neither this browser nor this machine has this way")
    assert way in unguarded.reached


@pytest.mark.parametrize("way", [*REAL, *DORMANT])
def test_the_guard_keeps_an_app_in(guarded: Visit, way: str) -> None:
    assert way not in guarded.reached


def test_a_guarded_app_is_served_and_runs(guarded: Visit) -> None:
    assert guarded.opened == ("tried",) * len(PAGES)


@pytest.mark.parametrize("scheme", FORBIDDEN_SCHEMES)
def test_an_app_cannot_open_pages_of_the_machine_or_the_browser(
    guarded: Visit, scheme: str
) -> None:
    assert scheme not in guarded.schemes


def test_a_refused_page_is_no_reason_to_ask_name_servers(guarded: Visit) -> None:
    # After a name that was not found Chromium asks the system's and a public name server for
    # a well-known one, to find out whether the network works.
    assert "net::ERR_" in guarded.refusal
    assert "NAME" not in guarded.refusal
