"""Checks of equation-balancer: smallest coefficients, brackets, hydrates, atom table and errors."""

import re

from playwright.sync_api import Locator, Page, expect

_LOW = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))


def _field(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile(r"\bequation\b", re.I)).first


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^\W*{name}\b", re.I)).first


def _balance(page: Page, equation: str, *, enter: bool = False) -> None:
    _field(page).fill(equation)
    if enter:
        _field(page).press("Enter")
    else:
        _button(page, "Balance").click()


def _pattern(equation: str) -> re.Pattern[str]:
    """Match a balanced equation however its digits, dots, arrow and gaps are set."""
    parts = []
    for token in re.findall(r"->|\S", equation):
        if token == "->":
            parts.append("(?:->|=|→|⟶|⇌)")
        elif token == ".":
            parts.append("[.·•∙⋅*]")
        else:
            parts.append(f"[{token}{_LOW[token]}]" if token.isdigit() else re.escape(token))
    body = r"\s*".join(parts)
    return re.compile(rf"Balanced(?:\s+equation)?\s*:?\s*{body}(?![\d₀-₉(\[])")


def _shown(page: Page) -> str:
    found = re.search(r"Balanced[^\n]*\n?[^\n]*", page.locator("body").inner_text())
    return f"“{found[0].strip()}” is shown" if found else "no “Balanced:” is shown"


def _expect_balanced(page: Page, typed: str, wanted: str) -> None:
    try:
        expect(page.locator("body")).to_contain_text(
            _pattern(wanted), use_inner_text=True, timeout=3000
        )
    except AssertionError:
        message = f"“{typed}” should give “Balanced: {wanted}”, but {_shown(page)}"
        raise AssertionError(message) from None


def _expect_text(page: Page, pattern: str, message: str) -> None:
    expect(page.locator("body"), message).to_contain_text(
        re.compile(pattern, re.I), use_inner_text=True, timeout=3000
    )


def _atom_rows(page: Page) -> dict[str, list[str]]:
    rows = {}
    for row in page.get_by_role("row").all():
        cells = row.get_by_role("cell").or_(row.get_by_role("rowheader")).all_inner_texts()
        if len(cells) >= 3:
            rows[cells[0].strip()] = [cell.strip() for cell in cells[1:3]]
    return rows


def _expect_no_result(page: Page, when: str) -> None:
    text = page.locator("body").inner_text()
    assert not re.search(r"Balanced(?:\s+equation)?\s*:?\s*[\d(\[A-Z]", text), (
        f"{when}, an old result is left: {_shown(page)}"
    )
    rows = [name for name, cells in _atom_rows(page).items() if any(map(str.isdigit, cells))]
    assert not rows, f"{when}, the atom table still counts {', '.join(rows)}"


def check_intention_smallest_coefficients(page: Page) -> None:
    """Ordinary equations get their smallest whole numbers, without ones."""
    for typed, wanted in (
        ("C3H8 + O2 -> CO2 + H2O", "C3H8 + 5 O2 -> 3 CO2 + 4 H2O"),
        ("Fe2(SO4)3 + KOH -> K2SO4 + Fe(OH)3", "Fe2(SO4)3 + 6 KOH -> 3 K2SO4 + 2 Fe(OH)3"),
        (
            "KMnO4 + HCl -> KCl + MnCl2 + H2O + Cl2",
            "2 KMnO4 + 16 HCl -> 2 KCl + 2 MnCl2 + 8 H2O + 5 Cl2",
        ),
        ("C4H10+O2=CO2+H2O", "2 C4H10 + 13 O2 -> 8 CO2 + 10 H2O"),
    ):
        _balance(page, typed)
        _expect_balanced(page, typed, wanted)


def check_intention_brackets_and_hydrates(page: Page) -> None:
    """Nested brackets multiply everything inside, and crystal water counts in full."""
    for typed, wanted in (
        (
            "K4Fe(CN)6 + H2SO4 + H2O -> K2SO4 + FeSO4 + (NH4)2SO4 + CO",
            "K4Fe(CN)6 + 6 H2SO4 + 6 H2O -> 2 K2SO4 + FeSO4 + 3 (NH4)2SO4 + 6 CO",
        ),
        (
            "Fe4(Fe(CN)6)3 + NaOH -> Na4Fe(CN)6 + Fe(OH)3",
            "Fe4(Fe(CN)6)3 + 12 NaOH -> 3 Na4Fe(CN)6 + 4 Fe(OH)3",
        ),
        ("CuSO4.5H2O -> CuSO4 + H2O", "CuSO4.5H2O -> CuSO4 + 5 H2O"),
        (
            "Na2CO3.10H2O + HCl -> NaCl + H2O + CO2",
            "Na2CO3.10H2O + 2 HCl -> 2 NaCl + 11 H2O + CO2",
        ),
    ):
        _balance(page, typed)
        _expect_balanced(page, typed, wanted)


def check_intention_impossible_and_ambiguous_are_told_apart(page: Page) -> None:
    """Equations without a positive solution and with several solutions are called so."""
    for typed, words in (
        ("H2 + H2O -> O2", "cannot be balanced"),
        ("C + O2 -> CO + CO2", "more than one way"),
        ("NaCl + O2 -> NaCl", "cannot be balanced"),
        ("KClO3 + HCl -> KCl + H2O + Cl2 + ClO2", "more than one way"),
    ):
        _balance(page, typed)
        _expect_text(page, words, f"for “{typed}” the page does not say “{words}”")
        _expect_no_result(page, f"after “{typed}”")


def check_intention_table_counts_the_atoms(page: Page) -> None:
    """The table counts every element of the balanced equation, alike on both sides."""
    for typed, counts in (
        ("Fe2(SO4)3 + KOH -> K2SO4 + Fe(OH)3", {"Fe": 2, "S": 3, "O": 18, "K": 6, "H": 6}),
        ("C2H6 + O2 -> CO2 + H2O", {"C": 4, "H": 12, "O": 14}),
    ):
        _balance(page, typed)
        _expect_text(page, r"Balanced\s*:?", f"“{typed}” gives no result")
        rows = {re.split(r"\W", name)[0]: cells for name, cells in _atom_rows(page).items()}
        for element, count in counts.items():
            cells = rows.get(element)
            assert cells, f"for “{typed}” the table has no row for {element}"
            assert cells == [str(count)] * 2, (
                f"for “{typed}” the table should count {count} {element} on the left and on the "
                f"right, but reads {cells[0]} and {cells[1]}"
            )
        assert len(rows) == len(counts), f"the table of “{typed}” has extra rows: {sorted(rows)}"


def check_static_field_and_buttons_are_there(page: Page) -> None:
    """A text field labelled Equation and the buttons Balance and Clear are visible."""
    expect(_field(page), "no text field labelled Equation").to_be_visible(timeout=3000)
    for name in ("Balance", "Clear"):
        expect(_button(page, name), f"no button {name}").to_be_visible(timeout=3000)


def check_static_result_and_table_are_laid_out(page: Page) -> None:
    """The result follows the word Balanced, above a table headed Element, Left and Right."""
    _balance(page, "H2 + O2 -> H2O")
    _expect_balanced(page, "H2 + O2 -> H2O", "2 H2 + O2 -> 2 H2O")
    for name in ("Element", "Left", "Right"):
        head = page.get_by_role("columnheader", name=re.compile(rf"^\W*{name}", re.I)).first
        expect(head, f"the table has no column {name}").to_be_visible(timeout=3000)


def check_dynamic_enter_works_and_typed_numbers_are_ignored(page: Page) -> None:
    """Enter balances too, with or without numbers in front, and replaces the last result."""
    for typed, wanted in (
        ("2 H2 + 7 O2 = H2O", "2 H2 + O2 -> 2 H2O"),
        ("4Al + O2 -> 3Al2O3", "4 Al + 3 O2 -> 2 Al2O3"),
    ):
        _balance(page, typed, enter=True)
        _expect_balanced(page, typed, wanted)
    text = page.locator("body").inner_text()
    assert len(re.findall(r"Balanced\s*:", text)) <= 1, "two results stand on the page at once"


def check_dynamic_typing_mistakes_are_explained(page: Page) -> None:
    """Each typing mistake brings an error message and removes the result before it."""
    empty = set(page.locator("body").inner_text().split())
    for typed, mistake in (
        ("H2 + O2", "without an arrow"),
        (" -> H2O", "with an empty left side"),
        ("H2 + O2 ->", "with an empty right side"),
        ("Fe(OH3 -> Fe + H2O", "with an open bracket"),
    ):
        _balance(page, "N2 + H2 -> NH3")
        _expect_balanced(page, "N2 + H2 -> NH3", "N2 + 3 H2 -> 2 NH3")
        _balance(page, typed)
        when = f"after “{typed}”, {mistake}"
        _expect_no_result(page, when)
        new = set(page.locator("body").inner_text().split()) - empty
        assert len(new) >= 2, f"{when}, no error message is shown"


def check_dynamic_unknown_element_is_named(page: Page) -> None:
    """A symbol that is no element is called unknown, and the next equation works again."""
    _balance(page, "H2 + O2 -> H2O")
    _balance(page, "H2 + Xx2 -> H2Xx")
    _expect_text(
        page, r"unknown element\W+(?:\w+\W+)?Xx", "the page does not say “unknown element” and Xx"
    )
    _expect_no_result(page, "after an unknown element")
    _balance(page, "P4 + O2 -> P4O10")
    _expect_balanced(page, "P4 + O2 -> P4O10", "P4 + 5 O2 -> P4O10")
    message = "“unknown element” is still shown after a right equation"
    text = page.locator("body").inner_text()
    assert not re.search(r"unknown element\W+(?:\w+\W+)?Xx", text, re.I), message


def check_dynamic_clear_empties_everything(page: Page) -> None:
    """Clear removes the input, the result and the table, and an error too."""
    _balance(page, "H2 + O2 -> H2O")
    _expect_balanced(page, "H2 + O2 -> H2O", "2 H2 + O2 -> 2 H2O")
    _button(page, "Clear").click()
    expect(_field(page), "after Clear the field is not empty").to_have_value("", timeout=3000)
    _expect_no_result(page, "after Clear")
    _balance(page, "H2 -> O2")
    _expect_text(page, "cannot be balanced", "“H2 -> O2” is not called impossible")
    _button(page, "Clear").click()
    gone = page.get_by_text(re.compile("cannot be balanced", re.I)).filter(visible=True)
    expect(gone, "after Clear the error message is still there").to_have_count(0, timeout=3000)
