"""Checks of six-teas: the six classes, the table, the language, the small window."""

import re

from playwright.sync_api import Page

TEAS = {
    "绿茶": ("不发酵", "龙井", "80"),
    "白茶": ("微发酵", "白毫银针", "85"),
    "黄茶": ("轻发酵", "君山银针", "85"),
    "青茶": ("半发酵", "铁观音", "95"),
    "红茶": ("全发酵", "祁门红茶", "90"),
    "黑茶": ("后发酵", "普洱", "100"),
}


def _text(page: Page) -> str:
    return " ".join(page.locator("body").inner_text().split())


def check_intention_presents_the_teas(page: Page) -> None:
    """Each class comes with its fermentation and a tea."""
    text = _text(page)
    for tea, (fermented, example, _) in TEAS.items():
        for word in (tea, fermented, example):
            assert word in text, f"{word} is missing on the page"


def check_intention_is_in_chinese(page: Page) -> None:
    """The page is written in Chinese and says so."""
    text, lang = _text(page), page.evaluate("document.documentElement.lang")
    chinese = len(re.findall(r"[一-鿿]", text))
    words = len(re.findall(r"[A-Za-z]+", text))
    assert chinese > 2 * words, (
        f"{words} Latin words and {chinese} Chinese characters: no Chinese page"
    )
    assert lang.startswith("zh"), f"the page says that it is in {lang!r}, not Chinese"


def check_static_headings_and_hours(page: Page) -> None:
    """The name, both sections and the opening hours are there."""
    text = _text(page)
    for word in ("一席茶", "六大茶类", "冲泡"):
        assert word in text, f"{word} is missing on the page"
    assert re.search(r"营业时间\W*每天\s*9:00\s*[–—-]\s*21:00", text), "no opening hours"


def check_static_table_of_temperatures(page: Page) -> None:
    """The table gives the right temperature for each class."""
    for tea, (_, _, degrees) in TEAS.items():
        row = page.get_by_role("row").filter(has_text=tea)
        assert row.count() == 1, f"no row for {tea} in the table"
        said = row.inner_text()
        assert re.search(rf"\b{degrees}\s*(℃|°\s*C)", said), f"{tea}: {said!r}, not {degrees} ℃"


def check_dynamic_fits_a_phone(page: Page) -> None:
    """In a small window nothing has to be scrolled sideways, and the table is reached."""
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 391, f"the page is {wide} pixels wide in a window of 390"
    page.get_by_role("table").scroll_into_view_if_needed()
    assert page.get_by_role("table").is_visible()
