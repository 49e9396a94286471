"""Checks of pixel-editor: tools, fill, mirror, undo and redo, keyboard, and what is painted."""

import base64
import re

from playwright.sync_api import Locator, Page, expect

RED, BLUE, WHITE = "#e01020", "#1030d0", "#ffffff"

_SAMPLE = """async data => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'),
    {width: image.width, height: image.height});
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const hex = (c, r) => '#' + [...context.getImageData((c + .5) / 16 * image.width,
    (r + .5) / 16 * image.height, 1, 1).data].slice(0, 3)
    .map(v => v.toString(16).padStart(2, '0')).join('');
  return Array.from({length: 256}, (_, i) => hex(i % 16, Math.floor(i / 16)));
}"""


def _picture(page: Page) -> Locator:
    picture = page.get_by_label("Picture", exact=True).last
    expect(picture, "there is no drawing area labelled Picture").to_be_visible()
    return picture


def _point(page: Page, column: int, row: int) -> tuple[float, float]:
    """The centre of a square, both counted from 1."""
    picture = _picture(page)
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box, "the Picture cannot be reached with the mouse"
    return (
        box["x"] + (column - 0.5) / 16 * box["width"],
        box["y"] + (row - 0.5) / 16 * box["height"],
    )


def _seen(page: Page) -> dict[tuple[int, int], str]:
    """The colours at the centres of all squares, as they are on the screen."""
    page.mouse.move(1, 1)
    shot = base64.b64encode(_picture(page).screenshot(animations="disabled")).decode()
    colours = page.evaluate(_SAMPLE, shot)
    return {(i % 16 + 1, i // 16 + 1): colour for i, colour in enumerate(colours)}


def _control(page: Page, name: str) -> Locator:
    """A button, radio or checkbox of that name."""
    pattern = re.compile(rf"^\W*{name}\b", re.I)
    control = page.get_by_role("button", name=pattern)
    for role in ("radio", "checkbox", "switch"):
        control = control.or_(page.get_by_role(role, name=pattern))
    expect(control.first, f"there is no control called {name}").to_be_attached()
    return control.first


def _pick(page: Page, name: str) -> None:
    # A styled radio or checkbox may be hidden behind its label, so a click would miss it.
    _control(page, name).dispatch_event("click")


def _colour(page: Page, value: str) -> None:
    field = page.get_by_label(re.compile(r"^\s*colour\b", re.I)).and_(page.locator("input")).first
    expect(field, "there is no colour picker labelled Colour").to_be_attached()
    field.fill(value)


def _click(page: Page, column: int, row: int) -> None:
    page.mouse.click(*_point(page, column, row))


def _drag(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    page.mouse.move(*_point(page, *start))
    page.mouse.down()
    page.mouse.move(*_point(page, *end))
    page.mouse.up()


def _line(page: Page, column: int, row: int, colour: str, message: str) -> None:
    line = re.compile(rf"column\s*{column}\s*,?\s*row\s*{row}\s*:?\s*{colour}", re.I)
    expect(page.locator("body"), message).to_contain_text(line, use_inner_text=True)


def _is(page: Page, column: int, row: int, colour: str, when: str) -> None:
    """Points at a square and expects the line to describe it."""
    page.mouse.move(*_point(page, column, row))
    _line(
        page,
        column,
        row,
        colour,
        f'{when}, the line for that square is not "Column {column}, row {row}: {colour}"',
    )


def check_static_picture_is_a_white_square(page: Page) -> None:
    """The picture is square and all white at first."""
    box = _picture(page).bounding_box()
    assert box, "the Picture is not visible"
    assert abs(box["width"] - box["height"]) <= 4, (
        f"the Picture is not square: {box['width']:.0f} by {box['height']:.0f}"
    )
    other = {at: c for at, c in _seen(page).items() if c != WHITE and at != (1, 1)}
    assert not other, f"{len(other)} squares of the new Picture are not white: {list(other)[:3]}"


def check_static_controls_are_there(page: Page) -> None:
    """All tools and buttons are there, and Undo and Redo are disabled at first."""
    for name in ("Pencil", "Eraser", "Fill", "Mirror", "Undo", "Redo", "Clear"):
        _control(page, name)
    for name in ("Undo", "Redo"):
        expect(
            _control(page, name), f"{name} is not disabled although nothing was drawn"
        ).to_be_disabled()


def check_intention_pencil_and_eraser_show_on_the_picture(page: Page) -> None:
    """What the pencil paints and the eraser wipes out is seen in the right squares, no others."""
    _colour(page, RED)
    _pick(page, "Pencil")
    for square in ((3, 5), (16, 16), (1, 9)):
        _click(page, *square)
    _colour(page, BLUE)
    _click(page, 10, 2)
    _pick(page, "Eraser")
    _click(page, 16, 16)
    painted = {at: c for at, c in _seen(page).items() if c != WHITE and at != (1, 1)}
    wanted = {(3, 5): RED, (1, 9): RED, (10, 2): BLUE}
    assert painted == wanted, (
        "after painting (column, row) 3,5 and 16,16 and 1,9 red, 10,2 blue and erasing 16,16 "
        f"the picture shows {dict(list(painted.items())[:6])}"
    )
    _is(page, 3, 5, RED, "after painting it red")
    _is(page, 16, 16, WHITE, "after erasing it")


def check_intention_fast_drag_leaves_no_gaps(page: Page) -> None:
    """A drag in one jump paints every square on the way."""
    _colour(page, BLUE)
    _pick(page, "Pencil")
    _drag(page, (2, 4), (13, 4))
    for column in (2, 5, 8, 12, 13):
        _is(page, column, 4, BLUE, "after a fast drag along row 4 from column 2 to 13")
    _is(page, 14, 4, WHITE, "after a fast drag along row 4 from column 2 to 13")
    _drag(page, (3, 6), (9, 12))
    _is(page, 6, 9, BLUE, "after a fast drag from column 3, row 6 to column 9, row 12")


def check_intention_fill_stays_behind_diagonal_borders(page: Page) -> None:
    """Fill recolours the region joined by edges; squares touching at corners keep it in."""
    _colour(page, RED)
    _pick(page, "Pencil")
    for square in ((1, 4), (2, 3), (3, 2), (4, 1)):
        _click(page, *square)
    _pick(page, "Fill")
    _colour(page, BLUE)
    _click(page, 1, 1)
    when = "after filling the corner behind a diagonal red line with blue"
    for square in ((1, 1), (1, 3), (2, 2), (3, 1)):
        _is(page, *square, BLUE, when)
    _is(page, 2, 3, RED, when)
    _is(page, 3, 3, WHITE, when)
    _click(page, 9, 9)
    _is(page, 16, 16, BLUE, "after filling the outside, too")
    _is(page, 4, 1, RED, "after filling the outside, too")


def check_intention_mirror_paints_and_erases_both_sides(page: Page) -> None:
    """With Mirror on, the mirrored square changes, too; with Mirror off, it does not."""
    _colour(page, RED)
    _pick(page, "Pencil")
    _pick(page, "Mirror")
    _click(page, 3, 7)
    _is(page, 3, 7, RED, "after painting column 3 with Mirror on")
    _is(page, 14, 7, RED, "after painting column 3 with Mirror on")
    _pick(page, "Eraser")
    _click(page, 14, 7)
    _is(page, 3, 7, WHITE, "after erasing column 14 with Mirror on")
    _pick(page, "Pencil")
    _pick(page, "Mirror")
    _click(page, 5, 2)
    _is(page, 5, 2, RED, "after painting column 5 with Mirror off again")
    _is(page, 12, 2, WHITE, "after painting column 5 with Mirror off again")


def check_dynamic_undo_and_redo_whole_steps(page: Page) -> None:
    """Undo and Redo go through a stroke, a fill and a clear one step at a time."""
    _colour(page, RED)
    _pick(page, "Pencil")
    _drag(page, (4, 4), (4, 12))
    _pick(page, "Fill")
    _colour(page, BLUE)
    _click(page, 10, 10)
    _pick(page, "Clear")
    _is(page, 4, 8, WHITE, "after Clear")
    undo, redo = _control(page, "Undo"), _control(page, "Redo")
    undo.click()
    _is(page, 10, 10, BLUE, "after undoing Clear")
    _is(page, 4, 8, RED, "after undoing Clear")
    undo.click()
    _is(page, 10, 10, WHITE, "after undoing the fill")
    _is(page, 4, 8, RED, "after undoing the fill")
    undo.click()
    for row in (4, 8, 12):
        _is(page, 4, row, WHITE, "after undoing a stroke from row 4 to row 12 with one step")
    expect(undo, "Undo is not disabled after every step was taken back").to_be_disabled()
    redo.click()
    redo.click()
    _is(page, 10, 10, BLUE, "after repeating stroke and fill")
    _is(page, 4, 12, RED, "after repeating stroke and fill")


def check_dynamic_a_stroke_ends_outside_the_picture(page: Page) -> None:
    """A stroke whose button is let go outside the picture is over, and is one step of Undo."""
    _colour(page, RED)
    _pick(page, "Pencil")
    page.mouse.move(*_point(page, 8, 8))
    page.mouse.down()
    page.mouse.move(1, 1, steps=4)
    page.mouse.up()
    for column, row in ((12, 13), (4, 14), (8, 14)):
        page.mouse.move(*_point(page, column, row))
        _line(
            page,
            column,
            row,
            WHITE,
            "after the button was let go outside the Picture, the mouse goes on drawing without "
            f"it: column {column}, row {row} is not white under it",
        )
    _is(page, 8, 8, RED, "after a stroke that began there and left the Picture")
    _control(page, "Undo").click()
    _is(page, 8, 8, WHITE, "after undoing a stroke that ended outside the Picture")


def check_dynamic_drawing_empties_redo(page: Page) -> None:
    """After an undo, drawing anew disables Redo, and the abandoned step never comes back."""
    _colour(page, RED)
    _pick(page, "Pencil")
    _click(page, 2, 2)
    _click(page, 6, 6)
    _control(page, "Undo").click()
    _is(page, 6, 6, WHITE, "after undoing its red dot")
    redo = _control(page, "Redo")
    expect(redo, "Redo is disabled after an undo").to_be_enabled()
    _click(page, 9, 9)
    expect(
        redo,
        "Redo is still enabled after drawing something new, so an abandoned step can come back",
    ).to_be_disabled()
    _is(page, 9, 9, RED, "after drawing it instead")
    _is(page, 2, 2, RED, "after drawing something else")


def check_dynamic_keyboard_draws_and_stops_at_the_edges(page: Page) -> None:
    """Arrow keys move the cursor inside the picture, Space paints, Ctrl+Z and Ctrl+Y work."""
    _colour(page, BLUE)
    _pick(page, "Pencil")
    page.mouse.move(1, 1)
    _picture(page).evaluate(
        "p => (p.tabIndex >= 0 ? p : p.querySelector('[tabindex], button, canvas') ?? p).focus()"
    )
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    _line(
        page, 3, 2, WHITE, "left, up, right, right, down from the top left is not column 3, row 2"
    )
    page.keyboard.press("Space")
    _line(page, 3, 2, BLUE, "Space does not paint the square under the cursor")
    page.keyboard.press("Control+z")
    _line(
        page,
        3,
        2,
        WHITE,
        "after Ctrl+Z the line does not say that the painted square under the cursor is white",
    )
    page.keyboard.press("Control+y")
    _line(page, 3, 2, BLUE, "after Ctrl+Y the line does not say that the square is painted again")
    for _ in range(17):
        page.keyboard.press("ArrowDown")
    _line(page, 3, 16, WHITE, "the cursor does not stop in row 16")


def check_dynamic_filling_with_the_same_colour_is_harmless(page: Page) -> None:
    """Filling a region with the colour it has already changes nothing and breaks nothing."""
    _colour(page, RED)
    _pick(page, "Fill")
    _click(page, 8, 8)
    _click(page, 8, 8)
    _is(page, 16, 1, RED, "after filling twice with the same red")
    _pick(page, "Pencil")
    _colour(page, BLUE)
    _click(page, 5, 5)
    _is(page, 5, 5, BLUE, "after filling twice with the same red and then painting")
