"""One HTTP server per process that gives every mounted artifact an origin of its own.

It owns host names, what a request must look like to be answered, and how files are sent. It serves
exactly the files that an artifact lists, or leads requests on to the app's own server, and knows
nothing of tasks, browsers or judges.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import IO, Any
from urllib.parse import quote, unquote_to_bytes

from pytest_appbench.artifacts.mime import content_type
from pytest_appbench.artifacts.proxy import Connect, relay
from pytest_appbench.artifacts.store import Artifact

_log = logging.getLogger(__name__)

DOMAIN = "app.localhost"
"""Every site's host is a name directly below this one."""

_IDLE_SECONDS = 60.0
_MAX_MISSING = 1_000


@dataclass(frozen=True, eq=False)
class Site:
    """A mounted artifact.

    Attributes:
        host: Its host name, unlike that of any other site.
        port: The server's port.
        artifact: What is served there.
        missing: Paths that were asked for and are not there, with how often.
    """

    host: str
    port: int
    artifact: Artifact
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def origin(self) -> str:
        """The origin of the site's pages, without a slash at the end."""
        return f"http://{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """Where the app opens."""
        return self.origin + "/"


class AppServer:
    """Serves artifacts on loopback, each at `http://<random>.app.localhost:<port>/`.

    Start it before the browser, whose host mapping needs the port. Usable as a context manager.
    """

    def __init__(self) -> None:
        self._server: _Server | None = None

    def __enter__(self) -> AppServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen on a free port of 127.0.0.1 and answer from background threads."""
        if self._server is None:
            self._server = _Server()
            threading.Thread(
                target=self._server.serve_forever, args=(0.1,), name="appbench-sites", daemon=True
            ).start()

    @property
    def port(self) -> int:
        """The port the server listens on."""
        return self._running.port

    @property
    def _running(self) -> _Server:
        if self._server is None:
            raise RuntimeError("the server is not running: call start() first")
        return self._server

    def mount(self, artifact: Artifact, connect: Connect | None = None) -> Site:
        """Give an artifact an origin of its own.

        Args:
            artifact: What to serve.
            connect: Opens a connection to the app's own server, which then answers every request
                instead of the files.

        Returns:
            The site, live until it is unmounted.
        """
        site = Site(f"{secrets.token_hex(6)}.{DOMAIN}", self.port, artifact)
        self._running.mounted[site.host] = _Mounted(site, connect)
        return site

    def unmount(self, site: Site) -> None:
        """Answer for a site no longer.

        Args:
            site: The site; it may have been unmounted before.
        """
        if self._server is not None:
            self._server.mounted.pop(site.host, None)

    def stop(self) -> None:
        """Stop listening and drop all connections."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()


class _Mounted:
    """A site and the files that may be sent for it."""

    def __init__(self, site: Site, connect: Connect | None = None) -> None:
        self.site, self.connect = site, connect
        self._root = site.artifact.root
        self._files = frozenset(site.artifact.files)
        self._lock = threading.Lock()

    def find(self, path: str) -> Path | None:
        """The file for a decoded path without a leading slash, an index page for a folder."""
        if path == "":
            entry = self.site.artifact.entry
            return self._root / entry if entry else None
        name = path + "index.html" if path.endswith("/") else path
        return self._root / name if name in self._files else None

    def is_folder(self, path: str) -> bool:
        """Whether a path without a slash at its end names a folder with an index page."""
        return f"{path}/index.html" in self._files

    def note_missing(self, path: str) -> None:
        """Remember that a path was asked for in vain."""
        missing = self.site.missing
        with self._lock:
            if path in missing or len(missing) < _MAX_MISSING:
                missing[path] += 1


class _Server(ThreadingTCPServer):
    daemon_threads = True
    # Joining the threads of idle kept-alive connections would hang at exit.
    block_on_close = False
    request_queue_size = 128

    def __init__(self) -> None:
        self.mounted: dict[str, _Mounted] = {}
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port = int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser drops connections whenever it likes, most of all while it closes a page.
        if not isinstance(sys.exception(), ConnectionError):
            _log.exception("a request to an app's site could not be answered")


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "appbench"
    sys_version = ""
    error_content_type = "text/plain; charset=utf-8"
    error_message_format = "%(code)d %(message)s\n"
    timeout = _IDLE_SECONDS
    disable_nagle_algorithm = True
    # Lets the head of an answer leave together with its body.
    wbufsize = 64 * 1024

    mounted: _Mounted

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        refusal = self._refusal()
        if refusal is None and self.mounted.connect is not None:
            relay(self, self.mounted.connect)
            return False
        self._drain()
        if refusal is None:
            return True
        self.send_error(*refusal)
        return False

    def _refusal(self) -> tuple[HTTPStatus, str] | None:
        hosts = self.headers.get_all("Host", [])
        name, _, port = (hosts[0] if len(hosts) == 1 else "").partition(":")
        mounted = self.server.mounted.get(name)
        if mounted is None or port != str(self.server.port):
            return HTTPStatus.MISDIRECTED_REQUEST, "No app is served under this host name"
        if any(origin != mounted.site.origin for origin in self.headers.get_all("Origin", [])):
            return HTTPStatus.FORBIDDEN, "Requests from other origins are refused"
        # The sites of one server count as the same site, so that "same-site" is another app.
        fetch_sites = self.headers.get_all("Sec-Fetch-Site", [])
        if not {"same-origin", "none"}.issuperset(fetch_sites):
            return HTTPStatus.FORBIDDEN, "Requests from other sites are refused"
        if self.command not in ("GET", "HEAD") and mounted.connect is None:
            return HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are served"
        self.mounted = mounted
        return None

    def _drain(self) -> None:
        # Unread bytes would be taken for the next request, or reset the connection when it closes
        # so that the answer may be lost.
        length = self.headers.get("Content-Length", "0").strip()
        if re.fullmatch("[0-9]{1,6}", length) and "Transfer-Encoding" not in self.headers:
            self.rfile.read(int(length))
        else:
            self.close_connection = True

    def do_GET(self) -> None:
        """Answer with a file, a redirection to a folder's page, or a short text."""
        target, mark, query = self.path.partition("?")
        path = _decode(target)
        if path is None:
            self._answer(HTTPStatus.BAD_REQUEST, "Not a path that an app can have")
            return
        file = self.mounted.find(path)
        if file is not None:
            self._send_file(file)
        elif path and self.mounted.is_folder(path):
            self._answer(
                HTTPStatus.MOVED_PERMANENTLY, "", {"Location": f"/{quote(path)}/{mark}{query}"}
            )
        elif path == "favicon.ico":
            self._answer(HTTPStatus.NO_CONTENT, "")
        else:
            self.mounted.note_missing("/" + path)
            self._answer(HTTPStatus.NOT_FOUND, "Not found")

    do_HEAD = do_GET

    def _answer(
        self, status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None
    ) -> None:
        body = f"{text}\n".encode() if text else b""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Type", self.error_content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_file(self, path: Path) -> None:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            wanted = self._wanted_range(size)
            if wanted is not None and not wanted:
                self._answer(
                    HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                    "",
                    {"Content-Range": f"bytes */{size}"},
                )
                return
            part = wanted or range(size)
            self.send_response(HTTPStatus.PARTIAL_CONTENT if wanted else HTTPStatus.OK)
            if wanted:
                self.send_header("Content-Range", f"bytes {part.start}-{part.stop - 1}/{size}")
            self.send_header("Content-Type", content_type(path.name))
            self.send_header("Content-Length", str(len(part)))
            self.send_header("Accept-Ranges", "bytes")
            self.end_headers()
            if self.command != "HEAD":
                stream.seek(part.start)
                _copy(stream, self.wfile, len(part))

    def _wanted_range(self, size: int) -> range | None:
        """The bytes asked for: None for all of them, an empty range where there are none."""
        # Without validators an If-Range can never match, which asks for the whole file.
        if self.command == "HEAD" or "If-Range" in self.headers:
            return None
        match = re.fullmatch(
            r"bytes=([0-9]{0,15})-([0-9]{0,15})", self.headers.get("Range", "").strip()
        )
        if match is None or not any(match.groups()):
            return None
        first, last = match.groups()
        if not first:
            return range(max(0, size - int(last)), size)
        if last and int(last) < int(first):
            return None
        return range(int(first), min(int(last) + 1 if last else size, size))

    def end_headers(self) -> None:
        """Close the head of an answer with what every answer carries."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: what is missing is recorded with the site."""


def _decode(target: str) -> str | None:
    """A request's path, decoded and without leading slash, or None if it is none of a file.

    Empty and `.` segments are dropped, as web servers do. `..` never arrives from a browser,
    which resolves it before it asks.
    """
    try:
        decoded = unquote_to_bytes(target).decode()
    except UnicodeDecodeError:
        return None
    segments = decoded.split("/")
    if segments[0] or ".." in segments or "\\" in decoded or "\0" in decoded:
        return None
    names = [segment for segment in segments if segment not in ("", ".")]
    is_folder = bool(names) and segments[-1] in ("", ".")
    return "/".join(names) + ("/" if is_folder else "")


def _copy(source: IO[bytes], target: Any, count: int) -> None:
    while count > 0 and (chunk := source.read(min(count, 256 * 1024))):
        target.write(chunk)
        count -= len(chunk)
