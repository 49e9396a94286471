"""Checks of typing-tutor: speed, accuracy and clock of a sentence copied under an owned clock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

PRACTICE = "Practice makes perfect."
NEVER = "Never odd or even."
FOX = "The quick brown fox jumps over the lazy dog."


def _box(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("type here", re.I))


def _select(page: Page) -> Locator:
    return page.get_by_role("combobox", name=re.compile("sentence", re.I))


def _choose(page: Page, sentence: str) -> None:
    _select(page).select_option(label=sentence)


def _type(page: Page, text: str) -> None:
    """Type at the end of what the box holds already."""
    box = _box(page)
    box.focus()
    box.press("End")
    page.keyboard.type(text)


def _number(page: Page, name: str, unit: str) -> float:
    text = page.locator("body").inner_text()
    found = re.search(rf"{name}\s*:?\s*(\d+(?:[.,]\d+)?)\s*{unit}", text, re.I)
    assert found, f'no read-out like "{name}: … {unit}" on the page'
    return float(found[1].replace(",", "."))


def _time(page: Page) -> float:
    return _number(page, "Time", "s")


def _speed(page: Page) -> float:
    return _number(page, "Speed", "WPM")


def _accuracy(page: Page) -> float:
    return _number(page, "Accuracy", "%")


def _finished(page: Page) -> bool:
    shown = page.get_by_text(re.compile(r"\b(Finished|FINISHED)\b"))
    return any(shown.nth(i).is_visible() for i in range(shown.count()))


def _assert_fresh(page: Page, when: str) -> None:
    time, speed, accuracy = _time(page), _speed(page), _accuracy(page)
    assert time == 0, f"{when} the time reads {time} s instead of 0.0 s"
    assert speed == 0, f"{when} the speed reads {speed:.0f} WPM instead of 0 WPM"
    assert accuracy == 100, f"{when} the accuracy reads {accuracy:.0f}% instead of 100%"


def check_static_three_sentences_box_and_restart(page: Page) -> None:
    """The drop-down with the three sentences, the text box and Restart are there."""
    select = _select(page)
    expect(select, "no drop-down labelled Sentence").to_be_visible()
    options = [text.strip() for text in select.locator("option").all_inner_texts()]
    for sentence in (PRACTICE, NEVER, FOX):
        assert sentence in options, f'the drop-down Sentence does not offer "{sentence}"'
    expect(_box(page), "no text box labelled Type here").to_be_visible()
    restart = page.get_by_role("button", name=re.compile("restart", re.I))
    expect(restart, "no Restart button").to_be_visible()


def check_static_chosen_sentence_in_large_letters(page: Page) -> None:
    """The chosen sentence, and no other, stands on the page in large letters."""
    size_of = """sentence => {
        const plain = text => (text || '').replace(/[\\s\\u00a0]+/g, ' ');
        const sizes = [...document.querySelectorAll('body *')]
          .filter(e => !e.closest('select, script, textarea') && e.checkVisibility()
            && plain(e.textContent).includes(sentence)
            && ![...e.children].some(c => plain(c.textContent).includes(sentence)))
          .map(e => parseFloat(getComputedStyle(e.firstElementChild || e).fontSize));
        return sizes.length ? Math.max(...sizes) : 0;
    }"""
    for sentence in (PRACTICE, FOX, NEVER):
        _choose(page, sentence)
        size = page.evaluate(size_of, sentence)
        assert size, f'"{sentence}" was chosen, but it is not shown to be copied'
        assert size >= 18, f"the sentence is written in small letters of {size:.0f} px"


def check_static_read_outs_at_the_start(page: Page) -> None:
    """Before the first keystroke the read-outs are 0.0 s, 0 WPM and 100%."""
    _assert_fresh(page, "before the first keystroke")
    assert not _finished(page), '"Finished" is shown before anything was typed'


def check_intention_speed_counts_five_characters_as_a_word(page: Page, clock: Clock) -> None:
    """Two runs at different pace both give characters / 5 / minutes."""
    for sentence, seconds in ((PRACTICE, 6.0), (NEVER, 4.0)):
        _choose(page, sentence)
        _type(page, sentence[:5])
        clock.run_for(int(seconds * 1000))
        _type(page, sentence[5:])
        right = len(sentence) / 5 / (seconds / 60)
        speed, time = _speed(page), _time(page)
        assert abs(time - seconds) <= 0.15, (
            f"typing took {seconds} s by the clock, but the app shows {time} s"
        )
        assert abs(speed - right) <= 1, (
            f"{len(sentence)} characters in {seconds:.0f} s are {right:.0f} WPM, "
            f"but the app shows {speed:.0f} WPM"
        )


def check_intention_accuracy_remembers_corrected_mistakes(page: Page, clock: Clock) -> None:
    """Mistakes taken back with Backspace still lower the accuracy."""
    _choose(page, NEVER)
    _type(page, "Nexx")
    clock.run_for(1000)
    accuracy = _accuracy(page)
    assert abs(accuracy - 50) < 1, (
        f"after 2 right and 2 wrong characters the accuracy is {accuracy:.0f}%, not 50%"
    )
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    clock.run_for(1000)
    accuracy = _accuracy(page)
    assert abs(accuracy - 50) < 1, (
        f"Backspace changed the accuracy from 50% to {accuracy:.0f}%, though mistakes must stay"
    )
    _type(page, NEVER[2:])
    clock.run_for(200)
    right = 100 * len(NEVER) / (len(NEVER) + 2)
    accuracy = _accuracy(page)
    assert abs(accuracy - right) <= 1, (
        f"{len(NEVER)} of {len(NEVER) + 2} typed characters were right ({right:.0f}%), "
        f"but the app shows {accuracy:.0f}%"
    )


def check_intention_finishes_only_on_the_exact_sentence(page: Page, clock: Clock) -> None:
    """A wrong last character does not end the run, the right one does."""
    _choose(page, PRACTICE)
    _type(page, PRACTICE[:-1] + "!")
    clock.run_for(2000)
    assert not _finished(page), "the run counts as finished though the last character is wrong"
    page.keyboard.press("Backspace")
    page.keyboard.type(".")
    clock.run_for(200)
    assert _finished(page), 'the whole sentence is typed, but "Finished" does not show'


def check_dynamic_clock_waits_runs_and_stops(page: Page, clock: Clock) -> None:
    """The clock waits for the first keystroke, runs live and stands still after the end."""
    _choose(page, NEVER)
    clock.run_for(3000)
    assert _time(page) == 0, f"the clock shows {_time(page)} s before the first keystroke"
    _type(page, NEVER[:4])
    clock.run_for(5000)
    live, speed = _time(page), _speed(page)
    assert abs(live - 5) <= 0.3, f"5 s after the first keystroke the clock shows {live} s"
    assert 8 <= speed <= 11, f"4 characters in 5 s are 10 WPM, but the app shows {speed:.0f} live"
    _type(page, NEVER[4:])
    clock.run_for(4000)
    end = _time(page)
    assert abs(end - 5) <= 0.15, f"the clock ran on after the end: {end} s instead of 5.0 s"
    page.keyboard.type("zz")
    value = _box(page).input_value()
    assert value == NEVER, f'the box is not locked after the end: it holds "{value}"'


def check_dynamic_restart_begins_afresh(page: Page, clock: Clock) -> None:
    """Restart after a faulty, finished run clears everything, and the next run counts alone."""
    _choose(page, NEVER)
    _type(page, "Nex")
    page.keyboard.press("Backspace")
    clock.run_for(8000)
    _type(page, NEVER[2:])
    page.get_by_role("button", name=re.compile("restart", re.I)).click()
    clock.run_for(2000)
    value = _box(page).input_value()
    assert value == "", f'after Restart the box still holds "{value}"'
    assert not _finished(page), 'after Restart "Finished" still shows'
    _assert_fresh(page, "after Restart")
    _type(page, NEVER[:6])
    clock.run_for(3000)
    _type(page, NEVER[6:])
    clock.run_for(200)
    assert _finished(page), "after Restart the sentence cannot be typed to its end"
    time, speed, accuracy = _time(page), _speed(page), _accuracy(page)
    assert abs(time - 3) <= 0.15, f"the run after Restart took 3.0 s, but the app shows {time} s"
    assert abs(speed - 72) <= 1, f"the run after Restart is 72 WPM, not {speed:.0f} WPM"
    assert accuracy == 100, (
        f"the run after Restart was free of mistakes, but the accuracy is {accuracy:.0f}%"
    )


def check_dynamic_other_sentence_begins_afresh(page: Page, clock: Clock) -> None:
    """Choosing another sentence in mid-run empties the box and stops the clock."""
    _choose(page, FOX)
    _type(page, "The quack")
    clock.run_for(3000)
    _choose(page, PRACTICE)
    clock.run_for(3000)
    value = _box(page).input_value()
    assert value == "", f'after choosing another sentence the box still holds "{value}"'
    _assert_fresh(page, "after choosing another sentence")


def check_dynamic_pasting_is_refused(page: Page) -> None:
    """Text pasted from the clipboard does not get into the box."""
    _choose(page, PRACTICE)
    _type(page, "Prac")
    for key in ("Control+a", "Control+c", "End", "Control+v"):
        page.keyboard.press(key)
    value = _box(page).input_value()
    assert value == "Prac", f'pasted text got into the box: it holds "{value}" after "Prac"'
