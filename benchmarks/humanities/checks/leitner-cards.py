"""Checks of leitner-cards: the five boxes, their intervals over simulated days, and storage."""

import re

from playwright.sync_api import Locator, Page, expect

REST = {1: 1, 2: 2, 3: 4, 4: 8, 5: 16}
NOTHING = re.compile(r"nothing due today", re.I)


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name, re.I))


def _field(page: Page, label: str) -> Locator:
    return page.get_by_role("textbox", name=re.compile(rf"^\s*{label}", re.I))


def _add(page: Page, front: str, back: str) -> None:
    _field(page, "front").fill(front)
    _field(page, "back").fill(back)
    _button(page, "add card").click()


def _read(page: Page, name: str) -> int:
    text = page.locator("body").inner_text()
    pattern = name.replace(" ", r"\s*")
    found = re.search(rf"\b{pattern}[ :\u00a0]*\n?[ :]*(\d+)", text, re.I)
    assert found, f'no read-out like "{name}: …" on the page'
    return int(found[1])


def _day(page: Page) -> int:
    found = re.search(r"\bday[ :\u00a0]*(\d+)", page.locator("body").inner_text(), re.I)
    assert found, 'no read-out like "Day 1" on the page'
    return int(found[1])


def _due(page: Page) -> int:
    return _read(page, "Due today")


def _boxes(page: Page) -> list[int]:
    return [_read(page, f"Box {number}") for number in range(1, 6)]


def _grade(page: Page, known: bool) -> None:
    _button(page, "show answer").click()
    _button(page, "i knew it" if known else "i forgot").click()


def _usable(button: Locator) -> bool:
    return any(
        button.nth(i).is_visible() and button.nth(i).is_enabled() for i in range(button.count())
    )


def _walk_to_due(page: Page, box: int) -> None:
    """Go on day by day until the card of this box must be due, watching that it is not before."""
    start = _day(page)
    for passed in range(1, REST[box] + 1):
        _button(page, "next day").press("Enter")  # quicker than a click, for up to 16 days
        if passed < REST[box] - 1:
            continue
        expected = int(passed == REST[box])
        due = _due(page)
        assert due == expected, (
            f"a card put into box {box} on day {start} is due again {REST[box]} days later, "
            f'but on day {start + passed} the app says "Due today: {due}"'
        )


def check_static_fields_and_buttons(page: Page) -> None:
    """Front, Back, Add card, Next day and Start over are there."""
    for label in ("front", "back"):
        expect(_field(page, label), f"no field labelled {label.title()}").to_be_visible()
    for name in ("Add card", "Next day", "Start over"):
        expect(_button(page, name), f"no button {name}").to_be_visible()


def check_static_empty_trainer(page: Page) -> None:
    """The trainer begins empty, on day 1, with nothing due."""
    assert _day(page) == 1, f"the trainer begins on day {_day(page)} instead of day 1"
    assert _due(page) == 0, f"an empty trainer says {_due(page)} cards are due"
    assert _boxes(page) == [0] * 5, f"the boxes are not empty at first: {_boxes(page)}"
    expect(
        page.get_by_text(NOTHING).first, 'an empty trainer does not say "Nothing due today"'
    ).to_be_visible()


def check_intention_known_card_climbs_and_rests_longer(page: Page) -> None:
    """A card known every time climbs to box 5, stays there, and rests 2, 4, 8, 16 days."""
    _add(page, "der Hund", "the dog")
    expect(page.get_by_text("der Hund").first, "the new card does not show").to_be_visible()
    for box in (2, 3, 4, 5):
        _grade(page, known=True)
        boxes = _boxes(page)
        assert boxes == [int(number == box) for number in range(1, 6)], (
            f"a card known {box - 1} times in a row belongs into box {box}, boxes read {boxes}"
        )
        _walk_to_due(page, box)
    _grade(page, known=True)
    boxes = _boxes(page)
    assert boxes == [0, 0, 0, 0, 1], f"a card known in box 5 must stay there, boxes read {boxes}"
    assert _due(page) == 0, "a card just known in box 5 is still due on the same day"


def check_intention_forgotten_card_falls_to_box_1(page: Page) -> None:
    """A card forgotten in box 3 falls straight to box 1 and is due the next day."""
    _add(page, "la mer", "the sea")
    for box in (2, 3):
        _grade(page, known=True)
        _walk_to_due(page, box)
    _grade(page, known=False)
    boxes = _boxes(page)
    assert boxes == [1, 0, 0, 0, 0], (
        f"a card forgotten in box 3 must fall to box 1, but the boxes read {boxes}"
    )
    _walk_to_due(page, 1)


def check_dynamic_back_stays_hidden_until_asked_for(page: Page) -> None:
    """The back is nowhere on the page, and no grading possible, before Show answer."""
    _add(page, "el puente", "the bridge")
    expect(page.get_by_text("el puente").first, "the new card's front is not shown").to_be_visible()
    text = page.locator("body").inner_text()
    assert "the bridge" not in text, "the back is on the page before Show answer was pressed"
    for name in ("i knew it", "i forgot"):
        assert not _usable(_button(page, name)), (
            f'"{name.capitalize()}" can be pressed before the answer was shown'
        )
    _button(page, "show answer").click()
    expect(
        page.get_by_text("the bridge").first, "Show answer does not show the back of the card"
    ).to_be_visible()
    for name in ("i knew it", "i forgot"):
        assert _usable(_button(page, name)), (
            f'"{name.capitalize()}" cannot be pressed after the answer was shown'
        )


def check_dynamic_session_of_three_cards_counts_down(page: Page) -> None:
    """Three cards are asked one by one, and due count and boxes follow the answers."""
    for front, back in (("uno", "one"), ("dos", "two"), ("tres", "three")):
        _add(page, front, back)
    assert _due(page) == 3, f"after adding three cards {_due(page)} are due, not 3"
    assert _boxes(page) == [3, 0, 0, 0, 0], f"three new cards, but boxes read {_boxes(page)}"
    for known, left, boxes in (
        (True, 2, [2, 1, 0, 0, 0]),
        (False, 1, [2, 1, 0, 0, 0]),
        (True, 0, [1, 2, 0, 0, 0]),
    ):
        _grade(page, known)
        assert _due(page) == left, f"{left} cards should be left for today, not {_due(page)}"
        assert _boxes(page) == boxes, f"the boxes should hold {boxes}, but read {_boxes(page)}"
    expect(
        page.get_by_text(NOTHING).first,
        'all cards are answered, but "Nothing due today" does not show',
    ).to_be_visible()
    _button(page, "next day").click()
    assert _due(page) == 1, f"on day 2 only the forgotten card is due, not {_due(page)}"
    _button(page, "next day").click()
    assert _due(page) == 3, f"on day 3 all three cards are due, not {_due(page)}"


def check_dynamic_reload_loses_nothing(page: Page) -> None:
    """Cards, boxes, due days and the day survive reloading the page."""
    _add(page, "casa", "house")
    _grade(page, known=True)
    _add(page, "luna", "moon")
    _button(page, "next day").click()
    page.reload()
    assert _day(page) == 2, f"after reloading on day 2 the app shows day {_day(page)}"
    assert _boxes(page) == [1, 1, 0, 0, 0], (
        f"boxes 1 and 2 held a card each, but after reloading they read {_boxes(page)}"
    )
    assert _due(page) == 1, f"after reloading {_due(page)} cards are due instead of 1"
    _button(page, "next day").click()
    assert _due(page) == 2, (
        f"the reloaded card of box 2 should be due on day 3, but {_due(page)} cards are due, not 2"
    )


def check_dynamic_blank_sides_add_nothing(page: Page) -> None:
    """A card with a blank front or back is not added, and the user is told."""
    for front, back in (("", "alone"), ("alone", ""), ("   ", "  ")):
        before = page.locator("body").inner_text()
        _add(page, front, back)
        boxes = _boxes(page)
        assert boxes == [0] * 5, (
            f"a card with front {front!r} and back {back!r} was added: boxes read {boxes}"
        )
        told = page.locator("body").inner_text() != before
        refused = page.locator(":invalid").count() > 0
        page.reload()
        assert told or refused, (
            f"front {front!r} and back {back!r} were refused without any message"
        )


def check_dynamic_start_over_clears_for_good(page: Page) -> None:
    """Start over removes all cards and returns to day 1, also after reloading."""
    _add(page, "sol", "sun")
    _grade(page, known=True)
    _button(page, "next day").click()
    _button(page, "start over").click()
    for when in ("after Start over", "after Start over and reloading"):
        assert _day(page) == 1, f"{when} the app shows day {_day(page)} instead of day 1"
        assert _boxes(page) == [0] * 5, f"{when} the boxes still read {_boxes(page)}"
        assert _due(page) == 0, f"{when} {_due(page)} cards are still due"
        page.reload()
    _add(page, "mar", "sea")
    assert (_due(page), _boxes(page)[0]) == (1, 1), (
        "after Start over a new card is not due at once in box 1"
    )
