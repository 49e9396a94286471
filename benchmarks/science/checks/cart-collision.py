"""Checks of cart-collision: conservation laws, motion in real time, the end of a run, bad input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

_START = {"Left mass": 1, "Right mass": 1, "Left velocity": 2, "Right velocity": -1}


def _field(page: Page, label: str) -> Locator:
    name = re.compile(label.replace(" ", r"\s+"), re.I)
    return (
        page.get_by_role("spinbutton", name=name).or_(page.get_by_role("textbox", name=name)).first
    )


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^\W*{name}\b", re.I)).first


def _set(page: Page, masses: str, velocities: str, bounciness: float) -> None:
    """Reset, then fill in two masses and two velocities, given like "1 3", and the slider."""
    _button(page, "Reset").click()
    values = masses.split() + velocities.split()
    for label, value in zip(_START, values, strict=True):
        field = _field(page, label)
        expect(field, f"no field labelled {label}").to_be_visible(timeout=3000)
        field.fill(value)
    page.get_by_role("slider", name=re.compile("bounciness", re.I)).first.fill(f"{bounciness:g}")


def _number(page: Page, label: str) -> float:
    text = page.locator("body").inner_text()
    name = label.replace(" ", r"\s+")
    found = re.search(
        rf"\b{name}(?:\s*\([^)]*\))?\s*[:=]?\s*([+\-−–]?)\s*(\d+\.\d\d)(?!\d)", text, re.I
    )
    assert found, f"no read-out “{label}:” with two decimals is shown"
    return float(found[2]) * (-1 if found[1] in "-−–" and found[1] else 1)


def _expect(page: Page, when: str, slack: float = 0.0151, **wanted: float) -> None:
    for key, value in wanted.items():
        label = key.replace("_", " ")
        shown = _number(page, label)
        assert abs(shown - value) <= slack, (
            f"{when}: {label} should be {value:.2f}, but {shown:.2f} is shown"
        )


def _expect_status(page: Page, status: str, when: str) -> None:
    expect(page.locator("body"), f"{when} the line Status does not say {status}").to_contain_text(
        re.compile(rf"Status\s*:?\s*{status}", re.I), use_inner_text=True, timeout=3000
    )


def _expect_impact(page: Page, clock: Clock, masses: str, velocities: str, bounce: float) -> None:
    """Run until shortly before and after the impact and compare all quantities."""
    (m1, m2), (v1, v2) = map(float, masses.split()), map(float, velocities.split())
    _set(page, masses, velocities, bounce)
    impact = 3 / (v1 - v2)
    momentum, energy = m1 * v1 + m2 * v2, (m1 * v1**2 + m2 * v2**2) / 2
    u1 = (momentum - m2 * bounce * (v1 - v2)) / (m1 + m2)
    u2 = (momentum + m1 * bounce * (v1 - v2)) / (m1 + m2)
    case = f"{m1:g} and {m2:g} kg, {v1:g} and {v2:g} m/s, bounciness {bounce:g}"
    _button(page, "Run").click()
    clock.run_for(impact * 1000 - 100)
    before = {"Left_speed_now": v1, "Right_speed_now": v2}
    _expect(page, f"{case}, before the impact", **before)
    _expect(page, f"{case}, before the impact", Total_momentum=momentum, Kinetic_energy=energy)
    clock.run_for(200)
    after = {"Left_speed_now": u1, "Right_speed_now": u2}
    _expect(page, f"{case}, after the impact", **after)
    energy = (m1 * u1**2 + m2 * u2**2) / 2
    _expect(page, f"{case}, after the impact", Total_momentum=momentum, Kinetic_energy=energy)


def check_intention_elastic_impact_keeps_momentum_and_energy(page: Page, clock: Clock) -> None:
    """With bounciness 1 unequal carts part with the velocities of an elastic collision."""
    _expect_impact(page, clock, "1 3", "2 -1", 1)
    _expect_impact(page, clock, "2.5 0.5", "2.5 -0.5", 1)


def check_intention_bounciness_below_one_loses_energy(page: Page, clock: Clock) -> None:
    """Bounciness 0 leaves one common velocity, 0.5 half the speed of parting."""
    _expect_impact(page, clock, "2 1", "2 -1", 0)
    _expect_impact(page, clock, "2 1", "2 -1", 0.5)


def check_intention_carts_move_in_real_time(page: Page, clock: Clock) -> None:
    """The positions follow the velocities and turn round where the bumpers meet."""
    _set(page, "1 1", "1 -0.5", 1)
    _button(page, "Run").click()
    clock.run_for(1000)
    _expect(
        page, "1 s after Run at 1 and -0.5 m/s", 0.06, Time=1, Left_position=2, Right_position=3.5
    )
    clock.run_for(1500)
    _expect(
        page,
        "2.5 s after Run, 0.5 s after the impact at 3 m",
        0.06,
        Time=2.5,
        Left_position=2.75,
        Right_position=3.5,
    )


def check_intention_carts_that_part_never_collide(page: Page, clock: Clock) -> None:
    """Carts moving apart keep their speeds, and the left end of the track ends the run."""
    _set(page, "2 5", "-1 0.5", 1)
    _button(page, "Run").click()
    clock.run_for(800)
    _expect(page, "carts moving apart", Left_speed_now=-1, Right_speed_now=0.5)
    clock.run_for(1200)
    _expect_status(page, "Finished", "1 s after the left bumper reached the end at 0 m")
    _expect(page, "at the left end of the track", 0.06, Time=1, Left_position=0, Right_position=4.5)


def check_static_fields_show_their_start_values(page: Page) -> None:
    """Four number fields and the Bounciness slider show the start values."""
    for label, value in _START.items():
        field = _field(page, label)
        expect(field, f"no number field labelled {label}").to_be_visible(timeout=3000)
        shown = field.input_value()
        assert shown.strip() and float(shown) == value, (  # noqa: PT018
            f"{label} starts at “{shown}” instead of {value}"
        )
    slider = page.get_by_role("slider", name=re.compile("bounciness", re.I)).first
    expect(slider, "no slider labelled Bounciness").to_be_visible(timeout=3000)
    for key, wanted in (("min", 0), ("max", 1), ("step", 0.1)):
        found = slider.get_attribute(key)
        assert found and float(found) == wanted, (  # noqa: PT018
            f"the slider Bounciness has {key} {found} instead of {wanted}"
        )
    assert float(slider.input_value()) == 1, "Bounciness does not start at 1"


def check_static_read_outs_stand_at_the_start(page: Page) -> None:
    """Time, positions and the status Ready are shown before the first run, and two buttons."""
    _expect_status(page, "Ready", "at the start")
    _expect(page, "at the start", Time=0, Left_position=1, Right_position=4)
    text = page.locator("body").inner_text()
    for label in ("Left speed now", "Right speed now", "Total momentum", "Kinetic energy"):
        assert re.search(label.replace(" ", r"\s+"), text, re.I), f"no read-out {label} is shown"
    for name in ("Run", "Reset"):
        expect(_button(page, name), f"no button {name}").to_be_visible(timeout=3000)


def check_dynamic_run_ends_at_the_end_of_the_track(page: Page, clock: Clock) -> None:
    """After the impact the right cart reaches 6 m, the run finishes and nothing moves on."""
    _button(page, "Run").click()
    clock.run_for(2000)
    _expect_status(page, "Running", "2 s after Run")
    clock.run_for(1500)
    _expect_status(page, "Finished", "1 s after the right bumper reached the end at 6 m")
    end = {"Time": 2.5, "Right_position": 6, "Left_position": 1.5}
    _expect(page, "at the right end of the track", 0.06, **end)
    clock.run_for(1000)
    _expect(page, "1 s after the run finished", 0.06, **end)


def check_dynamic_run_ends_for_a_cart_thrown_back(page: Page, clock: Clock) -> None:
    """A left cart thrown back by a heavy right one ends the run at the left end of the track."""
    _set(page, "1 3", "1 -1", 1)
    _button(page, "Run").click()
    clock.run_for(2500)
    _expect_status(page, "Running", "2.5 s after Run, 1 s after the impact,")
    clock.run_for(1250)
    when = "1 s after the left cart, thrown back by the impact, reached the end at 0 m,"
    _expect_status(page, "Finished", when)
    _expect(page, when, 0.06, Time=2.75, Left_position=0, Right_position=2.5)


def check_dynamic_run_ends_after_twenty_seconds(page: Page, clock: Clock) -> None:
    """Carts that stick and stand still end their run after 20 s."""
    _set(page, "2 2", "1 -1", 0)
    _button(page, "Run").click()
    clock.run_for(18_000)
    _expect_status(page, "Running", "18 s after Run, both carts standing at 2.5 m,")
    _expect(page, "both carts standing", 0.06, Left_position=2.5, Right_position=2.5)
    clock.run_for(3000)
    _expect_status(page, "Finished", "21 s after Run")
    _expect(page, "after a run of 20 s", 0.06, Time=20)


def check_dynamic_reset_keeps_the_values(page: Page, clock: Clock) -> None:
    """Reset in mid-run brings carts and time back, keeps the fields, and the next run uses them."""
    _set(page, "3 0.5", "0.5 -2", 0.4)
    _button(page, "Run").click()
    clock.run_for(1500)
    _button(page, "Reset").click()
    clock.run_for(500)
    _expect_status(page, "Ready", "after Reset")
    _expect(page, "half a second after Reset", Time=0, Left_position=1, Right_position=4)
    for label, value in zip(_START, ("3", "0.5", "0.5", "-2"), strict=True):
        shown = _field(page, label).input_value()
        assert shown.strip() == value, f"Reset changed {label} from {value} to “{shown}”"
    slider = page.get_by_role("slider", name=re.compile("bounciness", re.I)).first
    assert float(slider.input_value()) == 0.4, "Reset changed Bounciness from 0.4"
    _button(page, "Run").click()
    clock.run_for(1000)
    _expect(page, "1 s into the run after Reset", 0.06, Time=1, Left_position=1.5, Right_position=2)


def check_dynamic_bad_values_are_refused(page: Page, clock: Clock) -> None:
    """An empty or excessive field brings a message with the allowed range and no run."""
    for label, value, low, high in (
        ("Left mass", "", "0.1", "10"),
        ("Right mass", "0", "0.1", "10"),
        ("Left velocity", "", "5", "5"),
        ("Right velocity", "", "5", "5"),
        ("Left velocity", "6", "5", "5"),
        ("Right velocity", "-5.5", "5", "5"),
    ):
        before = set(page.locator("body").inner_text().splitlines())
        _field(page, label).fill(value)
        run = _button(page, "Run")
        if run.is_enabled():
            run.click()
        clock.run_for(500)
        case = f"with {label} {value or 'empty'}"
        text = page.locator("body").inner_text()
        assert not re.search(r"Status\s*:?\s*(Running|Finished)", text, re.I), f"{case} it runs"
        assert not re.search(r"NaN|Infinity|undefined", text), f"{case} the page shows NaN"
        new = " ".join(line for line in text.splitlines() if line not in before)
        named = re.findall(r"\d+(?:\.\d+)?", new)
        assert low in named, f"{case} no error message names the allowed {low} to {high}"
        assert high in named, f"{case} no error message names the allowed {low} to {high}"
        _field(page, label).fill(str(_START[label]))
    _button(page, "Run").click()
    clock.run_for(700)
    _expect_status(page, "Running", "after the values were put right")
    _expect(page, "after the values were put right", 0.06, Time=0.7, Left_position=2.4)
