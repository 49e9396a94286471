"""A process that is not ours is kept in, bounded, and ended with everything that it started."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from threading import Event, Timer

import psutil
import pytest

from pytest_appbench import sandbox
from pytest_appbench.errors import SettingsError
from pytest_appbench.processes import bubblewrap, programs, supervised
from pytest_appbench.sandbox import Finished, SandboxError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are run on Linux and macOS")
Run = Callable[..., Finished]

needs_bubblewrap = pytest.mark.skipif(
    sandbox.describe() == "none", reason=f"no sandbox here: {sandbox.warning()}"
)
both = pytest.mark.parametrize("mode", [pytest.param("auto", marks=needs_bubblewrap), "none"])

FAR = 120.0
"""Seconds that no test takes: a limit that must not be what ends a process."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a Python script in a fresh workspace."""

    def runs(script: str, **options: object) -> Finished:
        (tmp_path / "workspace").mkdir(exist_ok=True)
        arguments: dict[str, object] = {
            "workspace": tmp_path / "workspace",
            "home": tmp_path / "home",
            "environment": sandbox.environment(),
            "readonly": programs.on_path(os.environ["PATH"], ()),
            "time_limit": FAR,
            **options,
        }
        command = [sys.executable, "-c", dedent(script)]
        return sandbox.run(command, **arguments)  # type: ignore[arg-type]

    return runs


@both
def test_a_process_gets_its_input_and_hands_back_output_and_exit_code(mode: str, run: Run) -> None:
    finished = run(
        """
        import sys
        print("read", sys.stdin.read())
        print("warned", file=sys.stderr)
        open("made.txt", "w").write("x")
        sys.exit(7)
        """,
        stdin="hällo",
        sandbox=mode,
    )

    assert finished.stdout == "read hällo\n"
    assert finished.stderr == "warned\n"
    assert (finished.exit_code, finished.ended, finished.left) == (7, "itself", 0)
    assert finished.sandbox == sandbox.describe(mode)


@both
def test_large_input_that_nobody_reads_does_not_block(mode: str, run: Run) -> None:
    assert run("print('done')", stdin="x" * 5_000_000, sandbox=mode).stdout == "done\n"


@both
def test_death_by_a_signal_is_an_exit_code_as_in_a_shell(mode: str, run: Run) -> None:
    assert run("import os; os.kill(os.getpid(), 9)", sandbox=mode).exit_code == 128 + 9


@both
def test_the_workspace_and_the_scratch_home_are_writable(
    mode: str, run: Run, tmp_path: Path
) -> None:
    finished = run(
        """
        import os, pathlib, tempfile
        pathlib.Path("index.html").write_text("app")
        pathlib.Path.home().joinpath("settings").write_text("x")
        tempfile.NamedTemporaryFile().close()
        print(os.getcwd(), os.environ["HOME"], tempfile.gettempdir())
        """,
        sandbox=mode,
    )

    assert finished.exit_code == 0, finished.stderr
    assert (tmp_path / "workspace/index.html").read_text() == "app"
    home = tmp_path / "home"
    assert finished.stdout.split() == [str(tmp_path / "workspace"), str(home), str(home / "tmp")]


@both
def test_the_environment_is_scrubbed_but_for_what_is_named(
    mode: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "AGENT_KEY", "LC_TIME", "PYTHONPATH", "PYTEST_CURRENT_TEST"):
        monkeypatch.setenv(name, "C")

    finished = run(
        "import os; print(*os.environ)",
        environment=sandbox.environment(["AGENT_KEY"]),
        sandbox=mode,
    )

    seen = set(finished.stdout.split())
    ours = {"PATH", "LANG", "TERM", "TZ", "HOME", "TMPDIR", "PWD", "LC_TIME", "LC_CTYPE"}
    assert "AGENT_KEY" in seen
    assert "LC_TIME" in seen
    assert seen <= ours | {"AGENT_KEY", "APPBENCH_PROCESS"}


@both
def test_a_process_that_runs_too_long_is_ended_and_what_it_said_is_kept(
    mode: str, run: Run
) -> None:
    finished = run(
        """
        import time
        print("thinking", flush=True)
        time.sleep(600)
        """,
        time_limit=1,
        sandbox=mode,
    )

    assert (finished.ended, finished.exit_code, finished.stdout) == ("time", None, "thinking\n")


@both
def test_a_process_can_be_stopped_from_another_thread(mode: str, run: Run) -> None:
    stop = Event()
    timer = Timer(0.3, stop.set)
    timer.start()

    assert run("import time; time.sleep(600)", stop=stop, sandbox=mode).ended == "stopped"


@both
def test_an_endless_talker_is_ended_and_only_the_end_of_its_words_is_kept(
    mode: str, run: Run
) -> None:
    finished = run(
        """
        import sys
        while True:
            sys.stdout.write("blah " * 10_000)
        """,
        sandbox=mode,
    )

    assert finished.ended == "output"
    assert len(finished.stdout) < 100_000
    assert "bytes before this were left out]\n" in finished.stdout.split("blah")[0]


DAEMON = """
    import os, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            for descriptor in range(3):
                os.close(descriptor)
            open("daemon.pid", "w").write("started")
            while True:
                open("beat.txt", "a").write(".")
                time.sleep(0.01)
        os._exit(0)
    os.wait()
    while not os.path.exists("beat.txt"):
        time.sleep(0.01)
    {then}
"""


def daemons(workspace: Path) -> list[psutil.Process]:
    """Processes of this machine that work in a workspace."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(workspace) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


@both
@pytest.mark.parametrize(
    ("then", "ended"), [("sys.exit(0)", "itself"), ("time.sleep(600)", "time")]
)
def test_a_daemon_that_forked_twice_and_left_its_session_ends_too(
    mode: str, then: str, ended: str, run: Run, tmp_path: Path
) -> None:
    finished = run(DAEMON.replace("{then}", then), time_limit=2, sandbox=mode)

    workspace = tmp_path / "workspace"
    assert (finished.ended, finished.left) == (ended, 0)
    assert (workspace / "beat.txt").exists()
    assert daemons(workspace) == []


def test_where_the_kernel_hands_no_orphans_over_a_daemon_is_found_by_its_marker(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(supervised.__file__).with_name("supervisor.py").read_text("utf-8")
    asks_for_them = 'sys.platform.startswith("linux")'
    assert asks_for_them in source
    (tmp_path / "supervisor.py").write_text(source.replace(asks_for_them, "False"), "utf-8")
    monkeypatch.setattr(supervised, "__file__", str(tmp_path / "supervised.py"))

    finished = run(DAEMON.replace("{then}", "sys.exit(0)"), sandbox="none")

    assert (finished.exit_code, finished.left) == (0, 0)
    assert (tmp_path / "workspace/beat.txt").exists()
    assert daemons(tmp_path / "workspace") == []


@both
def test_many_processes_that_start_others_all_the_time_end_too(
    mode: str, run: Run, tmp_path: Path
) -> None:
    finished = run(
        """
        import os, time
        end = time.monotonic() + 60
        for _ in range(8):
            if os.fork() == 0:
                os.setsid()
                while time.monotonic() < end:
                    # each goes on in a child of its own, and is gone
                    if os.fork() != 0:
                        os._exit(0)
                    time.sleep(0.001)
                os._exit(0)
        time.sleep(0.3)
        """,
        sandbox=mode,
    )

    assert finished.left == 0
    assert daemons(tmp_path / "workspace") == []


@both
def test_a_process_that_keeps_the_outputs_open_holds_nobody_up(mode: str, run: Run) -> None:
    finished = run(
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
        print("done")
        """,
        sandbox=mode,
    )

    assert (finished.stdout, finished.ended) == ("done\n", "itself")


def test_what_kills_its_own_supervisor_still_ends(run: Run, tmp_path: Path) -> None:
    finished = run("import os, time; os.kill(os.getppid(), 9); time.sleep(600)", sandbox="none")

    assert (finished.exit_code, finished.left) == (None, 1)
    end = time.monotonic() + 20  # nobody is left to wait until the kernel has ended it
    while daemons(tmp_path / "workspace"):
        assert time.monotonic() < end
        time.sleep(0.05)


@both
def test_a_command_that_does_not_exist_is_an_error_that_names_it(mode: str, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"cannot run 'no-such-agent': .*No such file"):
        sandbox.run(
            ["no-such-agent"],
            workspace=tmp_path,
            home=tmp_path,
            environment=sandbox.environment(),
            time_limit=FAR,
            sandbox=mode,
        )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bounded on Linux only")
@both
def test_memory_is_bounded_for_each_process(mode: str, run: Run) -> None:
    script = "data = bytearray(400_000_000); print(len(data))"

    assert "MemoryError" in run(script, memory=200_000_000, sandbox=mode).stderr
    assert run(script, sandbox=mode).stdout == "400000000\n"


@needs_bubblewrap
def test_nothing_of_the_machine_is_seen_but_programs_and_what_is_shown(
    run: Run, tmp_path: Path
) -> None:
    secret = tmp_path / "repository/checks/answer.py"
    secret.parent.mkdir(parents=True)
    secret.write_text("42")
    shown = tmp_path / "repository/agent.toml"
    shown.write_text("shown")

    finished = run(
        f"""
        import os
        from pathlib import Path
        for path in ({str(secret)!r}, {str(secret.parent)!r}, {str(Path.home())!r} + "/.bashrc",
                     "/etc/shadow", "/etc/ssh", "/var/log", "/home/someone", "/run/docker.sock"):
            print(path, os.path.exists(path))
        print(os.listdir({str(tmp_path)!r}), os.listdir({str(secret.parent.parent)!r}))
        print(Path({str(shown)!r}).read_text())
        print(sorted(name for name in os.listdir("/proc") if name.isdigit())[:3])
        """,
        readonly=(*programs.on_path(os.environ["PATH"], ()), shown),
    )

    lines = finished.stdout.splitlines()
    assert [line for line in lines if line.endswith("True")] == []
    assert sorted(eval(lines[8].split("] [")[0] + "]")) == ["home", "repository", "workspace"]  # noqa: S307
    assert lines[8].endswith("['agent.toml']")
    assert lines[9] == "shown"
    assert lines[10].startswith("['1', '2'")


@needs_bubblewrap
def test_a_hidden_folder_stays_hidden_below_one_that_is_shown(run: Run, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    (shown / "cache/apps").mkdir(parents=True)
    (shown / "cache/apps/secret.html").write_text("x")
    (shown / "cache/agent").write_text("agent")
    (shown / "tool").write_text("tool")

    finished = run(
        f"""
        import os
        for folder, _, names in os.walk({str(shown)!r}):
            print(os.path.relpath(folder, {str(shown)!r}), *names)
        """,
        readonly=(*programs.on_path(os.environ["PATH"], ()), shown, shown / "cache/agent"),
        hidden=(shown / "cache",),
    )

    assert finished.stdout.splitlines() == [". tool", "cache agent"]


@needs_bubblewrap
def test_a_hidden_folder_among_the_systems_own_cannot_be_uncovered(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    inside = Path("/usr/share/doc")
    assert any(inside.iterdir())

    finished = run(
        f"""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.umount2({bytes(inside)!r}, 2), libc.mount(b"none", b"/mnt", b"tmpfs", 0, None))
        print(os.listdir({str(inside)!r}))
        """,
        hidden=(inside,),
    )

    assert finished.stdout == "-1 -1\n[]\n"


@needs_bubblewrap
@pytest.mark.parametrize("place", ["/usr/x", "/etc/x", "/x", "{hidden}/x", "{shown}/x"])
def test_writing_outside_is_refused(place: str, run: Run, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    (shown / "hidden").mkdir(parents=True)
    path = place.format(root=tmp_path, shown=shown, hidden=shown / "hidden")

    finished = run(
        f"open({path!r}, 'w').write('x')",
        readonly=(*programs.on_path(os.environ["PATH"], ()), shown),
        hidden=(shown / "hidden",),
    )

    assert "Read-only file system" in finished.stderr
    assert not Path(path).exists()


@needs_bubblewrap
def test_what_is_written_to_the_sandboxs_own_tmp_is_gone_with_it(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "left.txt"

    assert run(f"open({str(place)!r}, 'w').write('x')").exit_code == 0
    assert not place.exists()


@needs_bubblewrap
@pytest.mark.parametrize("network", [True, False])
def test_the_network_is_there_or_not_as_asked(network: bool, run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        finished = run(
            f"""
            import socket
            socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 5)
            print("connected")
            """,
            network=network,
        )

    assert finished.stdout == ("connected\n" if network else "")


@pytest.fixture
def _forgets_bubblewrap() -> Iterator[None]:
    bubblewrap.find.cache_clear()
    yield
    bubblewrap.find.cache_clear()


@pytest.mark.usefixtures("_forgets_bubblewrap")
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (None, "bwrap was not found; install bubblewrap"),
        ("echo Creating new namespace failed >&2; exit 1", "Creating new namespace failed"),
    ],
)
def test_without_a_sandbox_that_works_the_user_is_warned_and_told_why(
    script: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script is not None:
        (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert sandbox.describe() == "none"
    assert reason in sandbox.warning()
    assert "can read the benchmark, its checks, earlier runs and your files" in sandbox.warning()


@needs_bubblewrap
def test_a_sandbox_is_named_with_its_version_and_needs_no_warning() -> None:
    assert sandbox.describe().startswith("bubblewrap ")
    assert sandbox.warning() == ""
    assert "it is turned off" in sandbox.warning("none")


def test_another_sandbox_is_refused() -> None:
    with pytest.raises(SettingsError, match="'docker' is not one of auto, none"):
        sandbox.describe("docker")


def install(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(text)
    program.chmod(0o755)
    return program


@needs_bubblewrap
def test_programs_of_a_user_work_in_the_sandbox_wherever_they_were_installed(
    run: Run, tmp_path: Path
) -> None:
    """As a version manager and an installer of tools lay them out, called by a name on PATH."""
    home = tmp_path / "user"
    node = install(home / "versions/v22/bin", "mynode", '#!/bin/sh\n. "$1"\n')
    cli = install(home / "versions/v22/lib/node_modules/agent", "cli.js", "#!/usr/bin/env mynode\n")
    cli.write_text(cli.read_text() + "echo agent\n")
    (node.parent / "agent").symlink_to("../lib/node_modules/agent/cli.js")
    tool = install(home / "share/tools/other/bin", "other", "#!/bin/sh\necho other\n")
    (home / "local/bin").mkdir(parents=True)
    (home / "local/bin/other").symlink_to(tool)
    (home / "secret").write_text("x")
    search = os.pathsep.join([str(node.parent), str(home / "local/bin"), os.environ["PATH"]])

    finished = run(
        f"""
        import os, subprocess
        subprocess.run(["agent"])
        subprocess.run(["other"])
        print(os.path.exists({str(home / "secret")!r}), flush=True)
        """,
        environment={**sandbox.environment(), "PATH": search},
        readonly=programs.on_path(search, ()),
    )

    assert finished.stdout == "agent\nother\nFalse\n", finished.stderr


def test_a_folder_on_path_inside_a_hidden_one_is_not_shown(tmp_path: Path) -> None:
    install(tmp_path / "repository/bin", "tool", "#!/bin/sh\n")
    install(tmp_path / "elsewhere/bin", "tool", "#!/bin/sh\n")
    search = f"{tmp_path}/repository/bin{os.pathsep}{tmp_path}/elsewhere/bin"

    shown = programs.on_path(search, [tmp_path / "repository"])

    assert tmp_path / "elsewhere/bin" in shown
    assert not any(path.is_relative_to(tmp_path / "repository") for path in shown)


def test_a_home_folder_on_path_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    install(tmp_path / "me", "tool", "#!/bin/sh\n")

    assert tmp_path / "me" not in programs.on_path(str(tmp_path / "me"), ())


def test_a_script_of_the_repository_is_shown_alone_with_its_environment(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    python = install(repository / ".venv/bin", "python", "#!/bin/sh\n")
    (repository / ".venv/pyvenv.cfg").touch()
    agent = install(repository / "bin", "agent", f"#!{python}\n")
    (repository / "lib").mkdir()

    shown = programs.of(agent, "", [repository])

    assert set(shown) == {agent, python.parent, repository / ".venv/pyvenv.cfg"}


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_programs_of_the_system_need_not_be_shown() -> None:
    shell = shutil.which("sh")
    assert shell is not None
    assert programs.of(Path(shell), "/usr/bin", ()) == ()
