"""What a run may spend and how many models it may ask at once, over all its workers.

Both are kept in files of the run's folder, guarded by locks that the operating system lets go when
a process dies. Nothing here knows how a model is asked, or what for.
"""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from filelock import FileLock, Timeout

from pytest_appbench.errors import AppbenchError, SettingsError
from pytest_appbench.models import prices
from pytest_appbench.models.chat import Chat, ModelUnavailable, Reply, Request, Tokens
from pytest_appbench.models.progress import followed

_LOCK_SECONDS = 60.0
_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.1


class BudgetSpent(AppbenchError):
    """A limit on tokens or money is reached; no model is asked any more under it."""


class PriceUnknown(SettingsError):
    """There is a limit on money, and no way to keep it."""


@dataclass
class _Sum:
    """What was spent so far; the cost is None once a part of it is not known."""

    tokens: int = 0
    cost: float | None = 0.0
    counts_all: bool = True

    def add(self, tokens: int, cost: float | None) -> None:
        self.tokens += tokens
        # A reply always consumes some: none at all were not counted by the endpoint.
        self.counts_all = self.counts_all and tokens > 0
        self.cost = None if self.cost is None or cost is None else self.cost + cost


@dataclass
class _Book:
    """What of the file was read, added up."""

    read: int = 0
    run: _Sum = field(default_factory=_Sum)
    tasks: dict[str, _Sum] = field(default_factory=dict)


class Ledger:
    """What a run has spent on models, and what it may spend.

    A limit is checked before each call. Calls that are under way when it is reached are let finish,
    so a run can end above a limit by what was in flight.

    Args:
        folder: The run's folder, the same for all workers.
        run_tokens: The most tokens of the run, None for no limit.
        run_cost: The most US dollars of the run, None for no limit.
        task_tokens: The most tokens of each task, None for no limit.
        task_cost: The most US dollars of each task, None for no limit.
    """

    def __init__(
        self,
        folder: Path,
        run_tokens: int | None = None,
        run_cost: float | None = None,
        task_tokens: int | None = None,
        task_cost: float | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "spent.jsonl"
        self._lock = FileLock(folder / "spent.lock", timeout=_LOCK_SECONDS)
        self._run_limits, self._task_limits = (run_tokens, run_cost), (task_tokens, task_cost)
        self._book = _Book()

    @property
    def limits_cost(self) -> bool:
        """Whether there is a limit on money."""
        return self._run_limits[1] is not None or self._task_limits[1] is not None

    @property
    def limits_tokens(self) -> bool:
        """Whether there is a limit on tokens."""
        return self._run_limits[0] is not None or self._task_limits[0] is not None

    def charge(self, task: str, tokens: Tokens, cost: float | None) -> None:
        """Write down what a reply consumed.

        Args:
            task: What it was for.
            tokens: What the reply consumed.
            cost: Its price in US dollars, or None if it is not known.

        Raises:
            AppbenchError: Another process does not let go of the file.
        """
        line = json.dumps({"task": task, "tokens": tokens.total, "cost": cost}) + "\n"
        with self._locked(), self._file.open("ab+") as stream:
            if stream.tell() and not self._ends_a_line():
                # Whoever wrote last died while writing; what it began stays a line of its own.
                line = f"\n{line}"
            stream.write(line.encode())

    def spent(self, task: str | None = None) -> tuple[int, float | None]:
        """What was spent so far.

        Args:
            task: For which task, or None for the whole run.

        Returns:
            Tokens and US dollars; None for the dollars where a price is not known.
        """
        self._read()
        found = self._book.run if task is None else self._book.tasks.get(task, _Sum())
        return found.tokens, found.cost

    def counts_all(self) -> bool:
        """Whether every reply of the run so far told its tokens."""
        self._read()
        return self._book.run.counts_all

    def check(self, task: str, name: str = "") -> None:
        """Make sure that a model may be asked.

        Args:
            task: What for.
            name: What to call the task, where that is not all that tells it from others.

        Raises:
            BudgetSpent: A limit is reached; the message names it, and the option that raises it.
            PriceUnknown: There is a limit on money, and something was spent of unknown price.
        """
        _compare("the run", "run", self.spent(), self._run_limits)
        _compare(f"the task '{name or task}'", "task", self.spent(task), self._task_limits)

    def require_price(self, spec: str) -> None:
        """Make sure that a limit on money can be kept with a model.

        Args:
            spec: The model, such as `anthropic:MODEL`.

        Raises:
            PriceUnknown: There is a limit on money, and the model's price is not known.
        """
        if self.limits_cost and not prices.known_for(spec):
            raise PriceUnknown(
                f"the price of {spec} is not known, so a limit on money cannot be kept: "
                "limit tokens instead, by --appbench-run-tokens or --appbench-task-tokens"
            )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._lock.acquire()
        except Timeout as error:
            raise AppbenchError(
                f"another process has held {self._lock.lock_file} for {_LOCK_SECONDS:.0f} s: end "
                "the one that hangs"
            ) from error
        try:
            yield
        finally:
            self._lock.release()

    def _ends_a_line(self) -> bool:
        with self._file.open("rb") as stream:
            stream.seek(-1, 2)
            return stream.read(1) == b"\n"

    def _read(self) -> None:
        """Add up what was written since the last look, by whichever process."""
        book = self._book
        try:
            with self._file.open("rb") as stream:
                stream.seek(book.read)
                new = stream.read()
        except FileNotFoundError:
            return
        whole = new[: new.rfind(b"\n") + 1]
        book.read += len(whole)
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
                task, tokens, cost = entry["task"], entry["tokens"], entry["cost"]
            except (ValueError, TypeError, KeyError):
                continue
            book.run.add(tokens, cost)
            book.tasks.setdefault(task, _Sum()).add(tokens, cost)


def _compare(
    whose: str,
    scope: str,
    spent: tuple[int, float | None],
    limits: tuple[int | None, float | None],
) -> None:
    tokens, cost = spent
    most_tokens, most_cost = limits
    if most_tokens is not None and tokens >= most_tokens:
        raise BudgetSpent(
            f"{whose} has spent {tokens:,} tokens of {most_tokens:,} that it may: "
            f"--appbench-{scope}-tokens raises the limit"
        )
    if most_cost is None:
        return
    if cost is None:
        raise PriceUnknown(
            f"{whose} has asked a model whose price is not known, so the limit of {most_cost:g} "
            f"dollars cannot be kept: leave --appbench-{scope}-cost out, or limit tokens by "
            f"--appbench-{scope}-tokens"
        )
    if cost >= most_cost:
        raise BudgetSpent(
            f"{whose} has spent {cost:.4f} dollars of {most_cost:g} that it may: "
            f"--appbench-{scope}-cost raises the limit"
        )


class Slots:
    """Places for calls in flight, shared by all workers of a run.

    A place is a lock on a file. The operating system frees it when the process that holds it dies.

    Args:
        folder: The run's folder, the same for all workers.
        n: How many places there are, None for as many as are wanted.
    """

    def __init__(self, folder: Path, n: int | None = None) -> None:
        self._paths: list[Path] = []
        self._turn = anyio.Lock()
        if n is not None:
            places = folder / "slots"
            places.mkdir(parents=True, exist_ok=True)
            self._paths = [places / f"{number}.lock" for number in range(n)]

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place as long as the context lasts; waits for one, and can be cancelled."""
        if not self._paths:
            yield
            return
        lock = await self._acquired()
        try:
            yield
        finally:
            lock.release()

    async def _acquired(self) -> FileLock:
        # One caller of this process looks for a place at a time: first come, first served.
        async with self._turn:
            pause = _FIRST_PAUSE
            while True:
                for path in random.sample(self._paths, len(self._paths)):
                    lock = FileLock(path, timeout=0, thread_local=False)
                    try:
                        lock.acquire()
                    except Timeout:
                        continue
                    return lock
                await anyio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, _LONGEST_PAUSE)


class Metered:
    """A model that is asked within the limits of a run.

    Args:
        chat: The model.
        ledger: What may be spent, and was.
        slots: How many may be asked at once.
        task: What it is asked for.
        seconds: The most that one answer may take, None for no limit.
        name: What to call the task, where that is not all that tells it from others.
    """

    def __init__(
        self,
        chat: Chat,
        ledger: Ledger,
        slots: Slots,
        task: str,
        *,
        seconds: float | None = None,
        name: str = "",
    ) -> None:
        self._chat, self._ledger, self._slots, self._task = chat, ledger, slots, task
        self._seconds, self._name = seconds, name

    @property
    def spec(self) -> str:
        """The specification of the model."""
        return self._chat.spec

    async def ask(self, request: Request) -> Reply:
        """Ask within the limits; see `Chat.ask`.

        Args:
            request: What it is sent.

        Returns:
            The answer, written down in the ledger.

        Raises:
            BudgetSpent: A limit is reached.
            PriceUnknown: There is a limit on money, and no way to keep it.
            TimeoutError: The answer took too long; waiting for a place does not count.
            ModelUnavailable: So long, the provider had not even begun to answer.
        """
        self._ledger.require_price(self.spec)
        self._ledger.check(self._task, self._name)
        async with self._slots.place():
            # While it waited for a place, others have spent.
            self._ledger.check(self._task, self._name)
            reply = await self._answered(request)
            self._ledger.charge(self._task, reply.tokens, reply.cost_usd)
        if self._ledger.limits_tokens and not reply.tokens.total:
            raise SettingsError(
                f"{self.spec} does not tell how many tokens it consumed, so a limit on tokens "
                "cannot be kept: leave --appbench-run-tokens and --appbench-task-tokens out"
            )
        return reply

    async def _answered(self, request: Request) -> Reply:
        with followed() as progress:
            try:
                with anyio.fail_after(self._seconds):
                    return await self._chat.ask(request)
            except TimeoutError:
                if progress.is_answering:
                    raise
                last = f" (last seen: {progress.seen})" if progress.seen else ""
                raise ModelUnavailable(
                    f"{self.spec} had not begun to answer after {self._seconds:g} s{last}. "
                    "Run again later, or with a higher --appbench-time-limit: what was finished is "
                    "kept"
                ) from None
