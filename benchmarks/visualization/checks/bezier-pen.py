"""Checks of bezier-pen: handles moved by drag and by key, against the cubic Bézier formula."""

from __future__ import annotations

import math
import re

from playwright.sync_api import Locator, Page, expect

START = ((50, 250), (150, 50), (350, 50), (450, 250))
NAMES = ("Start", "Control 1", "Control 2", "End")
Points = tuple[tuple[float, float], ...]


def _on_curve(points: Points, t: float) -> tuple[float, float]:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


def _length(points: Points) -> float:
    dots = [_on_curve(points, i / 2000) for i in range(2001)]
    return sum(math.dist(dots[i], dots[i + 1]) for i in range(2000))


def _handle(page: Page, name: str) -> Locator:
    pattern = re.compile(rf"^\s*{name}\b", re.I)
    drawing = page.locator("svg")
    titled = drawing.locator("[tabindex]:has(> title)").filter(has_text=pattern)
    found = drawing.get_by_label(pattern).or_(titled)
    for role in ("button", "slider", "img"):
        found = found.or_(drawing.get_by_role(role, name=pattern))
    expect(found.first, f'no handle announced as "{name}" in the drawing').to_be_visible()
    return found.first


def _centre(page: Page, name: str) -> tuple[float, float]:
    handle = _handle(page, name)
    # A handle may be a group that holds its name in letters too: the round part is what counts.
    inside = handle.locator("circle, ellipse")
    box = (inside.first if inside.count() else handle).bounding_box()
    assert box, f"the handle {name} is not drawn"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _path(page: Page) -> Points:
    number = r"(-?\d+)[\s,]+"
    found = re.search(rf"M\s*{number}(-?\d+)[\s,]*C\s*{number * 5}(-?\d+)", _text(page))
    assert found, 'no text like "Path: M 50 250 C 150 50, 350 50, 450 250" in whole numbers'
    numbers = [int(text) for text in found.groups()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _assert_path(page: Page, points: Points, when: str, slack: float = 0) -> None:
    shown = _path(page)
    off = max(math.dist(a, b) for a, b in zip(shown, points, strict=True))
    assert off <= slack, f"{when} the handles should be at {points}, but the path says {shown}"


def _slider(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile(r"^\s*t\b", re.I)).first


def _point(page: Page) -> tuple[float, float]:
    found = re.search(r"Point\s*:?\s*\(\s*(-?\d+\.\d)\s*[,;]\s*(-?\d+\.\d)\s*\)", _text(page), re.I)
    assert found, 'no text like "Point: (250.0, 100.0)" with one decimal'
    return float(found[1]), float(found[2])


def _assert_point(page: Page, t: float, when: str, slack: float = 0.2) -> None:
    right, shown = _on_curve(_path(page), t), _point(page)
    assert math.dist(right, shown) < slack, (
        f"{when} the point at t = {t} is ({right[0]:.1f}, {right[1]:.1f}), "
        f"but the app shows {shown}"
    )


def _assert_length(page: Page, when: str, slack: float = 1.5) -> None:
    found = re.search(r"Length\s*:?\s*(\d+)", _text(page), re.I)
    assert found, 'no text like "Length: 527"'
    right = _length(_path(page))
    assert abs(int(found[1]) - right) <= slack, (
        f"{when} the curve is {right:.0f} units long, but the app shows {found[1]}"
    )


def _scale(page: Page) -> tuple[float, float]:
    """Screen pixels per unit, across and down, while the handles are at their start."""
    start, control, end = (_centre(page, name) for name in ("Start", "Control 1", "End"))
    across, down = (end[0] - start[0]) / 400, (start[1] - control[1]) / 200
    assert across > 0.3, f"Start and End lie only {end[0] - start[0]:.0f} px apart"
    assert down > 0.3, f"Control 1 is not drawn above Start, but {down * 200:.0f} px away"
    return across, down


def _drag(page: Page, name: str, across: float, down: float) -> None:
    _handle(page, name).evaluate(
        "e => e.ownerSVGElement.scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    x, y = _centre(page, name)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2, steps=2)
    page.mouse.move(x + across, y + down, steps=2)
    page.mouse.up()


def _keys(page: Page, name: str, *keys: str) -> None:
    _handle(page, name).focus()
    for key in keys:
        page.keyboard.press(key)


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(rf"^\s*{name}", re.I)).click()


def check_static_handles_can_be_reached_with_tab(page: Page) -> None:
    """Four named handles are drawn and can take the focus."""
    for name in NAMES:
        handle = _handle(page, name)
        handle.focus()
        focused = handle.evaluate(
            "e => e.contains(document.activeElement) && document.activeElement.tabIndex >= 0"
        )
        assert focused, f"the handle {name} cannot be reached with Tab"
    _scale(page)


def check_static_slider_and_buttons(page: Page) -> None:
    """The slider t from 0 to 1 at 0.5, Undo and Reset are there."""
    expect(_slider(page), "no slider labelled t").to_be_visible()
    value = _slider(page).input_value()
    assert float(value) == 0.5, f"the slider t stands at {value} instead of 0.5"
    for t in ("0", "1"):
        _slider(page).fill(t)
        value = _slider(page).input_value()
        assert float(value) == float(t), f"the slider t does not reach {t}, it stops at {value}"
    for name in ("Undo", "Reset"):
        button = page.get_by_role("button", name=re.compile(rf"^\s*{name}", re.I))
        expect(button, f"no button {name}").to_be_visible()


def check_static_read_outs_at_the_start(page: Page) -> None:
    """Path, length and point of the first curve stand on the page."""
    _assert_path(page, START, "at the start")
    _assert_length(page, "at the start")
    _assert_point(page, 0.5, "at the start")


def check_intention_point_follows_t_along_the_curve(page: Page) -> None:
    """The slider moves the point by the Bézier formula, also on a lopsided curve."""
    for t in (0.0, 0.25, 0.8, 1.0):
        _slider(page).fill(f"{t:g}")
        _assert_point(page, t, "on the first curve")
    _keys(page, "Control 1", *["ArrowRight"] * 6, *["ArrowDown"] * 4)
    _keys(page, "End", *["ArrowUp"] * 5)
    for t in (0.1, 0.67):
        _slider(page).fill(f"{t:g}")
        _assert_point(page, t, "after moving Control 1 and End")


def check_intention_length_is_that_of_the_curve(page: Page) -> None:
    """The length follows the curve when handles are moved, twice in a row."""
    _keys(page, "Control 2", *["ArrowDown"] * 10, *["ArrowRight"] * 8)
    _assert_length(page, "with Control 2 moved")
    _keys(page, "Start", *["ArrowUp"] * 15)
    _assert_length(page, "with Start and Control 2 moved")


def check_intention_drawn_curve_agrees_with_the_path(page: Page) -> None:
    """The curve in the picture runs through the points of the formula, before and after a move."""
    across, down = _scale(page)
    left, ground = _centre(page, "Start")
    origin = (left - 50 * across, ground - 250 * down)
    for keys in ([], ["ArrowUp"] * 3 + ["ArrowLeft"] * 9):
        _keys(page, "Control 2", *keys)
        points = [_on_curve(_path(page), t) for t in (0.2, 0.5, 0.85)]
        wanted = [[origin[0] + x * across, origin[1] + y * down] for x, y in points]
        gaps = page.evaluate(
            """wanted => {
                const dots = [];
                for (const e of document.querySelectorAll('svg path, svg polyline, svg line')) {
                    if (e.closest('defs, pattern, marker')) continue;
                    const length = e.getTotalLength(), matrix = e.getScreenCTM();
                    for (let i = 0; i <= 300; i++)
                        dots.push(e.getPointAtLength(length * i / 300).matrixTransform(matrix));
                }
                return wanted.map(([x, y]) =>
                    Math.min(9999, ...dots.map(d => Math.hypot(d.x - x, d.y - y))));
            }""",
            wanted,
        )
        assert max(gaps) < 6, (
            f"with the handles at {_path(page)} the drawn curve misses its own points "
            f"by up to {max(gaps):.0f} px"
        )


def check_dynamic_dragging_moves_a_handle(page: Page) -> None:
    """A dragged handle goes where it is dropped, with path, length and point."""
    across, down = _scale(page)
    _drag(page, "Control 1", 60 * across, 120 * down)
    _drag(page, "End", -80 * across, -140 * down)
    moved = (START[0], (210, 170), START[2], (370, 110))
    _assert_path(page, moved, "after dragging Control 1 and End", slack=6)
    centre, control = _centre(page, "End"), _centre(page, "Control 1")
    gap = (centre[0] - control[0]) / across
    assert abs(gap - 160) < 8, f"End is drawn {gap:.0f} units right of Control 1 instead of 160"
    # The path is shown in whole numbers, but a handle may be dropped between them.
    _assert_length(page, "after dragging", slack=3)
    _assert_point(page, 0.5, "after dragging", slack=0.8)


def check_dynamic_handles_stay_in_the_area(page: Page) -> None:
    """Neither arrow keys nor a drag take a handle over the border, and no handle sticks."""
    _keys(page, "Start", *["ArrowDown"] * 8, *["ArrowLeft"] * 7)
    _assert_path(page, ((0, 300), *START[1:]), "after many arrow keys to the lower left corner")
    _press(page, "Reset")
    across, down = _scale(page)
    _drag(page, "Control 2", 100 * across, -75 * down)
    _drag(page, "End", 70 * across, -60 * down)
    shown = _path(page)
    inside = all(0 <= x <= 500 and 0 <= y <= 300 for x, y in shown)
    assert inside, f"a handle was dragged out of the area of 500 by 300: {shown}"
    x, y = _centre(page, "Start")
    page.mouse.move(x + 100 * across, y - 100 * down, steps=2)
    assert _path(page) == shown, "a handle sticks to the mouse after it was let go at the border"


def check_dynamic_undo_steps_back_one_by_one(page: Page) -> None:
    """Undo takes back a whole drag, and single key presses, in reverse order."""
    across, down = _scale(page)
    _drag(page, "Control 2", 40 * across, 60 * down)
    dragged = _path(page)
    assert dragged != START, "dragging Control 2 changed nothing"
    _keys(page, "Start", "ArrowRight", "ArrowUp")
    _assert_path(page, ((60, 240), *dragged[1:]), "after ArrowRight and ArrowUp on Start")
    for points in (((60, 250), *dragged[1:]), dragged, START):
        _press(page, "Undo")
        _assert_path(page, points, "after one more Undo")
    _assert_point(page, 0.5, "after undoing everything")


def check_dynamic_reset_restores_the_start(page: Page) -> None:
    """Reset brings back all handles and t."""
    _slider(page).fill("0.9")
    _keys(page, "Control 1", *["ArrowDown"] * 5)
    _keys(page, "End", *["ArrowLeft"] * 3)
    _press(page, "Reset")
    _assert_path(page, START, "after Reset")
    value = _slider(page).input_value()
    assert float(value) == 0.5, f"after Reset the slider t stands at {value} instead of 0.5"
    _assert_point(page, 0.5, "after Reset")
    _assert_length(page, "after Reset")
