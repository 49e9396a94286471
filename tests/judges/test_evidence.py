"""What stays of a judging's pictures, and the video that is made of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_appbench.browser.launch import find_ffmpeg
from pytest_appbench.judges import film
from pytest_appbench.judges.evidence import keep
from pytest_appbench.judges.verdict import Verdict

# A grey JPEG of 8 x 8 pixels.
PICTURE = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300" + "10" * 64 + "ffc0000b080008000801011100"
    "ffc4001f0000010501010101010100000000000000000102030405060708090a0b"
    "ffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a108"
    "2342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a53545556"
    "5758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9"
    "aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7"
    "f8f9faffda0008010100003f00fd" + "ffd9"
)
STEPS: tuple[dict[str, Any], ...] = (
    {"kind": "judging", "version": 1},
    {"kind": "action", "action": "look", "changed": "…"},
    {
        "kind": "action",
        "action": "click",
        "at": 500.0,
        "picture": "steps/0002.jpg",
        "frames": [{"at": 125.0, "file": "steps/0002-1.jpg"}],
    },
    {"kind": "action", "action": "advance", "at": 60_500.0, "picture": "steps/0002.jpg"},
)


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    """A folder as a judging leaves it."""
    folder = tmp_path / "tasks" / "one"
    (folder / "steps").mkdir(parents=True)
    for name in ("steps/0002.jpg", "steps/0002-1.jpg", "screenshot-001.webp"):
        (folder / name).write_bytes(PICTURE)
    lines = "".join(json.dumps(line) + "\n" for line in STEPS)
    (folder / "trajectory.jsonl").write_text(lines, encoding="utf-8")
    return folder


def kept(evidence: Path, status: Any, capture: str) -> set[str]:
    verdict = Verdict(status=status, judge="me", protocol="own", threshold=0.8)
    keep(verdict, evidence, evidence.parent.parent, capture=capture, guard="full")
    return {path.relative_to(evidence).as_posix() for path in evidence.rglob("*") if path.is_file()}


def said(evidence: Path) -> list[str]:
    lines = (evidence / "trajectory.jsonl").read_text(encoding="utf-8").splitlines()
    return [one["text"] for one in map(json.loads, lines) if one["kind"] == "video"]


@pytest.mark.parametrize(
    ("capture", "status", "stays"),
    [
        ("off", "fail", False),
        ("on-failure", "pass", False),
        ("on-failure", "fail", True),
        ("on-failure", "uncertain", True),
        ("on", "pass", True),
    ],
)
def test_pictures_stay_where_they_were_asked_for(
    evidence: Path, monkeypatch: pytest.MonkeyPatch, capture: str, status: str, stays: bool
) -> None:
    monkeypatch.setattr(film, "find_ffmpeg", lambda: None)
    pictures = {"steps/0002.jpg", "steps/0002-1.jpg", "screenshot-001.webp"}
    files = kept(evidence, status, capture)
    assert files & pictures == (pictures if stays else set())
    assert {"trajectory.jsonl", "verdict.json"} <= files
    assert said(evidence) == (["no video: there is no ffmpeg on PATH"] if stays else [])


def test_that_there_is_no_ffmpeg_is_said_once(
    evidence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film, "find_ffmpeg", lambda: None)
    kept(evidence, "fail", "on")
    kept(evidence, "fail", "on")
    assert len(said(evidence)) == 1


def fake(folder: Path, body: str) -> str:
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def test_each_picture_is_shown_as_long_as_page_time_ran(
    evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = fake(tmp_path, 'for last; do :; done; cat > "$last"')
    monkeypatch.setattr(film, "find_ffmpeg", lambda: program)
    assert "video.webm" in kept(evidence, "fail", "on-failure")
    # 375 ms of the first, a second of the next, which stood for a minute, and one at the end.
    assert (evidence / "video.webm").read_bytes() == PICTURE * (4 + 10 + 10)
    assert said(evidence) == ["video.webm"]
    assert "video.webm" not in kept(evidence, "pass", "on-failure")


def test_an_ffmpeg_that_fails_is_on_record_and_leaves_nothing_behind(
    evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = fake(tmp_path, 'for last; do :; done; echo half > "$last"; echo broken >&2; exit 3')
    monkeypatch.setattr(film, "find_ffmpeg", lambda: program)
    assert "video.webm" not in kept(evidence, "fail", "on")
    assert said(evidence) == ["no video: ffmpeg ended with 3: broken"]


@pytest.mark.skipif(find_ffmpeg() is None, reason="there is no ffmpeg on this machine")
def test_a_real_ffmpeg_makes_a_video_of_that_length(evidence: Path) -> None:
    assert "video.webm" in kept(evidence, "fail", "on"), said(evidence)
    video = (evidence / "video.webm").read_bytes()
    assert video.startswith(b"\x1a\x45\xdf\xa3"), "no Matroska"
    if probe := shutil.which("ffprobe"):
        command = [probe, "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]
        found = subprocess.run(
            [*command, str(evidence / "video.webm")], capture_output=True, text=True, check=True
        )
        assert float(found.stdout) == pytest.approx(2.4, abs=0.2)
