"""Checks of pottery-portfolio: the list as it is in the file, the filter, and the large view."""

import re

from playwright.sync_api import Locator, Page, expect

POTS = ["Morning bowl", "Tall reed", "Cellar jug", "Rain bowl", "Night vase", "Two-cup jug"]


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^\W*{name}\b", re.I)).first


def _pot(page: Page, name: str) -> Locator:
    return page.get_by_text(name, exact=True).and_(page.locator(":visible")).first


def check_intention_every_pot_of_the_list_is_shown(page: Page) -> None:
    """All pots of the file are there, with their years."""
    for name in POTS:
        expect(_pot(page, name), f"the pot {name} is not shown").to_be_visible()
    expect(page.locator("body"), "the year of Tall reed is not shown").to_contain_text("2020")


def check_static_portrait_heading_and_cv(page: Page) -> None:
    """The portrait, the name and the link to the CV are there."""
    heading = page.get_by_role("heading", name=re.compile("Mira Hale"))
    expect(heading.first, "no heading Mira Hale").to_be_visible()
    portrait = page.locator("img[src*='portrait']").first
    expect(portrait, "the portrait is not shown").to_be_visible()
    loaded = portrait.evaluate("image => image.decode().then(() => image.naturalWidth)")
    assert loaded, "the portrait does not load"
    link = page.get_by_role("link", name=re.compile("Download CV", re.I))
    expect(link.first, "no link to the CV").to_have_attribute("href", re.compile(r"cv\.pdf$"))


def check_dynamic_the_filter_says_how_many_are_shown(page: Page) -> None:
    """Each kind shows its pots and their number; All brings everything back."""
    for label, count, gone in (("Vases", 2, "Cellar jug"), ("Bowls", 3, "Tall reed")):
        _button(page, label).click()
        expect(page.get_by_text(gone, exact=True), f"{gone} stays under {label}").to_have_count(0)
        expect(page.locator("body"), f"{label} does not say {count} of 7 pots").to_contain_text(
            re.compile(rf"\b{count} of 7\b")
        )
    _button(page, "All").click()
    expect(_pot(page, "Cellar jug"), "All does not bring the jugs back").to_be_visible()


def check_dynamic_next_goes_round_within_the_filter(page: Page) -> None:
    """With the vases shown, Next leads from one vase to the other and back."""
    _button(page, "Vases").click()
    _pot(page, "Tall reed").click()
    expect(page.get_by_text("celadon"), "the glaze of Tall reed is not told").to_be_visible()
    _button(page, "Next").click()
    expect(page.get_by_text("tenmoku"), "Next does not lead to the other vase").to_be_visible()
    _button(page, "Next").click()
    expect(page.get_by_text("celadon"), "Next does not go round").to_be_visible()
    _button(page, "Close").click()
    expect(page.get_by_text("celadon"), "Close does not close it").to_be_hidden()
