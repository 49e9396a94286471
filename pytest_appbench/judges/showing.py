"""What a judge without hands is shown: an app at first sight, the record of a use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_appbench.judges.language import PageLanguage, is_garbled, measure
from pytest_appbench.models.chat import Image, Text

if TYPE_CHECKING:
    from pytest_appbench.judges.desk import Desk, Skill

MOST_SCRIPT, MOST_STEP = 3000, 600
"""Characters of what a script put out, and of one step."""
_PAGE = """() => ({
  lang: document.documentElement.lang.slice(0, 60),
  text: (document.title + "\\n" + (document.body?.innerText ?? "")).slice(0, 50000),
})"""


@dataclass(frozen=True)
class First:
    """What there is before anything is done.

    Attributes:
        shown: The page in each window, in words and pictures.
        language: What was measured of its language; None if none was asked for.
        is_garbled: Whether it stayed unreadable after all refreshes.
    """

    shown: tuple[Text | Image, ...]
    language: PageLanguage | None
    is_garbled: bool

    @property
    def pictures(self) -> tuple[Text | Image, ...]:
        """The pictures alone, with a line before them; nothing where there are none."""
        found = tuple(part for part in self.shown if isinstance(part, Image))
        return (Text(text="# The window, before anything was done"), *found) if found else ()


def perceive(desk: Desk, *before: str) -> First:
    """Look at the app in each window; refresh it where it cannot be read.

    Args:
        desk: The app, just opened.
        before: Texts that are shown first.
    """
    from pytest_appbench.judges.patience import REFRESHES
    from pytest_appbench.judges.tools import picture

    lang, words = _read(desk)
    while is_garbled(words) and desk.patience and desk.patience.refreshes < REFRESHES:
        desk.call("reload")
        lang, words = _read(desk)
    wanted, language = desk.judging.brief.language, None
    if wanted is not None:
        language = measure(wanted, lang, words)
        desk.records.add("probe", "language", language.words)

    def look(width: int, height: int) -> tuple[Text | Image, ...]:
        text = desk.look(f"window {width} x {height}")
        if not desk.sees:
            return (Text(text=text),)
        said, image = picture(desk)
        return Text(text=f"{text}\n\n{said}"), image

    windows = [look(*desk.judging.viewports[0])]
    others, missing = desk.in_other_windows(look)
    parts: list[Text | Image] = [Text(text=text) for text in before if text]
    parts += [part for window in (*windows, *others) for part in window]
    parts += [Text(text=missing)] if missing else []
    value, steps = desk.call("console")
    shown = desk.shown("console", str(value) if value else "(nothing)", steps[-1])
    parts.append(Text(text=f"Step {steps[-1].number}, the console:\n{shown}"))
    return First(tuple(parts), language, is_garbled(words))


def _read(desk: Desk) -> tuple[str, str]:
    """The page's lang attribute and its visible text; nothing of a page that does not answer."""
    from pytest_appbench.browser.hands import HandsError

    try:
        page = desk.call("evaluate", _PAGE)[0]
    except HandsError:
        return "", ""
    return str(page["lang"]), str(page["text"])


def record_of(desk: Desk) -> str:
    """The steps, what scripts put out, and what sounded, as Markdown.

    Args:
        desk: Where the app was used.
    """
    from pytest_appbench.judges.strip import sound_log

    assert desk.hands is not None
    steps = desk.hands.steps
    told = desk.listed((one for one in steps if one.action != "script"), MOST_STEP)
    parts = [f"# The record\n\n{told}"]
    for step in steps:
        if step.action == "script":
            said = desk.records.text("step", str(step.number)).removeprefix("script : ").strip()
            shown = desk.shown("script", said, step, most=MOST_SCRIPT)
            parts.append(f"Step {step.number}, what a script of whoever used it put out:\n{shown}")
    heard = desk.untrusted.fence("sounds", sound_log(steps) or "(nothing)")
    return "\n\n".join([*parts, f"# What sounded\n\n{heard}"])


def film_of(desk: Desk) -> tuple[Text | Image, ...]:
    """The film strip of all steps; nothing where no pictures may be shown.

    Args:
        desk: Where the app was used.
    """
    from pytest_appbench.judges.strip import chosen, shots_of, strip

    assert desk.hands is not None
    if not desk.sees or desk.judging.evidence is None:
        return ()
    shots = chosen(shots_of(desk.hands.steps))
    return (Text(text="# The film strip"), *strip(shots, desk.judging.evidence))


def reading_of(desk: Desk) -> tuple[Skill, ...]:
    """Tools to read the record further, without any that touch the app.

    Args:
        desk: Where the app was used.
    """
    from pytest_appbench.judges.strip import film_skill
    from pytest_appbench.judges.tools import read_source, read_steps

    assert desk.hands is not None
    skills = [read_steps(desk, desk.hands.steps)]
    if desk.sees and desk.judging.evidence is not None:
        skills.append(film_skill(desk.hands.steps, desk.judging.evidence))
    if "code" not in desk.judging.without:
        skills.append(read_source(desk))
    return tuple(skills)
