"""What pictures of a judge's steps cost: CPU time of the same uses with them and without, in one run.

Shipped apps are used the same way, by turns without pictures and with them: a board, a chart, a form,
and a game on a canvas that moves by itself. CPU time is that of this process, of the driver and of
the browser while the app is open. Without pictures nothing of the camera runs; `on-failure` and `on`
take the same pictures.

    python benchmarks/performance/capture.py [--runs 5]
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

from pytest_appbench.artifacts.store import Store
from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.hands import Hands, HandsError
from pytest_appbench.standalone import Equipment, equipped

BENCHMARKS = Path(__file__).parents[1]
APPS = (
    "tools/apps/week-board",
    "visualization/apps/bar-chart-maker",
    "tools/apps/loan-planner",
    "games/apps/matchbox-snake",
)
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


def use(equipment: Equipment, url: str, evidence: Path | None) -> tuple[float, int, int]:
    """Use an app; gives CPU seconds, pictures and their bytes."""
    with equipment.sessions(7, (1280, 720)).open(clock=True) as session:
        session.open(url)
        camera = Camera(session, evidence, "steps") if evidence else None
        hands = Hands(session, url, camera=camera)
        refs = list(dict.fromkeys(re.findall(r"\be\d+\b", hands.call("look", []))))
        began = cpu_seconds()
        for number in range(STEPS):
            with suppress(HandsError):
                if number % 4 == 3:
                    hands.call("advance", [500])
                else:
                    hands.call("click", [refs[number % len(refs)]])
        spent = cpu_seconds() - began
    files = [*evidence.rglob("*.jpg")] if evidence else []
    return spent, len(files), sum(file.stat().st_size for file in files)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(
        f"{'app':<18}{'off, ms/step':>14}{'on, ms/step':>13}{'ratio':>7}{'pictures':>10}{'KB each':>9}"
    )
    ratios = []
    with tempfile.TemporaryDirectory() as folder, equipped() as equipment:
        store = Store(Path(folder) / "store")
        for name in APPS:
            artifact = store.add(BENCHMARKS / name / "good", origin="reference:good")
            plain, filmed, count, size = [], [], 0, 0
            with equipment.site(artifact) as url:
                use(equipment, url, None)
                for run in range(runs):
                    plain.append(use(equipment, url, None)[0])
                    evidence = Path(folder) / Path(name).name / str(run)
                    spent, count, size = use(equipment, url, evidence)
                    filmed.append(spent)
            off, on = (statistics.median(one) / STEPS * 1000 for one in (plain, filmed))
            ratios.append(on / off)
            print(
                f"{Path(name).name:<18}{off:>14.1f}{on:>13.1f}{on / off:>7.2f}{count:>10}"
                f"{size / 1024 / max(1, count):>9.1f}",
                flush=True,
            )
    print(f"on against off: {statistics.geometric_mean(ratios):.2f} times the CPU time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
