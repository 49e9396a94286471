"""Checks of step 11: what survives a reload."""

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


def check_dynamic_survives_a_reload(page: Page):
    """Bed, size and date are there again after a reload, with nothing to undo."""
    _set_size(page, "2", "3")
    _plant(page, "Beans", (2, 3))
    page.get_by_label("Sown on").fill("2027-03-15")
    page.reload()
    _expect(page, 2, 3, "Beans", "after a reload")
    expect(page.get_by_role("gridcell"), "the size is lost by a reload").to_have_count(6)
    date = page.get_by_label("Sown on")
    expect(date, "the date is lost by a reload").to_have_value("2027-03-15")
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo, "there is something to undo after a reload").to_be_disabled()


def check_dynamic_starts_anew_with_rubbish(page: Page):
    """What is stored and no plan is left alone: the bed is empty, of 4 rows and 6 columns."""
    for stored in ("no json", "null", "7", "[]", '{"squares": 7, "bed": [[3]], "rows": "x"}'):
        page.evaluate("stored => localStorage.setItem('garden-plan', stored)", stored)
        page.reload()
        squares = page.get_by_role("gridcell")
        expect(squares, f"with {stored!r} stored there is no bed of 24").to_have_count(24)
        _expect(page, 4, 6, "empty", f"with {stored!r} stored")
    _plant(page, "Kale", (4, 6))
    _expect(page, 4, 6, "Kale", "after planting in the new bed")
