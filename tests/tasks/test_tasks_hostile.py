"""Whatever a task file holds, reading it ends soon, with tasks or with places in the file."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_appbench.errors import Problem, TaskFileError
from pytest_appbench.tasks import reader
from pytest_appbench.tasks.load import load_file
from pytest_appbench.tasks.model import Task

TASK = "id: lab\ndomain: science\nquery: Build a lab\n"
RICH = (
    TASK
    + "reference:\n  static:\n    - &one One\n    - 'Two'\n  dynamic: [\"a\\nb\", *one]\n"
    + "threshold: 0.5\n---\n# next\nid: b\ndomain: x\nquery: >\n  Folded\n  text\n...\n"
)
PIECES = (
    "---\n", "...\n", ": ", "- ", "\t", "  ", "\n", "'", '"', "[", "]", "{", "}", "&a ", "*a", "!x",
    "!!int ", "? ", "| ", ">", "%YAML 9.9\n", "#", "<<: ", "\0", "\x85", "\u2028", "\ufeff", "\r",
    "null", "id: ", "reference:", "1e999", ".nan", "~", "\\", "\x1b[31m", "\U0001f600", "@", "`",
)  # fmt: skip


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(reader, "_Loader", getattr(yaml, request.param))
    return str(request.param)


def read(folder: Path, raw: bytes) -> list[Task] | list[tuple[int, str]]:
    """Load a file; every place that is told must be in it, and every text must be printable."""
    path = folder / "x.task.yaml"
    path.write_bytes(raw)
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    tasks: list[Task] = []
    problems: tuple[Problem, ...] = ()
    try:
        tasks = load_file(path)
    except TaskFileError as error:
        problems = error.problems
    assert tasks or problems
    assert all(isinstance(task, Task) and 1 <= task.line <= lines for task in tasks)
    for problem in problems:
        assert problem.path == path
        assert 1 <= problem.line <= lines
        assert problem.message.isprintable()
    return tasks or [(problem.line, problem.message) for problem in problems]


def only_mistake(folder: Path, raw: bytes) -> tuple[int, str]:
    found = read(folder, raw)
    assert len(found) == 1
    (mistake,) = found
    assert isinstance(mistake, tuple)
    return mistake


anything = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")),
    st.lists(st.sampled_from([*PIECES, TASK, "x"]), max_size=40).map("".join).map(str.encode),
)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(raw=anything)
@example(raw=b"a: 'b\n")
@example(raw=b"a: [\n\n\n")
def test_any_bytes_give_tasks_or_places(tmp_path: Path, parser: str, raw: bytes) -> None:
    read(tmp_path, raw)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), cuts=st.integers(1, 4))
def test_any_damage_to_a_good_file_gives_tasks_or_places(
    tmp_path: Path, parser: str, seed: int, cuts: int
) -> None:
    chance = random.Random(seed)
    text = RICH
    for _ in range(cuts):
        begin = chance.randrange(len(text) + 1)
        end = min(len(text), begin + chance.choice([0, 0, 1, 5, 20]))
        text = text[:begin] + chance.choice(("", *PIECES)) + text[end:]
    read(tmp_path, text.encode())


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    document=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from([*Task.model_fields, "static", "dynamic", "other"]),
                inner,
                max_size=6,
            )
        ),
        max_leaves=12,
    )
)
def test_any_data_in_place_of_a_task_gives_tasks_or_places(
    tmp_path: Path, document: object
) -> None:
    read(tmp_path, yaml.safe_dump(document, allow_unicode=True).encode("utf-8", "replace"))


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "[\n", "{a: ", "[{a: "])
@pytest.mark.parametrize("start", ["", "a: "])
def test_deep_nesting_is_refused(tmp_path: Path, parser: str, opening: str, start: str) -> None:
    found = read(tmp_path, (start + opening * 100_000).encode())
    assert len(found) == 1


def test_nesting_is_told_with_its_line(tmp_path: Path, parser: str) -> None:
    line, message = only_mistake(tmp_path, TASK.encode() + b"reference:\n  static: " + b"[" * 30)
    assert line == 5
    assert message.startswith("values are nested more than 20 levels deep here; ")


def test_a_flood_of_aliases_is_refused(tmp_path: Path, parser: str) -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    line, message = only_mistake(tmp_path, "\n".join(lines).encode())
    assert line == 4
    assert message.startswith("with *a2, the aliases of this document stand for more than 20000 ")


def test_a_long_text_repeated_by_aliases_is_refused(tmp_path: Path, parser: str) -> None:
    raw = f"a: &a {'x' * 9_000}\nb: [{', '.join(['*a'] * 9)}]\n".encode()
    assert only_mistake(tmp_path, raw)[1].startswith("with *a, the aliases of this document stand")


def test_an_alias_of_itself_is_refused(tmp_path: Path, parser: str) -> None:
    line, message = only_mistake(tmp_path, TASK.encode() + b"reference: &r\n  static: *r\n")
    assert (line, message) == (5, "*r refers to itself; write the value out")


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        ('!!python/object/apply:os.system ["touch hacked"]', "!!python/object/apply:os.system"),
        ("!!python/name:os.system x", "!!python/name:os.system"),
        ("!important text", "!important"),
        ("!!str text", "!!str"),
        ("! text", "!"),
    ],
)
def test_tags_are_refused_and_nothing_runs(
    tmp_path: Path, parser: str, monkeypatch: pytest.MonkeyPatch, value: str, tag: str
) -> None:
    monkeypatch.chdir(tmp_path)
    line, message = only_mistake(tmp_path, f"id: a\ndomain: b\nquery: {value}\n".encode())
    assert line == 3
    assert message.startswith(f'the YAML tag "{tag}" is refused: a task is plain data; ')
    assert not (tmp_path / "hacked").exists()


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.task.yaml"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("the file was read"))
    with pytest.raises(TaskFileError, match=r"the file has 100.0 MB, more than the 32 MB"):
        load_file(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are needed")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "x.task.yaml"
    os.mkfifo(path)
    with pytest.raises(TaskFileError, match="this is not a file"):
        load_file(path)


@pytest.mark.parametrize(
    ("raw", "line", "message"),
    [
        (
            b"id: a\ndomain: b\nquery: caf\xe9\n",
            3,
            "byte 11 of this line (0xE9) is not UTF-8; save the file as UTF-8, or type the "
            "character anew",
        ),
        (b"id: a\nquery: x\0y\n", 2, "the invisible character U+0000 (NUL) stands at column 9; "),
        (b"id: a\nquery: \x1b[31m\n", 2, "the invisible character U+001B (ESC) stands at column "),
        ("id: a\nquery: x\u2028y\n".encode(), 2, "the invisible character U+2028 (LINE SEPARATOR"),
        (b'id: a\ndomain: b\nquery: "x\\0"\n', 3, "the text between the quotes holds the invisi"),
        ("id: a\n".encode("utf-16"), 1, "the file is UTF-16; save it as UTF-8"),
    ],
)
def test_bytes_that_are_no_text_are_told(
    tmp_path: Path, parser: str, raw: bytes, line: int, message: str
) -> None:
    number, told = only_mistake(tmp_path, raw)
    assert number == line
    assert told.startswith(message)


def test_a_bad_byte_hides_no_mistake_of_another_document(tmp_path: Path, parser: str) -> None:
    found = read(tmp_path, b"id: caf\xe9\n---\nid: A\ndomain: b\nquery: c\n---\n" + TASK.encode())
    assert [mistake[0] for mistake in found if isinstance(mistake, tuple)] == [1, 3]


@pytest.mark.parametrize("key", ["[a]: b", "{a: b}: c", "? [a]\n: b"])
def test_a_key_that_is_no_word_is_refused(tmp_path: Path, parser: str, key: str) -> None:
    line, message = only_mistake(tmp_path, f"id: a\n{key}\n".encode())
    assert line == 2
    assert message.startswith("a list or mapping stands here where a key must stand; ")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"key{n}: {n}\n" for n in range(20_000)),
        "id: a\n" * 20_000,
        "x: [" + "," * 200_000,
        "- a\n" * 200_000,
        "\x01\n" * 200_000,
        "---\n" * 200_000,
        "#\n" * 200_000,
    ],
    ids=["unknown keys", "one key", "entries", "lines", "invisible", "documents", "comments"],
)
def test_a_flood_of_mistakes_is_cut_short(tmp_path: Path, text: str) -> None:
    assert len(read(tmp_path, text.encode())) <= reader.MAX_PROBLEMS + 1
