"""Checks of warehouse-keeper: the warehouse is solved by search and played to its end."""

from __future__ import annotations

import re
from collections import deque
from functools import cache

from playwright.sync_api import Locator, Page, expect

MAP = ["########", "#  #  .#", "#  $ #.#", "# $$ @.#", "#   #  #", "#      #", "########"]
WAYS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
ARROWS = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}
LETTERS = {"U": "w", "D": "s", "L": "a", "R": "d"}
BUTTONS = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}

Square = tuple[int, int]
State = tuple[Square, frozenset[Square]]


def _marked(mark: str) -> frozenset[Square]:
    return frozenset((r, c) for r, row in enumerate(MAP) for c, m in enumerate(row) if m == mark)


WALLS, GOALS = _marked("#"), _marked(".")
START: State = (next(iter(_marked("@"))), _marked("$"))


def _step(state: State, way: str) -> State | None:
    """The state after a step, or None where the step is blocked."""
    (row, col), crates = state
    down, right = WAYS[way]
    here = (row + down, col + right)
    if here in WALLS:
        return None
    if here in crates:
        behind = (here[0] + down, here[1] + right)
        if behind in WALLS or behind in crates:
            return None
        crates = crates - {here} | {behind}
    return here, crates


@cache
def _solution() -> str:
    """A shortest way to bring all crates home, by breadth-first search."""
    ways = {START: ""}
    queue = deque([START])
    while queue:
        state = queue.popleft()
        for way in WAYS:
            after = _step(state, way)
            if after and after not in ways:
                ways[after] = ways[state] + way
                if after[1] == GOALS:
                    return ways[after]
                queue.append(after)
    raise AssertionError("the warehouse of the query has no solution")


def _counts(way: str) -> tuple[int, int, int]:
    """Moves, pushes and crates home after a way from the start, blocked steps left out."""
    state, moves, pushes = START, 0, 0
    for letter in way:
        after = _step(state, letter)
        if after:
            moves += 1
            pushes += after[1] != state[1]
            state = after
    return moves, pushes, len(state[1] & GOALS)


def _read(page: Page) -> tuple[int, int, int]:
    text = page.locator("body").inner_text()
    found = [
        re.search(pattern, text, re.I)
        for pattern in (
            r"moves\s*:?\s*(\d+)",
            r"pushes\s*:?\s*(\d+)",
            r"crates home\s*:?\s*(\d+) of 3",
        )
    ]
    names = ["Moves: 0", "Pushes: 0", "Crates home: 0 of 3"]
    missing = [name for name, hit in zip(names, found, strict=True) if not hit]
    assert not missing, f"the page does not show counts like {missing}"
    moves, pushes, home = (int(hit.group(1)) for hit in found if hit)
    return moves, pushes, home


def _same(page: Page, want: tuple[int, int, int], when: str) -> None:
    got = _read(page)
    assert got == want, (
        f"{when}: shows {got[0]} moves, {got[1]} pushes, {got[2]} crates home; "
        f"right would be {want[0]}, {want[1]} and {want[2]}"
    )


def _walk(page: Page, way: str, keys: dict[str, str] = ARROWS) -> None:
    for letter in way:
        page.keyboard.press(keys[letter])


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"\b{name}\b", re.I)).first


def _undo_at_the_start(page: Page) -> None:
    """Press Undo where nothing is left to undo; there the button may just as well be disabled."""
    undo = _button(page, "Undo")
    expect(undo, "no button named Undo").to_be_visible()
    if undo.is_enabled():
        undo.click()


def _end(page: Page) -> Locator:
    return page.get_by_text(re.compile(r"all crates home in", re.I)).filter(visible=True)


def check_static_counts_and_buttons(page: Page) -> None:
    """Three counts at their start values and six buttons are there."""
    _same(page, (0, 0, 0), "at the beginning")
    for name in ("Up", "Down", "Left", "Right", "Undo", "Restart"):
        expect(_button(page, name), f"no button named {name}").to_be_visible()
    expect(_end(page), "the page says that all crates are home at once").to_have_count(0)


def check_static_hall_is_drawn_and_moves(page: Page) -> None:
    """The drawing labelled Warehouse has a fair size and looks different after a push."""
    hall = page.get_by_label(re.compile("warehouse", re.I)).filter(visible=True).last
    expect(hall, "no drawing labelled Warehouse").to_be_visible()
    box = hall.bounding_box()
    assert box, "the drawing labelled Warehouse cannot be seen"
    assert min(box["width"], box["height"]) > 100, (
        f"the drawing of the hall is only {box['width']:.0f} by {box['height']:.0f} pixels"
    )
    before = hall.screenshot(animations="disabled")
    _walk(page, "LU")
    after = hall.screenshot(animations="disabled")
    assert before != after, "the drawing of the hall stays the same after two steps"


def check_intention_solution_brings_all_crates_home(page: Page) -> None:
    """A shortest solution wins at its last step, with the true number of moves."""
    way = _solution()
    for part in (way[:20], way[:40], way[:-1]):
        _walk(page, part[_read(page)[0] :])
        _same(page, _counts(part), f"after {len(part)} steps of a solution")
    expect(_end(page), "the end is told before the last crate is home").to_have_count(0)
    _walk(page, way[-1])
    _same(page, _counts(way), "after the last step of a solution")
    expect(
        page.get_by_text(re.compile(rf"all crates home in {len(way)} moves", re.I)).first,
        f"all crates are home, but 'All crates home in {len(way)} moves' is not shown",
    ).to_be_visible()


def check_intention_two_crates_cannot_be_pushed(page: Page) -> None:
    """A crate with another crate behind it does not move and the try counts nothing."""
    _walk(page, "L")
    _same(page, (1, 0, 0), "after one step to the left")
    _walk(page, "L")
    _same(page, (1, 0, 0), "after trying to push two crates in a row")
    _walk(page, "UL")
    _same(page, _counts("LLUL"), "after walking on and pushing a single crate")


def check_intention_walls_block_keeper_and_crates(page: Page) -> None:
    """Steps into walls and pushes of crates against walls count nothing and move nothing."""
    _walk(page, "U")
    _same(page, (0, 0, 0), "after a step up into the wall")
    way = "LULLLL"  # the crate of row 3 goes to the left wall, then blocks
    _walk(page, way)
    _same(page, _counts(way), "after pushing a crate to the wall and against it")
    way += "RDRURR"
    _walk(page, "RDRURR")
    _same(page, _counts(way), "after walking back from a crate at the wall (nothing is pulled)")


def check_dynamic_undo_goes_back_to_the_start(page: Page) -> None:
    """Undo takes back steps and pushes one by one, by button and key, and stops at the start."""
    way = "LULLD"
    _walk(page, way)
    for left in range(len(way) - 1, -1, -1):
        if left % 2:
            page.keyboard.press("u")
        else:
            _button(page, "Undo").click()
        if left:
            _same(page, _counts(way[:left]), f"after undoing back to step {left}")
    _undo_at_the_start(page)
    page.keyboard.press("u")
    _same(page, (0, 0, 0), "after more undo than there were steps")
    _walk(page, _solution())
    _same(page, _counts(_solution()), "a solution played after undoing everything")


def check_dynamic_undo_remembers_a_long_game(page: Page) -> None:
    """After more than a hundred steps Undo still leads back to the very start."""
    way = "LUL" + "RL" * 55  # one push, then to and fro
    _walk(page, way)
    _same(page, _counts(way), f"after walking {len(way)} steps")
    for _ in way:
        page.keyboard.press("u")
    _same(page, (0, 0, 0), f"after {len(way)} steps and as many times Undo")


def check_dynamic_restart_resets_hall_and_counts(page: Page) -> None:
    """Restart puts everything back, so that the whole solution works again."""
    _walk(page, "LULDD")
    _button(page, "Restart").click()
    _same(page, (0, 0, 0), "after Restart")
    _undo_at_the_start(page)
    page.keyboard.press("u")
    _same(page, (0, 0, 0), "after Undo directly after Restart")
    _walk(page, _solution())
    _same(page, _counts(_solution()), "a solution played after Restart")


def check_dynamic_end_locks_until_undo(page: Page) -> None:
    """After the end steps count nothing; Undo reopens the game and the last step ends it again."""
    way = _solution()
    _walk(page, way)
    _walk(page, "LURD")
    _same(page, _counts(way), "after four more steps past the end")
    _button(page, "Undo").click()
    _same(page, _counts(way[:-1]), "after Undo at the end")
    expect(_end(page), "the end message stays although the last step was undone").to_have_count(0)
    _walk(page, way[-1])
    expect(_end(page).first, "repeating the last step does not end the game").to_be_visible()
    _button(page, "Restart").click()
    _same(page, (0, 0, 0), "after Restart at the end")
    expect(_end(page), "the end message stays after Restart").to_have_count(0)


def check_dynamic_letters_and_buttons_move_alike(page: Page) -> None:
    """W, A, S, D and the four buttons move the keeper as the arrow keys do."""
    way = "DDLRULUL"
    _walk(page, way, LETTERS)
    _same(page, _counts(way), "after steps with W, A, S, D")
    _button(page, "Restart").click()
    for letter in way:
        _button(page, BUTTONS[letter]).click()
    _same(page, _counts(way), "after the same steps with the four buttons")
