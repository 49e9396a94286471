"""Checks of step 1: adding a book."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def check_intention_adds_a_book(page: Page):
    """A submitted book is listed as "TITLE by AUTHOR"."""
    _add(page, "  Emma ", "Jane Austen")
    _add(page, "Walden", "Henry David Thoreau")
    items = page.locator("ul#books > li")
    expect(items, "two added books are not two items").to_have_count(2)
    expect(items.first, "no 'Emma by Jane Austen'").to_contain_text("Emma by Jane Austen")


def check_dynamic_is_ready_for_the_next(page: Page):
    """The fields are empty afterwards and Title has the focus; markup is shown as text."""
    _add(page, "<b>Bold</b>", "A")
    title = page.get_by_label("Title", exact=True)
    expect(title, "Title is not emptied").to_have_value("")
    expect(page.get_by_label("Author", exact=True), "Author is not emptied").to_have_value("")
    expect(title, "Title has not the focus").to_be_focused()
    expect(page.locator("#books > li"), "markup is not shown as text").to_contain_text(
        "<b>Bold</b>"
    )
