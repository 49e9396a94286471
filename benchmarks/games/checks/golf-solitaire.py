"""Checks of golf-solitaire: deals are read, solved by search, and played to win and to loss."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
SUITS = ["spades", "hearts", "clubs", "diamonds"]
CARD = rf"({'|'.join(RANKS)}) of ({'|'.join(SUITS)})"
DECK = {f"{rank} of {suit}" for rank in RANKS for suit in SUITS}


class _State(NamedTuple):
    waste: str
    stock: int
    left: int


def _text(page: Page) -> str:
    return page.locator("body").inner_text().lower()


def _parse(text: str) -> _State:
    waste = re.search(rf"\bwaste\W{{0,6}}{CARD}", text)
    stock = re.search(r"\bstock\W{0,4}(\d+)", text)
    left = re.search(r"\bcards left\W{0,4}(\d+)", text)
    assert waste, "the page does not show the waste card in words, like 'Waste: 7 of hearts'"
    assert stock, "the page does not show 'Stock: 16'"
    assert left, "the page does not show 'Cards left: 35'"
    return _State(f"{waste[1]} of {waste[2]}", int(stock[1]), int(left[1]))


def _state(page: Page) -> _State:
    return _parse(_text(page))


def _column(page: Page, index: int) -> Locator:
    return page.get_by_label(re.compile(rf"^\W*column {index + 1}\b", re.I)).first


def _columns(page: Page) -> list[list[str]]:
    """The cards of the seven columns by the names of their buttons, the last one in front."""
    columns = []
    for index in range(7):
        expect(_column(page, index), f"nothing is labelled 'Column {index + 1}'").to_be_attached()
        tree = _column(page, index).aria_snapshot().lower()
        columns.append([f"{r} of {s}" for r, s in re.findall(rf'button "\W*{CARD}', tree)])
    return columns


def _card(page: Page, index: int, card: str) -> Locator:
    name = re.compile(rf"^\W*{card}\b", re.I)
    return _column(page, index).get_by_role("button", name=name).first


def _press_card(page: Page, index: int, card: str) -> None:
    """Press a card; one that is greyed out is left alone."""
    button = _card(page, index, card)
    if button.is_enabled():
        button.dispatch_event("click")


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^\W*{name}\b", re.I)).first


def _press(page: Page, name: str) -> None:
    """Press a button; one that is greyed out is left alone."""
    if _button(page, name).is_enabled():
        _button(page, name).dispatch_event("click")


def _rank(card: str) -> int:
    return RANKS.index(card.split()[0])


def _fits(card: str, waste: str) -> bool:
    return (_rank(card) - _rank(waste)) % 13 in (1, 12)


def _playable(columns: list[list[str]], waste: str) -> list[int]:
    return [i for i, column in enumerate(columns) if column and _fits(column[-1], waste)]


def _draw_all(page: Page) -> list[str]:
    """Turn the whole stock without playing and return its cards in order."""
    drawn = []
    for number in range(1, 17):
        text = _text(page)
        assert "no moves left" not in text, (
            f"'No moves left' is shown although the stock still has {17 - number} cards"
        )
        before = _parse(text)
        _press(page, "draw")
        after = _state(page)
        assert after.stock == before.stock - 1, (
            f"Draw number {number} changed the stock from {before.stock} to {after.stock}"
        )
        assert after.left == before.left, f"Draw number {number} took a card from the columns"
        drawn.append(after.waste)
    return drawn


def _solve(columns: list[list[str]], waste: str, stock: list[str]) -> list[int | None] | None:
    """Columns to play in order (None for a draw) that clear the table, or None if none found."""
    ranks = [[_rank(card) for card in column] for column in columns]
    turned = [_rank(card) for card in stock]
    dead: set[tuple[tuple[int, ...], int, int]] = set()

    def search(heights: tuple[int, ...], drawn: int, top: int) -> list[int | None] | None:
        if not any(heights):
            return []
        key = (heights, drawn, top)
        if key in dead or len(dead) > 150_000:
            return None
        for index in sorted(range(7), key=lambda i: -heights[i]):
            height = heights[index]
            if height and (ranks[index][height - 1] - top) % 13 in (1, 12):
                lower = (*heights[:index], height - 1, *heights[index + 1 :])
                rest = search(lower, drawn, ranks[index][height - 1])
                if rest is not None:
                    return [index, *rest]
        if drawn < len(turned):
            rest = search(heights, drawn + 1, turned[drawn])
            if rest is not None:
                return [None, *rest]
        dead.add(key)
        return None

    return search(tuple(len(column) for column in columns), 0, _rank(waste))


def check_static_deal_is_one_deck(page: Page) -> None:
    """Seven columns of five named cards and the waste card are 36 different cards of one deck."""
    columns, state = _columns(page), _state(page)
    sizes = [len(column) for column in columns]
    assert sizes == [5] * 7, f"the seven columns hold {sizes} named cards instead of five each"
    seen = [card for column in columns for card in column] + [state.waste]
    double = sorted({card for card in seen if seen.count(card) > 1})
    assert not double, f"these cards were dealt more than once: {', '.join(double)}"
    assert (state.stock, state.left) == (16, 35), (
        f"a new deal shows 'Stock: {state.stock}' and 'Cards left: {state.left}' instead of 16, 35"
    )


def check_static_buttons_and_no_verdict_yet(page: Page) -> None:
    """Draw, Undo, Restart deal and New deal are there, and the game is neither won nor lost."""
    for name in ("Draw", "Undo", "Restart deal", "New deal"):
        expect(_button(page, name), f"no button named {name}").to_be_visible()
    for words in ("you win", "no moves left"):
        shown = page.get_by_text(re.compile(words, re.I)).filter(visible=True)
        expect(shown, f"'{words}' is shown on a fresh deal").to_have_count(0)


def check_intention_lost_only_when_nothing_is_left(page: Page) -> None:
    """No moves left comes exactly when the stock is empty and no card fits; Undo takes it back."""
    columns, first = _columns(page), _state(page).waste
    drawn = _draw_all(page)
    cards = [card for column in columns for card in column] + [first, *drawn]
    assert set(cards) == DECK, (
        f"columns, waste and stock do not make up one deck; missing: {sorted(DECK - set(cards))}"
    )
    waste, left = drawn[-1], 35
    while fitting := _playable(columns, waste):
        assert "no moves left" not in _text(page), (
            f"'No moves left' is shown although the {columns[fitting[0]][-1]} fits the {waste}"
        )
        waste, left = columns[fitting[0]].pop(), left - 1
        _press_card(page, fitting[0], waste)
        assert _state(page) == (waste, 0, left), f"the {waste} could not be played to the waste"
    assert "no moves left" in _text(page), (
        f"the stock is empty and no card fits the {waste}, but 'No moves left' is not shown"
    )
    _press(page, "draw")
    assert _state(page) == (waste, 0, left), "Draw with an empty stock changed something"
    _press(page, "undo")
    assert "no moves left" not in _text(page), "'No moves left' stays after Undo"
    assert _state(page) != (waste, 0, left), "Undo does nothing after the end"


def check_intention_a_solved_deal_wins(page: Page) -> None:
    """A deal that can be cleared, played by a computed solution, ends with You win."""
    for _ in range(6):
        columns, waste = _columns(page), _state(page).waste
        stock = _draw_all(page)
        way = _solve(columns, waste, stock)
        if way:
            break
        _press(page, "new deal")
    else:
        raise AssertionError("none of six deals could be solved by the bot")
    _press(page, "restart deal")
    assert _columns(page) == columns, "Restart deal did not lay out the same columns again"
    for number, index in enumerate(way):
        if number % 8 == 0:
            text = _text(page)
            for words in ("you win", "no moves left"):
                assert words not in text, f"'{words}' is shown in mid-game"
        if index is None:
            _press(page, "draw")
            waste, stock = stock[0], stock[1:]
        else:
            waste = columns[index].pop()
            _press_card(page, index, waste)
    left = sum(len(column) for column in columns)
    assert _state(page) == (waste, len(stock), left), (
        f"after a legal way to clear the columns the page shows {_state(page)}"
    )
    assert "you win" in _text(page), "all columns are empty, but 'You win' is not shown"
    assert "no moves left" not in _text(page), "'No moves left' is shown on a won game"
    _press(page, "undo")
    assert "you win" not in _text(page), "'You win' stays after Undo"
    assert _state(page).left == 1, f"Undo after the win left {_state(page).left} cards, not 1"


def check_intention_rank_neighbours_only(page: Page) -> None:
    """In several positions exactly the cards one rank off go, King on Ace and Ace on King too."""
    ring: set[tuple[int, int]] = set()  # card and waste, King on Ace and Ace on King
    for deal in range(6):
        columns = _columns(page)
        for _ in range(17):
            state = _state(page)
            tops = [column[-1] for column in columns]
            pairs = {(_rank(top), _rank(state.waste)) for top in tops}
            new = pairs & {(0, 12), (12, 0)} - ring
            if (deal == 0 and state.stock > 13) or new:
                ring |= new
                for index, top in enumerate(tops):
                    _press_card(page, index, top)
                    moved = _state(page) != state
                    assert moved == _fits(top, state.waste), (
                        f"the {top} {'went' if moved else 'did not go'} to the waste on the "
                        f"{state.waste}"
                    )
                    if moved:
                        assert _state(page) == (top, state.stock, 34), (
                            f"after playing the {top} the page shows {_state(page)}"
                        )
                        _press(page, "undo")
                        assert _state(page) == state, f"Undo did not take back the {top}"
            if (len(ring) == 2 and (deal or state.stock <= 13)) or state.stock == 0:
                break
            _press(page, "draw")
        if len(ring) == 2:
            return
        _press(page, "new deal")


def check_dynamic_undo_back_to_the_deal(page: Page) -> None:
    """Undo takes back plays and draws one by one, as far as the deal and no further."""
    columns = start = _columns(page)
    columns = [list(column) for column in columns]
    states = [_state(page)]
    for _ in range(9):
        fitting = _playable(columns, states[-1].waste)
        if fitting:
            card = columns[fitting[-1]].pop()
            _press_card(page, fitting[-1], card)
            step = f"pressing the {card} on the {states[-1].waste}"
        else:
            _press(page, "draw")
            step = "Draw"
        states.append(_state(page))
        assert states[-1] != states[-2], f"a legal step changed nothing: {step}"
    for number in range(len(states) - 2, -1, -1):
        _press(page, "undo")
        assert _state(page) == states[number], (
            f"Undo led to {tuple(_state(page))} instead of {tuple(states[number])} (waste card, "
            "stock, cards left)"
        )
    _press(page, "undo")
    assert _state(page) == states[0], "Undo on the fresh deal changed something"
    assert _columns(page) == start, "undoing everything did not bring the columns of the deal back"


def check_dynamic_restart_and_new_deal(page: Page) -> None:
    """Restart deal brings the same cards and stock order back; New deal brings others."""
    columns, state = _columns(page), _state(page)
    drawn = []
    for _ in range(4):
        _press(page, "draw")
        drawn.append(_state(page).waste)
        for index in _playable(columns, drawn[-1])[:1]:
            _press_card(page, index, columns[index][-1])
            _press(page, "undo")
    _press(page, "restart deal")
    assert _state(page) == state, (
        f"Restart deal shows {tuple(_state(page))} instead of {tuple(state)} (waste card, stock, "
        "cards left)"
    )
    assert _columns(page) == columns, "Restart deal did not lay out the same columns again"
    again = []
    for _ in range(4):
        _press(page, "draw")
        again.append(_state(page).waste)
    assert again == drawn, f"after Restart deal the stock gave {again} instead of {drawn}"
    _press(page, "new deal")
    fresh = _state(page)
    assert (fresh.stock, fresh.left) == (16, 35), (
        f"New deal shows 'Stock: {fresh.stock}' and 'Cards left: {fresh.left}' instead of 16, 35"
    )
    assert _columns(page) != columns, "New deal laid out the same columns again"
    _press(page, "undo")
    assert _state(page) == fresh, "Undo reaches back behind a new deal"
    _press(page, "draw")
    after = _state(page)
    assert (after.stock, after.left) == (15, 35), (
        f"Undo on a new deal spoiled it: the first Draw leads to 'Stock: {after.stock}' and "
        f"'Cards left: {after.left}' instead of 15, 35"
    )
    assert after.waste != fresh.waste, (
        f"Undo on a new deal spoiled it: the first Draw turns up the {after.waste} again, which "
        "already lay on the waste"
    )


def check_dynamic_covered_cards_stay(page: Page) -> None:
    """Pressing covered cards changes nothing, even those whose rank would fit."""
    columns = _columns(page)
    tried = 0
    for _ in range(17):
        state = _state(page)
        for index, column in enumerate(columns):
            for card in [c for c in column[:-1] if _fits(c, state.waste)]:
                _press_card(page, index, card)
                tried += 1
                assert _state(page) == state, (
                    f"the {card}, covered in column {index + 1}, went to the waste"
                )
        if tried >= 8 or state.stock == 0:
            break
        _press(page, "draw")
    assert _columns(page) == columns, "pressing covered cards changed the columns"
