"""Pictures of steps: what is kept, when, and that taking them changes nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from browserkit import Visit
from pytest_appbench.browser import capture
from pytest_appbench.browser.capture import Camera
from pytest_appbench.browser.hands import Hands

MOVING = """<!doctype html><meta charset=utf-8><style>
  #css { animation: turn 400ms paused; width: 50px; height: 50px; background: coral; }
  @keyframes turn { to { transform: translateX(500px); } }
</style><button id=go>Go</button> <button>Idle</button> <button id=spin>Spin</button><p id=p>0</p>
<div id=d style="position:absolute;left:0;top:200px;width:60px;height:60px;background:teal"></div>
<div id=css></div><canvas id=c width=300 height=100></canvas><script>
  let told = [];
  for (const type of ["resize", "scroll"]) addEventListener(type, () => told.push(type));
  for (const type of ["resize", "scroll"]) visualViewport.addEventListener(type, () => told.push(`visual ${type}`));
  for (const query of ["(min-width: 900px)", "(resolution: 1dppx)", "(orientation: landscape)"]) {
    matchMedia(query).addEventListener("change", () => told.push(query));
  }
  new ResizeObserver((entries) => told.push(`${entries.length} sizes`)).observe(document.documentElement);
  const trail = [];
  go.onclick = () => {
    let x = 0;
    const frame = (time) => {
      x += 7;
      d.style.left = `${x}px`;
      trail.push(Math.round(time));
      c.getContext("2d").fillRect(x, Math.random() * 100, 3, 3);
      if (x < 300) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    setTimeout(() => { p.textContent = performance.now(); }, 500);
  };
  spin.onclick = () => { css.style.animationPlayState = "running"; css.onanimationend = () => trail.push("end"); };
</script>"""
STATE = (
    """() => [document.documentElement.outerHTML, c.toDataURL(), trail, told].map(String).join()"""
)


def use(visit: Visit, folder: Path | None) -> tuple[Hands, str, str]:
    """The app after the same uses, with or without pictures of them."""
    session = visit(MOVING, clock=True, seed=3)
    camera = Camera(session, folder, "steps") if folder else None
    hands = Hands(session, session.url, folder, camera)
    hands.call("click", ["Go"])
    hands.call("look", [])
    hands.call("click", ["Idle"])
    hands.call("advance", [1037])
    hands.call("click", ["Spin"])
    hands.call("advance", [700])
    state = session.page.evaluate(STATE)
    return hands, state, hashlib.sha256(session.page.screenshot()).hexdigest()


def test_pictures_change_neither_the_app_nor_what_is_said_of_it(
    visit: Visit, tmp_path: Path
) -> None:
    filmed, *ends = use(visit, tmp_path)
    plain, *same = use(visit, None)
    assert ends == same
    assert [one.changed for one in filmed.steps] == [one.changed for one in plain.steps]
    go, look, idle, advance, spin, rest = (one.as_json() for one in filmed.steps)
    assert (go["at"], len(go["frames"])) == (500.0, 3)
    assert [frame["at"] for frame in go["frames"]] == [125.0, 250.0, 375.0]
    assert "picture" not in look
    assert "frames" not in rest
    assert len(spin["frames"]) >= 2
    assert advance["picture"] == (tmp_path / advance["picture"]).relative_to(tmp_path).as_posix()
    names = {go["picture"], idle["picture"], spin["picture"], *(f["file"] for f in go["frames"])}
    pictures = [(tmp_path / name).read_bytes() for name in names]
    assert all(picture.startswith(b"\xff\xd8") and len(picture) < 60_000 for picture in pictures)
    assert rest["picture"] == spin["picture"], "the same sight is kept once"
    assert all("picture" not in one.as_json() for one in plain.steps)


def test_a_page_at_rest_costs_one_picture_and_is_not_filmed(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = visit("<button>Dead</button>", clock=True)
    shots: list[Camera] = []

    def shoot(camera: Camera) -> bytes:
        shots.append(camera)
        return b"picture"

    monkeypatch.setattr(Camera, "_shot", shoot)
    hands = Hands(session, session.url, tmp_path, Camera(session, tmp_path, "steps"))
    for _ in range(3):
        hands.call("click", ["Dead"])
    hands.call("look", [])
    assert len(shots) == 1, "no visible change, no further picture"
    assert len(list((tmp_path / "steps").iterdir())) == 1


def test_a_picture_that_may_wait_is_the_same_one(visit: Visit, tmp_path: Path) -> None:
    taken: list[list[tuple[str, bytes]]] = []
    for may_wait in (False, True):
        session = visit(MOVING, clock=True, seed=3)
        folder = tmp_path / str(may_wait)
        hands = Hands(session, session.url, folder, Camera(session, folder, "steps"))
        hands.may_wait = may_wait
        hands.call("click", ["Go"])
        hands.call("look", [])
        hands.call("click", ["Spin"])
        hands.call("advance", [900])
        assert bool(hands.steps[-1].picture) is not may_wait
        hands.catch_up()
        hands.catch_up()
        shown = [step for step in hands.steps if step.picture]
        assert [step.action for step in shown] == ["click", "click", "advance"]
        taken.append([(step.picture, (folder / step.picture).read_bytes()) for step in shown])
    assert taken[0] == taken[1]


def test_there_is_an_end_to_pictures_and_a_lost_page_has_none(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "MOST_PICTURES", 2)
    page = "<button onclick='this.textContent += 1'>Go</button>"
    session = visit(page, clock=True)
    hands = Hands(session, session.url, tmp_path, Camera(session, tmp_path, "steps"))
    for _ in range(4):
        hands.call("click", ["button"])
    assert [bool(one.picture) for one in hands.steps] == [True, True, False, False]
    session.page.close()
    assert Camera(session, tmp_path, "more").finish(1) == ("", ())


def test_flowing_time_is_not_filmed(visit: Visit, tmp_path: Path) -> None:
    session = visit(MOVING)
    hands = Hands(session, session.url, tmp_path, Camera(session, tmp_path, "steps"))
    hands.call("click", ["Go"])
    step = hands.steps[0].as_json()
    assert "frames" not in step
    assert step["at"] > 0
