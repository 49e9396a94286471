"""`command` runs a user's agent; the agents here are small scripts that also try what they must not."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import psutil
import pytest

from kit import run_async
from pytest_appbench import sandbox
from pytest_appbench.artifacts.candidate import Candidate, Means
from pytest_appbench.artifacts.commandline import parse
from pytest_appbench.artifacts.generators import resolve
from pytest_appbench.artifacts.generators.command import CommandGenerator
from pytest_appbench.artifacts.store import Store
from pytest_appbench.errors import GenerationFailed, SettingsError
from pytest_appbench.models.chat import Chat
from pytest_appbench.tasks.model import Task

needs_bubblewrap = pytest.mark.skipif(
    sandbox.describe() == "none", reason=f"no sandbox here: {sandbox.warning()}"
)
MODES = [pytest.param("auto", marks=needs_bubblewrap), "none"]
WRITES_APP = "open('index.html', 'w').write('<h1>App</h1>')\n"


def no_chat(spec: str, task_id: str) -> Chat:
    raise AssertionError("an agent needs no model of ours")


@dataclass
class Repository:
    """The folder pytest was started in: a benchmark with its answers, and an agent."""

    root: Path
    means: Means

    @property
    def task(self) -> Task:
        path = self.root / "bench/tools.task.yaml"
        return Task(id="timer", domain="tools", query="A timer.", path=path, line=1)

    def agent(self, script: str, name: str = "my-agent") -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\n{dedent(script)}")
        path.chmod(0o755)

    def generator(self, command: str = "./my-agent", **means: Any) -> CommandGenerator:
        found = resolve(f"command:{command}", self.root, replace(self.means, **means))
        assert isinstance(found, CommandGenerator)
        return found

    def make(self, command: str = "./my-agent", **means: Any) -> Candidate:
        return run_async(self.generator(command, **means)(self.task))


@pytest.fixture(params=MODES)
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Repository:
    root = tmp_path / "repository"
    for name in ("bench/checks/timer.py", "bench/apps/timer/good/index.html", ".cache/old.html"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("the answer")
    hidden = (root, root / ".cache", tmp_path / "runs")
    return Repository(root, Means(no_chat, hidden=hidden, sandbox=request.param, time_limit=120))


def files(candidate: Candidate) -> dict[str, str]:
    """What is in the store of an app in the end."""
    return {
        path.relative_to(candidate.source).as_posix(): path.read_text()
        for path in sorted(candidate.source.rglob("*"))
        if path.is_file()
    }


def told(candidate: Candidate) -> Any:
    return json.loads(candidate.notes)


def test_the_app_is_what_the_agent_left_in_its_workspace(repository: Repository) -> None:
    repository.agent(
        """
        import os, sys
        print("working in", os.listdir("."))
        print("careful", file=sys.stderr)
        os.mkdir("js")
        open("js/app.js", "w").write("1")
        """
        + WRITES_APP
    )

    candidate = repository.make()

    assert files(candidate) == {"index.html": "<h1>App</h1>", "js/app.js": "1"}
    assert candidate.temporary
    assert not candidate.source.is_relative_to(repository.root)
    assert candidate.origin == "command:./my-agent"
    assert candidate.sandbox == sandbox.describe(repository.means.sandbox)
    notes = told(candidate)
    assert (notes["exit_code"], notes["stdout"], notes["stderr"]) == (
        0,
        "working in []\n",
        "careful\n",
    )


ECHO = """
import os, pathlib, sys
given = {command_line}
pathlib.Path("index.html").write_text(given)
"""


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("./my-agent", "sys.stdin.read()"),
        ("./my-agent --task {task_id}", "sys.stdin.read()"),
        ("./my-agent {prompt}", "sys.argv[1]"),
        ("./my-agent --ask={prompt}", "sys.argv[1].removeprefix('--ask=')"),
        ("./my-agent -f {prompt_file}", "open(sys.argv[2]).read()"),
    ],
)
def test_the_prompt_comes_as_the_command_line_asks(
    command: str, given: str, repository: Repository
) -> None:
    repository.agent(ECHO.replace("{command_line}", given))

    prompt = files(repository.make(command))["index.html"]

    assert prompt.startswith("A timer.\n")
    assert "Write the app's files into the current directory" in prompt
    assert "`index.html`" in prompt
    assert "{" not in prompt


def test_with_the_prompt_as_an_argument_nothing_is_on_standard_input(
    repository: Repository,
) -> None:
    repository.agent(ECHO.replace("{command_line}", "repr(sys.stdin.read())"))

    assert files(repository.make("./my-agent {prompt}"))["index.html"] == "''"


def test_placeholders_stay_in_their_word_whatever_a_query_holds(tmp_path: Path) -> None:
    line = parse(f"{sys.executable} 'a b' --x={{prompt}} {{workspace}}/out {{other}}", tmp_path)
    values = {
        "prompt": "x; rm -rf ~ 'y' {workspace} $(id)\n\0",
        "prompt_file": "/p",
        "workspace": "/w",
        "task_id": "t",
    }

    assert line.filled(values)[1:] == [
        "a b",
        "--x=x; rm -rf ~ 'y' {workspace} $(id)\n",
        "/w/out",
        "{other}",
    ]


def test_the_workspace_and_the_task_can_be_named(repository: Repository) -> None:
    repository.agent(
        "import sys, pathlib\npathlib.Path(sys.argv[1], 'index.html').write_text(sys.argv[2])"
    )

    assert files(repository.make("./my-agent {workspace} {task_id}")) == {"index.html": "timer"}


SPY = """
import json, os, socket, sys
from pathlib import Path

def seen(path):
    try:
        return sorted(os.listdir(path)) if os.path.isdir(path) else open(path).read()
    except OSError:
        return None

Path("index.html").write_text("app")
print(json.dumps({
    "files": {path: seen(path) for path in json.loads(sys.argv[1])},
    "environment": dict(os.environ),
    "home": seen(Path.home()),
    "beside": seen(".."),
}))
"""


@needs_bubblewrap
def test_a_sandboxed_agent_sees_itself_and_nothing_of_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-for-agents")
    root = tmp_path / "repository"
    for name in ("bench/checks/timer.py", ".cache/old.html", "agents/helper.py", "own/helper.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")
    repository = Repository(root, Means(no_chat, hidden=(root, root / ".cache")))
    repository.agent(SPY, "agents/spy")
    places = {
        "checks": root / "bench/checks/timer.py",
        "bench": root / "bench",
        "cache": root / ".cache",
        "neighbour": root / "agents/helper.py",
        "agent": root / "agents/spy",
        "own": root / "own/helper.py",
        "root": root,
        "home": Path.home() / ".profile",
    }
    wanted = json.dumps([str(path) for path in places.values()])

    candidate = repository.make(f"./agents/spy '{wanted}' --with=./own")

    found = json.loads(told(candidate)["stdout"])
    seen = {name: found["files"][str(path)] for name, path in places.items()}
    assert (seen.pop("agent") or "").startswith("#!")
    assert seen == {
        "checks": None,
        "bench": None,
        "cache": None,
        "neighbour": None,
        "own": "text",
        "root": ["agents", "own"],
        "home": None,
    }
    assert found["home"] == ["prompt.md", "tmp"]
    assert "ANTHROPIC_API_KEY" not in found["environment"]
    assert found["environment"]["HOME"] != str(Path.home())


def test_an_agent_gets_only_the_variables_that_are_named(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-for-agents")
    monkeypatch.setenv("AGENT_TOKEN", "token-0123456789")
    monkeypatch.setenv("AGENT_MODE", "production")
    repository.agent(
        "import os\nprint(*[os.environ.get(name) for name in "
        "('ANTHROPIC_API_KEY', 'AGENT_TOKEN', 'AGENT_MODE')])\n" + WRITES_APP
    )

    notes = told(repository.make(environment=("AGENT_TOKEN", "AGENT_MODE")))

    assert notes["stdout"] == "None [AGENT_TOKEN] production\n"


def test_a_secret_is_in_no_record_and_in_no_app(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", "token-0123456789")
    repository.agent(
        "import os\nprint('using', os.environ['AGENT_TOKEN'])\n"
        "open('index.html', 'w').write('<script>key = \"%s\"' % os.environ['AGENT_TOKEN'])"
    )

    with pytest.raises(GenerationFailed, match=r"AGENT_TOKEN into index\.html") as caught:
        repository.make(environment=("AGENT_TOKEN",))

    assert "token-0123456789" not in caught.value.notes + str(caught.value)
    assert "using [AGENT_TOKEN]" in caught.value.notes


def test_an_agent_that_fails_but_left_an_app_is_judged_by_its_app(repository: Repository) -> None:
    repository.agent(WRITES_APP + "raise SystemExit(3)")

    candidate = repository.make()

    assert files(candidate) == {"index.html": "<h1>App</h1>"}
    assert told(candidate)["exit_code"] == 3


def test_an_agent_that_leaves_nothing_fails_with_the_end_of_its_output(
    repository: Repository,
) -> None:
    repository.agent(
        "import sys\nprint('x' * 100_000, file=sys.stderr)\nsys.exit('no credit\\x1b[31m left')"
    )

    with pytest.raises(GenerationFailed) as caught:
        repository.make()

    message = str(caught.value)
    assert message.startswith("the agent left no app (exit code 1): no page to open: ")
    assert message.endswith("no credit\ufffd[31m left")
    assert len(message) < 3000
    assert json.loads(caught.value.notes)["stderr"].startswith("[")


def test_an_agent_that_runs_too_long_fails_even_if_there_is_a_page(repository: Repository) -> None:
    repository.agent(WRITES_APP + "import time\nprint('busy', flush=True)\ntime.sleep(600)")

    with pytest.raises(GenerationFailed) as caught:
        repository.make(time_limit=1)

    assert str(caught.value) == (
        "the agent was ended: it ran longer than 1 s (an index.html was there by then)"
    )
    assert json.loads(caught.value.notes)["stdout"] == "busy\n"


def test_an_endless_talker_fails(repository: Repository) -> None:
    repository.agent(WRITES_APP + "while True: print('blah ' * 10_000)")

    with pytest.raises(GenerationFailed, match="its output never ended") as caught:
        repository.make()

    assert len(caught.value.notes) < 200_000


def test_a_daemon_of_an_agent_is_ended_before_its_app_is_looked_at(repository: Repository) -> None:
    repository.agent(
        WRITES_APP
        + dedent(
            """
            import os, time
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    while True:
                        open("index.html", "a").write("<!-- still here -->")
                        time.sleep(0.01)
                os._exit(0)
            while os.path.getsize("index.html") < 100:
                time.sleep(0.01)
            """
        )
    )

    candidate = repository.make()

    Store(repository.root / ".cache").add(candidate.source, candidate.origin)
    working = [process for process in psutil.process_iter() if in_folder(process, candidate.source)]
    assert working == []


def in_folder(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def test_an_app_in_a_folder_of_the_workspace_is_taken_from_there(repository: Repository) -> None:
    repository.agent(
        """
        import os
        os.makedirs("timer/js")
        os.makedirs("node_modules/x")
        open("timer/index.html", "w").write("app")
        open("timer/js/a.js", "w").write("1")
        open("node_modules/x/index.html", "w").write("no app")
        open("README.md", "w").write("see timer/")
        """
    )

    candidate = repository.make()

    assert files(candidate) == {"index.html": "app", "js/a.js": "1"}
    assert told(candidate)["assumed"] == [
        "the app was taken from the folder timer/, it was not at the top"
    ]


def test_several_folders_with_pages_are_no_app(repository: Repository) -> None:
    repository.agent(
        """
        import os
        for name in ("a", "b"):
            os.mkdir(name)
            open(f"{name}/index.html", "w").write("app")
        """
    )

    with pytest.raises(GenerationFailed, match=r"found: a/index.html, b/index.html"):
        repository.make()


def test_links_that_lead_out_are_removed_and_others_stay(repository: Repository) -> None:
    secret = repository.root / "bench/checks/timer.py"
    repository.agent(
        f"""
        import os
        os.mkdir("data")
        open("data/real.txt", "w").write("real")
        os.symlink("data/real.txt", "inside.txt")
        os.symlink({str(secret)!r}, "answer.txt")
        os.symlink("/etc", "data/etc")
        os.symlink("..", "data/up")
        os.symlink("loop", "loop")
        os.symlink("/nowhere", "nowhere")
        """
        + WRITES_APP
    )

    candidate = repository.make()

    artifact = Store(repository.root / ".cache").add(candidate.source, candidate.origin)
    assert artifact.files == ("data/real.txt", "index.html", "inside.txt")
    (assumed,) = told(candidate)["assumed"]
    assert assumed == (
        "links that lead out of the workspace were removed: "
        "answer.txt, data/etc, data/up, loop, nowhere"
    )
    assert secret.read_text() == "the answer"


def test_a_page_that_is_a_link_elsewhere_is_no_app(repository: Repository) -> None:
    answer = repository.root / "bench/apps/timer/good/index.html"
    repository.agent(f"import os\nos.symlink({str(answer)!r}, 'index.html')")

    with pytest.raises(GenerationFailed, match="no page to open"):
        repository.make()


def test_files_that_an_agent_made_unreadable_are_read_nevertheless(repository: Repository) -> None:
    repository.agent(
        WRITES_APP
        + "import os\nos.mkdir('js')\nopen('js/a.js', 'w').close()\n"
        + "os.chmod('js/a.js', 0)\nos.chmod('js', 0)"
    )

    assert set(files(repository.make())) == {"index.html", "js/a.js"}


def test_nothing_is_left_of_agents_that_failed(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    repository.agent("import os\nos.mkdir('a')\nos.chmod('a', 0)")

    with pytest.raises(GenerationFailed):
        repository.make()

    assert list(temporary.iterdir()) == []


def test_the_workspace_is_outside_the_repository_even_if_its_temporary_folder_is_not(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.root / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(repository.root / "tmp"))
    repository.agent(WRITES_APP)

    made = repository.make().source

    assert not made.is_relative_to(repository.root)
    shutil.rmtree(made)


def test_several_agents_work_at_the_same_time(repository: Repository) -> None:
    """Each waits until all have begun: one after the other, none would ever end."""
    repository.agent(
        f"""
        import socket
        place = socket.socket(socket.AF_INET)
        place.connect(("127.0.0.1", int(open({str(repository.root / "port")!r}).read())))
        place.recv(1)
        """
        + WRITES_APP
    )

    async def all_at_once() -> list[Candidate]:
        waiting: list[asyncio.StreamWriter] = []

        async def meet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            waiting.append(writer)
            if len(waiting) == 3:
                for each in waiting:
                    each.write(b"x")
                    each.close()

        server = await asyncio.start_server(meet, "127.0.0.1", 0)
        (repository.root / "port").write_text(str(server.sockets[0].getsockname()[1]))
        generator = repository.generator(f"./my-agent {repository.root / 'port'}")
        async with server:
            return await asyncio.gather(*(generator(repository.task) for _ in range(3)))

    made = run_async(all_at_once())

    assert len({candidate.source for candidate in made}) == 3


def test_an_agent_of_a_run_that_is_cancelled_is_ended(repository: Repository) -> None:
    repository.agent("import time\ntime.sleep(600)")

    async def cancelled() -> None:
        making = asyncio.ensure_future(repository.generator()(repository.task))
        while not agents(repository):
            await asyncio.sleep(0.02)
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making
        while agents(repository):
            await asyncio.sleep(0.02)

    run_async(asyncio.wait_for(cancelled(), 60))


def agents(repository: Repository) -> list[psutil.Process]:
    """Running processes whose command line names the repository's agent."""
    wanted = str(repository.root / "my-agent")
    found = []
    for process in psutil.process_iter():
        try:
            if wanted in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize(
    "write",
    [
        lambda r: ("./my-agent", "my-agent"),
        lambda r: ("tools/my-agent", "tools/my-agent"),
        lambda r: (f"{r.root}/my-agent", "my-agent"),
        lambda r: (f"{sys.executable} ./agent.py", "agent.py"),
        lambda r: (f"{sys.executable} tools/agent.py", "tools/agent.py"),
        lambda r: ("env MODE=x ./my-agent", "my-agent"),
    ],
)
def test_an_agent_is_found_from_where_pytest_was_started(
    write: Callable[[Repository], tuple[str, str]], repository: Repository
) -> None:
    command, name = write(repository)
    repository.agent(WRITES_APP, name)

    assert files(repository.make(command)) == {"index.html": "<h1>App</h1>"}


def test_an_agent_that_is_a_link_runs(repository: Repository) -> None:
    repository.agent(WRITES_APP, "versions/2/agent")
    (repository.root / "my-agent").symlink_to("versions/2/agent")

    assert files(repository.make()) == {"index.html": "<h1>App</h1>"}


def test_a_script_that_will_be_looked_for_in_the_workspace_is_pointed_out(
    repository: Repository,
) -> None:
    repository.agent(WRITES_APP, "agent.py")

    with pytest.raises(GenerationFailed, match=r"write \./agent\.py for the one in "):
        repository.make(f"{sys.executable} agent.py")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "needs the agent's command line"),
        ("./my-agent 'x", "cannot be read: No closing quotation"),
        ("no-such-agent --x", "'no-such-agent' was not found on PATH"),
        ("./absent", r"'\./absent' was not found in "),
        ("plain", r"was not found on PATH; write \./plain for the one in "),
        ("./plain", "make it executable"),
        ("./my-agent ./bench/..", "names the folder .*, which holds the benchmark"),
        ("./my-agent --path=../repository", "names the folder .*, which holds the benchmark"),
    ],
)
def test_a_command_line_that_cannot_work_is_refused_before_anything_runs(
    command: str, message: str, repository: Repository
) -> None:
    repository.agent(WRITES_APP)
    (repository.root / "plain").write_text("no program")

    with pytest.raises(SettingsError, match=message):
        repository.generator(command)


def test_an_app_is_used_again_only_for_a_version_that_the_user_names(
    repository: Repository,
) -> None:
    repository.agent(WRITES_APP)

    assert repository.generator().identity is None
    first = repository.generator(version="1").identity
    assert first is not None
    assert first.startswith("command:./my-agent; version 1; prompt ")
    assert repository.generator(version="2").identity != first
    assert repository.generator("./my-agent --fast", version="1").identity != first
    assert repository.generator().roots == ()
