"""Checks of bakery-sales: sums against the file itself, months, and other files."""

import csv
import re
from collections import defaultdict
from pathlib import Path

from playwright.sync_api import Page, expect

FILES = Path(__file__).parents[1] / "materials" / "bakery"
ROWS = list(csv.DictReader((FILES / "sales.csv").open(encoding="utf-8")))


def _revenue(month: str = "", item: str = "") -> float:
    return sum(
        int(row["quantity"]) * float(row["price"])
        for row in ROWS
        if row["date"].startswith(month) and row["item"] in (item or row["item"])
    )


def _ranking(month: str = "") -> list[str]:
    sums: defaultdict[str, float] = defaultdict(float)
    for row in ROWS:
        if row["date"].startswith(month):
            sums[row["item"]] += int(row["quantity"]) * float(row["price"])
    return sorted(sums, key=lambda item: -sums[item])


def _expect_amount(page: Page, amount: float, what: str) -> None:
    pattern = re.compile(re.escape(f"{amount:,.2f}").replace(",", "[,. ]?"))
    expect(page.locator("body"), f"{what} is not {amount:,.2f}").to_contain_text(pattern)


def check_intention_revenue_of_all_months(page: Page) -> None:
    """The revenue is the sum of quantity times price over the file."""
    _expect_amount(page, _revenue(), "the revenue of all months")


def check_intention_items_are_ranked_by_revenue(page: Page) -> None:
    """The table names the items in the order of their revenue."""
    expect(page.get_by_role("cell", name="Rye loaf"), "no row for Rye loaf").to_be_visible()
    text = page.get_by_role("table").first.inner_text()
    found = sorted(_ranking(), key=text.index)
    assert found == _ranking(), f"the items are ranked {found}"


def check_static_choice_file_and_chart(page: Page) -> None:
    """The choice of a month, the field for a file and the weekdays of the chart are there."""
    expect(page.get_by_label(re.compile("Month", re.I)).first, "no choice Month").to_be_visible()
    assert page.locator("input[type=file]").count(), "there is no field for a file"
    for day in ("Monday", "Saturday"):
        expect(page.get_by_text(day).first, f"{day} is not in the chart").to_be_visible()


def check_dynamic_a_month_narrows_revenue_and_ranking(page: Page) -> None:
    """April alone has its own revenue and its own figures of each item."""
    _expect_amount(page, _revenue(), "the revenue of all months")
    page.get_by_label(re.compile("Month", re.I)).first.select_option("2026-04")
    _expect_amount(page, _revenue("2026-04"), "the revenue of April")
    table = page.get_by_role("table").first
    amount = f"{_revenue('2026-04', 'Plum tart'):,.2f}"
    expect(table, f"in April the ranking does not give Plum tart {amount}").to_contain_text(amount)


def check_dynamic_another_file_takes_its_place_and_a_bad_one_does_not(page: Page) -> None:
    """May replaces the data; a file of other columns leaves them and says why."""
    _expect_amount(page, _revenue(), "the revenue of all months")
    field = page.locator("input[type=file]").first
    field.set_input_files(FILES / "may.csv")
    _expect_amount(page, 133.0, "the revenue of the other file")
    bad = {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"name,age\nAda,36\n"}
    field.set_input_files(bad)
    alert = page.get_by_text(re.compile("not taken|cannot|invalid|error|must", re.I)).first
    expect(alert, "a file of other columns is taken without a word").to_be_visible()
    _expect_amount(page, 133.0, "after a bad file the revenue")
