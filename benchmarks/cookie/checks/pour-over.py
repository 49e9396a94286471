"""Checks of pour-over: amounts, and the timer under a clock of our own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

RATIOS = {"Light": 17, "Balanced": 16, "Strong": 15}


def _says(page: Page, text: str, when: str) -> None:
    expect(page.locator("body"), f"{when}, it does not say {text!r}").to_contain_text(
        re.compile(rf"{text}\b"), use_inner_text=True
    )


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def _choose(page: Page, strength: str) -> None:
    names = page.get_by_label("Strength").locator("option").all_inner_texts()
    page.get_by_label("Strength").select_option(label=next(n for n in names if strength in n))


def _state(page: Page) -> tuple[str, str]:
    """What to do and the time, as the page says it."""
    text = page.locator("main, body").first.inner_text()
    steps = [s for s in ("Ready", "First pour", "Second pour", "Draw down", "Enjoy") if s in text]
    if not steps and re.search(r"^\s*Bloom\s*$", text, re.M):
        steps = ["Bloom"]
    times = re.findall(r"(?<![\d:(])\d:\d\d(?!\d)", text)
    assert steps, "the page does not say what to do"
    assert times, "there is no time like 0:00"
    return steps[0], times[0]


def check_static_starts_as_asked(page: Page) -> None:
    """Fields, buttons and read-outs are there, with 20 g and Balanced."""
    expect(page.get_by_label("Coffee (g)"), "coffee does not start at 20").to_have_value("20")
    for name in ("Start", "Reset"):
        expect(page.get_by_role("button", name=name, exact=True), f"no {name}").to_be_visible()
    _says(page, "Water: 320 g", "at first")
    _says(page, "Bloom: 40 g", "at first")
    assert _state(page) == ("Ready", "0:00")


def check_intention_water_follows_coffee_and_strength(page: Page) -> None:
    """Water is coffee times the ratio, bloom twice the coffee."""
    for coffee, strength in ((20, "Light"), (20, "Strong"), (30, "Strong"), (30, "Balanced")):
        page.get_by_label("Coffee (g)").fill(str(coffee))
        _choose(page, strength)
        when = f"with {coffee} g, {strength}"
        _says(page, f"Water: {coffee * RATIOS[strength]} g", when)
        _says(page, f"Bloom: {coffee * 2} g", when)


def check_dynamic_steps_come_in_time(page: Page, clock: Clock) -> None:
    """Each step shows within its time, and it ends with Enjoy."""
    _press(page, "Start")
    at = 0
    for second, step in (
        (20, "Bloom"),
        (50, "First pour"),
        (100, "Second pour"),
        (140, "Draw down"),
    ):
        clock.run_for((second - at) * 1000 + (300 if at == 0 else 0))
        at = second
        found = _state(page)
        time = f"{second // 60}:{second % 60:02}"
        assert found == (step, time), f"after {time} it shows {found}, not {step}"
    clock.run_for(60_000)
    assert _state(page) == ("Enjoy", "3:00"), f"in the end it shows {_state(page)}"


def check_dynamic_pause_holds_the_time(page: Page, clock: Clock) -> None:
    """Pause holds the time, Start goes on, Reset returns to the beginning."""
    _press(page, "Start")
    clock.run_for(30_300)
    _press(page, "Pause")
    clock.run_for(30_000)
    assert _state(page)[1] == "0:30", f"under Pause the time went on to {_state(page)[1]}"
    _press(page, "Start")
    clock.run_for(20_000)
    assert _state(page) == ("First pour", "0:50"), f"after going on it shows {_state(page)}"
    _press(page, "Reset")
    clock.run_for(5_000)
    assert _state(page) == ("Ready", "0:00"), f"after Reset it shows {_state(page)}"
