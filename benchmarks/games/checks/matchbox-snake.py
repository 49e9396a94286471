"""Checks of matchbox-snake: a bot fills the whole field by keyboard on a clock it owns."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

COLUMNS, ROWS, STEP = 6, 4, 150
WAYS = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
OPENING = [(1, 2), (2, 2), (3, 2)]  # tail to head

Square = tuple[int, int]

# A round trip through all 24 squares that runs through the opening position to the right.
TRIP: list[Square] = [
    *((column, 2) for column in range(2, 7)),
    *((column, 1) for column in range(6, 0, -1)),
    *((1, row) for row in range(2, 5)),
    *((column, 4) for column in range(2, 7)),
    *((column, 3) for column in range(6, 1, -1)),
]
AFTER = dict(pairwise([*TRIP, TRIP[0]]))


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _pair(text: str, name: str) -> Square | None:
    hit = re.search(rf"\b{name}\W{{0,4}}(\d)\D{{1,4}}(\d)", text, re.I)
    return (int(hit.group(1)), int(hit.group(2))) if hit else None


def _head(page: Page) -> Square:
    head = _pair(_text(page), "head")
    assert head, "the page does not show where the head is, like 'Head: 3, 2'"
    return head


def _length(page: Page) -> int:
    hit = re.search(r"\blength\W{0,4}(\d+)", _text(page), re.I)
    assert hit, "the page does not show 'Length: 3'"
    return int(hit.group(1))


def _shown(page: Page, words: str) -> Locator:
    return page.get_by_text(re.compile(words, re.I)).filter(visible=True)


def _over(page: Page) -> bool:
    return bool(re.search("game over|you win", _text(page), re.I))


class _Game:
    """A running game: steps the clock, reads the screen and keeps the squares of the snake."""

    def __init__(self, page: Page, clock: Clock) -> None:
        self.page, self.clock = page, clock
        self.trail = list(OPENING)
        self.way = "ArrowRight"
        page.keyboard.press("Space")
        self.first_step()

    def first_step(self) -> None:
        """Run to just after the first step, then on to half-way between two steps."""
        for _ in range(STEP // 10 + 3):
            if _head(self.page) != self.trail[-1]:
                break
            self.clock.run_for(10)
        self.read()
        assert self.head != OPENING[-1], "the snake has not moved 180 ms after Space"
        self.clock.run_for(STEP // 2 - 15)

    def read(self) -> None:
        text = _text(self.page)
        head = _pair(text, "head")
        assert head, "the page does not show where the head is, like 'Head: 3, 2'"
        hit = re.search(r"\blength\W{0,4}(\d+)", text, re.I)
        assert hit, "the page does not show 'Length: 3'"
        self.length, self.food = int(hit.group(1)), _pair(text, "food")
        self.over = bool(re.search("game over", text, re.I))
        self.won = bool(re.search("you win", text, re.I))
        if head != self.trail[-1]:
            self.trail.append(head)

    @property
    def head(self) -> Square:
        return self.trail[-1]

    @property
    def body(self) -> list[Square]:
        return self.trail[-self.length :]

    def steer(self, square: Square) -> None:
        """Press the key that leads from the head to a neighbouring square."""
        move = (square[0] - self.head[0], square[1] - self.head[1])
        key = next(name for name, way in WAYS.items() if way == move)
        if key != self.way:
            self.page.keyboard.press(key)
            self.way = key

    def step(self) -> None:
        """Let one step of time pass and read the screen."""
        self.clock.run_for(STEP)
        self.read()

    def go(self, square: Square) -> None:
        """Make one step to a square, waiting a little longer where the app needs it."""
        before, meal, length = self.head, self.food, self.length
        self.steer(square)
        self.step()
        if self.head == before and not (self.over or self.won):
            self.step()
        assert not self.over, (
            f"'Game over' on the way from {before} to {square}, which is a free square; "
            f"the snake lay on {self.trail[-length:]}"
        )
        assert self.head == square, f"steered from {before} to {square}, but came to {self.head}"
        if square == meal and not self.won:
            assert self.food != meal, f"food still lies on {meal} after the snake has eaten it"
        if self.food and not self.won:
            column, row = self.food
            assert 1 <= column <= COLUMNS, f"food lies outside the field at {self.food}"
            assert 1 <= row <= ROWS, f"food lies outside the field at {self.food}"
            assert self.food not in self.body, f"food lies on the snake at {self.food}"

    def grow(self, length: int) -> None:
        """Follow the round trip until the snake is that long; every meal must count once."""
        meals = self.length
        for _ in range(24 * (length - self.length + 1)):
            if self.length >= length or self.won:
                return
            target = AFTER[self.head]
            meals += target == self.food
            self.go(target)
            assert self.length <= meals, f"the snake is {self.length} long after {meals - 3} meals"
        raise AssertionError(
            f"the length is {self.length} although the snake has been over every square "
            f"often enough to be {length} long"
        )


def _bite(body: list[Square]) -> list[Square]:
    """A short way for a snake to run into its own middle, whether it eats on the way or not."""
    ways: list[list[Square]] = [[]]
    for length in range(5):
        longer = []
        for way in ways:
            trail = [*body, *way]
            for right, down in WAYS.values():
                square = (trail[-1][0] + right, trail[-1][1] + down)
                if square in trail[length + 2 : -2]:
                    return [*way, square]
                inside = 1 <= square[0] <= COLUMNS and 1 <= square[1] <= ROWS
                if inside and square not in trail:
                    longer.append([*way, square])
        ways = longer
    return []


def check_static_readouts_fit_the_opening(page: Page) -> None:
    """Length 3, head 3, 2 and a food square off the snake are shown before the start."""
    assert _length(page) == 3, f"the length at the beginning is {_length(page)} instead of 3"
    assert _head(page) == (3, 2), f"the head begins on {_head(page)} instead of (3, 2)"
    for words in ("game over", "you win"):
        assert not re.search(words, _text(page), re.I), f"'{words}' is shown before the start"


def check_static_field_is_drawn(page: Page, clock: Clock) -> None:
    """The page tells about Space, and its picture (not only the numbers) changes with a step."""
    assert re.search(r"\bspace\b", _text(page), re.I), "the page does not tell that Space starts"
    game = _Game(page, clock)
    numbers = page.get_by_text(re.compile("length|head|food", re.I)).filter(visible=True)
    numbers = numbers.filter(has_not=page.locator("canvas, svg, button, h1, p"))
    before = page.screenshot(mask=[numbers], animations="disabled")
    game.step()
    after = page.screenshot(mask=[numbers], animations="disabled")
    assert before != after, "the drawing of the field did not change although the head moved"


def check_intention_one_square_each_150_ms(page: Page, clock: Clock) -> None:
    """The snake makes one step per 150 ms to the right, then dies at the wall and stays."""
    game = _Game(page, clock)
    assert game.head == (4, 2), f"the first step led to {game.head} instead of (4, 2)"
    for column in (5, 6):
        game.step()
        assert game.head == (column, 2), (
            f"{(column - 4) * STEP} ms after the first step the head is on {game.head} "
            f"instead of ({column}, 2)"
        )
    assert not game.over, "'Game over' is shown while the head is still on a free square"
    clock.run_for(2 * STEP)
    expect(_shown(page, "game over").first, "no 'Game over' at the right wall").to_be_visible()
    assert _head(page)[0] <= COLUMNS + 1, f"the head runs on outside the field: {_head(page)}"
    rest = _head(page)
    clock.run_for(1000)
    assert _head(page) == rest, f"after the end the head moves on from {rest} to {_head(page)}"


def check_intention_biting_itself_is_deadly(page: Page, clock: Clock) -> None:
    """A snake of eight squares that turns into its own middle ends the game."""
    game = _Game(page, clock)
    game.grow(8)
    way = _bite(game.body)
    for _ in range(24):
        if way:
            break
        game.go(AFTER[game.head])
        way = _bite(game.body)
    assert way, "the bot found no way to bite the snake"
    for square in way[:-1]:
        game.go(square)
    game.steer(way[-1])
    clock.run_for(2 * STEP)
    assert re.search("game over", _text(page), re.I), (
        f"the head ran into the body at {way[-1]}, but there is no 'Game over'"
    )


def check_intention_filling_the_field_wins(page: Page, clock: Clock) -> None:
    """A bot that fills all 24 squares sees You win, and everything stops there."""
    game = _Game(page, clock)
    game.grow(COLUMNS * ROWS)
    clock.run_for(STEP)
    expect(
        _shown(page, "you win").first,
        f"the snake has filled the field (length {_length(page)}), but 'You win' is not shown",
    ).to_be_visible()
    assert _length(page) == 24, f"the length of the full field is shown as {_length(page)}"
    clock.run_for(1000)
    assert not re.search("game over", _text(page), re.I), (
        "'Game over' appears a moment after the field was filled"
    )
    page.keyboard.press("Space")
    assert (_length(page), _head(page)) in {(3, (3, 2)), (3, (4, 2))}, (
        f"Space after the win shows length {_length(page)} and head {_head(page)} "
        "instead of the opening position"
    )


def check_dynamic_restart_has_same_place_and_pace(page: Page, clock: Clock) -> None:
    """Two more games after a crash begin in the same position, to the right, at the same pace."""
    game = _Game(page, clock)
    game.go((4, 1))
    clock.run_for(2 * STEP)
    assert _over(page), "no 'Game over' at the upper wall"
    for number in (2, 3):
        game = _Game(page, clock)
        assert game.length == 3, f"game {number} begins with length {game.length} instead of 3"
        assert game.head == (4, 2), (
            f"the first step of game {number} led to {game.head} instead of (4, 2)"
        )
        assert not game.over, f"'Game over' stays on the screen in game {number}"
        game.step()
        assert game.head == (5, 2), (
            f"in game {number} the head came from (4, 2) to {game.head} in one step of 150 ms: "
            "the pace or the direction is not that of the first game"
        )
        clock.run_for(3 * STEP)
        assert _over(page), f"no 'Game over' at the right wall in game {number}"


def check_dynamic_no_turn_into_the_neck(page: Page, clock: Clock) -> None:
    """Neither a straight reversal nor two quick presses within a step turn the snake round."""
    game = _Game(page, clock)
    page.keyboard.press("ArrowLeft")
    game.step()
    assert game.head == (5, 2), f"pressing Left while going right led to {game.head}"
    assert not game.over, "pressing Left while going right killed the snake"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    game.step()
    assert not game.over, "Down and Left pressed within one step turned the snake into its neck"
    assert game.head == (5, 3), (
        f"Down and Left pressed within one step led from (5, 2) to {game.head}, not to (5, 3)"
    )


def check_dynamic_pause_holds_and_goes_on(page: Page, clock: Clock) -> None:
    """P stops the snake and shows Paused; P again lets it go on where it was."""
    game = _Game(page, clock)
    page.keyboard.press("p")
    expect(_shown(page, r"\bpaused\b").first, "'Paused' is not shown after P").to_be_visible()
    clock.run_for(1000)
    assert _head(page) == (4, 2), f"the paused snake moved from (4, 2) to {_head(page)}"
    page.keyboard.press("p")
    clock.run_for(STEP + 20)
    game.read()
    assert game.head == (5, 2), f"after the pause the head came to {game.head} instead of (5, 2)"
    expect(_shown(page, r"\bpaused\b"), "'Paused' stays after going on").to_have_count(0)


def check_dynamic_letters_steer_and_nothing_moves_before_space(page: Page, clock: Clock) -> None:
    """Before Space all stands still; then S, A, W and D steer like the arrow keys."""
    page.keyboard.press("ArrowDown")
    clock.run_for(600)
    assert _head(page) == (3, 2), f"before Space the head moved to {_head(page)}"
    game = _Game(page, clock)
    column, row = game.head
    assert (column, row) == (4, 2), f"the first step led to {game.head} instead of (4, 2)"
    ways = [("s", (4, 3)), ("a", (3, 3)), ("s", (3, 4)), ("d", (4, 4)), ("", (5, 4)), ("w", (5, 3))]
    for key, square in ways:
        if key:
            page.keyboard.press(key)
        game.step()
        assert game.head == square, f"key {key or 'd'} led to {game.head} instead of {square}"
