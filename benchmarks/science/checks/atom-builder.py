"""Checks of atom-builder: elements, mass, charge and shells follow the particle buttons."""

import re

from playwright.sync_api import Locator, Page, expect

_ELEMENTS = (
    ("Hydrogen", "H"),
    ("Helium", "He"),
    ("Lithium", "Li"),
    ("Beryllium", "Be"),
    ("Boron", "B"),
    ("Carbon", "C"),
    ("Nitrogen", "N"),
    ("Oxygen", "O"),
    ("Fluorine", "F"),
    ("Neon", "Ne"),
    ("Sodium", "Na"),
    ("Magnesium", "Mg"),
    ("Aluminium", "Al"),
    ("Silicon", "Si"),
    ("Phosphorus", "P"),
    ("Sulfur", "S"),
    ("Chlorine", "Cl"),
    ("Argon", "Ar"),
    ("Potassium", "K"),
    ("Calcium", "Ca"),
)
_SPELLINGS = {"Aluminium": "Alumini?um", "Sulfur": "Sul(?:f|ph)ur"}
_MOST = {"proton": 20, "neutron": 24, "electron": 20}


def _button(page: Page, name: str) -> Locator:
    pattern = name.replace(" ", r"\s+(?:an?\s+)?")
    return page.get_by_role("button", name=re.compile(rf"\b{pattern}\b", re.I)).first


def _press(page: Page, name: str, times: int = 1) -> None:
    button = _button(page, name)
    expect(button, f"the button {name} cannot be pressed").to_be_enabled(timeout=3000)
    button.click()
    for _ in range(times - 1):
        button.press("Enter")  # much quicker than many clicks


def _expect(page: Page, label: str, value: str, message: str) -> None:
    pattern = re.compile(rf"\b{label}\b\s*[:=]?\s*{value}", re.I)
    expect(page.locator("body"), message).to_contain_text(
        pattern, use_inner_text=True, timeout=3000
    )


def _expect_count(page: Page, particle: str, count: int, when: str) -> None:
    label = f"{particle.capitalize()}s"
    _expect(page, label, rf"{count}(?!\d)", f"{when}, the text does not read “{label}: {count}”")


def check_intention_protons_decide_the_element(page: Page) -> None:
    """Each proton more gives the next element with its symbol, from hydrogen to calcium."""
    for number, (name, symbol) in enumerate(_ELEMENTS, start=1):
        if number > 1:
            _press(page, "Add proton")
        _expect(
            page,
            "Element",
            rf"{_SPELLINGS.get(name, name)}\s*\(\s*{symbol}\s*\)",
            f"with {number} protons the element is not shown as {name} ({symbol})",
        )


def check_intention_mass_and_charge_are_counted(page: Page) -> None:
    """Mass number adds protons and neutrons, charge subtracts electrons and carries its sign."""
    for name, times, mass, charge in (
        ("Add proton", 2, 3, 2),
        ("Add neutron", 4, 7, 2),
        ("Add electron", 1, 7, 1),
        ("Add electron", 1, 7, 0),
        ("Add electron", 2, 7, -2),
        ("Remove neutron", 1, 6, -2),
    ):
        _press(page, name, times)
        when = f"after {name} {times} times"
        _expect(
            page, "Mass number", rf"{mass}(?!\d)", f"{when}, the mass number is not shown as {mass}"
        )
        sign = {1: r"\+\s*", 0: "", -1: r"[-−–]\s*"}[(charge > 0) - (charge < 0)]
        written = f"{charge:+d}" if charge else "0"
        _expect(
            page,
            "Charge",
            rf"{sign}{abs(charge)}(?!\d)",
            f"{when}, the charge is not shown as {written}",
        )


def check_intention_shells_fill_from_the_inside(page: Page) -> None:
    """The shells hold 2, 8 and 8 electrons, and the last two go to a fourth."""
    for count in range(1, 21):
        if count > 1:
            _press(page, "Add electron")
        shells = [min(room, count - before) for before, room in ((0, 2), (2, 8), (10, 8), (18, 2))]
        shells = [n for n in shells if n > 0]
        _expect(
            page,
            "Shells",
            r"\s*,\s*".join(map(str, shells)) + r"(?!\s*,?\s*\d)",
            f"with {count} electrons the shells are not shown as {', '.join(map(str, shells))}",
        )


def check_static_buttons_are_there(page: Page) -> None:
    """Six particle buttons and a Reset button are visible."""
    for particle in _MOST:
        for verb in ("Add", "Remove"):
            name = f"{verb} {particle}"
            expect(_button(page, name), f"no button {name}").to_be_visible(timeout=3000)
    expect(_button(page, "Reset"), "no button Reset").to_be_visible(timeout=3000)


def check_static_hydrogen_is_shown_at_the_start(page: Page) -> None:
    """All seven read-outs describe the hydrogen atom at the start."""
    for label, value in (
        ("Protons", r"1(?!\d)"),
        ("Neutrons", r"0(?!\d)"),
        ("Electrons", r"1(?!\d)"),
        ("Element", r"Hydrogen\s*\(H\)"),
        ("Mass number", r"1(?!\d)"),
        ("Charge", r"0(?!\d)"),
        ("Shells", r"1(?!\s*,?\s*\d)"),
    ):
        plain = value.split("(?!")[0].replace(r"\s*", " ").replace("\\", "")
        _expect(page, label, value, f"at the start the text does not read “{label}: {plain}”")


def check_dynamic_limits_disable_their_button(page: Page) -> None:
    """At 0 and at the largest number the button is disabled, one step back it works again."""
    for particle, most in _MOST.items():
        add, remove = f"Add {particle}", f"Remove {particle}"
        if particle != "neutron":
            _press(page, remove)
        message = f"with no {particle}s the button {remove} is not disabled"
        expect(_button(page, remove), message).to_be_disabled(timeout=3000)
        _press(page, add, most)
        message = f"with {most} {particle}s the button {add} is not disabled"
        expect(_button(page, add), message).to_be_disabled(timeout=3000)
        _expect_count(page, particle, most, f"after {add} up to the limit")
        _press(page, remove)
        message = f"with {most - 1} {particle}s the button {add} does not work again"
        expect(_button(page, add), message).to_be_enabled(timeout=3000)


def check_dynamic_empty_atom_is_survived(page: Page) -> None:
    """Without protons and electrons Element and Shells read none, and adding works again."""
    _press(page, "Remove proton")
    _expect(page, "Element", "none", "without protons the text does not read “Element: none”")
    _press(page, "Remove electron")
    _expect(page, "Shells", "none", "without electrons the text does not read “Shells: none”")
    _expect(page, "Mass number", r"0(?!\d)", "of an empty atom the mass number is not 0")
    text = page.locator("body").inner_text()
    assert not re.search(r"undefined|NaN|null", text), "the empty atom shows “undefined” or “NaN”"
    _press(page, "Add proton", 2)
    _expect(page, "Element", r"Helium\s*\(He\)", "after adding two protons Helium is not shown")


def check_dynamic_reset_returns_to_hydrogen(page: Page) -> None:
    """Reset sets protons, neutrons and electrons back, and later clicks count from there."""
    _press(page, "Add proton", 3)
    _press(page, "Add neutron", 5)
    _press(page, "Add electron", 2)
    _press(page, "Reset")
    for particle, count in (("proton", 1), ("electron", 1), ("neutron", 0)):
        _expect_count(page, particle, count, "after Reset")
    _expect(page, "Element", "Hydrogen", "after Reset the element is not Hydrogen")
    _expect(page, "Mass number", r"1(?!\d)", "after Reset the mass number is not 1")
    _press(page, "Add proton")
    _expect(page, "Element", "Helium", "after Reset one more proton does not give Helium")
