"""Checks of bubble-wrap: popping by mouse, sweep and keyboard, the clock, new sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock


def _bubble(page: Page, number: int) -> Locator:
    bubble = page.get_by_role("button", name=re.compile(rf"^\s*Bubble {number}\b", re.I)).first
    expect(bubble, f"there is no button named Bubble {number}").to_be_visible()
    return bubble


def _centre(page: Page, number: int) -> tuple[float, float]:
    box = _bubble(page, number).bounding_box()
    assert box, f"Bubble {number} cannot be reached with the mouse"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _centres(page: Page) -> list[tuple[float, float]]:
    """The centres of all bubbles, in the order of their numbers."""
    bubbles = page.get_by_role("button", name=re.compile(r"^\s*Bubble \d+\b", re.I))
    expect(bubbles, "there are not 40 buttons named Bubble 1 to Bubble 40").to_have_count(40)
    found = bubbles.evaluate_all(
        """all => all.map(b => {
          const box = b.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2, box.width];
        })"""
    )
    return [(x, y) for x, y, _ in found]


def _pop_the_rest(page: Page, first: int) -> None:
    """Pops all bubbles from a number on in one sweep, or by clicks where a sweep misses some."""
    centres = _centres(page)[first - 1 :]
    page.mouse.move(*centres[0])
    page.mouse.down()
    for x, y in centres[1:]:
        page.mouse.move(x, y)
    page.mouse.up()
    counted = re.search(r"popped\s*:\s*(\d+)", page.locator("body").inner_text(), re.I)
    if not counted or int(counted[1]) < len(centres):
        for x, y in centres:
            page.mouse.click(x, y)


def _count(page: Page, popped: int, when: str) -> None:
    expect(
        page.locator("body"), f'{when}, it does not say "Popped: {popped} of 40"'
    ).to_contain_text(re.compile(rf"popped\s*:\s*{popped}\s*of\s*40", re.I), use_inner_text=True)


def _time(page: Page, label: str, seconds: float, when: str) -> None:
    """Expects "Time: 4.2 s" or "Fastest: 12.3 s", give or take a tenth."""
    near = "|".join(re.escape(f"{max(0.0, seconds + d):.1f}") for d in (-0.1, 0, 0.1))
    expect(
        page.locator("body"), f'{when}, it does not say "{label}: {seconds:.1f} s"'
    ).to_contain_text(re.compile(rf"{label}\s*:\s*({near})\s*s", re.I), use_inner_text=True)


def _new_sheet(page: Page) -> None:
    button = page.get_by_role("button", name=re.compile(r"new sheet", re.I)).first
    expect(button, "there is no button New sheet").to_be_visible()
    button.click()


def _all_popped(page: Page) -> Locator:
    return page.get_by_text(re.compile(r"all popped", re.I)).filter(visible=True)


def check_static_forty_bubbles_in_five_rows(page: Page) -> None:
    """Bubble 1 to Bubble 40 stand in 5 rows of 8, counted by rows."""
    for number in (1, 8, 9, 40):
        _bubble(page, number)
    centres = _centres(page)
    rows = {round(y) for _, y in centres}
    assert len(rows) == 5, f"the bubbles stand in {len(rows)} rows instead of 5"
    first, eighth, ninth = (_centre(page, number) for number in (1, 8, 9))
    assert abs(first[1] - eighth[1]) < 2, "Bubble 1 and Bubble 8 do not stand in one row"
    assert ninth[1] > first[1] + 5, "Bubble 9 does not stand below Bubble 1"
    assert abs(ninth[0] - first[0]) < 5, "Bubble 9 does not stand below Bubble 1"


def check_static_lines_and_controls_are_there(page: Page) -> None:
    """At first nothing is popped, the time is zero, there is no fastest time."""
    _count(page, 0, "at first")
    _time(page, "Time", 0, "at first")
    expect(page.locator("body"), 'it does not say "Fastest: none" at first').to_contain_text(
        re.compile(r"fastest\s*:\s*none", re.I), use_inner_text=True
    )
    button = page.get_by_role("button", name=re.compile(r"new sheet", re.I)).first
    expect(button, "there is no button New sheet").to_be_visible()
    sound = page.get_by_label(re.compile(r"^\W*sound", re.I)).first
    expect(sound, "there is no checkbox Sound").to_be_attached()


def check_intention_click_and_keyboard_pop(page: Page) -> None:
    """Click, Space and Enter pop a bubble once, and it looks flat and is announced as pressed."""
    bubble = _bubble(page, 12)
    before = bubble.screenshot(animations="disabled")
    bubble.click()
    _count(page, 1, "after clicking Bubble 12")
    page.mouse.move(1, 1)
    assert bubble.screenshot(animations="disabled") != before, "popped Bubble 12 looks as before"
    pressed = bubble.evaluate(
        "b => b.ariaPressed === 'true' || b.ariaChecked === 'true' || b.checked === true"
    )
    assert pressed, "popped Bubble 12 is not announced as pressed"
    for count, (number, key) in enumerate(((3, "Space"), (40, "Enter")), 2):
        _bubble(page, number).focus()
        page.keyboard.press(key)
        _count(page, count, f"after pressing {key} on Bubble {number}")


def check_intention_sweep_pops_only_with_the_button_held(page: Page) -> None:
    """Moving over bubbles pops them with the mouse button held, and not without."""
    start, end, away = _centre(page, 17), _centre(page, 21), _centre(page, 24)
    page.mouse.move(*start)
    page.mouse.move(*end, steps=20)
    _count(page, 0, "after moving over five bubbles without holding the button")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=30)
    page.mouse.up()
    _count(page, 5, "after sweeping over Bubble 17 to 21 with the button held")
    page.mouse.move(*away, steps=20)
    _count(page, 5, "after moving on with the button released")


def check_intention_time_runs_from_first_to_last_pop(page: Page, clock: Clock) -> None:
    """The time starts with the first pop and stands still from the last one on."""
    clock.run_for(3000)
    _time(page, "Time", 0, "three seconds before any pop")
    _bubble(page, 1).click()
    clock.run_for(4200)
    _time(page, "Time", 4.2, "4.2 s after the first pop")
    _pop_the_rest(page, 2)
    _count(page, 40, "after popping all bubbles")
    expect(_all_popped(page).first, "it does not say All popped! at the end").to_be_visible()
    _time(page, "Fastest", 4.2, "after a sheet in 4.2 s")
    clock.run_for(6000)
    _time(page, "Time", 4.2, "six seconds after the last of 40 bubbles was popped in 4.2 s")


def check_intention_fastest_keeps_the_smallest_time(page: Page, clock: Clock) -> None:
    """A quicker sheet replaces the fastest time, a slower one does not."""
    for needed, best in ((9, 9), (6.5, 6.5), (8, 6.5)):
        _bubble(page, 1).click()
        clock.run_for(int(needed * 1000))
        _pop_the_rest(page, 2)
        _time(page, "Fastest", best, f"after a sheet in {needed} s")
        _new_sheet(page)
        _count(page, 0, "after New sheet")
        _time(page, "Fastest", best, "after New sheet")


def check_dynamic_popped_bubbles_do_not_count_again(page: Page) -> None:
    """Clicking, sweeping over or pressing Space on a popped bubble changes nothing."""
    for number in (5, 6):
        _bubble(page, number).click()
    x, y = _centre(page, 5)
    page.mouse.click(x, y)
    page.mouse.down()
    page.mouse.move(*_centre(page, 6), steps=8)
    page.mouse.up()
    _bubble(page, 6).focus()
    page.keyboard.press("Space")
    _count(page, 2, "after popping Bubble 5 and 6 and trying them again")


def check_dynamic_new_sheet_in_the_middle(page: Page, clock: Clock) -> None:
    """New sheet in the middle restores bubbles, count and time, which waits for a new pop."""
    for number in (2, 11, 30):
        _bubble(page, number).click()
    clock.run_for(2500)
    _time(page, "Time", 2.5, "2.5 s after the first pop")
    _new_sheet(page)
    _count(page, 0, "after New sheet in the middle")
    clock.run_for(2000)
    _time(page, "Time", 0, "two seconds after New sheet")
    _bubble(page, 11).click()
    _count(page, 1, "after New sheet and popping Bubble 11 again")
    clock.run_for(1000)
    _time(page, "Time", 1, "one second after the first pop on the new sheet")


def check_dynamic_all_popped_only_at_the_end(page: Page) -> None:
    """All popped! comes with the fortieth bubble and goes with New sheet."""
    _pop_the_rest(page, 2)
    _count(page, 39, "after popping all but Bubble 1")
    expect(_all_popped(page), "it says All popped! with one bubble left").to_have_count(0)
    _bubble(page, 1).click()
    expect(_all_popped(page).first, "it does not say All popped! at the end").to_be_visible()
    _new_sheet(page)
    expect(_all_popped(page), "All popped! stays after New sheet").to_have_count(0)
