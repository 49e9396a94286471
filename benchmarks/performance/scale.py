"""What 10, 1,000 and 100,000 judgings take: CPU, memory, disk, and money for a named model.

Measured in this run on shipped apps, each judged by the probe and by a model on loopback that
writes one test script of 15 actions, looks once and concludes. CPU and memory are those of pytest,
Playwright and Chromium together; a judging's CPU is the difference between a session of all tasks
and one of a single task, so that starting up does not count. Memory is the largest proportional set
size that was seen, of one process without workers. Tokens are what the records say, as the loopback
provider counts them; a model that thinks before it answers is paid for that besides. Money is their
price by the list of the installed genai-prices, nothing taken off for cached prompts. What it adds
up for 1,000 and 100,000 judgings is the measured figure times their number; deciding on so many
records is measured as it is.

    python benchmarks/performance/scale.py [--model anthropic:claude-opus-4-8]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from judge_tokens import TASKS, judge

from provider import Provider
from pytest_appbench.judges.verdict import Reason, Scores, Verdict
from pytest_appbench.models.chat import Tokens
from pytest_appbench.models.prices import cost
from pytest_appbench.reports.results import Record, TaskWords, read, whole, write_records

NUMBERS = (10, 1_000, 100_000)


@dataclass
class Session:
    """What one session took: seconds of CPU, bytes of memory and disk, tokens of each judging."""

    cpu: float
    memory: int
    disk: int
    tokens: list[tuple[int, int]]


def session(tasks: tuple[str, ...], environment: dict[str, str], *arguments: str) -> Session:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["--appbench-cache=off", f"--appbench-run-dir={folder}", *arguments]
        process = subprocess.Popen(
            [*command, "-k", " or ".join(tasks), str(ROOT / "benchmarks")],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
        )
        cpu, memory = watch(psutil.Process(process.pid))
        process.wait()
        (run,) = (path for path in Path(folder).iterdir() if path.is_dir())
        records = whole(read(run))
        if len(records) != len(tasks) or any(record.outcome == "error" for record in records):
            raise SystemExit(f"{len(records)} records of {len(tasks)} tasks, or an error")
        used = [record.verdict.usage for record in records if record.verdict]
        disk = sum(path.stat().st_size for path in run.rglob("*") if path.is_file())
        return Session(cpu, memory, disk, [(u.tokens_in or 0, u.tokens_out or 0) for u in used])


def deciding(number: int) -> tuple[float, int]:
    """CPU seconds and memory of `appbench gate` on so many records."""
    verdict = Verdict(
        status="pass",
        judge="probe",
        protocol="probe",
        threshold=0.8,
        scores=Scores(intention=1.0, static=1.0, dynamic=0.9),
        reasons=(Reason(dimension="dynamic", text="three presses make three " * 8),),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.jsonl"
        words = TaskWords(id="x", domain="games")
        write_records(
            path,
            (
                Record(
                    run="r", nodeid=f"a.task.yaml::{n}", outcome="pass", task=words, verdict=verdict
                )
                for n in range(number)
            ),
        )
        command = [
            "appbench",
            "gate",
            str(path),
            "--gate",
            "no-regressions",
            "--baseline",
            str(path),
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        figures = watch(psutil.Process(process.pid))
        if process.wait():
            raise SystemExit("the gate does not hold")
        return figures


def watch(process: psutil.Process) -> tuple[float, int]:
    """CPU seconds of a process and its descendants, and the most memory they had together."""
    spent: dict[tuple[int, float], float] = {}
    memory = 0
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        together = 0
        with suppress(psutil.Error):
            for one in (process, *process.children(recursive=True)):
                with suppress(psutil.Error):
                    times = one.cpu_times()
                    spent[one.pid, one.create_time()] = times.user + times.system
                    together += one.memory_full_info().pss
        memory = max(memory, together)
        time.sleep(0.25)
    return sum(spent.values()), memory


def main() -> int:
    for number in NUMBERS:
        seconds, memory = deciding(number)
        print(
            f"gate against a baseline, {number:,} records: {seconds:.1f} s, {memory / 1e6:.0f} MB"
        )
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="anthropic:claude-opus-4-8")
    model = parser.parse_args().model
    provider_name, _, name = model.partition(":")
    with Provider(judge) as provider:
        environment = provider.environment()
        by_model = ("--appbench-judge=openai:gpt-4.1", "--appbench-screen=off")
        for label, words in (("probe", ()), ("model", by_model)):
            one, all_of = (session(tasks, environment, *words) for tasks in (TASKS[:1], TASKS))
            cpu = (all_of.cpu - one.cpu) / (len(TASKS) - 1)
            disk = all_of.disk / len(TASKS)
            print(
                f"{label}: {cpu:.1f} s of CPU and {disk / 1e6:.2f} MB a judging "
                f"({len(TASKS)} apps); {all_of.memory / 1e6:.0f} MB a worker"
            )
            for number in NUMBERS:
                print(
                    f"  {number:>7,}: {number * cpu / 3600:9.2f} h of CPU, "
                    f"{number * disk / 1e9:8.2f} GB"
                )
            if not any(sum(pair) for pair in all_of.tokens):
                continue
            tokens_in, tokens_out = (
                sum(side) / len(TASKS) for side in zip(*all_of.tokens, strict=True)
            )
            price = cost(
                provider_name, name, Tokens(input=round(tokens_in), output=round(tokens_out))
            )
            print(f"  {tokens_in:,.0f} tokens in and {tokens_out:,.0f} out a judging")
            if price is None:
                print(f"  the price of {model} is not known")
                continue
            print(f"  by genai-prices {version('genai-prices')}, {model}, ${price:.4f} a judging:")
            for number in NUMBERS:
                print(f"  {number:>7,}: ${number * price:,.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
