"""A generator specification becomes a way to find apps, or an error that says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.artifacts import generators
from pytest_appbench.artifacts.candidate import Candidate
from pytest_appbench.artifacts.generators import resolve, schemes
from pytest_appbench.errors import MissingArtifact, SettingsError
from pytest_appbench.tasks.model import Task


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture
def task(root: Path) -> Task:
    path = root / "benchmarks/science/physics.task.yaml"
    path.parent.mkdir(parents=True)
    return Task(id="x", domain="science", query="Show a pendulum.", path=path, line=1)


def candidate_of(spec: str, root: Path, task: Task) -> Candidate:
    candidate = resolve(spec, root)(task)
    assert isinstance(candidate, Candidate)
    return candidate


def make_app(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names or ("index.html",):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("<h1>App</h1>")
    return folder


@pytest.mark.parametrize(
    ("spec", "name"),
    [("reference", "good"), ("reference:faulty", "faulty"), ("reference:", "good")],
)
def test_reference_finds_the_named_app_beside_the_task(
    spec: str, name: str, root: Path, task: Task
) -> None:
    folder = make_app(task.folder / "apps/x" / name)

    candidate = candidate_of(spec, root, task)

    assert (candidate.source, candidate.origin) == (folder, f"reference:{name}")


def test_a_missing_reference_app_is_described_with_those_there_are(root: Path, task: Task) -> None:
    make_app(task.folder / "apps/x/faulty")
    make_app(task.folder / "apps/x/good2")

    with pytest.raises(MissingArtifact) as caught:
        candidate_of("reference", root, task)

    assert str(caught.value) == (
        "no app for task 'x': expected a folder apps/x/good beside "
        "benchmarks/science/physics.task.yaml (found: faulty, good2)"
    )


def test_a_task_without_any_reference_app_says_so(root: Path, task: Task) -> None:
    with pytest.raises(MissingArtifact, match=r"\(found: nothing\)"):
        candidate_of("reference", root, task)


@pytest.mark.parametrize("names", [("index.html", "other.html"), ("pendulum.html", "main.js")])
def test_an_app_opens_with_its_index_or_its_only_page(
    names: tuple[str, ...], root: Path, task: Task
) -> None:
    folder = make_app(task.folder / "apps/x/good", *names)

    assert candidate_of("reference", root, task).source == folder


@pytest.mark.parametrize("spec", ["reference", "dir:out"])
@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("a.html", "b.html"), r"\(found: a.html, b.html\)"),
        (("main.js",), r"\(found: main.js\)"),
        (("dist/index.html",), r"\(found: nothing; there is one in dist/\)"),
    ],
)
def test_a_folder_without_a_page_to_open_is_not_an_app(
    spec: str, names: tuple[str, ...], found: str, root: Path, task: Task
) -> None:
    make_app(task.folder / "apps/x/good", *names)
    make_app(root / "out/x", *names)

    with pytest.raises(MissingArtifact, match=f"'x'.* is not an app, it needs .*{found}"):
        candidate_of(spec, root, task)


def test_dir_takes_a_folder_named_after_the_task(root: Path, task: Task) -> None:
    folder = make_app(root / "out/x")
    (root / "out/x.html").write_text("<h1>Page</h1>")

    candidate = candidate_of("dir:out/", root, task)

    assert (candidate.source, candidate.origin) == (folder, "dir:out")


def test_dir_takes_a_page_named_after_the_task(root: Path, task: Task) -> None:
    make_app(root / "out", "x.html", "y.html")

    assert candidate_of(f"dir:{root}/out", root, task).source == root / "out/x.html"


def test_a_task_missing_from_dir_says_what_was_expected_and_found(root: Path, task: Task) -> None:
    make_app(root / "out", "y.html")

    with pytest.raises(MissingArtifact) as caught:
        candidate_of("dir:out/", root, task)

    assert str(caught.value) == (
        "no app for task 'x': expected a folder out/x or a file out/x.html "
        "(found in out: y.html); other tasks are not affected"
    )


def test_a_missing_dir_says_where_relative_paths_start(root: Path, task: Task) -> None:
    with pytest.raises(MissingArtifact, match=f"no folder out; relative paths start at {root}"):
        candidate_of("dir:out/", root, task)


@pytest.mark.parametrize(("spec", "place"), [("reference", "apps/x/good"), ("dir:out", "out/x")])
def test_an_app_that_is_a_link_to_elsewhere_is_refused(
    spec: str, place: str, root: Path, task: Task
) -> None:
    outside = make_app(root / "outside")
    link = (task.folder if spec == "reference" else root) / place
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)

    with pytest.raises(MissingArtifact, match=r"leads out of .*: copy the files instead"):
        candidate_of(spec, root, task)


def test_generators_name_the_folders_of_untrusted_files(root: Path) -> None:
    assert resolve("dir:out/", root).roots == (root / "out",)
    assert resolve("reference", root).roots == ()


@pytest.mark.parametrize("spec", ["dir:.", "dir:..", "dir:/"])
def test_dir_refuses_a_folder_that_holds_the_users_tests(spec: str, root: Path) -> None:
    with pytest.raises(SettingsError, match="put the apps into a folder of their own"):
        resolve(spec, root)


def test_dir_needs_a_folder(root: Path) -> None:
    with pytest.raises(SettingsError, match="such as dir:out/"):
        resolve("dir", root)


def test_reference_names_cannot_be_paths(root: Path) -> None:
    with pytest.raises(SettingsError, match="not the name of a reference app"):
        resolve("reference:../../secrets", root)


@pytest.mark.parametrize(
    ("spec", "suggestion"),
    [
        ("referense:faulty", "; did you mean 'reference:faulty'?"),
        ("out/", "; did you mean 'dir:out/'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_an_unknown_generator_lists_those_there_are(spec: str, suggestion: str, root: Path) -> None:
    (root / "out").mkdir()

    with pytest.raises(SettingsError) as caught:
        resolve(spec, root)

    message = str(caught.value)
    assert message.startswith(f"no generator '{spec}'{suggestion}. Known generators:\n")
    assert all(scheme.example in message for scheme in schemes().values())


PLUGGED_IN = """
from pytest_appbench.artifacts.generators import Scheme

SCHEMES = (Scheme("echo", "for this test", "echo:x", lambda argument, root, means: (argument, root)),)
"""


def test_adding_a_generator_is_adding_one_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "echo.py").write_text(PLUGGED_IN)
    monkeypatch.setattr(generators, "__path__", [*generators.__path__, str(root)])

    assert resolve("echo:a:b", root) == ("a:b", root)  # type: ignore[comparison-overlap]
