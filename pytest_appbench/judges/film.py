"""Makes a video of the pictures of a judging, where there is ffmpeg: each as long as page time ran.

Times are those of the page, not of the judge's thinking. Where nothing moved for long, the video
goes on after `STILL_MS`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_appbench.browser.launch import find_ffmpeg

FPS = 10
STILL_MS = 1000.0
"""The longest that one picture is shown, in ms."""
MOST_FRAMES = 3000
WIDTH, HEIGHT = 640, 480
SUFFIX = ".webm"
_SECONDS = 60.0
_INPUT = ("-f", "image2pipe", "-framerate", str(FPS), "-c:v", "mjpeg", "-i", "pipe:0")
_FITTED = (
    f"scale={WIDTH}:{HEIGHT}:force_original_aspect_ratio=decrease,"
    f"pad={WIDTH}:{HEIGHT}:(ow-iw)/2:(oh-ih)/2"
)
_OUTPUT = (
    *("-an", "-vf", _FITTED, "-c:v", "vp8", "-qmin", "0", "-qmax", "50", "-crf", "10"),
    *("-deadline", "realtime", "-speed", "8", "-b:v", "1M", "-threads", "1"),
)


def pictures_of(lines: Iterable[Mapping[str, Any]]) -> list[tuple[float, str]]:
    """The pictures of a trajectory, with the page time at which each was taken.

    Args:
        lines: The lines of the trajectory.

    Returns:
        Times in ms and names of files, in order.
    """
    found: list[tuple[float, str]] = []
    for line in lines:
        if line.get("kind") != "action" or not line.get("picture"):
            continue
        found += [(frame["at"], frame["file"]) for frame in line.get("frames", ())]
        found.append((line["at"], line["picture"]))
    return found


def make_video(folder: Path, trajectory: str) -> str:
    """Make the video of one trajectory, unless there is one, and say so in the trajectory.

    Args:
        folder: The folder of evidence.
        trajectory: The name of the trajectory in it.

    Returns:
        What was put on record; empty if there are no pictures or all was done before.
    """
    path = folder / trajectory
    video = path.with_name(path.stem.replace("trajectory", "video")).with_suffix(SUFFIX)
    if not path.is_file() or video.exists():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    pictures = [one for one in pictures_of(_read(lines)) if (folder / one[1]).is_file()]
    if not pictures or any(line.startswith('{"kind": "video"') for line in lines):
        return ""
    said = _made(video, folder, pictures)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"kind": "video", "text": said}) + "\n")
    return said


def _made(video: Path, folder: Path, pictures: list[tuple[float, str]]) -> str:
    ffmpeg = find_ffmpeg()
    if ffmpeg is None:
        return "no video: there is no ffmpeg on PATH"
    content = b"".join(_shown(folder, pictures))
    command = [ffmpeg, "-loglevel", "error", *_INPUT, "-y", *_OUTPUT, str(video)]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        video.unlink(missing_ok=True)
        return f"no video: {error}"[:300]
    if done.returncode or not video.is_file():
        video.unlink(missing_ok=True)
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return f"no video: ffmpeg ended with {done.returncode}: {' '.join(last)}"[:300]
    return video.name


def _shown(folder: Path, pictures: list[tuple[float, str]]) -> Iterator[bytes]:
    """Each picture as often as it is to be shown."""
    left = MOST_FRAMES
    ends = [at for at, _ in pictures[1:]] + [pictures[-1][0] + STILL_MS]
    for (at, name), end in zip(pictures, ends, strict=True):
        count = min(left, max(1, round(min(end - at, STILL_MS) * FPS / 1000)))
        left -= count
        yield (folder / name).read_bytes() * count


def _read(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:  # torn by a process that was killed
            continue
