"""A reason counts as far as its quotes can be found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.judges.grounding import Records, ground, plain
from pytest_appbench.judges.verdict import Citation


def cite(source: str, where: str, quote: str) -> Citation:
    return Citation.model_validate({"source": source, "where": where, "quote": quote})


@pytest.fixture
def records() -> Records:
    found = Records(frozenset({"step", "file"}))
    found.add("step", "3", "look: Counter, 0 clicks")
    found.add("step", "4", 'click button "Add": "0 clicks" became “1 click”', is_action=True)
    found.add("file", "index.html", "<h1>Counter</h1>\n  <button>Add</button>")
    return found


def test_a_quote_is_found_whatever_its_spaces_quotes_and_case(records: Records) -> None:
    assert records.problem(cite("step", "4", '"0 CLICKS" became  "1 click"')) is None
    assert records.problem(cite("step", "step 4", "1 click")) is None
    assert records.problem(cite("file", "./index.html", "</h1> <button>Add")) is None


@pytest.mark.parametrize(
    ("citation", "problem"),
    [
        (cite("step", "4", "2 clicks"), "step 4 does not hold the words '2 clicks'"),
        (cite("step", "9", "1 click"), "there is no step '9'; known are 3, 4"),
        (cite("file", "index.htm", "Add"), "did you mean 'index.html'?"),
        (
            cite("probe", "axe", "contrast"),
            "the source 'probe' is not open to you; cite file, step",
        ),
        (cite("step", "4", "1"), "the quote '1' is too short to be found for certain"),
    ],
)
def test_a_quote_that_is_not_there_is_refused_with_what_to_mend(
    records: Records, citation: Citation, problem: str
) -> None:
    assert problem in str(records.problem(citation))


def test_a_dynamic_score_needs_something_that_was_done(records: Records) -> None:
    looked = {"dynamic": (cite("step", "3", "0 clicks"),)}
    done = {"dynamic": (cite("step", "3", "0 clicks"), cite("step", "4", "1 click"))}
    needs = frozenset({"dynamic"})
    assert ground(looked, records, needs_action=needs).missing == ("dynamic",)
    assert ground(done, records, needs_action=needs).missing == ()
    assert ground(looked, records).missing == ()


def test_what_cannot_be_found_is_dropped_and_the_rest_stands(records: Records) -> None:
    cited = {
        "intention": (cite("file", "index.html", "Counter"), cite("step", "4", "made up")),
        "static": (cite("file", "style.css", "color: red"),),
    }
    grounded = ground(cited, records)
    assert [citation.quote for citation in grounded.kept["intention"]] == ["Counter"]
    assert grounded.missing == ("static",)
    assert len(grounded.problems) == 3


@given(st.text(min_size=1), st.text(), st.text())
def test_every_piece_of_a_record_can_be_quoted(quote: str, before: str, after: str) -> None:
    # Pieces stand between spaces: letters that combine with a neighbour are not the same letters.
    records = Records(frozenset({"step"}))
    records.add("step", "1", f"{before} {quote} {after}")
    if sum(character.isalnum() for character in plain(quote)) >= 3:
        assert records.problem(cite("step", "1", quote)) is None
