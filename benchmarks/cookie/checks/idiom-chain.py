"""Checks of idiom-chain: a game won, a game lost, and a new one."""

import re

from playwright.sync_api import Locator, Page, expect

CHAIN = ("一心一意", "意气风发", "发扬光大", "大同小异", "异口同声", "声东击西")


def _choices(page: Page) -> Locator:
    return (
        page.get_by_role("button")
        .filter(has_text=re.compile(r"^\s*[一-鿿]{4}\s*$"))
        .filter(has_not_text="再来一局")
    )


def _stands(page: Page, score: int, lives: int, when: str) -> None:
    text = page.locator("body").inner_text()
    assert re.search(rf"得分\s*[：:]\s*{score}(?!\d)", text), f"{when}, 得分 is not {score}"
    assert re.search(rf"生命\s*[：:]\s*{lives}(?!\d)", text), f"{when}, 生命 is not {lives}"


def _right(page: Page, number: int) -> None:
    page.get_by_role("button", name=CHAIN[number], exact=True).click()


def _wrong(page: Page, number: int) -> None:
    names = _choices(page).all_inner_texts()
    other = next(name.strip() for name in names if name.strip() != CHAIN[number])
    page.get_by_role("button", name=other, exact=True).click()


def check_static_starts_as_asked(page: Page) -> None:
    """The first idiom, three choices, score 0 and three lives are there."""
    _stands(page, 0, 3, "at first")
    assert CHAIN[0] in page.locator("body").inner_text(), f"it does not begin with {CHAIN[0]}"
    assert _choices(page).count() == 3, f"there are {_choices(page).count()} choices, not 3"
    expect(page.get_by_role("button", name="再来一局")).to_be_visible()


def check_static_is_in_chinese(page: Page) -> None:
    """The page says that it is in Chinese."""
    assert page.evaluate("document.documentElement.lang").startswith("zh")


def check_intention_the_chain_is_completed(page: Page) -> None:
    """Five right answers complete the chain with five points."""
    for number in range(1, 6):
        fitting = [n for n in _choices(page).all_inner_texts() if n.strip()[0] == CHAIN[number][0]]
        assert len(fitting) == 1, f"in round {number} {len(fitting)} choices fit, not 1"
        _right(page, number)
        _stands(page, number, 3, f"after {number} right answers")
    assert "接龙完成" in page.locator("body").inner_text(), "the end is not told"


def check_dynamic_wrong_answers_cost_lives(page: Page) -> None:
    """A wrong answer costs a life and stays in the round; the third one ends the game."""
    _right(page, 1)
    _wrong(page, 2)
    _stands(page, 1, 2, "after a wrong answer")
    assert "再想想" in page.locator("body").inner_text(), "nothing is said of a wrong answer"
    _wrong(page, 2)
    _wrong(page, 2)
    _stands(page, 1, 0, "after three wrong answers")
    assert "游戏结束" in page.locator("body").inner_text(), "the game does not end"
    for choice in _choices(page).all():
        expect(choice, "a choice can be pressed after the end").to_be_disabled()


def check_dynamic_a_new_game_starts_afresh(page: Page) -> None:
    """再来一局 restores score, lives and the first idiom."""
    _right(page, 1)
    _wrong(page, 2)
    page.get_by_role("button", name="再来一局").click()
    _stands(page, 0, 3, "in a new game")
    _right(page, 1)
    _stands(page, 1, 3, "in a new game after a right answer")
