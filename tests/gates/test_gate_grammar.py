"""What may be written as a gate, and what is said about everything else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_appbench.gates.grammar import FIGURES, Gate, parse


@pytest.mark.parametrize(
    ("text", "selectors", "figure", "comparison", "bound"),
    [
        ("pass_rate >= 0.60", (), "pass_rate", ">=", 0.6),
        ("pass-rate>=60%", (), "pass_rate", ">=", 0.6),
        ("pass_rate >= 60 %", (), "pass_rate", ">=", 0.6),
        ("domain:games >= 0.5", (("domain", "games"),), "pass_rate", ">=", 0.5),
        (
            "domain:games level:hard score > .3",
            (("domain", "games"), ("level", "hard")),
            "score",
            ">",
            0.3,
        ),
        ("coverage == 1", (), "coverage", "==", 1.0),
        ("uncertain <= 0.1", (), "uncertain", "<=", 0.1),
        ("cost <= 5", (), "cost", "<=", 5.0),
        ("no-regressions", (), "regressions", "<=", 0.0),
        ("level:hard no-regressions", (("level", "hard"),), "regressions", "<=", 0.0),
        ("regressions < 3", (), "regressions", "<", 3.0),
    ],
)
def test_a_gate_is_read(
    text: str,
    selectors: tuple[tuple[str, str], ...],
    figure: str,
    comparison: str,
    bound: float,
) -> None:
    gate = parse(text)
    assert (gate.selectors, gate.figure, gate.comparison) == (selectors, figure, comparison)
    assert gate.bound == pytest.approx(bound)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "write a gate such as"),
        ("pass_rate", "compare pass_rate with a number"),
        ("domain:games", "compare domain:games with a number"),
        ("pass_rate >= 60", "write 0.6 or 60 %"),
        ("pass_rate >= lots", "write a number after >="),
        ("pass_rate >= nan", "write a number after >="),
        ("pass_rate >=", "write a number after >="),
        ("pass_rate = 0.6", "not by ="),
        ("pass_rate != 0.6", "not by !="),
        ("passrate >= 0.6", "did you mean pass_rate?"),
        ("colour >= 0.6", "there are pass_rate"),
        ("colour:red >= 0.6", "selected by domain"),
        ("score domain:games >= 0.6", "write domain:games before score"),
        ("score static >= 0.6", "one figure to a gate"),
        ("no-regressions <= 2", "write no-regressions alone"),
        ("domain:games cost <= 2", "known of the whole run only"),
        ("cost <= 50%", "no share"),
        ("__import__('os').system('x') >= 0", "no figure is called"),
        (">= 0.6", "write a gate such as"),
        ("pass_rate >= 0.6 score >= 0.5", "write a number after >="),
    ],
)
def test_anything_else_is_refused_with_what_to_write_instead(text: str, advice: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse(text)
    assert advice in str(caught.value)


@settings(deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from([*FIGURES, "no-regressions", "domain:x", ">=", "<", "0.5", "%", "2"]),
            max_size=6,
        ).map(" ".join),
    )
)
def test_whatever_is_written_is_a_gate_that_reads_the_same_again_or_is_refused(text: str) -> None:
    try:
        gate = parse(text)
    except ValueError:
        return
    assert isinstance(gate, Gate)
    assert parse(str(gate)) == gate
