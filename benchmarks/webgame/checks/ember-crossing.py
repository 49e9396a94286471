"""Checks of ember-crossing: the board is read, and the embers drift on a clock of the checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _rows(page: Page) -> list[str]:
    found = re.findall(r"^[@#._]{9}$", _text(page), re.MULTILINE)
    assert len(found) == 7, f"the board has {len(found)} rows of nine cells instead of 7"
    return [str(row) for row in found]


def _value(page: Page, name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+)", _text(page))
    assert found, f"there is no '{name}: ...' on the page"
    return int(found.group(1))


def _place(page: Page) -> tuple[int, int]:
    found = re.search(r"Place:\s*row (\d+), column (\d+)", _text(page))
    assert found, "there is no 'Place: row ..., column ...' on the page"
    return int(found.group(1)), int(found.group(2))


def _start(page: Page) -> None:
    page.get_by_role("button", name="Start").click()


def _cross(page: Page, clock: Clock) -> None:
    """Wait for a column that is free in all lanes and go straight up."""
    for _ in range(40):
        rows = _rows(page)
        free = [c for c in range(9) if all(rows[r - 1][c] != "#" for r in (2, 3, 5, 6))]
        if free:
            break
        clock.run_for(800)
    column = min(free, key=lambda c: abs(c + 1 - _place(page)[1])) + 1
    while (at := _place(page)[1]) != column:
        page.keyboard.press("ArrowRight" if at < column else "ArrowLeft")
    for _ in range(6):
        page.keyboard.press("ArrowUp")


def _burn(page: Page, clock: Clock) -> None:
    """Step onto an ember of row 6, which is above the start."""
    _put_before_ember(page, clock)
    page.keyboard.press("ArrowUp")


def _put_before_ember(page: Page, clock: Clock) -> None:
    column = _rows(page)[5].index("#") + 1
    for _ in range(9):
        at = _place(page)[1]
        if at == column:
            return
        page.keyboard.press("ArrowRight" if at < column else "ArrowLeft")


def check_static_the_board_is_as_described(page: Page) -> None:
    """Seven rows of nine cells, the embers in their columns, the player below."""
    rows = _rows(page)
    embers = {r + 1: [c + 1 for c in range(9) if rows[r][c] == "#"] for r in range(7)}
    wanted = {1: [], 2: [1, 5], 3: [3, 7], 4: [], 5: [2, 6], 6: [4, 8], 7: []}
    assert embers == wanted, f"embers lie in columns {embers}"
    assert rows[6][4] == "@", f"the player is not in row 7, column 5: {rows[6]!r}"
    expect(page.get_by_role("button", name="Start"), "no button Start").to_be_visible()


def check_intention_three_crossings_win(page: Page, clock: Clock) -> None:
    """Three crossings are counted and win, and Start begins anew."""
    _start(page)
    for number in (1, 2, 3):
        _cross(page, clock)
        assert _value(page, "Crossings") == number, (
            f"after crossing {number} the page counts {_value(page, 'Crossings')}"
        )
    assert "You crossed three times" in _text(page), "the third crossing does not win"
    _start(page)
    assert (_value(page, "Lives"), _value(page, "Crossings")) == (3, 0), "Start keeps old values"


def check_intention_three_burns_lose(page: Page, clock: Clock) -> None:
    """Stepping onto an ember costs a life and leads back; the third ends the game for good."""
    _start(page)
    for left in (2, 1, 0):
        _burn(page, clock)
        assert _value(page, "Lives") == left, (
            f"stepping onto an ember leaves {_value(page, 'Lives')} lives instead of {left}"
        )
        assert _place(page) == (7, 5), f"after a burn the player is in {_place(page)}"
    assert "The embers got you" in _text(page), "losing the third life does not end the game"
    before = _rows(page)
    page.keyboard.press("ArrowLeft")
    clock.run_for(1700)
    assert _rows(page) == before, "after the end the board still changes"


def check_dynamic_embers_drift_and_burn(page: Page, clock: Clock) -> None:
    """Lanes drift one column in 0.8 s, round the edge, and burn who stands in their way."""
    before = _rows(page)
    clock.run_for(1700)
    assert _rows(page) == before, "embers drift before Start"
    _start(page)
    for ticks in range(1, 10):
        clock.run_for(800)
        rows = _rows(page)
        for row, step in {2: 1, 3: -1, 5: 1, 6: -1}.items():
            old = [c for c in range(9) if before[row - 1][c] == "#"]
            new = sorted((c + step * ticks) % 9 for c in old)
            got = [c for c in range(9) if rows[row - 1][c] == "#"]
            assert got == new, f"after {0.8 * ticks:.1f} s the embers of row {row} are wrong"
    column = _rows(page)[5].index("#")  # stand to the left of an ember that drifts to the left
    while _place(page)[1] != column:
        page.keyboard.press("ArrowRight" if _place(page)[1] < column else "ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert _value(page, "Lives") == 3, "a free cell burns"
    clock.run_for(800)
    assert _value(page, "Lives") == 2, "an ember that drifts onto the player costs no life"


def check_dynamic_edges_and_keys(page: Page) -> None:
    """Keys move by one, stop at the edges, and do nothing before Start."""
    page.keyboard.press("ArrowLeft")
    assert _place(page) == (7, 5), "a key moves the player before Start"
    _start(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert _place(page) == (7, 4), f"left and down from (7, 5) lead to {_place(page)}"
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    row, column = _place(page)
    assert (row, column) == (7, 9), f"the right edge does not stop the player: {(row, column)}"
    assert _rows(page)[6][8] == "@", "@ is not where Place says"
