"""The files of a request reach whoever writes the app, and the app finds them by their names."""

from __future__ import annotations

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kit import run_async
from pytest_appbench.artifacts.asking import MOST_TEXT, lay_out
from pytest_appbench.artifacts.candidate import Candidate, Means
from pytest_appbench.artifacts.generators import resolve
from pytest_appbench.models.chat import Chat, Image, Message, Reply, Request, Text, Tokens
from pytest_appbench.tasks.model import Task

PICTURE = b"\x89PNG\r\n\x1a\n not really, but what counts is the name"
WORDS = "day,sold\n2026-03-02,14\n```\n"
NAMES = ("files/sales.csv", "files/logo.png", "files/note.wav")
PAGE = "<!doctype html><img src=files/logo.png>"


class Scripted:
    """A model that writes one page."""

    spec = "anthropic:scripted"

    def __init__(self) -> None:
        self.request: Request | None = None

    async def ask(self, request: Request) -> Reply:
        self.request = request
        text = f"#### `index.html`\n```html\n{PAGE}\n```\n"
        message = Message(role="assistant", parts=(Text(text=text),))
        return Reply(message=message, stop="end", tokens=Tokens())

    def chat(self, spec: str, task_id: str) -> Chat:
        return self

    @property
    def parts(self) -> tuple[Any, ...]:
        assert self.request is not None
        return self.request.messages[0].parts


@pytest.fixture
def task(tmp_path: Path) -> Task:
    folder = tmp_path / "bench"
    (folder / "files").mkdir(parents=True)
    (folder / "files/sales.csv").write_text(WORDS)
    (folder / "files/logo.png").write_bytes(PICTURE)
    (folder / "files/note.wav").write_bytes(b"RIFF\0\0")
    return Task(
        id="sales",
        domain="data",
        query="My sales.",
        features=("A total is shown.", "A month can be chosen."),
        materials=NAMES,
        path=folder / "a.task.yaml",
        line=1,
    )


def left(candidate: Candidate) -> dict[str, bytes]:
    """What is in the store of an app in the end."""
    files = [path for path in candidate.source.rglob("*") if path.is_file()]
    return {path.relative_to(candidate.source).as_posix(): path.read_bytes() for path in files}


def make(spec: str, task: Task, means: Means) -> Candidate:
    made: Any = resolve(spec, task.folder.parent, means)(task)
    candidate: Candidate = run_async(made)
    return candidate


def test_a_model_reads_words_and_pictures_and_its_app_has_all_files(task: Task) -> None:
    model = Scripted()

    files = left(make("anthropic:some-model", task, Means(model.chat)))

    assert files == {
        "index.html": PAGE.encode(),
        "files/sales.csv": WORDS.encode(),
        "files/logo.png": PICTURE,
        "files/note.wav": b"RIFF\0\0",
    }
    text, name, picture = model.parts
    assert isinstance(picture, Image)
    assert (name.text, picture.media_type) == ("files/logo.png:", "image/png")
    assert text.text.startswith("My sales.\n\nFeatures:\n\n1. A total is shown.\n2. A month can")
    assert f"````csv\n{WORDS}\n````" in text.text, "the fence must not be closed by the file"
    assert "- files/note.wav (audio/wav, 6 bytes)" in text.text


def test_long_files_are_cut_and_pictures_left_out_where_no_model_sees(task: Task) -> None:
    (task.folder / "files/sales.csv").write_text("x" * (MOST_TEXT + 5))
    model = Scripted()

    generator = "anthropic:some-model"
    make(generator, task, Means(model.chat, images=False))

    (text,) = model.parts
    assert "(5 more characters are in the file)" in text.text
    assert "- files/logo.png (image/png" in text.text
    blind = resolve(generator, task.folder, Means(model.chat, images=False)).identity
    assert blind != resolve(generator, task.folder, Means(model.chat)).identity


def test_an_agent_finds_the_files_in_its_workspace_and_so_does_its_app(task: Task) -> None:
    agent = task.folder.parent / "agent"
    agent.write_text(
        f"#!{sys.executable}\n"
        "import os, pathlib, sys\n"
        "there = sorted(str(p) for p in pathlib.Path('.').rglob('*') if p.is_file())\n"
        "os.remove('files/note.wav')\n"
        "os.makedirs('app/files'); open('app/files/sales.csv', 'w').write('mine')\n"
        "open('app/index.html', 'w').write(repr(there) + sys.stdin.read())\n"
    )
    agent.chmod(0o755)

    files = left(make("command:./agent", task, Means(Scripted().chat, sandbox="none")))

    page = files["index.html"].decode()
    assert page.startswith("['files/logo.png', 'files/note.wav', 'files/sales.csv']")
    assert "It holds the files of the request" in page
    assert files["files/sales.csv"] == b"mine"
    assert files["files/note.wav"] == b"RIFF\0\0"


def test_a_service_is_sent_the_files_and_its_app_has_them(task: Task) -> None:
    asked: list[Any] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"files": {"index.html": PAGE}}).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Service)
    Thread(target=server.handle_request).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/"
        files = left(make(url, task, Means(Scripted().chat)))
    finally:
        server.server_close()

    assert asked[0]["materials"] == {
        "files/sales.csv": {"content": WORDS},
        "files/logo.png": {"base64": base64.b64encode(PICTURE).decode()},
        "files/note.wav": {"base64": base64.b64encode(b"RIFF\0\0").decode()},
    }
    assert set(files) == {"index.html", *NAMES}


def test_nothing_is_written_through_a_link_that_an_agent_left(task: Task, tmp_path: Path) -> None:
    outside, workspace = tmp_path / "outside", tmp_path / "workspace"
    outside.mkdir()
    workspace.mkdir()
    (workspace / "files").symlink_to(outside)

    lay_out(task, workspace)

    assert list(outside.iterdir()) == []
