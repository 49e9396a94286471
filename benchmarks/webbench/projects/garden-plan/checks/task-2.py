"""Checks of step 2: planting."""

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


def check_static_offers_the_plants(page: Page):
    """There is a radio button for each plant, in order, and the first one is chosen."""
    group = page.get_by_role("group", name="Plant", exact=True)
    plants = group.get_by_role("radio")
    names = ("Tomato", "Kale", "Lettuce", "Beans", "Onion", "Carrot")
    expect(plants, "there is not one radio button for each plant").to_have_count(len(names))
    for place, name in enumerate(names):
        expect(plants.nth(place), f"plant {place + 1} is not {name}").to_have_accessible_name(name)
    expect(plants.first, "the first plant is not chosen").to_be_checked()


def check_dynamic_plants_replaces_and_clears(page: Page):
    """A press plants, with another plant it replaces, with the same one it clears."""
    _square(page, 4, 6).click()
    _expect(page, 4, 6, "Tomato", "after a press with what is chosen at first")
    _plant(page, "Carrot", (2, 3), (4, 6))
    _expect(page, 2, 3, "Carrot", "after planting")
    _expect(page, 4, 6, "Carrot", "after planting over a tomato")
    expect(_square(page, 2, 3), "the square does not show Carrot").to_contain_text("Carrot")
    _square(page, 2, 3).click()
    _expect(page, 2, 3, "empty", "after a second press with the same plant")
    _expect(page, 4, 6, "Carrot", "after another square was cleared")
