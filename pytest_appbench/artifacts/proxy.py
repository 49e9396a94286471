"""Leads a request for an app that has a server of its own to that server, and its answer back.

Requests have been examined by then: they are for this app and come from it. This module knows HTTP
as far as it must find the end of a request; an answer is copied as it comes, until it ends, so that
streams and web sockets need nothing further.
"""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Protocol

Connect = Callable[[], socket.socket]
"""Opens a connection to an app's own server; raises OSError where there is none."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def readline(self, size: int, /) -> bytes: ...


_NOT_LED_ON = frozenset(
    ("connection", "expect", "keep-alive", "proxy-connection", "te", "trailer", "upgrade")
)
_CHUNK = 65_536
_LONGEST_LINE = 8_192
_STUCK_SECONDS = 60.0


class _Unreadable(Exception):
    """A request whose end cannot be told."""


def relay(handler: BaseHTTPRequestHandler, connect: Connect) -> None:
    """Lead one request on; the connection it came by ends with the answer.

    Args:
        handler: Has read the head of the request and not its body.
        connect: Opens a connection to the app's server.
    """
    handler.close_connection = True
    headers = handler.headers
    words = {word.strip().lower() for word in headers.get("Connection", "").split(",")}
    is_socket = "upgrade" in words and headers.get("Upgrade", "").strip().lower() == "websocket"
    try:
        length = _length(handler)
    except _Unreadable as error:
        handler.send_error(HTTPStatus.BAD_REQUEST, str(error))
        return
    try:
        server = connect()
    except OSError:
        handler.send_error(HTTPStatus.BAD_GATEWAY, "The app's own server cannot be reached")
        return
    with server, suppress(OSError):
        server.settimeout(_STUCK_SECONDS)
        server.sendall(_head(handler, is_socket))
        with suppress(BrokenPipeError):  # it has answered without reading on
            _send_body(handler.rfile, server, length)
        _pump(handler.connection, server, both=is_socket)


def _length(handler: BaseHTTPRequestHandler) -> int | None:
    """The bytes of a request's body; None where it comes in chunks."""
    lengths = handler.headers.get_all("Content-Length", [])
    codings = handler.headers.get_all("Transfer-Encoding", [])
    if codings:
        if lengths or [coding.strip().lower() for coding in codings] != ["chunked"]:
            raise _Unreadable("The length of the request is not clear")
        return None
    if len(lengths) > 1 or (lengths and not re.fullmatch("[0-9]{1,12}", lengths[0].strip())):
        raise _Unreadable("The length of the request is not clear")
    return int(lengths[0]) if lengths else 0


def _head(handler: BaseHTTPRequestHandler, is_socket: bool) -> bytes:
    lines = [f"{handler.command} {handler.path} HTTP/1.1"]
    for name, value in handler.headers.items():
        if name.lower() not in _NOT_LED_ON:
            lines.append(f"{name}: {' '.join(value.splitlines())}")
    if is_socket:
        lines += ["Connection: Upgrade", "Upgrade: websocket"]
    else:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _send_body(source: _Readable, server: socket.socket, length: int | None) -> None:
    if length is not None:
        _copy(source, server, length)
        return
    while True:
        line = source.readline(_LONGEST_LINE)
        server.sendall(line)
        size = re.match(rb"([0-9A-Fa-f]{1,12})\s*(?:;|\r?\n)", line)
        if size is None:
            raise ConnectionError("a chunk without a size")
        if int(size[1], 16) == 0:
            break
        _copy(source, server, int(size[1], 16))
        server.sendall(source.readline(_LONGEST_LINE))
    while (line := source.readline(_LONGEST_LINE)).strip():  # trailers
        server.sendall(line)
    server.sendall(b"\r\n")


def _copy(source: _Readable, server: socket.socket, count: int) -> None:
    while count > 0 and (data := source.read(min(count, _CHUNK))):
        server.sendall(data)
        count -= len(data)


def _pump(client: socket.socket, server: socket.socket, *, both: bool) -> None:
    """Copy what the server says to the client, and back on a web socket, until one of them ends."""
    with selectors.DefaultSelector() as selector:
        selector.register(server, selectors.EVENT_READ)
        selector.register(client, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                is_answer = key.fileobj is server
                data = (server if is_answer else client).recv(_CHUNK)
                if not data:
                    return
                if is_answer:
                    client.sendall(data)
                elif both:
                    server.sendall(data)
                else:  # no further request is read from a connection that ends with this answer
                    selector.unregister(client)
