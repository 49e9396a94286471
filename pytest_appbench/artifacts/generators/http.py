"""`http` asks a web service for each app, by the POST contract of Web-Bench."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from pytest_appbench.artifacts.candidate import Candidate
from pytest_appbench.artifacts.generators import Scheme
from pytest_appbench.errors import AppbenchError, GenerationFailed, SettingsError
from pytest_appbench.threads import in_thread

if TYPE_CHECKING:
    from pytest_appbench.artifacts.candidate import Means
    from pytest_appbench.artifacts.steps import StepOrder, StepReply
    from pytest_appbench.tasks.model import Task


DELIVERY = "Hand over the app's files, each with its path and its whole content."

MAX_ANSWER = 40_000_000
"""Bytes of an answer; JSON needs more room than the files in it."""

_CONNECT_SECONDS = 30.0
_CHUNK = 65_536
_QUOTED = 300


class AgentUnreachable(AppbenchError):
    """The service could not be asked; the app is not blamed for that."""


@dataclass(frozen=True)
class HttpGenerator:
    """Asks a service for each task's app.

    Attributes:
        url: Where to post to.
        means: The time limit, and what the user calls the present version of the service.
        root: Where pytest was started.
    """

    url: SplitResult
    means: Means
    root: Path

    @property
    def identity(self) -> str | None:
        """The URL, the prompt and the user's version of the service; None without a version."""
        from pytest_appbench.artifacts.prompted import agent_identity

        return agent_identity(self._spec, self.means.version, DELIVERY)

    @property
    def roots(self) -> tuple[Path, ...]:
        """None: apps are written to temporary folders."""
        return ()

    async def __call__(self, task: Task) -> Candidate:
        """Ask the service in a thread.

        Args:
            task: The task.

        Returns:
            The files of its answer.

        Raises:
            GenerationFailed: It answered 500 or something that is no app, or took too long.
            AgentUnreachable: It could not be reached, dropped the connection, or answered with a
                status that is none of the contract's.
        """
        return await in_thread(partial(self._make, task))

    async def step(self, order: StepOrder) -> StepReply:
        """Ask the service for one step of a project, in a thread.

        Args:
            order: The step.

        Returns:
            The files of its answer, which are written over what is there.

        Raises:
            GenerationFailed: It answered 500 or something that holds no files, or took too long.
            AgentUnreachable: As for an app.
        """
        return await in_thread(partial(self._step, order))

    def _step(self, order: StepOrder, over: Event) -> StepReply:
        from pytest_appbench.artifacts.steps import StepReply

        asked: dict[str, Any] = {"type": "normal" if order.number else "init", "task": order.text}
        if order.number:
            asked["files"] = dict(order.files)
        if order.error:
            asked["error"] = order.error
        status, body = self._post(asked, over)
        if status != 200:
            raise self._refused(status, body)
        try:
            files = _files(body)
        except GenerationFailed as failure:
            raise GenerationFailed(f"the answer of {self._spec}: {failure}") from None
        return StepReply(files, self._spec)

    def _make(self, task: Task, over: Event) -> Candidate:
        from pytest_appbench.artifacts import builders
        from pytest_appbench.artifacts.asking import as_json, lay_out, text_for_agent
        from pytest_appbench.artifacts.extract import checked
        from pytest_appbench.artifacts.prompted import agent_prompt
        from pytest_appbench.artifacts.workspace import new_workspace, tidy, write

        form = builders.of(task.format)
        prompt = agent_prompt(text_for_agent(task), DELIVERY, form)
        asked: dict[str, Any] = {"type": "init", "task": prompt}
        if task.materials:
            asked["materials"] = as_json(task)
        status, body = self._post(asked, over)
        if status != 200:
            raise self._refused(status, body)
        with new_workspace((*self.means.hidden, self.root)) as folder:
            try:
                write(checked(_files(body)), folder)
                assumed = tidy(folder, form)
                lay_out(task, folder)
            except GenerationFailed as failure:
                raise GenerationFailed(f"the answer of {self._spec} is no app: {failure}") from None
        return Candidate(folder, self._spec, notes="\n".join(assumed), temporary=True)

    def _post(self, payload: dict[str, Any], over: Event) -> tuple[int, bytes]:
        """Send and receive, all of it within the time limit."""
        started = time.monotonic()
        connection = self._connected()
        left = self.means.time_limit - (time.monotonic() - started)
        closer = _Closer(connection, max(0.0, left), over)
        closer.start()
        try:
            answer = self._exchange(connection, json.dumps(payload).encode())
        except (OSError, http.client.HTTPException, ValueError) as error:
            if not closer.is_late:
                raise self._unreachable(f"broke off: {error or type(error).__name__}") from None
        else:
            if not closer.is_late:
                return answer
        finally:
            over.set()
            connection.close()
        raise GenerationFailed(
            f"{self._spec} did not finish its answer within {self.means.time_limit:g} s"
        )

    def _connected(self) -> http.client.HTTPConnection:
        assert self.url.hostname is not None
        kind: Any = http.client.HTTPConnection
        if self.url.scheme == "https":
            kind = partial(http.client.HTTPSConnection, context=ssl.create_default_context())
        wait = min(_CONNECT_SECONDS, self.means.time_limit)
        connection: http.client.HTTPConnection = kind(
            self.url.hostname, self.url.port, timeout=wait
        )
        try:
            connection.connect()
        except (OSError, ValueError) as error:
            raise self._unreachable(f"cannot be reached: {error}") from None
        # From here on only the limit for the whole counts, however slowly the bytes come.
        connection.sock.settimeout(None)
        return connection

    def _exchange(self, connection: http.client.HTTPConnection, body: bytes) -> tuple[int, bytes]:
        path = (self.url.path or "/") + (f"?{self.url.query}" if self.url.query else "")
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        content = bytearray()
        while chunk := response.read(_CHUNK):
            content += chunk
            if len(content) > MAX_ANSWER:
                raise GenerationFailed(
                    f"the answer of {self._spec} is larger than {MAX_ANSWER // 1_000_000} MB"
                )
        return response.status, bytes(content)

    def _refused(self, status: int, body: bytes) -> AppbenchError:
        said = _quoted(body)
        if status == 500:
            return GenerationFailed(f"{self._spec} failed (status 500){said}")
        return self._unreachable(
            f"answered with status {status}, where 200 or 500 is expected{said}"
        )

    def _unreachable(self, why: str) -> AgentUnreachable:
        return AgentUnreachable(
            f"the service {self._spec} {why}; see that it runs and that the URL is right"
        )

    @property
    def _spec(self) -> str:
        return self.url.geturl()


class _Closer(Thread):
    """Shuts a connection down when its time has come, or when its use is over.

    Args:
        connection: A connection that stands.
        seconds: How long it may be used.
        over: Set when it is no longer used.
    """

    def __init__(self, connection: http.client.HTTPConnection, seconds: float, over: Event) -> None:
        super().__init__(daemon=True)
        self.is_late = False
        self._sock, self._seconds, self._over = connection.sock, seconds, over

    def run(self) -> None:
        """Wait, then shut it down: whoever reads from it wakes."""
        self.is_late = not self._over.wait(self._seconds)
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)


def _files(body: bytes) -> dict[str, str]:
    try:
        files = json.loads(body)["files"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise GenerationFailed(f'it is not {{"files": {{path: content}}}}{_quoted(body)}') from None
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise GenerationFailed("'files' must hold the content of each file, as text, by its path")
    return files


def _quoted(body: bytes) -> str:
    from pytest_appbench.models.scrub import scrub

    words = scrub(" ".join(body[: 4 * _QUOTED].decode("utf-8", "replace").split()))
    return f": {words[:_QUOTED]!r}" if words else ""


def _make(scheme: str, argument: str, root: Path, means: Means) -> HttpGenerator:
    text = argument
    if not argument.startswith(("http://", "https://")):
        text = f"{scheme}://{argument.removeprefix('//')}"
    try:
        url = urlsplit(text)
        is_usable = bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        is_usable = False
    if not is_usable or any(character.isspace() for character in text):
        raise SettingsError(
            f"'{scheme}:{argument}' is no URL; write one such as http://127.0.0.1:8000/generate"
        )
    if url.username is not None or url.password is not None:
        raise SettingsError(
            f"'{scheme}:' with a user name or password in the URL is not supported: it would stand "
            "in every record"
        )
    return HttpGenerator(url._replace(fragment=""), means, root.resolve())


SCHEMES = tuple(
    Scheme(
        name=name,
        help="what a service answers to a POST of the task",
        example=f"{name}://HOST/PATH",
        make=partial(_make, name),
    )
    for name in ("http", "https")
)
