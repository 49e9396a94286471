"""Checks of seed-stock: sorting, the minimum, plus and minus, and a delivery."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

FILES = Path(__file__).parents[1] / "materials" / "seeds"


def _rows(page: Page) -> list[str]:
    expect(page.get_by_role("row").filter(has_text="Pea"), "no row for Pea").to_be_visible()
    return page.get_by_role("row").filter(has_text=re.compile(r"[A-Z]-\d\d")).all_inner_texts()


def _expect_quantity(page: Page, name: str, quantity: int) -> None:
    row = page.get_by_role("row").filter(has_text=name).first
    expect(row, f"{name} does not stand at {quantity}").to_contain_text(
        re.compile(rf"{name}\s*{quantity}\b"), use_inner_text=True
    )


def check_static_seeds_and_controls_are_there(page: Page) -> None:
    """Eight seeds, the two headings to sort by, the filter and the field for a file."""
    assert len(_rows(page)) == 8, "not all 8 seeds are listed"
    for name in ("Name", "Quantity", "Below minimum only"):
        button = page.get_by_role("button", name=re.compile(name, re.I)).first
        expect(button, f"no button {name}").to_be_visible()
    assert page.locator("input[type=file]").count(), "there is no field for a file"


def check_intention_a_delivery_is_added_and_strangers_are_named(page: Page) -> None:
    """20 carrots come to the 6 that are there, and X-99 is named."""
    _expect_quantity(page, "Carrot", 6)
    page.locator("input[type=file]").first.set_input_files(FILES / "delivery.csv")
    expect(page.get_by_text(re.compile("X-99")).first, "X-99 is not named").to_be_visible()
    _expect_quantity(page, "Carrot", 26)
    _expect_quantity(page, "Marigold", 15)


def check_dynamic_sorting_by_quantity_up_and_down(page: Page) -> None:
    """Quantity sorts as numbers, and the other way at the second press."""
    _rows(page)
    button = page.get_by_role("button", name=re.compile("^Quantity", re.I)).first
    button.click()
    first = _rows(page)[0]
    button.click()
    second = _rows(page)[0]
    ends = {name for name in ("Foxglove", "Pea") for row in (first, second) if name in row}
    assert ends == {"Foxglove", "Pea"}, f"sorted by quantity, the first rows are {first}, {second}"


def check_dynamic_below_minimum_shows_what_runs_low(page: Page) -> None:
    """Carrot, Foxglove and Marigold are below their minimum; Radish is just at it."""
    _rows(page)
    page.get_by_role("button", name=re.compile("Below minimum only", re.I)).click()
    for name, shown in (("Carrot", 1), ("Foxglove", 1), ("Marigold", 1), ("Radish", 0)):
        rows = page.get_by_role("row").filter(has_text=name)
        expect(rows, f"{name} is {'not ' * shown}shown below minimum").to_have_count(shown)


def check_dynamic_minus_stops_at_zero_and_the_value_follows(page: Page) -> None:
    """One foxglove less than none is none; one pea less costs the value its price."""
    body = page.locator("body")
    expect(body, "the value of the stock is not 276.20").to_contain_text("276.20")
    less = page.get_by_role("button", name=re.compile("Less Foxglove|− Foxglove|- Foxglove", re.I))
    row = page.get_by_role("row").filter(has_text="Foxglove").first
    (less if less.count() else row.get_by_role("button").first).first.click()
    _expect_quantity(page, "Foxglove", 0)
    row = page.get_by_role("row").filter(has_text="Pea").first
    row.get_by_role("button").last.click()
    _expect_quantity(page, "Pea", 53)
    expect(body, "with one pea more the value is not 278.30").to_contain_text("278.30")
