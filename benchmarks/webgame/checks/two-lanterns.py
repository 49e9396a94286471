"""Checks of two-lanterns: two windows of one browser play against each other."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def _enter(page: Page, way: str, go: str, room: str) -> None:
    _press(page, way)
    page.get_by_role("textbox").fill(room)
    _press(page, go)


def _beside(page: Page) -> Page:
    """A second window of the same browser."""
    other = page.context.new_page()
    other.goto(page.url)
    return other


def _seated(page: Page) -> tuple[Page, Page]:
    """Two windows with the board of one room: Sun and Moon."""
    other = _beside(page)
    _enter(page, "New room", "Create", "harbour")
    expect(page.locator("body"), "whoever creates a room does not wait").to_contain_text("waiting")
    _enter(other, "Join a room", "Join", "harbour")
    for window, side in ((page, "Sun"), (other, "Moon")):
        expect(window.locator("body"), f"{side} has no seat").to_contain_text(f"You are {side}")
    return page, other


def _place(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("button", name=re.compile(f"row {row}, column {column}", re.I))


def _lit(page: Page) -> str:
    """The nine places, row by row: S, M or a dot."""
    places = [_place(page, row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
    return "".join((place.inner_text().strip() or ".")[0] for place in places)


def _says(page: Page, words: str, problem: str) -> None:
    expect(page.locator("body"), problem).to_contain_text(words)


def check_static_the_menu_has_three_ways(page: Page) -> None:
    """The page opens with a menu of New room, Join a room and Rules."""
    for name in ("New room", "Join a room", "Rules"):
        expect(page.get_by_role("button", name=name), f"no button {name}").to_be_visible()


def check_intention_a_game_is_won_in_both_windows(page: Page) -> None:
    """Moves go to and fro, three in a row win, both windows say so, and another game begins."""
    sun, moon = _seated(page)
    for number, (row, column) in enumerate(((1, 1), (2, 1), (1, 2), (2, 2)), start=1):
        mover, other = (sun, moon) if number % 2 else (moon, sun)
        _says(mover, "Your turn", f"before move {number} it is nobody's turn")
        _place(mover, row, column).click()
        _says(other, "Your turn", f"move {number} does not give the turn to the other")
        assert _lit(sun) == _lit(moon), f"the windows show {_lit(sun)} and {_lit(moon)}"
    assert _lit(sun) == "SS.MM....", f"after four moves the board is {_lit(sun)}"
    _place(sun, 1, 3).click()
    for window in (sun, moon):
        _says(window, "Sun wins", "three in a row do not win in both windows")
        _says(window, "Sun 1, Moon 0", "the windows do not show the score")
    _press(moon, "Play again")
    _says(moon, "Your turn", "the second game is not begun by Moon")
    assert (_lit(sun), _lit(moon)) == (".........",) * 2, "the second game begins with lanterns lit"


def check_dynamic_turns_are_kept(page: Page) -> None:
    """A click out of turn or on a lit place changes nothing in either window."""
    sun, moon = _seated(page)
    _place(moon, 3, 3).click()
    assert _lit(moon) == ".........", "Moon can light a lantern when it is Sun's turn"
    _says(moon, "not your turn", "a click out of turn is not answered in words")
    _place(sun, 2, 2).click()
    _place(sun, 1, 1).click()
    assert _lit(sun) == "....S....", "Sun can light two lanterns in a row"
    _says(moon, "Your turn", "the turn does not pass to Moon")
    _place(moon, 2, 2).click()
    assert _lit(sun) == "....S....", "a lit lantern can be taken over"


def check_dynamic_rooms_are_kept_and_closed(page: Page) -> None:
    """A reload keeps the seat, wrong rooms are refused, and leaving is told to the other."""
    sun, moon = _seated(page)
    _place(sun, 3, 1).click()
    moon.reload()
    _says(moon, "You are Moon", "after a reload Moon has no seat")
    assert _lit(moon) == "......S..", f"after a reload Moon's board is {_lit(moon)}"
    third = _beside(page)
    _enter(third, "Join a room", "Join", "harbour")
    _says(third, "is full", "a third player is not refused")
    _press(third, "Back")
    _enter(third, "Join a room", "Join", "nowhere")
    _says(third, "no room nowhere", "a room that is not there is not refused")
    _press(sun, "Leave")
    _says(moon, "The other player has left", "when Sun leaves, Moon is not told")
    expect(moon.get_by_role("button", name="New room"), "Moon is not at the menu").to_be_visible()
