"""Checks of shell-pairs: a player with a perfect memory finds all pairs."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

SHELLS = ("Cowrie", "Whelk", "Scallop", "Conch", "Cockle", "Limpet")
SHELL = re.compile("|".join(SHELLS))


def _deal(page: Page) -> Locator:
    page.get_by_role("button", name="New game").click()
    return page.get_by_role("button").filter(has_not_text="New game")


def _shell(card: Locator) -> str:
    found = SHELL.search(card.inner_text())
    return found.group() if found else ""


def _counter(page: Page, name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+)", page.locator("body").inner_text())
    assert found, f"there is no '{name}: ...' on the page"
    return int(found.group(1))


def _learn(page: Page, cards: Locator, clock: Clock) -> dict[str, list[int]]:
    """Turn the cards two by two; which cards show each shell."""
    seen: dict[str, list[int]] = {}
    for first in range(0, 12, 2):
        for index in (first, first + 1):
            cards.nth(index).click()
            shell = _shell(cards.nth(index))
            assert shell, f"card {index + 1} shows no shell when it is clicked"
            seen.setdefault(shell, []).append(index)
        clock.run_for(1200)
    return seen


def check_static_nothing_is_dealt_before_new_game(page: Page) -> None:
    """The page opens with New game, both counters at zero, and no shell to be seen."""
    expect(page.get_by_role("button", name="New game"), "no button New game").to_be_visible()
    assert not SHELL.search(page.locator("body").inner_text()), "a shell shows before the deal"
    assert (_counter(page, "Moves"), _counter(page, "Pairs")) == (0, 0), "counters are not zero"


def check_static_twelve_cards_in_three_rows(page: Page) -> None:
    """Dealing lays twelve face-down cards in three rows of four."""
    cards = _deal(page)
    assert cards.count() == 12, f"{cards.count()} cards were dealt instead of 12"
    tops = cards.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().top))")
    rows = sorted(Counter(tops).values())
    assert rows == [4, 4, 4], f"the cards lie in rows of {rows}"
    assert not any(_shell(card) for card in cards.all()), "a card is dealt face up"


def check_intention_six_pairs_end_the_game(page: Page, clock: Clock) -> None:
    """All six pairs can be found, and the last one ends the game with the number of moves."""
    cards = _deal(page)
    seen = _learn(page, cards, clock)
    assert sorted(map(len, seen.values())) == [2] * 6, f"not six shells twice: {seen}"
    for first, second in seen.values():
        cards.nth(first).click()
        cards.nth(second).click()
    moves = _counter(page, "Moves")
    assert _counter(page, "Pairs") == 6, f"only {_counter(page, 'Pairs')} pairs are counted"
    said = page.locator("body").inner_text()
    assert re.search(rf"All pairs found in {moves} moves", said, re.I), (
        "the last pair is found, but nothing says that the game is over"
    )
    _deal(page)
    assert (_counter(page, "Moves"), _counter(page, "Pairs")) == (0, 0), "New game keeps counters"


def _two_different(cards: Locator) -> tuple[int, int]:
    """Turn two cards that are no pair; which ones."""
    for first in range(0, 12, 2):
        if _turned(cards, first) != _turned(cards, first + 1):
            return first, first + 1
    raise AssertionError("all neighbouring cards show the same shell")


def check_dynamic_wrong_pairs_turn_back(page: Page, clock: Clock) -> None:
    """Two different shells lie open for a second, block further cards, and turn back."""
    cards = _deal(page)
    first, second = _two_different(cards)
    moves, third = _counter(page, "Moves"), second + 1 if second < 11 else first - 1
    cards.nth(third).click()
    assert second == 11 or not _shell(cards.nth(third)), "a third card turns while two lie open"
    clock.run_for(1100)
    left = [number + 1 for number in (first, second) if _shell(cards.nth(number))]
    assert not left, f"wrong cards stay open after a second: {left}"
    assert moves == second // 2 + 1, f"{second // 2 + 1} moves are counted as {moves}"


def _turned(cards: Locator, index: int) -> str:
    """Turn a card and say its shell."""
    cards.nth(index).click()
    return _shell(cards.nth(index))


def check_dynamic_an_open_card_is_no_second_card(page: Page) -> None:
    """Clicking the card that lies open changes nothing and is no move."""
    cards = _deal(page)
    shell = _turned(cards, 4)
    cards.nth(4).click()
    assert _shell(cards.nth(4)) == shell, "a second click on an open card turns it"
    assert _counter(page, "Moves") == 0, "a second click on an open card counts as a move"
