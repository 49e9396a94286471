"""A file of defaults sets what the tasks in and below its folder leave out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_appbench.errors import TaskFileError
from pytest_appbench.tasks import reader
from pytest_appbench.tasks.load import load_file
from pytest_appbench.tasks.model import Task

DEFAULTS = "defaults.task.yaml"


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A task file two folders below the root."""
    folder = tmp_path / "games" / "card"
    folder.mkdir(parents=True)
    path = folder / "a.task.yaml"
    path.write_text("id: a\nquery: Build it\n")
    return path


def load(path: Path, root: Path | None) -> Task:
    (task,) = load_file(path, root=root)
    return task


def mistakes(path: Path, root: Path) -> list[tuple[str, int, str]]:
    with pytest.raises(TaskFileError) as caught:
        load_file(path, root=root)
    return [(each.path.name, each.line, each.message) for each in caught.value.problems]


def test_the_nearest_defaults_win_and_the_task_wins_over_all(tmp_path: Path, inner: Path) -> None:
    (tmp_path / DEFAULTS).write_text("domain: games\nlevel: easy\nseed: 1\n")
    (tmp_path / "games" / DEFAULTS).write_text("level: mid\nseed: 2\nsubclass: card\n")
    (inner.parent / DEFAULTS).write_text("seed: 3\nthreshold: 0.5\n")
    inner.write_text("id: a\nquery: Build it\nthreshold: 0.9\n")
    task = load(inner, tmp_path)
    assert (task.domain, task.level, task.subclass) == ("games", "mid", "card")
    assert (task.seed, task.threshold) == (3, 0.9)


def test_reference_statements_are_merged_by_dimension(tmp_path: Path, inner: Path) -> None:
    (tmp_path / DEFAULTS).write_text("domain: x\nreference: {static: [Far], dynamic: [Far]}\n")
    inner.write_text("id: a\nquery: b\nreference: {dynamic: [Near]}\n")
    reference = load(inner, tmp_path).reference
    assert (reference.static, reference.dynamic) == (("Far",), ("Near",))


def test_nothing_above_the_root_counts(tmp_path: Path, inner: Path) -> None:
    (tmp_path / DEFAULTS).write_text("domain: outside\nlevel: easy\n")
    (inner.parent / DEFAULTS).write_text("domain: inside\n")
    for root in (tmp_path / "games", inner.parent, None, tmp_path / "elsewhere"):
        task = load(inner, root)
        assert (task.domain, task.level) == ("inside", None)


def test_both_endings_of_the_name_are_read(tmp_path: Path, inner: Path) -> None:
    (tmp_path / "defaults.task.yml").write_text("domain: x\nlevel: easy\n")
    (tmp_path / DEFAULTS).write_text("level: hard\n")
    task = load(inner, tmp_path)
    assert (task.domain, task.level) == ("x", "hard")


def test_mistakes_in_defaults_are_told_at_their_own_place(tmp_path: Path, inner: Path) -> None:
    (tmp_path / DEFAULTS).write_text(
        "id: a\nquery: b\nlevle: mid\nseed: x\ndomain: Games\nlevel: mid\nlevel: easy\n---\nseed: 1"
    )
    inner.write_text("id: a\nquery: b\nthreshold: 2\n")
    told = [(name, line, text[:48]) for name, line, text in mistakes(inner, tmp_path)]
    assert told == [
        (DEFAULTS, 1, '"id" belongs to one task, so a file of defaults '),
        (DEFAULTS, 2, '"query" belongs to one task, so a file of defaul'),
        (DEFAULTS, 3, '"levle" is not a key of a task; did you mean "le'),
        (DEFAULTS, 4, '"seed" must be a whole number from 0 to 42949672'),
        (DEFAULTS, 5, '"domain" must be a word of lower-case letters, d'),
        (DEFAULTS, 7, 'the key "level" is here twice, first on line 6; '),
        (DEFAULTS, 9, "a file of defaults is one document; move these k"),
        ("a.task.yaml", 3, '"threshold" must be a number from 0 to 1, but is'),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'the file sets nothing; write for example "domain: science", or delete it'),
        ("- seed: 1\n", "defaults are a mapping of keys such as domain and level, but this "),
        ("domain: 'x\n", "the text that begins with ' on this line is never closed; "),
    ],
)
def test_defaults_that_are_no_mapping_are_told(
    tmp_path: Path, inner: Path, text: str, message: str
) -> None:
    (tmp_path / DEFAULTS).write_text(text)
    inner.write_text("id: a\nquery: b\ndomain: c\n")
    ((name, line, told),) = mistakes(inner, tmp_path)
    assert (name, line) == (DEFAULTS, 1)
    assert told.startswith(message)


def test_defaults_are_read_once_until_they_change(
    tmp_path: Path, inner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = tmp_path / DEFAULTS
    defaults.write_text("domain: first\n")
    read: list[str] = []
    original = reader.read_documents

    def recording(path: Path) -> object:
        read.append(path.name)
        return original(path)

    monkeypatch.setattr(reader, "read_documents", recording)
    assert [load(inner, tmp_path).domain for _ in range(3)] == ["first"] * 3
    assert read == [DEFAULTS]
    defaults.write_text("domain: second\n")
    os.utime(defaults, ns=(1, 1))
    assert load(inner, tmp_path).domain == "second"
