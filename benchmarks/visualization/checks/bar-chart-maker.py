"""Checks of bar-chart-maker: bars measured on the screen against the values that were entered."""

from __future__ import annotations

import re

from playwright.sync_api import Dialog, FloatRect, Locator, Page, expect

START = {"Apples": 12.0, "Pears": 7.0, "Plums": 3.0}
EMPTY = re.compile(r"no data yet", re.I)
FINISH_TRANSITIONS = """() => {
    for (const animation of document.getAnimations()) {
        try { animation.finish(); } catch { /* an endless one */ }
    }
}"""
STICKS_OUT = """bar => {
    let chart = bar;
    while (chart.ownerSVGElement) chart = chart.ownerSVGElement;
    return chart.getBoundingClientRect().top - bar.getBoundingClientRect().top;
}"""
SLACK = 3.0  # px, for strokes and rounding


def _name(label: str, value: float) -> str:
    return f"{label}: {value:g}"


def _bar(page: Page, label: str, value: float) -> Locator:
    name = _name(label, value)
    titled = page.locator("svg rect:has(> title), svg path:has(> title)")
    exact = re.compile(rf"^\s*{re.escape(name)}\s*$")
    return page.get_by_label(name, exact=True).or_(
        page.get_by_role("img", name=name, exact=True).or_(titled.filter(has_text=exact))
    )


def _box(page: Page, label: str, value: float) -> FloatRect:
    bar = _bar(page, label, value)
    expect(bar.first, f'no bar with the accessible name "{_name(label, value)}"').to_be_attached()
    page.evaluate(FINISH_TRANSITIONS)
    box = bar.first.bounding_box()
    assert box, f'the bar "{_name(label, value)}" is not drawn'
    return box


def _add(page: Page, label: str, value: str) -> None:
    page.get_by_label("Label", exact=True).fill(label)
    field = page.get_by_label("Value", exact=True)
    if field.get_attribute("type") == "number":
        field.fill("")
        field.press_sequentially(value)  # a number field refuses letters by itself
    else:
        field.fill(value)
    _press(page, "add bar")


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(name, re.I)).click()


def _assert_heights(page: Page, bars: dict[str, float]) -> None:
    """All bars stand on one line, with heights in proportion to their values."""
    boxes = {label: _box(page, label, value) for label, value in bars.items()}
    tallest = max(bars, key=lambda label: bars[label])
    full = boxes[tallest]["height"]
    ground = boxes[tallest]["y"] + full
    assert full > 40, f"the tallest bar, {tallest}, is only {full:.0f} px high"
    out = _bar(page, tallest, bars[tallest]).first.evaluate(STICKS_OUT)
    assert out <= SLACK, f"the tallest bar, {tallest}, sticks out above the chart by {out:.0f} px"
    for label, value in bars.items():
        height = boxes[label]["height"]
        right = full * value / bars[tallest]
        assert abs(height - right) <= SLACK, (
            f"{label} ({value:g}) should be {right:.0f} px high beside {tallest} "
            f"({bars[tallest]:g}, {full:.0f} px), but is {height:.0f} px"
        )
        foot = boxes[label]["y"] + height
        if value > 0:
            assert abs(foot - ground) <= SLACK, (
                f"{label} does not stand on the zero line: its foot is {abs(foot - ground):.0f} px "
                f"away from that of {tallest}"
            )


def _assert_order(page: Page, bars: list[tuple[str, float]], when: str) -> None:
    lefts = [_box(page, label, value)["x"] for label, value in bars]
    names = ", ".join(label for label, _ in bars)
    assert lefts == sorted(set(lefts)), f"{when} the bars from left to right are not {names}"


def check_static_fields_and_buttons(page: Page) -> None:
    """Fields Label and Value and the four buttons are there."""
    for label in ("Label", "Value"):
        expect(page.get_by_label(label, exact=True), f"no field labelled {label}").to_be_visible()
    for name in ("Add bar", "Sort by value", "Remove last", "Clear all"):
        button = page.get_by_role("button", name=re.compile(name, re.I))
        expect(button, f"no button {name}").to_be_visible()


def check_static_starting_bars_with_labels_in_svg(page: Page) -> None:
    """The three starting bars are drawn in SVG, left to right, each with its label and value."""
    _assert_order(page, list(START.items()), "at the start")
    texts = " | ".join(page.locator("svg text").all_text_contents())
    for label, value in START.items():
        inside = _bar(page, label, value).first.evaluate("e => e.ownerSVGElement !== null")
        assert inside, f"the bar of {label} is not drawn in SVG"
        assert label in texts, f'the label "{label}" is not written in the chart'
        written = re.search(rf"\b{value:g}\b", texts)
        assert written, f"the value {value:g} is not written in the chart"


def check_intention_heights_fit_the_starting_values(page: Page) -> None:
    """The starting bars have heights in proportion 12 : 7 : 3."""
    _assert_heights(page, START)


def check_intention_new_bars_get_their_height_and_rescale_the_rest(page: Page) -> None:
    """Added values, small, fractional and larger than all before, keep all heights proportional."""
    bars = dict(START)
    for label, value in (("Figs", 2.5), ("Cherries", 9.0), ("Grapes", 48.0)):
        _add(page, label, f"{value:g}")
        bars[label] = value
        _assert_heights(page, bars)
    _assert_order(page, list(bars.items()), "after adding three bars")


def check_intention_sorting_moves_the_bars(page: Page) -> None:
    """Sort by value orders the bars by falling value, with their right heights."""
    _add(page, "Kiwis", "9")
    _add(page, "Limes", "20")
    _press(page, "sort by value")
    bars = {"Limes": 20.0, "Apples": 12.0, "Kiwis": 9.0, "Pears": 7.0, "Plums": 3.0}
    _assert_order(page, list(bars.items()), "after Sort by value")
    _assert_heights(page, bars)


def check_dynamic_remove_last_takes_the_right_end(page: Page) -> None:
    """Remove last takes the bar at the right end, also after sorting, and rescales the chart."""
    _add(page, "Melons", "30")
    _press(page, "remove last")
    expect(
        _bar(page, "Melons", 30), "Remove last did not take away the bar added last"
    ).to_have_count(0)
    _assert_heights(page, START)
    _add(page, "Nuts", "9")
    _press(page, "sort by value")
    _press(page, "remove last")
    expect(
        _bar(page, "Plums", 3),
        "after sorting, Remove last did not take away Plums at the right end",
    ).to_have_count(0)
    _assert_heights(page, {"Apples": 12.0, "Nuts": 9.0, "Pears": 7.0})


def check_dynamic_bad_input_is_refused_with_a_message(page: Page) -> None:
    """Empty labels and bad values change nothing and are answered by a message."""
    names = [_bar(page, label, value) for label, value in START.items()]
    alerts = list[str]()

    def close(dialog: Dialog) -> None:
        alerts.append(dialog.message)
        dialog.accept()

    page.on("dialog", close)
    for label, value in (("", "5"), ("Sour", "-4"), ("Sour", "abc"), ("Sour", "")):
        alerts.clear()
        before = page.locator("body").inner_text()
        _add(page, label, value)
        sour = page.locator("svg").filter(has_text="Sour")
        expect(sour, f'a bar "Sour" with the value {value!r} was added').to_have_count(0)
        what = f"label {label!r} and value {value!r}"
        told = page.locator("body").inner_text() != before
        told = told or page.locator(":invalid").count() > 0
        assert told or alerts, f"{what} were refused without any message"
        for bar in names:
            expect(bar.first, f"a starting bar is gone after {what}").to_be_attached()
        _assert_heights(page, START)
        page.reload()


def check_dynamic_clear_all_and_begin_again(page: Page) -> None:
    """Clear all empties the chart and says so; new bars, also of zero, are drawn again."""
    expect(page.get_by_text(EMPTY), '"No data yet" shows beside data').not_to_be_visible()
    _press(page, "clear all")
    expect(
        page.get_by_text(EMPTY).first, '"No data yet" does not show after Clear all'
    ).to_be_visible()
    for label, value in START.items():
        expect(
            _bar(page, label, value), f"the bar of {label} is still there after Clear all"
        ).to_have_count(0)
    _add(page, "Zero", "0")
    _add(page, "Half", "0.5")
    _add(page, "One", "1")
    expect(page.get_by_text(EMPTY), '"No data yet" still shows beside new bars').not_to_be_visible()
    _assert_heights(page, {"Half": 0.5, "One": 1.0})
