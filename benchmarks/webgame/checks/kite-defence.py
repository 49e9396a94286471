"""Checks of kite-defence: sparks fall on a clock of the checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

START = {"Column": 4, "Drones": 14, "Bolts": 20, "Shields": 3, "Points": 0}


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _values(page: Page) -> dict[str, int]:
    found = {name: re.search(rf"{name}:\s*(\d+)", _text(page)) for name in START}
    missing = [name for name, value in found.items() if value is None]
    assert not missing, f"the page shows no {', '.join(missing)}"
    return {name: int(value.group(1)) for name, value in found.items() if value}


def _play(page: Page) -> None:
    page.get_by_role("button", name="Play").click()
    assert _values(page) == START, f"a game begins with {_values(page)}"


def _to(page: Page, column: int) -> None:
    for _ in range(8):
        at = _values(page)["Column"]
        if at == column:
            return
        page.keyboard.press("ArrowRight" if at < column else "ArrowLeft")
    raise AssertionError(f"the arrow keys do not lead to column {column}")


def _skies(page: Page) -> list[bytes]:
    """What the upper half of the sky shows, column by column."""
    box = page.locator("canvas").bounding_box()
    assert box, "there is no canvas to be seen"
    width, height = box["width"] / 7, box["height"] / 2
    return [
        page.screenshot(
            clip={
                "x": box["x"] + n * width + 4,
                "y": box["y"],
                "width": width - 8,
                "height": height,
            }
        )
        for n in range(7)
    ]


def check_static_the_menu_explains_and_offers_play(page: Page) -> None:
    """The page opens with a menu: how to play, and a button Play."""
    expect(page.get_by_role("button", name="Play"), "no button Play").to_be_visible()
    for word in ("Space", "arrow", "click"):
        assert re.search(word, _text(page), re.I), f"the menu says nothing about '{word}'"


def check_intention_all_drones_can_be_shot_down(page: Page) -> None:
    """Two bolts in each column win with 140 points, and Play again begins anew."""
    _play(page)
    for column in range(1, 8):
        _to(page, column)
        for _ in range(2):
            page.keyboard.press("Space")
            assert re.search(rf"hit in column {column}|sky is clear", _text(page), re.I), (
                f"a bolt in column {column}, where drones hang, does not hit there"
            )
    assert "The sky is clear: 140 points" in _text(page), "no drone is left, but the game goes on"
    assert _values(page)["Bolts"] == 6, f"14 of 20 bolts leave {_values(page)['Bolts']}"
    page.get_by_role("button", name="Play again").click()
    assert _values(page) == START, f"Play again begins with {_values(page)}"


def check_intention_a_click_shoots_where_it_points(page: Page) -> None:
    """A click on the sky flies to that column and shoots there, and nowhere else."""
    _play(page)
    box = page.locator("canvas").bounding_box()
    assert box, "there is no canvas to be seen"
    for count, column in enumerate((2, 2, 6), start=1):
        before = _skies(page)
        page.mouse.click(box["x"] + box["width"] * (column - 0.5) / 7, box["y"] + 40)
        values = _values(page)
        assert values["Column"] == column, f"a click in column {column} flies to {values['Column']}"
        assert values["Drones"] == 14 - count, f"a click in column {column} hits nothing"
        after = _skies(page)
        changed = [n + 1 for n in range(7) if before[n] != after[n]]
        assert changed == [column], f"a bolt in column {column} brings a drone of {changed} down"


def check_dynamic_sparks_hit_who_stays(page: Page, clock: Clock) -> None:
    """Sparks fall every two seconds, hit who stays, miss who moves, and the third hit ends it."""
    _play(page)
    clock.run_for(1900)
    assert "spark" not in _text(page).lower(), "a spark falls before two seconds have passed"
    clock.run_for(200)
    assert "A spark falls in column 4" in _text(page), "no spark falls after two seconds"
    page.keyboard.press("ArrowLeft")
    clock.run_for(1000)
    assert _values(page)["Shields"] == 3, "a spark hits a kite that has moved away"
    for left in (2, 1, 0):
        clock.run_for(2000)
        assert _values(page)["Shields"] == left, (
            f"a spark that hits leaves {_values(page)['Shields']} shields instead of {left}"
        )
    assert "The kite is down" in _text(page), "losing the third shield does not end the game"
    page.keyboard.press("Space")
    clock.run_for(5000)
    assert _values(page)["Bolts"] == 20, "after the end the kite still shoots"


def check_dynamic_bolts_run_out(page: Page) -> None:
    """Misses use bolts up, the edge stops the kite, and without bolts the game is lost."""
    _play(page)
    _to(page, 7)
    page.keyboard.press("ArrowRight")
    assert _values(page)["Column"] == 7, "the kite leaves the sky on the right"
    for _ in range(3):
        page.keyboard.press("Space")
    assert "Missed in column 7" in _text(page), "a bolt in an empty column does not miss"
    for _ in range(17):
        page.keyboard.press("Space")
    assert "No bolts are left" in _text(page), "twenty bolts are used, but the game goes on"
