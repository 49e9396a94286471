"""Formulas against published tables; rows that no formula gives are pinned as such."""

from __future__ import annotations

import pytest

from pytest_appbench.statistics.agreement import (
    Confusion,
    case_score,
    correlations,
    fleiss_kappa,
    largest_rank_change,
)
from pytest_appbench.statistics.differences import exact_mcnemar, paired_interval
from pytest_appbench.statistics.stability import (
    RateStability,
    consistency,
    dependent_pass_rates,
)

# MiniAppBench, table 15: pass rates at the thresholds 0.6, 0.7, 0.8, 0.9
TABLE_15 = {
    "GPT-5.2": (71.1, 62.0, 45.5, 35.4),
    "Claude-Opus-4.5": (62.0, 52.6, 41.1, 23.1),
    "GPT-5.1": (55.2, 45.5, 32.0, 21.1),
    "Gemini-3-Pro-Preview": (47.1, 36.8, 27.5, 13.8),
    "Claude-Sonnet-4.5": (42.4, 33.6, 26.4, 14.2),
    "GLM-4.7": (35.5, 26.8, 18.3, 9.3),
    "Gemini-3-Flash": (41.5, 29.8, 17.6, 8.5),
    "MiniMax-M2.1": (34.3, 27.2, 17.2, 10.2),
    "Grok-4.1-Fast-Reasoning": (29.4, 22.4, 13.7, 6.6),
    "Mimo-V2-Flash": (27.9, 18.9, 12.5, 6.2),
    "GLM-4.5-Air": (16.9, 11.3, 7.1, 2.4),
    "Kimi-K2-Instruct": (13.3, 8.9, 6.2, 2.5),
    "Qwen3-235B-A22B": (8.4, 4.4, 2.9, 1.1),
    "Hunyuan-Turbos-Latest": (9.4, 5.3, 2.3, 1.7),
    "Qwen3-Coder-480B-A35B-Instruct": (7.3, 4.8, 1.8, 1.4),
    "Qwen3-32B": (3.5, 2.4, 0.7, 0.2),
}


@pytest.mark.parametrize(
    ("column", "spearman", "kendall", "moved"),
    [(0, 0.9941, 0.9667, 1), (1, 0.9824, 0.9333, 2), (3, 0.9765, 0.9000, 2)],
)
def test_rankings_at_other_thresholds_correlate_as_miniappbench_table_16_says(
    column: int, spearman: float, kendall: float, moved: int
) -> None:
    at_08 = [rates[2] for rates in TABLE_15.values()]
    other = [rates[column] for rates in TABLE_15.values()]
    found = correlations(list(zip(other, at_08, strict=True)))
    assert found is not None
    assert (round(found.spearman, 4), round(found.kendall, 4)) == (spearman, kendall)
    assert largest_rank_change(other, at_08) == moved


# MiniAppBench, tables 20 and 22: pass rates of five repeats, and what is printed for them. The last
# two say whether the formula gives the printed figure.
REPEATS = [
    ("table 20, GPT-5.2", (46.0, 48.5, 46.0, 49.0, 49.0), "1.58", "0.0330", False, False),
    ("table 20, GLM-4.7", (18.5, 17.5, 18.5, 16.5, 17.5), "0.84", "0.0474", True, False),
    ("table 20, Gemini-3-Pro", (28.0, 30.0, 28.5, 30.5, 28.5), "1.14", "0.0393", False, False),
    ("table 22, GPT-5.2", (46.0, 47.0, 47.5, 44.5, 46.5), "1.14", "0.025", False, True),
    ("table 22, GLM-4.7", (18.5, 18.5, 18.0, 18.0, 17.5), "0.42", "0.023", True, True),
    ("table 22, Gemini-3-Pro", (28.0, 29.0, 27.5, 28.5, 30.0), "1.00", "0.035", False, False),
]


@pytest.mark.parametrize(("row", "rates", "std", "cv", "std_holds", "cv_holds"), REPEATS)
def test_spread_of_repeats_gives_the_rows_of_miniappbench_that_compute(
    row: str, rates: tuple[float, ...], std: str, cv: str, std_holds: bool, cv_holds: bool
) -> None:
    found = RateStability(rates)
    assert found.std is not None
    assert found.cv is not None
    digits = len(cv.partition(".")[2])
    assert (f"{found.std:.2f}" == std) is std_holds, row
    assert (f"{found.cv:.{digits}f}" == cv) is cv_holds, row


# MiniAppBench, tables 21 and 23 over 200 samples: how many are unanimous and how many four to one,
# the mean pass rate of tables 20 and 22, the printed kappa, and whether the formula gives it.
CONSENSUS = [
    ("table 21, GPT-5.2", 187, 13, 47.7, "0.948", True),
    ("table 21, GLM-4.7", 189, 10, 17.7, "0.924", False),
    ("table 21, Gemini-3-Pro", 179, 21, 29.1, "0.905", False),
    ("table 23, GPT-5.2", 190, 10, 46.3, "0.960", True),
    ("table 23, GLM-4.7", 193, 7, 18.1, "0.953", True),
    ("table 23, Gemini-3-Pro", 191, 9, 28.6, "0.959", False),
]


@pytest.mark.parametrize(("row", "unanimous", "four", "rate", "kappa", "holds"), CONSENSUS)
def test_kappa_follows_from_consensus_and_pass_rate_in_the_rows_that_compute(
    row: str, unanimous: int, four: int, rate: float, kappa: str, holds: bool
) -> None:
    # Any samples with this consensus and this many passes have the same kappa.
    three, passes = 200 - unanimous - four, round(10 * rate)
    whole, most, few = next(
        (whole, most, few)
        for few in range(three + 1)
        for most in range(four + 1)
        for whole in range(unanimous + 1)
        if 5 * whole + 4 * most + (four - most) + 3 * few + 2 * (three - few) == passes
    )
    patterns = {5: whole, 4: most, 3: few, 2: three - few, 1: four - most, 0: unanimous - whole}
    samples = [
        ["pass"] * k + ["fail"] * (5 - k) for k, times in patterns.items() for _ in range(times)
    ]
    found = consistency(samples)
    assert found.agreeing[5] == unanimous / 200
    assert found.agreeing[4] == (unanimous + four) / 200
    assert (f"{found.kappa:.3f}" == kappa) is holds, (row, found.kappa)


# MiniAppBench, table 4: T/T, T/F, F/T, F/F as printed, over 55 graphical queries
TABLE_4 = [
    ((15, 2, 8, 30), 81.82),
    ((11, 6, 2, 36), 85.45),
    ((16, 3, 8, 28), 80.00),
    ((12, 7, 2, 34), 83.63),
    ((17, 3, 9, 26), 78.18),
    ((11, 9, 0, 35), 83.63),
]


@pytest.mark.parametrize(("cells", "accuracy"), TABLE_4)
def test_accuracy_is_that_of_miniappbench_table_4(
    cells: tuple[int, int, int, int], accuracy: float
) -> None:
    tp, fn, fp, tn = cells
    found = Confusion(tp=tp, fp=fp, fn=fn, tn=tn).accuracy
    assert found is not None
    # 46 of 55 is 83.636 %, which is printed cut off
    assert 100 * found == pytest.approx(accuracy, abs=0.01)


# How many of the 200 samples of each model people passed: from the rows of table 10 in which the
# judge passed nothing, whose accuracy is then the share that people did not pass either.
GOOD = {"GPT-5.2": 87, "GLM-4.7": 37, "Gemini-3-Pro": 53}
# MiniAppBench, tables 10 to 14 and 19: for each model, in that order, the judge's pass rate, its
# accuracy and the F1 that is printed, at one threshold (or temperature, in table 19) a row.
AGREEMENT = {
    10: [
        (35.5, 73.0, 65.8, 28.0, 78.5, 53.8, 30.5, 78.0, 61.4),
        (25.0, 73.5, 61.3, 16.5, 91.0, 74.3, 8.5, 76.0, 31.4),
        (11.0, 67.5, 40.4, 4.5, 83.0, 26.1, 7.0, 75.5, 26.9),
    ],
    11: [
        (53.5, 70.0, 69.1, 43.5, 78.0, 68.6, 48.5, 70.0, 55.2),
        (42.5, 82.0, 79.1, 20.0, 76.5, 49.5, 36.5, 82.0, 67.3),
        (28.5, 85.0, 79.2, 9.0, 76.5, 33.8, 21.5, 91.0, 77.5),
        (23.5, 80.0, 70.1, 2.0, 74.5, 10.5, 6.5, 87.0, 48.0),
    ],
    12: [
        (77.0, 66.5, 72.2, 48.0, 66.5, 49.6, 67.0, 59.5, 56.7),
        (66.0, 77.5, 79.5, 41.0, 72.5, 53.8, 53.0, 73.5, 66.7),
        (58.0, 85.5, 85.7, 29.0, 72.5, 42.1, 32.0, 75.5, 58.1),
        (28.0, 74.5, 64.3, 10.0, 79.5, 28.1, 19.5, 77.0, 50.0),
    ],
    13: [
        (85.5, 58.0, 67.4, 55.5, 63.0, 50.0, 62.0, 64.5, 59.9),
        (81.5, 62.0, 69.6, 50.5, 68.0, 53.6, 55.0, 71.5, 65.0),
        (75.5, 68.0, 73.1, 39.0, 79.5, 64.3, 50.5, 76.0, 68.8),
        (59.5, 84.0, 84.5, 21.5, 83.0, 57.5, 31.5, 67.0, 43.1),
    ],
    14: [
        (57.5, 85.6, 89.1, 38.5, 77.3, 65.3, 45.5, 89.8, 90.0),
        (55.0, 88.2, 90.6, 36.0, 81.8, 68.2, 41.5, 80.2, 78.0),
        (46.0, 92.3, 92.4, 18.5, 94.5, 94.5, 28.0, 90.7, 90.7),
        (32.0, 68.6, 68.8, 11.5, 79.9, 52.3, 23.0, 58.4, 36.9),
    ],
    19: [
        (54.5, 89.0, 88.8, 20.5, 97.0, 92.3, 35.5, 91.0, 85.5),
        (52.5, 91.0, 90.6, 18.5, 98.0, 94.6, 33.5, 93.0, 88.3),
        (46.0, 92.3, 92.4, 18.5, 94.5, 94.5, 28.0, 90.7, 90.7),
        (45.0, 93.5, 92.7, 15.5, 97.0, 91.2, 26.5, 95.0, 90.6),
    ],
}


def f1_from(passes: float, accuracy: float, good: int) -> float | None:
    """F1 in per cent from what is printed beside it, None where no whole counts give that."""
    passed, wrong = round(2 * passes), 200 - 2 * accuracy
    tp = (passed + good - wrong) / 2
    if wrong != int(wrong) or tp != int(tp) or not 0 <= tp <= min(passed, good):
        return None
    fp, fn = passed - int(tp), good - int(tp)
    found = Confusion(tp=int(tp), fp=fp, fn=fn, tn=200 - int(tp) - fp - fn)
    assert found.accuracy == pytest.approx(accuracy / 100)
    assert found.f1 is not None
    return 100 * found.f1


@pytest.mark.parametrize("number", AGREEMENT)
def test_f1_is_that_of_miniappbench_wherever_its_tables_agree_with_themselves(number: int) -> None:
    good = dict(GOOD)
    if number == 11:  # its figures of these two fit only with the names exchanged
        good["GLM-4.7"], good["Gemini-3-Pro"] = good["Gemini-3-Pro"], good["GLM-4.7"]
    for at, row in enumerate(AGREEMENT[number]):
        for i, (model, positives) in enumerate(good.items()):
            passes, accuracy, printed = row[3 * i : 3 * i + 3]
            found = f1_from(passes, accuracy, positives)
            if number == 14 or (number == 19 and at == 2):  # the same row twice, and table 5
                fits = found is not None and abs(found - printed) < 0.06
                assert not fits, (number, model, at)
            else:
                assert found == pytest.approx(printed, abs=0.06), (number, model, at)


def test_web_bench_counts_as_its_example_does() -> None:
    tries = [1] * 5 + [2] + [1] * 9 + [None]
    assert dependent_pass_rates(tries, 20) == (0.25, 0.75)
    assert dependent_pass_rates([1] * 20, 20) == (1.0, 1.0)
    with pytest.raises(ValueError, match="3 tasks were tried of 2"):
        dependent_pass_rates([1, 1, 1], 2)


def test_uncertain_cases_score_nothing_as_in_realdevworld() -> None:
    assert case_score(["pass", "fail", "uncertain", "pass"]) == 0.5
    assert case_score([]) is None


# R. G. Newcombe, Statistics in Medicine 17 (1998) 2635, table III, method 10
TABLE_III = [
    ((36, 12, 2, 0), 0.0569, 0.3404),
    ((20, 12, 2, 16), 0.0562, 0.3292),
    ((18, 12, 2, 18), 0.0562, 0.3290),
    ((36, 14, 0, 0), 0.1528, 0.4167),
    ((35, 14, 0, 1), 0.1461, 0.4175),
    ((18, 14, 0, 18), 0.1441, 0.3963),
    ((2, 97, 1, 0), 0.8721, 0.9854),
    ((1, 97, 1, 1), 0.8736, 0.9850),
    ((54, 0, 0, 0), -0.0664, 0.0664),
    ((30, 0, 0, 24), -0.0358, 0.0358),
    ((0, 30, 0, 0), 0.8395, 1.0),
]


@pytest.mark.parametrize(("cells", "low", "high"), TABLE_III)
def test_the_interval_of_a_paired_difference_is_newcombes(
    cells: tuple[int, int, int, int], low: float, high: float
) -> None:
    assert paired_interval(*cells) == pytest.approx((low, high), abs=1e-4)


def test_mcnemar_and_fleiss_give_the_figures_of_the_text_books() -> None:
    # six changes all one way are the fewest that the exact test finds at 5 %
    assert exact_mcnemar(0, 5) == 0.0625
    assert exact_mcnemar(6, 0) == 0.03125
    # the worked example of Fleiss' kappa: 10 subjects, 14 raters, 5 words
    table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert fleiss_kappa(table) == pytest.approx(0.210, abs=5e-4)


# MiniAppBench, table 3: whole counts that give all four printed figures
TABLE_3 = [
    (Confusion(tp=52, fp=10, fn=9, tn=112), "89.62", "83.87", "85.25", "84.55"),
    (Confusion(tp=18, fp=37, fn=12, tn=100), "70.66", "32.73", "60.00", "42.35"),
    (Confusion(tp=8, fp=54, fn=7, tn=113), "66.48", "12.90", "53.33", "20.78"),
    (Confusion(tp=51, fp=6, fn=59, tn=47), "60.12", "89.47", "46.36", "61.08"),
]


@pytest.mark.parametrize(("found", "accuracy", "precision", "recall", "f1"), TABLE_3)
def test_precision_recall_and_f1_are_those_of_miniappbench_table_3(
    found: Confusion, accuracy: str, precision: str, recall: str, f1: str
) -> None:
    figures = (found.accuracy, found.precision, found.recall, found.f1)
    assert [f"{100 * (v or 0):.2f}" for v in figures] == [accuracy, precision, recall, f1]
