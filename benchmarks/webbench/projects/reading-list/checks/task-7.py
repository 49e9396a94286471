"""Checks of step 7: what is shown."""

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


def check_dynamic_filters_by_state(page: Page):
    """To read and Read list show their books only, at once, and the summary counts all."""
    for title in ("Emma", "Walden", "Ulysses"):
        _add(page, title, "A")
    page.get_by_role("checkbox", name="Read Walden").check()
    expect(page.get_by_role("group", name="Show"), "no group Show").to_be_visible()
    expect(page.get_by_role("radio", name="All"), "All is not chosen at first").to_be_checked()
    page.get_by_role("radio", name="To read").check()
    _expect_titles(page, "Emma", "Ulysses")
    page.get_by_role("checkbox", name="Read Emma").click()
    _expect_titles(page, "Ulysses")
    page.get_by_role("radio", name="Read list").check()
    _expect_titles(page, "Emma", "Walden")
    told = page.locator("#summary")
    expect(told, "the summary counts what is shown only").to_have_text("3 books, 2 read, 0 pages")
    page.get_by_role("radio", name="All").check()
    _expect_titles(page, "Emma", "Walden", "Ulysses")
