"""Checks of bread-oven: apprentices bake on a clock of the checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock


def _value(page: Page, name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+)", page.locator("body").inner_text())
    assert found, f"there is no '{name}: ...' on the page"
    return int(found.group(1))


def _state(page: Page) -> tuple[int, int]:
    return _value(page, "Loaves"), _value(page, "Apprentices")


def _bake(page: Page, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Bake").click()


def _hire(page: Page) -> None:
    page.get_by_role("button", name=re.compile("hire", re.I)).click()


def check_static_bake_is_the_largest_button(page: Page) -> None:
    """The game is on at once, and Bake is its largest button."""
    assert _state(page) == (0, 0), f"the page opens with {_state(page)} loaves and apprentices"
    areas = page.get_by_role("button").evaluate_all(
        "all => all.map(e => [e.offsetWidth * e.offsetHeight, e.innerText])"
    )
    assert max(areas)[1].strip() == "Bake", f"the largest button is {max(areas)[1]!r}"


def check_intention_apprentices_bake_to_the_goal(page: Page, clock: Clock) -> None:
    """Ten loaves buy an apprentice, apprentices bake by the second, and 100 loaves end it."""
    _bake(page, 10)
    assert _state(page) == (10, 0), f"ten presses make {_state(page)[0]} loaves"
    _hire(page)
    assert _state(page) == (0, 1), f"hiring for 10 of 10 loaves leaves {_state(page)}"
    clock.run_for(15050)
    assert _value(page, "Loaves") == 15, (
        f"one apprentice bakes {_value(page, 'Loaves')} loaves in 15 seconds instead of 15"
    )
    _hire(page)
    clock.run_for(10000)
    assert _state(page) == (20, 2), f"two apprentices make {_state(page)} in 10 seconds"
    clock.run_for(45000)
    assert _value(page, "Loaves") == 100, f"the game goes on to {_value(page, 'Loaves')} loaves"
    expect(page.locator("body"), "the hundredth loaf ends nothing").to_contain_text("hundredth")
    page.get_by_role("button", name="Start over").click()
    assert _state(page) == (0, 0), f"Start over leaves {_state(page)}"


def check_dynamic_what_cannot_be_paid_is_refused(page: Page) -> None:
    """Nine loaves buy nobody."""
    _bake(page, 9)
    _hire(page)
    assert _state(page) == (9, 0), f"hiring with 9 loaves leaves {_state(page)}"
    expect(page.locator("body"), "the price is not told").to_contain_text("costs 10 loaves")


def check_dynamic_a_reload_keeps_the_bakery(page: Page) -> None:
    """Loaves and apprentices outlast a reload."""
    _bake(page, 12)
    _hire(page)
    before = _state(page)
    page.reload()
    assert _value(page, "Apprentices") == 1, "the apprentice is gone after a reload"
    assert abs(_value(page, "Loaves") - before[0]) <= 2, (
        f"after a reload {before[0]} loaves are {_value(page, 'Loaves')}"
    )
