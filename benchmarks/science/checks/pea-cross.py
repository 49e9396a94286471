"""Checks of pea-cross: Punnett square, expected shares and the random harvest of any cross."""

import re
from collections import Counter
from itertools import product

from playwright.sync_api import Locator, Page, expect

_LISTS = ("Parent 1 colour", "Parent 1 shape", "Parent 2 colour", "Parent 2 shape")
_LOOKS = ("Yellow round", "Yellow wrinkled", "Green round", "Green wrinkled")
_Cross = tuple[str, str, str, str]
_DOUBLE: _Cross = ("Yy", "Rr", "Yy", "Rr")


def _list(page: Page, label: str) -> Locator:
    pattern = label.replace(" ", r"\s+").replace("colour", "colou?r")
    return page.get_by_role("combobox", name=re.compile(pattern, re.I)).first


def _choose(page: Page, cross: _Cross) -> None:
    for label, genes in zip(_LISTS, cross, strict=True):
        box = _list(page, label)
        expect(box, f"no drop-down list labelled {label}").to_be_visible(timeout=3000)
        options = box.locator("option").all_text_contents()
        fitting = [i for i, text in enumerate(options) if re.search(rf"\b{genes}\b", text)]
        assert fitting, f"{label} does not offer {genes}, only {', '.join(options)}"
        box.select_option(index=fitting[0])


def _name(cross: _Cross) -> str:
    return f"{cross[0]}{cross[1]} × {cross[2]}{cross[3]}"


def _gametes(colour: str, shape: str) -> list[str]:
    return [c + s for c, s in product(colour, shape)]


def _offspring(cross: _Cross) -> Counter[str]:
    pairs = product(_gametes(*cross[:2]), _gametes(*cross[2:]))
    return Counter("".join(sorted(a[0] + b[0])) + "".join(sorted(a[1] + b[1])) for a, b in pairs)


def _shares(cross: _Cross) -> dict[str, int]:
    shares = dict.fromkeys(_LOOKS, 0)
    for genes, count in _offspring(cross).items():
        colour = "Yellow" if "Y" in genes else "Green"
        shares[f"{colour} {'round' if 'R' in genes else 'wrinkled'}"] += count
    return shares


def _square(page: Page) -> Counter[str]:
    genes = re.compile(r"\b(?:YY|Yy|yy)\s*(?:RR|Rr|rr)\b")
    cells = page.get_by_role("cell").filter(has_text=re.compile(r"[Yy]{2}\s*[Rr]{2}"))
    found = (genes.search(text) for text in cells.all_inner_texts())
    return Counter(re.sub(r"\s", "", match[0]) for match in found if match)


def _rows(page: Page) -> dict[str, list[str]]:
    """The cells look, expected, harvested of the second table's rows, by look."""
    cells = page.get_by_role("row").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.innerText.trim()))"
    )
    rows = {}
    for look in _LOOKS:
        pattern = re.compile(look.replace(" ", r"\W+"), re.I)
        fitting = [row for row in cells if pattern.search(row[0]) and "16" in " ".join(row[1:])]
        assert fitting, f"no table has a row {look} with an expected share of 16"
        assert len(fitting[0]) >= 3, f"the row {look} lacks Expected or Harvested: {fitting[0]}"
        rows[look] = fitting[0]
    return rows


def _expected(page: Page) -> dict[str, int]:
    shares = {}
    for look, row in _rows(page).items():
        found = re.search(r"(\d+)\s*(?:of|/)\s*16", row[1])
        assert found, f"the share of {look} does not read like “9 of 16” but “{row[1]}”"
        shares[look] = int(found[1])
    return shares


def _harvest(page: Page) -> dict[str, int]:
    counts = {}
    for look, row in _rows(page).items():
        found = re.search(r"\d+", row[2])
        assert found, f"the column Harvested shows no number for {look}, but “{row[2]}”"
        counts[look] = int(found[0])
    return counts


def _grow(page: Page) -> None:
    page.get_by_role("button", name=re.compile(r"grow\s+160", re.I)).first.click()


def _expect_total(page: Page, total: int, when: str) -> None:
    expect(
        page.locator("body"), f"{when} the text does not read “Total harvested: {total}”"
    ).to_contain_text(
        re.compile(rf"Total\s+harvested\s*[:=]?\s*{total}(?!\d)", re.I),
        use_inner_text=True,
        timeout=3000,
    )


def check_intention_square_holds_every_combination(page: Page) -> None:
    """Headings are the parents' gametes and the cells all their combinations."""
    for cross in (("YY", "Rr", "yy", "Rr"), ("Yy", "rr", "yy", "Rr"), _DOUBLE):
        _choose(page, cross)
        wanted, shown = _offspring(cross), _square(page)
        assert shown == wanted, (
            f"the square of {_name(cross)} should hold {dict(wanted)}, but holds {dict(shown)}"
        )
        heads = page.get_by_role("columnheader").or_(page.get_by_role("rowheader"))
        texts = [re.sub(r"\s", "", text) for text in heads.all_inner_texts()]
        gametes = sorted(text for text in texts if re.fullmatch("[Yy][Rr]", text))
        right = sorted(_gametes(*cross[:2]) + _gametes(*cross[2:]))
        assert gametes == right, (
            f"the headings for {_name(cross)} should be the gametes {', '.join(right)}, "
            f"but are {', '.join(gametes) or 'missing'}"
        )


def check_intention_expected_shares_follow_dominance(page: Page) -> None:
    """The expected shares are 9:3:3:1 for double heterozygotes and right for other crosses."""
    for cross in (
        _DOUBLE,
        ("Yy", "Rr", "yy", "rr"),
        ("Yy", "RR", "Yy", "rr"),
        ("yy", "Rr", "Yy", "Rr"),
    ):
        _choose(page, cross)
        shown = _expected(page)
        for look, wanted in _shares(cross).items():
            assert shown[look] == wanted, (
                f"{_name(cross)} should give {wanted} of 16 {look.lower()}, "
                f"but {shown[look]} of 16 is shown"
            )


def check_intention_harvest_belongs_to_the_cross(page: Page) -> None:
    """Looks that a cross cannot have are never harvested, the others in about their share."""
    for cross in (("YY", "RR", "yy", "rr"), ("yy", "Rr", "yy", "rr"), _DOUBLE):
        _choose(page, cross)
        _grow(page)
        _expect_total(page, 160, f"after growing 160 peas of {_name(cross)}")
        counts = _harvest(page)
        for look, share in _shares(cross).items():
            mean = 10 * share
            slack = 8 * (mean * (16 - share) / 16) ** 0.5  # eight standard deviations
            assert abs(counts[look] - mean) <= slack, (
                f"of 160 peas of {_name(cross)} about {mean} should be {look.lower()}, "
                f"but {counts[look]} were harvested"
            )


def check_static_lists_start_at_double_heterozygotes(page: Page) -> None:
    """Four labelled lists with three genotypes each start at Yy and Rr."""
    for label, start in zip(_LISTS, _DOUBLE, strict=True):
        box = _list(page, label)
        expect(box, f"no drop-down list labelled {label}").to_be_visible(timeout=3000)
        options = " ".join(box.locator("option").all_text_contents())
        for genes in (start.upper(), start, start.lower()):
            assert re.search(rf"\b{genes}\b", options), f"{label} does not offer {genes}"
        chosen = box.locator("option:checked").inner_text()
        assert re.search(rf"\b{start}\b", chosen), f"{label} starts at {chosen} instead of {start}"


def check_static_both_tables_are_there(page: Page) -> None:
    """A square of sixteen genotypes and a table Look, Expected, Harvested stand at the start."""
    count = _square(page).total()
    assert count == 16, f"the Punnett square shows {count} genotypes instead of 16"
    for name in ("Look", "Expected", "Harvested"):
        head = page.get_by_role("columnheader", name=re.compile(rf"^\W*{name}", re.I)).first
        expect(head, f"no column headed {name}").to_be_visible(timeout=3000)
    _rows(page)
    for name in (r"grow\s+160\s+peas", r"clear\s+harvest"):
        button = page.get_by_role("button", name=re.compile(name, re.I)).first
        label = name.replace(r"\s+", " ").capitalize()
        expect(button, f"no button {label}").to_be_visible(timeout=3000)


def check_dynamic_growing_adds_160_each_time(page: Page) -> None:
    """Each press adds 160 peas, and the four looks always add up to the total."""
    before = dict.fromkeys(_LOOKS, 0)
    for total in (160, 320, 480):
        _grow(page)
        _expect_total(page, total, f"after growing {total // 160} times")
        counts = _harvest(page)
        assert sum(counts.values()) == total, (
            f"the harvested looks add up to {sum(counts.values())} instead of {total}"
        )
        less = [look for look in _LOOKS if counts[look] < before[look]]
        assert not less, f"growing more peas took away some that were {', '.join(less).lower()}"
        before = counts


def check_dynamic_harvest_is_cleared(page: Page) -> None:
    """Clear harvest and any change of a parent set all counts and the total to zero."""
    clear = page.get_by_role("button", name=re.compile(r"clear\s+harvest", re.I)).first
    actions = {"Clear harvest": _DOUBLE, "changing Parent 2 shape": ("Yy", "Rr", "Yy", "RR")}
    for action, cross in actions.items():
        _grow(page)
        _expect_total(page, 160, "after growing once")
        if cross == _DOUBLE:
            clear.click()
        else:
            _choose(page, cross)
        _expect_total(page, 0, f"after {action}")
        left = {look: count for look, count in _harvest(page).items() if count}
        assert not left, f"after {action} the column Harvested still shows {left}"
    _grow(page)
    _expect_total(page, 160, "after clearing and growing once more")


def check_dynamic_changing_back_restores_the_cross(page: Page) -> None:
    """Choosing other parents and then the first ones again gives the first ratio again."""
    for cross in (("yy", "rr", "yy", "rr"), _DOUBLE):
        _choose(page, cross)
        shown = _expected(page)
        assert shown == _shares(cross), f"for {_name(cross)} the expected shares read {shown}"
        assert _square(page) == _offspring(cross), f"the square does not show {_name(cross)}"
