"""Checks of five-harvests: whole farms are run beside a reckoning of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _value(page: Page, name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+)", _text(page))
    assert found, f"there is no '{name}: ...' on the page"
    return int(found.group(1))


def _fields(page: Page) -> list[str]:
    return [str(crop) for crop in re.findall(r"Field \d: (empty|wheat|orchard)", _text(page))]


def _begin(page: Page, name: str = "Begin") -> None:
    page.get_by_role("button", name=name).click()
    state = (_value(page, "Season"), _value(page, "Coins"))
    assert state == (1, 20), f"a game begins in season and with coins {state}"


def _plant(page: Page, crop: str, field: int) -> None:
    page.get_by_role("button", name=re.compile(rf"{crop}.*field {field}", re.I)).click()


def _end(page: Page) -> None:
    page.get_by_role("button", name="End season").click()


def check_static_the_introduction_tells_the_rules(page: Page) -> None:
    """The page opens with the rules and a button Begin; the farm is not there yet."""
    expect(page.get_by_role("button", name="Begin"), "no button Begin").to_be_visible()
    for word in ("wheat", "orchard", "drought"):
        assert word in _text(page).lower(), f"the introduction says nothing about {word}"
    expect(page.get_by_role("button", name="End season"), "the farm is open").to_have_count(0)


def check_intention_five_seasons_are_reckoned_right(page: Page) -> None:
    """Wheat, drought, orchards and the settlement after season 5 are reckoned by the rules."""
    _begin(page)
    coins = 20
    _plant(page, "orchard", 1)
    coins -= 8
    for season, weather in enumerate(("fair", "drought", "fair", "drought", "fair"), start=1):
        assert _value(page, "Season") == season, f"season {season} is shown as another"
        assert f"Weather: {weather}" in _text(page), f"season {season} is not {weather}"
        _plant(page, "wheat", 2)
        _plant(page, "wheat", 4)
        coins -= 6
        assert _value(page, "Coins") == coins, f"{_value(page, 'Coins')} coins instead of {coins}"
        _end(page)
        coins += (0 if weather == "drought" else 12) + (4 if season > 1 else 0)
        if season < 5:
            assert _value(page, "Coins") == coins, (
                f"after season {season} there are {_value(page, 'Coins')} coins, not {coins}"
            )
    assert "Five harvests are in" in _text(page), "the fifth season does not end the game"
    assert f"{coins + 5} points" in _text(page), f"the settlement does not tell {coins + 5} points"
    _begin(page, "Play again")
    assert _fields(page) == ["empty"] * 4, f"Play again leaves {_fields(page)}"


def check_intention_the_farm_can_be_lost(page: Page) -> None:
    """Two droughts of wheat use the coins up, and the farm is lost."""
    _begin(page)
    _end(page)
    for field in (1, 2, 3, 4):
        _plant(page, "wheat", field)
    _end(page)
    assert _value(page, "Coins") == 8, f"a drought leaves {_value(page, 'Coins')} coins, not 8"
    _end(page)
    _plant(page, "wheat", 1)
    _plant(page, "wheat", 2)
    _end(page)
    assert "The farm is lost" in _text(page), "with 2 coins and nothing planted the game goes on"


def check_dynamic_what_cannot_be_is_refused(page: Page) -> None:
    """A planted field and a crop that cannot be paid are refused without a change."""
    _begin(page)
    _plant(page, "orchard", 3)
    assert _fields(page) == ["empty", "empty", "orchard", "empty"], f"planted is {_fields(page)}"
    _plant(page, "wheat", 3)
    assert _value(page, "Coins") == 12, "planting a planted field takes coins"
    assert "planted already" in _text(page), "planting a planted field is not refused in words"
    _plant(page, "orchard", 1)
    _plant(page, "orchard", 2)
    assert "cannot pay 8" in _text(page), "an orchard that cannot be paid is not refused in words"
    state = (_value(page, "Coins"), _fields(page)[1])
    assert state == (4, "empty"), f"a refused orchard leaves coins and field {state}"
