"""Budgets and places hold over all processes of a run, whatever happens to one of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import run_async
from modelkit import WIRES, Serve, ask_for, model
from provider import Answer
from pytest_appbench.errors import SettingsError
from pytest_appbench.models import openai
from pytest_appbench.models.chat import (
    Message,
    ModelUnavailable,
    Reply,
    Request,
    Text,
    Tokens,
)
from pytest_appbench.models.limits import BudgetSpent, Ledger, Metered, PriceUnknown, Slots
from pytest_appbench.models.portal import Portal
from pytest_appbench.models.retry import Policy

SOME = Tokens(input=600, output=400)


class Scripted:
    """A model that is not asked over any wire."""

    spec = "fake:model"

    def __init__(self, tokens: Tokens = SOME, cost: float | None = 0.1) -> None:
        self.asked = 0
        self._tokens, self._cost = tokens, cost

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        said = Message(role="assistant", parts=(Text(text="Fine."),))
        return Reply(message=said, stop="end", tokens=self._tokens, cost_usd=self._cost)


def python(code: str, *args: object) -> subprocess.Popen[str]:
    """Another process of the run."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)], stdout=subprocess.PIPE, text=True
    )


def test_what_was_spent_is_known_by_task_and_by_run(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert ledger.spent() == (0, 0.0)
    ledger.charge("one", SOME, 0.25)
    ledger.charge("two", SOME, 0.5)
    ledger.charge("one", SOME, 0.25)
    assert ledger.spent("one") == (2_000, 0.5)
    assert ledger.spent() == (3_000, 1.0)
    assert Ledger(tmp_path).spent() == (3_000, 1.0)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"run_tokens": 1_000}, "the run has spent 1,000 tokens of 1,000.*--appbench-run-tokens"),
        ({"task_tokens": 900}, "the task 'one' has spent 1,000 tok.*--appbench-task-tokens"),
        ({"run_cost": 0.2}, r"the run has spent 0\.2500 dollars of 0\.2.*--appbench-run-cost"),
        ({"task_cost": 0.2}, "the task 'one' has spent .* dollars.*--appbench-task-cost"),
    ],
)
def test_a_limit_that_is_reached_names_itself_and_its_option(
    tmp_path: Path, limits: dict[str, float], message: str
) -> None:
    ledger = Ledger(tmp_path, **limits)  # type: ignore[arg-type]
    ledger.check("one")
    ledger.charge("one", SOME, 0.25)
    with pytest.raises(BudgetSpent, match=message):
        ledger.check("one")


def test_a_task_pays_for_itself_alone(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, task_tokens=1_000)
    ledger.charge("one", SOME, None)
    ledger.check("two")


def test_tokens_that_an_endpoint_does_not_count_are_told(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert ledger.counts_all()
    ledger.charge("one", SOME, 0.25)
    assert ledger.counts_all()
    ledger.charge("one", Tokens(), None)
    assert not ledger.counts_all()
    assert not Ledger(tmp_path).counts_all()


def test_an_unknown_price_is_never_counted_as_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, run_cost=5)
    ledger.charge("one", SOME, None)
    assert ledger.spent("one") == (1_000, None)
    with pytest.raises(PriceUnknown, match="price is not known"):
        ledger.check("two")


CHARGE = """
import sys
from pathlib import Path
from pytest_appbench.models.chat import Tokens
from pytest_appbench.models.limits import Ledger
ledger = Ledger(Path(sys.argv[1]))
for _ in range(100):
    ledger.charge(sys.argv[2], Tokens(input=3), 0.5)
    ledger.spent()
"""


def test_two_processes_keep_one_account(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    workers = [python(CHARGE, tmp_path, name) for name in ("one", "two")]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert ledger.spent() == (600, 100.0)
    assert ledger.spent("two") == (300, 50.0)


@settings(max_examples=25)
@given(cut=st.integers(min_value=1, max_value=40))
def test_a_writer_that_dies_in_the_middle_of_a_line_costs_only_that_line(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    ledger = Ledger(folder)
    ledger.charge("one", SOME, 0.5)
    with (folder / "spent.jsonl").open("ab") as stream:
        stream.write(json.dumps({"task": "one", "tokens": 1, "cost": 1.0}).encode()[:cut])
    assert ledger.spent() == (1_000, 0.5)
    ledger.charge("one", SOME, 0.5)
    assert ledger.spent() == Ledger(folder).spent() == (2_000, 1.0)


def test_a_call_within_the_limits_is_written_down(tmp_path: Path) -> None:
    ledger, chat = Ledger(tmp_path, run_tokens=1_500, run_cost=1), Scripted()
    metered = Metered(chat, ledger, Slots(tmp_path, 1), "one")
    assert metered.spec == chat.spec

    async def use() -> None:
        await metered.ask(ask_for("Hello?"))
        await metered.ask(ask_for("Hello?"))
        with pytest.raises(BudgetSpent):
            await metered.ask(ask_for("Hello?"))

    run_async(use())
    assert chat.asked == 2
    assert ledger.spent("one") == (2_000, 0.2)


def test_a_model_without_a_price_is_not_asked_under_a_limit_on_money(
    serve: Serve, portal: Portal, tmp_path: Path
) -> None:
    provider = serve(lambda _: Answer("Fine."))
    ledger = Ledger(tmp_path, task_cost=5)
    unknown = Metered(openai.make_chat("my-vllm-model"), ledger, Slots(tmp_path), "one")
    with pytest.raises(PriceUnknown, match=r"openai:my-vllm-model.*--appbench-run-tokens"):
        portal.call(unknown.ask, ask_for("Hello?"))
    assert provider.requests == []
    known = Metered(model("chat"), ledger, Slots(tmp_path), "one")
    portal.call(known.ask, ask_for("Hello?"))


def test_waiting_for_a_place_does_not_count_as_answering(tmp_path: Path) -> None:
    class Slow(Scripted):
        async def ask(self, request: Request) -> Reply:
            await anyio.sleep(0.3)
            return await super().ask(request)

    chat, ledger, slots = Slow(), Ledger(tmp_path), Slots(tmp_path, 1)

    async def use() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                patient = Metered(chat, ledger, slots, "one", seconds=0.9)
                group.start_soon(patient.ask, ask_for("Hello?"))

    run_async(use())
    assert chat.asked == 4


@pytest.mark.parametrize("wire", WIRES)
def test_a_model_that_is_slow_is_told_from_a_provider_in_trouble(
    serve: Serve, portal: Portal, tmp_path: Path, wire: str
) -> None:
    answers = Answer("Fine."), Answer("Late.", pause=60), Answer("Late.", delay=60)
    provider = serve(lambda conversation: answers[conversation.number - 1])
    portal.call(model(wire).ask, ask_for("Hello?"))  # loads the SDK, which may take a second
    limits = Ledger(tmp_path), Slots(tmp_path), "one"
    hasty = Metered(model(wire), *limits, seconds=2.0)
    with pytest.raises(TimeoutError):
        portal.call(hasty.ask, ask_for("Write me an app."))
    with pytest.raises(
        ModelUnavailable, match=r"had not begun to answer after 2 s\. Run again later"
    ):
        portal.call(hasty.ask, ask_for("Write me an app."))
    provider.stop()
    patient = Metered(model(wire, Policy(tries=9, wait=60.0)), *limits, seconds=2.0)
    with pytest.raises(ModelUnavailable, match=r"last seen: the connection to http\S+ failed"):
        portal.call(patient.ask, ask_for("Write me an app."))


def test_a_limit_on_tokens_wants_tokens_that_are_counted(tmp_path: Path) -> None:
    uncounted = Scripted(tokens=Tokens(), cost=None)
    metered = Metered(uncounted, Ledger(tmp_path, run_tokens=9), Slots(tmp_path), "one")
    with pytest.raises(SettingsError, match="does not tell how many tokens"):
        run_async(metered.ask(ask_for("Hello?")))


ASK = """
import sys
from pathlib import Path
import anyio
sys.path.insert(0, sys.argv[2])
from modelkit import ask_for, model
from pytest_appbench.models.limits import Ledger, Metered, Slots

async def main():
    run = Path(sys.argv[1])
    metered = Metered(model("anthropic"), Ledger(run), Slots(run, 3), "one")
    async with anyio.create_task_group() as tasks:
        for _ in range(6):
            tasks.start_soon(metered.ask, ask_for("Hello?"))

anyio.run(main)
"""


def test_two_processes_share_the_places(serve: Serve, tmp_path: Path) -> None:
    provider = serve(lambda _: Answer("Fine.", delay=0.1))
    tests = Path(__file__).parent.parent
    workers = [python(ASK, tmp_path, tests) for _ in range(2)]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert len(provider.requests) == 12
    assert provider.peak <= 3
    assert Ledger(tmp_path).spent("one")[0] > 0


HOLD = """
import sys
from pathlib import Path
import anyio
from pytest_appbench.models.limits import Slots

async def main():
    async with Slots(Path(sys.argv[1]), 1).place():
        print("held", flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def test_a_worker_that_crashed_keeps_no_place(tmp_path: Path) -> None:
    worker = python(HOLD, tmp_path)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "held\n"

    async def take() -> bool:
        with anyio.move_on_after(0.1):
            async with Slots(tmp_path, 1).place():
                return True
        return False

    assert not run_async(take())
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    assert run_async(take())


def test_waiting_for_a_place_can_be_cancelled_and_leaves_nothing_behind(tmp_path: Path) -> None:
    slots = Slots(tmp_path, 1)

    async def use() -> None:
        async with slots.place():
            with anyio.move_on_after(0.05) as scope:
                async with slots.place():
                    raise AssertionError("two at once")
            assert scope.cancelled_caught
        async with slots.place():
            pass

    run_async(use())


def test_without_a_limit_nobody_waits(tmp_path: Path) -> None:
    slots = Slots(tmp_path, None)

    async def use() -> int:
        async with slots.place(), slots.place(), slots.place():
            return 3

    assert run_async(use()) == 3
    assert not (tmp_path / "slots").exists()


def test_a_cancelled_call_gives_its_place_back(
    serve: Serve, portal: Portal, tmp_path: Path
) -> None:
    provider = serve(lambda c: Answer("Fine.", delay=60 if c.number == 1 else 0))
    metered = Metered(model("anthropic"), Ledger(tmp_path), Slots(tmp_path, 1), "one")
    first = portal.submit(metered.ask, ask_for("Hello?"))
    while not provider.requests:
        time.sleep(0.01)
    first.cancel()
    assert portal.call(metered.ask, ask_for("Hello?")).message.text == "Fine."
