"""`react`: React and TypeScript, built by Vite from a template of ours.

An app brings its sources. What decides how they are built (scripts, dependencies, configuration) is
the template's; an app's own files of that kind are left out, and that is noted.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from pytest_appbench.artifacts import dependencies
from pytest_appbench.artifacts.builders import Format, Output, Yard
from pytest_appbench.artifacts.candidate import enumerate_names
from pytest_appbench.errors import BuildFailed

if TYPE_CHECKING:
    from pytest_appbench.artifacts.store import Artifact
    from pytest_appbench.sandbox import Finished
    from pytest_appbench.tasks.model import Task

BUILD_SECONDS = 120.0
"""For one build; they take about one second."""

MEMORY = 2 * 2**30
"""Bytes of data for each process of a build."""

QUOTED = 2_000
"""Characters of the compiler's words that become the reason of a verdict."""

_COMMAND = ("node_modules/vite/bin/vite.js", "build", "--configLoader", "native")
_CODE = ("tsx", "jsx", "ts", "js")
_MAIN = tuple(f"src/{name}.{suffix}" for name in ("main", "index") for suffix in _CODE)
_APP = tuple(f"src/App.{suffix}" for suffix in _CODE)
_APP_ALONE = tuple(f"App.{suffix}" for suffix in _CODE)
_FOLDERS = ("build", "coverage", "dist", "node_modules")
_AT_TOP = re.compile(
    r"(?:vite|vitest|postcss|tailwind|babel|eslint|prettier|webpack|rollup|svgr)\.config\.\w+|"
    r"package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|"
    r"pnpm-workspace\.yaml"
)
_ANYWHERE = re.compile(r"\..+|package\.json|[jt]sconfig(?:\.[\w-]+)*\.json")

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NOISE = re.compile(
    r"\s+at |\s*errors: \[Getter|[}\s]*$|error during build:|Build failed with \d+ error|"
    r"\W*Build failed in |\[plugin appbench:|Node\.js v\d"
)


def root(names: Iterable[str]) -> str | None:
    """The highest folder with an App or an entry in its src/, else with an App of its own."""
    listed = list(names)
    proper = _above(listed, (*_APP, *_MAIN))
    return proper if proper is not None else _above(listed, _APP_ALONE)


def _above(names: Iterable[str], wanted: Iterable[str]) -> str | None:
    folders = [
        name.removesuffix(one).rstrip("/")
        for name in names
        for one in wanted
        if name == one or name.endswith(f"/{one}")
    ]
    return min(folders, key=lambda folder: (folder and folder.count("/") + 1, folder), default=None)


class ReactBuilder:
    """Builds with Vite, in a throw-away copy, without network."""

    def identity(self, task: Task) -> str:
        """The template and what it pins."""
        return f"react {_template_digest()}"

    def manifest(self) -> AbstractContextManager[Path]:
        """The template, which names and pins them."""
        return template()

    @contextmanager
    def build(self, source: Artifact, task: Task, yard: Yard, stop: Event) -> Iterator[Output]:
        """Build an app; see `Builder`."""
        from pytest_appbench import sandbox
        from pytest_appbench.artifacts.workspace import scratch
        from pytest_appbench.processes import programs

        sandbox.require(yard.sandbox, "builds")
        node = dependencies.node()
        with template() as own:
            packages = dependencies.installed(own, yard.cache_dir)
            with scratch(yard.hidden) as workspace, scratch(yard.hidden) as home:
                notes = _lay_out(source, own, workspace)
                (workspace / "node_modules").symlink_to(packages, target_is_directory=True)
                search = os.environ.get("PATH", os.defpath)
                finished = sandbox.run(
                    [str(node.program), *_COMMAND],
                    workspace=workspace,
                    home=home,
                    environment={**sandbox.environment(), "NO_COLOR": "1", "CI": "1"},
                    readonly=(packages, *programs.of(node.program, search, yard.hidden)),
                    hidden=yard.hidden,
                    network=False,
                    time_limit=BUILD_SECONDS,
                    memory=MEMORY,
                    sandbox=yard.sandbox,
                    stop=stop,
                )
                _require_built(finished, workspace, packages, notes)
                yield Output(workspace / "dist", finished.sandbox, notes)


@contextmanager
def template() -> Iterator[Path]:
    """The folder of the template."""
    from importlib.resources import as_file

    with as_file(files(__package__).joinpath("react_template")) as folder:
        yield folder


@cache
def _template_digest() -> str:
    import hashlib

    whole = hashlib.sha256()
    with template() as folder:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            whole.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def _lay_out(source: Artifact, own: Path, workspace: Path) -> tuple[str, ...]:
    """Put the template and the app's sources together; says what of the app was left out."""
    targets, notes = _targets(source.files)
    for name in ("package.json", "package-lock.json", "tsconfig.json", "vite.config.js"):
        shutil.copyfile(own / name, workspace / name)
    for name, target in targets.items():
        path = workspace / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source.root / name, path)
    laid = frozenset(targets.values())
    entry = next((name for name in _MAIN if name in laid), None)
    if entry is None:
        entry = "src/main.tsx"
        shutil.copyfile(own / entry, workspace / entry)
    if "index.html" not in laid:
        page = (own / "index.html").read_text(encoding="utf-8")
        text = page.replace("/src/main.tsx", f"/{entry}")
        (workspace / "index.html").write_text(text, encoding="utf-8")
    return notes


def _targets(names: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Where each file of an app goes, and what there is to say about that."""
    taken, left_out = [], []
    for name in sorted(names):
        top, _, rest = name.partition("/")
        last = name.rpartition("/")[2]
        is_ours = bool(_ANYWHERE.fullmatch(last)) or (not rest and bool(_AT_TOP.fullmatch(last)))
        if is_ours or (rest and (top in _FOLDERS or top.startswith("."))):
            left_out.append(name)
        elif name != "public/index.html":  # of another bundler; it would take the page's place
            taken.append(name)
    notes = []
    if left_out:
        named = enumerate_names(left_out)
        notes.append(f"left out, because the template's own configuration is used: {named}")
    if any(name in (*_APP, *_MAIN) for name in taken):
        return {name: name for name in taken}, tuple(notes)
    notes.append("the sources were taken as lying in src/")
    stays = ("index.html", "public/", "src/")
    moved = {name: name if name.startswith(stays) else f"src/{name}" for name in taken}
    return moved, tuple(notes)


def _require_built(
    finished: Finished, workspace: Path, packages: Path, notes: tuple[str, ...]
) -> None:
    said = _placed(f"{finished.stdout}\n{finished.stderr}", workspace, packages)
    told = "\n".join((*notes, said.strip())).strip()
    if finished.ended != "itself":
        reasons = {
            "time": f"the build ran longer than {BUILD_SECONDS:g} s",
            "output": "the build's output never ended",
            "stopped": "the run was stopped",
        }
        raise BuildFailed(reasons[finished.ended], told, sandbox=finished.sandbox)
    if finished.exit_code != 0:
        words = _cleaned(_placed(finished.stderr or finished.stdout, workspace, packages))
        code = f"exit code {finished.exit_code}" if finished.exit_code is not None else "killed"
        reason = f"the app does not build: {words or code}"
        raise BuildFailed(reason, told, sandbox=finished.sandbox)
    if not (workspace / "dist" / "index.html").is_file():
        raise BuildFailed("the build left no index.html", told, sandbox=finished.sandbox)


def _placed(text: str, workspace: Path, packages: Path) -> str:
    """What was said, without colours and places of this machine."""
    plain = _COLOURS.sub("", text)
    for folder, shown in ((workspace, ""), (packages, "node_modules/")):
        plain = plain.replace(f"file://{folder}/", shown).replace(f"{folder}/", shown)
    return plain


def _cleaned(text: str) -> str:
    """The compiler's own words, bounded, without the stacks of its code."""
    lines = [line.rstrip() for line in text.splitlines() if not _NOISE.match(line)]
    words = "\n".join(line for line in lines if line).removeprefix("RolldownError: ")
    return words if len(words) <= QUOTED else words[:QUOTED].rstrip() + " ..."


FORMAT = Format(
    name="react",
    wanted="src/App.tsx (or .jsx, .ts, .js), or an entry such as src/main.tsx",
    missing="no sources of a React app: there must be a src/App.tsx, or an entry such as "
    "src/main.tsx",
    page="component App",
    root=root,
    prompt="react",
    rules="""\
- It is React 19 with TypeScript, built by Vite from a template that is there already. Hand over
  the sources only: `src/App.tsx`, which exports the app's component as its default,
  `src/index.css`, and whatever further files in `src/` you like. A file in `public/` is served as
  it is.
- Do not hand over `package.json`, a lock file, a configuration of Vite, TypeScript or PostCSS: the
  template's own are used. Only `react` and `react-dom` can be imported, beside your own files.
- `index.html` and `src/main.tsx` are there; hand over your own only if they must differ.""",
    builder=ReactBuilder(),
    adopted={
        "tsx": "src/App.tsx",
        "jsx": "src/App.jsx",
        "typescript": "src/App.tsx",
        "css": "src/index.css",
    },
)
