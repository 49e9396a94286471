"""Checks of step 11: taking back."""

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


def check_dynamic_undoes_one_change_at_a_time(page: Page):
    """Undo takes back adding, removing and ticking, the last first, until nothing is left."""
    undo = page.get_by_role("button", name="Undo")
    expect(undo, "Undo is enabled with nothing to take back").to_be_disabled()
    for title in ("Emma", "Walden", "Ulysses"):
        _add(page, title, "A")
    page.get_by_role("checkbox", name="Read Walden").check()
    page.get_by_role("button", name="Remove Walden").click()
    _expect_titles(page, "Emma", "Ulysses")
    undo.click()
    _expect_titles(page, "Emma", "Walden", "Ulysses")
    box = page.get_by_role("checkbox", name="Read Walden")
    expect(box, "a book that came back is no longer read").to_be_checked()
    undo.click()
    expect(box, "ticking was not taken back").not_to_be_checked()
    undo.click()
    _expect_titles(page, "Emma", "Walden")
    undo.click()
    undo.click()
    _expect_titles(page)
    expect(undo, "Undo is enabled with nothing left").to_be_disabled()


def check_dynamic_undo_is_off_after_a_reload(page: Page):
    """After a reload there is nothing to take back."""
    _add(page, "Emma", "A")
    page.reload()
    undo = page.get_by_role("button", name="Undo")
    expect(undo, "Undo is enabled after a reload").to_be_disabled()
