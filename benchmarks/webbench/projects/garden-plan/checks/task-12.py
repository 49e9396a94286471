"""Checks of step 12: the plan as text."""

import re

from playwright.sync_api import Locator, Page, expect


def _square(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^Row {row}, column {column}: "))


def _plant(page: Page, plant: str, *places: tuple[int, int]) -> None:
    page.get_by_role("radio", name=plant, exact=True).check()
    for place in places:
        _square(page, *place).click()


def _expect(page: Page, row: int, column: int, what: str, when: str) -> None:
    name = f"Row {row}, column {column}: {what}"
    square = page.get_by_role("gridcell", name=name, exact=True)
    expect(square, f"{when}, no square is called '{name}'").to_be_visible()


def _use(page: Page, text: str) -> None:
    page.get_by_label("Plan as text").fill(text)
    page.get_by_role("button", name="Use this text").click()


def check_intention_is_a_text(page: Page):
    """The text follows the bed, and a text becomes the bed as one change."""
    area = page.get_by_label("Plan as text")
    _plant(page, "Carrot", (1, 2), (4, 6))
    shown = ".C....\n......\n......\n.....C"
    expect(area, "the text does not show the bed").to_have_value(shown)
    _use(page, "\n  tk.\n  .LO  \n\n")
    _expect(page, 1, 1, "Tomato, clashes with Kale", "after using a text")
    _expect(page, 2, 3, "Onion", "after using a text")
    expect(page.get_by_role("gridcell"), "two lines of 3 are not 6 squares").to_have_count(6)
    expect(area, "the text is not that of the new bed").to_have_value("TK.\n.LO")
    page.get_by_role("button", name="Undo", exact=True).click()
    _expect(page, 4, 6, "Carrot", "after the text was taken back")
    expect(area, "the text does not follow Undo").to_have_value(shown)


def check_dynamic_refuses_what_is_no_plan(page: Page):
    """A text that is no plan is refused with what is wrong with it, and nothing is changed."""
    problem = page.locator("#problem")
    bounds = "A plan has 1 to 8 lines of 1 to 10 signs"
    for text, words in (
        ("T.\n.x", "Line 2: X is no sign"),
        ("T.\nTTT", "Line 2 is not as long as line 1"),
        ("  \n", bounds),
        ("...........", bounds),
        ("\n".join(["T"] * 9), bounds),
    ):
        _use(page, text)
        expect(problem, f"{text!r} is not refused with '{words}'").to_have_text(words)
        area = page.get_by_label("Plan as text")
        expect(area, "a text that was refused is gone").to_have_value(text)
        squares = page.get_by_role("gridcell")
        expect(squares, "a text that was refused changed the bed").to_have_count(24)
    _use(page, "T")
    expect(problem, "the message stays after a good text").to_have_text("")
