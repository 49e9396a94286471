"""Checks of tide-hall: sections, facts, links that arrive, the small window."""

import re

from playwright.sync_api import Page, expect

HOURS = {
    "Monday": "closed",
    **dict.fromkeys(("Tuesday", "Wednesday", "Thursday", "Friday"), "10:00.*17:00"),
    **dict.fromkeys(("Saturday", "Sunday"), "11:00.*18:00"),
}
CARDS = ("The Moon's Pull", "A Harbour in a Jar", "Reading the Almanac")


def _heading(page: Page, name: str):
    return page.get_by_role("heading", name=re.compile(name.replace("'", "['’]"), re.I)).first


def check_intention_presents_the_museum(page: Page) -> None:
    """The page is that of Tide Hall and presents its three exhibits."""
    expect(_heading(page, "Tide Hall"), "no heading names Tide Hall").to_be_visible()
    for card in CARDS:
        expect(_heading(page, card), f"no card {card}").to_be_visible()


def check_intention_is_in_english(page: Page) -> None:
    """The page says that it is in English."""
    lang = page.evaluate("document.documentElement.lang")
    assert lang.startswith("en"), f"the page says that it is in {lang!r}, not English"


def check_static_opening_hours(page: Page) -> None:
    """The table holds the hours of each day."""
    for day, hours in HOURS.items():
        row = page.get_by_role("row").filter(has_text=day)
        expect(row, f"the hours of {day} are not {hours}").to_contain_text(
            re.compile(f"{day}.*{hours}", re.I | re.S)
        )


def check_static_tickets_and_address(page: Page) -> None:
    """Prices and address can be read."""
    text = " ".join(page.locator("body").inner_text().split())
    for name, price in (("Adult", 8), ("Child", 4), ("Family", 20)):
        assert re.search(rf"{name}\W*£\s?{price}\b", text), f"{name} does not cost £{price}"
    assert "3 Shore Street" in text, "the address is missing"


def check_dynamic_links_arrive(page: Page) -> None:
    """Each link at the top brings its section into the window."""
    page.set_viewport_size({"width": 1000, "height": 420})
    for name in ("Tickets", "Exhibits", "Visit"):
        page.get_by_role("link", name=name).first.click()
        expect(
            _heading(page, f"^{name}$"), f"the link {name} does not lead to its section"
        ).to_be_in_viewport()


def check_dynamic_fits_a_phone(page: Page) -> None:
    """In a small window nothing has to be scrolled sideways."""
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 391, f"the page is {wide} pixels wide in a window of 390"
