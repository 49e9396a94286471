"""What stays of an attempt on disk: notes, verdict, record of steps, and the pictures asked for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pytest_appbench.judges.film import SUFFIX, make_video
from pytest_appbench.judges.verdict import Verdict
from pytest_appbench.models.scrub import scrub

NOTES = "notes.txt"
PICTURES = {".jpg", ".jpeg", ".png", ".webp", SUFFIX}
STEPS = "steps"
"""Where the pictures of the steps lie; those of a second judging lie beside it."""


def keep_notes(notes: str, folder: Path) -> None:
    """Write what a generator had to say, if it said anything.

    Args:
        notes: Such as a model's whole reply, or an agent's output.
        folder: The folder of the attempt.
    """
    if notes:
        text = scrub(notes).rstrip("\n") + "\n"
        (folder / NOTES).write_text(text, encoding="utf-8", errors="replace")


def keep(verdict: Verdict, folder: Path, run: Path, *, capture: str, guard: str) -> Verdict:
    """Write a verdict beside its evidence and drop the pictures nobody asked for.

    What is kept is made into a video, where there is ffmpeg.

    Args:
        verdict: The judge's answer.
        folder: The folder into which the judge wrote its evidence.
        run: The run directory that the folder lies in.
        capture: Which pictures to keep: off, on-failure (whatever did not pass), on.
        guard: How far the app was kept in: full or routing.

    Returns:
        The verdict, with the place of its evidence and the guard.
    """
    place = folder.relative_to(run).as_posix()
    verdict = verdict.model_copy(update={"evidence": place, "guard": guard})
    if capture == "off" or (capture == "on-failure" and verdict.passed):
        for picture in folder.iterdir():
            if picture.suffix in PICTURES:
                picture.unlink()
            elif picture.name.startswith(STEPS) and picture.is_dir():
                shutil.rmtree(picture)
    else:
        for path in sorted(folder.glob("trajectory*.jsonl")):
            make_video(folder, path.name)
    data = verdict.model_dump(exclude_none=True)
    text = json.dumps(data, indent=2, ensure_ascii=False)
    (folder / "verdict.json").write_text(text + "\n", encoding="utf-8", errors="replace")
    return verdict
