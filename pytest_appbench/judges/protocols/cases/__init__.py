"""`cases`: AppEvalPilot, the judging of RealDevWorld (sections 3, 5, 6.1, B).

As published: cases are written from the request, its features and its files, without the app; an
agent carries each out in the browser, by the page's outline and by pictures; each ends pass, fail
or uncertain, which count 1, 0 and 0. Ours: the prompts, cases as data of a given shape, one page
and one conversation for each, evidence that must be found, bounds that are compared by the harness,
and how cases make a feature, features an app, and an app its status.
"""

from __future__ import annotations

import math

from pytest_appbench.judges.agent import Case
from pytest_appbench.judges.conversation import Unfinished
from pytest_appbench.judges.loop import Steps, Together
from pytest_appbench.judges.protocols import Protocol
from pytest_appbench.judges.protocols.cases.carrying import carry_out
from pytest_appbench.judges.protocols.cases.scoring import summary, verdict_of
from pytest_appbench.judges.protocols.cases.writing import plan, write
from pytest_appbench.judges.verdict import Verdict

SIDE_BY_SIDE = 6
"""Cases under way at a time; each holds a page."""


def judge(case: Case) -> Steps[Verdict]:
    """Judge one app by cases.

    Args:
        case: The app, the model and the limits.
    """
    written = yield from write(case)
    if isinstance(written, Unfinished):
        return case.undecided(f"while the cases were written: {written.why}")
    features, planned = plan(written, case.judging.brief.features)
    waves = math.ceil(len(planned) / SIDE_BY_SIDE)
    seconds = max(0.0, case.seconds_left()) / waves
    ended = yield Together([carry_out(case, one, seconds) for one in planned], most=SIDE_BY_SIDE)
    for one in ended:
        if isinstance(one, Exception):
            raise one
    return verdict_of(case, features, ended)


_NOTHING = {"feature_rate": 0.0, "case_rate": 0.0, "uncertain_cases": 0.0, "cases": 0.0}

PROTOCOL = Protocol(
    name="cases",
    judge=judge,
    prompts=("cases-write.md", "cases-run.md"),
    sees=True,
    max_turns=12,
    max_actions=150,
    time_limit=1800.0,
    nothing={
        "score": 0.0,
        "scores": {"intention": 0.0, "static": 0.0, "dynamic": 0.0},
        "figures": _NOTHING,
    },
    summary=summary,
    needs=frozenset({"agent"}),
)
