"""Checks of lights-out: every puzzle is solved by linear algebra and played to its end."""

from __future__ import annotations

import re
from itertools import product

from playwright.sync_api import Locator, Page, expect

SIZE = 5
CELLS = list(product(range(1, SIZE + 1), repeat=2))
NAME = re.compile(r'button "row\s*(\d)\W+column\s*(\d)\W+(on|off)\b', re.I)

Board = frozenset[tuple[int, int]]


def _cross(cell: tuple[int, int]) -> Board:
    row, col = cell
    near = {(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
    return frozenset(near) & frozenset(CELLS)


CROSS = {cell: _cross(cell) for cell in CELLS}


def _read(page: Page) -> Board:
    """The lights that are announced as on; fails unless all 25 are announced."""
    found = NAME.findall(page.locator("body").aria_snapshot())
    places = sorted((int(r), int(c)) for r, c, _ in found)
    assert places == CELLS, (
        "expected 25 buttons named like 'Row 2, column 3, on', one for each place; "
        f"found {len(places)}"
    )
    return frozenset((int(r), int(c)) for r, c, state in found if state.lower() == "on")


def _light(page: Page, cell: tuple[int, int]) -> Locator:
    name = re.compile(rf"row\s*{cell[0]}\W+column\s*{cell[1]}\W", re.I)
    return page.get_by_role("button", name=name)


def _press(page: Page, cell: tuple[int, int]) -> None:
    _light(page, cell).dispatch_event("click")


def _solve(board: Board) -> list[tuple[int, int]] | None:
    """The fewest presses that darken the board, or None: light chasing over all first rows."""
    best = None
    for first in product((0, 1), repeat=SIZE):
        lit = set(board)
        presses = []
        for row, col in CELLS:
            if first[col - 1] if row == 1 else (row - 1, col) in lit:
                presses.append((row, col))
                lit ^= CROSS[row, col]
        if not lit and (best is None or len(presses) < len(best)):
            best = presses
    return best


def _fresh_solvable(page: Page) -> list[tuple[int, int]]:
    for _ in range(20):
        answer = _solve(_read(page))
        if answer:
            return answer
        _button(page, "New puzzle")
    raise AssertionError("no board that can be solved came up in 20 new puzzles")


def _button(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(name, re.I)).click()


def _moves(page: Page, count: int, message: str) -> None:
    expect(
        page.get_by_text(re.compile(rf"moves:?\s*{count}\b", re.I)).first, message
    ).to_be_visible()


def _shown(board: Board) -> str:
    return "/".join(
        "".join("#" if (r, c) in board else "." for c in range(1, SIZE + 1))
        for r in range(1, SIZE + 1)
    )


def check_static_twenty_five_named_lights(page: Page) -> None:
    """There are 25 light buttons in five rows of five, each named by place and state."""
    lit = _read(page)
    assert lit, "the first board has no light on, so there is nothing to solve"
    corners = [(1, 1), (1, 5), (2, 1), (5, 1), (5, 5)]
    boxes = {cell: _light(page, cell).bounding_box() for cell in corners}
    assert all(boxes.values()), "not every light can be seen"
    x = {cell: box["x"] for cell, box in boxes.items() if box}
    y = {cell: box["y"] for cell, box in boxes.items() if box}
    assert abs(y[1, 1] - y[1, 5]) < 5, "the five lights of row 1 do not stand in one line"
    assert abs(y[5, 1] - y[5, 5]) < 5, "the five lights of row 5 do not stand in one line"
    assert abs(x[1, 1] - x[5, 1]) < 5, "the five lights of column 1 do not stand in one line"
    assert x[1, 1] < x[1, 5], "the columns of lights do not follow from left to right"
    assert y[1, 1] < y[2, 1] < y[5, 1], "the rows of lights do not follow from top to bottom"


def check_static_counter_and_buttons(page: Page) -> None:
    """The move count starts at zero beside New puzzle and Start over."""
    _moves(page, 0, "no 'Moves: 0' is shown at the beginning")
    for name in ("New puzzle", "Start over"):
        button = page.get_by_role("button", name=re.compile(name, re.I))
        expect(button, f"no button named {name}").to_be_visible()
    expect(
        page.get_by_text(re.compile(r"solved in", re.I)).filter(visible=True),
        "'Solved in ...' is shown before anything was solved",
    ).to_have_count(0)


def check_intention_press_switches_the_cross_only(page: Page) -> None:
    """Middle, edge and corner presses switch the light and its direct neighbours, no others."""
    for cell in [(3, 3), (1, 1), (2, 5), (4, 1), (5, 3)]:
        before = _read(page)
        _light(page, cell).click()
        after = _read(page)
        assert before ^ after == CROSS[cell], (
            f"pressing row {cell[0]}, column {cell[1]} switched {sorted(before ^ after)} "
            f"instead of {sorted(CROSS[cell])}"
        )
        if not after:  # solved by chance: go on with another board
            _button(page, "New puzzle")


def check_intention_every_new_puzzle_can_be_solved(page: Page) -> None:
    """Eight new puzzles in a row can all be solved, have a light on, and are not all the same."""
    seen = set()
    for number in range(1, 9):
        _button(page, "New puzzle")
        board = _read(page)
        seen.add(board)
        assert board, f"new puzzle number {number} has all lights off from the beginning"
        assert _solve(board) is not None, (
            f"new puzzle number {number} cannot be solved by any presses: {_shown(board)}"
        )
    assert len(seen) > 2, f"eight new puzzles gave only {len(seen)} different boards"


def check_intention_solving_ends_the_game(page: Page) -> None:
    """Pressing a computed solution shows 'Solved in N moves' at the last press and not before."""
    presses = _fresh_solvable(page)
    told = page.get_by_text(re.compile(r"solved in", re.I)).filter(visible=True)
    for cell in presses[:-1]:
        _press(page, cell)
    expect(told, "'Solved in ...' is shown while lights are still on").to_have_count(0)
    _light(page, presses[-1]).click()
    right = re.compile(rf"solved in {len(presses)} moves?\b", re.I)
    expect(
        page.get_by_text(right).first,
        f"all lights are off after {len(presses)} presses, but 'Solved in {len(presses)} moves' "
        "is not shown",
    ).to_be_visible()
    assert not _read(page), f"lights are still on after a right solution: {_shown(_read(page))}"


def check_dynamic_lights_rest_after_the_end(page: Page) -> None:
    """After the solution presses change nothing; Start over brings the opening back to play."""
    _fresh_solvable(page)
    opening = _read(page)
    presses = _solve(opening) or []
    for cell in presses:
        _press(page, cell)
    for cell in [(3, 3), (1, 5)]:
        _press(page, cell)
    assert not _read(page), "a light still reacts after the puzzle is solved"
    _button(page, "Start over")
    assert _read(page) == opening, (
        f"Start over after the end gave {_shown(_read(page))} instead of {_shown(opening)}"
    )
    _moves(page, 0, "Start over after the end did not set the moves to zero")
    expect(
        page.get_by_text(re.compile(r"solved in", re.I)).filter(visible=True),
        "the 'Solved in ...' message stays after Start over",
    ).to_have_count(0)
    _press(page, (3, 3))
    assert _read(page) ^ opening == CROSS[3, 3], (
        "the lights do not react after Start over, although the puzzle runs again"
    )


def check_dynamic_start_over_restores_the_puzzle(page: Page) -> None:
    """Start over in mid-game restores the opening of the current puzzle and zero moves."""
    _button(page, "New puzzle")
    opening = _read(page)
    for cell in [(2, 2), (4, 4), (2, 2), (1, 3)]:
        _press(page, cell)
    _moves(page, 4, "four presses are not counted as 'Moves: 4'")
    _button(page, "Start over")
    assert _read(page) == opening, (
        f"Start over gave {_shown(_read(page))} instead of the opening {_shown(opening)}"
    )
    _moves(page, 0, "Start over did not set the moves to zero")


def check_dynamic_pressing_twice_restores(page: Page) -> None:
    """Pressing a light twice restores the board and counts two moves."""
    before = _read(page)
    far = next(cell for cell in [(5, 5), (1, 1)] if before != CROSS[cell])
    _press(page, far)
    _press(page, far)
    assert _read(page) == before, (
        f"pressing row {far[0]}, column {far[1]} twice did not restore the board"
    )
    _moves(page, 2, "two presses are not counted as 'Moves: 2'")
    _button(page, "New puzzle")
    _moves(page, 0, "New puzzle did not set the moves to zero")
