"""Checks of step 9: sorting."""

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


def check_dynamic_sorts(page: Page):
    """Every order of Sort by, with those that are equal in the order they were added."""
    _add(page, "walden", "Thoreau", "300")
    _add(page, "Emma", "austen", "80")
    _add(page, "Poems", "Blake")
    _add(page, "Letters", "Austen", "1000")
    sort = page.get_by_label("Sort by")
    for order, titles in {
        "Title": ("Emma", "Letters", "Poems", "walden"),
        "Author": ("Emma", "Letters", "Poems", "walden"),
        "Pages": ("Emma", "walden", "Letters", "Poems"),
        "Added": ("walden", "Emma", "Poems", "Letters"),
    }.items():
        sort.select_option(label=order)
        _expect_titles(page, *titles)
