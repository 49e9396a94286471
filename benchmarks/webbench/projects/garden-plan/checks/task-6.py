"""Checks of step 6: the size."""

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


def check_dynamic_changes_size(page: Page):
    """What is planted stays in its row and column, what lies outside is gone for good."""
    expect(page.get_by_label("Rows", exact=True), "Rows is not 4 at first").to_have_value("4")
    expect(page.get_by_label("Columns", exact=True), "Columns is not 6").to_have_value("6")
    _plant(page, "Carrot", (1, 6), (2, 2), (4, 1))
    _set_size(page, "5", "8")
    status = page.get_by_role("status")
    words = "40 squares, 3 planted, 48 plants"
    expect(status, f"with 5 rows and 8 columns it does not say '{words}'").to_have_text(words)
    _expect(page, 2, 2, "Carrot", "after the bed grew")
    _expect(page, 4, 1, "Carrot", "after the bed grew")
    _expect(page, 5, 8, "empty", "after the bed grew")
    _set_size(page, "2", "3")
    _expect(page, 2, 2, "Carrot", "after the bed shrank")
    _set_size(page, "4", "6")
    _expect(page, 1, 6, "empty", "after the bed shrank and grew")
    _expect(page, 2, 2, "Carrot", "after the bed shrank and grew")


def check_dynamic_refuses_bad_sizes(page: Page):
    """A size that is no whole number in its range is refused, and what was typed stays."""
    problem, squares = page.locator("#problem"), page.get_by_role("gridcell")
    for rows, columns, words in (
        ("9", "3", "Rows must be a whole number from 1 to 8"),
        ("2.5", "3", "Rows must be a whole number from 1 to 8"),
        ("", "3", "Rows must be a whole number from 1 to 8"),
        ("2", "0", "Columns must be a whole number from 1 to 10"),
        ("2", "11", "Columns must be a whole number from 1 to 10"),
    ):
        _set_size(page, rows, columns)
        said = f"with {rows!r} rows and {columns!r} columns it does not say '{words}'"
        expect(problem, said).to_have_text(words)
        expect(squares, "a size that was refused changed the bed").to_have_count(24)
        field = page.get_by_label("Columns", exact=True)
        expect(field, "what was typed is gone").to_have_value(columns)
    _set_size(page, "1", "1")
    expect(problem, "the message stays after a good size").to_have_text("")
    words = "1 square, 0 planted, 0 plants"
    expect(page.get_by_role("status"), f"it does not say '{words}'").to_have_text(words)
