"""Task files become tasks, or a list of mistakes that a person can act on."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from pytest_appbench.errors import TaskFileError
from pytest_appbench.tasks import reader
from pytest_appbench.tasks.load import Ids, load_file

TASK = """\
id: pendulum-lab
domain: science
query: Build a pendulum lab
"""


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both parsers that PyYAML may come with; they complain in different words."""
    monkeypatch.setattr(reader, "_Loader", getattr(yaml, request.param))
    return str(request.param)


def write(folder: Path, text: str | bytes, name: str = "lab.task.yaml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
    return path


def mistakes(folder: Path, text: str | bytes) -> list[tuple[int, str]]:
    path = write(folder, text)
    with pytest.raises(TaskFileError) as caught:
        load_file(path)
    assert all(problem.path == path for problem in caught.value.problems)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def test_each_document_is_a_task_that_knows_its_line(tmp_path: Path, parser: str) -> None:
    path = write(
        tmp_path,
        """\
        # two tasks
        id: pendulum-lab
        domain: science
        subclass: physics
        level: mid
        query: >
          Build a pendulum lab
          with a slider.
        reference:
          intention: [The period is right]
          dynamic:
            - Reset restores the first state
        threshold: 0.7
        seed: 7
        viewports: [1280x720, 390x844]
        ---

        id: card-sort
        domain: games
        query: Build it
        ...
        """,
    )
    lab, cards = load_file(path)
    assert (lab.id, lab.line, cards.id, cards.line) == ("pendulum-lab", 2, "card-sort", 18)
    assert lab.query == "Build a pendulum lab with a slider.\n"
    assert lab.reference.intention == ("The period is right",)
    assert lab.reference.static == ()
    assert (lab.level, lab.threshold, lab.seed) == ("mid", 0.7, 7)
    assert lab.viewports == ("1280x720", "390x844")
    assert (lab.path, lab.folder) == (path, tmp_path)
    assert cards.format == "html"


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + TASK.encode(),
        TASK.replace("\n", "\r\n").encode(),
        TASK.replace("\n", "\r").encode(),
        b"%YAML 1.2\n---\n" + TASK.encode(),
        b"# a comment\n\n---   # the task\n" + TASK.encode() + b"...\n",
        TASK.rstrip().encode(),
    ],
    ids=["byte order mark", "CRLF", "CR", "directive", "comments", "no line feed at the end"],
)
def test_what_editors_add_does_no_harm(tmp_path: Path, parser: str, text: bytes) -> None:
    (task,) = load_file(write(tmp_path, text))
    assert (task.id, task.query) == ("pendulum-lab", "Build a pendulum lab")


def test_words_that_older_yaml_takes_for_values_are_text(tmp_path: Path, parser: str) -> None:
    path = write(
        tmp_path,
        """\
        id: no
        domain: on
        query: 2024-01-31
        reference: {static: [yes, 12:30, 1_000, 0x10]}
        """,
    )
    (task,) = load_file(path)
    assert (task.id, task.domain, task.query) == ("no", "on", "2024-01-31")
    assert task.reference.static == ("yes", "12:30", "1_000", "0x10")


def test_a_small_alias_is_the_value_it_stands_for(tmp_path: Path, parser: str) -> None:
    path = write(tmp_path, TASK + "reference:\n  static: &s [One]\n  dynamic: *s\n")
    assert load_file(path)[0].reference.dynamic == ("One",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "id: Pendulum Lab",
            '"id" must be a word of lower-case letters, digits, "-" and "_" that begins with a '
            'letter or digit, but is the text "Pendulum Lab"; write for example "id: pendulum-lab"',
        ),
        (
            "subclass: 2048",
            '"subclass" must be a word of lower-case letters, digits, "-" and "_" that begins with '
            'a letter or digit, but is the number 2048; put it in quotes: subclass: "2048"',
        ),
        (
            "level: medium",
            '"level" must be easy, mid or hard, but is the text "medium"; write "level: mid"',
        ),
        ("levle: mid", '"levle" is not a key of a task; did you mean "level"?'),
        ("difficulty: mid", '"difficulty" is not a key of a task; did you mean "level"?'),
        (
            "xyz: 1",
            '"xyz" is not a key of a task; its keys are id, domain, subclass, level, query, '
            "reference, format, project, protocol, features, materials, spec, steps, language, threshold, seed, viewports",
        ),
        ("line: 3", '"line" is not a key of a task; its keys are id, domain, subclass, '),
        (
            "static: [One]",
            '"static" belongs under "reference"; indent it, or write "reference:" above it',
        ),
        ("<<: {level: mid}", "merge keys (<<) are not read; write what several tasks share into "),
        (
            "threshold: 80",
            '"threshold" must be a number from 0 to 1, but is the number 80; write '
            '"threshold: 0.8"',
        ),
        (
            'threshold: "0.5"',
            '"threshold" must be a number from 0 to 1, but is the text "0.5"; write it without '
            'quotes: "threshold: 0.5"',
        ),
        ("threshold: true", '"threshold" must be a number from 0 to 1, but is the truth value t'),
        ("seed: -1", '"seed" must be a whole number from 0 to 4294967295, but is the number -1; '),
        ("seed: " + "9" * 5000, '"seed" must be a whole number from 0 to 4294967295, but is the '),
        (
            "project: {serve: node server.js}",
            '"project" says how an app with a server of its own is run; write "format: project", or '
            "delete the key",
        ),
        (
            "format: vue",
            '"format" must be html, react or project, but is the text "vue"; write "format: html" (pages '
            "that run as they are), or delete the key",
        ),
        (
            "viewports: 1280 x 720",
            '"viewports" must be a list of window sizes, but is the text "1280 x 720"; write '
            '"viewports: [1280x720]"',
        ),
        (
            "viewports: [1280x720, 390 x 844]",
            'entry 2 of "viewports" must be a window size in CSS pixels, width x height, without '
            'spaces, but is the text "390 x 844"; write for example 390x844',
        ),
        ("viewports: []", '"viewports" must be a list of window sizes, but is an empty list; wri'),
        (
            "reference: {static: One slider}",
            '"reference.static" must be a list of statements, but is the text "One slider"; write '
            'each statement on an indented line of its own, after "- "',
        ),
        (
            "reference: {dynamics: [One]}",
            '"dynamics" is not a key of the reference; did you mean "dynamic"?',
        ),
        ("reference: {query: One}", '"query" belongs to the task, not under "reference"; indent '),
        ("reference: [One]", '"reference" must be a mapping of intention, static and dynamic to '),
    ],
)
def test_a_mistake_is_told_with_what_to_write_instead(
    tmp_path: Path, line: str, message: str
) -> None:
    text = "\n".join(each for each in TASK.splitlines() if each[:4] != line[:4]) + "\n"
    ((number, told),) = mistakes(tmp_path, f"{text}{line}\n")
    assert number == text.count("\n") + 1
    assert told.startswith(message)


@pytest.mark.parametrize(
    ("project", "line", "message"),
    [
        (
            "",
            1,
            'the task "pendulum-lab" has no "project"; add for example "project: {serve: node ',
        ),
        (
            "project: {build: make}",
            5,
            '"project" has no "serve"; add for example "serve: node server.js", indented, below it',
        ),
        (
            "project: {serve: node server.js, port: 80}",
            5,
            '"port" is not a key of a project; its keys are packages, install, build, serve, ready',
        ),
        (
            "project: {serve: 1}",
            5,
            '"project.serve" must be a command, as text, but is the number 1; ',
        ),
        (
            "project:\n  serve: x\n  ready: health",
            7,
            '"project.ready" must be a path that begins with "/", but is the text "health"; write '
            'for example "ready: /health", or delete the key',
        ),
        (
            "project: make",
            5,
            '"project" must be a mapping of commands, but is the text "make"; write ',
        ),
        (
            "project: {serve: x, packages: ../elsewhere}",
            5,
            '"project": "../elsewhere" leads out of the task\'s folder; copy it there',
        ),
    ],
)
def test_how_a_project_is_run_must_be_said_in_full(
    tmp_path: Path, project: str, line: int, message: str
) -> None:
    task = "id: pendulum-lab\ndomain: science\nquery: A lab.\nformat: project\n"
    ((number, told),) = mistakes(tmp_path, f"{task}{project}\n")
    assert number == line
    assert told.startswith(message)


def test_a_statement_with_a_colon_is_shown_in_quotes(tmp_path: Path) -> None:
    text = TASK + "reference:\n  static:\n    - Fine\n    - The result: shown in m/s\n"
    assert mistakes(tmp_path, text) == [
        (
            7,
            'entry 2 of "reference.static" must be text, but is a mapping of keys and values; YAML '
            'takes its ": " for a key; put the whole statement in quotes: '
            '- "The result: shown in m/s"',
        )
    ]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("id", 'this task has no "id"; add for example "id: pendulum-lab"'),
        (
            "domain",
            'the task "pendulum-lab" has no "domain"; add for example "domain: science", or set it '
            "for the whole folder in defaults.task.yaml",
        ),
        ("query", 'the task "pendulum-lab" has no "query"; add for example "query: '),
    ],
)
def test_a_missing_key_is_named(tmp_path: Path, key: str, message: str) -> None:
    text = "".join(line for line in TASK.splitlines(True) if not line.startswith(key))
    ((line, told),) = mistakes(tmp_path, f"---\n{text}")
    assert line == 2
    assert told.startswith(message)


def test_a_misspelt_key_is_not_told_as_missing_too(tmp_path: Path) -> None:
    assert mistakes(tmp_path, TASK.replace("query", "querry")) == [
        (3, '"querry" is not a key of a task; did you mean "query"?')
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "id: a\nquery: Build this: a lab\n",
            2,
            'the text of "query" holds ": ", which YAML takes for a second key; put the whole text '
            'in quotes, or on indented lines below "query: >"',
        ),
        ("id: a\n query: b\n", 2, 'YAML cannot take "query:" for a key here; if it is one, indent'),
        ("id: a\nquery b\ndomain: c\n", 2, '"query b" has no ": "; write "key: value", or indent'),
        ("id: a\nquery: 'b\ndomain: c\n", 2, "the text that begins with ' on this line is never "),
        ("query: 'it's'\n", 1, '"s\'" stands after the end of a value; put the whole value in '),
        ('query: "\\d"\n', 1, "between double quotes a backslash begins an escape such as \\n; "),
        ("query: *bold* text\n", 1, "text without quotes cannot begin with *; put the whole "),
        ("query: @home\n", 1, "text without quotes cannot begin with @; put the whole text in q"),
        ("query: >now\n", 1, 'nothing may follow ">" or "|" on its line; write the text on '),
        ("query: [a, b\nid: c\n", 1, "the list that begins with [ on this line lacks a comma or "),
        ("query: {\n", 1, "a list or mapping in brackets is not closed before the document ends; "),
        ("query: - b\n", 1, "a list cannot begin on the line of its key; write each "),
        ("a:\n  - b\n  c: d\n", 3, '"c: d" is indented like the entries of the list above but '),
        ("a: |\n  b\n c\n", 3, 'the indentation of "c" fits no line above; indent keys and '),
        ("id: a\n\tquery: b\n", 2, "a tab indents this line; YAML takes only spaces, so write "),
        ("query: >\n\tb\n", 2, "a tab indents this line; YAML takes only spaces, so write "),
        ("id: a\n...\nid: b\n", 3, '"id: b" begins a second task; write a line with only "---" '),
    ],
)
def test_yaml_mistakes_are_told_in_words(
    tmp_path: Path, parser: str, text: str, line: int, message: str
) -> None:
    ((number, told),) = mistakes(tmp_path, text)
    assert number == line
    assert told.startswith(message)


def test_all_mistakes_of_a_file_are_told_together(tmp_path: Path, parser: str) -> None:
    found = mistakes(
        tmp_path,
        """\
        id: a
        domain: science
        query: Build this: a lab
        ---
        - id: b
        ---
        just text
        ---
        ---
        id: c
        domain: science
        query: Fine
        ---
        id: c
        domain: Science
        query: "never closed
        ---
        id: c
        domain: Science
        domain: science
        query: Fine
        ---
        """,
    )
    assert [(line, message.partition(";")[0]) for line, message in found] == [
        (3, 'the text of "query" holds ": ", which YAML takes for a second key'),
        (
            5,
            "a task is a mapping of keys such as id, domain and query, but this document is a list",
        ),
        (
            6,
            "a task is a mapping of keys such as id, domain and query, but this document is the "
            'text "just text"',
        ),
        (8, "this document is empty"),
        (16, 'the text that begins with " on this line is never closed'),
        (18, 'the id "c" is taken already on line 10'),
        (20, 'the key "domain" is here twice, first on line 19'),
        (22, "this document is empty"),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "%YAML 1.2\n"])
def test_a_file_without_tasks_is_a_mistake(tmp_path: Path, text: str) -> None:
    ((line, message),) = mistakes(tmp_path, text)
    assert line == 1
    assert message.startswith("the file holds no task; write one")


def test_a_file_full_of_mistakes_is_not_told_to_its_end(tmp_path: Path) -> None:
    found = mistakes(tmp_path, "---\n" * 5000)
    assert len(found) == reader.MAX_PROBLEMS + 1
    assert found[-1][1] == "there may be more problems; mend those above first"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskFileError, match=r"lab.task.yaml:1: the file cannot be read: No such"):
        load_file(tmp_path / "lab.task.yaml")


def test_problems_begin_with_the_path_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TaskFileError) as caught:
        load_file(write(tmp_path, TASK + "seed: x\n"))
    assert str(caught.value).startswith('lab.task.yaml:4: "seed" must be')


def test_a_clash_of_ids_in_a_folder_names_both_places(tmp_path: Path) -> None:
    (first,) = load_file(write(tmp_path, TASK, "a.task.yaml"))
    (second,) = load_file(write(tmp_path, "---\n" + TASK, "b.task.yaml"))
    (tmp_path / "sub").mkdir()
    (elsewhere,) = load_file(write(tmp_path / "sub", TASK))
    ids = Ids()
    assert ids.claim(first) is None
    assert ids.claim(elsewhere) is None
    assert ids.claim(first) is None
    problem = ids.claim(second)
    assert problem is not None
    assert (problem.path, problem.line) == (second.path, 2)
    assert problem.message.startswith('the id "pendulum-lab" is taken already at a.task.yaml:1; ')
