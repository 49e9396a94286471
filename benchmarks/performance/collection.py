"""What collecting costs: 10,000 tasks in one file against 10,000 plain functions that take `page`.

The claim: the CPU of collecting tasks is at most 1.3 times that of the plain functions plus the
bare parse of the same file by yaml's CSafeLoader. All three are measured in this run, in fresh
processes, several times; medians are compared. Exit code 1 when the claim does not hold.

    python benchmarks/performance/collection.py [--tasks 10000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.3

TASK = """\
---
id: task-{number}
domain: science
subclass: physics
level: mid
query: >
  A small page where I can type numbers separated by commas and see a bar chart of them, with a
  slider labelled Gap from 0 to 20, a Reset button, and the mean to two decimals below the chart.
  Entries that are not numbers are left out and named, so that I can see what was wrong with them.
reference:
  intention: [It plots the numbers that were typed, The mean is that of the numbers plotted]
  static: [There is a slider labelled Gap, There is a Reset button below the chart]
  dynamic: [Reset brings back the start, Entries that are not numbers are named]
"""

COLLECT = """\
import sys, time, pytest
class Meter:
    def pytest_collection(self):
        self.start = time.process_time()
    def pytest_collection_finish(self, session):
        print("items", len(session.items), "cpu", time.process_time() - self.start)
sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", sys.argv[1]], [Meter()]))
"""

PARSE = """\
import sys, time, yaml
loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
with open(sys.argv[1], "rb") as stream:
    start = time.process_time()
    count = sum(1 for _ in yaml.load_all(stream, Loader=loader))
print("items", count, "cpu", time.process_time() - start)
"""


def measure(program: str, file: Path, expected: int) -> float:
    """CPU seconds that a program reports, run in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-c", program, file.name],
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    for line in answer.stdout.splitlines():
        if line.startswith("items "):
            _, count, _, seconds = line.split()
            if int(count) != expected:
                raise SystemExit(f"{file.name}: {count} items instead of {expected}")
            return float(seconds)
    raise SystemExit(f"{file.name}: no figure\n{answer.stdout[-2000:]}{answer.stderr[-2000:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tasks, plain = Path(folder, "many.task.yaml"), Path(folder, "test_many.py")
        Path(folder, "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        numbers = range(options.tasks)
        tasks.write_text("".join(TASK.format(number=n) for n in numbers), encoding="utf-8")
        plain.write_text(
            "".join(f"def test_task_{n}(page): pass\n" for n in numbers), encoding="utf-8"
        )
        rounds = [
            (
                measure(COLLECT, plain, options.tasks),
                measure(PARSE, tasks, options.tasks),
                measure(COLLECT, tasks, options.tasks),
            )
            for _ in range(options.rounds)
        ]
    functions, parse, collected = (
        statistics.median(column) for column in zip(*rounds, strict=True)
    )
    ratio = (collected - parse) / functions
    print(f"{options.tasks} tasks, median CPU of {options.rounds} rounds")
    print(f"  plain functions that take page   {functions:7.2f} s")
    print(f"  bare CSafeLoader parse           {parse:7.2f} s")
    print(f"  task items                       {collected:7.2f} s")
    print(f"ratio (task items - parse) / plain functions: {ratio:.2f} (limit {LIMIT})")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
