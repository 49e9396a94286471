"""Checks of breathing-pacer: phases, counting, rounds, pause and reset on a clock of their own."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

PATTERNS = {
    "Box 4-4-4-4": [("Breathe in", 4), ("Hold", 4), ("Breathe out", 4), ("Hold", 4)],
    "Relax 4-7-8": [("Breathe in", 4), ("Hold", 7), ("Breathe out", 8)],
    "Even 5-5": [("Breathe in", 5), ("Breathe out", 5)],
}
# How many pixels of two screenshots differ clearly.
DIFFERENCE = """async sources => {
    const [one, other] = await Promise.all(sources.map(async source => {
        const picture = new Image();
        picture.src = 'data:image/png;base64,' + source;
        await picture.decode();
        const canvas = document.createElement('canvas');
        canvas.width = picture.width; canvas.height = picture.height;
        const pen = canvas.getContext('2d');
        pen.drawImage(picture, 0, 0);
        return pen.getImageData(0, 0, canvas.width, canvas.height).data;
    }));
    let found = 0;
    for (let i = 0; i < one.length; i += 4)
        if ([0, 1, 2].some(k => Math.abs(one[i + k] - other[i + k]) > 12)) found++;
    return found;
}"""
# More than the digits of a countdown, less than the growth of a small circle.
GROWTH = 1000


def _button(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=re.compile(rf"^\W*{name}\s*$", re.I)).first
    expect(button, f"there is no button {name}").to_be_visible()
    return button


def _pattern(page: Page) -> Locator:
    field = page.get_by_label(re.compile(r"^\s*pattern\b", re.I)).and_(page.locator("select")).first
    expect(field, "there is no drop-down list labelled Pattern").to_be_visible()
    return field


def _rounds(page: Page) -> Locator:
    field = page.get_by_label(re.compile(r"^\s*rounds\b", re.I)).and_(page.locator("input")).first
    expect(field, "there is no number field labelled Rounds").to_be_visible()
    return field


def _says(page: Page, pattern: str, message: str) -> None:
    expect(page.locator("body"), message).to_contain_text(
        re.compile(pattern, re.I), use_inner_text=True
    )


def _left(page: Page, seconds: int, when: str) -> None:
    text = f"{seconds // 60}:{seconds % 60:02}"
    _says(page, rf"time left\s*:?\s*0?{text}(?!\d)", f'{when}, it does not say "Time left {text}"')


def _round(page: Page, number: int, rounds: int, when: str) -> None:
    _says(
        page,
        rf"round\s*{number}\s*of\s*{rounds}(?!\d)",
        f'{when}, it does not say "Round {number} of {rounds}"',
    )


def _phase(page: Page, name: str, seconds: int, when: str) -> None:
    _says(page, rf"{name}\s*:?\s*{seconds}(?![\d:])", f'{when}, it does not say "{name} {seconds}"')


def _choose(page: Page, pattern: str, rounds: int) -> None:
    _pattern(page).select_option(label=pattern)
    _rounds(page).fill(str(rounds))


def _in_phase(page: Page, pattern: str, second: int) -> None:
    """Checks phase and seconds left in the middle of a second of the session."""
    counted = [
        (name, length - passed) for name, length in PATTERNS[pattern] for passed in range(length)
    ]
    name, left = counted[second % len(counted)]
    _phase(page, name, left, f"{second}.5 s into {pattern}")


def _shot(page: Page) -> str:
    return base64.b64encode(page.screenshot(full_page=True)).decode()


def check_static_controls_and_their_first_values(page: Page) -> None:
    """Pattern offers three choices with Box first, Rounds is 4, and the buttons are there."""
    for name in ("Start", "Pause", "Reset"):
        _button(page, name)
    offered = " / ".join(_pattern(page).locator("option").all_inner_texts())
    for name in PATTERNS:
        assert name.lower() in offered.lower(), f"Pattern does not offer {name} but {offered}"
    chosen = _pattern(page).locator("option:checked")
    expect(chosen, "Pattern does not start with Box 4-4-4-4").to_have_text(re.compile("box", re.I))
    expect(_rounds(page), "Rounds does not start at 4").to_have_value("4")


def check_static_ready_with_the_full_time(page: Page) -> None:
    """Before the start it says Ready, Round 1 of 4 and Time left 1:04."""
    _says(page, r"\bready\b", "it does not say Ready before the start")
    _round(page, 1, 4, "before the start")
    _left(page, 64, "before the start")


def check_intention_box_breathing_counts_each_phase(page: Page, clock: Clock) -> None:
    """Box breathing counts four phases of four seconds down, into the second round."""
    _button(page, "Start").click()
    clock.run_for(500)
    _round(page, 1, 4, "0.5 s into Box")
    _left(page, 64, "0.5 s into Box")
    for second in range(18):
        _in_phase(page, "Box 4-4-4-4", second)
        clock.run_for(1000)
    _round(page, 2, 4, "18.5 s into Box")
    _left(page, 46, "18.5 s into Box")


def check_intention_other_patterns_have_their_own_phases(page: Page, clock: Clock) -> None:
    """Relax and Even follow their own phases, and the time left knows them before the start."""
    for pattern, rounds, total in (("Relax 4-7-8", 5, 95), ("Even 5-5", 2, 20)):
        _choose(page, pattern, rounds)
        _left(page, total, f"with {rounds} rounds of {pattern} chosen")
        _round(page, 1, rounds, f"with {rounds} rounds of {pattern} chosen")
        _button(page, "Start").click()
        clock.run_for(500)
        second = 0
        for following in (3, 4, 5, 10, 11, 18):
            _in_phase(page, pattern, second)
            clock.run_for(1000 * (following - second))
            second = following
        _in_phase(page, pattern, second)
        _button(page, "Reset").click()


def check_intention_time_left_follows_each_choice(page: Page) -> None:
    """Choosing only a Pattern, or only Rounds, changes the time left before the start."""
    _pattern(page).select_option(label="Relax 4-7-8")
    _left(page, 76, "after choosing Relax (19 s) and leaving Rounds at 4")
    _pattern(page).select_option(label="Even 5-5")
    _left(page, 40, "after choosing Even (10 s) and leaving Rounds at 4")
    _rounds(page).fill("7")
    _left(page, 70, "after changing Rounds to 7 with Even (10 s)")
    _round(page, 1, 7, "after changing Rounds to 7")
    _pattern(page).select_option(label="Box 4-4-4-4")
    _left(page, 112, "after going back to Box (16 s) with 7 rounds")


def check_intention_circle_follows_the_breath(page: Page, clock: Clock) -> None:
    """The circle grows while breathing in, and is not the same in the two Holds of Box."""
    _button(page, "Start").click()
    # Each pair of moments shows nearly the same words, so what differs is the circle.
    shots, now = {}, 0
    for moment in (500, 3500, 6500, 14500):
        clock.run_for(moment - now)
        now = moment
        shots[moment] = _shot(page)
    grown = page.evaluate(DIFFERENCE, [shots[500], shots[3500]])
    assert grown > GROWTH, (
        "the circle hardly grows during Breathe in: between 0.5 s and 3.5 s only "
        f"{grown} pixels of the page change"
    )
    apart = page.evaluate(DIFFERENCE, [shots[6500], shots[14500]])
    assert apart > GROWTH, (
        "the circle has the same size in the Hold after breathing in and in the Hold after "
        f"breathing out: only {apart} pixels of the page differ"
    )


def check_intention_ends_after_the_last_round(page: Page, clock: Clock) -> None:
    """The session runs until the last second of the last round and then says Well done."""
    _choose(page, "Even 5-5", 3)
    _button(page, "Start").click()
    clock.run_for(29500)
    _phase(page, "Breathe out", 1, "half a second before the end of three rounds of Even")
    _round(page, 3, 3, "half a second before the end")
    clock.run_for(1500)
    _says(page, r"well done", "it does not say Well done after three rounds of Even (30 s)")
    clock.run_for(5000)
    _says(page, r"well done", "Well done does not stay after the end")
    expect(_pattern(page), "Pattern is still locked after the end").to_be_enabled()
    _button(page, "Start").click()
    clock.run_for(500)
    _phase(page, "Breathe in", 5, "0.5 s into a second session")
    _left(page, 30, "0.5 s into a second session")


def check_dynamic_pause_freezes_and_resume_carries_on(page: Page, clock: Clock) -> None:
    """Pause freezes phase and time left, and Resume carries on from there."""
    _button(page, "Start").click()
    clock.run_for(5500)
    _phase(page, "Hold", 3, "5.5 s into Box")
    _button(page, "Pause").click()
    clock.run_for(10000)
    _phase(page, "Hold", 3, "after pausing at 5.5 s for ten seconds")
    _left(page, 59, "after pausing at 5.5 s for ten seconds")
    _button(page, "Resume").click()
    clock.run_for(1000)
    _phase(page, "Hold", 2, "one second after Resume")
    clock.run_for(4000)
    _phase(page, "Breathe out", 2, "five seconds after Resume")
    _button(page, "Pause")


def check_dynamic_reset_starts_from_the_beginning(page: Page, clock: Clock) -> None:
    """Reset, also of a paused session, returns to Ready, and a new session starts afresh."""
    for paused in (False, True):
        when = f"after Reset of a {'paused' if paused else 'running'} session"
        _choose(page, "Relax 4-7-8", 2)
        _button(page, "Start").click()
        clock.run_for(24500)
        _round(page, 2, 2, "24.5 s into two rounds of Relax")
        if paused:
            _button(page, "Pause").click()
        _button(page, "Reset").click()
        clock.run_for(3000)
        _says(page, r"\bready\b", f"{when}, it does not say Ready")
        _left(page, 38, when)
        _round(page, 1, 2, when)
        _button(page, "Start").click()
        clock.run_for(1500)
        _phase(page, "Breathe in", 3, f"{when} and 1.5 s of a new one")
        pause = page.get_by_role("button", name=re.compile(r"^\W*pause\s*$", re.I)).first
        expect(
            pause, f"{when} a new session runs, but no button says Pause (still Resume?)"
        ).to_be_visible()
        _button(page, "Reset").click()


def check_dynamic_choices_are_locked_during_a_session(page: Page, clock: Clock) -> None:
    """Pattern and Rounds are locked while a session runs or is paused, and free after Reset."""
    _button(page, "Start").click()
    clock.run_for(500)
    expect(_pattern(page), "Pattern can be changed during a session").to_be_disabled()
    expect(_rounds(page), "Rounds can be changed during a session").not_to_be_editable()
    _button(page, "Pause").click()
    expect(_pattern(page), "Pattern can be changed in a paused session").to_be_disabled()
    _button(page, "Reset").click()
    expect(_pattern(page), "Pattern is still locked after Reset").to_be_enabled()
    expect(_rounds(page), "Rounds is still locked after Reset").to_be_editable()


def check_dynamic_wrong_rounds_do_not_start(page: Page, clock: Clock) -> None:
    """Rounds outside 1 to 20 are answered with a message and do not start a session."""
    running = page.get_by_text(re.compile(r"breathe in\s*:?\s*\d", re.I)).filter(visible=True)
    at_first = running.count()
    for wrong in ("0", "21", "-2", ""):
        _rounds(page).fill(wrong)
        # An app may lock Start as long as the number is wrong.
        if _button(page, "Start").is_enabled():
            _button(page, "Start").click()
        message = page.get_by_text(re.compile("choose 1 to 20 rounds", re.I)).filter(visible=True)
        when = f"with {wrong or 'no'} rounds"
        expect(message.first, f'{when} it does not say "Choose 1 to 20 rounds"').to_be_visible()
        clock.run_for(1500)
        expect(running, f"a session starts {when}").to_have_count(at_first)
    _rounds(page).fill("20")
    _left(page, 320, "with 20 rounds of Box chosen")
    _button(page, "Start").click()
    clock.run_for(500)
    _phase(page, "Breathe in", 4, "0.5 s after starting 20 rounds")
