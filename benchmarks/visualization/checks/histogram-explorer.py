"""Checks of histogram-explorer: table, figures and measured bars against Python's statistics."""

from __future__ import annotations

import base64
import random
import re
import statistics
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

FIRST = [2.0, 4.0, 4.0, 5.0, 7.0, 9.0, 10.0, 12.0, 15.0, 22.0]
NO_DATA = re.compile(r"no data", re.I)
# Highest and lowest teal pixel of every column of a screenshot, as [top, bottom] or null.
COLUMNS = """async source => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,' + source;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.width; canvas.height = picture.height;
    const pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    const columns = [];
    for (let x = 0; x < picture.width; x++) {
        let top = -1, bottom = -1;
        for (let y = 0; y < picture.height; y++) {
            const i = 4 * (y * picture.width + x);
            if (Math.abs(data[i] - 15) < 14 && Math.abs(data[i + 1] - 118) < 14
                && Math.abs(data[i + 2] - 110) < 14) { if (top < 0) top = y; bottom = y; }
        }
        columns.push(top < 0 ? null : [top, bottom]);
    }
    return columns;
}"""


def _data(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile(r"^\s*data", re.I))


def _bins(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile("bins", re.I))


def _cumulative(page: Page) -> Locator:
    return page.get_by_role("checkbox", name=re.compile("cumulative", re.I))


def _enter(page: Page, clock: Clock, text: str, bins: int | None = None) -> None:
    _data(page).fill(text)
    if bins is not None:
        _bins(page).fill(str(bins))
    clock.run_for(400)


def _says_no_data(page: Page) -> bool:
    said = page.get_by_text(NO_DATA)
    return any(said.nth(i).is_visible() for i in range(said.count()))


def _text(page: Page) -> str:
    return page.locator("body").inner_text().replace("\u2212", "-")


def _figure(page: Page, name: str) -> str:
    found = re.search(rf"{name}\s*:?\s*(-?\d+(?:[.,]\d+)?|n/a)", _text(page), re.I)
    assert found, f'no read-out like "{name}: …" with a number'
    return found[1].replace(",", ".").lower()


def _table(page: Page) -> list[tuple[float, float, int]]:
    table = page.get_by_role("table").filter(has_text=re.compile("from.*to.*count", re.I | re.S))
    expect(table.last, "no table From, To, Count").to_be_attached()
    rows = [
        [cell.strip() for cell in row.replace("\u2212", "-").split("\t")]
        for row in table.last.get_by_role("row").all_inner_texts()
    ]
    heads = [cell.lower() for cell in rows[0]]
    at = [next((i for i, h in enumerate(heads) if h.startswith(n)), -1) for n in ("from", "to")]
    at.append(next((i for i, head in enumerate(heads) if "count" in head), -1))
    assert -1 not in at, f"the table of bins has no columns From, To and Count, but {heads}"
    found = []
    for row in rows[1:]:
        cells = [re.search(r"-?\d+(?:[.,]\d+)?", row[i]) if i < len(row) else None for i in at]
        if all(cells):
            start, end, count = (float(c[0].replace(",", ".")) for c in cells if c)
            found.append((start, end, int(count)))
    return found


def _expected(numbers: list[float], bins: int) -> list[int]:
    low, high = min(numbers), max(numbers)
    counts = [0] * bins
    for number in numbers:
        counts[min(bins - 1, int((number - low) * bins / (high - low)))] += 1
    return counts


def _picture(page: Page) -> Locator:
    return page.get_by_role("img", name=re.compile("histogram", re.I)).first


def _columns(page: Page) -> list[list[int] | None]:
    shot = base64.b64encode(_picture(page).screenshot()).decode()
    columns: list[list[int] | None] = page.evaluate(COLUMNS, shot)
    return columns


def _heights(page: Page, bins: int) -> list[float]:
    """Heights in pixels of the bars in the picture, measured in the middle of every bin."""
    expect(_picture(page), 'no picture announced as "Histogram"').to_be_visible()
    columns = _columns(page)
    filled = [x for x, column in enumerate(columns) if column]
    assert filled, "the picture shows no bars of the colour #0f766e"
    left, slot = filled[0], (filled[-1] + 1 - filled[0]) / bins
    ground = max(column[1] for column in columns if column)
    heights = []
    for i in range(bins):
        middle = [
            ground + 1 - column[0] if column else 0
            for column in columns[int(left + (i + 0.3) * slot) : int(left + (i + 0.7) * slot) + 1]
        ]
        heights.append(statistics.median(middle))
    return heights


def _assert_bars(page: Page, counts: list[int], when: str) -> None:
    heights = _heights(page, len(counts))
    full = max(heights)
    assert full > 60, f"{when} the tallest bar is only {full:.0f} px high"
    for i, (height, count) in enumerate(zip(heights, counts, strict=True), 1):
        right = full * count / max(counts)
        assert abs(height - right) <= 0.02 * full + 2, (
            f"{when} bar {i} (count {count} of at most {max(counts)}) should be {right:.0f} px "
            f"high, but is {height:.0f} px"
        )


def _assert_table(page: Page, numbers: list[float], counts: list[int], when: str) -> None:
    table = _table(page)
    shown = [count for _, _, count in table]
    assert shown == counts, f"{when} the bins should count {counts}, but the table says {shown}"
    low, high = min(numbers), max(numbers)
    for i, (start, end, _) in enumerate(table):
        left = low + (high - low) * i / len(counts)
        right = low + (high - low) * (i + 1) / len(counts)
        assert max(abs(start - left), abs(end - right)) < 0.06, (
            f"{when} bin {i + 1} runs from {left:.2f} to {right:.2f}, "
            f"but the table says {start} to {end}"
        )


def _assert_figures(page: Page, numbers: list[float], skipped: int, what: str = "") -> None:
    what = what or ", ".join(f"{x:g}" for x in numbers[:12])
    spread = statistics.stdev(numbers) if len(numbers) > 1 else None
    wanted = {
        "Numbers": float(len(numbers)),
        "Skipped": float(skipped),
        "Mean": statistics.fmean(numbers),
        "Median": statistics.median(numbers),
        "Standard deviation": spread,
    }
    for name, right in wanted.items():
        shown = _figure(page, name)
        good = shown == "n/a" if right is None else shown != "n/a"
        if right is not None and good:
            good = abs(float(shown) - right) < 0.0101
        assert good, (
            f"for {what} {name} should be "
            f"{'n/a' if right is None else f'{right:.2f}'}, but reads {shown}"
        )


def check_static_controls(page: Page) -> None:
    """Data, Bins from 1 to 20 and Cumulative are there with their starting values."""
    expect(_data(page), "no text box labelled Data").to_be_visible()
    shown = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", _data(page).input_value())]
    assert shown == FIRST, f"the text box Data starts with {shown}"
    expect(_bins(page), "no slider labelled Bins").to_be_visible()
    assert _bins(page).input_value() == "5", (
        f"the slider Bins stands at {_bins(page).input_value()} instead of 5"
    )
    for end in ("1", "20"):
        _bins(page).fill(end)
        assert _bins(page).input_value() == end, f"the slider Bins does not reach {end}"
    expect(_cumulative(page), "no check box labelled Cumulative").to_be_visible()
    expect(_cumulative(page), "Cumulative is ticked at the start").not_to_be_checked()


def check_static_first_picture_table_and_figures(page: Page) -> None:
    """The starting data are shown as picture, table and figures."""
    _assert_table(page, FIRST, [4, 2, 2, 1, 1], "at the start")
    _assert_bars(page, [4, 2, 2, 1, 1], "at the start")
    _assert_figures(page, FIRST, 0)


def check_intention_number_of_bins_changes_table_and_bars(page: Page, clock: Clock) -> None:
    """Other numbers of bins give other edges, counts and bars; inner edges count to the right."""
    for bins in (4, 10, 1):
        _enter(page, clock, ", ".join(f"{x:g}" for x in FIRST), bins)
        counts = _expected(FIRST, bins)
        _assert_table(page, FIRST, counts, f"with {bins} bins")
        _assert_bars(page, counts, f"with {bins} bins")


def check_intention_bins_of_other_data(page: Page, clock: Clock) -> None:
    """New data, also negative and fractional, are sorted into the right bins."""
    dice = random.Random(7)
    many = [round(dice.gauss(50, 12), 1) for _ in range(80)]
    for numbers, bins in (([-6.0, -2.5, -2.0, 0.0, 1.25, 2.0, 6.0], 3), (many, 8)):
        _enter(page, clock, " ".join(f"{x:g}" for x in numbers), bins)
        counts = _expected(numbers, bins)
        what = f"for {len(numbers)} numbers in {bins} bins"
        _assert_table(page, numbers, counts, what)
        _assert_bars(page, counts, what)


def check_intention_mean_median_and_deviation(page: Page, clock: Clock) -> None:
    """Mean, median and deviation are right for odd and even counts and unsorted data."""
    for numbers in ([10.0, 2.0, 33.0], [100.0, 9.0, -20.0, 4.5], [0.5, 0.25]):
        _enter(page, clock, "\n".join(f"{x:g}" for x in numbers))
        _assert_figures(page, numbers, 0)


def check_intention_cumulative_turns_counts_into_totals(page: Page, clock: Clock) -> None:
    """Cumulative shows running totals in table and picture, and unticking takes them back."""
    counts, totals = [4, 2, 2, 1, 1], [4, 6, 8, 9, 10]
    for tick, wanted in ((True, totals), (False, counts)):
        _cumulative(page).set_checked(tick)
        clock.run_for(400)
        when = f"with Cumulative {'on' if tick else 'off again'}"
        _assert_table(page, FIRST, wanted, when)
        _assert_bars(page, wanted, when)


def check_dynamic_words_are_skipped_and_counted(page: Page, clock: Clock) -> None:
    """Words between the numbers are left out and counted."""
    _enter(page, clock, "3, apples 5 pears\n8,, 12 ,  20", 4)
    _assert_figures(page, [3.0, 5.0, 8.0, 12.0, 20.0], 2)
    _enter(page, clock, "1 Infinity 2 NaN 6", 2)
    _assert_figures(page, [1.0, 2.0, 6.0], 2)
    _assert_table(page, [1.0, 2.0, 6.0], [2, 1], "with the words Infinity and NaN among 1, 2, 6")


def check_dynamic_a_comma_at_the_end_is_no_number(page: Page, clock: Clock) -> None:
    """While the next number is still to be typed, the comma before it counts as nothing."""
    for text in ("3, 5,", "3, 5, ", "3\n5\n"):
        _enter(page, clock, text, 2)
        _assert_figures(page, [3.0, 5.0], 0, f"the unfinished text {text!r}")
        _assert_table(page, [3.0, 5.0], [1, 1], f"for the unfinished text {text!r}")


def check_dynamic_equal_numbers_make_one_bin(page: Page, clock: Clock) -> None:
    """Equal numbers, or a single one, make one bin that holds them all."""
    for numbers in ([3.0, 3.0, 3.0], [-7.5]):
        _enter(page, clock, " ".join(f"{x:g}" for x in numbers))
        counts = [count for _, _, count in _table(page)]
        assert counts == [len(numbers)], (
            f"{len(numbers)} number(s) of {numbers[0]:g} make one bin of {len(numbers)}, "
            f"but the table counts {counts}"
        )
        _assert_bars(page, [1], f"for {len(numbers)} number(s) of {numbers[0]:g}")
        _assert_figures(page, numbers, 0)


def check_dynamic_no_data_is_said_and_left_again(page: Page, clock: Clock) -> None:
    """Without numbers the app says No data, shows no NaN, and works again afterwards."""
    for text in ("", "none at all"):
        _enter(page, clock, text)
        assert _says_no_data(page), f'"No data" does not show for the text {text!r}'
        odd = re.search(r"\b(NaN|undefined|-?Infinity)\b", _text(page))
        assert not odd, f"without numbers the page shows {odd and odd[0]}"
        assert not any(count for _, _, count in _table(page)), (
            "without numbers the table still counts some"
        )
        bars = _picture(page).is_visible() and any(_columns(page))
        assert not bars, f"bars are still drawn in the picture for the text {text!r}"
    _enter(page, clock, "1 2 3 4 9", 2)
    _assert_table(page, [1.0, 9.0], [4, 1], "after a time without data")
    _assert_bars(page, [4, 1], "after a time without data")
    assert not _says_no_data(page), '"No data" still shows beside new data'
