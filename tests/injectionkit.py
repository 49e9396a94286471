"""What tests of untrusted content share: apps that try to instruct their judge, and innocent ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

INJECTIONS = Path(__file__).parent / "judges" / "injections"
INNOCENTS = Path(__file__).parent / "judges" / "innocents"
SHIPPED = Path(__file__).parent.parent / "benchmarks"


@dataclass(frozen=True)
class Injection:
    """An app that tries to instruct its judge; `injections/index.yaml` says what the words mean."""

    name: str
    path: Path
    technique: str
    where: str
    reaches: str
    appears: str
    flagged: bool
    attack: str

    @property
    def files(self) -> dict[str, str]:
        """The texts of the app by their names."""
        paths = [self.path] if self.path.is_file() else sorted(self.path.iterdir())
        return {path.name: path.read_text("utf-8") for path in paths}


def catalogue() -> list[Injection]:
    """Every injection with all that is known of it."""
    entries = yaml.safe_load((INJECTIONS / "index.yaml").read_text("utf-8"))
    return [Injection(**{**entry, "path": INJECTIONS / entry["path"]}) for entry in entries]


def injections() -> Iterator[tuple[str, Path, str, str]]:
    """Name, file or folder, where the text stands, and the text, decoded."""
    for one in catalogue():
        yield one.name, one.path, one.where, one.attack


def innocents() -> list[Path]:
    """Apps that talk of scores, prompts and judges and try nothing."""
    return sorted(INNOCENTS.glob("*.html"))


def shipped_files() -> list[Path]:
    """The source files of all apps of the shipped benchmark; their pictures and sounds hold no words."""
    files = (path for path in SHIPPED.glob("*/apps/*/*/**/*") if path.is_file())
    return sorted(path for path in files if b"\0" not in path.read_bytes()[:4096])
