"""Checks of step 12: renaming."""

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


def check_dynamic_renames(page: Page):
    """Enter takes a new title over, Escape does not, an empty one is refused, Undo takes back."""
    _add(page, "Ema", "Jane Austen")
    page.get_by_role("button", name="Rename Ema").click()
    field = page.get_by_label("New title")
    expect(field, "the field does not hold the present title").to_have_value("Ema")
    field.fill("Nonsense")
    field.press("Escape")
    expect(field, "Escape leaves the field there").to_have_count(0)
    _expect_titles(page, "Ema by Jane Austen")
    page.get_by_role("button", name="Rename Ema").click()
    field.fill("  ")
    field.press("Enter")
    problem = page.locator("#problem")
    expect(problem, "an empty title is not refused").to_have_text("Title is needed")
    expect(field, "the field is gone after an empty title").to_be_visible()
    field.fill("Emma")
    field.press("Enter")
    _expect_titles(page, "Emma by Jane Austen")
    box = page.get_by_role("checkbox", name="Read Emma")
    expect(box, "the checkbox does not carry the new title").to_be_visible()
    page.get_by_role("button", name="Undo").click()
    _expect_titles(page, "Ema by Jane Austen")
