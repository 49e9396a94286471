"""A small program that stands beside an app's own server and leads connections to it.

It is executed as a script, by path, inside the sandbox, and knows nothing of the package around it.
A sandboxed server has a network of its own that nobody outside can reach, and that reaches nobody.
The harness listens outside and hands the listening socket in; whoever connects there is led to the
server's port in here. The server itself never gets that socket.

Arguments: the descriptor of the listening socket, the port, and the command. The exit code is the
command's.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from contextlib import suppress

_CHUNK = 65_536
_HOSTS = ("127.0.0.1", "::1")


def main(arguments: list[str]) -> int:
    """Run the command and lead connections to it until it ends."""
    listener = socket.socket(fileno=int(arguments[0]))
    listener.set_inheritable(False)
    listener.setblocking(True)
    server = subprocess.Popen(arguments[2:])
    accepting = threading.Thread(target=_accept, args=(listener, int(arguments[1])), daemon=True)
    accepting.start()
    code = server.wait()
    return code if code >= 0 else 128 - code


def _accept(listener: socket.socket, port: int) -> None:
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=_lead, args=(connection, port), daemon=True).start()


def _lead(connection: socket.socket, port: int) -> None:
    with connection, suppress(OSError):
        server = _connected(port)
        if server is None:
            return
        with server:
            back = threading.Thread(target=_pump, args=(server, connection), daemon=True)
            back.start()
            _pump(connection, server)
            back.join()


def _connected(port: int) -> socket.socket | None:
    for host in _HOSTS:
        with suppress(OSError):
            return socket.create_connection((host, port))
    return None


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Copy until the source ends; then the target learns that no more will come."""
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
