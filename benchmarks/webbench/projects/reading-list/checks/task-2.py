"""Checks of step 2: what is missing."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def check_dynamic_needs_a_title(page: Page):
    """Without a title nothing is added and the page says why, until a book is added."""
    _add(page, "   ", "Nobody")
    problem = page.locator("#problem[role=alert]")
    expect(problem, "no 'Title is needed'").to_have_text("Title is needed")
    expect(page.locator("#books > li"), "a book without a title was added").to_have_count(0)
    _add(page, "Beowulf")
    expect(problem, "the problem stays after a good book").to_have_text("")
    book = page.locator("#books > li")
    expect(book, "no 'unknown author'").to_contain_text("Beowulf by unknown author")
