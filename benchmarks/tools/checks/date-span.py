"""Checks of date-span: calendar arithmetic against Python's own calendar."""

import re
from datetime import date, timedelta

from playwright.sync_api import Locator, Page, expect


def _field(page: Page, label: str) -> Locator:
    return page.get_by_label(re.compile(rf"^\W*{label}", re.I)).and_(page.locator("input")).first


def _fill(page: Page, label: str, value: str) -> None:
    field = _field(page, label)
    expect(field, f"there is no field labelled {label}").to_be_visible()
    field.fill(value)


def _span(page: Page, start: date, end: date) -> None:
    _fill(page, "Start date", start.isoformat())
    _fill(page, "End date", end.isoformat())


def _expect_line(page: Page, label: str, pattern: str, message: str) -> None:
    """Expect a line "label: pattern" somewhere on the page."""
    line = re.compile(rf"(?<!\w)(?<!working\s){label}\s*:?\s*{pattern}(?![\d-])", re.I)
    expect(page.locator("body"), message).to_contain_text(line, use_inner_text=True)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "[,. ]?")


def _expect_days(page: Page, start: date, end: date) -> None:
    days = (end - start).days
    _expect_line(page, "Days", _number(days), f"{start} to {end} is not shown as Days: {days}")


def _expect_working(page: Page, start: date, end: date) -> None:
    days = (end - start).days
    working = sum((start + timedelta(i)).weekday() < 5 for i in range(days))
    _expect_line(
        page,
        "Working days",
        _number(working),
        f"{start} to {end} is not shown as Working days: {working}",
    )


def check_static_fields_and_swap_are_there(page: Page) -> None:
    """Both date fields, the number field and Swap dates can be found by their names."""
    for label in ("Start date", "End date", "Days to add"):
        expect(_field(page, label), f"there is no field labelled {label}").to_be_visible()
    swap = page.get_by_role("button", name=re.compile("swap dates", re.I))
    expect(swap, "there is no button Swap dates").to_be_visible()


def check_static_page_has_title_and_heading(page: Page) -> None:
    """The page has a title and a main heading."""
    assert page.title().strip(), "the page has no title"
    heading = page.get_by_role("heading", level=1)
    expect(heading.first, "the page has no main heading").to_be_visible()


def check_intention_days_weeks_and_working_days(page: Page) -> None:
    """Two spans in a row give the right days, weeks and working days."""
    for start, end in (
        (date(2026, 2, 5), date(2026, 3, 22)),
        (date(2023, 12, 30), date(2025, 1, 6)),
    ):
        _span(page, start, end)
        _expect_days(page, start, end)
        weeks, rest = divmod((end - start).days, 7)
        _expect_line(
            page,
            "Weeks",
            rf"{weeks}\s*weeks?,?\s*(and )?{rest}\s*days?",
            f"{start} to {end} is not shown as Weeks: {weeks} weeks {rest} days",
        )
        _expect_working(page, start, end)


def check_intention_leap_years_of_the_centuries(page: Page) -> None:
    """1900 and 2100 have no 29 February, 2000 and 2024 have one."""
    for year in (2024, 2000, 1900, 2100):
        start, end = date(year, 2, 28), date(year, 3, 1)
        _span(page, start, end)
        _expect_days(page, start, end)
    start, end = date(1800, 1, 1), date(2200, 12, 31)
    _span(page, start, end)
    _expect_days(page, start, end)


def check_intention_adding_days_finds_date_and_weekday(page: Page) -> None:
    """Adding positive and negative numbers of days gives the right weekday and date."""
    for start, add in (
        (date(2024, 1, 31), 29),
        (date(2026, 3, 1), -1),
        (date(1899, 12, 31), 60),
        (date(2150, 6, 15), -36525),
    ):
        _fill(page, "Start date", start.isoformat())
        _fill(page, "Days to add", str(add))
        day = start + timedelta(add)
        text = f"{day:%A} {day.isoformat()}"
        _expect_line(
            page,
            "Result",
            rf"{day:%A},?\s*{day.isoformat()}",
            f"{start} plus {add} days is not shown as Result: {text}",
        )


def check_intention_weekends_are_no_working_days(page: Page) -> None:
    """The start date counts and the end date does not, on each weekday."""
    for start, end in (
        (date(2026, 5, 8), date(2026, 5, 11)),  # Friday to Monday: only the Friday
        (date(2026, 5, 9), date(2026, 5, 11)),  # Saturday to Monday: none
        (date(2026, 5, 11), date(2026, 5, 15)),  # Monday to Friday: four
    ):
        _span(page, start, end)
        _expect_working(page, start, end)


def check_dynamic_same_date_gives_zero(page: Page) -> None:
    """The same date twice is a span of 0 days."""
    day = date(2028, 2, 29)
    _span(page, day, day)
    _expect_days(page, day, day)
    _expect_working(page, day, day)


def check_dynamic_swap_and_the_wrong_order(page: Page) -> None:
    """Swapping to the wrong order shows the message instead of numbers; swapping back mends it."""
    start, end = date(2027, 4, 3), date(2027, 6, 21)
    _span(page, start, end)
    _expect_days(page, start, end)
    swap = page.get_by_role("button", name=re.compile("swap dates", re.I))
    expect(swap, "there is no button Swap dates").to_be_visible()
    swap.click()
    expect(
        _field(page, "Start date"),
        "Swap dates did not move the end date into Start date",
    ).to_have_value(end.isoformat())
    message = page.get_by_text(re.compile("end date is before start date", re.I)).first
    expect(message, "no message that the end date is before the start date").to_be_visible()
    text = page.locator("body").inner_text()
    stale = re.search(r"\b(working )?days\s*:\s*-?\d+", text, re.I)
    assert not stale, f"the end is before the start, but a number still shows: {stale and stale[0]}"
    swap.click()
    _expect_days(page, start, end)
    expect(message, "the message stays although the dates are in order again").to_be_hidden()


def check_dynamic_empty_and_huge_input_survived(page: Page) -> None:
    """A huge number of days, an empty field and an empty date show no NaN and break nothing."""
    start, end = date(2025, 7, 1), date(2025, 7, 19)
    _span(page, start, end)
    for add in ("99999999999", "", "1.5"):
        _fill(page, "Days to add", add)
    _fill(page, "End date", "")
    text = page.locator("body").inner_text()
    broken = re.search(r"NaN|undefined|Invalid Date|null|Infinity", text)
    assert not broken, f"with an empty field the page shows {broken and broken[0]}"
    _fill(page, "End date", end.isoformat())
    _fill(page, "Days to add", "14")
    _expect_days(page, start, end)
    _expect_line(
        page, "Result", r"Tuesday,?\s*2025-07-15", "after bad input 14 days are not added any more"
    )
