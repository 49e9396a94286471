"""Structured specifications: what is read of them, and what is told of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_appbench.artifacts.asking import request_of
from pytest_appbench.tasks.load import read_file
from pytest_appbench.tasks.specification import (
    FAMILIES,
    SECTIONS,
    SpecificationError,
    parse,
)
from pytest_appbench.tasks.validate import validate

HEAD = "# Shell Pairs\n\n- Family: Puzzle/Matching\n- S: S1 | one page\n- L: L2 | one state\n\n"
POINTS = """\
- B1 entry (Start button): Pressing Start deals the shells.
- S2 spatial mapping (board): The shell that turns is
  the one that was pressed.
- T2 terminal condition: The last pair ends the game.
"""
BODY = "".join(f"## {name}\n\nWords.\n\n" for name in SECTIONS[:-1])
WHOLE = f"{HEAD}{BODY}## {SECTIONS[-1]}\n\n{POINTS}"
LEVELS = ["1133", "1233", "2234", "2344"]  # the table of C.2: S1 to S4 by L1 to L4

words = st.text("abcdefghij XYZ0189.,'", min_size=3, max_size=40).map(lambda t: f"It {t}".strip())


def problems(text: str) -> list[tuple[int, str]]:
    """What is wrong with a text."""
    with pytest.raises(SpecificationError) as raised:
        parse(text)
    return list(raised.value.problems)


def test_a_specification_is_read_with_its_points() -> None:
    found = parse(WHOLE)
    assert (found.title, found.family, found.level) == ("Shell Pairs", "Puzzle/Matching", 1)
    assert [(p.name, p.part, p.tag, p.bound) for p in found.points] == [
        ("P1", "B1", "entry", "Start button"),
        ("P2", "S2", "spatial mapping", "board"),
        ("P3", "T2", "terminal condition", "whole game"),
    ]
    assert found.points[1].text == "The shell that turns is the one that was pressed."
    assert [point.is_spatial for point in found.points] == [False, True, False]
    assert found.sections["Game overview"] == "Words."


@pytest.mark.parametrize("structure", [1, 2, 3, 4])
@pytest.mark.parametrize("logic", [1, 2, 3, 4])
def test_the_published_table_gives_the_level(structure: int, logic: int) -> None:
    text = WHOLE.replace("S: S1", f"S: S{structure}").replace("L: L2", f"L: L{logic}")
    level = int(LEVELS[structure - 1][logic - 1])
    assert parse(text).level == level
    line, told = problems(text.replace("- S:", f"- D: D{5 - level}\n- S:"))[0]
    assert (line, f"make D{level} by the published table" in told) == (4, True)


def test_the_table_wins_over_the_sentence_about_the_fourth_scale() -> None:
    assert parse(WHOLE.replace("S: S1", "S: S4")).level == 3


@given(
    st.sampled_from(FAMILIES),
    st.integers(1, 4),
    st.lists(
        st.tuples(st.sampled_from(["B1", "B2", "S1", "S2", "T1", "T2"]), words),
        min_size=1,
        max_size=12,
        unique_by=lambda pair: pair[1].casefold(),
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_by_the_rules_is_read_back(
    family: str, sessions: int, points: list[tuple[str, str]], end: str
) -> None:
    axes = [("B1", "One."), ("S1", "Two."), ("T1", "Three.")]
    listed = "".join(f"* {part} entry: {text}\n" for part, text in (*axes, *points))
    head = f"# Game\n\n- Family: {family.upper()}\n- S: S2\n- L: L2\n- Sessions: {sessions}\n\n"
    numbered = "".join(f"## {n}. {name.upper()}\nWords.\n" for n, name in enumerate(SECTIONS[:-1]))
    text = f"{head}{numbered}## {SECTIONS[-1]} ##\n{listed}"
    found = parse(text.replace("\n", end))
    assert (found.family, found.sessions, found.level) == (family, sessions, 2)
    assert [(p.part, p.text) for p in found.points] == [*axes, *points]


@given(st.text(max_size=300), st.integers(0, 40), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_a_damaged_specification_is_read_or_told_by_lines_that_are_there(
    noise: str, at: int, cut: int
) -> None:
    lines = WHOLE.split("\n")
    lines[at : at + cut] = [noise]
    text = "\n".join(lines)
    told: list[tuple[int, str]] = []
    try:
        parse(text)
    except SpecificationError as error:
        told = list(error.problems)
    last = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert all(1 <= line <= last and message for line, message in told)
    assert [line for line, _ in told] == sorted(line for line, _ in told)


@pytest.mark.parametrize(
    ("before", "after", "line", "told"),
    [
        ("# Shell", "Shell", 1, "there is no title"),
        ("Puzzle/Matching", "Riddles", 3, "there is no family"),
        ("S: S1", "S: S5", 4, "write S1, S2, S3 or S4"),
        ("- L: L2 | one state\n", "", 1, "there is no L; write"),
        ("- L:", "- Sessions: 9\n- L:", 5, "write a number from 1 to 4"),
        ("- L:", "- Speed: 9\n- L:", 5, "there is no"),
        ("## Game overview", "## Overview of it", 40, 'there is no section "## Game overview"'),
        ("## Page and flow\n\nWords.", "## Page and flow", 11, "is empty"),
        ("## Page and flow", "## Game overview", 11, "is here twice, first on line 7"),
        ("- B1 entry (", "- B3entry (", 37, "is no point; write one as"),
        ("- T2 terminal condition", "- B2 ending", 35, "no point is about state"),
        ("The last pair ends the game.", "pressing start deals the shells.", 40, "is here twice"),
        ("- B1", "Some words.\n- B1", 37, "this is no point"),
    ],
)
def test_a_mistake_is_told_with_its_line(before: str, after: str, line: int, told: str) -> None:
    assert WHOLE.count(before) >= 1
    assert any(
        at == line and told in message for at, message in problems(WHOLE.replace(before, after, 1))
    ), problems(WHOLE.replace(before, after, 1))


def test_headings_in_a_block_of_code_begin_no_section() -> None:
    text = WHOLE.replace("Words.", "```\n## Game objects\n# A board\n```", 1)
    assert "# A board" in parse(text).sections["Game overview"]


def test_all_mistakes_are_told_at_once_at_their_place_when_tasks_are_read(tmp_path: Path) -> None:
    (tmp_path / "game.md").write_text(WHOLE.replace("S: S1", "S: S7").replace("- T2", "- T"))
    task = tmp_path / "game.task.yaml"
    task.write_text("id: game\ndomain: games\nquery: Build it\nspec: game.md\nmaterials: [x]\n")
    tasks, found = read_file(task)
    assert tasks == []
    places = [(problem.path.name, problem.line) for problem in found]
    assert places == [("game.task.yaml", 5), ("game.md", 4), ("game.md", 35), ("game.md", 40)]
    assert len(validate([tmp_path], tmp_path).problems) == 4


def test_what_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "game.md").write_bytes(b"# Game\n\xff\n")
    (tmp_path / "a.task.yaml").write_text("id: a\ndomain: games\nquery: Build\nspec: game.md\n")
    (problem,) = read_file(tmp_path / "a.task.yaml")[1]
    assert (problem.line, "is not UTF-8" in problem.message) == (2, True)


def test_whoever_builds_the_game_is_given_the_specification(tmp_path: Path) -> None:
    (tmp_path / "game.md").write_text(WHOLE)
    (tmp_path / "a.task.yaml").write_text("id: a\ndomain: games\nquery: Build it\nspec: game.md\n")
    (task,), _ = read_file(tmp_path / "a.task.yaml")
    assert request_of(task).startswith("Build it\n")
    assert "- T2 terminal condition: The last pair ends the game." in request_of(task)
