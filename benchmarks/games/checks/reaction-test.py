"""Checks of reaction-test: whole rounds are played on a clock that the checks own."""

from __future__ import annotations

import re
import struct
import zlib
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

STEP = 100  # ms between two looks at the button


def _big(page: Page) -> Locator:
    """The largest button on the page."""
    buttons = page.get_by_role("button")
    areas = buttons.evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect(); return b.width * b.height })"
    )
    assert areas, "there is no button on the page"
    return buttons.nth(areas.index(max(areas)))


def _says(page: Page) -> str:
    return " ".join(_big(page).inner_text().split())


def _is_go(words: str) -> bool:
    return bool(re.search(r"\bgo\b", words, re.I))


def _is_wait(words: str) -> bool:
    return bool(re.search(r"\bwait\b", words, re.I))


def _press(page: Page) -> None:
    """Press the large button; one that is greyed out is left alone."""
    button = _big(page)
    if button.is_enabled():
        button.click()


def _until_go(page: Page, clock: Clock) -> int:
    """Run the time from the beginning of a wait to Go! and return the pause in ms."""
    assert _is_wait(_says(page)), f"the button says '{_says(page)}' instead of 'Wait'"
    clock.run_for(1950)
    assert _is_wait(_says(page)), (
        f"under 2 seconds into the wait the button already says '{_says(page)}'"
    )
    button = _big(page)
    for pause in range(1950, 5100, STEP):
        if _is_go(button.inner_text()):
            return pause
        clock.run_for(STEP)
    raise AssertionError(f"no 'Go!' within 5 seconds of waiting; it says '{_says(page)}'")


def _try(page: Page, clock: Clock, reaction: int) -> tuple[int, int]:
    """One whole try from the press that begins the wait: the pause and the time shown."""
    _press(page)
    pause = _until_go(page, clock)
    clock.run_for(reaction)
    _press(page)
    shown = re.search(r"(\d+)\s*ms", _says(page), re.I)
    assert shown, f"after a press at Go! the button says '{_says(page)}' instead of a time in ms"
    got = int(shown.group(1))
    assert reaction - 20 <= got <= reaction + STEP + 20, (
        f"a press {reaction} to {reaction + STEP} ms after Go! was shown as {got} ms"
    )
    return pause, got


def _listed(page: Page) -> list[int]:
    text = page.locator("body").inner_text()
    found = re.findall(r"\btry\s*(\d)\s*:?\s*(\d+)\s*ms", text, re.I)
    numbers = [int(number) for number, _ in found]
    assert numbers == list(range(1, len(numbers) + 1)), (
        f"the tries are listed with the numbers {numbers}"
    )
    return [int(ms) for _, ms in found]


def _summary(page: Page, name: str) -> int | None:
    text = page.locator("body").inner_text()
    hit = re.search(rf"\b{name}\s*:?\s*(\d+)\s*ms", text, re.I)
    return int(hit.group(1)) if hit else None


def _reset(page: Page) -> None:
    page.get_by_role("button", name=re.compile(r"\breset\b", re.I)).first.click()


def _colour(page: Page) -> tuple[int, int, int]:
    """The colour of the large button near its upper edge, from a small screenshot."""
    box = _big(page).bounding_box()
    assert box, "the large button cannot be seen"
    spot = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] * 0.14)}
    png = page.screenshot(clip={**spot, "width": 1, "height": 1}, animations="disabled")
    at, data = 8, b""
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    red, green, blue = zlib.decompress(data)[1:4]  # one pixel: every PNG filter leaves it alone
    return red, green, blue


def check_static_large_start_button_and_reset(page: Page) -> None:
    """The largest button says Start and is very large; there is a Reset and no result yet."""
    assert re.search(r"\bstart\b", _says(page), re.I), (
        f"the largest button says '{_says(page)}' instead of 'Start'"
    )
    box = _big(page).bounding_box()
    assert box, "the large button cannot be seen"
    assert box["width"] * box["height"] >= 30000, (
        f"the largest button is only {box['width']:.0f} by {box['height']:.0f} pixels"
    )
    reset = page.get_by_role("button", name=re.compile(r"\breset\b", re.I))
    expect(reset.first, "no button named Reset").to_be_visible()
    for name in ("average", "best"):
        assert _summary(page, name) is None, f"'{name}' shows a time before anything was tried"


def check_static_red_while_waiting_green_at_go(page: Page, clock: Clock) -> None:
    """The large button is red at Wait and green at Go!."""
    _press(page)
    clock.run_for(100)
    red, green, blue = _colour(page)
    assert red > green + 40, f"the button is not red at 'Wait': rgb({red}, {green}, {blue})"
    assert red > blue + 40, f"the button is not red at 'Wait': rgb({red}, {green}, {blue})"
    _until_go(page, clock)
    red, green, blue = _colour(page)
    assert green > red + 20, f"the button is not green at 'Go!': rgb({red}, {green}, {blue})"
    assert green > blue, f"the button is not green at 'Go!': rgb({red}, {green}, {blue})"


def check_intention_time_is_from_go_to_press(page: Page, clock: Clock) -> None:
    """A quick and a slow reaction are each shown with their own time."""
    _, quick = _try(page, clock, 180)
    _, slow = _try(page, clock, 720)
    assert _listed(page) == [quick, slow], (
        f"times of {quick} and {slow} ms were shown, but the list has {_listed(page)}"
    )


def check_intention_false_start_cancels_the_signal(page: Page, clock: Clock) -> None:
    """A press during the wait shows Too soon, and nothing turns green until the next press."""
    _press(page)
    clock.run_for(700)
    _press(page)
    assert re.search("too soon", _says(page), re.I), (
        f"a press during the wait made the button say '{_says(page)}' instead of 'Too soon'"
    )
    for second in range(1, 7):
        clock.run_for(1000)
        assert not _is_go(_says(page)), (
            f"{second} s after a false start the button turned to '{_says(page)}' by itself"
        )
    assert not _listed(page), "a false start is listed as a counted try"
    _, got = _try(page, clock, 250)
    assert _listed(page) == [got], (
        f"after a false start and one good try of {got} ms the list has {_listed(page)}"
    )


def check_dynamic_round_of_five_with_average_and_best(page: Page, clock: Clock) -> None:
    """Five tries are listed, averaged and closed; their pauses are random from 2 to 5 s."""
    pauses, times = [], []
    for reaction in (310, 240, 400, 205, 350):
        assert _summary(page, "average") is None, (
            f"an average is shown after only {len(times)} counted tries"
        )
        pause, got = _try(page, clock, reaction)
        pauses.append(pause)
        times.append(got)
    assert len(set(pauses)) > 1, f"all five pauses were the same: {pauses[0]} ms"
    assert _listed(page) == times, f"times shown were {times}, but the list has {_listed(page)}"
    average, best = _summary(page, "average"), _summary(page, "best")
    assert average is not None, "no 'Average: ... ms' after five counted tries"
    assert abs(average - sum(times) / 5) <= 1, (
        f"the average of {times} is shown as {average} ms instead of {sum(times) / 5:.0f} ms"
    )
    assert best == min(times), f"the best of {times} is shown as {best} ms"
    before = _says(page)
    _press(page)
    page.keyboard.press("Space")
    clock.run_for(5200)
    assert _says(page) == before, (
        f"after the fifth try the large button still reacts: it says '{_says(page)}'"
    )
    assert _listed(page) == times, "the list changed although the round was over"
    _reset(page)
    assert re.search(r"\bstart\b", _says(page), re.I), (
        f"after Reset at the end the button says '{_says(page)}' instead of 'Start'"
    )
    left = [_summary(page, "average"), _summary(page, "best"), *_listed(page)]
    assert left == [None, None], f"Reset left results on the page: {left}"


def check_dynamic_reset_stops_a_running_wait(page: Page, clock: Clock) -> None:
    """Reset during the wait goes back to Start for good, and numbering begins at 1 again."""
    _try(page, clock, 200)
    _press(page)
    clock.run_for(800)
    _reset(page)
    for _ in range(6):
        assert re.search(r"\bstart\b", _says(page), re.I), (
            f"after Reset during a wait the button says '{_says(page)}' instead of 'Start'"
        )
        clock.run_for(1000)
    assert not _listed(page), f"Reset left times in the list: {_listed(page)}"
    _, got = _try(page, clock, 260)
    assert _listed(page) == [got], f"the first try after Reset is listed as {_listed(page)}"


def check_dynamic_space_bar_is_one_press(page: Page, clock: Clock) -> None:
    """Space begins a wait, gives a false start exactly once with the button focused, and stops."""
    page.keyboard.press("Space")
    assert _is_wait(_says(page)), (
        f"Space at Start made the button say '{_says(page)}' instead of 'Wait'"
    )
    _press(page)  # a false start by mouse, which also puts the focus on the button
    _press(page)
    clock.run_for(300)
    page.keyboard.press("Space")
    assert re.search("too soon", _says(page), re.I), (
        f"Space during the wait made the button say '{_says(page)}' instead of 'Too soon'"
    )
    page.keyboard.press("Space")
    _until_go(page, clock)
    clock.run_for(230)
    page.keyboard.press("Space")
    assert re.search(r"\d+\s*ms", _says(page), re.I), (
        f"Space at Go! made the button say '{_says(page)}' instead of a time"
    )
    assert len(_listed(page)) == 1, f"one try by space bar is listed as {_listed(page)}"
