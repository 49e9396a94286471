"""Checks of csv-lookup: reading pasted text, sorting by number and by name, literal search."""

import re

from playwright.sync_api import Locator, Page, expect

FRUIT = """Name,Price,Stock
pear,9.5,120
Apple,10,7
"fig, dried",100.25,30
banana,-2,1000
Cherry,0.75,45"""

TOOLS = """Tool;Kind,Size (mm),Note
hammer,12,heavy "duty"
"3/4"" bit",7,a.b
saw (fine),105,<b>sharp</b>
c++ guide,8,100%
axe,30,$5 [new]"""


def _box(page: Page) -> Locator:
    box = page.get_by_label(re.compile(r"^\s*data\b", re.I)).and_(page.locator("textarea")).first
    expect(box, "there is no large box labelled Data").to_be_visible()
    return box


def _search(page: Page) -> Locator:
    field = page.get_by_label(re.compile(r"^\s*search\b", re.I)).and_(page.locator("input")).first
    expect(field, "there is no field labelled Search").to_be_visible()
    return field


def _show(page: Page, text: str) -> None:
    _box(page).fill(text)
    button = page.get_by_role("button", name=re.compile(r"^\s*show table\s*$", re.I)).first
    expect(button, "there is no button Show table").to_be_visible()
    button.click()


def _count(page: Page, shown: int, total: int, when: str) -> None:
    line = re.compile(rf"showing\s+{shown}\s+of\s+{total}\s+rows?", re.I)
    expect(
        page.locator("body"), f'{when}, the line does not say "Showing {shown} of {total} rows"'
    ).to_contain_text(line, use_inner_text=True)


def _none(page: Page, when: str) -> None:
    message = page.get_by_text(re.compile(r"no matching rows", re.I)).filter(visible=True).first
    expect(message, f'{when}, it does not say "No matching rows"').to_be_visible()


def _rows(page: Page, head: str, wanted: list[str], message: str) -> None:
    """Expects the table to hold the heading and then exactly these rows in this order."""
    rows = page.get_by_role("row")
    expect(rows, message).to_have_count(len(wanted) + 1)
    expect(rows, message).to_contain_text([head, *wanted])


def _head(page: Page, name: str) -> Locator:
    pattern = re.compile(rf"^\W*{re.escape(name)}", re.I)
    head = page.get_by_role("columnheader", name=pattern).first
    expect(head, f"the table has no column heading {name}").to_be_visible()
    return head


def _sort(page: Page, name: str) -> None:
    head = _head(page, name)
    button = head.get_by_role("button")
    (button.first if button.count() else head).click()


def check_static_controls_are_there(page: Page) -> None:
    """The Data box, the Show table button and the Search field can be found by name."""
    _box(page)
    _search(page)
    button = page.get_by_role("button", name=re.compile(r"^\s*show table\s*$", re.I)).first
    expect(button, "there is no button Show table").to_be_visible()


def check_static_an_example_is_shown(page: Page) -> None:
    """After loading there are an example in the box and its table with the counting line."""
    example = _box(page).input_value().strip()
    assert example, "the Data box is empty at first instead of holding an example"
    rows = page.get_by_role("row").count() - 1
    assert rows > 0, "no table of the example is shown at first"
    _count(page, rows, rows, f"with the {rows} rows of the example")


def check_intention_pasted_text_becomes_a_table(page: Page) -> None:
    """Quoted commas and doubled quotes are read, and text like HTML is shown as typed."""
    _show(page, FRUIT)
    _count(page, 5, 5, "with five rows of pasted data")
    cell = page.get_by_text("fig, dried", exact=True).and_(page.locator(":not(textarea)")).first
    expect(cell, 'the quoted value "fig, dried" is not one cell without its quotes').to_be_visible()
    _show(page, TOOLS)
    _head(page, "Size (mm)")
    for value in ('3/4" bit', "<b>sharp</b>"):
        cell = page.get_by_text(value, exact=True).and_(page.locator(":not(textarea)")).first
        expect(cell, f"the value {value} is not shown as typed").to_be_visible()


def check_intention_numbers_sort_by_value(page: Page) -> None:
    """A column of numbers sorts by value, upwards first and then downwards."""
    _show(page, FRUIT)
    upwards = ["banana", "Cherry", "pear", "Apple", "fig, dried"]
    _sort(page, "Price")
    _rows(page, "Name", upwards, "the prices are not sorted -2, 0.75, 9.5, 10, 100.25")
    _sort(page, "Price")
    _rows(page, "Name", upwards[::-1], "the second click on Price does not sort downwards")
    _sort(page, "Stock")
    by_stock = ["Apple", "fig, dried", "Cherry", "pear", "banana"]
    _rows(page, "Name", by_stock, "the stocks are not sorted 7, 30, 45, 120, 1000")


def check_intention_names_sort_ignoring_case(page: Page) -> None:
    """A column of text sorts alphabetically ignoring case, and the sorted column is marked."""
    _show(page, FRUIT)
    names = ["Apple", "banana", "Cherry", "fig, dried", "pear"]
    _sort(page, "Name")
    _rows(page, "Name", names, "names are not sorted Apple, banana, Cherry, fig, pear")
    expect(
        _head(page, "Name"), "the sorted heading is not marked as ascending for screen readers"
    ).to_have_attribute("aria-sort", "ascending")
    _sort(page, "Name")
    _rows(page, "Name", names[::-1], "the second click on Name does not reverse the order")
    expect(
        _head(page, "Name"), "the reversed heading is not marked as descending for screen readers"
    ).to_have_attribute("aria-sort", "descending")


def check_intention_search_takes_every_character_literally(page: Page) -> None:
    """Brackets, dots and other special characters are searched as they are."""
    _show(page, TOOLS)
    for text, wanted in (
        ("(", ["saw (fine)"]),
        ("c++", ["c++ guide"]),
        (".", ["3/4"]),
        ("$5 [", ["axe"]),
        ("HEAVY", ["hammer"]),
        ("10", ["saw", "c++"]),
    ):
        _search(page).fill(text)
        _rows(page, "Tool", wanted, f"searching {text} does not leave just {', '.join(wanted)}")
        _count(page, len(wanted), 5, f"when searching {text}")
    _search(page).fill("\\")
    _none(page, "when searching a backslash, which is nowhere in the data")


def check_dynamic_search_and_sorting_work_together(page: Page) -> None:
    """Found rows stay sorted, and clearing the search brings all rows back in that order."""
    _show(page, FRUIT)
    _sort(page, "Stock")
    _search(page).fill("e")
    found = ["Apple", "fig, dried", "Cherry", "pear"]
    _rows(page, "Name", found, "searching e does not leave four rows sorted by stock")
    _count(page, 4, 5, "when searching e")
    _search(page).fill("xyz")
    _none(page, "when searching xyz")
    _search(page).fill("")
    _rows(page, "Name", [*found, "banana"], "clearing the search loses rows or their order")
    _count(page, 5, 5, "after clearing the search")


def check_dynamic_new_data_resets_search_and_sorting(page: Page) -> None:
    """New data replaces headings and rows, empties Search and is shown in its own order."""
    _show(page, FRUIT)
    _sort(page, "Price")
    _search(page).fill("an")
    _count(page, 1, 5, "when searching an")
    _show(page, TOOLS)
    _count(page, 5, 5, "after showing new data")
    search = _search(page)
    expect(search, "Search still holds the old text after showing new data").to_have_value("")
    in_order = ["hammer", "3/4", "saw", "c++", "axe"]
    _rows(page, "Tool", in_order, "new data is not shown in its own order")
    marked = page.locator("[aria-sort=ascending], [aria-sort=descending]")
    expect(marked, "a column of the new data is still marked as sorted").to_have_count(0)


def check_dynamic_ragged_and_empty_data_survived(page: Page) -> None:
    """Short rows, blank lines and an empty box do not break the table."""
    _show(page, "City,River,People\nBonn,Rhine\n\nUlm,Danube,129000\n")
    _count(page, 2, 2, "with a short row and blank lines")
    _search(page).fill("danube")
    _rows(page, "City", ["Ulm"], "searching does not work with a short row")
    _show(page, "")
    _show(page, FRUIT)
    _count(page, 5, 5, "after an empty box and then five rows")
