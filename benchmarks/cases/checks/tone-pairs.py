"""Checks of tone-pairs: a bot plays by what it has seen, to the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

TONES = ("do", "mi", "sol", "si")


def _cards(page: Page) -> int:
    cards = page.get_by_role("button", name=re.compile(r"^Card \d"))
    expect(cards, "there are not eight cards").to_have_count(8)
    return 8


def _turn(page: Page, index: int) -> str:
    card = page.get_by_role("button", name=re.compile(rf"^Card {index + 1}\b"))
    card.click()
    text = card.inner_text().strip()
    assert text in TONES, f"card {index + 1} was turned and shows {text!r}"
    return text


def _play(page: Page, clock: Clock) -> int:
    """Look at all cards in pairs, then turn equal ones; the number of turns."""
    seen: dict[int, str] = {}
    for first in range(0, _cards(page), 2):
        pair = [_turn(page, first), _turn(page, first + 1)]
        seen |= {first: pair[0], first + 1: pair[1]}
        clock.run_for(1500)
    turns = 4
    for tone in TONES:
        one, two = (index for index, name in seen.items() if name == tone)
        if (one, two) not in ((0, 1), (2, 3), (4, 5), (6, 7)):
            _turn(page, one)
            _turn(page, two)
            turns += 1
    return turns


def check_static_eight_cards_lie_face_down(page: Page) -> None:
    """Eight cards, no name of a tone, no turn."""
    _cards(page)
    board = page.get_by_role("group", name=re.compile("cards", re.I))
    text = (board if board.count() else page.locator("main")).first.inner_text()
    assert not re.search(r"\b(do|mi|sol|si)\b", text), f"a tone is open at the start: {text!r}"


def check_intention_the_end_is_told_with_the_turns(page: Page, clock: Clock) -> None:
    """Whoever finds all pairs is told so, with the number of turns."""
    turns = _play(page, clock)
    expect(
        page.locator("body"), f"all pairs are found, {turns} turns are not told"
    ).to_contain_text(re.compile(rf"found in {turns} turns|all pairs.*\b{turns}\b", re.I))


def check_dynamic_two_different_cards_are_turned_back(page: Page, clock: Clock) -> None:
    """Two different cards are one turn and are face down again after a second."""
    _cards(page)
    for one, two in ((0, 1), (2, 3), (4, 5), (6, 7)):
        if _turn(page, one) != _turn(page, two):
            clock.run_for(1500)
            for index in (one, two):
                card = page.get_by_role("button", name=re.compile(rf"^Card {index + 1}\b"))
                expect(card, f"card {index + 1} stays open beside another tone").to_have_text("")
            break
    expect(page.locator("body"), "no turn is counted").to_contain_text(
        re.compile(r"Turns:?\s*[1-4]")
    )


def check_dynamic_a_new_game_starts_from_nothing(page: Page) -> None:
    """New game lays all cards face down and counts from 0."""
    _cards(page)
    _turn(page, 0)
    _turn(page, 1)
    page.get_by_role("button", name=re.compile("New game", re.I)).click()
    names = page.get_by_role("button", name=re.compile(r"^Card \d")).all_inner_texts()
    assert not any(name.strip() for name in names), f"cards are open in a new game: {names}"
    expect(page.locator("body"), "the turns are not 0").to_contain_text(re.compile(r"Turns:?\s*0"))
