"""Checks of recipe-scaler: proportions, quarters, ounces, the way back, ticks, bad input."""

import re

from playwright.sync_api import Locator, Page, expect

RECIPE = (
    "240 g flour",
    "360 ml milk",
    "2 eggs",
    "30 g butter",
    "1 1/2 tsp baking powder",
    "1/4 tsp salt",
)


def _servings(page: Page) -> Locator:
    field = page.get_by_label(re.compile("servings", re.I)).and_(page.locator("input")).first
    expect(field, "there is no field labelled Servings").to_be_visible()
    return field


def _button(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=re.compile(rf"^\s*{name}\s*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    return button


def _line(page: Page, text: str) -> Locator:
    return page.get_by_role("checkbox", name=text, exact=True)


def _shows(page: Page, lines: tuple[str, ...], when: str) -> None:
    for line in lines:
        expect(_line(page, line), f"{when}, the list does not say {line}").to_have_count(1)


def check_intention_amounts_are_in_proportion(page: Page) -> None:
    """The amounts are those of the recipe, in proportion."""
    _servings(page).fill("8")
    doubled = ("480 g flour", "720 ml milk", "4 eggs", "60 g butter", "3 tsp baking powder")
    _shows(page, (*doubled, "1/2 tsp salt"), "for 8 servings")
    _servings(page).fill("3")
    _shows(page, ("180 g flour", "270 ml milk", "1 1/2 eggs", "1/4 tsp salt"), "for 3 servings")


def check_intention_small_amounts_stay_a_quarter(page: Page) -> None:
    """For one serving there are quarters, never nothing and never decimals."""
    _servings(page).fill("1")
    _shows(page, ("60 g flour", "90 ml milk", "1/2 eggs", "1/4 tsp salt"), "for 1 serving")


def check_intention_ounces(page: Page) -> None:
    """Ounces are converted from the exact amounts."""
    page.get_by_label(re.compile("units", re.I)).first.select_option(label="Ounces")
    _shows(page, ("8.5 oz flour", "12.2 fl oz milk", "1.1 oz butter", "2 eggs"), "in ounces")


def check_static_has_its_controls(page: Page) -> None:
    """Field, buttons, list of units, six checkboxes."""
    expect(_servings(page), "Servings does not start with 4").to_have_value("4")
    for name in ("Fewer", "More", "Reset"):
        _button(page, name)
    options = page.get_by_label(re.compile("units", re.I)).first.locator("option")
    expect(options, "Units does not offer Metric and Ounces").to_have_text(["Metric", "Ounces"])
    expect(page.get_by_role("checkbox"), "there are not six checkboxes").to_have_count(6)


def check_static_shows_the_recipe(page: Page) -> None:
    """At first there is the recipe for 4."""
    _shows(page, RECIPE, "at first")


def check_dynamic_finds_its_way_back(page: Page) -> None:
    """Down to one and up to four again, the recipe is the same."""
    for _ in range(3):
        _button(page, "Fewer").click()
    expect(_servings(page), "three times Fewer is not 1 serving").to_have_value("1")
    for _ in range(3):
        _button(page, "More").click()
    _shows(page, RECIPE, "back at 4 servings")


def check_dynamic_buttons_stop_at_the_ends(page: Page) -> None:
    """Neither 0 nor 25 servings."""
    _servings(page).fill("1")
    _press(_button(page, "Fewer"))
    expect(_servings(page), "Fewer goes below 1").to_have_value("1")
    _servings(page).fill("24")
    _press(_button(page, "More"))
    expect(_servings(page), "More goes beyond 24").to_have_value("24")


def _press(button: Locator) -> None:
    if button.is_enabled():
        button.click()


def check_dynamic_ticks_stay_until_reset(page: Page) -> None:
    """A tick stays with its ingredient; Reset takes all back."""
    _line(page, "360 ml milk").check()
    _button(page, "More").click()
    page.get_by_label(re.compile("units", re.I)).first.select_option(label="Ounces")
    milk = page.get_by_role("checkbox", name=re.compile("milk", re.I))
    expect(milk, "the tick of the milk is gone after a change").to_be_checked()
    _button(page, "Reset").click()
    _shows(page, RECIPE, "after Reset")
    expect(milk, "Reset leaves a tick").not_to_be_checked()


def check_dynamic_bad_input_is_named(page: Page) -> None:
    """Empty, zero, too many, and halves are refused; a good number brings the list back."""
    for bad in ("", "0", "25", "2.5"):
        _servings(page).fill(bad)
        expect(_line(page, RECIPE[0]), f"amounts are shown for {bad!r} servings").to_have_count(0)
        message = page.get_by_text(re.compile(r"servings.*\b(1|whole|24)\b", re.I)).first
        expect(message, f"no message names Servings for {bad!r}").to_be_visible()
    _servings(page).fill("4")
    _shows(page, RECIPE, "after bad input was mended")
