"""Checks of life-rules-lab: boards are compared square by square with a second automaton."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

COLUMNS, ROWS = 32, 20

Board = frozenset[tuple[int, int]]  # live squares as (row, column), both from 0


def _next(board: Board, rule: str) -> Board:
    born, stay = ({int(d) for d in part[1:]} for part in rule.split("/"))
    counts: dict[tuple[int, int], int] = {}
    for row, col in board:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down or right:
                    near = ((row + down) % ROWS, (col + right) % COLUMNS)
                    counts[near] = counts.get(near, 0) + 1
    squares = [(row, col) for row in range(ROWS) for col in range(COLUMNS)]
    return frozenset(s for s in squares if counts.get(s, 0) in (stay if s in board else born))


def _soup(seed: int) -> Board:
    """A fixed, irregular board with about a third of its squares alive."""
    cells = set()
    for row in range(ROWS):
        for col in range(COLUMNS):
            seed = (seed * 1103515245 + 12345) % 2**31
            if seed >> 16 & 0x7FFF < 11000:
                cells.add((row, col))
    return frozenset(cells)


def _lines(board: Board) -> str:
    return "\n".join(
        "".join("O" if (row, col) in board else "." for col in range(COLUMNS))
        for row in range(ROWS)
    )


def _field(page: Page, name: str) -> Locator:
    """A labelled box; a section of the page that bears the same label does not count."""
    label = re.compile(rf"^\W*{name}\b", re.I)
    box = page.get_by_role("textbox", name=label)
    return (box if box.count() else page.get_by_label(label)).first


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"\b{name}\b", re.I)).first


def _press(page: Page, name: str) -> None:
    _button(page, name).dispatch_event("click")


def _snapshot(page: Page) -> Board:
    text = _field(page, "snapshot").evaluate("e => e.value ?? e.innerText")
    lines = text.strip().split("\n")
    assert len(lines) == ROWS, f"the Snapshot has {len(lines)} lines instead of {ROWS}"
    wide = {len(line.strip()) for line in lines}
    assert wide == {COLUMNS}, f"the lines of the Snapshot are {wide} squares long instead of 32"
    odd = set(text) - set(".Oo \r\n")
    assert not odd, f"the Snapshot holds other marks than dots and O: {sorted(odd)}"
    return frozenset(
        (row, col)
        for row, line in enumerate(lines)
        for col, mark in enumerate(line.strip())
        if mark in "Oo"
    )


def _count(page: Page, name: str) -> int:
    hit = re.search(rf"\b{name}\s*:?\s*(\d+)", page.locator("body").inner_text(), re.I)
    assert hit, f"the page does not show '{name}: 0'"
    return int(hit.group(1))


def _load(page: Page, pattern: str) -> None:
    _field(page, "pattern").fill(pattern)
    _press(page, "load")


def _apply(page: Page, rule: str) -> None:
    _field(page, "rule").fill(rule)
    _press(page, "apply rule")


def _same(page: Page, want: Board, what: str) -> None:
    got = _snapshot(page)
    wrong = sorted(got ^ want)
    assert not wrong, (
        f"{what}: {len(wrong)} squares are wrong, the first at row {wrong[0][0] + 1}, column "
        f"{wrong[0][1] + 1}, which should be {'alive' if wrong[0] in want else 'dead'}"
    )
    shown = _count(page, "population")
    assert shown == len(got), f"{what}: population {shown} is shown, but {len(got)} are alive"


def _board_box(page: Page) -> tuple[float, float, float, float]:
    found = page.get_by_label(re.compile(r"^\W*board\b", re.I)).filter(visible=True)
    expect(found.first, "nothing is labelled Board").to_be_visible()
    boxes = [box for item in found.all() if (box := item.bounding_box())]
    box = min(boxes, key=lambda b: abs(b["width"] / b["height"] - COLUMNS / ROWS))
    return box["x"], box["y"], box["width"], box["height"]


def _click_square(page: Page, row: int, col: int) -> None:
    left, top, width, height = _board_box(page)
    page.mouse.click(left + (col + 0.5) * width / COLUMNS, top + (row + 0.5) * height / ROWS)


def check_static_fields_and_buttons(page: Page) -> None:
    """Rule, Pattern and Snapshot are labelled, the rule is B3/S23, and all buttons are there."""
    expect(_field(page, "rule"), "the Rule box does not start as B3/S23").to_have_value("B3/S23")
    expect(_field(page, "pattern"), "no editable box labelled Pattern").to_be_editable()
    expect(_field(page, "snapshot"), "nothing is labelled Snapshot").to_be_visible()
    for name in ("Apply rule", "Step", "Play", "Random", "Clear", "Load"):
        expect(_button(page, name), f"no button named {name}").to_be_visible()


def check_static_board_and_counts_fit(page: Page) -> None:
    """Generation 0 is shown, the population fits the Snapshot, and the Board is of fair size."""
    assert _count(page, "generation") == 0, "the generation does not begin at 0"
    shown, alive = _count(page, "population"), len(_snapshot(page))
    assert shown == alive, f"population {shown} is shown, but the Snapshot has {alive} alive"
    _, _, width, height = _board_box(page)
    assert width >= 200, f"the Board is only {width:.0f} pixels wide"
    assert height >= 120, f"the Board is only {height:.0f} pixels high"


def check_intention_conway_generations(page: Page) -> None:
    """A full irregular board follows B3/S23 for several steps, edges included."""
    board = _soup(7)
    _load(page, _lines(board))
    _same(page, board, "after loading a full board")
    for number in range(1, 5):
        _press(page, "step")
        board = _next(board, "B3/S23")
        _same(page, board, f"B3/S23, generation {number}")
        assert _count(page, "generation") == number, (
            f"'Generation: {_count(page, 'generation')}' after {number} steps"
        )


def check_intention_glider_wraps_round_the_corner(page: Page) -> None:
    """A glider leaves through the bottom right corner and comes in at the top left."""
    glider = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    board = frozenset((row + ROWS - 3, col + COLUMNS - 3) for row, col in glider)
    _load(page, _lines(board))
    for _ in range(16):
        _press(page, "step")
        board = _next(board, "B3/S23")
    _same(page, board, "16 generations of a glider that crosses the bottom right corner")


def check_intention_other_rules_are_obeyed(page: Page) -> None:
    """Boards follow HighLife, Day and Night and a replicator rule, each after Apply rule."""
    board = _soup(11)
    _load(page, _lines(board))
    for rule in ("B36/S125", "B3678/S34678", "B1357/S02468"):
        _apply(page, rule)
        _same(page, board, f"after applying {rule}, before any step")
        for number in (1, 2):
            _press(page, "step")
            board = _next(board, rule)
            _same(page, board, f"rule {rule}, step {number}")


def check_dynamic_invalid_rule_keeps_the_old_one(page: Page) -> None:
    """Invalid rules are told as such and leave the rule in force alone."""
    board = _soup(23)
    _load(page, _lines(board))
    told = page.get_by_text(re.compile("invalid rule", re.I)).filter(visible=True)
    _apply(page, "B36/S23")
    expect(told, "'Invalid rule' is shown for B36/S23, which is valid").to_have_count(0)
    for rule in ("B9/S23", "hello", "", "3/23"):
        _apply(page, rule)
        expect(told.first, f"'Invalid rule' is not shown for '{rule}'").to_be_visible()
        _press(page, "step")
        board = _next(board, "B36/S23")
        _same(page, board, f"a step after the invalid rule '{rule}' (B36/S23 is in force)")


def check_dynamic_play_runs_at_ten_per_second(page: Page, clock: Clock) -> None:
    """Play makes ten generations per second by the rule until Pause, and goes on after it."""
    board = _soup(5)
    _load(page, _lines(board))
    made = 0
    for _ in range(2):
        _press(page, "play")
        clock.run_for(1050)
        _press(page, "pause")
        now = _count(page, "generation")
        assert 9 <= now - made <= 11, f"{now - made} generations in a second of Play instead of 10"
        for _ in range(now - made):
            board = _next(board, "B3/S23")
        made = now
        clock.run_for(1000)
        after = _count(page, "generation")
        assert after == now, f"after Pause the generation went on from {now} to {after}"
        _same(page, board, f"generation {now}, reached by Play")


def check_dynamic_second_press_of_play_changes_nothing(page: Page, clock: Clock) -> None:
    """Play pressed again while playing, where it can be, neither doubles the speed nor sticks."""
    _load(page, _lines(_soup(5)))
    for _ in range(2):
        again = _button(page, "play")
        if again.count() and again.is_enabled():  # it may have turned into Pause or be greyed out
            _press(page, "play")
    clock.run_for(1050)
    made = _count(page, "generation")
    assert 9 <= made <= 11, (
        f"{made} generations in a second instead of 10 after pressing Play twice"
    )
    _press(page, "pause")
    now = _count(page, "generation")
    clock.run_for(1000)
    after = _count(page, "generation")
    assert after == now, (
        f"after pressing Play twice, Pause does not stop it: the generation went on from {now} to "
        f"{after}"
    )


def check_dynamic_clicks_toggle_squares(page: Page) -> None:
    """Clicking squares in the corners and the middle toggles just these; a second click undoes."""
    _press(page, "clear")
    squares = [(0, 0), (0, 31), (19, 0), (19, 31), (9, 16)]
    live: set[tuple[int, int]] = set()
    for row, col in squares:
        _click_square(page, row, col)
        live.add((row, col))
        _same(page, frozenset(live), f"after clicking row {row + 1}, column {col + 1}")
    _click_square(page, 9, 16)
    _same(page, frozenset(live - {(9, 16)}), "after clicking row 10, column 17 again")
    _press(page, "step")
    _same(page, _next(frozenset(live - {(9, 16)}), "B3/S23"), "a step from the four corners")


def check_dynamic_clear_random_and_load_reset(page: Page) -> None:
    """Clear, Random and Load set the generation to zero; too large patterns are cut off."""
    _load(page, "OOO\n")
    _same(page, frozenset({(0, 0), (0, 1), (0, 2)}), "after loading three squares")
    boards = []
    for _ in range(2):
        _press(page, "step")
        _press(page, "random")
        assert _count(page, "generation") == 0, "Random did not set the generation to zero"
        boards.append(_snapshot(page))
        assert 130 <= len(boards[-1]) <= 300, (
            f"Random made {len(boards[-1])} of 640 squares alive, which is not about a third"
        )
    assert boards[0] != boards[1], "Random made the same board twice"
    _load(page, "OOO\n.O")
    small = frozenset({(0, 0), (0, 1), (0, 2), (1, 1)})
    _same(page, small, "after loading a small pattern over a full board, which Load should empty")
    assert _count(page, "generation") == 0, "Load did not set the generation to zero"
    _press(page, "step")
    _load(page, "\n".join(["O" + "." * 38 + "O"] * 25))
    _same(page, frozenset((row, 0) for row in range(ROWS)), "after loading a 40 by 25 pattern")
    assert _count(page, "generation") == 0, "Load did not set the generation to zero"
    _press(page, "step")
    _press(page, "clear")
    _same(page, frozenset(), "after Clear")
    assert _count(page, "generation") == 0, "Clear did not set the generation to zero"
