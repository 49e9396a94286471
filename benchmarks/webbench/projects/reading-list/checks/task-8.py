"""Checks of step 8: searching."""

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


def check_dynamic_searches(page: Page):
    """Title or author, whatever the case, together with Show; a message when none is left."""
    _add(page, "Emma", "Jane Austen")
    _add(page, "Austenland", "Shannon Hale")
    _add(page, "Walden", "Thoreau")
    search = page.get_by_label("Search", exact=True)
    search.fill(" AUSTEN ")
    _expect_titles(page, "Emma", "Austenland")
    page.get_by_role("checkbox", name="Read Emma").check()
    page.get_by_role("radio", name="Read list").check()
    _expect_titles(page, "Emma")
    none = page.locator("#none")
    expect(none, "'No book matches' although one does").to_have_text("")
    search.fill("walden")
    _expect_titles(page)
    expect(none, "no 'No book matches'").to_have_text("No book matches")
    page.get_by_role("radio", name="All").check()
    search.fill("")
    _expect_titles(page, "Emma", "Austenland", "Walden")
    expect(none, "'No book matches' stays").to_have_text("")
