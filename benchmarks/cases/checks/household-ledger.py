"""Checks of household-ledger: months against the file itself, the budget, new entries, CSV."""

import csv
import re
from pathlib import Path

from playwright.sync_api import Page, expect

FILE = Path(__file__).parents[1] / "materials" / "ledger" / "ledger.csv"
ROWS = list(csv.DictReader(FILE.open(encoding="utf-8")))


def _sum(month: str, *, sign: int) -> float:
    amounts = [float(row["amount"]) for row in ROWS if row["date"].startswith(month)]
    return abs(sum(amount for amount in amounts if amount * sign > 0))


def _expect_row(page: Page, month: str, *amounts: float) -> None:
    cell = page.get_by_role("cell", name=month, exact=True)
    row = page.get_by_role("row").filter(has=cell).first
    expect(row, f"no row for {month}").to_be_visible()
    for amount in amounts:
        expect(row, f"the row of {month} does not say {amount:.2f}").to_contain_text(
            re.compile(re.escape(f"{amount:,.2f}").replace(",", "[,. ]?"))
        )


def _add(page: Page, date: str, category: str, amount: str) -> None:
    page.get_by_label("Date").first.fill(date)
    page.get_by_label("Category").first.fill(category)
    page.get_by_label("Amount").first.fill(amount)
    page.get_by_role("button", name=re.compile("Add", re.I)).first.click()


def check_intention_months_add_up(page: Page) -> None:
    """Income, expenses and what is left are those of the file."""
    for month in ("2027-01", "2027-03"):
        income, spent = _sum(month, sign=1), _sum(month, sign=-1)
        _expect_row(page, month, income, spent, income - spent)


def check_static_fields_are_labelled(page: Page) -> None:
    """The budget, the entry and the search have labelled fields."""
    for label in ("Food budget per month", "Date", "Category", "Amount", "Search entries"):
        field = page.get_by_label(re.compile(label, re.I)).first
        expect(field, f"no field {label}").to_be_visible()


def check_dynamic_the_budget_decides_what_is_over(page: Page) -> None:
    """With 1 every month is over, with 5000 none is."""
    field = page.get_by_label(re.compile("Food budget per month", re.I)).first
    field.fill("1")
    expect(page.get_by_text("over", exact=True), "no 4 months over 1").to_have_count(4)
    field.fill("5000")
    expect(page.get_by_text("over", exact=True), "a month is over 5000").to_have_count(0)


def check_dynamic_a_new_entry_counts_in_its_month(page: Page) -> None:
    """Food of 100 more in January raises the expenses of January by 100."""
    spent = _sum("2027-01", sign=-1)
    _expect_row(page, "2027-01", spent)
    _add(page, "2027-01-30", "Food", "-100")
    _expect_row(page, "2027-01", spent + 100)


def check_dynamic_an_entry_without_an_amount_is_refused(page: Page) -> None:
    """Without an amount a message names it, and the entries stay as many as they were."""
    count = page.get_by_text(re.compile(rf"{len(ROWS)} of {len(ROWS)}"))
    expect(count.first, f"the {len(ROWS)} entries are not counted").to_be_visible()
    _add(page, "2027-01-30", "Food", "")
    told = page.get_by_text(re.compile(r"amount (other|must|is|missing)|an amount", re.I)).first
    expect(told, "nothing says that the amount is missing").to_be_visible()
    expect(count.first, "an entry without an amount was added").to_be_visible()


def check_dynamic_the_search_decides_what_is_shown_as_csv(page: Page) -> None:
    """Only the entries that are listed are in the CSV text."""
    page.get_by_label(re.compile("Search entries", re.I)).first.fill("Rent")
    page.get_by_role("button", name=re.compile("Show as CSV", re.I)).click()
    text = page.locator("textarea").first.input_value()
    lines = text.strip().splitlines()
    assert lines[0] == "date,category,amount,note", f"the CSV begins with {lines[0]!r}"
    assert len(lines) == 5, f"4 entries of Rent are listed, the CSV has {len(lines) - 1}"
