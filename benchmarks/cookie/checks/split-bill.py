"""Checks of split-bill: sums to the cent against Python's decimals."""

import re
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

from playwright.sync_api import Page, expect

CENT = Decimal("0.01")


def _shows(page: Page, total: str, people: int, service: int) -> None:
    sum_ = (Decimal(total) * (100 + service) / 100).quantize(CENT, ROUND_HALF_UP)
    each = (sum_ / people).quantize(CENT, ROUND_CEILING)
    text = " ".join(page.locator("body").inner_text().split())
    for name, value in (("合计", sum_), ("每人", each), ("多出", each * people - sum_)):
        assert re.search(rf"{name}\s*[：:]\s*{value}\s*元", text), (
            f"{total} 元, {people} 人, {service}%: {name} is not {value} 元"
        )


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def check_static_starts_as_asked(page: Page) -> None:
    """Fields and buttons are there, with 240 元 for 4."""
    expect(page.get_by_label("总金额")).to_have_value("240")
    expect(page.get_by_label("人数")).to_have_value("4")
    for name in ("加一人", "减一人", "重置"):
        expect(page.get_by_role("button", name=name), f"no button {name}").to_be_visible()
    _shows(page, "240", 4, 0)


def check_static_is_in_chinese(page: Page) -> None:
    """The page says that it is in Chinese."""
    assert page.evaluate("document.documentElement.lang").startswith("zh")


def check_intention_service_is_shared(page: Page) -> None:
    """The service charge is part of the sum and of each share."""
    for service in (10, 15, 0):
        page.get_by_label("服务费").select_option(label=f"{service}%")
        _shows(page, "240", 4, service)


def check_intention_shares_are_rounded_up(page: Page) -> None:
    """A share is rounded up to the cent, and what is over is told."""
    page.get_by_label("总金额").fill("100")
    page.get_by_label("人数").fill("3")
    _shows(page, "100", 3, 0)
    page.get_by_label("总金额").fill("199.99")
    page.get_by_label("人数").fill("7")
    _shows(page, "199.99", 7, 0)


def check_dynamic_people_stay_within_bounds(page: Page) -> None:
    """The buttons count people up and down, and stop at 1 and 20."""
    _press(page, "加一人")
    _shows(page, "240", 5, 0)
    for _ in range(4):
        _press(page, "减一人")
    _shows(page, "240", 1, 0)
    expect(page.get_by_role("button", name="减一人"), "at 1 it can go lower").to_be_disabled()
    page.get_by_label("人数").fill("20")
    expect(page.get_by_role("button", name="加一人"), "at 20 it can go higher").to_be_disabled()


def check_dynamic_reset_restores(page: Page) -> None:
    """重置 returns to the beginning."""
    page.get_by_label("总金额").fill("88")
    page.get_by_label("服务费").select_option(label="15%")
    _press(page, "加一人")
    _press(page, "重置")
    expect(page.get_by_label("总金额"), "the amount was not reset").to_have_value("240")
    _shows(page, "240", 4, 0)
