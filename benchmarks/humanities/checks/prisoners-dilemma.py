"""Checks of prisoners-dilemma: whole games of ten rounds against each of the four opponents."""

import re

from playwright.sync_api import Locator, Page, expect

POINTS = {"CC": (3, 3), "CD": (0, 5), "DC": (5, 0), "DD": (1, 1)}
BUTTONS = {"C": "cooperate", "D": "defect"}
VERDICTS = ("You win", "They win", "Draw")
OPPONENTS = ("Always cooperate", "Always defect", "Tit for tat", "Grudger")


def _answer(opponent: str, seen: str) -> str:
    if opponent == "Tit for tat":
        return seen[-1:] or "C"
    if opponent == "Grudger":
        return "D" if "D" in seen else "C"
    return "D" if opponent == "Always defect" else "C"


def _expected(opponent: str, moves: str) -> list[tuple[int, int]]:
    return [POINTS[move + _answer(opponent, moves[:i])] for i, move in enumerate(moves)]


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"\b{name}", re.I))


def _choose(page: Page, opponent: str) -> None:
    page.get_by_role("combobox", name=re.compile("opponent", re.I)).select_option(label=opponent)


def _play(page: Page, moves: str) -> None:
    for number, move in enumerate(moves, 1):
        button = _button(page, BUTTONS[move])
        assert button.is_enabled(), f"{BUTTONS[move].title()} cannot be pressed in move {number}"
        button.click()


def _text(page: Page) -> str:
    return page.locator("body").inner_text()


def _read(page: Page, name: str) -> int:
    found = re.search(rf"{name}[:\s]*(\d+)", _text(page), re.I)
    assert found, f'no read-out like "{name}: 0" on the page'
    return int(found[1])


def _scores(page: Page) -> tuple[int, int]:
    return _read(page, "Your score"), _read(page, "Their score")


def _history(page: Page) -> list[tuple[int, int]]:
    """The points of both sides in the history table, in the order of the rounds."""
    table = (
        page.get_by_role("table")
        .filter(has_text=re.compile("round.*your points", re.I | re.S))
        .last
    )
    rows = [
        [cell.strip() for cell in row.split("\t")]
        for row in table.get_by_role("row").all_inner_texts()
    ]
    heads = [cell.lower() for cell in rows[0]]
    for name in ("round", "you", "they", "your points", "their points"):
        assert name in heads, f'the history table has no column "{name.capitalize()}": {heads}'
    at = [heads.index(name) for name in ("round", "your points", "their points")]
    found = []
    for row in rows[1:]:
        numbers = [re.search(r"\d+", row[i]) if i < len(row) else None for i in at]
        if all(numbers):
            found.append(tuple(int(number[0]) for number in numbers if number))
    return [(mine, theirs) for _, mine, theirs in sorted(found)]


def _verdicts(page: Page) -> dict[str, int]:
    return {word: len(re.findall(rf"\b{word}\b", _text(page), re.I)) for word in VERDICTS}


def _shows_game_over(page: Page) -> bool:
    return re.search(r"game over", _text(page), re.I) is not None


def _assert_fresh(page: Page, when: str) -> None:
    assert _scores(page) == (0, 0), f"{when} the scores read {_scores(page)} instead of 0 and 0"
    assert _history(page) == [], f"{when} the history still holds {len(_history(page))} rounds"
    assert re.search(r"round\s*1\s*of\s*10", _text(page), re.I), (
        f'{when} the app does not say "Round 1 of 10"'
    )
    assert not _shows_game_over(page), f'{when} "Game over" shows'


def check_static_controls_and_first_state(page: Page) -> None:
    """Move buttons, New game and the four opponents are there, and the game stands at its start."""
    for name in ("cooperate", "defect", "new game"):
        expect(_button(page, name), f"no button {name.capitalize()}").to_be_visible()
    select = page.get_by_role("combobox", name=re.compile("opponent", re.I))
    expect(select, "no drop-down labelled Opponent").to_be_visible()
    options = [text.strip() for text in select.locator("option").all_inner_texts()]
    for opponent in OPPONENTS:
        assert opponent in options, f'the drop-down Opponent does not offer "{opponent}"'
    _assert_fresh(page, "before the first move")


def check_static_reason_is_explained(page: Page) -> None:
    """A text headed Why it is a dilemma stands on the page."""
    heading = page.get_by_role("heading", name=re.compile("why it is a dilemma", re.I))
    heading = heading.or_(page.get_by_text(re.compile(r"^\s*why it is a dilemma\W*$", re.I)))
    expect(heading.first, "no text headed Why it is a dilemma").to_be_visible()


def _check_game(page: Page, opponent: str, moves: str) -> None:
    """Play a game and compare every round, the totals and the end with the rules."""
    _choose(page, opponent)
    before = _verdicts(page)
    _play(page, moves)
    expected, found = _expected(opponent, moves), _history(page)
    for number, points in enumerate(expected):
        shown = found[number] if number < len(found) else None
        assert shown == points, (
            f"against {opponent}, after the moves {moves[: number + 1]} round {number + 1} gives "
            f"{points[0]} to {points[1]}, but the history shows {shown}"
        )
    totals = (sum(mine for mine, _ in expected), sum(theirs for _, theirs in expected))
    assert _scores(page) == totals, (
        f"ten rounds against {opponent} make {totals}, but the scores read {_scores(page)}"
    )
    assert _shows_game_over(page), f'no "Game over" after ten rounds against {opponent}'
    right = VERDICTS[(totals[0] <= totals[1]) + (totals[0] == totals[1])]
    after = _verdicts(page)
    told = [word for word in VERDICTS if after[word] > before[word]]
    assert told == [right], f'{totals[0]} to {totals[1]} means "{right}", the app says {told}'


def check_intention_steady_opponents_and_payoffs(page: Page) -> None:
    """Always cooperate and Always defect never change, and every payoff is right."""
    _check_game(page, "Always defect", "DCDDCDDDDC")
    _check_game(page, "Always cooperate", "CDCDDCCCDC")


def check_intention_tit_for_tat_copies_the_previous_move(page: Page) -> None:
    """Tit for tat begins kindly and answers each move one round later."""
    _check_game(page, "Tit for tat", "CCDCCDDCCD")


def check_intention_grudger_never_forgives(page: Page) -> None:
    """Grudger cooperates until the first defection and then defects to the end."""
    _check_game(page, "Grudger", "CCCDCCCDCC")


def check_intention_lasting_cooperation_is_a_draw(page: Page) -> None:
    """Ten rounds of mutual cooperation end 30 to 30."""
    _check_game(page, "Tit for tat", "CCCCCCCCCC")


def check_dynamic_no_eleventh_round(page: Page) -> None:
    """After ten rounds neither buttons nor keys add points or rounds."""
    _choose(page, "Always cooperate")
    _play(page, "CDCDCDCDCD")
    assert _shows_game_over(page), 'no "Game over" after the tenth round'
    scores = _scores(page)
    for name in ("cooperate", "defect"):
        button = _button(page, name)
        if button.count() and button.is_visible() and button.is_enabled():
            button.click()
    page.get_by_role("heading").first.click()
    page.keyboard.press("c")
    page.keyboard.press("d")
    rounds = len(_history(page))
    assert rounds == 10, f"a game has 10 rounds, but the history went on to {rounds}"
    assert _scores(page) == scores, (
        f"the scores changed after the end of the game, from {scores} to {_scores(page)}"
    )


def check_dynamic_keys_play_as_the_buttons_do(page: Page) -> None:
    """C and D on the keyboard play their moves."""
    _choose(page, "Grudger")
    page.get_by_role("heading").first.click()
    for key in "cddc":
        page.keyboard.press(key)
    expected, found = _expected("Grudger", "CDDC"), _history(page)
    assert found == expected, (
        f"the keys C D D C against Grudger should give {expected}, the history shows {found}"
    )
    assert re.search(r"round\s*5\s*of\s*10", _text(page), re.I), (
        'after four moves the app does not say "Round 5 of 10"'
    )


def check_dynamic_keys_and_buttons_can_be_mixed(page: Page) -> None:
    """The keys go on working after a button was pressed with the mouse."""
    _choose(page, "Always cooperate")
    moves = ""
    for name, key in (("cooperate", "d"), ("defect", "c"), ("new game", "d")):
        _button(page, name).click()
        moves = "" if name == "new game" else moves + name[0].upper()
        page.keyboard.press(key)
        moves += key.upper()
        expected, found = _expected("Always cooperate", moves), _history(page)
        assert found == expected, (
            f"after a click on {name.capitalize()} the key {key.upper()} should make the history "
            f"{expected}, but it shows {found}"
        )


def check_dynamic_new_game_and_other_opponent_start_afresh(page: Page) -> None:
    """New game and a change of opponent clear scores, history and grudges."""
    _choose(page, "Grudger")
    _play(page, "DDC")
    _button(page, "new game").click()
    _assert_fresh(page, "after New game")
    _play(page, "CC")
    assert _scores(page) == (6, 6), (
        "after New game Grudger still bears the grudge of the game before: "
        f"two cooperations gave {_scores(page)} instead of 6 and 6"
    )
    _choose(page, "Always defect")
    _assert_fresh(page, "after choosing another opponent")
    _play(page, "DDDDDDDDDD")
    _button(page, "new game").click()
    _assert_fresh(page, "after New game at the end of a game")
    _play(page, "C")
    assert _scores(page) == (0, 5), f"the first move of a new game gave {_scores(page)}, not (0, 5)"
