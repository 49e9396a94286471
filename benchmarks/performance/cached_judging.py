"""What a task costs whose verdict was kept: beside the same session without our judging.

The claim: in a second identical run a task takes less than 150 ms beyond pytest's own cost. That
cost is measured in this run as well: plain test functions that take pytest-playwright's `page` in
the same guarded way, with as many items. No model is asked in the second run; the script fails if
one is. Exit code 1 when the claim does not hold.

    python benchmarks/performance/cached_judging.py [--tasks 30]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from judge_loop import MODEL, judge, write_benchmark

from provider import Provider

LIMIT_MS = 150.0
PLAIN = """\
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_page(page, number):
    pass
"""


OWN_BROWSER = """\
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    from pytest_appbench.browser.launch import find_chromium, guard_arguments

    return {
        **browser_type_launch_args,
        "executable_path": find_chromium().executable,
        "args": guard_arguments(9),
    }
"""


def session(folder: Path, environment: dict[str, str], *arguments: str) -> float:
    """Seconds of one session of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    started = time.monotonic()
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(done.stdout[-3000:])
    return time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=30)
    count = parser.parse_args().tasks
    with tempfile.TemporaryDirectory() as name, Provider(judge(3)) as provider:
        folder, environment = Path(name), provider.environment()
        write_benchmark(folder, count)
        plain = folder / "test_plain.py"
        plain.write_text(PLAIN.format(count=count), encoding="utf-8")
        judged = ("orders.task.yaml", f"--appbench-judge={MODEL}")
        session(folder, environment, *judged)
        asked = len(provider.requests)
        again = min(session(folder, environment, *judged) for _ in range(3))
        if len(provider.requests) != asked:
            raise SystemExit("a model was asked again")
        (folder / "conftest.py").write_text(OWN_BROWSER, encoding="utf-8")
        base = min(session(folder, environment, "test_plain.py") for _ in range(3))
    extra = (again - base) / count * 1000
    print(
        f"{count} tasks with kept verdicts: {again:.2f} s; {count} plain tests with a page: "
        f"{base:.2f} s; {extra:.0f} ms a task beyond that (below {LIMIT_MS:.0f} ms)"
    )
    return 0 if extra < LIMIT_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
