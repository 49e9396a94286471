"""`http` posts a task to a service and takes the files of its answer, or says whose fault it is."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from kit import run_async
from pytest_appbench.artifacts.candidate import Candidate, Means
from pytest_appbench.artifacts.generators import http as http_generator
from pytest_appbench.artifacts.generators import resolve
from pytest_appbench.artifacts.generators.http import AgentUnreachable, HttpGenerator
from pytest_appbench.errors import GenerationFailed, SettingsError
from pytest_appbench.models.chat import Chat
from pytest_appbench.tasks.model import Task

Answer = Callable[[BaseHTTPRequestHandler], None]


def no_chat(spec: str, task_id: str) -> Chat:
    raise AssertionError("a service needs no model of ours")


class Service:
    """A service on the loopback interface that answers as a test says."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.over = Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.append((self.path, dict(self.headers), json.loads(body)))
                service.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.answer: Answer = answers(200, {"files": {"index.html": "<h1>App</h1>"}})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def answers(status: int, body: Any) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request.send_response(status)
        request.end_headers()
        request.wfile.write(data)

    return answer


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.close()


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "a.task.yaml"
    return Task(id="timer", domain="tools", query="A {timer}.", path=path, line=1)


def make(spec: str, task: Task, time_limit: float = 60) -> Candidate:
    generator = resolve(spec, task.folder, Means(no_chat, time_limit=time_limit))
    assert isinstance(generator, HttpGenerator)
    return run_async(generator(task))


def test_a_service_is_posted_the_task_and_answers_with_files(service: Service, task: Task) -> None:
    service.answer = answers(200, {"files": {"index.html": "ä", "./js/app.js": "1"}})

    candidate = make(f"http://{service.address}/generate?fast=1", task)

    assert (candidate.source / "index.html").read_text("utf-8") == "ä"
    assert (candidate.source / "js/app.js").read_text() == "1"
    assert candidate.temporary
    assert candidate.origin == f"http://{service.address}/generate?fast=1"
    ((path, headers, body),) = service.requests
    assert path == "/generate?fast=1"
    assert headers["Content-Type"] == "application/json"
    assert set(body) == {"type", "task"}
    assert body["type"] == "init"
    assert body["task"].startswith("A {timer}.\n")
    assert "Hand over the app's files" in body["task"]


@pytest.mark.parametrize("spec", ["http://{a}/x", "http:http://{a}/x", "http:{a}/x", "http://{a}"])
def test_a_url_can_be_written_as_it_comes(spec: str, service: Service, task: Task) -> None:
    make(spec.replace("{a}", service.address), task)

    assert service.requests[0][0] == ("/x" if spec.endswith("x") else "/")


@pytest.mark.parametrize(
    ("spec", "url"),
    [
        ("https://h.example/x#y", "https://h.example/x"),
        ("http:https://h.example", "https://h.example"),
    ],
)
def test_https_is_known_too(spec: str, url: str, tmp_path: Path) -> None:
    generator = resolve(spec, tmp_path, Means(no_chat, version="7"))

    assert (generator.identity or "").startswith(f"{url}; version 7; prompt ")
    assert resolve(spec, tmp_path, Means(no_chat)).identity is None


@pytest.mark.parametrize(
    "spec", ["http:", "http://", "http:///x", "http://h:99999/", "http://h/a b", "https:"]
)
def test_what_is_no_url_is_refused(spec: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is no URL; write one such as"):
        resolve(spec, tmp_path)


def test_a_password_in_the_url_is_refused_since_urls_are_recorded(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="user name or password") as caught:
        resolve("http://me:hunter2@h.example/", tmp_path)

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (500, b"out of ideas", r"failed \(status 500\): 'out of ideas'"),
        (200, b"", "is no app: it is not"),
        (200, b"<html>", "is no app: it is not .*: '<html>'"),
        (200, b"[" * 100_000, "is no app: it is not"),
        (200, ["index.html"], "is no app: it is not"),
        (200, {"file": {}}, "is no app: it is not"),
        (200, {"files": ["index.html"]}, "'files' must hold"),
        (200, {"files": {"index.html": 1}}, "'files' must hold"),
        (200, {"files": {}}, r"no page to open: .* \(found: nothing\)"),
        (200, {"files": {"a.js": "1"}}, r"no page to open: .* \(found: a.js\)"),
        (200, {"files": {"index.html": "", "../x.html": ""}}, "'../x.html' leads out of the app"),
        (200, {"files": {"/etc/index.html": ""}}, "is not relative"),
    ],
)
def test_an_answer_that_is_no_app_is_the_candidates_failure(
    status: int, body: Any, message: str, service: Service, task: Task
) -> None:
    service.answer = answers(status, body)

    with pytest.raises(GenerationFailed, match=message):
        make(f"http://{service.address}/", task)


def test_an_answer_that_never_ends_is_cut_off(
    service: Service, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_generator, "MAX_ANSWER", 1_000_000)

    def talk(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            while not service.over.is_set():
                request.wfile.write(b"blah " * 10_000)
        except OSError:
            request.close_connection = True

    service.answer = talk

    with pytest.raises(GenerationFailed, match="larger than 1 MB"):
        make(f"http://{service.address}/", task)


@pytest.mark.parametrize("drips", [False, True])
def test_an_answer_that_comes_too_late_is_the_candidates_failure(
    drips: bool, service: Service, task: Task
) -> None:
    def dawdle(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            while not service.over.wait(0.05):
                if drips:
                    request.wfile.write(b" ")
        except OSError:
            request.close_connection = True

    service.answer = dawdle

    with pytest.raises(GenerationFailed, match=r"did not finish its answer within 0\.5 s"):
        make(f"http://{service.address}/", task, time_limit=0.5)


@pytest.mark.parametrize("status", [301, 401, 404, 429, 502, 503])
def test_a_status_outside_the_contract_is_not_the_candidates_fault(
    status: int, service: Service, task: Task
) -> None:
    service.answer = answers(status, b"see Bearer abcdefghijklmnop")

    with pytest.raises(AgentUnreachable, match=f"status {status}, where 200 or 500") as caught:
        make(f"http://{service.address}/", task)

    assert "abcdefghijklmnop" not in str(caught.value)


def test_a_service_that_is_not_there_is_not_the_candidates_fault(task: Task) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(AgentUnreachable, match=r"cannot be reached: .*see that it runs"):
        make(f"http://127.0.0.1:{port}/", task)


def test_a_dropped_connection_is_not_the_candidates_fault(service: Service, task: Task) -> None:
    def drop(request: BaseHTTPRequestHandler) -> None:
        request.connection.shutdown(socket.SHUT_RDWR)
        request.close_connection = True

    service.answer = drop

    with pytest.raises(AgentUnreachable, match="broke off"):
        make(f"http://{service.address}/", task)


def test_a_run_that_is_cancelled_hangs_up(service: Service, task: Task) -> None:
    gone = Event()

    def listen(request: BaseHTTPRequestHandler) -> None:
        request.connection.recv(1)
        request.close_connection = True
        gone.set()

    service.answer = listen
    generator = resolve(f"http://{service.address}/", task.folder, Means(no_chat))
    assert isinstance(generator, HttpGenerator)

    async def cancelled() -> None:
        making = asyncio.ensure_future(generator(task))
        while not service.requests:
            await asyncio.sleep(0.01)
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making

    run_async(cancelled())
    assert gone.wait(30)
