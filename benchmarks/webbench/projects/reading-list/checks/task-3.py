"""Checks of step 3: numbers of pages."""

from playwright.sync_api import Page, expect


def _add(page: Page, title: str, author: str = "", pages: str = "") -> None:
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Author", exact=True).fill(author)
    if pages:
        page.get_by_label("Pages", exact=True).fill(pages)
    page.get_by_role("button", name="Add book").click()


def check_intention_shows_pages(page: Page):
    """Pages are shown behind the author, in the singular for one."""
    _add(page, "Emma", "Jane Austen", "312")
    _add(page, "Haiku", "Basho", "1")
    items = page.locator("#books > li")
    expect(items.nth(0), "no '(312 pages)'").to_contain_text("Emma by Jane Austen (312 pages)")
    expect(items.nth(1), "no '(1 page)'").to_contain_text("Haiku by Basho (1 page)")


def check_dynamic_refuses_other_pages(page: Page):
    """0, 5001, 12.5 and words add nothing, and what was typed stays."""
    for wrong in ("0", "5001", "12.5", "-3", "many"):
        _add(page, "Ulysses", "James Joyce", wrong)
        said = "Pages must be a whole number from 1 to 5000"
        expect(page.locator("#problem"), f"{wrong} pages are not refused").to_have_text(said)
        expect(page.locator("#books > li"), f"{wrong} pages were taken").to_have_count(0)
    title = page.get_by_label("Title", exact=True)
    expect(title, "what was typed is lost").to_have_value("Ulysses")
    _add(page, "Ulysses", "James Joyce", "5000")
    expect(page.locator("#books > li"), "5000 pages are refused").to_have_count(1)
