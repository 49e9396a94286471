"""Task files as pytest items: what is collected, how it is selected, what stays outside."""

from __future__ import annotations

import pytest

from kit import Benchmark

HOSTILE = "raise SystemExit('this file was imported')\n"


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and not line.startswith("ERROR")]


@pytest.fixture
def games(benchmark: Benchmark) -> Benchmark:
    benchmark.task("snake", file="bench/arcade.task.yaml", domain="games", level="hard")
    benchmark.task("memory", file="bench/cards.task.yaml", domain="games", level="easy")
    benchmark.task("notes", file="bench/office.task.yaml", domain="tools", level="hard")
    return benchmark


def collect(benchmark: Benchmark, *arguments: str) -> list[str]:
    return collected(benchmark.run("--collect-only", "-q", *arguments))


def test_each_task_is_an_item_named_after_its_file_and_id(games: Benchmark) -> None:
    assert collect(games) == [
        "bench/arcade.task.yaml::snake[chromium]",
        "bench/cards.task.yaml::memory[chromium]",
        "bench/office.task.yaml::notes[chromium]",
    ]


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (["-k", "games"], ["snake", "memory"]),
        (["-k", "games and hard"], ["snake"]),
        (["-m", "appbench(domain='tools')"], ["notes"]),
        (["-m", "appbench", "--strict-markers"], ["snake", "memory", "notes"]),
        (["bench/cards.task.yaml::memory"], ["memory"]),
        (["bench/cards.task.yaml::memory[chromium]"], ["memory"]),
        (["--deselect", "bench/arcade.task.yaml"], ["memory", "notes"]),
        (["-p", "no:xdist", "-k", "notes"], ["notes"]),
    ],
)
def test_pytests_own_selection_selects_tasks(
    games: Benchmark, selection: list[str], names: list[str]
) -> None:
    found = [line.partition("::")[2].partition("[")[0] for line in collect(games, *selection)]
    assert found == names


def test_every_browser_makes_its_own_item(games: Benchmark) -> None:
    names = collect(games, "--browser", "chromium", "--browser", "firefox", "-k", "notes")
    assert names == [
        "bench/office.task.yaml::notes[chromium]",
        "bench/office.task.yaml::notes[firefox]",
    ]


def test_a_conftest_beside_the_tasks_parametrises_its_tasks(games: Benchmark) -> None:
    games.write(
        "bench/conftest.py",
        """
        import pytest

        @pytest.fixture(params=["a", "b"], autouse=True)
        def flavour(request):
            return request.param
        """,
    )
    assert [line.partition("::")[2] for line in collect(games, "-k", "notes")] == [
        "notes[a-chromium]",
        "notes[b-chromium]",
    ]


def test_all_mistakes_of_all_files_are_reported_at_once_and_the_rest_is_collected(
    games: Benchmark,
) -> None:
    games.write("bench/bad.task.yaml", "id: Bad Id\ndomain: x\nquery: q\nlevle: easy\n")
    games.write("bench/worse.task.yaml", "id: worse\n")
    result = games.run("--collect-only", "-q")
    text = result.stdout.str()
    assert "bad.task.yaml:1:" in text
    assert "bad.task.yaml:4:" in text
    assert "worse.task.yaml:1:" in text
    assert len(collected(result)) == 3
    assert "Traceback" not in text
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_an_id_used_twice_in_a_folder_names_both_places(games: Benchmark) -> None:
    games.task("snake", file="bench/zoo.task.yaml", app=None, checks=None)
    games.task("snake", file="elsewhere/zoo.task.yaml")
    text = games.run("--collect-only", "-q").stdout.str()
    assert "arcade.task.yaml:" in text
    assert "zoo.task.yaml:" in text
    assert "elsewhere/zoo.task.yaml::snake[chromium]" in text


def test_nothing_that_came_from_an_app_is_ever_collected(games: Benchmark) -> None:
    fenced = [
        "bench/apps/snake/good",
        "bench/apps",
        "out/snake",
        "runs/20260101T000000Z-abcd/tasks/x",
        ".appbench-cache/artifacts/ab",
    ]
    for folder in fenced:
        games.write(f"{folder}/conftest.py", HOSTILE)
        games.write(f"{folder}/test_hostile.py", HOSTILE)
        games.write(f"{folder}/hostile.task.yaml", "id: hostile\ndomain: games\nquery: q\n")
    # pytest skips hidden folders by default; the fence must hold without that
    result = games.run(
        "--collect-only",
        "-q",
        "--appbench-generator=dir:out",
        "--appbench-run-dir=runs",
        "-o",
        "norecursedirs=",
    )
    assert result.ret == 0
    assert len(collected(result)) == 3


def test_apps_beside_task_files_of_another_name_are_fenced_too(benchmark: Benchmark) -> None:
    benchmark.task(file="bench/tools.app.yml")
    benchmark.write("bench/apps/counter/good/conftest.py", HOSTILE)
    benchmark.write("bench/apps/counter/good/test_hostile.py", HOSTILE)
    listed = collect(benchmark, "-o", "appbench_task_files=*.app.yml")
    assert listed == ["bench/tools.app.yml::counter[chromium]"]


@pytest.mark.parametrize("word", ["--fixtures", "--fixtures-per-test", "--setup-plan"])
def test_what_only_shows_begins_no_run(games: Benchmark, word: str) -> None:
    result = games.run(word, "-o", "appbench_gate=pass_rate >= 1")
    assert result.ret == 0
    assert games.runs() == []


def test_an_apps_folder_without_tasks_beside_it_is_the_users_own(games: Benchmark) -> None:
    games.write("src/apps/test_mine.py", "def test_mine(): pass\n")
    assert "src/apps/test_mine.py::test_mine" in collect(games)


def test_without_the_plugin_nothing_of_it_runs(games: Benchmark) -> None:
    result = games.run("--collect-only", "-q", "-p", "no:appbench")
    assert collected(result) == []
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "appbench" not in result.stdout.str()


def test_a_repository_without_task_files_sees_and_imports_nothing(
    benchmark: Benchmark,
) -> None:
    benchmark.write(
        "test_plain.py",
        """
        import sys

        HEAVY = {"playwright", "yaml", "pydantic", "anyio.from_thread", "anthropic", "openai"}

        def test_imports():
            assert not HEAVY & sys.modules.keys()
        """,
    )
    # these plugins import some of them for reasons of their own
    foreign = ["playwright", "asyncio", "anyio", "hypothesispytest", "html", "metadata", "base_url"]
    blocked = [word for name in foreign for word in ("-p", f"no:{name}")]
    result = benchmark.run(*blocked)
    result.assert_outcomes(passed=1)
    assert "appbench" not in "".join(
        line for line in result.outlines if not line.startswith(("plugins:", "rootdir:"))
    )
    assert benchmark.runs() == []
    assert not (benchmark.root / ".appbench-cache").exists()


def test_a_bad_option_is_a_usage_error(games: Benchmark) -> None:
    result = games.run("--appbench-generator=refrence")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "did you mean 'reference:faulty'" in result.stderr.str()


def test_async_tests_without_a_page_come_before_tasks(games: Benchmark) -> None:
    games.write("zz/test_async.py", "async def test_async(): pass\n")
    games.write("zz/test_plain.py", "def test_plain(): pass\n")
    names = [line.partition("::")[2].partition("[")[0] for line in collect(games)]
    assert names == ["test_async", "snake", "memory", "notes", "test_plain"]
