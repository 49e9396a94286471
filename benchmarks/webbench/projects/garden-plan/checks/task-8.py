"""Checks of step 8: the date."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _plant(page: Page, plant: str, *places: tuple[int, int]) -> None:
    page.get_by_role("radio", name=plant, exact=True).check()
    for place in places:
        _square(page, *place).click()


def check_intention_tells_days(page: Page):
    """With a date, Ready says the day that many weeks later; without one, the weeks."""
    _plant(page, "Carrot", (1, 1))
    _plant(page, "Lettuce", (3, 1))
    field = page.get_by_label("Sown on")
    rows = page.get_by_role("table", name="Harvest").get_by_role("row")
    for date, days in (
        ("", ["6 weeks", "10 weeks"]),
        ("2027-03-15", ["2027-04-26", "2027-05-24"]),
        ("2028-01-31", ["2028-03-13", "2028-04-10"]),
        ("2027-11-01", ["2027-12-13", "2028-01-10"]),
        ("", ["6 weeks", "10 weeks"]),
    ):
        field.fill(date)
        for place, day in enumerate(days, start=1):
            ready = rows.nth(place).locator("th, td").last
            said = f"sown on {date or 'no date'}, Ready of row {place} is not {day}"
            expect(ready, said).to_have_text(day)
