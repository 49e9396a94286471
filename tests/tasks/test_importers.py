"""Tasks of other benchmarks become task files that load, and go back where the format allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_appbench.cli import main
from pytest_appbench.tasks.importers import Draft, known
from pytest_appbench.tasks.importing import ids_of
from pytest_appbench.tasks.load import load_file
from pytest_appbench.tasks.model import Task
from pytest_appbench.tasks.reader import REFUSED, read_documents
from pytest_appbench.tasks.writing import document_text, readable


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def as_json(path: str, *records: Any) -> None:
    write(path, json.dumps(records, indent=2))


def as_lines(path: str, *records: Any) -> None:
    write(path, "".join(json.dumps(record) + "\n" for record in records))


def tasks_in(folder: str) -> dict[str, Task]:
    files = sorted(Path(folder).glob("*.task.yaml"))
    return {task.id: task for file in files for task in load_file(file)}


def query(index: int = 1, /, **fields: Any) -> dict[str, Any]:
    """A record of MiniAppBench."""
    reference = {
        "intention": ["Heavier bobs keep the same period"],
        "static": ["A slider labelled Length: 10 to 200 cm"],
        "dynamic": ["Reset restores the first state", "A length of 0 is refused"],
    }
    return {
        "index": index,
        "class": "Science",
        "subclass": "Virtual Laboratory",
        "query": "Build a pendulum lab with a slider for the length.",
        "level": "Mid",
        "eval-reference": json.dumps(reference),
        **fields,
    }


def test_miniappbench_goes_in_and_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    as_json("query.json", query(7), query(9, **{"class": "Games", "query": "Sudoku", "level": ""}))
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 0
    said = capsys.readouterr().out
    assert "bench/games.task.yaml: 1 task\nbench/science.task.yaml: 1 task\n" in said
    assert "not held by a task: index (2 records)" in said
    assert "2 tasks in 2 files: all good" in said
    lab = tasks_in("bench")["pendulum-lab-slider-length"]
    assert (lab.domain, lab.subclass, lab.level) == ("science", "virtual-laboratory", "mid")
    assert lab.reference.dynamic == ("Reset restores the first state", "A length of 0 is refused")
    assert "sudoku" in tasks_in("bench")

    assert main(["export", "miniappbench", "bench", "-o", "out.json"]) == 0
    games, science = json.loads(Path("out.json").read_text())
    assert {**science, "index": 7} == query(7)
    assert games["level"] == ""
    assert main(["import", "miniappbench", "out.json", "-o", "again"]) == 0
    assert {
        name: task.model_dump(exclude={"path"}) for name, task in tasks_in("again").items()
    } == {name: task.model_dump(exclude={"path"}) for name, task in tasks_in("bench").items()}


@pytest.mark.parametrize(
    "reference",
    [
        {
            "intention": ["One"],
            "Static": "1. Two\n   goes on\n2. Three",
            "dynamic": [{"text": "Four"}],
        },
        '```json\n{"intention": ["One"], "static": ["Two goes on", "Three"], "dynamic": ["Four"]}\n```',
        '{"intention": "One", "static": "- Two\tgoes on\n- Three", "dynamic": {"1": "Four"}}',
    ],
    ids=["an object", "fenced", "texts with raw line ends"],
)
def test_references_are_read_as_people_and_models_write_them(reference: Any) -> None:
    as_json("query.json", query(**{"eval-reference": reference}))
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 0
    (task,) = tasks_in("bench").values()
    found = [*task.reference.intention, *task.reference.static, *task.reference.dynamic]
    assert [" ".join(text.split()) for text in found] == ["One", "Two goes on", "Three", "Four"]


def test_bad_records_are_named_and_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    good = json.dumps(query(), indent=2).replace("\n", "\n  ")
    bad = [
        json.dumps(query(**{"eval-reference": '{"intention": ['})),
        json.dumps({"index": 3, "class": "Games"}),
        '{"index": 4, "query": ',
        '"only text"',
        json.dumps(query(level="extreme")),
        json.dumps(query(**{"class": None})),
        json.dumps(query(**{"eval-reference": [1]})),
    ]
    write("query.json", "[\n  " + ",\n  ".join([*bad, good]) + "\n]")
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 1
    said = capsys.readouterr().err
    # what cannot be read as JSON takes the record with it that does not begin as the first does
    for line, told in (
        (2, 'record 1: "eval-reference" is not JSON: expecting value at line 1 column 16; mend it'),
        (3, 'record 2: it has no "query", only "index", "class"; add it'),
        (4, "record 3: it is not JSON: "),
        (6, 'record 4: "level" is the text "extreme"; write easy, mid or hard'),
        (7, 'record 5: it has no "class", which is the domain; add it'),
        (8, 'record 6: "eval-reference" must be an object with intention, static and dynamic'),
    ):
        assert f"query.json:{line}: {told}" in said
    assert "6 of 7 records cannot become a task, so nothing was written" in said
    assert not Path("bench").exists()

    assert main(["import", "miniappbench", "query.json", "-o", "bench", "--skip-invalid"]) == 0
    assert "left out: 6 of 7 records" in capsys.readouterr().out
    assert list(tasks_in("bench")) == ["pendulum-lab-slider-length"]


def test_a_source_without_any_record_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for text, told in (
        ("", "the file is empty"),
        ("7", "a list of records is wanted, but this is the number 7"),
        ("[]", "no record that can become a task"),
    ):
        write("query.json", text)
        assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 2
        assert told in capsys.readouterr().err
    for source, told in (("no.json", "there is no such file"), (".", "this is a folder")):
        assert main(["import", "miniappbench", source, "-o", "bench"]) == 2
        assert told in capsys.readouterr().err
    assert not Path("bench").exists()


def test_webgen_bench_goes_in_and_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    def case(task: str, expected: str, kind: str) -> dict[str, Any]:
        category = {"primary_category": kind, "subcategories": ["Searching"]}
        return {"task": task, "expected_result": expected, "task_category": category}

    record: dict[str, Any] = {
        "id": "000001",
        "instruction": "Please implement a website for seed catalogues. Use ivory.",
        "Category": {"primary_category": "Data Management", "subcategories": ["CRUD"]},
        "application_type": "Analytics Platforms/Dashboards",
        "ui_instruct": [
            case("Search for beans.", "Beans are listed.", "Functional Testing"),
            case("Look at the page.", "It is ivory.", "Design Validation Testing"),
        ],
    }
    as_lines("test.jsonl", record)
    assert main(["import", "webgen-bench", "test.jsonl", "-o", "bench"]) == 0
    said = capsys.readouterr().out
    assert "not held by a task: ui_instruct.task_category (1 record)" in said
    task = tasks_in("bench")["seed-catalogues-use-ivory"]
    assert (task.domain, task.subclass) == ("analytics-platforms-dashboards", "data-management")
    assert task.reference.dynamic == ("Search for beans. Expected: Beans are listed.",)
    assert task.reference.static == ("Look at the page. Expected: It is ivory.",)

    assert main(["export", "webgen-bench", "bench", "-o", "out.jsonl"]) == 0
    back = json.loads(Path("out.jsonl").read_text())
    for each in (record, back):
        each["Category"]["subcategories"] = []
        each["application_type"] = str(each["application_type"]).replace("/", " ")
        for found in each["ui_instruct"]:
            found["task_category"]["subcategories"] = []
    assert back == record

    del record["ui_instruct"][0]["task"]
    as_lines("test.jsonl", record)
    assert main(["import", "webgen-bench", "test.jsonl", "-o", "other"]) == 1
    told = 'test.jsonl:1: record 1: test case 1 of "ui_instruct" has no "task"; add it'
    assert told in capsys.readouterr().err


def test_webtestbench_keeps_what_must_hold_and_not_the_labels_of_one_app(
    capsys: pytest.CaptureFixture[str],
) -> None:
    items: list[dict[str, Any]] = [
        {"id": 1, "content": "Books can be lent", "class": "functionality", "pass": True},
        {
            "id": 2,
            "content": "No book is lent twice",
            "class": "constraint",
            "pass": False,
            "bug": "it is",
        },
        {"id": 3, "content": "The list follows the filter", "class": "interaction", "pass": True},
        {"id": 4, "content": "Titles are whole", "class": "content", "pass": True},
    ]
    record: dict[str, Any] = {"index": "WebTestBench_0001", "instruction": "I want a lending library.", "category": "Search", "checklist": items}  # fmt: skip
    as_lines("data.jsonl", record)
    assert main(["import", "webtestbench", "data.jsonl", "-o", "bench"]) == 0
    said = capsys.readouterr().out
    assert "not held by a task: checklist.bug (1 record)" in said
    assert "not held by a task: checklist.pass (1 record)" in said
    task = tasks_in("bench")["lending-library"]
    assert task.domain == "search"
    assert task.reference.intention == ("Books can be lent",)
    assert task.reference.static == ("Titles are whole",)
    assert task.reference.dynamic == ("No book is lent twice", "The list follows the filter")
    assert "it is" not in Path("bench/search.task.yaml").read_text()

    assert main(["export", "webtestbench", "bench", "-o", "out.jsonl"]) == 2
    assert "webtestbench can only be imported" in capsys.readouterr().err
    items[0]["class"] = "speed"
    as_lines("data.jsonl", record)
    assert main(["import", "webtestbench", "data.jsonl", "-o", "other"]) == 1
    told = 'the class of item 1 of "checklist" is the text "speed"; write one of functionality'
    assert told in capsys.readouterr().err


def test_realdevbench_brings_its_materials(capsys: pytest.CaptureFixture[str]) -> None:
    record = {
        "label": "Blog visits",
        "category": "Dashboard",
        "scenario": "Analysis",
        "feature_list": "1. Charts by month\n2. Export as CSV",
        "prompt": "Analyse the visits of my blog.",
        "files": ["visits/data.csv", "more/data.csv"],
    }
    as_lines("set/full.jsonl", record)
    write("set/data/benchmark/visits/data.csv", "day,visits\n")
    write("set/more/data.csv", "day\n")
    assert main(["import", "realdevbench", "set/full.jsonl", "-o", "bench"]) == 0
    task = tasks_in("bench")["blog-visits"]
    assert (task.domain, task.subclass, task.protocol) == ("analysis", "dashboard", "cases")
    assert task.features == ("Charts by month", "Export as CSV")
    assert task.materials == ("materials/blog-visits/data.csv", "materials/blog-visits/data-2.csv")
    assert Path("bench", task.materials[0]).read_text() == "day,visits\n"

    assert main(["export", "realdevbench", "bench", "-o", "out"]) == 0
    assert main(["import", "realdevbench", "out/dataset.jsonl", "-o", "again"]) == 0
    (again,) = tasks_in("again").values()
    assert again.model_dump(exclude={"path"}) == task.model_dump(exclude={"path"})
    capsys.readouterr()

    for name, told in (
        ("../secret.csv", "leads out of the data set's folder; copy it"),
        ("/etc/hostname", "leads out of the data set's folder; copy it"),
        ("test_x.py", 'pytest would run the file "test_x.py"'),
        ("gone.csv", "is not beside the records; fetch the files of the data set too"),
    ):
        write("secret.csv", "")
        write("set/test_x.py", "")
        as_lines("set/full.jsonl", {**record, "files": [name]})
        assert main(["import", "realdevbench", "set/full.jsonl", "-o", "other"]) == 1
        assert told in capsys.readouterr().err


def test_appevalpilot_names_its_records() -> None:
    cases = {"0": {"case_desc": "Press Add", "result": "Pass", "evidence": "it adds"}}
    record = {"Shop": {"requirement": "A shop for tea.", "test_cases": cases, "url": ""}}
    write("cases.json", json.dumps(record))
    assert main(["import", "realdevbench", "cases.json", "-o", "bench"]) == 0
    assert tasks_in("bench")["shop"].reference.dynamic == ("Press Add",)


def test_web_bench_projects_are_copied_whole(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [{"id": f"task-{n}", "date": "2025-05-12", "level": "easy", "description": f"Step {n}: it"} for n in (1, 2)]  # fmt: skip
    write("projects/notes/tasks.yml", yaml.safe_dump(steps))
    as_lines("projects/chess/tasks.jsonl", *steps)
    for name in ("notes", "chess"):
        write(f"projects/{name}/test/task-1.spec.js", "test('x', () => {})")
        write(f"projects/{name}/src-init/index.html", "<p>")
        write(f"projects/{name}/node_modules/x/index.js", "")
    write("projects/notes/conftest.py", "raise SystemExit('run by pytest')")
    write("projects/README.md", "")
    assert main(["import", "web-bench", "projects", "-o", "bench"]) == 0
    assert 'not held by a task: "conftest.py" of a project (1 record)' in capsys.readouterr().out
    found = tasks_in("bench")
    assert sorted(found) == ["chess", "notes"]
    notes = found["notes"]
    assert (notes.protocol, notes.steps) == ("webbench", "projects/notes")
    assert notes.query.endswith("\n\n1. Step 1: it\n2. Step 2: it")
    copied = {p.relative_to("bench").as_posix() for p in Path("bench/projects/notes").rglob("*")}
    assert copied == {
        *("projects/notes/tasks.yml", "projects/notes/test", "projects/notes/test/task-1.spec.js"),
        *("projects/notes/src-init", "projects/notes/src-init/index.html"),
    }

    assert main(["export", "web-bench", "bench", "-o", "out"]) == 0
    assert main(["import", "web-bench", "out/notes", "-o", "again"]) == 0
    assert tasks_in("again")["notes"].query == notes.query
    capsys.readouterr()

    write("projects/chess/tasks.jsonl", '{"id": "task-1"}\n')
    write("projects/bare/tasks.yml", "- {id: task-1, description: x}")
    write("projects/broken/tasks.yml", "- id: [")
    assert main(["import", "web-bench", "projects", "-o", "other"]) == 1
    said = capsys.readouterr().err
    assert 'projects/chess/tasks.jsonl:1: line 1: record 1: it has no "description"' in said
    assert "projects/bare:1: the project has no folder test" in said
    assert "projects/broken/tasks.yml:1: line 1: a list or mapping in brackets is not" in said


def test_webgamebench_specifications_are_copied_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    brick = "# Brick Breaker - Structured WebGame Specification\n\n## Game overview\n\nBreak.\n"
    write("specs/action/brick.md", brick)
    write("specs/tile-match.md", "# Game overview\nMatch.\n# Page and flow\nOne page.\n")
    write("specs/README.md", "# Specifications")
    assert main(["import", "webgamebench", "specs", "-o", "bench"]) == 0
    found = tasks_in("bench")
    assert sorted(found) == ["brick-breaker", "tile-match"]
    task = found["brick-breaker"]
    assert (task.domain, task.subclass, task.protocol) == ("games", "action", "webgame")
    assert task.query == "Build the browser game that the specification describes: Brick Breaker"
    assert Path("bench", task.spec or "").read_text() == brick

    assert main(["export", "webgamebench", "bench", "-o", "out"]) == 0
    assert Path("out/action/brick-breaker.md").read_text() == brick
    capsys.readouterr()
    write("specs/notes.md", "no heading")
    write("specs/empty.md", " ")
    Path("specs/link.md").symlink_to("/etc/hostname")
    assert main(["import", "webgamebench", "specs", "-o", "other"]) == 1
    said = capsys.readouterr().err
    assert "specs/notes.md:1: no heading" in said
    assert "specs/empty.md:1: the file is empty" in said
    assert "specs/link.md:1: the link leads out of the folder" in said


def test_what_is_there_is_replaced_only_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    as_json("query.json", query())
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 0
    write("bench/own.task.yaml", "id: mine\ndomain: games\nquery: Mine\n")
    first = Path("bench/science.task.yaml").read_text()
    as_json("query.json", query(query="Another lab"))
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 2
    assert "bench/science.task.yaml would be replaced" in capsys.readouterr().err
    assert Path("bench/science.task.yaml").read_text() == first

    assert main(["import", "miniappbench", "query.json", "-o", "bench", "--force"]) == 0
    assert sorted(tasks_in("bench")) == ["another-lab", "mine"]
    as_json("query.json", query(query="Mine"))
    assert main(["import", "miniappbench", "query.json", "-o", "bench", "--force"]) == 2
    assert 'bench/own.task.yaml:1: the id "mine" is taken here already' in capsys.readouterr().err
    assert sorted(tasks_in("bench")) == ["another-lab", "mine"]
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []

    write("out/kept.txt", "")
    assert main(["export", "web-bench", "bench", "-o", "out", "--force"]) == 2
    assert "the folder is not empty" in capsys.readouterr().err


def test_imported_tasks_are_collected_by_pytest(pytester: pytest.Pytester) -> None:
    hostile = "---\nid: x\n#% {a: b}\n- 'no': [\" \\ & *x !t | >\n\ttab ﻿ \u2028 \x1b[31m \ud800"
    as_lines(
        "test.jsonl",
        {"id": "1", "instruction": hostile, "application_type": "defaults"},
        {"id": "2", "instruction": "画一个日历", "application_type": "no"},
        {"id": "3", "instruction": "画一个时钟", "application_type": "no"},
    )
    assert main(["import", "webgen-bench", "test.jsonl", "-o", "bench"]) == 0
    result = pytester.runpytest_subprocess(
        "--collect-only", "-q", "-p", "no:cacheprovider", "bench"
    )
    result.stdout.fnmatch_lines(
        [
            "bench/defaults.1.task.yaml::id-x-b-no-x-t?chromium?",
            "bench/no.task.yaml::no-2?chromium?",
            "bench/no.task.yaml::no-3?chromium?",
            "3 tests collected*",
        ]
    )


def test_large_domains_are_split_into_files() -> None:
    as_json("query.json", *(query(n, query=f"Request number {n}") for n in range(1_100)))
    assert main(["import", "miniappbench", "query.json", "-o", "bench"]) == 0
    assert sorted(path.name for path in Path("bench").iterdir()) == [
        "science.2.task.yaml",
        "science.task.yaml",
    ]
    assert len(tasks_in("bench")) == 1_100


def test_an_unknown_format_is_answered_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["import", "mini-app-bench", "x", "-o", "y"]) == 2
    said = capsys.readouterr().err
    assert "did you mean miniappbench?" in said
    with pytest.raises(SystemExit):
        main(["import", "--help"])
    shown = capsys.readouterr().out
    for form in known().values():
        assert f"  {form.name}" in said
        assert form.help in shown


def draft(title: str, own: str = "", **keys: Any) -> Draft:
    return Draft(Path("x"), 1, title, {"domain": "games", **keys}, own)


def test_ids_do_not_depend_on_the_order_of_records() -> None:
    drafts = [
        draft("Build a chess game!"),
        draft("Sudoku", "12"),
        draft("A sudoku", "Sudoku_0007"),
        draft("sudoku", query="x"),
        draft("时钟", "3"),
        draft("Ré­sumé builder"),
    ]
    found = ids_of(drafts)
    assert found[0] == "chess-game"
    assert found[1:3] == ["sudoku-12", "sudoku-sudoku-0007"]
    assert found[4:] == ["games-3", "resume-builder"]
    assert ids_of(drafts[::-1]) == found[::-1]
    assert ids_of([draft("Go"), draft("Go")])[1].endswith("-2")


@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=5)), max_size=8))
@settings(deadline=None, max_examples=150)
def test_ids_are_words_and_unique(titles: list[tuple[str, str]]) -> None:
    found = ids_of([draft(title, own) for title, own in titles])
    assert len(set(found)) == len(titles)
    for name in found:
        Task.model_validate({"id": name, "domain": "x", "query": "y", "path": "z", "line": 1})


LINES = st.text(
    st.sampled_from("a:-#'\"\\ \t\n%&*!|>{}[],?@`~=é日😀") | st.characters(), max_size=60
)


@given(LINES.map(lambda text: readable(text).strip()).filter(bool), st.lists(LINES, max_size=4))
@settings(deadline=None, max_examples=300)
def test_any_text_is_read_back_from_yaml_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, text: str, others: list[str]
) -> None:
    kept = [found for each in others if (found := readable(each).strip())]
    document = {"id": "any", "query": text, "reference": {"static": kept}, "features": [text]}
    path = tmp_path_factory.getbasetemp() / "any.task.yaml"
    path.write_text("---\n" + document_text(document) + "---\nid: next\n", encoding="utf-8")
    first, second = read_documents(path)
    assert (first.problems, first.data) == ([], document)
    assert second.data == {"id": "next"}


@given(st.text())
def test_readable_text_holds_nothing_that_a_task_file_refuses(text: str) -> None:
    assert not REFUSED.search(readable(text))


@pytest.mark.parametrize("word", ["no", "1e5", "0x1f", "1_000", "12:30", "null", "~", "2025-05-12", ".5", "+1", "<<", "="])  # fmt: skip
def test_words_that_yaml_takes_for_something_else_stay_text(here: Path, word: str) -> None:
    (here / "any.task.yaml").write_text(document_text({"query": word}))
    (document,) = read_documents(here / "any.task.yaml")
    assert document.data == {"query": word}
