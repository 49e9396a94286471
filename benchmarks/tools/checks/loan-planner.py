"""Checks of loan-planner: annuity, extra payments and the yearly table, simulated in Python."""

import re

from playwright.sync_api import Locator, Page, expect

LABELS = (
    "Loan amount",
    "Yearly interest in %",
    "Term in years",
    "Extra payment per month",
)


def _field(page: Page, label: str) -> Locator:
    labelled = page.get_by_label(re.compile(rf"^\W*{label}", re.I))
    field = labelled.and_(page.locator("input:not([type=range])")).first
    expect(field, f"there is no number field labelled {label}").to_be_visible()
    return field


def _fill(page: Page, amount: float, rate: float, years: int, extra: float) -> None:
    for label, value in zip(LABELS, (amount, rate, years, extra), strict=True):
        _field(page, label).fill(f"{value:g}" if value < 1e5 else str(int(value)))


def _plan(
    amount: float, rate: float, years: int, extra: float
) -> tuple[float, float, int, list[tuple[float, float, float]]]:
    """Monthly payment, total interest, months and the rows of the table."""
    monthly_rate, months = rate / 1200, years * 12
    monthly = amount / months
    if rate:
        monthly = amount * monthly_rate / (1 - (1 + monthly_rate) ** -months)
    balance, count, rows = amount, 0, list[tuple[float, float, float]]()
    while balance > 1e-6:
        interest = balance * monthly_rate
        principal = min(monthly + extra - interest, balance)
        balance -= principal
        if count % 12 == 0:
            rows.append((0.0, 0.0, 0.0))
        rows[-1] = (rows[-1][0] + interest, rows[-1][1] + principal, balance)
        count += 1
    return monthly, sum(row[0] for row in rows), count, rows


def _money(value: float) -> str:
    """A pattern for an amount with two decimals, with or without thousands separators."""
    return f"{abs(value):,.2f}".replace(",", "[, '\u00a0\u202f]?").replace(".", r"\.")


def _line(page: Page, label: str, pattern: str, wanted: str, when: str) -> None:
    line = re.compile(rf"{label}\s*:?\s*[€$£]?\s*{pattern}(?!\d)", re.I)
    expect(
        page.locator("body"), f'with {when}, there is no line "{label}: {wanted}"'
    ).to_contain_text(line, use_inner_text=True)


def _expect_lines(page: Page, amount: float, rate: float, years: int, extra: float) -> None:
    monthly, interest, months, _ = _plan(amount, rate, years, extra)
    when = f"{amount:,.0f} at {rate:g} % over {years} years and {extra:g} extra"
    _line(page, "Monthly payment", _money(monthly), f"{monthly:,.2f}", when)
    _line(page, "Total interest", _money(interest), f"{interest:,.2f}", when)
    _line(page, "Paid off after", rf"{months}\s*months?", f"{months} months", when)


def _table(page: Page) -> list[list[float]]:
    """The numbers of the rows that have four of them."""
    rows = page.get_by_role("row").all_inner_texts()
    found = []
    for row in rows:
        cells = [re.sub(r"[^\d.-]", "", cell) for cell in re.split(r"[\t\n]+", row.strip())]
        cells = [cell for cell in cells if re.fullmatch(r"-?\d+(\.\d+)?", cell)]
        if len(cells) == 4:
            found.append([float(cell) for cell in cells])
    return found


def check_static_fields_have_their_starting_values(page: Page) -> None:
    """The four number fields are there with the starting values."""
    for label, value in zip(LABELS, (200000, 3.6, 25, 0), strict=True):
        text = _field(page, label).input_value().replace(",", "").strip()
        assert text, f"{label} starts empty instead of with {value:g}"
        assert float(text) == value, f"{label} starts with {text} instead of {value:g}"


def check_static_table_has_its_headings(page: Page) -> None:
    """The table has the columns Year, Interest, Principal and Balance."""
    for name in ("Year", "Interest", "Principal", "Balance"):
        heading = page.get_by_role("columnheader", name=re.compile(name, re.I)).first
        expect(heading, f"the table has no column {name}").to_be_visible()


def check_intention_payment_and_interest_are_right(page: Page) -> None:
    """The lines are right for the starting values and for two other loans in a row."""
    _expect_lines(page, 200000, 3.6, 25, 0)
    for loan in ((100000, 5, 10, 0), (350000, 1.25, 40, 0)):
        _fill(page, *loan)
        _expect_lines(page, *loan)


def check_intention_extra_payment_shortens_the_loan(page: Page) -> None:
    """An extra payment lowers interest and months, but not the monthly payment."""
    for loan in ((200000, 3.6, 25, 250), (50000, 8, 5, 1000)):
        _fill(page, *loan)
        _expect_lines(page, *loan)


def check_intention_table_follows_the_loan_to_zero(page: Page) -> None:
    """The table has one right row for each year and ends with a balance of 0.00."""
    for loan in ((60000, 4.5, 6, 0), (60000, 4.5, 6, 310)):
        _fill(page, *loan)
        _expect_lines(page, *loan)
        _, _, _, wanted = _plan(*loan)
        rows = _table(page)
        assert len(rows) == len(wanted), (
            f"a loan paid off within {len(wanted)} years has {len(rows)} rows in the table"
        )
        for year, (row, values) in enumerate(zip(rows, wanted, strict=True), 1):
            near = all(abs(a - b) < 0.011 for a, b in zip(row[1:], values, strict=True))
            assert near, f"row {year} of the table reads {row[1:]}, right is " + ", ".join(
                f"{value:.2f}" for value in values
            )


def check_intention_rate_of_zero_costs_nothing(page: Page) -> None:
    """At 0 % the payment is the amount divided by the months and there is no interest."""
    _fill(page, 24000, 0, 8, 0)
    _expect_lines(page, 24000, 0, 8, 0)


def check_dynamic_bad_input_is_named_and_mended(page: Page) -> None:
    """A bad field is named in a message without results, and mending it brings them back."""
    _expect_lines(page, 200000, 3.6, 25, 0)
    for label, bad, good in (
        ("Loan amount", "999", "90000"),
        ("Yearly interest in %", "21", "2"),
        ("Term in years", "", "12"),
        ("Term in years", "41", "12"),
        ("Extra payment per month", "-5", "0"),
    ):
        _field(page, label).fill(bad)
        line = re.compile(r"(Monthly payment|Total interest)\s*:?\s*\S*\d", re.I)
        result = page.get_by_text(line)
        shown = f"with {label} set to {bad or 'nothing'} there are still results"
        expect(result.filter(visible=True), shown).to_have_count(0)
        assert not _table(page), f"{shown} in the table"
        text = page.locator("body").inner_text()
        assert not re.search("NaN|Infinity|undefined", text), f"{shown}, and they are not numbers"
        named = len(re.findall(re.escape(label.removesuffix(" in %")), text, re.I))
        assert named >= 2, f"with {label} set to {bad or 'nothing'} no message names that field"
        _field(page, label).fill(good)
    _expect_lines(page, 90000, 2, 12, 0)


def check_dynamic_extremes_are_survived(page: Page) -> None:
    """The largest loan and an extra payment larger than the loan give right numbers."""
    for loan in ((2000000, 20, 40, 0), (1000, 6, 1, 5000)):
        _fill(page, *loan)
        _expect_lines(page, *loan)
