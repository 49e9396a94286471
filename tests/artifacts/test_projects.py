"""Apps with a server of their own are served by it, reach nobody, and end with all they started."""

from __future__ import annotations

import json
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from textwrap import dedent
from threading import Event
from typing import Any

import psutil
import pytest

from pytest_appbench.artifacts.builders import Running, Yard, of, project
from pytest_appbench.artifacts.serve import AppServer, Site
from pytest_appbench.artifacts.store import Artifact, Store
from pytest_appbench.errors import AppbenchError, BuildFailed
from pytest_appbench.processes import bubblewrap
from pytest_appbench.sandbox import SandboxError
from pytest_appbench.tasks.model import Project, Task

needs_sandbox = pytest.mark.skipif(bool(bubblewrap.find().problem), reason="needs bubblewrap")

SERVER = """
import json, os, socket, subprocess, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if "Content-Length" in self.headers:
            return self.rfile.read(int(self.headers["Content-Length"]))
        whole = b""
        while size := int(self.rfile.readline(), 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        return whole

    def do_GET(self):
        if self.path == "/upgrade":
            self.wfile.write(b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\n\\r\\n")
            while data := self.connection.recv(100):
                self.connection.sendall(data.upper())
        elif self.path == "/stream":
            self.wfile.write(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n")
            time.sleep(60)
        elif self.path.startswith("/reach/"):
            self.answer(b"reached" if reached(int(self.path[7:])) else b"not reached")
        elif self.path == "/environment":
            self.answer(json.dumps([dict(os.environ), os.listdir(), os.listdir("/proc/self/fd")]).encode())
        else:
            self.answer(f"{self.headers['Host']} {self.path}".encode())

    def do_POST(self):
        self.answer(self.command.encode() + b" " + self.body())

    do_DELETE = do_PUT = do_POST

    def log_message(self, *_):
        pass


def reached(port):
    for host in ("127.0.0.1", "10.0.2.2", "192.0.2.1"):
        try:
            socket.create_connection((host, port), timeout=1).close()
            return True
        except OSError:
            pass
    return False


MARK = "appbench-left-behind"
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", MARK], start_new_session=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


@contextmanager
def running(
    folder: Path, files: dict[str, str], sandbox: str = "auto", **commands: Any
) -> Iterator[tuple[Artifact, Running]]:
    """An app that runs."""
    source = folder / "app"
    source.mkdir(parents=True)
    for name, text in files.items():
        (source / name).write_text(dedent(text), encoding="utf-8")
    task = Task(
        id="app",
        domain="tools",
        query="An app.",
        format="project",
        project=Project(**commands),
        path=folder / "a.task.yaml",
        line=1,
    )
    artifact = Store(folder / "cache").add(source, "test")
    yard = Yard(folder / "cache", (folder,), sandbox)
    runner = of("project").runner
    assert runner is not None
    with runner.start(artifact, task, yard, Event()) as app:
        yield artifact, app


@pytest.fixture(scope="module", params=[pytest.param("auto", marks=needs_sandbox), "none"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Site]]:
    """An app's own server behind ours, with and without a sandbox."""
    folder = tmp_path_factory.mktemp("served")
    commands = {
        "install": "echo 1 > installed",
        "build": "cat installed > built",
        "serve": "exec python3 s.py",
    }
    with (
        AppServer() as server,
        running(folder, {"s.py": SERVER}, request.param, **commands) as (artifact, app),
    ):
        yield request.param, server.mount(artifact, app.connect)


def ask(
    site: Site, path: str, method: str = "GET", body: Any = None, **headers: str
) -> tuple[int, bytes]:
    """The answer to a request."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    try:
        given = {"Host": f"{site.host}:{site.port}"} | {
            k.replace("_", "-"): v for k, v in headers.items()
        }
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_its_own_server_answers_every_method_under_the_sites_name(
    served: tuple[str, Site],
) -> None:
    _, site = served
    assert ask(site, "/a/b?c=1") == (200, f"{site.host}:{site.port} /a/b?c=1".encode())
    assert ask(site, "/", "POST", b"x" * 300_000) == (200, b"POST " + b"x" * 300_000)
    assert ask(site, "/", "PUT", iter([b"in ", b"chunks"])) == (200, b"PUT in chunks")
    assert ask(site, "/", "DELETE", b"this") == (200, b"DELETE this")


def test_web_sockets_and_streams_come_through_as_they_are(served: tuple[str, Site]) -> None:
    _, site = served
    head = f"Host: {site.host}:{site.port}\r\nOrigin: {site.origin}\r\n"
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
        connection.sendall(f"GET /upgrade HTTP/1.1\r\n{head}{upgrade}\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 101 ")
        for words in (b"one", b"two"):
            connection.sendall(words)
            assert connection.recv(100) == words.upper()
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(f"GET /stream HTTP/1.1\r\n{head}\r\n".encode())
        received = b""
        while b"data: 1" not in received:
            received += connection.recv(1000)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "other.app.localhost"}, 421),
        ({"Origin": "http://other.app.localhost"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Transfer_Encoding": "gzip, chunked"}, 400),
        ({"Content_Length": "+5"}, 400),
    ],
)
def test_requests_that_are_not_the_apps_never_reach_its_server(
    headers: dict[str, str], status: int, served: tuple[str, Site]
) -> None:
    _, site = served
    assert ask(site, "/", "POST", **headers)[0] == status


def test_what_it_sees_is_its_own_folder(served: tuple[str, Site]) -> None:
    sandbox, site = served
    environment, names, descriptors = json.loads(ask(site, "/environment")[1])
    assert sorted(names) == ["built", "installed", "s.py"]
    assert environment.keys() <= {
        *("APPBENCH_PROCESS", "CI", "HOME", "LANG", "NO_COLOR", "OLDPWD", "PATH", "PORT", "PWD"),
        *("SHLVL", "TERM", "TMPDIR", "TZ", "_", "LC_ALL", "LC_CTYPE"),
    }
    assert not environment["HOME"].startswith(str(Path.home())) or sandbox == "none"
    assert len(descriptors) < 10


@needs_sandbox
def test_it_reaches_neither_our_server_nor_anything_else(tmp_path: Path) -> None:
    with (
        AppServer() as server,
        socket.create_server(("", 0)) as outside,
        running(tmp_path, {"s.py": SERVER}, serve="exec python3 s.py") as (artifact, app),
    ):
        site = server.mount(artifact, app.connect)
        for port in (server.port, outside.getsockname()[1]):
            assert ask(site, f"/reach/{port}") == (200, b"not reached")


@pytest.mark.parametrize("sandbox", [pytest.param("auto", marks=needs_sandbox), "none"])
def test_it_ends_with_everything_that_it_started(sandbox: str, tmp_path: Path) -> None:
    def alive() -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            try:
                if "appbench-left-behind" in process.cmdline() and token in str(process.cmdline()):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    token = f"left-by-{os.getpid()}-{time.monotonic_ns()}"
    script = SERVER.replace("time.sleep(600)", f"time.sleep(600) or '{token}'")
    with AppServer() as server:
        with running(tmp_path, {"s.py": script}, sandbox, serve="python3 s.py") as (artifact, app):
            site = server.mount(artifact, app.connect)
            assert ask(site, "/")[0] == 200
            assert alive()
        assert alive() == []
        assert ask(site, "/")[0] == 502


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        (
            {"build": "echo oh no >&2; exit 3", "serve": "x"},
            r"build command failed \(exit code 3\):\noh no$",
        ),
        (
            {"install": "cd; cat missing", "serve": "x"},
            r"install command failed .*(\n|.)*missing: No such",
        ),
        (
            {"serve": "echo 'no module' >&2; exit 1"},
            r"server ended \(exit code 1\) before it answered:\nno module$",
        ),
        ({"serve": "sleep 600"}, r"did not answer GET / within 1\.5 s"),
        (
            {"serve": "exec python3 s.py", "ready": "/reach/x"},
            r"did not answer GET /reach/x within",
        ),
    ],
)
def test_an_app_that_does_not_come_up_fails_in_its_own_words(
    commands: dict[str, str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "READY_SECONDS", 1.5)
    with pytest.raises(BuildFailed) as caught, running(tmp_path, {"s.py": SERVER}, **commands):
        pass
    assert re.search(reason, str(caught.value)), str(caught.value)
    assert caught.value.sandbox or "sleep" in commands["serve"]
    assert "appbench-" not in str(caught.value), "a place of this machine is told"


def test_without_a_sandbox_it_is_refused_unless_the_user_wants_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: bubblewrap.Bubblewrap(problem="no bwrap"))
    with (
        pytest.raises(SandboxError, match=r"servers of apps run .*--appbench-sandbox none"),
        running(tmp_path, {"s.py": SERVER}, serve="python3 s.py"),
    ):
        pass


def test_packages_without_a_lock_file_are_the_tasks_mistake(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages/package.json").write_text("{}", encoding="utf-8")
    with (
        pytest.raises(
            AppbenchError, match=r"a\.task\.yaml:1: .* has no package-lock\.json; run `npm"
        ),
        running(tmp_path, {"s.js": ""}, serve="node s.js", packages="packages"),
    ):
        pass


@needs_sandbox
def test_pinned_packages_are_there_to_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packages").mkdir()
    for name in ("package.json", "package-lock.json"):
        (tmp_path / "packages" / name).write_text(
            '{"dependencies": {"hello": "1.0.0"}}', encoding="utf-8"
        )
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in {
        "node": "echo v22.20.0",
        "npm": "mkdir -p node_modules/hello; echo pinned > node_modules/hello/index.html",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    serve = "cd node_modules/hello && exec python3 -m http.server -b 127.0.0.1 $PORT"
    with (
        running(tmp_path, {"a.txt": ""}, serve=serve, packages="packages") as (artifact, app),
        AppServer() as server,
    ):
        assert ask(server.mount(artifact, app.connect), "/index.html") == (200, b"pinned\n")
