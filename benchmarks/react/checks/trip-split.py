"""Checks of trip-split: shares to the cent, balances, payments, refusals, deleting, reload."""

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

PEOPLE = ("Ada", "Ben", "Cleo")


def _field(page: Page, label: str) -> Locator:
    field = page.get_by_label(re.compile(rf"^\s*{label}\b", re.I)).and_(page.locator("input"))
    expect(field.first, f"there is no field labelled {label}").to_be_visible()
    return field.first


def _payer(page: Page) -> Locator:
    chooser = page.get_by_label(re.compile(r"^\s*paid by\b", re.I)).and_(page.locator("select"))
    expect(chooser.first, "there is no list Paid by").to_be_visible()
    return chooser.first


def _press(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=re.compile(rf"^\s*{re.escape(name)}\s*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    button.click()


def _add(page: Page, what: str, amount: str, payer: str, sharers: Iterable[str] = PEOPLE) -> None:
    _field(page, "What").fill(what)
    _field(page, "Amount").fill(amount)
    _payer(page).select_option(label=payer)
    for person in PEOPLE:
        page.get_by_role("checkbox", name=person).set_checked(person in sharers)
    _press(page, "Add expense")


def _says(page: Page, words: str, when: str) -> None:
    text = page.get_by_text(words, exact=True).first
    expect(text, f"{when}, it does not say {words!r}").to_be_visible()


def _balances(page: Page, amounts: tuple[str, str, str], when: str) -> None:
    for person, amount in zip(PEOPLE, amounts, strict=True):
        _says(page, f"{person}: {amount}", when)


def check_intention_odd_cents_fall_on_the_first(page: Page) -> None:
    """10.00 by three: Ada bears 3.34, the others 3.33."""
    _add(page, "Taxi", "10", "Ada")
    _balances(page, ("+6.66", "-3.33", "-3.33"), "after a taxi of 10.00 that Ada paid")
    _says(page, "Ben pays Ada 3.33", "after a taxi of 10.00 that Ada paid")
    _says(page, "Cleo pays Ada 3.33", "after a taxi of 10.00 that Ada paid")


def check_intention_two_odd_cents(page: Page) -> None:
    """0.05 by three: two cents each for Ada and Ben, one for Cleo."""
    _add(page, "Postcard", "0.05", "Cleo")
    _balances(page, ("-0.02", "-0.02", "+0.04"), "after a postcard of 0.05 that Cleo paid")


def check_intention_only_sharers_bear(page: Page) -> None:
    """Who does not share a cost bears nothing of it, even the one who paid."""
    _add(page, "Ferry", "30.00", "Cleo", ("Ada", "Ben"))
    _balances(page, ("-15.00", "-15.00", "+30.00"), "after a ferry for Ada and Ben")


def check_static_has_its_form(page: Page) -> None:
    """Fields, list, checkboxes, headings, and nothing to settle."""
    _field(page, "What")
    _field(page, "Amount")
    names = _payer(page).locator("option")
    expect(names, "Paid by does not offer the three names").to_have_text(list(PEOPLE))
    for person in PEOPLE:
        box = page.get_by_role("checkbox", name=person)
        expect(box, f"the checkbox {person} is not ticked at first").to_be_checked()
    for heading in ("Balances", "Settle up"):
        shown = page.get_by_role("heading", name=heading)
        expect(shown, f"there is no heading {heading}").to_be_visible()
    _says(page, "Nothing to settle", "without expenses")
    _balances(page, ("+0.00", "+0.00", "+0.00"), "without expenses")


def check_dynamic_payments_are_few(page: Page) -> None:
    """Debts that cancel out are not paid; what is left takes two payments."""
    _add(page, "Tent", "60", "Ada")
    _add(page, "Food", "30", "Ben")
    _balances(page, ("+30.00", "+0.00", "-30.00"), "after tent and food")
    _says(page, "Cleo pays Ada 30.00", "after tent and food")
    payments = page.get_by_text(re.compile(r"^\s*\w+ pays \w+ [\d.]+\s*$"))
    expect(payments, "one payment would do").to_have_count(1)


def check_dynamic_deleting_takes_back(page: Page) -> None:
    """A deleted expense no longer counts."""
    _add(page, "Museum", "24", "Ben")
    _add(page, "Ice", "9", "Cleo")
    _press(page, "Delete Museum")
    cells = page.get_by_role("cell", name="Museum", exact=True)
    expect(cells, "the row of the deleted expense is still there").to_have_count(0)
    _balances(page, ("-3.00", "-3.00", "+6.00"), "after one of two was deleted")


def check_dynamic_refuses_bad_expenses(page: Page) -> None:
    """No name, no proper amount, nobody who shares."""
    bad = (
        ("", "5", PEOPLE, "What"),
        ("Bus", "", PEOPLE, "Amount"),
        ("Bus", "-3", PEOPLE, "Amount"),
        ("Bus", "0", PEOPLE, "Amount"),
        ("Bus", "1.234", PEOPLE, "Amount"),
        ("Bus", "5", (), "Shared by"),
    )
    for what, amount, sharers, field in bad:
        _add(page, what, amount, "Ada", sharers)
        message = page.get_by_text(re.compile(rf"{field}\b.{{6,}}", re.I)).first
        expect(message, f"no message names {field} for {amount or what!r}").to_be_visible()
        _says(page, "Nothing to settle", "after an expense that must be refused")
    _add(page, "Bus", "6", "Ada")
    _balances(page, ("+4.00", "-2.00", "-2.00"), "after the expense was mended")


def check_dynamic_survives_a_reload(page: Page) -> None:
    """Expenses are kept; Delete all removes them for good."""
    _add(page, "Camping", "45", "Ben")
    page.reload()
    _balances(page, ("-15.00", "+30.00", "-15.00"), "after a reload")
    _press(page, "Delete all")
    _says(page, "Nothing to settle", "after Delete all")
    page.reload()
    _says(page, "Nothing to settle", "after Delete all and a reload")
