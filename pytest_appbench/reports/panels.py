"""What other parts of the house have to say about a run: a gate's result, a calibration.

A panel lies in the run directory, so that every report of the run shows it, now and later.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_appbench.errors import RecordsError

FOLDER = "panels"


class Panel(BaseModel):
    """A heading with sentences, a table, or both; all of it plain text.

    Attributes:
        title: Its heading.
        lines: Sentences.
        head: Names of the columns of a table, if there is one.
        rows: Its cells.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str
    lines: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def put(run: Path, name: str, panel: Panel) -> Path:
    """Put a panel into a run, in place of an earlier one of that name.

    Args:
        run: The run directory.
        name: What it is called there, such as `gates`; panels are shown in order of their names.
        panel: What it says.

    Returns:
        The file.
    """
    file = run / FOLDER / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".tmp")
    draft.write_text(panel.model_dump_json() + "\n", encoding="utf-8", errors="replace")
    draft.replace(file)
    return file


def panels_of(run: Path) -> list[Panel]:
    """Read the panels of a run.

    Args:
        run: The run directory.

    Raises:
        RecordsError: A file holds no panel.
    """
    found = []
    for file in sorted((run / FOLDER).glob("*.json")):
        try:
            found.append(Panel.model_validate_json(file.read_bytes()))
        except ValidationError as error:
            problem = error.errors()[0]["msg"]
            raise RecordsError(f"{file}: this is no panel ({problem}); delete it") from None
    return found
