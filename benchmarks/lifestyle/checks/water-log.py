"""Checks of water-log: totals and percentages, goal, list, reload and bad amounts."""

import re

from playwright.sync_api import Locator, Page, expect


def _button(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=re.compile(rf"^\W*{name}\W*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    return button


def _field(page: Page, label: str) -> Locator:
    field = page.get_by_label(re.compile(rf"^\W*{label}", re.I)).and_(page.locator("input")).first
    expect(field, f"there is no number field labelled {label}").to_be_visible()
    return field


def _today(page: Page, total: int, goal: int, when: str) -> None:
    percent = int(total / goal * 100 + 0.5)
    line = re.compile(
        rf"today\s*:?\s*{_number(total)}\s*(ml\s*)?of\s*{_number(goal)}\s*ml\s*\({percent}\s*%\)",
        re.I,
    )
    expect(
        page.locator("body"),
        f'{when}, there is no line "Today: {total} of {goal} ml ({percent}%)"',
    ).to_contain_text(line, use_inner_text=True)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "[,. ]?")


def _bar(page: Page) -> float:
    """How full the progress bar is, from 0 to 1."""
    bar = page.get_by_role("progressbar").first
    expect(bar, "there is no progress bar").to_be_visible()
    return float(
        bar.evaluate(
            """b => {
              if (b instanceof HTMLProgressElement) return b.position;
              const n = name => Number(b.getAttribute(name) ?? NaN);
              const low = n('aria-valuemin') || 0, high = n('aria-valuemax') || 100;
              return (n('aria-valuenow') - low) / (high - low);
            }"""
        )
    )


def _other(page: Page, amount: str) -> None:
    _field(page, "Other amount").fill(amount)
    _button(page, "Add other").click()


def _reached(page: Page) -> Locator:
    return page.get_by_text(re.compile("goal reached", re.I)).filter(visible=True)


def check_static_controls_are_there(page: Page) -> None:
    """All buttons and fields can be found by name, and the goal starts at 2000."""
    for name in ("Add 200 ml", "Add 500 ml", "Add other", "New day"):
        _button(page, name)
    _field(page, "Other amount")
    expect(_field(page, "Daily goal"), "the goal does not start at 2000").to_have_value("2000")


def check_static_starts_with_nothing_logged(page: Page) -> None:
    """At first the line says 0 of 2000 ml, the bar is empty and the goal is not reached."""
    _today(page, 0, 2000, "at first")
    assert _bar(page) == 0, f"the progress bar is not empty at first but at {_bar(page):.0%}"
    expect(_reached(page), "it says Goal reached before the first drink").to_have_count(0)


def check_intention_drinks_add_up(page: Page) -> None:
    """The buttons and the other amount add up, and the percentage is rounded."""
    _button(page, "Add 200 ml").click()
    _today(page, 200, 2000, "after 200 ml")
    _button(page, "Add 500 ml").click()
    _today(page, 700, 2000, "after 200 and 500 ml")
    _other(page, "335")
    _today(page, 1035, 2000, "after 200, 500 and another 335 ml")
    assert abs(_bar(page) - 0.5175) < 0.01, f"at 52% the progress bar stands at {_bar(page):.0%}"


def check_intention_goal_changes_line_and_bar(page: Page) -> None:
    """A new goal changes line and bar at once."""
    _button(page, "Add 500 ml").click()
    for goal in (4000, 1500):
        _field(page, "Daily goal").fill(str(goal))
        _today(page, 500, goal, f"after setting the goal to {goal}")
        full = _bar(page)
        assert abs(full - 500 / goal) < 0.01, (
            f"with 500 of {goal} ml the progress bar stands at {full:.0%}"
        )


def check_intention_goal_reached_at_the_goal(page: Page) -> None:
    """Goal reached appears at exactly the goal; above it only the percentage passes 100."""
    _other(page, "1999")
    _today(page, 1999, 2000, "after 1999 ml")
    expect(_reached(page), "Goal reached shows 1 ml before the goal").to_have_count(0)
    _other(page, "1")
    expect(_reached(page).first, "2000 of 2000 ml does not show Goal reached").to_be_visible()
    _button(page, "Add 500 ml").click()
    _today(page, 2500, 2000, "after 2500 ml")
    assert _bar(page) == 1, f"beyond the goal the bar is not simply full but at {_bar(page):.0%}"


def check_intention_log_survives_a_reload(page: Page) -> None:
    """Drinks and goal are still there after a reload."""
    _field(page, "Daily goal").fill("3000")
    _button(page, "Add 200 ml").click()
    _other(page, "450")
    _today(page, 650, 3000, "after 200 and 450 ml")
    page.reload()
    _today(page, 650, 3000, "after a reload")
    goal = _field(page, "Daily goal")
    expect(goal, "the Daily goal field forgets the goal after a reload").to_have_value("3000")
    _button(page, "Add 200 ml").click()
    _today(page, 850, 3000, "after a reload and another 200 ml")


def check_dynamic_remove_takes_just_one_drink(page: Page) -> None:
    """Remove takes away its own drink and can undo the reached goal."""
    for amount in ("700", "900", "400"):
        _other(page, amount)
    expect(_reached(page).first, "700, 900 and 400 ml do not reach 2000 ml").to_be_visible()
    removes = page.get_by_role("button", name=re.compile(r"\bremove\b", re.I))
    expect(removes, "three drinks do not have three Remove buttons").to_have_count(3)
    # The list may run either way, but the middle one is the middle one.
    removes.nth(1).click()
    _today(page, 1100, 2000, "after removing the 900 ml of 700, 900 and 400 ml")
    expect(removes, "removing one of three drinks does not leave two").to_have_count(2)
    expect(_reached(page), "Goal reached stays after a drink was removed").to_have_count(0)


def check_dynamic_new_day_keeps_the_goal(page: Page) -> None:
    """New day empties the list and keeps the goal, after a reload as well."""
    _field(page, "Daily goal").fill("1200")
    _button(page, "Add 500 ml").click()
    _button(page, "Add 500 ml").click()
    _today(page, 1000, 1200, "after two drinks")
    _button(page, "New day").click()
    _today(page, 0, 1200, "after New day")
    removes = page.get_by_role("button", name=re.compile(r"\bremove\b", re.I))
    expect(removes, "New day leaves drinks in the list").to_have_count(0)
    page.reload()
    _today(page, 0, 1200, "after New day and a reload")


def check_dynamic_bad_amounts_change_nothing(page: Page) -> None:
    """Empty, zero, negative and too large amounts and goals change nothing."""
    _button(page, "Add 200 ml").click()
    for amount in ("", "0", "-100", "2001"):
        _other(page, amount)
        _today(page, 200, 2000, f"after adding the wrong amount {amount or 'nothing'}")
    for goal in ("", "499", "5001", "-1"):
        _field(page, "Daily goal").fill(goal)
        _today(page, 200, 2000, f"after setting the wrong goal {goal or 'nothing'}")
    _other(page, "2000")
    _today(page, 2200, 2000, "after bad input and then a right 2000 ml")
