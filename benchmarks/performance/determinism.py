"""Whether an app under the logical clock comes to the same end each time, however long one thinks.

The claim: the same app, seed and actions give one end state and one final screenshot. Five shipped
games and simulations are each used ten times, over two starts of the browser, with thinking time
drawn anew before every action. An end state is the document, what its fields hold and every pixel
of its canvases; a screenshot is compared byte by byte. Every other run is filmed, which must make
no difference. Beside it, the same uses with flowing time say how far apart the ends are where
nothing owns time. Exit code 1 when the claim does not hold.

    python benchmarks/performance/determinism.py [--runs 10] [--without-peer]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts.store import Store
from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.hands import Hands
from pytest_appbench.standalone import Equipment, equipped

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

BENCHMARKS = Path(__file__).parents[1]
Action = tuple[str, *tuple[Any, ...]]
USES: dict[str, tuple[Action, ...]] = {
    "games/apps/cliff-cannon": (
        ("click", {"text": "Fire"}),
        ("advance", 9000),
        ("click", {"text": "Fire"}),
        ("advance", 433),
    ),
    "games/apps/life-rules-lab": (
        ("click", {"text": "Random"}),
        ("click", {"text": "Play"}),
        ("click", [500, 400]),
        ("drag", [300, 300], [520, 420]),
        ("advance", 2033),
    ),
    "games/apps/matchbox-snake": (
        ("press", "ArrowRight"),
        ("advance", 350),
        ("press", "ArrowDown"),
        ("press", "ArrowLeft"),
        ("press", "ArrowUp"),
        ("advance", 301),
    ),
    "science/apps/cart-collision": (
        ("click", {"label": "Bounciness"}),
        ("click", {"text": "Run"}),
        ("advance", 1250),
        ("drag", [500, 300], [700, 420]),
    ),
    "science/apps/pendulum-lab": (
        ("click", {"text": "Start"}),
        ("advance", 1700),
        ("click", [640, 360]),
        ("advance", 250),
    ),
}
LAUNCHES = 2
MOST_THOUGHT = 0.4
"""Seconds."""
STATE = """() => {
  const fields = [...document.querySelectorAll("input, select, textarea")];
  const canvases = [...document.querySelectorAll("canvas")];
  return [
    document.documentElement.outerHTML,
    ...fields.map((field) => `${field.value} ${field.checked}`),
    ...canvases.map((canvas) => canvas.toDataURL()),
  ].join("\\n");
}"""


def use(
    session: Session,
    url: str,
    actions: Iterable[Action],
    thinking: random.Random,
    evidence: Path | None,
) -> None:
    """Do one thing after the other, with a look and a thought before each."""
    camera = Camera(session, evidence, "steps") if evidence else None
    hands = Hands(session, url, camera=camera)
    for name, *arguments in actions:
        hands.call("look", [])
        time.sleep(thinking.uniform(0, MOST_THOUGHT))
        hands.call(name, arguments)


@contextmanager
def opened(equipment: Equipment, url: str, *, clock: bool) -> Iterator[Session]:
    with equipment.sessions(7, (1280, 720)).open(clock=clock) as session:
        session.open(url)
        yield session


def ends(store: Store, name: str, runs: int, *, clock: bool) -> tuple[set[str], set[str]]:
    """The distinct end states and screenshots of all runs, as digests."""
    states: set[str] = set()
    pictures: set[str] = set()
    artifact = store.add(BENCHMARKS / name / "good", origin="reference:good")
    for launch in range(LAUNCHES):
        with equipped() as equipment, equipment.site(artifact) as url:
            for run in range(launch, runs, LAUNCHES):
                is_filmed = (run // LAUNCHES + launch) % 2 == 0
                with ExitStack() as stack:
                    session = stack.enter_context(opened(equipment, url, clock=clock))
                    folder = stack.enter_context(tempfile.TemporaryDirectory())
                    evidence = Path(folder) if is_filmed else None
                    use(session, url, USES[name], random.Random(f"{name} {run}"), evidence)
                    state = session.evaluate(STATE).replace(url, "")
                    states.add(hashlib.sha256(state.encode()).hexdigest())
                    with session.bounded(10):
                        picture = session.page.screenshot()
                    pictures.add(hashlib.sha256(picture).hexdigest())
    return states, pictures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--without-peer", action="store_true", help="only the logical clock")
    options = parser.parse_args()
    print(f"{'app':<18}{'runs':>5}{'end states':>12}{'screenshots':>13}   with flowing time")
    is_one = True
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        for name in USES:
            states, pictures = ends(store, name, options.runs, clock=True)
            is_one &= len(states) == len(pictures) == 1
            line = f"{Path(name).name:<18}{options.runs:>5}{len(states):>12}{len(pictures):>13}"
            if not options.without_peer:
                flowing = ends(store, name, options.runs, clock=False)
                line += f"   {len(flowing[0])} end states, {len(flowing[1])} screenshots"
            print(line, flush=True)
    print("one end each" if is_one else "NOT one end each")
    return 0 if is_one else 1


if __name__ == "__main__":
    raise SystemExit(main())
