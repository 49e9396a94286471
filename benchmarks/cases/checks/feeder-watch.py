"""Checks of feeder-watch: counts against the file itself, the search and the line of a species."""

import csv
import re
from collections import Counter
from pathlib import Path

from playwright.sync_api import Page, expect

FILE = Path(__file__).parents[1] / "materials" / "birds" / "feeder.csv"
ROWS = list(csv.DictReader(FILE.open(encoding="utf-8")))


def _birds(key: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in ROWS:
        found[row[key][:2] if key == "time" else row[key]] += int(row["count"])
    return found


def _row(page: Page, species: str) -> str:
    row = page.get_by_role("row").filter(has_text=species).first
    expect(row, f"no row for {species}").to_be_visible()
    return row.inner_text()


def check_intention_birds_are_the_sum_of_the_counts(page: Page) -> None:
    """Each species has its sum of counts and its number of visits."""
    for species, birds in _birds("species").items():
        visits = sum(row["species"] == species for row in ROWS)
        numbers = [int(word) for word in re.findall(r"\d+", _row(page, species))]
        assert birds in numbers, f"{species}: {birds} birds came, the row says {numbers}"
        assert visits in numbers, f"{species}: {visits} visits, the row says {numbers}"


def check_intention_the_busiest_hour_is_named(page: Page) -> None:
    """The hour with most birds is named with their number."""
    ((hour, birds),) = _birds("time").most_common(1)
    expect(page.locator("body"), f"hour {hour} with {birds} birds is not named").to_contain_text(
        re.compile(rf"{hour}(:00)?\D.*\b{birds}\b", re.S)
    )


def check_static_heading_table_and_search(page: Page) -> None:
    """There are a heading, the table and the field Find a species."""
    expect(page.get_by_role("heading", level=1).first, "no main heading").to_be_visible()
    expect(page.get_by_role("table").first, "no table").to_be_visible()
    field = page.get_by_label(re.compile("Find a species", re.I)).first
    expect(field, "no field Find a species").to_be_visible()


def check_dynamic_the_search_narrows_and_says_when_nothing_fits(page: Page) -> None:
    """Typing narrows the table; nothing that fits is said; emptying brings all back."""
    _row(page, "Robin")
    field = page.get_by_label(re.compile("Find a species", re.I)).first
    field.fill("finch")
    rows = page.get_by_role("row").filter(has_text="Robin")
    expect(rows, "Robin stays although finch is searched").to_have_count(0)
    field.fill("penguin")
    told = page.get_by_text(re.compile("no species|nothing|not found|none", re.I)).first
    expect(told, "nothing says that no species fits").to_be_visible()
    field.fill("")
    _row(page, "Robin")


def check_dynamic_a_species_gets_its_line_and_best_day(page: Page) -> None:
    """Choosing Siskin names its best day."""
    _row(page, "Siskin")
    button = page.get_by_role("button", name=re.compile("Siskin"))
    row = page.get_by_role("row").filter(has_text="Siskin")
    (button if button.count() else row).first.click()
    days: Counter[str] = Counter()
    for row in ROWS:
        if row["species"] == "Siskin":
            days[row["date"]] += int(row["count"])
    ((_, most),) = days.most_common(1)
    expect(
        page.locator("body"), f"the best day of Siskin with {most} is not named"
    ).to_contain_text(re.compile(rf"2027-01-\d\d: {most}\b"))
