"""The store takes files in once, as data, whatever they are and however many processes ask."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_appbench.artifacts import store as store_module
from pytest_appbench.artifacts.store import Artifact, Store
from pytest_appbench.errors import ArtifactRefused


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache")


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return write(tmp_path / "app", {"index.html": "<h1>Hi</h1>", "js/main.js": "1"})


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def contents(artifact: Artifact) -> dict[str, str]:
    return {name: (artifact.root / name).read_text() for name in artifact.files}


def test_an_app_is_copied_and_found_again_by_its_content(store: Store, app: Path) -> None:
    artifact = store.add(app, "reference:good")

    assert contents(artifact) == {"index.html": "<h1>Hi</h1>", "js/main.js": "1"}
    assert artifact.root.parts[-3:] == ("artifacts", artifact.digest[:2], artifact.digest)
    assert artifact.origin == "reference:good"
    assert artifact.entry == "index.html"


def test_the_copy_does_not_follow_later_changes_of_the_source(store: Store, app: Path) -> None:
    before = store.add(app, "dir:out")
    (app / "js/main.js").write_text("2")
    after = store.add(app, "dir:out")

    assert contents(before)["js/main.js"] == "1"
    assert contents(after)["js/main.js"] == "2"
    assert before.digest != after.digest


def test_the_same_content_from_elsewhere_is_the_same_artifact(
    store: Store, app: Path, tmp_path: Path
) -> None:
    first = store.add(app, "dir:out")
    inode = (first.root / "index.html").stat().st_ino
    twin = write(tmp_path / "twin", {"js/main.js": "1", "index.html": "<h1>Hi</h1>"})

    second = store.add(twin, "reference:good")

    assert (second.root, second.digest) == (first.root, first.digest)
    assert (second.root / "index.html").stat().st_ino == inode


names = st.from_regex(r"[a-c]{1,2}(/[a-c]{1,2}){0,2}\.js", fullmatch=True)
file_sets = st.dictionaries(names, st.text("01\n\0", max_size=3), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(one=file_sets, other=file_sets)
def test_the_digest_tells_different_sets_of_files_apart(
    one: dict[str, str], other: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("digests")
    store = Store(folder / "cache")

    digests = [
        store.add(write(folder / str(i), files), "test").digest
        for i, files in enumerate((one, other))
    ]

    assert (digests[0] == digests[1]) == (one == other)


def test_stored_files_cannot_be_written_by_accident(store: Store, app: Path) -> None:
    artifact = store.add(app, "test")

    modes = {stat.S_IMODE((artifact.root / name).stat().st_mode) for name in artifact.files}
    assert modes == {0o444}


def test_an_artifact_that_lost_a_file_is_made_whole_again(store: Store, app: Path) -> None:
    artifact = store.add(app, "test")
    (artifact.root / "js/main.js").unlink()

    assert contents(store.add(app, "test")) == contents_of(app)


def contents_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_single_file_is_an_app_of_one_page(store: Store, tmp_path: Path) -> None:
    page = tmp_path / "timer.html"
    page.write_text("<h1>Timer</h1>")

    artifact = store.add(page, "dir:out")

    assert contents(artifact) == {"timer.html": "<h1>Timer</h1>"}
    assert artifact.entry == "timer.html"


def test_code_in_an_app_is_data(store: Store, app: Path, tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w')"
    hostile = {"conftest.py": trap, "test_x.py": trap, "x.task.yaml": "!!python/object:os.system x"}
    write(app, hostile)

    assert contents(store.add(app, "test")).items() >= hostile.items()
    assert not (tmp_path / "sprung").exists()


def test_the_cache_directory_is_tagged_for_backup_programs(store: Store, tmp_path: Path) -> None:
    tag = (tmp_path / "cache/CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_junk_and_special_files_are_left_out_and_named(store: Store, app: Path) -> None:
    write(app, {".git/config": "x", "node_modules/a/index.js": "x", "js/.DS_Store": "x"})
    os.mkfifo(app / "pipe")
    (app / "dangling").symlink_to("nowhere.js")
    (app / "circle").symlink_to("circle")

    artifact = store.add(app, "test")

    assert artifact.files == ("index.html", "js/main.js")
    assert artifact.skipped == (
        ".git",
        "circle",
        "dangling",
        "js/.DS_Store",
        "node_modules",
        "pipe",
    )


def test_links_inside_the_app_become_copies(store: Store, app: Path) -> None:
    (app / "alias.js").symlink_to(app / "js/main.js")
    (app / "scripts").symlink_to("js")

    artifact = store.add(app, "test")

    assert artifact.files == ("alias.js", "index.html", "js/main.js", "scripts/main.js")
    assert not any((artifact.root / name).is_symlink() for name in artifact.files)


@pytest.mark.parametrize("target", ["../secret.txt", "/etc", "js/../../secret.txt"])
def test_a_link_that_leads_out_is_refused_by_name(store: Store, app: Path, target: str) -> None:
    (app.parent / "secret.txt").write_text("secret")
    (app / "js/leak").symlink_to(target if target.startswith("/") else f"../{target}")

    with pytest.raises(ArtifactRefused, match=r"the link 'js/leak' in .* leads out of the folder"):
        store.add(app, "test")


def test_a_link_to_its_own_folder_is_refused(store: Store, app: Path) -> None:
    (app / "js/up").symlink_to("..")

    with pytest.raises(ArtifactRefused, match=r"'js/up' .* leads back"):
        store.add(app, "test")


def test_too_many_files_are_refused(
    store: Store, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MAX_ENTRIES", 2)

    with pytest.raises(ArtifactRefused, match="more than 2 files and folders"):
        store.add(app, "test")


def test_too_many_bytes_are_refused_before_they_are_read(store: Store, app: Path) -> None:
    with (app / "huge.bin").open("wb") as file:
        file.truncate(store_module.MAX_BYTES + 1)

    with pytest.raises(ArtifactRefused, match="more than 200 MB"):
        store.add(app, "test")


def test_a_file_name_that_is_no_text_is_refused(store: Store, app: Path) -> None:
    Path(os.fsdecode(os.fsencode(app) + b"/\xff.js")).write_text("x")

    with pytest.raises(ArtifactRefused, match=r"b'\\xff\.js' .* is not UTF-8"):
        store.add(app, "test")


def test_files_that_change_while_they_are_copied_are_refused(
    store: Store, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_later(source: Path, target: Path) -> None:
        target.write_text("written after the first look")

    monkeypatch.setattr("shutil.copyfile", copy_later)

    with pytest.raises(ArtifactRefused, match="changed while they were copied"):
        store.add(app, "test")


ADDER = """
import sys
from pathlib import Path
from pytest_appbench.artifacts.store import Store

print("ready", flush=True)
sys.stdin.readline()
for source in sys.argv[2:] * 5:
    artifact = Store(Path(sys.argv[1])).add(Path(source), "test")
    assert len(artifact.files) == 60, artifact.files
    print(artifact.digest)
"""


def test_many_processes_may_add_the_same_apps_at_once(tmp_path: Path) -> None:
    sources = [
        str(write(tmp_path / app, {f"{i}.js": app * 9_000 for i in range(60)})) for app in "abc"
    ]
    command = [sys.executable, "-c", ADDER, str(tmp_path / "cache"), *sources]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"

    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    printed = [worker.communicate()[0].split() for worker in workers]

    assert [worker.returncode for worker in workers] == [0] * 4
    assert printed == [printed[0]] * 4
    artifacts = tmp_path / "cache/artifacts"
    assert {path.name for path in artifacts.glob("*/*")} == set(printed[0])
    assert not (artifacts / ".incoming").exists()
