"""What pictures of a judge's steps cost: CPU time of the same uses with them and without.

Shipped apps are used the same way, by turns without pictures and with them: a board, a chart, a
form, and a game on a canvas that moves by itself. CPU time is that of this process, of the driver
and of the browser while the app is open. Without pictures nothing of the camera runs; `on-failure`
and `on` take the same ones.

    python benchmarks/performance/capture.py [--runs 5]
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from pytest_appbench.artifacts.store import Store
from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.effects import UNCHANGED
from pytest_appbench.browser.hands import Hands, HandsError
from pytest_appbench.standalone import Equipment, equipped

BENCHMARKS = Path(__file__).parents[1]
APPS = (
    "tools/apps/week-board",
    "visualization/apps/bar-chart-maker",
    "tools/apps/loan-planner",
    "games/apps/cliff-cannon",
)
FIELDS = ("textbox", "spinbutton", "slider")
STEPS = 16


def cpu_seconds() -> float:
    """CPU time so far of this process and of all it started that still run."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


@dataclass(frozen=True)
class Use:
    """CPU seconds, steps that changed something, pictures, and their bytes."""

    seconds: float
    changed: int
    pictures: int
    size: int


def use(equipment: Equipment, url: str, evidence: Path | None) -> Use:
    """Use an app, field by field and button by button."""
    with equipment.sessions(7, (1280, 720)).open(clock=True) as session:
        session.open(url)
        camera = Camera(session, evidence, "steps") if evidence else None
        hands = Hands(session, url, camera=camera)
        refs = list(dict.fromkeys(re.findall(r"\be\d+\b", hands.call("look", []))))
        roles = {ref: hands.call("read", [ref])["role"] for ref in refs}
        began, first = cpu_seconds(), len(hands.steps)
        for number in range(STEPS):
            ref = refs[number % len(refs)]
            with suppress(HandsError):
                if number % 4 == 3:
                    hands.call("advance", [500])
                elif roles[ref] in FIELDS:
                    hands.call("fill", [ref, str(number + 3)])
                else:
                    hands.call("click", [ref])
        spent = cpu_seconds() - began
        changed = sum(step.changed != UNCHANGED for step in hands.steps[first:])
    files = [*evidence.rglob("*.jpg")] if evidence else []
    return Use(spent, changed, len(files), sum(file.stat().st_size for file in files))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    times = f"{'off, ms/step':>14}{'on, ms/step':>13}{'ratio':>7}"
    print(f"{'app':<18}{times}{'changed':>9}{'pictures':>10}{'KB each':>9}")
    ratios = []
    with tempfile.TemporaryDirectory() as folder, equipped() as equipment:
        store = Store(Path(folder) / "store")
        for name in APPS:
            artifact = store.add(BENCHMARKS / name / "good", origin="reference:good")
            plain: list[Use] = []
            filmed: list[Use] = []
            with equipment.site(artifact) as url:
                use(equipment, url, None)
                for run in range(runs):
                    plain.append(use(equipment, url, None))
                    evidence = Path(folder) / Path(name).name / str(run)
                    filmed.append(use(equipment, url, evidence))
            off, on = (
                statistics.median(one.seconds for one in uses) / STEPS * 1000
                for uses in (plain, filmed)
            )
            last = filmed[-1]
            ratios.append(on / off)
            print(
                f"{Path(name).name:<18}{off:>14.1f}{on:>13.1f}{on / off:>7.2f}"
                f"{last.changed:>9}{last.pictures:>10}"
                f"{last.size / 1024 / max(1, last.pictures):>9.1f}",
                flush=True,
            )
    print(f"on against off: {statistics.geometric_mean(ratios):.2f} times the CPU time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
