"""Runs a project's own Playwright tests with Node, in a fresh copy of it and in the sandbox.

Tests, configuration and scripts come from the pristine project every time and are read-only where
there is a sandbox; wherever they were written to all the same, the run counts as failed. Code of a
solution that runs in a build or in a server runs beside the tests in the same sandbox.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from pytest_appbench import sandbox
from pytest_appbench.artifacts.steps import contents
from pytest_appbench.artifacts.workspace import remove, scratch, write
from pytest_appbench.judges.loop import Await, Steps
from pytest_appbench.processes import programs
from pytest_appbench.processes.ports import free_port
from pytest_appbench.stepwise.layout import is_source
from pytest_appbench.stepwise.project import Project, ProjectError
from pytest_appbench.stepwise.suites import Ran
from pytest_appbench.threads import in_thread

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.sandbox import Finished

SECONDS = 600.0
"""For the tests of one attempt at a step; as much again for each script before them."""
WORKERS = 2
"""Tests that Playwright runs side by side."""

_SCRIPTS = ("init", "build")
_LEFT = ("node_modules", ".git", "eval", "dist", "test-results", "playwright-report")
_OWN_CONFIG = "appbench.playwright.config.ts"
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_MOST_TOLD = 3_000
_CONFIG = """\
import base from './{config}'
const launch = {{ executablePath: {browser} }}
const use = (own: any) => ({{ ...own, launchOptions: {{ ...own?.launchOptions, ...launch }} }})
export default {{
  ...base,
  use: use(base.use),
  projects: base.projects?.map((one: any) => ({{ ...one, use: use(one.use) }})),
}}
"""


@dataclass
class NodeSuite:
    """A project's own tests.

    Attributes:
        project: The project.
        sandbox: How processes that are not ours are kept in: auto or none.
    """

    project: Project
    sandbox: str = "auto"

    def __post_init__(self) -> None:
        """Make sure that the tests can be run at all, before anything is spent.

        Raises:
            ProjectError: Node, the project's packages or its configuration are missing.
            SandboxError: There is no sandbox.
        """
        sandbox.require(self.sandbox, "the tests of a project")
        if shutil.which("node") is None:
            raise ProjectError(
                f"{self.project.folder}: its tests are run by Node, which was not found on PATH; "
                "install Node 18 or newer"
            )
        _ = self._modules, self._config

    def run(self, app: Artifact, names: tuple[str, ...]) -> Steps[Ran]:
        """Run the tests of some steps, in a thread.

        Args:
            app: The files as they are.
            names: The ids of the steps.
        """
        ran: Ran = yield Await(in_thread(partial(self._run, app, names)))
        return ran

    def _run(self, app: Artifact, names: tuple[str, ...], stop: Event) -> Ran:
        with scratch() as place, scratch() as home:
            copy = place / "project"
            own = self._copied(copy)
            write(contents(app.root), copy / "src")
            kept_in = ""
            environment = self._environment(copy)
            for script in self._scripts:
                done = self._call(["npm", "run", script], copy, home, environment, stop)
                kept_in = done.sandbox
                if done.exit_code != 0:
                    said = _cleaned(_output(done), (copy, home))
                    return Ran((f"npm run {script} failed:\n{said}",), 0, kept_in)
            report = home / "report.json"
            environment["PLAYWRIGHT_JSON_OUTPUT_NAME"] = str(report)
            done = self._call(self._command(copy, names), copy, home, environment, stop)
            touched = tuple(name for name, was in own.items() if _state(copy / name) != was)
            told = _told(report, done, (copy, home))
            remove(copy)
        if touched:
            told = Ran(
                (*told.failures, f"files of the project were changed: {touched}"), told.tests
            )
        return Ran(told.failures, told.tests, done.sandbox or kept_in, touched)

    def _command(self, copy: Path, names: Iterable[str]) -> list[str]:
        files = [self.project.tests[name] for name in names if name in self.project.tests]
        wanted = [re.escape(f"{file.parent.name}/{file.name}") for file in files]
        runner = copy / "node_modules" / "@playwright" / "test" / "cli.js"
        own = ["--config", _OWN_CONFIG, "--reporter", "json", "--workers", str(WORKERS)]
        return ["node", str(runner), "test", *own, *wanted]

    def _call(
        self, command: list[str], copy: Path, home: Path, environment: dict[str, str], stop: Event
    ) -> Finished:
        search = os.environ.get("PATH", os.defpath)
        own = (path for path in copy.iterdir() if path.name not in ("src", "node_modules"))
        return sandbox.run(
            command,
            workspace=copy,
            home=home,
            environment=environment,
            readonly=(
                *programs.on_path(search, (self.project.folder,)),
                *_roots(self._modules),
                Path(self._browser).resolve().parent,
                *own,
            ),
            network=False,
            time_limit=SECONDS,
            sandbox=self.sandbox,
            stop=stop,
        )

    def _copied(self, copy: Path) -> dict[str, Any]:
        """Copy the project without its solutions; the state of each file that must not change."""
        skipped = shutil.ignore_patterns("node_modules", ".git")
        copy.mkdir()
        for path in sorted(self.project.folder.iterdir()):
            if path.name in _LEFT or is_source(path.name):
                continue
            if path.is_dir():
                shutil.copytree(path, copy / path.name, ignore=skipped)
            else:
                shutil.copyfile(path, copy / path.name)
        config = _CONFIG.format(config=self._config, browser=json.dumps(self._browser))
        (copy / _OWN_CONFIG).write_text(config, encoding="utf-8")
        (copy / "src").mkdir()
        # A folder of links: what a bundler keeps in node_modules/ is kept in the copy.
        modules = copy / "node_modules"
        modules.mkdir()
        for path in self._modules.iterdir():
            if not path.name.startswith((".vite", ".cache")):
                (modules / path.name).symlink_to(path)
        found = [path for path in copy.rglob("*") if path.is_file() or path.is_symlink()]
        own = {path.relative_to(copy).as_posix(): _state(path) for path in found}
        return own

    def _environment(self, copy: Path) -> dict[str, str]:
        """What a project of Web-Bench reads, and nothing of ours."""
        found = sandbox.environment()
        binaries = copy / "node_modules" / ".bin"
        found["PATH"] = os.pathsep.join((str(binaries), found.get("PATH", os.defpath)))
        return {
            **found,
            "EVAL": "true",
            "EVAL_PROJECT_ROOT": str(copy / "src"),
            "EVAL_PROJECT_PORT": str(free_port()),
            "IS_EVAL_PRODUCTION": "true",
            "MAX_TEST_WORKERS": str(WORKERS),
            "npm_config_offline": "true",
            "npm_config_update_notifier": "false",
        }

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        try:
            package = json.loads((self.project.folder / "package.json").read_text("utf-8"))
            scripts = package.get("scripts", {})
            return tuple(name for name in _SCRIPTS if str(scripts.get(name, "")).strip())
        except FileNotFoundError:
            return ()
        except (ValueError, AttributeError) as error:
            raise ProjectError(
                f"{self.project.folder / 'package.json'}:1: it cannot be read: {error}"
            ) from None

    @cached_property
    def _modules(self) -> Path:
        for folder in (self.project.folder, *self.project.folder.parents):
            modules = folder / "node_modules"
            if (modules / "@playwright" / "test" / "cli.js").is_file():
                return modules
        raise ProjectError(
            f"{self.project.folder}: its packages are not installed (no "
            "node_modules/@playwright/test here or above); run npm install there, nothing is "
            "installed for you"
        )

    @cached_property
    def _config(self) -> str:
        for suffix in ("js", "ts", "mjs", "cjs", "mts"):
            name = f"playwright.config.{suffix}"
            if (self.project.folder / name).is_file():
                return name
        raise ProjectError(
            f"{self.project.folder}: there is no playwright.config.js, which says how the project "
            "is served"
        )

    @cached_property
    def _browser(self) -> str:
        from pytest_appbench.browser.launch import find_chromium

        return str(find_chromium(headed=False).executable)


def _state(path: Path) -> object:
    """What a file must still be like after the tests."""
    try:
        return str(path.readlink()) if path.is_symlink() else path.read_bytes()
    except OSError:
        return None


def _roots(modules: Path) -> Iterator[Path]:
    """The folders that installed packages lie in, also where they are linked from elsewhere."""
    seen: set[Path] = set()
    pending = [modules]
    while pending:
        folder = pending.pop().resolve()
        if folder in seen or not folder.is_dir():
            continue
        seen.add(folder)
        yield folder
        entries = [*folder.iterdir(), *folder.glob("@*/*")]
        for real in {entry.resolve() for entry in entries if entry.is_symlink()}:
            if any(real.is_relative_to(one) for one in seen):
                continue
            if "node_modules" in real.parts:
                depth = real.parts.index("node_modules") + 1
                pending.append(Path(*real.parts[:depth]))
            elif real.is_dir():  # a package of the same repository
                seen.add(real)
                yield real
                pending.append(real / "node_modules")


def _told(report: Path, done: Finished, places: tuple[Path, ...]) -> Ran:
    """What the tests said."""
    if done.ended != "itself":
        why = {"time": f"within {SECONDS:g} s", "output": "without endless output"}
        return Ran((f"the tests did not end {why.get(done.ended, 'by themselves')}",))
    try:
        data = json.loads(report.read_text("utf-8"))
        stats = data["stats"]
        tests = stats["expected"] + stats["unexpected"] + stats["flaky"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Ran((f"the tests could not be run:\n{_cleaned(_output(done), places)}",))
    failures = [_cleaned(text, places) for text in _failures(data)]
    if not failures and done.exit_code != 0:
        failures.append(f"the tests failed:\n{_cleaned(_output(done), places)}")
    if not failures and not tests:
        failures.append("no test was run")
    return Ran(tuple(failures), tests)


def _failures(data: Mapping[str, Any]) -> Iterator[str]:
    for error in data.get("errors", ()):
        yield f"{error.get('message', '')}\n{error.get('snippet', '')}"
    pending = [(suite, "") for suite in data.get("suites", ())]
    while pending:
        suite, above = pending.pop(0)
        title = f"{above}{suite.get('title', '')} > "
        pending += [(inner, title) for inner in suite.get("suites", ())]
        for spec in suite.get("specs", ()):
            if not spec.get("ok"):
                said = [
                    f"{error.get('message', '')}\n{error.get('snippet', '')}"
                    for test in spec.get("tests", ())
                    for result in test.get("results", ())[-1:]
                    for error in result.get("errors", ())
                ]
                yield "\n".join((title + spec.get("title", ""), *said))


def _output(done: Finished) -> str:
    return f"{done.stdout.strip()}\n{done.stderr.strip()}".strip()


def _cleaned(text: str, places: tuple[Path, ...]) -> str:
    """Without colours and without paths of this machine, cut short in the middle."""
    text = _COLOURS.sub("", text)
    for place in places:
        text = text.replace(str(place), ".")
    text = "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
    if len(text) > _MOST_TOLD:
        half = _MOST_TOLD // 2
        text = f"{text[:half]}\n[...]\n{text[-half:]}"
    return text
