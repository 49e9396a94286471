"""Checks of pendulum-lab: period formula, a real swing on screen, dragging, pausing, resetting."""

from __future__ import annotations

import base64
import math
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_appbench.browser.clock import Clock

# Finds the red pixels of a screenshot: how many there are and where their middle is.
_RED = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const ctx = canvas.getContext('2d');
  ctx.drawImage(image, 0, 0);
  const d = ctx.getImageData(0, 0, image.width, image.height).data;
  let n = 0, x = 0, y = 0;
  for (let i = 0; i < d.length; i += 4) {
    if (d[i] > 150 && d[i + 1] < 90 && d[i + 2] < 90) {
      n += 1; x += (i / 4) % image.width; y += Math.floor(i / 4 / image.width);
    }
  }
  return [n, x / Math.max(n, 1), y / Math.max(n, 1)];
}"""


def _bob(page: Page) -> tuple[float, float]:
    png = base64.b64encode(page.screenshot()).decode()
    count, x, y = page.evaluate(_RED, png)
    assert count >= 40, f"no red ball is to be seen on the page ({count:.0f} red pixels)"
    return x, y


def _slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=re.compile(rf"\b{name}\b", re.I)).first


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"\b{name}\b", re.I)).first


def _number(page: Page, label: str) -> float:
    text = page.locator("body").inner_text()
    found = re.search(rf"\b{label}\b[^\d+−–-]{{0,12}}([+−–-]?\s*\d+(?:[.,]\d+)?)", text, re.I)
    assert found, f"no read-out “{label}:” with a number is on the page"
    return float(re.sub(r"[−–]", "-", found[1]).replace(" ", "").replace(",", "."))


def _set(page: Page, clock: Clock, length: float, gravity: float) -> None:
    _slider(page, "Length").fill(f"{length:g}")
    _slider(page, "Gravity").fill(f"{gravity:g}")
    clock.run_for(50)


def _angles(page: Page, clock: Clock, seconds: float, count: int = 26) -> list[float]:
    angles = []
    for _ in range(count):
        clock.run_for(seconds * 1000 / count)
        angles.append(_number(page, "Angle"))
    return angles


def check_intention_period_read_out_follows_the_formula(page: Page, clock: Clock) -> None:
    """The read-out shows 2π√(length/gravity) to two decimals for every slider setting."""
    for length, gravity in ((0.2, 25), (2, 1.6), (0.5, 9.8), (1.3, 3.7)):
        _set(page, clock, length, gravity)
        expected = 2 * math.pi * math.sqrt(length / gravity)
        shown = _number(page, "Period")
        assert abs(shown - expected) < 0.0151, (
            f"with {length} m and {gravity} m/s² the period should be {expected:.2f} s, "
            f"but {shown} s is shown"
        )


def check_intention_swing_takes_the_period_shown(page: Page, clock: Clock) -> None:
    """The swing passes the lowest point and both ends when the formula says so."""
    for length, gravity in ((1, 9.8), (2, 25)):
        _button(page, "Reset").click()
        _set(page, clock, length, gravity)
        period = 2 * math.pi * math.sqrt(length / gravity)
        _button(page, "Start").click()
        for part, expected, slack in ((0.25, 0, 4.5), (0.5, -20, 2.5), (0.75, 0, 5), (1, 20, 2.5)):
            clock.run_for(period * 250)
            angle = _number(page, "Angle")
            assert abs(angle - expected) <= slack, (
                f"with {length} m and {gravity} m/s² (period {period:.2f} s) the angle should be "
                f"about {expected}° after {part * period:.2f} s, but it is {angle}°"
            )


def check_intention_swing_keeps_its_height(page: Page, clock: Clock) -> None:
    """Without friction the swing is as wide after eight seconds as at the start."""
    _button(page, "Start").click()
    clock.run_for(8_000)
    angles = _angles(page, clock, 2.1)
    assert max(angles) - min(angles) > 5, "the pendulum stands still after 8 s, without friction"
    for side, end in (("right", max(angles)), ("left", -min(angles))):
        assert 18.5 <= end <= 21, (
            f"after 8 s the swing to the {side} reaches {end}° instead of 20°, without friction"
        )


def check_intention_ball_on_screen_swings_about_the_pivot(page: Page, clock: Clock) -> None:
    """The drawn ball moves to the mirrored place after half a period, through the lowest point."""
    right = _bob(page)
    _button(page, "Start").click()
    clock.run_for(502)
    low = _bob(page)
    clock.run_for(502)
    left = _bob(page)
    width = right[0] - left[0]
    assert width > 20, (
        f"the red ball did not swing from right to left: x was {right[0]:.0f} px at the start and "
        f"{left[0]:.0f} px half a period later"
    )
    assert abs(right[1] - left[1]) < 0.1 * width, "the ball is not equally high at both ends"
    middle = (right[0] + left[0]) / 2
    assert abs(low[0] - middle) < 0.3 * width, (
        "a quarter of a period after the start the ball is not below the pivot"
    )
    assert low[1] > right[1] + 1, "the ball's path is not an arc that is lowest below the pivot"


def check_static_sliders_have_their_ranges(page: Page) -> None:
    """Length runs from 0.2 to 2, Gravity from 1 to 25, both in steps of 0.1."""
    for name, values in (("Length", (0.2, 2, 0.1, 1)), ("Gravity", (1, 25, 0.1, 9.8))):
        slider = _slider(page, name)
        expect(slider, f"no slider labelled {name} is visible").to_be_visible()
        for key, wanted in zip(("min", "max", "step"), values[:3], strict=True):
            found = slider.get_attribute(key)
            try:
                right = abs(float(found or "nan") - wanted) < 1e-9
            except ValueError:
                right = False
            assert right, f"the slider {name} has {key} {found} instead of {wanted}"
        value = float(slider.input_value())
        assert abs(value - values[3]) < 1e-9, f"{name} starts at {value} instead of {values[3]}"


def check_static_start_state_is_shown(page: Page) -> None:
    """Period 2.01 s, Angle 20.0°, the buttons and the red ball are there at the start."""
    body = page.locator("body")
    expect(body, "“Period: 2.01 s” is not shown at the start").to_contain_text(
        re.compile(r"Period\W{0,5}2\.01\s*s", re.I)
    )
    expect(body, "“Angle: 20.0°” is not shown at the start").to_contain_text(
        re.compile(r"Angle\W{0,5}20\.0\s*°", re.I)
    )
    expect(_button(page, "Start"), "no button Start").to_be_visible()
    expect(_button(page, "Reset"), "no button Reset").to_be_visible()
    _bob(page)


def check_dynamic_ball_can_be_dragged_to_the_limit(page: Page, clock: Clock) -> None:
    """A pull far to the left stops at -60°, the ball rests there in the hand and swings off."""
    x, y = _bob(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(1, 11):
        page.mouse.move(x - 60 * i if x - 60 * i > 5 else 5, y - 12 * i)
    clock.run_for(400)
    held = _number(page, "Angle")
    assert -60.5 <= held <= -59.5, (
        f"the ball was pulled far up to the left, which should stop at -60°, but reads {held}°"
    )
    to_x, to_y = _bob(page)
    slope = (y - to_y) / max(x - to_x, 1)
    wanted = (math.cos(math.radians(20)) - 0.5) / (math.sin(math.radians(20)) + math.sqrt(0.75))
    assert abs(slope - wanted) < 0.07, "the drawn ball is not where the angle -60° puts it"
    page.mouse.up()
    clock.run_for(1077)
    after = _number(page, "Angle")
    assert after > 45, (
        f"let go at -60° the ball should be near +60° about 1.08 s later, but the angle is {after}°"
    )


def check_dynamic_pause_freezes_the_swing(page: Page, clock: Clock) -> None:
    """Start turns into Pause, Pause holds the angle, and Start makes it move again."""
    _button(page, "Start").click()
    clock.run_for(300)
    expect(_button(page, "Pause"), "the button does not read Pause while it swings").to_be_visible()
    _button(page, "Pause").click()
    clock.run_for(50)
    before = _number(page, "Angle")
    clock.run_for(1300)
    after = _number(page, "Angle")
    assert before == after, f"paused, the pendulum went on from {before}° to {after}°"
    assert before < 19.5, f"the pendulum did not leave 20° in the 0.3 s before the pause: {before}°"
    expect(_button(page, "Start"), "after Pause the button does not read Start").to_be_visible()
    _button(page, "Start").click()
    clock.run_for(400)
    again = _number(page, "Angle")
    assert abs(again - after) > 1, f"after pausing, Start leaves the pendulum at {again}°"


def check_dynamic_reset_restores_everything(page: Page, clock: Clock) -> None:
    """Reset in mid-swing brings back 1 m, 9.8 m/s² and 20° at rest."""
    _set(page, clock, 0.4, 20)
    _button(page, "Start").click()
    clock.run_for(700)
    _button(page, "Reset").click()
    clock.run_for(900)
    angle = _number(page, "Angle")
    assert angle == 20, f"after Reset and 0.9 s the angle is {angle}° instead of a resting 20.0°"
    period = _number(page, "Period")
    assert period == 2.01, f"after Reset the period is {period} s instead of 2.01 s"
    for name, value in (("Length", 1), ("Gravity", 9.8)):
        found = float(_slider(page, name).input_value())
        assert abs(found - value) < 1e-9, f"after Reset {name} is {found} instead of {value}"
    expect(_button(page, "Start"), "after Reset the button does not read Start").to_be_visible()
    _button(page, "Start").click()
    clock.run_for(1004)
    angle = _number(page, "Angle")
    assert abs(angle + 20) <= 2.5, (
        "started again after a Reset in mid-swing, the pendulum should be near -20° after half a "
        f"period, but it is at {angle}°: it did not begin at rest"
    )
