"""Checks of step 1: the bed."""

from playwright.sync_api import Page, expect


def check_static_has_a_bed(page: Page):
    """The grid Bed has four rows of six squares, each named by its place."""
    bed = page.get_by_role("grid", name="Bed", exact=True)
    expect(bed.get_by_role("row"), "the grid Bed has not 4 rows").to_have_count(4)
    squares = bed.get_by_role("gridcell")
    expect(squares, "the grid Bed has not 24 squares").to_have_count(24)
    for place, name in {
        0: "Row 1, column 1: empty",
        5: "Row 1, column 6: empty",
        6: "Row 2, column 1: empty",
        23: "Row 4, column 6: empty",
    }.items():
        expect(squares.nth(place), f"square {place + 1} is not '{name}'").to_have_accessible_name(
            name
        )
