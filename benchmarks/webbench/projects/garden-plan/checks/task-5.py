"""Checks of step 5: clashing neighbours."""

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


def check_intention_finds_clashes(page: Page):
    """Clashing plants side by side are marked, both of them; corners are no sides."""
    clashes = page.locator("#clashes")
    _plant(page, "Onion", (1, 1))
    _plant(page, "Beans", (2, 2), (3, 3))
    expect(clashes, "squares that share a corner clash").to_have_text("")
    _plant(page, "Beans", (1, 2))
    _expect(page, 1, 1, "Onion, clashes with Beans", "with beans to the right of an onion")
    _expect(page, 1, 2, "Beans, clashes with Onion", "with beans to the right of an onion")
    _expect(page, 2, 2, "Beans", "with beans below beans")
    expect(clashes, "two squares that clash are not counted").to_have_text("2 squares clash")
    expect(_square(page, 1, 1), "a square that clashes is not marked").to_have_class(
        re.compile(r"\bclash\b")
    )
    expect(_square(page, 2, 2), "a square without clash is marked").not_to_have_class(
        re.compile(r"\bclash\b")
    )
    _plant(page, "Kale", (4, 6))
    _plant(page, "Tomato", (3, 6))
    expect(clashes, "four squares that clash are not counted").to_have_text("4 squares clash")
    _expect(page, 3, 6, "Tomato, clashes with Kale", "with kale below a tomato")
    _plant(page, "Lettuce", (1, 2), (3, 6))
    expect(clashes, "clashes that are gone are still told").to_have_text("")
