"""Checks of peg-triangle: legal jumps in all directions, refusals, undo, both ends of the game."""

import re

from playwright.sync_api import Locator, Page, expect

DEAD_END = ((4, 1), (13, 4), (10, 8), (7, 9), (6, 13), (1, 6))
SOLUTION = (
    *((4, 1), (6, 4), (1, 6), (7, 2), (10, 3), (12, 5), (13, 6)),
    *((2, 9), (3, 10), (15, 6), (6, 13), (14, 12), (11, 13)),
)


def _hole(page: Page, number: int) -> Locator:
    name = re.compile(rf"^\s*hole {number}\s*,", re.I)
    hole = page.get_by_role("button", name=name).first
    expect(hole, f"there is no button Hole {number}").to_be_visible()
    return hole


def _jump(page: Page, start: int, end: int) -> None:
    _hole(page, start).click()
    _hole(page, end).click()


def _holds(page: Page, number: int, what: str, when: str) -> None:
    name = re.compile(rf"^\s*hole {number}\s*,\s*{what}\b", re.I)
    hole = page.get_by_role("button", name=name)
    expect(hole, f"{when}, hole {number} is not named {what}").to_have_count(1)


def _says(page: Page, words: str, when: str) -> None:
    text = page.get_by_text(re.compile(rf"{words}(?!\d)", re.I)).first
    expect(text, f"{when}, it does not say {words!r}").to_be_visible()


def _press(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=re.compile(rf"^\s*{name}\s*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    if button.is_enabled():
        button.click()


def check_intention_a_jump_removes_the_peg_between(page: Page) -> None:
    """From 4 to 1 over 2."""
    _jump(page, 4, 1)
    for hole, what in ((1, "peg"), (2, "empty"), (4, "empty"), (3, "peg")):
        _holds(page, hole, what, "after 4 to 1")


def check_intention_no_jump_over_an_empty_hole(page: Page) -> None:
    """After 4 to 1 the way back over the empty hole 2 is refused."""
    _jump(page, 4, 1)
    _jump(page, 1, 4)
    _holds(page, 4, "empty", "after an attempt to jump over an empty hole")
    _holds(page, 1, "peg", "after an attempt to jump over an empty hole")
    _says(page, "not a jump", "after an attempt to jump over an empty hole")


def check_intention_notices_a_dead_end(page: Page) -> None:
    """After six jumps nothing moves any more, and not before."""
    for start, end in DEAD_END[:-1]:
        _jump(page, start, end)
    early = page.get_by_text(re.compile("no more jumps", re.I))
    expect(early, "it says that no jump is possible while there is one").to_have_count(0)
    _jump(page, *DEAD_END[-1])
    _says(page, "no more jumps, 8 pegs left", "at a dead end")


def check_static_fifteen_holes_in_five_rows(page: Page) -> None:
    """Fourteen pegs, one empty hole, in five rows that grow."""
    holes = [_hole(page, number).bounding_box() for number in range(1, 16)]
    heights = [round(box["y"]) for box in holes if box]
    rows = [heights.count(height) for height in dict.fromkeys(heights)]
    assert rows == [1, 2, 3, 4, 5], f"the rows hold {rows} holes instead of 1 to 5"
    pegs = page.get_by_role("button", name=re.compile(r"hole \d+\s*,\s*peg", re.I))
    expect(pegs, "not fourteen holes are named as pegs").to_have_count(14)
    _holds(page, 1, "empty", "at first")


def check_static_figures_and_buttons(page: Page) -> None:
    """Pegs left, moves, Undo and New game."""
    _says(page, "pegs left:? 14", "at first")
    _says(page, "moves:? 0", "at first")
    for name in ("Undo", "New game"):
        button = page.get_by_role("button", name=re.compile(rf"^\s*{name}\s*$", re.I))
        expect(button, f"there is no button {name}").to_have_count(1)


def check_dynamic_a_selection_can_be_changed(page: Page) -> None:
    """Another peg is selected instead; the same one is let go of."""
    _hole(page, 6).click()
    _jump(page, 4, 1)
    _holds(page, 1, "peg", "after another peg was selected")
    _hole(page, 7).click()
    _hole(page, 7).click()
    _hole(page, 2).click()
    _holds(page, 2, "empty", "after the selected peg was let go of")


def check_dynamic_a_refused_move_changes_nothing(page: Page) -> None:
    """A neighbour and a hole out of line are no jumps."""
    for start in (2, 5, 13):
        _hole(page, start).click()
        _hole(page, 1).click()
        _holds(page, 1, "empty", f"after an attempt to move from {start} to 1")
        _says(page, "not a jump", f"after an attempt to move from {start} to 1")
    _says(page, "pegs left:? 14", "after refused moves")
    _says(page, "moves:? 0", "after refused moves")


def check_dynamic_undo_goes_back_to_the_beginning(page: Page) -> None:
    """Three jumps and four times Undo."""
    for start, end in DEAD_END[:3]:
        _jump(page, start, end)
    _says(page, "moves:? 3", "after three jumps")
    _press(page, "Undo")
    _says(page, "pegs left:? 12", "after one Undo")
    for _ in range(3):
        _press(page, "Undo")
    _says(page, "pegs left:? 14", "after all was undone")
    _says(page, "moves:? 0", "after all was undone")
    _holds(page, 1, "empty", "after all was undone")


def check_dynamic_can_be_solved_and_started_again(page: Page) -> None:
    """Thirteen jumps leave one peg; New game sets up all of them."""
    for start, end in SOLUTION:
        _jump(page, start, end)
    _says(page, "solved, one peg left", "after a solution")
    _says(page, "moves:? 13", "after a solution")
    _press(page, "New game")
    _says(page, "pegs left:? 14", "after New game")
    _holds(page, 1, "empty", "after New game")
