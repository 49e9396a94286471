"""Checks of till-trainer: whole days at the till are played with change computed in cents."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Locator, Page, expect

PIECES = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1]


def _piece(page: Page, cents: int) -> Locator:
    if cents >= 100:
        name = re.compile(rf"€\s*{cents // 100}(?![\d.,]*\d)")
    else:
        name = re.compile(rf"(?<!\d){cents}\s*c", re.I)
    return page.get_by_role("button", name=name).first


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name, re.I)).first


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _cents(page: Page, name: str) -> int:
    hit = re.search(rf"\b{name}\s*:?\s*€\s*(\d+)[.,](\d\d)\b", _text(page), re.I)
    assert hit, f"the page does not show an amount like '{name}: €3.47'"
    return int(hit.group(1)) * 100 + int(hit.group(2))


def _points(page: Page) -> int:
    hit = re.search(r"\bpoints\s*:?\s*(\d+)", _text(page), re.I)
    assert hit, "the page does not show 'Points: 0'"
    return int(hit.group(1))


def _customer(page: Page) -> int | None:
    hit = re.search(r"\bcustomer\s*:?\s*(\d+) of 10\b", _text(page), re.I)
    return int(hit.group(1)) if hit else None


def _final(page: Page) -> int | None:
    hit = re.search(r"final score\s*:?\s*(\d+) of 20\b", _text(page), re.I)
    return int(hit.group(1)) if hit else None


def _euros(cents: int) -> str:
    return f"€{cents / 100:.2f}"


def _split(cents: int, pieces: list[int] | None = None) -> list[int]:
    """The amount in the given pieces, the largest first; with all pieces that is the fewest."""
    out = []
    for piece in pieces or PIECES:
        count, cents = divmod(cents, piece)
        out += [piece] * count
    return out


def _give(page: Page, pieces: list[int]) -> None:
    for cents, count in Counter(pieces).items():
        button = _piece(page, cents)
        for _ in range(count):
            button.dispatch_event("click")


def _change(page: Page) -> int:
    price, paid = _cents(page, "price"), _cents(page, "paid")
    assert 50 <= price <= 1950, f"a price of {_euros(price)} is outside €0.50 to €19.50"
    want = next(note for note in (500, 1000, 2000) if note > price)
    assert paid == want, (
        f"for a price of {_euros(price)} the customer paid {_euros(paid)} instead of {_euros(want)}"
    )
    return paid - price


def _hand_over(page: Page, pieces: list[int], points: int, what: str) -> None:
    """Give pieces that make the right change; they must be accepted and earn the points."""
    number, before, change = _customer(page), _points(page), _change(page)
    _give(page, pieces)
    given = _cents(page, "given")
    assert given == change, (
        f"{len(pieces)} pieces worth {_euros(change)} are shown as 'Given: {_euros(given)}'"
    )
    _button(page, "hand over").click()
    final = _final(page)
    assert _customer(page) != number or final is not None, (
        f"the right change of {_euros(change)} ({what}) was not accepted from customer {number}"
    )
    if final is not None:
        return  # the last customer: the final score is checked by the caller
    earned = _points(page) - before
    assert earned == points, (
        f"the right change of {_euros(change)} in {len(pieces)} pieces ({what}) earned {earned} "
        f"points instead of {points}"
    )


def check_static_ten_pieces_and_buttons(page: Page) -> None:
    """There are buttons for two notes and eight coins, Take back and Hand over."""
    names = set()
    for cents in PIECES:
        label = f"€{cents // 100}" if cents >= 100 else f"{cents}c"
        expect(_piece(page, cents), f"no button named {label}").to_be_visible()
        names.add(_piece(page, cents).evaluate("e => e.outerHTML"))
    assert len(names) == 10, f"only {len(names)} different buttons for the ten coins and notes"
    for name in ("Take back", "Hand over"):
        expect(_button(page, name), f"no button named {name}").to_be_visible()


def check_static_readouts_at_start(page: Page) -> None:
    """Customer 1 of 10, a price, what was paid, nothing given and no points are shown."""
    assert _customer(page) == 1, "the page does not show 'Customer 1 of 10' at the beginning"
    _change(page)
    given, points = _cents(page, "given"), _points(page)
    assert given == 0, f"a new game shows 'Given: {_euros(given)}' instead of €0.00"
    assert points == 0, f"a new game shows {points} points instead of 0"
    assert _final(page) is None, "a final score is shown before the game was played"


def check_intention_perfect_day_scores_twenty(page: Page) -> None:
    """Ten customers with the right change in the fewest pieces give exactly 20 of 20."""
    prices = []
    for number in range(1, 11):
        assert _customer(page) == number, (
            f"customer {_customer(page)} of 10 is shown instead of customer {number}"
        )
        assert _final(page) is None, f"the final score is shown before customer {number}"
        prices.append(_cents(page, "price"))
        given = _cents(page, "given")
        assert given == 0, f"customer {number} begins with {_euros(given)} given"
        _hand_over(page, _split(_change(page)), 2, "the fewest possible")
    assert len(set(prices)) > 1, f"all ten customers had the same price: {_euros(prices[0])}"
    assert _final(page) == 20, (
        "ten perfect customers, but 'Final score: 20 of 20' is not shown; "
        f"final score found: {_final(page)}"
    )


def check_intention_more_pieces_earn_one_point(page: Page) -> None:
    """The right change in many small coins is accepted to the cent and earns one point."""
    for pieces in ([100, 10, 1], [200, 20, 2, 1], [500, 5, 1]):
        change = _change(page)
        clumsy = _split(change, pieces)
        points = 2 if len(clumsy) == len(_split(change)) else 1
        _hand_over(page, clumsy, points, "small coins")


def check_intention_wrong_sums_are_told_apart(page: Page) -> None:
    """A cent short is too little, a cent over too much; then the right sum earns one point."""
    change = _change(page)
    _give(page, _split(change - 1))
    told = {what: len(re.findall(what, _text(page), re.I)) for what in ("too little", "too much")}
    for what, other, given in (
        ("too little", "too much", change - 1),
        ("too much", "too little", change + 1),
    ):
        _button(page, "hand over").click()
        text = _text(page)
        assert len(re.findall(what, text, re.I)) > told[what], (
            f"{_euros(given)} given for {_euros(change)} of change: '{what}' is not shown"
        )
        assert len(re.findall(other, text, re.I)) <= told[other], (
            f"{_euros(given)} given for {_euros(change)} of change: '{other}' is shown"
        )
        assert _customer(page) == 1, "the customer left with the wrong change"
        assert _cents(page, "given") == given, (
            f"after a wrong try 'Given' shows {_euros(_cents(page, 'given'))} "
            f"instead of {_euros(given)}"
        )
        assert _points(page) == 0, f"a wrong sum earned {_points(page)} points"
        if what == "too little":
            _give(page, [1, 1])
    _button(page, "take back").click()
    _hand_over(page, [], 1, "after two wrong tries")
    _hand_over(page, _split(_change(page)), 2, "the fewest possible, next customer")


def check_dynamic_take_back_removes_the_last_piece(page: Page) -> None:
    """Take back removes the piece given last, one at a time, and does nothing on an empty tray."""
    pieces = [200, 5, 1000, 20, 1]
    _give(page, pieces)
    for left in range(5, -1, -1):
        want, given = sum(pieces[:left]), _cents(page, "given")
        assert given == want, (
            f"after €2, 5c, €10, 20c, 1c and {5 - left} times Take back 'Given' shows "
            f"{_euros(given)} instead of {_euros(want)}"
        )
        if _button(page, "take back").is_enabled():
            _button(page, "take back").click()
    given = _cents(page, "given")
    assert given == 0, f"Take back on an empty tray made 'Given' {_euros(given)}"
    _hand_over(page, _split(_change(page)), 2, "after taking everything back")


def check_dynamic_till_closes_and_plays_again(page: Page) -> None:
    """After ten customers the till is closed; Play again begins a new day, from zero."""
    for number in range(1, 11):
        change = _change(page)
        if number == 3:
            _button(page, "hand over").click()  # nothing given: too little
        what = "after a wrong try" if number == 3 else "the fewest possible"
        _hand_over(page, _split(change), 1 if number == 3 else 2, f"{what}, customer {number}")
    assert _final(page) == 19, (
        f"nine perfect customers and one with a wrong try make 19 points, "
        f"but the final score shown is {_final(page)}"
    )
    if _button(page, "hand over").is_visible() and _button(page, "hand over").is_enabled():
        _button(page, "hand over").click()
    assert _final(page) == 19, "Hand over after the last customer changed the final score"
    _button(page, "play again").click()
    start = (_customer(page), _points(page), _cents(page, "given"))
    assert start == (1, 0, 0), (
        f"Play again shows customer {start[0]}, {start[1]} points and "
        f"{_euros(start[2])} given instead of 1, 0 and €0.00"
    )
    assert _final(page) is None, "the final score stays on the page after Play again"
    _hand_over(page, _split(_change(page)), 2, "first customer after Play again")
    assert _customer(page) == 2, "the second customer does not come after Play again"
