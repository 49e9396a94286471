"""Checks of choir-page: the order of the concerts, the town, the note and the theme."""

import re

from playwright.sync_api import Page, expect

PROGRAMMES = [
    "Lenten motets",
    "Spring vespers",
    "Summer madrigals",
    "Songs of the river",
    "Requiem",
    "Carols by candle",
]


def _order(page: Page) -> list[str]:
    expect(page.get_by_text("Requiem").first, "the concerts are not shown").to_be_visible()
    text = page.locator("body").inner_text()
    return sorted((name for name in PROGRAMMES if name in text), key=text.index)


def check_intention_the_soonest_concert_is_first(page: Page) -> None:
    """The concerts stand in the order of their dates."""
    found = _order(page)
    assert found == PROGRAMMES, f"the concerts are not in the order of their dates: {found}"


def check_static_crest_name_and_prices(page: Page) -> None:
    """The crest loads, and name and prices are there."""
    crest = page.locator("img[src*='crest']").first
    expect(crest, "the crest is not shown").to_be_visible()
    heading = page.get_by_role("heading", name=re.compile("Corven Chamber Choir"))
    expect(heading.first, "no heading with the name of the choir").to_be_visible()
    expect(page.locator("body"), "the price 14.50 is not shown").to_contain_text("14.50")


def check_dynamic_a_town_shows_its_concerts_only(page: Page) -> None:
    """Ashby has three concerts, and all towns come back."""
    _order(page)
    town = page.get_by_label(re.compile("Town", re.I)).first
    town.select_option(label="Ashby")
    expect(page.get_by_text("Lenten motets"), "a concert of Corven stays").to_have_count(0)
    expect(page.locator("body"), "3 concerts are not counted").to_contain_text(
        re.compile(r"\b3 concerts")
    )
    town.select_option(index=0)
    assert len(_order(page)) == 6, "not all concerts come back"


def check_dynamic_the_note_plays_until_it_is_stopped(page: Page) -> None:
    """The button plays the recording, says how to stop it, and stops it."""
    page.get_by_role("button", name=re.compile("Play tuning note", re.I)).click()
    stop = page.get_by_role("button", name=re.compile("Stop tuning note", re.I))
    expect(stop, "the button does not offer to stop the note").to_be_visible()
    stop.click()
    again = page.get_by_role("button", name=re.compile("Play tuning note", re.I))
    expect(again, "the button does not offer to play the note again").to_be_visible()


def check_dynamic_the_dark_theme_survives_a_reload(page: Page) -> None:
    """Dark stays dark when the page is opened again, and can be switched back."""
    colour = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.get_by_role("button", name=re.compile("Dark theme", re.I)).click()
    dark = page.evaluate(colour)
    assert dark != light, "the button Dark theme does not change the background"
    page.reload()
    _order(page)
    assert page.evaluate(colour) == dark, "the dark theme is gone after a reload"
