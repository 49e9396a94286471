"""Checks of step 4: the harvest."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _plant(page: Page, plant: str, *places: tuple[int, int]) -> None:
    page.get_by_role("radio", name=plant, exact=True).check()
    for place in places:
        _square(page, *place).click()


def check_intention_lists_the_harvest(page: Page):
    """A row for each plant in the bed, what is ready first on top, equal ones in order."""
    nothing = page.locator("#nothing")
    table = page.get_by_role("table", name="Harvest")
    expect(nothing, "no 'Nothing to harvest' at first").to_have_text("Nothing to harvest")
    expect(table, "there is a table with nothing in the bed").to_be_hidden()
    _plant(page, "Carrot", (1, 1), (1, 2))
    _plant(page, "Beans", (4, 1))
    _plant(page, "Lettuce", (4, 3))
    _plant(page, "Kale", (4, 6))
    expect(nothing, "'Nothing to harvest' stays").to_be_hidden()
    rows = (
        ("Plant", "Squares", "Plants", "Ready"),
        ("Lettuce", "1", "4", "6 weeks"),
        ("Kale", "1", "1", "9 weeks"),
        ("Beans", "1", "9", "9 weeks"),
        ("Carrot", "2", "32", "10 weeks"),
    )
    expect(table.get_by_role("row"), "not four plants are listed").to_have_count(len(rows))
    for place, cells in enumerate(rows):
        row = table.get_by_role("row").nth(place).locator("th, td")
        expect(row, f"row {place} is not {' | '.join(cells)}").to_have_text(list(cells))
