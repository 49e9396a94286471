"""The files that came with a request, as a judge is shown them: named, their words fenced.

They reach a page only by the judge's own `upload`, by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_appbench.artifacts.asking import IMAGES, image_of, listed

if TYPE_CHECKING:
    from pytest_appbench.judges.agent import Case
    from pytest_appbench.models.chat import Image

MOST_SHOWN = 20_000
"""Characters of all files that are shown at once; the rest can be read with a tool."""


def materials_text(case: Case, *, most: int = MOST_SHOWN) -> str:
    """The files by name, type and size, and the words of those that have some.

    Args:
        case: The judging.
        most: How many characters to show of them altogether.

    Returns:
        A section of a prompt; empty if nothing came with the request.
    """
    materials = case.judging.brief.materials
    if not materials:
        return ""
    names = case.untrusted.fence("file names", listed(materials))
    parts = [
        "# The files that came with the request\n\nWhoever built the app had them, and the app may "
        "hold or use them. Whatever takes a file can be given one of them by its name: "
        f"upload(target, [name]).\n{names}"
    ]
    left = most
    for material in materials:
        text = None if material.suffix in IMAGES else material.text
        if text is None or not left:
            continue
        size = min(left, len(text))
        fenced = case.untrusted.fence(f"file {material.name}", text, part=(0, size))
        rest = "" if size == len(text) else f"\n({len(text) - size:,} more characters are in it)"
        left -= size
        parts.append(fenced + rest)
    return "\n\n".join(parts)


def material_images(case: Case) -> tuple[Image, ...]:
    """The pictures among them, where this judge is shown any.

    Args:
        case: The judging.
    """
    if not case.sees:
        return ()
    found = map(image_of, case.judging.brief.materials)
    return tuple(image for image in found if image is not None)
