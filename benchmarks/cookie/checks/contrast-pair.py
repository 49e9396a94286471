"""Checks of contrast-pair: contrasts against the WCAG formula in Python."""

import re

from playwright.sync_api import Page, expect

LEVELS = {
    "Normal text AA": 4.5,
    "Normal text AAA": 7.0,
    "Large text AA": 3.0,
    "Large text AAA": 4.5,
}


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _enter(page: Page, text: str, ground: str) -> None:
    page.get_by_label("Text colour").fill(text)
    page.get_by_label("Background").fill(ground)


def _shows(page: Page, text: str, ground: str) -> None:
    ratio = _contrast(text, ground)
    said = " ".join(page.locator("body").inner_text().split())
    found = re.search(r"Contrast:\s*([\d.]+)\s*:\s*1", said)
    assert found, "there is no line Contrast: …:1"
    assert abs(float(found[1]) - ratio) < 0.011, (
        f"{text} on {ground} has a contrast of {ratio:.2f}, the page says {found[1]}"
    )
    for name, least in LEVELS.items():
        word = "pass" if ratio >= least else "fail"
        assert re.search(rf"{name}\W+{word}", said, re.I), f"{name} should {word} at {ratio:.2f}"


def check_static_starts_with_the_pair(page: Page) -> None:
    """Fields, Swap and the sample are there, with the first pair."""
    expect(page.get_by_label("Text colour")).to_have_value("#1d3557")
    expect(page.get_by_label("Background")).to_have_value("#f1faee")
    expect(page.get_by_role("button", name="Swap"), "no button Swap").to_be_visible()
    expect(page.get_by_text("Contrast:"), "no contrast is shown").to_be_visible()


def check_static_says_english(page: Page) -> None:
    """The page says that it is in English."""
    assert page.evaluate("document.documentElement.lang").startswith("en")


def check_intention_follows_the_formula(page: Page) -> None:
    """Contrasts are those of WCAG, as are the four levels."""
    _shows(page, "#1d3557", "#f1faee")
    for pair in (("#777777", "#ffffff"), ("#e63946", "#f1faee"), ("#000000", "#ffffff")):
        _enter(page, *pair)
        _shows(page, *pair)


def check_dynamic_swap_exchanges(page: Page) -> None:
    """Swap exchanges the fields and keeps the contrast; twice restores them."""
    before = page.get_by_text("Contrast:").inner_text()
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_label("Text colour"), "Swap changed nothing").to_have_value("#f1faee")
    expect(page.get_by_label("Background")).to_have_value("#1d3557")
    assert page.get_by_text("Contrast:").inner_text() == before
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_label("Text colour")).to_have_value("#1d3557")


def check_dynamic_asks_for_a_colour(page: Page) -> None:
    """What is no colour is answered, the result stays, and it goes on."""
    before = page.get_by_text("Contrast:").inner_text()
    page.get_by_label("Text colour").fill("blue-ish")
    note = page.get_by_text("Use a colour like #1d3557")
    expect(note, "nothing is said of what is no colour").to_be_visible()
    assert page.get_by_text("Contrast:").inner_text() == before
    page.get_by_label("Text colour").fill("#000000")
    expect(note.filter(visible=True)).to_have_count(0)
    assert page.get_by_text("Contrast:").inner_text() != before
