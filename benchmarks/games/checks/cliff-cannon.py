"""Checks of cliff-cannon: landing points by the throw formula, and games of five aimed shots."""

from __future__ import annotations

import re
from itertools import product
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

CLIFF = 20.0
GRAVITY = {"Earth": 9.81, "Mars": 3.71, "Moon": 1.62}
FLIGHT_MS = 3100  # a flight is drawn in at most three seconds


def _range(angle: float, speed: float, planet: str = "Earth") -> float:
    g, up = GRAVITY[planet], speed * sin(radians(angle))
    return speed * cos(radians(angle)) * (up + sqrt(up * up + 2 * g * CLIFF)) / g


def _aim(target: float, least: float, most: float) -> tuple[float, float]:
    """Angle and speed (to one decimal) that land between least and most metres off the target."""
    for angle, tenths in product((40, 35, 45, 50, 30, 25), range(100, 601)):
        if least <= _range(angle, tenths / 10) - target <= most:
            return angle, tenths / 10
    raise AssertionError(f"no shot found for a target at {target} m")


def _box(page: Page, name: str) -> Locator:
    label = re.compile(rf"^\W*{name}\b", re.I)
    return page.get_by_label(label).and_(page.locator("input")).first


def _fire_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"^\W*fire\b", re.I)).first


def _press_fire(page: Page) -> None:
    """Press Fire where it can be pressed; a greyed-out button is left alone."""
    if _fire_button(page).is_enabled():
        _fire_button(page).click()


def _choose(page: Page, planet: str) -> None:
    name = re.compile(planet, re.I)
    choice = page.get_by_role("combobox", name=re.compile("planet", re.I))
    if choice.count():
        label = choice.get_by_role("option", name=name).first.text_content() or ""
        choice.select_option(label=label.strip())
    elif page.get_by_role("radio", name=name).count():
        page.get_by_role("radio", name=name).first.check(force=True)
    else:
        page.get_by_role("button", name=name).first.click()


def _shoot(page: Page, clock: Clock, angle: float, speed: float) -> float:
    """Fire one shot, wait for it to land and read where."""
    _box(page, "angle").fill(f"{angle:g}")
    _box(page, "speed").fill(f"{speed:g}")
    _fire_button(page).click()
    clock.run_for(FLIGHT_MS)
    text = page.locator("body").inner_text()
    hit = re.search(r"landed at\s*:?\s*(-?[\d.,]+)\s*m\b", text, re.I)
    assert hit, (
        f"three seconds after a shot with {angle:g} degrees and {speed:g} m/s "
        "there is no 'Landed at ... m'"
    )
    return float(hit.group(1).replace(",", ""))


def _number(page: Page, pattern: str, example: str) -> int:
    hit = re.search(pattern + r"\s*:?\s*(\d+)", page.locator("body").inner_text(), re.I)
    assert hit, f"the page does not show '{example}'"
    return int(hit.group(1))


def _target(page: Page) -> int:
    return _number(page, "target at", "Target at 150 m")


def _shots(page: Page) -> int:
    return _number(page, "shots left", "Shots left: 5")


def _score(page: Page) -> int:
    return _number(page, "score", "Score: 0")


def _over(page: Page) -> Locator:
    return page.get_by_text(re.compile("game over", re.I)).filter(visible=True)


def _check_landing(page: Page, clock: Clock, angle: float, speed: float, planet: str) -> None:
    got, want = _shoot(page, clock, angle, speed), _range(angle, speed, planet)
    assert abs(got - want) < 0.15, (
        f"{planet}, {angle:g} degrees, {speed:g} m/s from a 20 m cliff: "
        f"landed at {got:.1f} m, but physics gives {want:.1f} m"
    )


def check_static_controls_are_labelled(page: Page) -> None:
    """Angle, Speed, a choice of three planets, Fire and New game are there."""
    for name in ("Angle", "Speed"):
        expect(_box(page, name), f"no box labelled {name}").to_be_visible()
        expect(_box(page, name), f"the {name} box cannot be edited").to_be_editable()
    for name in ("Fire", "New game"):
        button = page.get_by_role("button", name=re.compile(name, re.I)).first
        expect(button, f"no button named {name}").to_be_visible()
    text = page.locator("body").inner_text().lower()
    for planet in GRAVITY:
        assert planet.lower() in text, f"the planet {planet} is not offered"
        _choose(page, planet)


def check_static_readouts_at_start(page: Page) -> None:
    """A target from 60 to 250 m, five shots and score zero are shown; the game is not over."""
    target = _target(page)
    assert 60 <= target <= 250, f"the target stands at {target} m, outside 60 to 250 m"
    assert _shots(page) == 5, f"a new game shows {_shots(page)} shots left instead of 5"
    assert _score(page) == 0, f"a new game shows score {_score(page)} instead of 0"
    expect(_over(page), "'Game over' is shown before any shot").to_have_count(0)


def check_intention_landing_on_earth(page: Page, clock: Clock) -> None:
    """On Earth a level shot, a flat and a medium one land where physics says."""
    for angle, speed in [(0, 20), (45, 30), (20, 55)]:
        _check_landing(page, clock, angle, speed, "Earth")


def check_intention_landing_on_mars_and_moon(page: Page, clock: Clock) -> None:
    """The same shot goes farther on Mars and the Moon, by their gravity."""
    for planet, angle, speed in [("Moon", 45, 60), ("Mars", 30, 25), ("Moon", 0, 10)]:
        _choose(page, planet)
        _check_landing(page, clock, angle, speed, planet)
    _choose(page, "Earth")
    _check_landing(page, clock, 80, 12.5, "Earth")


def check_intention_hits_score_and_misses_do_not(page: Page, clock: Clock) -> None:
    """Under 5 m off is a hit; more is a miss that leaves score and target alone."""
    for least, most, points, what in [
        (5.4, 7, 0, "more than 5 m too far"),
        (-7, -5.4, 0, "more than 5 m too short"),
        (3.4, 4.7, 1, "less than 5 m too far"),
        (-4.7, -3.4, 2, "less than 5 m too short"),
    ]:
        target = _target(page)
        angle, speed = _aim(target, least, most)
        landed = _shoot(page, clock, angle, speed)
        assert _score(page) == points, (
            f"a ball at {landed} m for a target at {target} m ({what}) made the score "
            f"{_score(page)} instead of {points}"
        )
        if points == 0:
            assert _target(page) == target, f"the target moved after a miss ({what})"


def check_dynamic_full_game_and_the_next(page: Page, clock: Clock) -> None:
    """Five aimed shots score five and end the game; Fire is dead until New game starts afresh."""
    targets = []
    for number in range(1, 6):
        expect(_over(page), f"'Game over' is shown before shot {number}").to_have_count(0)
        targets.append(_target(page))
        assert 60 <= targets[-1] <= 250, f"a target stands at {targets[-1]} m, outside 60 to 250"
        _shoot(page, clock, *_aim(targets[-1], -1, 1))
        assert _score(page) == number, (
            f"score {_score(page)} after {number} shots that all landed within 1 m of the target"
        )
        assert _shots(page) == 5 - number, (
            f"'Shots left: {_shots(page)}' after {number} shots of five"
        )
    assert len(set(targets)) > 1, f"the target never moved after a hit: {targets}"
    expect(_over(page).first, "no 'Game over' after the fifth shot").to_be_visible()
    score = _score(page)
    _press_fire(page)
    clock.run_for(FLIGHT_MS)
    assert (_shots(page), _score(page)) == (0, score), (
        f"Fire after the end gave {_shots(page)} shots left and score {_score(page)}; "
        f"it had been 0 shots and score {score}"
    )
    page.get_by_role("button", name=re.compile("new game", re.I)).first.click()
    assert _shots(page) == 5, f"New game shows {_shots(page)} shots left instead of 5"
    assert _score(page) == 0, f"New game shows score {_score(page)} instead of 0"
    expect(_over(page), "'Game over' stays after New game").to_have_count(0)
    _check_landing(page, clock, 10, 25, "Earth")
    assert _shots(page) == 4, f"the first shot of the new game left {_shots(page)} shots"


def check_dynamic_flight_is_drawn_and_blocks_fire(page: Page, clock: Clock) -> None:
    """The picture changes while the ball flies, and Fire during the flight costs no shot."""
    _box(page, "angle").fill("50")
    _box(page, "speed").fill("40")
    _fire_button(page).click()
    clock.run_for(100)
    first = page.screenshot(animations="disabled")
    clock.run_for(200)
    second = page.screenshot(animations="disabled")
    assert first != second, "nothing moves on the screen while the ball should be flying"
    _press_fire(page)
    clock.run_for(FLIGHT_MS)
    assert _shots(page) == 4, (
        f"pressing Fire again during the flight left {_shots(page)} shots instead of 4"
    )
    assert re.search(r"landed at", page.locator("body").inner_text(), re.I), (
        "the ball has not landed after three seconds"
    )


def check_dynamic_bad_values_cost_no_shot(page: Page, clock: Clock) -> None:
    """Empty, negative and out-of-range values get a message, cost no shot and break nothing."""
    for name, value, other in [
        ("angle", "", "30"),
        ("angle", "-5", "30"),
        ("angle", "80.5", "30"),
        ("speed", "", "40"),
        ("speed", "9.9", "40"),
        ("speed", "1000000", "40"),
    ]:
        _box(page, "speed" if name == "angle" else "angle").fill(other)
        _box(page, name).fill("45" if name == "angle" else "30")
        before = page.locator("body").inner_text()
        _box(page, name).fill(value)
        _press_fire(page)
        clock.run_for(FLIGHT_MS)
        shown = repr(value) if value else "nothing"
        assert _shots(page) == 5, f"a shot was taken with {shown} in the {name} box"
        if (name, value) in {("angle", ""), ("speed", "")}:
            told = page.locator("body").inner_text() != before
            bubble = _box(page, name).evaluate("e => e.validationMessage || ''")
            assert told or bubble, f"no message is shown with {shown} in the {name} box"
    _check_landing(page, clock, 45, 30, "Earth")
