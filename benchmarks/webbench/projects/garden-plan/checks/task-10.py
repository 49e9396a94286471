"""Checks of step 10: dragging."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _plant(page: Page, plant: str, *places: tuple[int, int]) -> None:
    page.get_by_role("radio", name=plant, exact=True).check()
    for place in places:
        _square(page, *place).click()


def _expect(page: Page, row: int, column: int, what: str, when: str) -> None:
    name = f"Row {row}, column {column}: {what}"
    square = page.get_by_role("gridcell", name=name, exact=True)
    expect(square, f"{when}, no square is called '{name}'").to_be_visible()


def _drag(page: Page, *places: tuple[int, int]) -> None:
    """Press on the first place, move over the others, and let go."""
    for number, place in enumerate(places):
        _square(page, *place).hover()
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def check_dynamic_drags(page: Page):
    """Dragging plants or clears every square on its way, and is one change for Undo."""
    page.get_by_role("radio", name="Carrot", exact=True).check()
    _drag(page, (1, 1), (1, 2), (1, 3), (2, 3))
    for place in ((1, 1), (1, 2), (1, 3), (2, 3)):
        _expect(page, *place, "Carrot", "after dragging")
    _square(page, 3, 3).hover()
    _expect(page, 3, 3, "empty", "after letting go")
    _drag(page, (1, 2), (1, 3), (1, 4))
    _expect(page, 1, 3, "empty", "after dragging from a square that had the plant")
    _expect(page, 1, 4, "empty", "after dragging from a square that had the plant")
    undo = page.get_by_role("button", name="Undo", exact=True)
    undo.click()
    _expect(page, 1, 2, "Carrot", "after the second stroke was taken back")
    _expect(page, 1, 3, "Carrot", "after the second stroke was taken back")
    undo.click()
    for place in ((1, 1), (1, 2), (1, 3), (2, 3)):
        _expect(page, *place, "empty", "after the first stroke was taken back")
    expect(undo, "a stroke is more than one change").to_be_disabled()


def check_dynamic_letting_go_outside_ends_it(page: Page):
    """A stroke that ends outside the bed does not go on when the mouse comes back."""
    _square(page, 2, 2).hover()
    page.mouse.down()
    page.get_by_role("heading", name="Garden plan").hover()
    page.mouse.up()
    _square(page, 4, 5).hover()
    _expect(page, 4, 5, "empty", "after letting go outside the bed")
    _square(page, 4, 5).click()
    _expect(page, 4, 5, "Tomato", "after a press without moving")
