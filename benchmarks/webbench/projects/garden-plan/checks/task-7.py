"""Checks of step 7: the keyboard."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _expect(page: Page, row: int, column: int, what: str, when: str) -> None:
    name = f"Row {row}, column {column}: {what}"
    square = page.get_by_role("gridcell", name=name, exact=True)
    expect(square, f"{when}, no square is called '{name}'").to_be_visible()


def _expect_focus(page: Page, row: int, column: int, key: str) -> None:
    square = _square(page, row, column)
    said = f"after {key} row {row}, column {column} has not the focus"
    expect(square, said).to_be_focused()


def check_dynamic_moves_by_keys(page: Page):
    """Arrow keys, Home and End move the focus and stop at the edge; one square has a tab stop."""
    stops = page.locator("[role=gridcell][tabindex='0']")
    expect(stops, "not one square alone has a tab stop").to_have_count(1)
    stops.focus()
    for key, row, column in (
        ("ArrowUp", 1, 1),
        ("ArrowLeft", 1, 1),
        ("ArrowDown", 2, 1),
        ("ArrowRight", 2, 2),
        ("End", 2, 6),
        ("ArrowRight", 2, 6),
        ("ArrowDown", 3, 6),
        ("Home", 3, 1),
        ("ArrowUp", 2, 1),
    ):
        page.keyboard.press(key)
        _expect_focus(page, row, column, key)
    expect(stops, "not one square alone has a tab stop afterwards").to_have_count(1)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    _expect_focus(page, 2, 1, "leaving the bed and coming back with Tab")


def check_dynamic_plants_by_keys(page: Page):
    """Space and Enter plant, Delete and Backspace clear, and the tab stop survives a new size."""
    page.get_by_role("radio", name="Onion", exact=True).check()
    _square(page, 1, 1).focus()
    page.keyboard.press("Space")
    _expect(page, 1, 1, "Onion", "after Space")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    _expect(page, 1, 6, "Onion", "after Enter")
    page.keyboard.press("Delete")
    _expect(page, 1, 6, "empty", "after Delete")
    page.keyboard.press("Delete")
    _expect(page, 1, 6, "empty", "after a second Delete")
    page.get_by_label("Columns", exact=True).fill("3")
    page.get_by_role("button", name="Set size").click()
    stop = page.locator("[role=gridcell][tabindex='0']")
    expect(stop, "the tab stop is lost with its square").to_have_count(1)
    stop.focus()
    page.keyboard.press("Backspace")
    _expect(page, 1, 1, "empty", "after Backspace in the first square")
