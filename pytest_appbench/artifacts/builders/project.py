"""`project`: an app with a server of its own, run in the sandbox for as long as it is judged.

The task says how it is installed, built and served. None of that has a network: what an app needs
from outside is either in its files or among the packages that the task pins, which are installed
beforehand as those of React builds are. The server is reached through a socket that is handed in.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from pytest_appbench.artifacts import dependencies
from pytest_appbench.artifacts.builders import Format, Running, Yard
from pytest_appbench.artifacts.cache import key_of
from pytest_appbench.errors import AppbenchError, BuildFailed
from pytest_appbench.processes.ports import free_port

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.sandbox import Finished
    from pytest_appbench.tasks.model import Project, Task

STEP_SECONDS = 300.0
"""For installing, and for building."""

READY_SECONDS = 60.0
"""From the start of the server to its first answer."""

LIFE_SECONDS = 4 * 3600.0
"""Longer than any judging."""

MEMORY = 4 * 2**30
"""Bytes of data for each process of an app."""

_PORT = 8000
_UP = frozenset((*range(200, 404),))
_QUOTED = 2_000
_POLL_SECONDS = 0.1


def root(names: Iterable[str]) -> str | None:
    """At the top: the task's commands are run there."""
    return "" if any(True for _ in names) else None


def terms(task: Task) -> str:
    """The commands by which the app will be run."""
    project = task.project
    assert project is not None
    steps = [
        f"- {name}: `{command}`"
        for name in ("install", "build", "serve")
        if (command := getattr(project, name))
    ]
    steps.append(f"- it is ready when it answers `GET {project.ready}`")
    if project.packages:
        manifest = _manifest(task)
        named = json.loads((manifest / "package.json").read_text(encoding="utf-8"))
        packages = {**named.get("dependencies", {}), **named.get("devDependencies", {})}
        listed = ", ".join(f"{name} {version}" for name, version in packages.items())
        steps.append(f"- in `node_modules/` there are: {listed}")
    return "How it is run, in its top folder:\n\n" + "\n".join(steps)


class ProjectRunner:
    """Installs, builds and serves in a throw-away copy, without network."""

    def identity(self, task: Task) -> str:
        """The commands, and the packages that the task pins."""
        project = task.project
        assert project is not None
        pinned = ""
        if project.packages:
            manifest = _manifest(task)
            pinned = "".join(
                (manifest / name).read_text(encoding="utf-8") for name in _PACKAGE_FILES
            )
        return key_of(project=project.model_dump(), pinned=pinned)

    @contextmanager
    def start(self, source: Artifact, task: Task, yard: Yard, stop: Event) -> Iterator[Running]:
        """Run an app's server; see `Runner`."""
        from pytest_appbench import sandbox
        from pytest_appbench.artifacts.workspace import scratch

        sandbox.require(yard.sandbox, "servers of apps")
        assert task.project is not None
        with ExitStack() as stack:
            workspace = stack.enter_context(scratch(yard.hidden))
            home = stack.enter_context(scratch(yard.hidden))
            desk = stack.enter_context(scratch(yard.hidden))
            packages = self._laid_out(source, task, workspace, yard)
            place = _Place(workspace, home, packages, yard)
            for name in ("install", "build"):
                command = getattr(task.project, name)
                if command:
                    place.require_done(name, command, stop)
            server = _Server(place, task.project, desk / "door")
            stack.callback(server.end)
            server.start()
            server.await_ready(stop)
            yield Running(server.connect, sandbox.describe(yard.sandbox), self.identity(task))

    def _laid_out(
        self, source: Artifact, task: Task, workspace: Path, yard: Yard
    ) -> tuple[Path, ...]:
        for name in source.files:
            path = workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source.root / name, path)
        if task.project is None or not task.project.packages:
            return ()
        dependencies.node()
        packages = dependencies.installed(_manifest(task), yard.cache_dir)
        (workspace / "node_modules").symlink_to(packages, target_is_directory=True)
        return (packages,)


class _Place:
    """Where the processes of one app run, and what they see."""

    def __init__(self, workspace: Path, home: Path, packages: tuple[Path, ...], yard: Yard) -> None:
        from pytest_appbench import sandbox
        from pytest_appbench.processes import programs

        search = os.environ.get("PATH", os.defpath)
        self.workspace, self._home, self._yard = workspace, home, yard
        self._shown = (*packages, *programs.on_path(search, yard.hidden))
        self._environment = {**sandbox.environment(), "CI": "1", "NO_COLOR": "1"}
        self.is_confined = sandbox.describe(yard.sandbox) != "none"

    def require_done(self, name: str, command: str, stop: Event) -> None:
        """Run a command to its end, which must be a good one."""
        finished = self.run(["/bin/sh", "-c", command], STEP_SECONDS, stop)
        if finished.ended != "itself":
            raise self.failed(f"the app's {name} command was ended: {finished.ended}", finished)
        if finished.exit_code != 0:
            code = finished.exit_code
            raise self.failed(f"the app's {name} command failed (exit code {code})", finished)

    def failed(self, reason: str, finished: Finished | None) -> BuildFailed:
        """The app's failure, in its own last words, without places of this machine."""
        said = (finished.stderr.strip() or finished.stdout.strip()) if finished else ""
        for folder in (self.workspace, self._home):
            said = said.replace(f"{folder}/", "").replace(str(folder), ".")
        whole = f"{reason}:\n{said[-_QUOTED:]}" if said else reason
        return BuildFailed(whole, said, sandbox=finished.sandbox if finished else None)

    def run(
        self,
        command: list[str],
        seconds: float,
        stop: Event,
        *,
        environment: dict[str, str] | None = None,
        passed: tuple[int, ...] = (),
        readonly: tuple[Path, ...] = (),
    ) -> Finished:
        """Run a command in the app's folder, without network."""
        from pytest_appbench import sandbox

        return sandbox.run(
            command,
            workspace=self.workspace,
            home=self._home,
            environment={**self._environment, **(environment or {})},
            readonly=(*self._shown, *readonly),
            hidden=self._yard.hidden,
            network=False,
            time_limit=seconds,
            memory=MEMORY,
            sandbox=self._yard.sandbox,
            stop=stop,
            passed=passed,
        )


class _Server:
    """An app's own server, from its start to its end.

    Args:
        place: Where it runs.
        project: How it is run.
        door: A path that no process of the app sees, at which we listen for it.
    """

    def __init__(self, place: _Place, project: Project, door: Path) -> None:
        self._place, self._project, self._door = place, project, door
        self._over, self._ended = Event(), Event()
        self._finished: Finished | None = None
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="appbench-project", daemon=True)
        self._listener = socket.socket(socket.AF_UNIX)

    def start(self) -> None:
        """Start it."""
        self._listener.bind(str(self._door))
        self._listener.listen(128)
        self._thread.start()

    def _run(self) -> None:
        forward = Path(__file__).parents[2] / "processes" / "forward.py"
        # A sandbox has a network of its own, in which every port is free.
        port = _PORT if self._place.is_confined else free_port()
        descriptor = self._listener.fileno()
        try:
            self._finished = self._place.run(
                [
                    *(sys.executable, "-I", str(forward), str(descriptor), str(port)),
                    *("/bin/sh", "-c", self._project.serve),
                ],
                LIFE_SECONDS,
                self._over,
                environment={"PORT": str(port)},
                passed=(descriptor,),
                readonly=(forward,),
            )
        except AppbenchError as error:
            self._error = error
        finally:
            self._ended.set()

    def connect(self) -> socket.socket:
        """Open a connection to it."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            if self._ended.is_set():
                raise ConnectionRefusedError("the app's server has ended")
            connection.connect(str(self._door))
        except OSError:
            connection.close()
            raise
        return connection

    def await_ready(self, stop: Event) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + READY_SECONDS
        last = "no answer"
        while time.monotonic() < deadline and not stop.is_set():
            if self._ended.wait(_POLL_SECONDS):
                break
            last = self._asked()
            if not last:
                return
        has_ended = self._ended.is_set()
        self.end()
        if self._error is not None:
            raise self._error
        finished = self._finished
        if has_ended and finished is not None:
            reason = f"the app's server ended (exit code {finished.exit_code}) before it answered"
        else:
            asked = f"GET {self._project.ready} within {READY_SECONDS:g} s"
            reason = f"the app's server did not answer {asked} ({last})"
        raise self._place.failed(reason, finished)

    def _asked(self) -> str:
        """What is wrong with its answer; empty if it is ready."""
        connection = HTTPConnection("localhost", timeout=5)
        try:
            connection.sock = self.connect()
            connection.sock.settimeout(5)
            connection.request("GET", self._project.ready, headers={"Connection": "close"})
            status = connection.getresponse().status
        except (OSError, HTTPException) as error:
            return str(error) or type(error).__name__
        finally:
            connection.close()
        return "" if status in _UP else f"status {status}"

    def end(self) -> None:
        """End it with everything that it started."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._listener.close()


def _manifest(task: Task) -> Path:
    from pytest_appbench.tasks.places import place

    assert task.project is not None
    assert task.project.packages is not None
    folder = place(task, task.project.packages)
    for name in _PACKAGE_FILES:
        if not (folder / name).is_file():
            raise AppbenchError(
                f"{task.path}:{task.line}: the folder of packages {task.project.packages} has no "
                f"{name}; run `npm install --package-lock-only` there"
            )
    return folder


_PACKAGE_FILES = ("package.json", "package-lock.json")


FORMAT = Format(
    name="project",
    wanted="the files of a project",
    missing="no files of a project",
    page="file with a path",
    root=root,
    prompt="project",
    rules="""\
- It is an application with a server of its own, run by the commands below, in the folder that holds
  your files. The server listens on 127.0.0.1 at the port that the environment variable PORT names,
  stays in the foreground, and serves the page that people open at `/`.
- It has no network, while it is installed and built neither. What it needs is in your files, in the
  standard library of its language, or among the packages that are named below.""",
    runner=ProjectRunner(),
    adopted={},
    terms=terms,
)
