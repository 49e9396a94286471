"""The server answers for live sites only, with the files of their artifact and nothing else."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_appbench.artifacts.mime import content_type
from pytest_appbench.artifacts.serve import AppServer, Site
from pytest_appbench.artifacts.store import Artifact

SECRET = b"nothing of this may ever be sent"
FILES = {
    "index.html": b"<h1>Start</h1>",
    "js/main.js": b"let x = 1",
    "docs/index.html": b"<h1>Docs</h1>",
    "song.mp3": bytes(range(100)),
    "empty.txt": b"",
    "with space & \xc3\xa9.txt".encode("latin-1").decode(): b"named",
}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def artifact(folder: Path, files: dict[str, bytes]) -> Artifact:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Artifact(folder, "0" * 64, "test")


@pytest.fixture(scope="module")
def server() -> Iterator[AppServer]:
    with AppServer() as running:
        yield running


@pytest.fixture(scope="module")
def site(server: AppServer, tmp_path_factory: pytest.TempPathFactory) -> Site:
    parent = tmp_path_factory.mktemp("serve")
    (parent / "secret.txt").write_bytes(SECRET)
    app = artifact(parent / "app", FILES)
    (app.root / "link.txt").symlink_to(parent / "secret.txt")
    (app.root / "folder").symlink_to(parent)
    return server.mount(app)


def ask(site: Site, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=10)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers={"Host": f"{site.host}:{site.port}", **named})
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.getheaders()), answer.read())
    finally:
        connection.close()


def ask_raw(site: Site, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "index.html"),
        ("/?x=1", "index.html"),
        ("/js/main.js", "js/main.js"),
        ("/js//./main.js", "js/main.js"),
        ("/docs/", "docs/index.html"),
        ("/empty.txt", "empty.txt"),
        ("/with%20space%20&%20%C3%A9.txt", "with space & é.txt"),
    ],
)
def test_files_are_served_as_they_are(site: Site, path: str, name: str) -> None:
    answer = ask(site, path)

    assert (answer.status, answer.body) == (200, FILES[name])
    assert answer.headers["Content-Type"] == content_type(name)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_only_page_of_an_app_is_its_start(server: AppServer, tmp_path: Path) -> None:
    site = server.mount(artifact(tmp_path, {"timer.html": b"<h1>Timer</h1>"}))

    answer = ask(site, "/")

    assert (answer.status, answer.body) == (200, b"<h1>Timer</h1>")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_a_folder_without_slash_leads_to_its_page(site: Site) -> None:
    answer = ask(site, "/docs?x=1")

    assert (answer.status, answer.headers["Location"]) == (301, "/docs/?x=1")


def test_a_redirection_never_leaves_the_site(server: AppServer, tmp_path: Path) -> None:
    site = server.mount(artifact(tmp_path, {"evil.test/index.html": b"x"}))

    assert ask(site, "//%2Fevil.test").headers["Location"] == "/evil.test/"


def test_head_answers_without_a_body(site: Site) -> None:
    answer = ask(site, "/song.mp3", "HEAD", Range="bytes=0-9")

    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Length"] == "100"


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ("0-9", (0, 9)),
        ("90-", (90, 99)),
        ("-5", (95, 99)),
        ("50-5000", (50, 99)),
        ("-900", (0, 99)),
    ],
)
def test_media_can_be_asked_for_in_parts(site: Site, asked: str, sent: tuple[int, int]) -> None:
    answer = ask(site, "/song.mp3", Range=f"bytes={asked}")

    assert answer.status == 206
    assert answer.body == bytes(range(sent[0], sent[1] + 1))
    assert answer.headers["Content-Range"] == f"bytes {sent[0]}-{sent[1]}/100"


@pytest.mark.parametrize("asked", ["bytes=100-", "bytes=-0", "bytes=700-800"])
def test_a_part_beyond_the_end_is_not_satisfiable(site: Site, asked: str) -> None:
    answer = ask(site, "/song.mp3", Range=asked)

    assert (answer.status, answer.headers["Content-Range"]) == (416, "bytes */100")


@pytest.mark.parametrize(
    "asked", ["lines=0-9", "bytes=9-0", "bytes=-", "bytes=0-1,5-6", "bytes=" + "9" * 5000 + "-"]
)
def test_a_range_that_makes_no_sense_gets_the_whole_file(site: Site, asked: str) -> None:
    answer = ask(site, "/song.mp3", Range=asked)

    assert (answer.status, answer.body) == (200, FILES["song.mp3"])


def test_what_is_missing_is_recorded_with_the_site(server: AppServer, tmp_path: Path) -> None:
    site = server.mount(artifact(tmp_path, {"index.html": b""}))

    statuses = [ask(site, path).status for path in ("/a.png", "/a.png?2", "/sub/", "/")]

    assert statuses == [404, 404, 404, 200]
    assert site.missing == {"/a.png": 2, "/sub/": 1}


def test_a_browsers_wish_for_an_icon_is_no_missing_file(site: Site) -> None:
    answer = ask(site, "/favicon.ico")

    assert (answer.status, answer.body) == (204, b"")
    assert "/favicon.ico" not in site.missing


def test_an_icon_that_the_app_has_is_served(server: AppServer, tmp_path: Path) -> None:
    site = server.mount(artifact(tmp_path, {"favicon.ico": b"icon"}))

    assert ask(site, "/favicon.ico").body == b"icon"


def test_several_requests_share_a_connection(site: Site) -> None:
    head = f"Host: {site.host}:{site.port}\r\n"
    requests = f"GET /a HTTP/1.1\r\n{head}\r\nGET / HTTP/1.1\r\n{head}Connection: close\r\n\r\n"

    answers = ask_raw(site, requests.encode())

    assert answers.count(b"HTTP/1.1 ") == 2
    assert answers.endswith(b"<h1>Start</h1>")


def test_every_artifact_has_a_host_of_its_own(server: AppServer, tmp_path: Path) -> None:
    one = server.mount(artifact(tmp_path / "1", {"index.html": b"one"}))
    two = server.mount(artifact(tmp_path / "2", {"index.html": b"two"}))

    assert one.host != two.host
    assert one.url == f"http://{one.host}:{server.port}/"
    assert [ask(site, "/").body for site in (one, two)] == [b"one", b"two"]


def test_an_unmounted_site_is_gone(server: AppServer, tmp_path: Path) -> None:
    site = server.mount(artifact(tmp_path, {"index.html": b"x"}))
    server.unmount(site)
    server.unmount(site)

    assert ask(site, "/").status == 421


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:{port}",
        "localhost:{port}",
        "app.localhost:{port}",
        "{host}",
        "{host}:1",
        "{host}:{port}0",
        "{host}.:{port}",
        "x.{host}:{port}",
        "",
    ],
)
def test_unknown_hosts_are_refused(site: Site, host: str) -> None:
    answer = ask(site, "/", Host=host.format(host=site.host, port=site.port))

    assert answer.status == 421
    assert answer.body == b"421 No app is served under this host name\n"


@pytest.mark.parametrize("hosts", [0, 2])
def test_a_request_names_exactly_one_host(site: Site, hosts: int) -> None:
    line = f"Host: {site.host}:{site.port}\r\n"

    assert b" 421 " in ask_raw(site, f"GET / HTTP/1.1\r\n{line * hosts}\r\n".encode())


@pytest.mark.parametrize(
    "header",
    [
        {"Origin": "null"},
        {"Origin": "http://evil.test"},
        {"Origin": "http://0123456789ab.app.localhost:{port}"},
        {"Origin": "https://{host}:{port}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_requests_from_elsewhere_are_refused(site: Site, header: dict[str, str]) -> None:
    filled = {name: value.format(host=site.host, port=site.port) for name, value in header.items()}

    assert ask(site, "/", **filled).status == 403


@pytest.mark.parametrize(
    "header",
    [{"Origin": "{origin}"}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}],
)
def test_requests_of_the_app_itself_are_answered(site: Site, header: dict[str, str]) -> None:
    filled = {name: value.format(origin=site.origin) for name, value in header.items()}

    assert ask(site, "/", **filled).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "BREW"])
def test_only_reading_is_served(site: Site, method: str) -> None:
    assert ask(site, "/", method).status == 405


def test_the_body_of_a_request_is_not_taken_for_another_request(site: Site) -> None:
    host = f"Host: {site.host}:{site.port}\r\n"
    inner = f"GET /smuggled HTTP/1.1\r\n{host}\r\n"
    request = f"GET / HTTP/1.1\r\n{host}Content-Length: {len(inner)}\r\n\r\n{inner}"

    assert ask_raw(site, request.encode()).count(b"HTTP/1.1 ") == 1
    assert "/smuggled" not in site.missing


ESCAPES = [
    "/../secret.txt",
    "/js/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/js/%2E%2E/%2e./secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/%252e%252e/secret.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/secret.txt%00.html",
    "/./../secret.txt",
    "//../secret.txt",
    "/link.txt",
    "/folder/secret.txt",
    "/js/main.js/../../../secret.txt",
    "http://evil.test/secret.txt",
    "../secret.txt",
    "*",
]


@pytest.mark.parametrize("target", ESCAPES)
def test_nothing_outside_the_artifact_is_served(site: Site, target: str) -> None:
    answer = get_raw(site, target.encode())

    assert answer.split(b" ", 2)[1] in (b"400", b"404")
    assert SECRET not in answer


def test_an_absolute_path_of_the_machine_is_not_found(site: Site) -> None:
    secret = site.artifact.root.parent / "secret.txt"

    for target in (f"/{secret}", f"{secret}", f"/file://{secret}"):
        assert b" 404 " in get_raw(site, target.encode()).split(b"\r\n")[0]


pieces = st.sampled_from(
    b".. . / // \\ %2e %2E%2e %2f %5c %00 %25 \xff ~ ? # ; : js folder link.txt secret.txt".split()
)
paths = st.lists(pieces, max_size=12).map(b"".join)
anything = st.binary(max_size=60).filter(lambda target: b"\n" not in target)


@settings(deadline=None)
@given(target=st.one_of(paths, paths.map(quote_from_bytes).map(str.encode), anything))
def test_no_spelling_of_a_path_leads_out(site: Site, target: bytes) -> None:
    answer = get_raw(site, b"/" + target)

    status = answer.split(b" ", 2)[1]
    assert status in (b"200", b"301", b"400", b"404", b"421", b"431", b"505")
    assert SECRET not in answer
    if status == b"200":
        assert answer.partition(b"\r\n\r\n")[2] in FILES.values()


@settings(deadline=None)
@given(noise=st.binary(max_size=200))
def test_noise_does_not_stop_the_server(site: Site, noise: bytes) -> None:
    with suppress(ConnectionError):
        ask_raw(site, noise)

    assert ask(site, "/").status == 200


def get_raw(site: Site, target: bytes) -> bytes:
    host = f"{site.host}:{site.port}".encode()
    request = b"GET " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
    return ask_raw(site, request)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.html", "text/html; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.MJS", "text/javascript; charset=utf-8"),
        ("a.json", "application/json; charset=utf-8"),
        ("a.svg", "image/svg+xml; charset=utf-8"),
        ("a.min.css", "text/css; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.woff2", "font/woff2"),
        ("a.png", "image/png"),
        ("a.unknown", "application/octet-stream"),
        ("js", "application/octet-stream"),
    ],
)
def test_content_types_follow_the_name(name: str, expected: str) -> None:
    assert content_type(name) == expected


def test_a_stopped_server_can_be_started_again(tmp_path: Path) -> None:
    server = AppServer()
    server.start()
    site = server.mount(artifact(tmp_path, {"index.html": b"x"}))
    server.stop()
    server.stop()

    with pytest.raises(RuntimeError, match="call start"):
        server.mount(site.artifact)
    with pytest.raises(ConnectionRefusedError):
        ask(site, "/")

    server.start()
    assert ask(server.mount(site.artifact), "/").body == b"x"
    server.stop()


def test_stopping_drops_connections_that_are_kept_alive(tmp_path: Path) -> None:
    with AppServer() as server:
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        site = server.mount(artifact(tmp_path, {"index.html": b"x"}))
        connection.sendall(f"HEAD / HTTP/1.1\r\nHost: {site.host}:{site.port}\r\n\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")

    assert connection.recv(1000) == b""
    connection.close()


FORGETFUL = """
import socket
from pytest_appbench.artifacts.serve import AppServer

server = AppServer()
server.start()
idle = socket.create_connection(("127.0.0.1", server.port))
idle.sendall(b"GET /")
print("bye")
"""


def test_a_server_that_nobody_stops_does_not_hang_at_exit() -> None:
    command = [sys.executable, "-c", FORGETFUL]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)

    assert (ended.stdout, ended.stderr) == ("bye\n", "")
