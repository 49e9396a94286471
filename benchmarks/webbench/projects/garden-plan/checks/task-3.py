"""Checks of step 3: the summary."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _plant(page: Page, plant: str, *places: tuple[int, int]) -> None:
    page.get_by_role("radio", name=plant, exact=True).check()
    for place in places:
        _square(page, *place).click()


def check_dynamic_sums_up(page: Page):
    """Squares, planted squares and plants are counted, one of them in the singular."""
    status = page.get_by_role("status")
    for plant, place, words in (
        (None, (1, 1), "24 squares, 0 planted, 0 plants"),
        ("Tomato", (1, 1), "24 squares, 1 planted, 1 plant"),
        ("Carrot", (2, 3), "24 squares, 2 planted, 17 plants"),
        ("Beans", (1, 1), "24 squares, 2 planted, 25 plants"),
        ("Carrot", (2, 3), "24 squares, 1 planted, 9 plants"),
    ):
        if plant:
            _plant(page, plant, place)
        expect(status, f"the summary is not '{words}'").to_have_text(words)
