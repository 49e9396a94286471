"""Checks of quay-curling: the needle runs on a clock of the checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _value(page: Page, name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+)", _text(page))
    assert found, f"there is no '{name}: ...' on the page"
    return int(found.group(1))


def _begin(page: Page) -> None:
    page.get_by_role("button", name="Begin").click()
    assert _value(page, "Stone") == 1, f"the game begins with stone {_value(page, 'Stone')}"


def _stones(page: Page) -> list[tuple[int, int, int]]:
    """Power, target and points of the stones thrown."""
    found = re.findall(r"Power (\d+), target (\d+): (\d+) points", _text(page))
    return [(int(power), int(target), int(points)) for power, target, points in found]


def _throw(page: Page, clock: Clock, off: int, *, key: bool = False) -> tuple[int, int, int]:
    """Throw when the needle is so far from the target; power, target and points of the stone."""
    target = _value(page, "Target")
    assert 20 <= target <= 80, f"a target of {target} is not from 20 to 80"
    clock.run_for(round((target + off) * 20))
    shown = _value(page, "Power")
    assert abs(shown - target - off) <= 2, (
        f"{(target + off) * 20} ms after the needle set off it shows {shown}"
    )
    before = len(_stones(page))
    if key:
        page.keyboard.press("Space")
    else:
        page.get_by_role("button", name="Throw").click()
    stones = _stones(page)
    assert len(stones) == before + 1, f"a throw makes {len(stones) - before} stones"
    power = stones[-1][0]
    assert abs(power - shown) <= 1, f"the needle shows {shown}, the throw takes {power}"
    return stones[-1]


def check_static_the_start_page_explains(page: Page) -> None:
    """The page opens with the rules and a button Begin, and no game yet."""
    expect(page.get_by_role("button", name="Begin"), "no button Begin").to_be_visible()
    expect(page.get_by_role("button", name="Throw"), "Throw is there too early").to_have_count(0)
    assert "space bar" in _text(page), "the start page does not name the space bar"


def check_intention_points_by_distance(page: Page, clock: Clock) -> None:
    """Near stones are worth 3 points, nearby ones 1, others none; five stones make the total."""
    _begin(page)
    total, targets = 0, set()
    for number, off in enumerate((0, -3, 7, -14, 16), start=1):
        power, target, points = _throw(page, clock, off)
        far = abs(power - target)
        right = 3 if far <= 3 else 1 if far <= 10 else 0
        assert points == right, f"a stone {far} away is worth {points} points instead of {right}"
        total += points
        targets.add(target)
        if number < 5:
            assert _value(page, "Points") == total, f"{total} points are shown as others"
    assert f"Total: {total} of 15" in _text(page), f"the result does not tell a total of {total}"
    assert len(_stones(page)) == 5, f"the result lists {len(_stones(page))} stones"
    assert len(targets) > 1, "all five targets were the same"
    page.get_by_role("button", name="Play again").click()
    again = (_value(page, "Stone"), _value(page, "Points"), _stones(page))
    assert again == (1, 0, []), f"Play again begins with {again}"


def check_dynamic_the_needle_runs_up_and_down(page: Page, clock: Clock) -> None:
    """The needle is at 100 after two seconds and at 0 after four."""
    _begin(page)
    for passed, power in ((1000, 50), (1000, 100), (1000, 50), (1000, 0), (500, 25)):
        clock.run_for(passed)
        assert abs(_value(page, "Power") - power) <= 2, (
            f"the needle shows {_value(page, 'Power')} where it should be at {power}"
        )


def check_dynamic_the_space_bar_throws(page: Page, clock: Clock) -> None:
    """The space bar throws once, also right after the button was used."""
    page.keyboard.press("Space")
    _begin(page)
    _throw(page, clock, 0, key=True)
    _throw(page, clock, 5)
    _throw(page, clock, 0, key=True)
    assert _value(page, "Stone") == 4, f"three throws lead to stone {_value(page, 'Stone')}"
