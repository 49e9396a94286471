"""Checks of week-board: adding, moving with list and mouse, the eight hour limit, undo, reload."""

import re

from playwright.sync_api import Locator, Page, expect

COLUMNS = ("Backlog", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def _heading(page: Page, column: str) -> Locator:
    """The heading of a column, known by its name and its hours."""
    line = re.compile(rf"^\s*{column}\s*:?\s*\d+\s*((of|/)\s*8\s*)?h", re.I)
    return page.get_by_text(line).and_(page.locator(":not(option)")).first


def _total(page: Page, column: str, hours: int, when: str) -> None:
    limit = "" if column == "Backlog" else r"(of|/)\s*8\s*"
    line = re.compile(rf"{column}\s*:?\s*{hours}\s*{limit}h", re.I)
    expect(
        page.locator("body"), f"{when}, the heading does not read {column} with {hours} h"
    ).to_contain_text(line, use_inner_text=True)


def _button(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=re.compile(rf"^\s*{re.escape(name)}\s*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    return button


def _field(page: Page, label: str) -> Locator:
    field = page.get_by_label(re.compile(rf"^\s*{label}\b", re.I)).and_(page.locator("input"))
    expect(field.first, f"there is no field labelled {label}").to_be_visible()
    return field.first


def _add(page: Page, task: str, hours: str) -> None:
    _field(page, "Task").fill(task)
    _field(page, "Hours").fill(hours)
    _button(page, "Add task").click()


def _mover(page: Page, task: str) -> Locator:
    return page.get_by_label(re.compile(rf"^\s*Move {re.escape(task)} to\b", re.I)).and_(
        page.locator("select")
    )


def _move(page: Page, task: str, column: str) -> None:
    mover = _mover(page, task).first
    expect(
        mover, f'the card {task} has no drop-down list "Move {task} to", so it needs a mouse'
    ).to_be_visible()
    mover.select_option(label=column)


def _at(page: Page, task: str, column: str, when: str) -> None:
    chosen = _mover(page, task).first.locator("option:checked")
    expect(chosen, f'{when}, the list "Move {task} to" does not show {column}').to_have_text(
        re.compile(rf"^\s*{column}", re.I)
    )


def _drag(page: Page, task: str, column: str) -> None:
    """Drags a card by its text onto the heading of a column."""
    text = re.compile(rf"^\s*{re.escape(task)}(?!.*\b(to|moved|added)\b)", re.I)
    source = page.get_by_text(text).first
    expect(source, f"the card {task} is not shown").to_be_visible()
    target = _heading(page, column)
    expect(target, f"the column {column} is not shown").to_be_visible()
    start, end = source.bounding_box(), target.bounding_box()
    assert start, f"the card {task} cannot be reached with the mouse"
    assert end, f"the column {column} cannot be reached with the mouse"
    to = (end["x"] + min(end["width"] / 2, 30), end["y"] + end["height"] / 2)
    page.mouse.move(start["x"] + min(start["width"] / 2, 20), start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(*to, steps=5)
    page.mouse.move(to[0] + 2, to[1] + 1)
    page.mouse.up()


def check_static_six_columns_stand_side_by_side(page: Page) -> None:
    """Backlog and the five days stand side by side in order, each with its total."""
    left = -1.0
    for column in COLUMNS:
        _total(page, column, 0, "at first")
        box = _heading(page, column).bounding_box()
        assert box, f"the heading of {column} is not visible"
        assert box["x"] > left, f"{column} does not stand to the right of the column before it"
        left = box["x"]


def check_static_form_and_undo_are_there(page: Page) -> None:
    """Task, Hours, Add task and Undo are labelled, and Undo is disabled at first."""
    _field(page, "Task")
    _field(page, "Hours")
    _button(page, "Add task")
    expect(
        _button(page, "Undo"), "Undo is not disabled although nothing has been done"
    ).to_be_disabled()


def check_intention_cards_move_with_their_list(page: Page) -> None:
    """Cards start in Backlog, and moving them with the list moves their hours."""
    _add(page, "Buy paint", "3")
    _add(page, "Call Ada", "2")
    _total(page, "Backlog", 5, "after adding 3 h and 2 h")
    _move(page, "Buy paint", "Tuesday")
    _total(page, "Tuesday", 3, "after moving the 3 h task to Tuesday")
    _total(page, "Backlog", 2, "after moving the 3 h task to Tuesday")
    _at(page, "Buy paint", "Tuesday", "after moving it to Tuesday")
    _move(page, "Buy paint", "Friday")
    _total(page, "Tuesday", 0, "after moving the 3 h task on to Friday")
    _total(page, "Friday", 3, "after moving the 3 h task on to Friday")


def check_intention_cards_can_be_dragged(page: Page) -> None:
    """A card dragged with the mouse lands in the column where it is dropped."""
    _add(page, "Water roses", "4")
    _total(page, "Backlog", 4, "after adding 4 h")
    _drag(page, "Water roses", "Wednesday")
    _total(page, "Wednesday", 4, "after dragging the 4 h task onto the heading of Wednesday")
    _drag(page, "Water roses", "Monday")
    _total(page, "Monday", 4, "after dragging the 4 h task on to the heading of Monday")
    _total(page, "Wednesday", 0, "after dragging the 4 h task on to Monday")


def check_intention_no_day_takes_more_than_eight_hours(page: Page) -> None:
    """Eight hours fit into a day, one more is refused with a message and changes nothing."""
    _add(page, "Roof", "6")
    _add(page, "Fence", "2")
    _add(page, "Mail", "1")
    _total(page, "Backlog", 9, "after adding 6, 2 and 1 h (Backlog has no limit)")
    _move(page, "Roof", "Monday")
    _move(page, "Fence", "Monday")
    _total(page, "Monday", 8, "after moving 6 h and 2 h to Monday, which fit exactly")
    _move(page, "Mail", "Monday")
    message = page.get_by_text(re.compile("Monday is full", re.I)).first
    expect(message, "moving a ninth hour to Monday does not say Monday is full").to_be_visible()
    _total(page, "Monday", 8, "after a refused ninth hour")
    _total(page, "Backlog", 1, "after a refused ninth hour")
    _at(page, "Mail", "Backlog", "after its move was refused")
    _move(page, "Fence", "Thursday")
    _move(page, "Mail", "Monday")
    _total(page, "Monday", 7, "after 2 h left full Monday and 1 h came in")


def check_intention_board_survives_a_reload(page: Page) -> None:
    """Cards are in the same columns after a reload."""
    _add(page, "Pack boxes", "5")
    _add(page, "Sell bike", "1")
    _move(page, "Pack boxes", "Thursday")
    _total(page, "Thursday", 5, "after moving the 5 h task to Thursday")
    page.reload()
    _total(page, "Thursday", 5, "after a reload")
    _total(page, "Backlog", 1, "after a reload")
    _at(page, "Pack boxes", "Thursday", "after a reload")


def check_dynamic_what_was_undone_stays_undone_after_a_reload(page: Page) -> None:
    """A reload brings back the board as it was after Undo, not the step that was taken back."""
    _add(page, "Wash car", "2")
    _move(page, "Wash car", "Monday")
    _total(page, "Monday", 2, "after moving the 2 h task to Monday")
    _button(page, "Undo").click()
    _total(page, "Monday", 0, "after undoing the move")
    page.reload()
    when = "after undoing a move to Monday and then reloading"
    _at(page, "Wash car", "Backlog", when)
    _total(page, "Backlog", 2, when)
    _total(page, "Monday", 0, when)


def check_dynamic_dragging_respects_the_limit(page: Page) -> None:
    """A card dragged onto a full day goes back to where it was."""
    _add(page, "Paint wall", "8")
    _drag(page, "Paint wall", "Tuesday")
    _total(page, "Tuesday", 8, "after dragging 8 h onto Tuesday")
    _add(page, "Tidy up", "1")
    _drag(page, "Tidy up", "Tuesday")
    message = page.get_by_text(re.compile("Tuesday is full", re.I)).first
    expect(message, "dragging onto full Tuesday does not say Tuesday is full").to_be_visible()
    _total(page, "Tuesday", 8, "after a refused drop")
    _total(page, "Backlog", 1, "after a refused drop")


def check_dynamic_undo_goes_back_step_by_step(page: Page) -> None:
    """Undo takes back a deletion, a move and additions one at a time, until it is disabled."""
    _add(page, "Sort files", "3")
    _add(page, "Bake bread", "4")
    _move(page, "Sort files", "Friday")
    _button(page, "Delete Sort files").click()
    _total(page, "Friday", 0, "after deleting the 3 h task")
    undo = _button(page, "Undo")
    undo.click()
    _total(page, "Friday", 3, "after undoing the deletion")
    undo.click()
    _total(page, "Friday", 0, "after undoing the move")
    _total(page, "Backlog", 7, "after undoing the move")
    undo.click()
    _total(page, "Backlog", 3, "after undoing the second addition")
    undo.click()
    _total(page, "Backlog", 0, "after undoing everything")
    expect(undo, "Undo is not disabled after everything has been undone").to_be_disabled()


def check_dynamic_a_refused_move_is_no_step_for_undo(page: Page) -> None:
    """After a refused move, Undo takes back the last thing that really happened."""
    _add(page, "Big job", "8")
    _add(page, "Small job", "1")
    _move(page, "Big job", "Wednesday")
    _move(page, "Small job", "Wednesday")
    _total(page, "Backlog", 1, "after a refused move")
    _button(page, "Undo").click()
    _total(page, "Wednesday", 0, "after a refused move and one Undo")
    _total(page, "Backlog", 9, "after a refused move and one Undo")


def check_dynamic_wrong_input_adds_nothing(page: Page) -> None:
    """An empty task and hours outside 1 to 8 add no card; a right one still does."""
    for task, hours in (
        ("", "2"),
        ("   ", "2"),
        ("Too long", "9"),
        ("None", "0"),
        ("Minus", "-3"),
        ("Half", "1.5"),
        ("Blank", ""),
    ):
        _add(page, task, hours)
    _total(page, "Backlog", 0, "after only wrong input (no task; hours 9, 0, -3, 1.5, none)")
    expect(_button(page, "Undo"), "wrong input became a step for Undo").to_be_disabled()
    _add(page, "Right one", "8")
    _total(page, "Backlog", 8, "after wrong input and then a right task of 8 h")
