"""Checks of titration-lab: pH and colours along the titration, the tap, the empty burette."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock


def _button(page: Page, name: str) -> Locator:
    pattern = re.escape(name).replace(r"\ ", r"\s*")
    return page.get_by_role("button", name=re.compile(rf"^\W*{pattern}\b", re.I)).first


def _add(page: Page, ml: float) -> None:
    """Press Add 1 mL and Add 0.1 mL until so much has been added."""
    tenths = round(ml * 10)
    for name, times in (("Add 1 mL", tenths // 10), ("Add 0.1 mL", tenths % 10)):
        if times:
            button = _button(page, name)
            expect(button, f"the button {name} cannot be pressed").to_be_enabled(timeout=3000)
            button.click()
            for _ in range(times - 1):
                button.press("Enter")


def _choose(page: Page, label: str, option: str) -> None:
    box = page.get_by_role("combobox", name=re.compile(label, re.I)).first
    expect(box, f"no list labelled {label}").to_be_visible(timeout=3000)
    options = box.locator("option").all_text_contents()
    fitting = [i for i, text in enumerate(options) if re.search(rf"(?<!\d){option}(?!\d)", text)]
    assert fitting, f"the list {label} does not offer {option}, only {', '.join(options)}"
    box.select_option(index=fitting[0])


def _number(page: Page, label: str) -> float:
    text = page.locator("body").inner_text()
    found = re.search(rf"\b{label}\b\s*[:=]?\s*(\d+\.\d\d)(?!\d)", text, re.I)
    assert found, f"no read-out “{label}:” with two decimals is shown"
    return float(found[1])


def _colour(page: Page) -> str:
    text = page.locator("body").inner_text()
    found = re.search(r"\bColou?r\b\s*[:=]?\s*([a-z]+(?: pink)?)", text, re.I)
    assert found, "no read-out “Colour:” is shown"
    return found[1].lower().replace("colorless", "colourless")


def _ph(acid: float, added: float) -> float:
    excess = (25 * acid - 0.1 * added) / (25 + added)
    larger = abs(excess) / 2 + math.sqrt(excess**2 / 4 + 1e-14)
    return -math.log10(larger if excess >= 0 else 1e-14 / larger)


def _expect_ph(page: Page, clock: Clock, acid: float, added: float) -> None:
    clock.run_for(50)
    volume = _number(page, "Volume added")
    assert abs(volume - added) < 0.006, (
        f"the buttons added {added:.2f} mL, but the volume read is {volume:.2f} mL"
    )
    wanted, shown = _ph(acid, added), _number(page, "pH")
    assert abs(shown - wanted) < 0.03, (
        f"{added:.1f} mL into {acid} mol/L acid should give pH {wanted:.2f}, but {shown} is shown"
    )


def check_intention_ph_follows_the_excess(page: Page, clock: Clock) -> None:
    """The pH is right before, at and after the equivalence point of 0.1 mol/L acid."""
    before = 0.0
    for added in (10, 24, 24.9, 25, 25.1, 30.1):
        _add(page, added - before)
        before = added
        _expect_ph(page, clock, 0.1, added)


def check_intention_equivalence_moves_with_the_acid(page: Page, clock: Clock) -> None:
    """Half as strong an acid is neutral at 12.5 mL, a stronger one is still acid at 30 mL."""
    _choose(page, "Acid concentration", r"0\.05")
    _add(page, 12.4)
    _expect_ph(page, clock, 0.05, 12.4)
    _add(page, 0.1)
    _expect_ph(page, clock, 0.05, 12.5)
    _choose(page, "Acid concentration", r"0\.15")
    _add(page, 30)
    _expect_ph(page, clock, 0.15, 30)


def check_intention_colour_follows_indicator_and_ph(page: Page, clock: Clock) -> None:
    """Around the end point each indicator shows its own colour, at once after a change."""
    indicators = ("Phenolphthalein", "Methyl orange", "Bromothymol blue")
    before = 0.0
    for added, colours in (
        (24, ("colourless", "red", "yellow")),
        (24.9, ("colourless", "orange", "yellow")),
        (25, ("colourless", "yellow", "green")),
        (25.2, ("pink", "yellow", "blue")),
    ):
        _add(page, added - before)
        before = added
        for indicator, wanted in zip(indicators, colours, strict=True):
            _choose(page, "Indicator", indicator)
            clock.run_for(50)
            shown = _colour(page)
            assert shown == wanted, (
                f"{indicator} at pH {_ph(0.1, added):.2f} should be {wanted}, but reads {shown}"
            )


def check_static_controls_are_there(page: Page) -> None:
    """Both lists with their choices and all four buttons are visible."""
    for label, count in (("Acid concentration", 3), ("Indicator", 3)):
        box = page.get_by_role("combobox", name=re.compile(label, re.I)).first
        expect(box, f"no list labelled {label}").to_be_visible(timeout=3000)
        options = box.locator("option").all_text_contents()
        assert len(options) >= count, f"the list {label} only offers {', '.join(options)}"
    for name in ("Add 1 mL", "Add 0.1 mL", "Open tap", "Refill"):
        expect(_button(page, name), f"no button {name}").to_be_visible(timeout=3000)


def check_static_start_read_outs(page: Page) -> None:
    """At the start 0.00 mL are added, the pH is 1.00 and the flask is colourless."""
    for pattern, message in (
        (r"Volume added\s*[:=]?\s*0\.00\s*mL", "“Volume added: 0.00 mL” is not shown at the start"),
        (r"\bpH\s*[:=]?\s*1\.00", "“pH: 1.00” is not shown at the start"),
        (r"Colou?r\s*[:=]?\s*colou?rless", "“Colour: colourless” is not shown at the start"),
    ):
        expect(page.locator("body"), message).to_contain_text(
            re.compile(pattern, re.I), use_inner_text=True, timeout=3000
        )


def check_dynamic_open_tap_runs_until_closed(page: Page, clock: Clock) -> None:
    """The tap lets 1 mL per second run until it is closed, and its button says so."""
    _button(page, "Open tap").click()
    for seconds in (3, 5):
        clock.run_for(3000 if seconds == 3 else 2000)
        volume = _number(page, "Volume added")
        assert abs(volume - seconds) <= 0.3, (
            f"{seconds} s after opening the tap {seconds} mL should be added, but {volume} mL are"
        )
    close = _button(page, "Close tap")
    expect(close, "while the tap is open its button does not read Close tap").to_be_visible()
    close.click()
    clock.run_for(50)
    volume = _number(page, "Volume added")
    clock.run_for(2000)
    later = _number(page, "Volume added")
    assert volume == later, f"after Close tap it ran on, from {volume} mL to {later} mL"
    expect(_button(page, "Open tap"), "closed, the button does not read Open tap").to_be_visible()


def check_dynamic_burette_runs_empty(page: Page, clock: Clock) -> None:
    """At 50 mL the tap closes and the adding buttons are disabled."""
    _add(page, 46.5)
    _button(page, "Open tap").click()
    clock.run_for(5000)
    volume = _number(page, "Volume added")
    assert volume == 50, f"the burette holds 50 mL, but {volume} mL were added from it"
    _expect_ph(page, clock, 0.1, 50)
    for name in ("Add 1 mL", "Add 0.1 mL"):
        message = f"with the burette empty the button {name} is not disabled"
        expect(_button(page, name), message).to_be_disabled(timeout=3000)
    shut = page.get_by_role("button", name=re.compile(r"close\s*tap", re.I))
    expect(shut, "with the burette empty the tap is still open").to_have_count(0, timeout=3000)


def check_dynamic_refill_starts_over(page: Page, clock: Clock) -> None:
    """Refill with the tap open closes it, sets the volume to zero and keeps the acid."""
    _choose(page, "Acid concentration", r"0\.05")
    _add(page, 47)
    _button(page, "Open tap").click()
    clock.run_for(1000)
    _button(page, "Refill").click()
    clock.run_for(1000)
    volume = _number(page, "Volume added")
    assert volume == 0, f"1 s after Refill the volume added is {volume} mL instead of 0.00 mL"
    expect(_button(page, "Open tap"), "after Refill the tap is still open").to_be_visible()
    _add(page, 1)
    _expect_ph(page, clock, 0.05, 1)


def check_dynamic_another_acid_starts_over(page: Page, clock: Clock) -> None:
    """Choosing another acid after the burette ran empty brings a full burette and its own pH."""
    _add(page, 50)
    clock.run_for(50)
    _choose(page, "Acid concentration", r"0\.15")
    _expect_ph(page, clock, 0.15, 0)
    add = _button(page, "Add 1 mL")
    expect(add, "after changing the acid nothing can be added").to_be_enabled(timeout=3000)
    _add(page, 2)
    _expect_ph(page, clock, 0.15, 2)
