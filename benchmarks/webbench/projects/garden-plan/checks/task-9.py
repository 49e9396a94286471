"""Checks of step 9: undo and redo."""

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


def _set_size(page: Page, rows: str, columns: str) -> None:
    page.get_by_label("Rows", exact=True).fill(rows)
    page.get_by_label("Columns", exact=True).fill(columns)
    page.get_by_role("button", name="Set size").click()


def check_dynamic_takes_back_every_change(page: Page):
    """Undo takes back planting, replacing, clearing, size and date one by one, Redo brings back."""
    undo = page.get_by_role("button", name="Undo", exact=True)
    redo = page.get_by_role("button", name="Redo", exact=True)
    expect(undo, "Undo can be pressed at first").to_be_disabled()
    _plant(page, "Carrot", (1, 1))
    _plant(page, "Onion", (1, 1), (1, 1))
    _plant(page, "Kale", (4, 6))
    _set_size(page, "3", "3")
    _set_size(page, "3", "3")
    page.get_by_label("Sown on").fill("2027-03-15")
    rows, date = page.get_by_label("Rows", exact=True), page.get_by_label("Sown on")
    undo.click()
    expect(date, "Undo does not take the date back").to_have_value("")
    undo.click()
    expect(rows, "Undo does not take the size back").to_have_value("4")
    _expect(page, 4, 6, "Kale", "after the size was taken back")
    for taken_back, left in (
        ("kale", "empty"),
        ("clearing", "Onion"),
        ("onion", "Carrot"),
        ("carrot", "empty"),
    ):
        undo.click()
        _expect(page, 1, 1, left, f"after the {taken_back} was taken back")
    expect(undo, "Undo can still be pressed after everything was taken back").to_be_disabled()
    for _ in range(6):
        redo.click()
    expect(redo, "Redo can be pressed after everything was brought back").to_be_disabled()
    expect(date, "Redo does not bring the date back").to_have_value("2027-03-15")
    expect(rows, "Redo does not bring the size back").to_have_value("3")


def check_dynamic_a_change_ends_redo(page: Page):
    """What was taken back is gone once something else was changed; keys do what buttons do."""
    redo = page.get_by_role("button", name="Redo", exact=True)
    _plant(page, "Carrot", (1, 1), (1, 2))
    page.keyboard.press("Control+z")
    _expect(page, 1, 2, "empty", "after Ctrl+Z")
    page.keyboard.press("Control+Shift+Z")
    _expect(page, 1, 2, "Carrot", "after Ctrl+Shift+Z")
    page.keyboard.press("Control+z")
    page.get_by_label("Rows", exact=True).press("Control+z")
    _expect(page, 1, 1, "Carrot", "after Ctrl+Z in a field")
    _square(page, 4, 4).click()
    expect(redo, "Redo can be pressed after another change").to_be_disabled()
