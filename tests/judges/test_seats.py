"""Several sessions of one app in the hands of one judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from judgekit import Judgings
from pytest_appbench.browser.hands import HandsError
from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.desk import Desk
from pytest_appbench.judges.grounding import Records
from pytest_appbench.judges.judging import Judging
from pytest_appbench.judges.protocols import resolve
from pytest_appbench.judges.seats import BAND, Seats, session_of
from pytest_appbench.judges.trajectory import Trajectory
from pytest_appbench.judges.untrusted import Untrusted

VISITS = """<!doctype html><title>Visits</title><h1></h1><button>Mark</button><p></p><script>
localStorage.visits = Number(localStorage.visits ?? 0) + 1;
document.querySelector("h1").textContent = `visit ${localStorage.visits} by ${Math.random()}`;
document.querySelector("button").onclick = () => { localStorage.mark = "marked"; };
addEventListener("storage", () => (document.querySelector("p").textContent = localStorage.mark));
</script>"""


HANGS_IN_A_TAB = VISITS.replace("</script>", "while (localStorage.visits > 1);</script>")


@contextmanager
def seated(judging: Judging) -> Iterator[Seats]:
    """The sessions of a judge, who sits at the first of up to three."""
    case = Case(
        judging=judging,
        protocol=resolve("webgame"),
        judge="anthropic:m",
        chat=None,  # type: ignore[arg-type]
        untrusted=Untrusted("0" * 16),
        trajectory=Trajectory(None),
    )
    records = Records(frozenset({"step"}))
    with ExitStack() as stack:

        def another(number: int, beside: Desk | None) -> Desk:
            session = beside.session if beside else None
            person = session_of(number) - 1
            return case.sit_down(stack, records, first=number, beside=session, person=person)

        yield Seats(case.sit_down(stack, records), another, 3)


def test_a_tab_shares_storage_and_a_session_apart_shares_nothing(judging: Judgings) -> None:
    with seated(judging(VISITS)) as seats:
        use = {skill.tool.name: skill.run for skill in seats.skills()}

        def done(name: str, **arguments: Any) -> str:
            return use[name](arguments).text

        assert "visit 1" in done("look")
        tab = done("open_session", kind="tab")
        assert f"session 2. Step {BAND + 1}" in tab
        assert "visit 2" in tab
        done("script", code="await app.click('Mark')")
        again = done("change_session", session=1)
        assert "marked" in again
        names = {re.search(r"by (0\.\d+)", shown)[1] for shown in (tab, again)}  # type: ignore[index]
        assert len(names) == 2, "two players drew the same random number"
        apart = done("open_session", kind="apart")
        assert ("visit 1" in apart, "marked" in apart) == (True, False)
        assert use["open_session"]({"kind": "tab"}).is_error
        assert use["change_session"]({"session": 4}).is_error
        numbers = [step.number for step in seats.first.pending]
        assert numbers == [1, BAND + 1, BAND + 2, BAND + 3, 2, 2 * BAND + 1]
        assert {session_of(number) for number in numbers} == {1, 2, 3}


def test_a_judge_is_told_of_a_tab_in_which_an_app_hangs_and_can_go_on_in_another_session(
    judging: Judgings,
) -> None:
    with seated(judging(HANGS_IN_A_TAB)) as seats:
        use = {skill.tool.name: skill.run for skill in seats.skills()}
        with pytest.raises(HandsError, match=r"the app cannot be opened there: .* did not answer"):
            use["open_session"]({"kind": "tab"})
        apart = use["open_session"]({"kind": "apart"}).text
        assert f"session 2. Step {BAND + 1}" in apart
        assert "visit 1" in apart


def test_a_judge_with_one_session_has_no_tools_for_more(judging: Judgings) -> None:
    desk = Desk(
        judging=judging(VISITS), untrusted=Untrusted("0" * 16), records=Records(frozenset())
    )

    def never(number: int, beside: Desk | None) -> Desk:
        pytest.fail("a session was opened")

    names = {skill.tool.name for skill in Seats(desk, never, 1).skills()}
    assert "change_session" not in names
