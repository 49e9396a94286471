"""What whoever writes an app is asked: the request, its list of features, and its files.

Models are sent the words of files and pictures; agents and services find the files in the
workspace. Every app finds them beside its page, under the names that the task gives them.
"""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.artifacts import builders
from pytest_appbench.artifacts.steps import fence
from pytest_appbench.tasks.places import Material, materials_of, place
from pytest_appbench.tasks.wording import numbered

if TYPE_CHECKING:
    from pytest_appbench.models.chat import Image, Text
    from pytest_appbench.tasks.model import Task

MOST_TEXT = 20_000
"""Characters that a model is sent of one file."""
MOST_TEXTS = 80_000
"""Characters of all of them together."""
MOST_IMAGE = 3_500_000
"""Bytes of a picture that a model is sent; providers refuse larger ones."""
IMAGES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
"""Media types of the pictures that models read, by the ends of file names."""


def request_of(task: Task) -> str:
    """The request with its specification and its list of features, as text.

    Args:
        task: The task.
    """
    query = task.query.strip()
    if terms := builders.of(task.format).terms(task):
        query += f"\n\n---\n\n{terms}"
    if task.spec:
        text = place(task, task.spec).read_text(encoding="utf-8-sig")
        query += f"\n\n<specification>\n{text.strip()}\n</specification>"
    if not task.features:
        return query
    return f"{query}\n\nFeatures:\n\n{numbered(task.features)}"


def listed(materials: tuple[Material, ...]) -> str:
    """The names and sizes of files, a line each.

    Args:
        materials: The files.
    """
    from pytest_appbench.artifacts.mime import content_type

    return "\n".join(
        f"- {one.name} ({content_type(one.name).partition(';')[0]}, {len(one.content):,} bytes)"
        for one in materials
    )


def image_of(material: Material) -> Image | None:
    """A material as a picture for a model; None where it is none, or too large.

    Args:
        material: The file.
    """
    from pytest_appbench.models.chat import Image

    media = IMAGES.get(material.suffix)
    if media is None or len(material.content) > MOST_IMAGE:
        return None
    return Image.of(material.content, media, material.name)


def parts_for_model(task: Task, *, images: bool) -> tuple[Text | Image, ...]:
    """What a model is sent of a task: the request, and its files as far as it can read them.

    Args:
        task: The task.
        images: Whether it is sent pictures.
    """
    from pytest_appbench.models.chat import Text

    materials = materials_of(task)
    if not materials:
        return (Text(text=request_of(task)),)
    words = [
        request_of(task),
        "Files come with this request. They lie beside the page and can be used by these relative "
        f"paths; do not write them again:\n\n{listed(materials)}",
    ]
    left = MOST_TEXTS
    pictures: list[Text | Image] = []
    for material in materials:
        image = image_of(material) if images else None
        text = None if material.suffix in IMAGES else material.text
        if image is not None:
            pictures += [Text(text=f"{material.name}:"), image]
        elif text is not None:
            shown = text[: min(MOST_TEXT, left)]
            left -= len(shown)
            rest = len(text) - len(shown)
            cut = f"\n({rest:,} more characters are in the file)" if rest else ""
            marks = fence(shown)
            words.append(f"{material.name}:\n\n{marks}{material.suffix}\n{shown}\n{marks}{cut}")
    return (Text(text="\n\n".join(words)), *pictures)


def text_for_agent(task: Task) -> str:
    """What an agent is asked: the request, and which files lie in its workspace.

    Args:
        task: The task.
    """
    materials = materials_of(task)
    if not materials:
        return request_of(task)
    return (
        f"{request_of(task)}\n\nFiles come with this request. They are in the workspace already, "
        "and the finished app finds them by these paths, relative to its page:\n\n"
        f"{listed(materials)}"
    )


def lay_out(task: Task, folder: Path) -> None:
    """Put a task's files into a workspace or an app, where nothing of the name is yet.

    Args:
        task: The task.
        folder: Where its page is, or will be.
    """
    for material in materials_of(task):
        target = folder / material.name
        # What an agent left may hold links; nothing is written through one.
        steps = [target, *target.relative_to(folder).parents]
        if any((folder / step).is_symlink() for step in steps) or target.exists():
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError:  # a file of the app has the name of the folder
            continue
        shutil.copyfile(material.path, target)


def as_json(task: Task) -> dict[str, Any]:
    """A task's files as JSON: `{"content"}` of a text, `{"base64"}` of anything else, by name.

    Args:
        task: The task.
    """
    return {
        one.name: {"base64": base64.b64encode(one.content).decode()}
        if one.text is None
        else {"content": one.text}
        for one in materials_of(task)
    }
