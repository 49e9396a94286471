"""Checks of step 6: the summary."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def _expect_summary(page: Page, text: str) -> None:
    expect(page.locator("#summary"), f"the summary is not {text!r}").to_have_text(text)


def check_intention_sums_up(page: Page):
    """The summary counts books, read ones and pages, with singulars."""
    _expect_summary(page, "0 books, 0 read, 0 pages")
    _add(page, "Haiku", "Basho", "1")
    _expect_summary(page, "1 book, 0 read, 1 page")
    _add(page, "Emma", "Jane Austen", "839")
    _add(page, "Walden", "Thoreau")
    page.get_by_role("checkbox", name="Read Emma").check()
    _expect_summary(page, "3 books, 1 read, 840 pages")
    page.get_by_role("button", name="Remove Emma").click()
    _expect_summary(page, "2 books, 0 read, 1 page")
