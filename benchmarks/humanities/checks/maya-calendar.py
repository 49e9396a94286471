"""Checks of maya-calendar: Long Count and Tzolk'in against a day count reckoned in Python."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

NAMES = [
    "Imix",
    "Ik'",
    "Ak'bal",
    "K'an",
    "Chikchan",
    "Kimi",
    "Manik'",
    "Lamat",
    "Muluk",
    "Ok",
    "Chuwen",
    "Eb",
    "Ben",
    "Ix",
    "Men",
    "Kib",
    "Kaban",
    "Etz'nab",
    "Kawak",
    "Ajaw",
]
UNITS = (144000, 7200, 360, 20, 1)
START = date(2012, 12, 21)
RESULTS = r"Long Count|Tzolk['’ʼ]in|Days since creation"


def _days(day: date) -> int:
    return 1872000 + (day - START).days


def _long_count(day: date) -> str:
    rest, counts = _days(day), []
    for unit in UNITS:
        count, rest = divmod(rest, unit)
        counts.append(str(count))
    return ".".join(counts)


def _tzolkin(day: date) -> str:
    days = _days(day)
    return f"{(days + 3) % 13 + 1} {NAMES[(days - 1) % 20]}"


def _field(page: Page) -> Locator:
    return page.get_by_label(re.compile(r"^\s*date\b", re.I)).first


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name, re.I))


def _text(page: Page) -> str:
    return page.locator("body").inner_text().replace("’", "'").replace("ʼ", "'")


def _enter(page: Page, day: date) -> None:
    _field(page).fill(day.isoformat())


def _shown(page: Page, name: str, pattern: str) -> str:
    found = re.search(rf"{name}\s*:?\s*({pattern})", _text(page), re.I)
    assert found, f'no read-out "{name}: …" on the page'
    return found[1]


def _assert_results(page: Page, day: date, when: str) -> None:
    days = int(re.sub(r"\D", "", _shown(page, "Days since creation", r"-?\d[\d,.\u202f ]*")))
    assert days == _days(day), f"{when} the days since creation are {_days(day)}, not {days}"
    count = _shown(page, "Long Count", r"-?\d+(?:\.-?\d+)*").strip()
    assert count == _long_count(day), (
        f"{when} the Long Count is {_long_count(day)}, but the app shows {count}"
    )
    name = _shown(page, "Tzolk'in", r"\d+\s+[A-Za-z']+")
    assert name.lower().split() == _tzolkin(day).lower().split(), (
        f"{when} the Tzolk'in day is {_tzolkin(day)}, but the app shows {name}"
    )


def check_static_field_and_buttons(page: Page) -> None:
    """The date field holds 21 December 2012, and the three buttons are there."""
    expect(_field(page), "no date field labelled Date").to_be_visible()
    value = _field(page).input_value()
    assert value == START.isoformat(), f"the date at the start is {value!r}, not 21 December 2012"
    for name in ("Previous day", "Next day", "Today"):
        expect(_button(page, name), f"no button {name}").to_be_visible()


def check_static_results_of_the_first_date(page: Page) -> None:
    """At the start the three results of 21 December 2012 are shown."""
    _assert_results(page, START, "at the start")


def check_static_table_of_units(page: Page) -> None:
    """A table lists the five units with their length in days."""
    table = page.get_by_role("table").first
    expect(table, "no table of the five units").to_be_visible()
    rows = [
        re.sub(r"(?<=\d)[,.\u202f\u00a0 ](?=\d{3})", "", row.replace("’", "'"))
        for row in table.get_by_role("row").all_inner_texts()
    ]
    names = ("b'ak'tun", "k'atun", "tun", "winal", "k'in")
    for name, days in zip(names, UNITS, strict=True):
        assert any(name in row.lower() and re.search(rf"\b{days}\b", row) for row in rows), (
            f"the table of units has no row saying that 1 {name} has {days} days"
        )


def check_intention_long_count_of_modern_dates(page: Page) -> None:
    """Dates of our time, far and near, are converted rightly."""
    for day in (date(1969, 7, 20), date(2024, 2, 29), date(2013, 9, 25), date(3999, 5, 6)):
        _enter(page, day)
        _assert_results(page, day, f"for {day}")


def check_intention_dates_of_early_centuries(page: Page) -> None:
    """Dates before 1582 and before the year 100 are converted rightly."""
    for day in (date(292, 7, 8), date(1582, 10, 15), date(1500, 3, 1), date(50, 2, 28)):
        _enter(page, day)
        _assert_results(page, day, f"for {day}")


def check_intention_all_day_names_in_order(page: Page) -> None:
    """Number and name of the Tzolk'in step on together over more than a round of 20 days."""
    day = date(2023, 10, 20)
    _enter(page, day)
    for _ in range(21):
        _assert_results(page, day, f"for {day}, reached by Next day,")
        _button(page, "next day").click()
        day += timedelta(days=1)


def check_dynamic_steps_over_turns_of_month_and_year(page: Page) -> None:
    """Next day and Previous day cross leap days and New Year and undo each other."""
    for day in (date(2023, 12, 31), date(2024, 2, 28), date(1900, 2, 28), date(2025, 3, 29)):
        _enter(page, day)
        after = day + timedelta(days=1)
        _button(page, "next day").click()
        value = _field(page).input_value()
        assert value == after.isoformat(), f"the day after {day} is {after}, the field says {value}"
        _assert_results(page, after, f"one day after {day}")
        _button(page, "previous day").click()
        value = _field(page).input_value()
        assert value == day.isoformat(), (
            f"Next day and Previous day should lead back to {day}, the field says {value}"
        )
        _assert_results(page, day, f"back on {day}")


def check_dynamic_today_follows_the_calendar(page: Page, clock: Clock) -> None:
    """Today leads to the present day of the computer's calendar."""
    clock.run_for(100)
    today = page.evaluate(
        "() => { const d = new Date(); return [d.getFullYear(), d.getMonth() + 1, d.getDate()]; }"
    )
    _button(page, "today").click()
    day = date(*today)
    value = _field(page).input_value()
    assert value == day.isoformat(), f"Today should set {day}, but the field says {value}"
    _assert_results(page, day, "after Today")


def check_dynamic_missing_date_is_asked_for(page: Page) -> None:
    """Without a date the app asks for one, shows no results, and then works again."""
    ask = page.get_by_text(re.compile("please choose a date", re.I)).first
    for day in (date(2001, 1, 1), date(1999, 12, 31)):
        _field(page).fill("")
        expect(ask, 'the date is empty, but "Please choose a date" does not show').to_be_visible()
        left = re.search(rf"(?:{RESULTS})\s*:?\s*-?(?:\d|NaN|undefined)", _text(page), re.I)
        assert not left, f'the date is empty, but a result is shown: "{left and left[0]}…"'
        _enter(page, day)
        expect(ask, '"Please choose a date" stays although a date was chosen').to_be_hidden()
        _assert_results(page, day, f"for {day}, after an empty date,")
