"""What building a React app costs: beside plain `vite build` on the same files in the same run.

The claim: a build of ours (a throw-away copy, the sandbox, taking the result into the store) takes
less than 20 % longer than plain `vite build` in a folder that lies ready, once what builds share is
installed. Plain and ours take turns; medians are compared. Told as well: the first build on a
machine, which installs what builds share with npm (the only step with a network; `--no-cold` leaves
it out), four builds side by side against four plain ones side by side, and a build that was kept.
Exit code 1 when the claim does not hold.

    python benchmarks/performance/build.py [--rounds 9] [--no-cold]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from pytest_appbench.artifacts import builders, dependencies
from pytest_appbench.artifacts.build import Builds
from pytest_appbench.artifacts.builders import Builder, Yard
from pytest_appbench.artifacts.builders.react import template
from pytest_appbench.artifacts.cache import Cache
from pytest_appbench.artifacts.store import Artifact, Store
from pytest_appbench.tasks.load import load_file
from pytest_appbench.tasks.model import Task

ROOT = Path(__file__).parents[2]
TASKS = ROOT / "benchmarks" / "react"
MOST_OVERHEAD = 0.20
SIDE_BY_SIDE = 4


def seconds(work: Callable[[], object]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def side_by_side(works: Sequence[Callable[[], object]]) -> float:
    with ThreadPoolExecutor(len(works)) as threads:
        return seconds(lambda: list(threads.map(lambda work: work(), works)))


class Plain:
    """A folder in which `vite build` runs as a person would run it."""

    def __init__(self, folder: Path, app: Path, packages: Path) -> None:
        self.folder = folder
        with template() as own:
            shutil.copytree(own, folder)
        shutil.copytree(app, folder, dirs_exist_ok=True)
        (folder / "node_modules").symlink_to(packages)

    def __call__(self) -> None:
        """Build once."""
        vite = ("node_modules/vite/bin/vite.js", "build", "--configLoader", "native")
        subprocess.run(
            [dependencies.node().program, *vite], cwd=self.folder, check=True, capture_output=True
        )


class Ours:
    """Builds of the engine, with or without what was kept."""

    def __init__(self, cache_dir: Path, policy: str, builder: Builder) -> None:
        self.store, self.builder = Store(cache_dir), builder
        cache = Cache(cache_dir, {"generate": "off", "build": policy, "judge": "off"})
        self.builds = Builds(self.store, cache, Yard(cache_dir, (ROOT, cache_dir)))

    def __call__(self, task: Task, source: Artifact) -> None:
        """Build once."""
        self.builds.now(self.builder, task, source)


def told(name: str, value: float, rest: str = "") -> None:
    print(f"{name:<44}{value:8.3f} s{rest}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-cold", action="store_true")
    options = parser.parse_args()
    builder = builders.of("react").builder
    assert builder is not None
    tasks = [task for file in sorted(TASKS.glob("*.task.yaml")) for task in load_file(file)]
    apps = [TASKS / "apps" / task.id / kind for task in tasks for kind in ("good", "faulty")]
    with tempfile.TemporaryDirectory(prefix="appbench-build-") as name:
        folder = Path(name)
        cache_dir = folder / "cache" if not options.no_cold else ROOT / ".appbench-cache"
        fresh, kept = Ours(cache_dir, "off", builder), Ours(cache_dir, "read", builder)
        sources = [fresh.store.add(app, "measured") for app in apps]
        task = tasks[0]
        if not options.no_cold:
            cold = seconds(lambda: fresh(task, sources[0]))
            told("cold: packages installed, then built", cold)
        with template() as own:
            packages = dependencies.installed(own, cache_dir)
        plain = [Plain(folder / f"plain-{n}", app, packages) for n, app in enumerate(apps)]
        for work in plain:  # files read once, on both sides
            work()

        def ours(number: int) -> Callable[[], object]:
            return lambda: fresh(task, sources[number % len(apps)])

        pairs = [
            (
                seconds(plain[n % len(apps)]),
                seconds(ours(n)),
            )
            for n in range(options.rounds)
        ]
        bare, warm = (median(values) for values in zip(*pairs, strict=True))
        overhead = warm / bare - 1
        told("plain: vite build", bare)
        told("warm: ours, nothing kept", warm, f"  {overhead:+.0%}")
        together = [
            (
                side_by_side(plain[:SIDE_BY_SIDE]),
                side_by_side([ours(n) for n in range(SIDE_BY_SIDE)]),
            )
            for _ in range(max(1, options.rounds // 3))
        ]
        bare4, warm4 = (median(values) for values in zip(*together, strict=True))
        told("plain: four side by side", bare4)
        told("warm: four of ours side by side", warm4, f"  {warm4 / bare4 - 1:+.0%}")
        kept(task, sources[0])
        told(
            "kept: built in an earlier run",
            median(seconds(lambda: kept(task, sources[0])) for _ in range(9)),
        )
    holds = overhead < MOST_OVERHEAD
    word = "under" if holds else "NOT under"
    print(f"overhead of a warm build {overhead:.0%}: {word} {MOST_OVERHEAD:.0%}")
    return 0 if holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
