"""Checks of step 4: removing a book."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def check_dynamic_removes_one(page: Page):
    """Remove takes away its own book, also of two with the same title."""
    _add(page, "Poems", "First")
    _add(page, "Poems", "Second")
    _add(page, "Emma", "Jane Austen")
    page.get_by_role("button", name="Remove Poems").nth(1).click()
    items = page.locator("#books > li")
    expect(items, "not one of three books is gone").to_have_count(2)
    expect(items.nth(0), "the wrong book is gone").to_contain_text("Poems by First")
    expect(items.nth(1), "the wrong book is gone").to_contain_text("Emma")
