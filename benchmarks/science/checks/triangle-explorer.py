"""Checks of triangle-explorer: measurements of any triangle, dragging, keyboard, flat triangles."""

import math
import re

from playwright.sync_api import Locator, Page, expect

_START = {"A": (1, 1), "B": (9, 1), "C": (3, 7)}
_Points = dict[str, tuple[int, int]]


def _handle(page: Page, name: str) -> Locator:
    pattern = re.compile(rf"^\s*Point {name}\b", re.I)
    found = page.get_by_label(pattern)
    for role in ("button", "slider", "img"):
        found = found.or_(page.get_by_role(role, name=pattern))
    return found.first


def _middle(page: Page, name: str) -> tuple[float, float]:
    handle = _handle(page, name)
    expect(handle, f"no handle named Point {name} is visible").to_be_visible(timeout=3000)
    box = handle.bounding_box()
    assert box, f"the handle Point {name} has no place on the screen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _expect_at(page: Page, name: str, x: int, y: int, when: str) -> None:
    at = re.compile(rf"\b{name}\b\s*[:=]?\s*\(\s*{x}\s*[,;|]\s*{y}\s*\)")
    message = f"{when}, the text does not read {name} ({x}, {y})"
    expect(page.locator("body"), message).to_contain_text(at, use_inner_text=True, timeout=3000)


def _expect_text(page: Page, pattern: str, message: str) -> None:
    expect(page.locator("body"), message).to_contain_text(
        re.compile(pattern, re.I), use_inner_text=True, timeout=3000
    )


def _keys(page: Page, name: str, keys: str) -> None:
    """Focus a handle and press arrow keys, given as letters L, R, U, D."""
    handle = _handle(page, name)
    expect(handle, f"no handle named Point {name} is visible").to_be_visible(timeout=3000)
    handle.focus()
    for key in keys:
        arrow = {"L": "Left", "R": "Right", "U": "Up", "D": "Down"}[key]
        page.keyboard.press(f"Arrow{arrow}")


def _read(page: Page, label: str) -> float:
    text = page.locator("body").inner_text()
    found = re.search(rf"\b{label}\b\s*[:=]?\s*(\d+(?:\.\d+)?)", text)
    assert found, f"no read-out “{label}:” with a number is shown"
    return float(found[1])


def _expected(points: _Points) -> dict[str, float]:
    a, b, c = points["A"], points["B"], points["C"]
    ab, bc, ca = math.dist(a, b), math.dist(b, c), math.dist(c, a)

    def angle(opposite: float, one: float, two: float) -> float:
        return math.degrees(math.acos((one**2 + two**2 - opposite**2) / (2 * one * two)))

    area = abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
    return {
        "AB": ab,
        "BC": bc,
        "CA": ca,
        "Angle A": angle(bc, ab, ca),
        "Angle B": angle(ca, ab, bc),
        "Angle C": angle(ab, bc, ca),
        "Area": area,
        "Perimeter": ab + bc + ca,
    }


def _expect_measurements(page: Page, points: _Points) -> None:
    for name, (x, y) in points.items():
        _expect_at(page, name, x, y, "after the move")
    where = ", ".join(f"{name} ({x}, {y})" for name, (x, y) in points.items())
    for label, wanted in _expected(points).items():
        shown = _read(page, label)
        slack = 0.051 if "Angle" in label else 0.0051
        assert abs(shown - wanted) <= slack, (
            f"for {where} the read-out {label} should be {wanted:.2f}, but {shown} is shown"
        )


def check_intention_measurements_follow_the_corners(page: Page) -> None:
    """Sides, angles, area and perimeter are right for two other triangles in a row."""
    _keys(page, "A", "RRU")
    _keys(page, "C", "RRRRD")
    _expect_measurements(page, {"A": (3, 2), "B": (9, 1), "C": (7, 6)})
    _keys(page, "B", "LLLLUUUUUU")
    _expect_measurements(page, {"A": (3, 2), "B": (5, 7), "C": (7, 6)})


def check_intention_kind_follows_the_largest_angle(page: Page) -> None:
    """Right, obtuse and acute triangles are named, also a right angle between slanted sides."""
    for keys, at, kind in (
        ("LL", (1, 7), "right"),
        ("L", (0, 7), "obtuse"),
        ("RRRRRDD", (5, 5), "right"),
        ("U", (5, 6), "acute"),
        ("DD", (5, 4), "obtuse"),
    ):
        _keys(page, "C", keys)
        _expect_at(page, "C", *at, f"after moving C to {at}")
        _expect_text(
            page,
            rf"\bKind\b\s*[:=]?\s*{kind}",
            f"with A (1, 1), B (9, 1) and C {at} the Kind should be {kind}",
        )


def check_intention_dragged_corner_snaps_to_the_grid(page: Page) -> None:
    """A drag that ends between crossings leaves the corner on the nearest one."""
    (ax, ay), (bx, _), (cx, cy) = (_middle(page, name) for name in "ABC")
    step_x, step_y = (bx - ax) / 8, (ay - cy) / 6
    assert step_x > 5, "Point B is not drawn to the right of Point A"
    assert step_y > 5, "Point C is not drawn above Point A"
    page.mouse.move(cx, cy)
    page.mouse.down()
    page.mouse.move(cx + step_x, cy, steps=3)
    page.mouse.move(cx + 2.3 * step_x, cy + 1.7 * step_y, steps=4)
    page.mouse.up()
    _expect_at(page, "C", 5, 5, "after dragging C from (3, 7) by 2.3 steps right and 1.7 down")
    nx, ny = _middle(page, "C")
    off = max(abs(nx - cx - 2 * step_x) / step_x, abs(ny - cy - 2 * step_y) / step_y)
    assert off < 0.2, "the handle of C was not drawn on the grid crossing (5, 5) after the drag"


def check_static_handles_stand_on_their_corners(page: Page) -> None:
    """Three handles named Point A, B and C are drawn where the start triangle has its corners."""
    (ax, ay), (bx, by), (cx, cy) = (_middle(page, name) for name in "ABC")
    assert bx > ax + 80, "Point B is not drawn to the right of Point A"
    assert abs(by - ay) < 12, "Points A and B, both with y = 1, are not at the same height"
    assert cy < ay - 60, "Point C with y = 7 is not drawn above Point A with y = 1"
    share = (cx - ax) / (bx - ax)
    assert abs(share - 0.25) < 0.06, "Point C with x = 3 is not a quarter of the way from A to B"


def check_static_start_read_outs(page: Page) -> None:
    """All read-outs of the start triangle are shown, and a Reset button."""
    for name, (x, y) in _START.items():
        _expect_at(page, name, x, y, "at the start")
    _expect_measurements(page, _START)
    _expect_text(page, r"\bKind\b\s*[:=]?\s*acute", "at the start “Kind: acute” is not shown")
    reset = page.get_by_role("button", name=re.compile("reset", re.I))
    expect(reset.first, "no button Reset").to_be_visible()


def check_static_handles_are_reached_with_tab(page: Page) -> None:
    """Tabbing through the page reaches all three handles."""
    missing = set("ABC")
    for name in "ABC":
        _middle(page, name)
    for _ in range(12):
        page.keyboard.press("Tab")
        missing -= {
            name
            for name in missing
            if _handle(page, name).evaluate("e => e.contains(document.activeElement)")
        }
        if not missing:
            break
    assert not missing, f"the Tab key never reaches Point {', Point '.join(sorted(missing))}"


def check_dynamic_corner_stays_on_the_grid(page: Page) -> None:
    """Neither a drag past the edge nor more arrow keys move a corner off the grid."""
    cx, cy = _middle(page, "C")
    page.mouse.move(cx, cy)
    page.mouse.down()
    page.mouse.move(cx + 200, cy - 20, steps=3)
    page.mouse.move(1275, 2, steps=4)
    page.mouse.up()
    _expect_at(page, "C", 12, 8, "after dragging C far beyond the upper right corner of the grid")
    _keys(page, "C", "URU")
    _expect_at(page, "C", 12, 8, "after pressing Up and Right at the corner (12, 8)")
    _keys(page, "A", "LLLDDD")
    _expect_at(page, "A", 0, 0, "after pressing Left and Down three times from A (1, 1)")


def check_dynamic_flat_triangle_is_reported(page: Page) -> None:
    """Three points on a line, or two on one spot, read Not a triangle and leave no NaN."""
    for keys, at in (("DDDDDD", (3, 1)), ("LL", (1, 1))):
        _keys(page, "C", keys)
        _expect_at(page, "C", *at, f"after moving C to {at}")
        _expect_text(
            page,
            "not a triangle",
            f"with C {at} on the line through A (1, 1) and B (9, 1), “Not a triangle” is not shown",
        )
        text = page.locator("body").inner_text()
        assert not re.search(r"NaN|undefined|Infinity", text), f"with C {at} a read-out shows NaN"
        area = _read(page, "Area")
        assert area == 0, f"with C {at} the points lie on one line, but the area reads {area}"
        kind = re.search(r"Kind\b\s*[:=]?\s*(acute|right|obtuse)", text, re.I)
        assert not kind, f"with C {at} on the line AB the Kind still reads {kind and kind[1]}"
    _keys(page, "C", "UUR")
    _expect_measurements(page, {"A": (1, 1), "B": (9, 1), "C": (2, 3)})
    gone = page.get_by_text(re.compile("not a triangle", re.I)).filter(visible=True)
    expect(gone, "“Not a triangle” stays after C has left the line").to_have_count(0)


def check_dynamic_reset_restores_the_start(page: Page) -> None:
    """Reset brings all three corners and their read-outs back."""
    _keys(page, "A", "UU")
    _keys(page, "B", "LU")
    _keys(page, "C", "RRR")
    _expect_measurements(page, {"A": (1, 3), "B": (8, 2), "C": (6, 7)})
    page.get_by_role("button", name=re.compile("reset", re.I)).first.click()
    for name, (x, y) in _START.items():
        _expect_at(page, name, x, y, "after Reset")
    _expect_measurements(page, _START)
