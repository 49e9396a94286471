"""Checks of step 5: ticking a book as read."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def check_dynamic_marks_what_was_read(page: Page):
    """A tick gives the book the class read and strikes it through; unticking takes both back."""
    _add(page, "Emma", "Jane Austen")
    _add(page, "Walden", "Thoreau")
    box = page.get_by_role("checkbox", name="Read Emma")
    box.check()
    item = page.locator("#books > li").first
    expect(item, "a read book has not the class read").to_have_class("read")
    struck = "item => [item, ...item.querySelectorAll('*')].some(one => "
    struck += "getComputedStyle(one).textDecorationLine.includes('line-through'))"
    assert item.evaluate(struck), "a read book is not struck through"
    expect(page.locator("#books > li").nth(1), "another book is marked").not_to_have_class("read")
    page.get_by_role("checkbox", name="Read Emma").uncheck()
    expect(item, "an unticked book is still read").not_to_have_class("read")
    assert not item.evaluate(struck), "an unticked book is still struck through"
