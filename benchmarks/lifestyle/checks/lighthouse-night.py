"""Checks of lighthouse-night: ways and hours, the bag, both endings and a fresh start."""

import re

from playwright.sync_api import Locator, Page, expect


def _button(page: Page, name: str) -> Locator:
    pattern = re.compile(rf"^\W*{re.escape(name)}\W*$", re.I)
    return page.get_by_role("button", name=pattern)


def _press(page: Page, *names: str) -> None:
    for name in names:
        button = _button(page, name).first
        expect(button, f"the button {name} is missing where it is needed").to_be_visible()
        expect(button, f"the button {name} is disabled where it should work").to_be_enabled()
        button.click()


def _name(page: Page) -> Locator:
    field = page.get_by_label(re.compile(r"^\s*your name", re.I)).and_(page.locator("input")).first
    expect(field, "there is no field labelled Your name").to_be_visible()
    return field


def _begin(page: Page, name: str = "Mara") -> None:
    _name(page).fill(name)
    _press(page, "Begin")


def _state(page: Page, place: str, hours: int, bag: str, when: str) -> None:
    """Expects place, hours and bag; the things in the bag may come in any order."""
    body = page.locator("body")
    things = bag.split(", ")
    either = "|".join(
        r"\s*,\s*".join(order) for order in dict.fromkeys((tuple(things), tuple(things[::-1])))
    )
    for label, value, shown in (
        ("Place", place, place),
        ("Hours left", str(hours), str(hours)),
        ("Bag", f"({either})", bag),
    ):
        expect(body, f'{when}, it does not say "{label}: {shown}"').to_contain_text(
            re.compile(rf"{label}\s*:\s*{value}(?!\s*,|\w)", re.I), use_inner_text=True
        )


def _offered(page: Page, wanted: tuple[str, ...], missing: tuple[str, ...], when: str) -> None:
    for name in wanted:
        expect(_button(page, name).first, f"{when}, there is no button {name}").to_be_visible()
    for name in missing:
        expect(_button(page, name), f"{when}, there is a button {name}").to_have_count(0)


def _no_more_choices(page: Page, when: str) -> None:
    expect(_button(page, "Play again").first, f"{when}, there is no Play again").to_be_visible()
    choice = re.compile(r"^\W*(go to|take|drop|light)\b", re.I)
    left = page.get_by_role("button", name=choice)
    expect(left, f"{when}, there are still choices besides Play again").to_have_count(0)


def check_static_first_screen_asks_for_a_name(page: Page) -> None:
    """The first screen has Your name and Begin, and no choices of the story yet."""
    _name(page)
    expect(_button(page, "Begin").first, "there is no button Begin").to_be_visible()
    _offered(page, (), ("Go to Yard", "Play again"), "before the story has begun")


def check_static_story_starts_in_the_cottage(page: Page) -> None:
    """The story starts in the Cottage with six hours and bread, with the choices of that place."""
    _begin(page)
    _state(page, "Cottage", 6, "bread", "at the beginning")
    missing = ("Go to Store", "Go to Tower", "Take oil", "Light the lamp")
    _offered(page, ("Go to Yard", "Drop bread"), missing, "in the Cottage")


def check_intention_walking_costs_hours_and_nothing_else_does(page: Page) -> None:
    """Each walk costs one hour, taking and dropping cost none, and the ways are as asked."""
    _begin(page)
    _press(page, "Go to Yard")
    _state(page, "Yard", 5, "bread", "after one walk")
    _offered(page, ("Go to Cottage", "Go to Store", "Go to Tower"), ("Go to Yard",), "in the Yard")
    _press(page, "Go to Store", "Take oil", "Drop bread", "Drop oil")
    _state(page, "Store", 4, "empty", "after two walks and dropping everything")
    _offered(page, ("Go to Yard",), ("Go to Tower", "Go to Cottage"), "in the Store")


def check_intention_bag_holds_two_things(page: Page) -> None:
    """With two things in the bag the take buttons are disabled, and a dropped thing frees one."""
    _begin(page)
    _press(page, "Go to Yard", "Go to Store", "Take oil")
    _state(page, "Store", 4, "bread, oil", "after taking oil")
    expect(
        _button(page, "Take matches").first, "Take matches works although the bag holds two things"
    ).to_be_disabled()
    _press(page, "Drop bread")
    expect(
        _button(page, "Take matches").first, "Take matches does not work with one thing in the bag"
    ).to_be_enabled()
    _press(page, "Take matches")
    _state(page, "Store", 4, "oil, matches", "after dropping bread and taking matches")
    expect(
        _button(page, "Take bread").first, "dropped bread cannot be taken with a full bag in sight"
    ).to_be_disabled()


def check_intention_oil_and_matches_save_the_ship(page: Page) -> None:
    """With oil and matches the lamp can be lit in the Tower, which ends the story well."""
    _begin(page)
    _press(page, "Go to Yard", "Go to Store", "Drop bread", "Take matches", "Take oil")
    _press(page, "Go to Yard", "Go to Tower")
    _state(page, "Tower", 2, "oil, matches", "after four walks with oil and matches")
    _press(page, "Light the lamp")
    saved = page.get_by_text(re.compile("the ship is saved", re.I)).filter(visible=True).first
    expect(saved, "lighting the lamp does not end with The ship is saved").to_be_visible()
    _no_more_choices(page, "after the ship is saved")


def check_intention_lamp_needs_both_things(page: Page) -> None:
    """Without matches the lamp cannot be lit."""
    _begin(page)
    _press(page, "Go to Yard", "Go to Store", "Take oil", "Go to Yard", "Go to Tower")
    lamp = _button(page, "Light the lamp").first
    expect(lamp, "there is no button Light the lamp in the Tower").to_be_visible()
    expect(lamp, "the lamp can be lit with bread and oil, without matches").to_be_disabled()


def check_dynamic_dropped_things_stay_where_they_are(page: Page) -> None:
    """A thing dropped in the Yard lies there, only there, until it is taken again."""
    _begin(page)
    _press(page, "Go to Yard", "Drop bread", "Go to Tower")
    _state(page, "Tower", 4, "empty", "after dropping bread in the Yard")
    _offered(page, (), ("Take bread", "Drop bread"), "with bread left in the Yard, in the Tower")
    _press(page, "Go to Yard", "Take bread")
    _state(page, "Yard", 3, "bread", "after taking bread again")


def check_dynamic_ship_is_lost_without_hours(page: Page) -> None:
    """The sixth walk loses the ship, even into the Tower with oil and matches."""
    _begin(page)
    _press(page, "Go to Yard", "Go to Store", "Drop bread", "Take oil", "Take matches")
    _press(page, "Go to Yard", "Go to Cottage", "Go to Yard")
    lost = page.get_by_text(re.compile("the ship is lost", re.I)).filter(visible=True)
    expect(lost, "the ship is lost although an hour is left").to_have_count(0)
    _press(page, "Go to Tower")
    expect(lost.first, "with no hours left it does not say The ship is lost").to_be_visible()
    _no_more_choices(page, "after the ship is lost")


def check_dynamic_play_again_starts_afresh(page: Page) -> None:
    """Play again leads back to the name and to a story in which everything is in its place."""
    _begin(page, "Mara")
    _press(page, "Go to Yard", "Drop bread", "Go to Store", "Take oil", "Take matches")
    _press(page, "Go to Yard", "Go to Tower", "Light the lamp", "Play again")
    _begin(page, "Jonas")
    _state(page, "Cottage", 6, "bread", "after Play again")
    expect(page.locator("body"), "after Play again the new name is not used").to_contain_text(
        "Jonas", use_inner_text=True
    )
    _press(page, "Go to Yard")
    _offered(page, (), ("Take bread",), "after Play again, in the Yard")
    _press(page, "Go to Store")
    _offered(page, ("Take oil", "Take matches"), (), "after Play again, in the Store")


def check_dynamic_name_is_used_as_plain_text(page: Page) -> None:
    """The story uses the name as it was typed, or Keeper without one."""
    _begin(page, "<b>Ann</b> & Co")
    expect(
        page.locator("body"), "the name <b>Ann</b> & Co is not shown as it was typed"
    ).to_contain_text("<b>Ann</b> & Co", use_inner_text=True)
    page.reload()
    before = len(re.findall(r"\bKeeper\b", page.locator("body").inner_text()))
    _begin(page, "")
    _state(page, "Cottage", 6, "bread", "after Begin without a name")
    after = len(re.findall(r"\bKeeper\b", page.locator("body").inner_text()))
    assert after > before, "without a name the story does not call me Keeper"
