"""Checks of step 10: keeping the books."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def _expect_titles(page: Page, *titles: str) -> None:
    items = page.locator("#books > li")
    expect(items, f"not {len(titles)} books are listed").to_have_count(len(titles))
    for place, title in enumerate(titles):
        expect(items.nth(place), f"book {place + 1} is not {title}").to_contain_text(title)


def check_dynamic_survives_a_reload(page: Page):
    """Books and what was read are there after a reload, from localStorage's reading-list."""
    _add(page, "Emma", "Jane Austen", "312")
    _add(page, "Walden", "Thoreau")
    page.get_by_role("checkbox", name="Read Walden").check()
    page.reload()
    _expect_titles(page, "Emma by Jane Austen (312 pages)", "Walden")
    box = page.get_by_role("checkbox", name="Read Walden")
    expect(box, "that a book was read is lost").to_be_checked()
    kept = page.evaluate("localStorage.getItem('reading-list')")
    assert kept, "nothing is stored under the key reading-list"
    assert "Emma" in kept, "the books are not stored under the key reading-list"


def check_dynamic_starts_after_rubbish(page: Page):
    """What cannot be read is an empty list, and the page works."""
    page.evaluate("localStorage.setItem('reading-list', '{not json')")
    page.reload()
    _add(page, "Emma", "Jane Austen")
    _expect_titles(page, "Emma")
