"""The tools of a model judge: ways to look at an app, to use it, and to read what it is made of.

Each tool is a schema for the model and a function that answers it by means of the `desk`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_appbench.browser.act import Step
from pytest_appbench.browser.hands import METHODS, HandsError
from pytest_appbench.judges.desk import MOST_SHOWN, Answer, Desk, Skill, body_of, source_text
from pytest_appbench.models.chat import Image, Tool

_SILENT = frozenset({"note", "script"})
MOST_STEPS = 40
"""Lines of steps in the answer to one script."""
MOST_CALLS = 2_000
"""Calls of one script, looks included; what is done to the app is limited by `Desk.call`."""
SCRIPT_SECONDS = 60.0


def skills_of(desk: Desk) -> tuple[Skill, ...]:
    """The tools that a judge may use.

    Args:
        desk: What it works with; without hands there is no tool of the browser.
    """
    skills = []
    if desk.hands is not None:
        skills += [_script(desk), _look(desk), _act(desk), _evaluate(desk), _wait(desk)]
        skills += [_read_console(desk), _resize(desk), read_steps(desk, desk.hands.steps)]
        skills.append(_read_output(desk))
        if desk.sees:
            skills.append(_screenshot(desk))
    if "code" not in desk.judging.without:
        skills.append(read_source(desk))
    if desk.judging.brief.materials:
        skills.append(_read_material(desk))
    return tuple(skills)


def _script(desk: Desk) -> Skill:
    methods = "\n".join(f"  app.{line}" for line in METHODS.values())

    def run(arguments: Mapping[str, Any]) -> Answer:
        from pytest_appbench.judges.script import run_script

        assert desk.workbench is not None
        assert desk.hands is not None
        hands, before = desk.hands, len(desk.hands.steps)
        result = run_script(
            desk.workbench,
            arguments["code"],
            lambda name, given: desk.call(name, *given)[0],
            seconds=SCRIPT_SECONDS,
            max_actions=MOST_CALLS,
            output_chars=MOST_SHOWN,
        )
        done = [step for step in hands.steps[before:] if step.action not in _SILENT]
        step = hands.step("script", "")
        step.seconds = result.seconds
        desk.take_steps()
        desk.output = result.output + result.rest
        parts = [f"{result.actions} calls, {result.seconds:.1f} s.", *result.notes]
        if result.stopped:
            parts.append(f"The script was stopped by the limit on {result.stopped}.")
        if done:
            parts.append(_outline(desk, done))
        said = [part for part in (result.output, result.error) if part]
        if result.value is not None:
            said.append("returned " + json.dumps(result.value, ensure_ascii=False))
        parts.append(f"Step {step.number} is this script's own output:")
        # Output and value were cut to their length before, and the error must not be cut with them.
        text = "\n".join(said) or "(nothing)"
        parts.append(desk.shown("script", text, step, most=3 * MOST_SHOWN))
        if result.rest:
            parts.append(f"{len(result.rest)} more characters: read_output.")
        return Answer("\n".join(parts), is_error=bool(result.error))

    return _skill(
        "script",
        "Run a whole test as JavaScript: the body of an async function with an `app` object whose "
        "async methods act on the app as a person would. Use loops, boundary values, a bot that "
        "plays to the end, a formula beside the app's. Every call becomes a numbered step that you "
        "can cite. print(...) and the returned value come back. The script sees nothing but `app`: "
        "no DOM of the app, no network. app.advance(ms) lets page time pass.\n"
        f"{methods}",
        {"code": ("string", "Such as: await app.click('Start'); return await app.look()")},
        ("code",),
        run,
    )


def _look(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        options = {name: arguments[name] for name in ("scope", "full") if name in arguments}
        value, steps = desk.call("look", *([options] if options else []))
        return Answer(f"Step {steps[-1].number}\n{desk.shown('page', str(value), steps[-1])}")

    return _skill(
        "look",
        "See the page as a person reads it: texts and usable things with their refs (e12) and "
        "states.",
        {"scope": ("string", "A ref to look into"), "full": ("boolean", "Show capped lists whole")},
        (),
        run,
    )


def _act(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        done: list[Step] = []
        failed = ""
        for number, action in enumerate(arguments["actions"], start=1):
            try:
                _, steps = desk.call(str(action["do"]), *action.get("with", []))
            except HandsError as error:
                failed = f"action {number} ({action['do']}) was not done: {error}"
                break
            done += steps
            if any(step.surprise for step in steps):
                break
        left = len(arguments["actions"]) - number
        rest = f"The {left} after it were left out." if left else ""
        parts = [desk.listed(done)] if done else []
        if failed:
            parts.append(f"{desk.untrusted.fence('page', failed)}\n{rest}")
        elif left:
            parts.append(f"Action {number} did what nobody could foresee. {rest}")
        return Answer("\n".join(parts), is_error=bool(failed))

    tool = Tool(
        name="act",
        description="Do a few things one after the other; it stops at the first that cannot be "
        "done, and after one that ends in an exception, a dialog or another document. The same "
        "methods as in a script, such as "
        '{"do": "click", "with": ["e4"]} or {"do": "fill", "with": [{"label": "Name"}, "Ada"]}.',
        parameters={
            "type": "object",
            "properties": {
                "actions": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 20,
                    "items": {
                        "type": "object",
                        "properties": {
                            "do": {"type": "string", "enum": sorted(METHODS)},
                            "with": {"type": "array", "items": {}},
                        },
                        "required": ["do"],
                        "additionalProperties": False,
                    },
                }
            },
            "required": ["actions"],
            "additionalProperties": False,
        },
    )
    return Skill(tool, run)


def _evaluate(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        world = arguments.get("world", "isolated")
        value, steps = desk.call("evaluate", arguments["function"], None, {"world": world})
        text = json.dumps(value, ensure_ascii=False)
        return Answer(f"Step {steps[-1].number}\n{desk.shown('page', text, steps[-1])}")

    return _skill(
        "evaluate",
        "Call a JavaScript function in the page, such as () => document.title. The isolated world "
        "shares the page's elements and cannot be forged by the app; the main world sees the app's "
        "own variables, which the app may have forged.",
        {
            "function": ("string", "Source of a function without arguments"),
            "world": ("string", "isolated (default) or main"),
        },
        ("function",),
        run,
    )


def _wait(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        _, steps = desk.call("advance", float(arguments["ms"]))
        return Answer(desk.listed(steps))

    return _skill(
        "wait",
        "Let page time pass: timers and animations run.",
        {"ms": ("number", "Milliseconds of page time, up to 600000")},
        ("ms",),
        run,
    )


def _read_console(desk: Desk) -> Skill:
    def run(_: Mapping[str, Any]) -> Answer:
        value, steps = desk.call("console")
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
        return Answer(f"Step {steps[-1].number}\n{desk.shown('console', text, steps[-1])}")

    return _skill(
        "read_console",
        "Read exceptions, console messages, dialogs and blocked requests since the last time.",
        {},
        (),
        run,
    )


def _resize(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        desk.call("viewport", int(arguments["width"]), int(arguments["height"]))
        value, steps = desk.call("look")
        return Answer(f"Step {steps[-1].number}\n{desk.shown('page', str(value), steps[-1])}")

    return _skill(
        "resize",
        "Make the window another size and look at it, such as 390 x 844 for a phone.",
        {"width": ("integer", "CSS pixels"), "height": ("integer", "CSS pixels")},
        ("width", "height"),
        run,
    )


def read_steps(desk: Desk, steps: Sequence[Step]) -> Skill:
    """A tool that shows recorded steps again.

    Args:
        desk: Fences what is shown.
        steps: The steps; those that are added later are shown, too.
    """

    def run(arguments: Mapping[str, Any]) -> Answer:
        first, last = int(arguments["first"]), int(arguments["last"])
        return Answer(desk.listed(step for step in steps if first <= step.number <= last))

    return _skill(
        "read_steps",
        "Read recorded steps again, such as those that a script's answer left out.",
        {"first": ("integer", "Number of a step"), "last": ("integer", "Number of a step")},
        ("first", "last"),
        run,
    )


def _read_output(desk: Desk) -> Skill:
    def run(arguments: Mapping[str, Any]) -> Answer:
        start = max(0, int(arguments["start"]))
        return Answer(desk.shown("script", desk.output, start=start))

    return _skill(
        "read_output",
        "Read more of what the last script printed.",
        {"start": ("integer", "The character to start from, counted from 0")},
        ("start",),
        run,
    )


def _screenshot(desk: Desk) -> Skill:
    def run(_: Mapping[str, Any]) -> Answer:
        said, image = picture(desk)
        return Answer(said, (image,))

    return _skill("screenshot", "See a picture of the window.", {}, (), run)


def picture(desk: Desk) -> tuple[str, Image]:
    """Take a picture of the window, as a step on record.

    Args:
        desk: What the judge works with; there must be a folder for evidence.

    Returns:
        The step and the file in words, and the picture.
    """
    value, steps = desk.call("screenshot")
    name = str(value["file"])
    assert desk.judging.evidence is not None
    content = (desk.judging.evidence / name).read_bytes()
    kind = {".png": "image/png", ".webp": "image/webp"}.get(Path(name).suffix, "image/jpeg")
    return f"Step {steps[-1].number}: {name}", Image.of(content, kind, name)


def read_source(desk: Desk) -> Skill:
    """A tool that shows the app's files.

    Args:
        desk: Has the app, and fences what is shown.
    """

    def run(arguments: Mapping[str, Any]) -> Answer:
        wanted = str(arguments["file"]).removeprefix("./")
        artifact = desk.judging.artifact
        if wanted not in artifact.files:
            known = ", ".join(artifact.files[:40])
            return Answer(
                "There is no such file. The files are:\n" + desk.untrusted.fence("file", known),
                is_error=True,
            )
        text = source_text(artifact.root / wanted)
        start = max(0, int(arguments.get("start", 0)))
        end = min(len(text), start + MOST_SHOWN)
        fenced = desk.untrusted.fence(f"file {wanted}", text, part=(start, end))
        desk.records.add("file", wanted, body_of(fenced))
        rest = (
            f"\n{len(text) - end} characters follow; ask with start={end}."
            if end < len(text)
            else ""
        )
        return Answer(fenced + rest)

    return _skill(
        "read_source",
        "Read a file of the app.",
        {
            "file": ("string", "Its path"),
            "start": ("integer", "The character to start from, counted from 0"),
        },
        ("file",),
        run,
    )


def _read_material(desk: Desk) -> Skill:
    materials = {one.name: one for one in desk.judging.brief.materials}

    def run(arguments: Mapping[str, Any]) -> Answer:
        wanted = materials.get(str(arguments["file"]).removeprefix("./"))
        if wanted is None:
            known = desk.untrusted.fence("file names", ", ".join(materials))
            return Answer(f"There is no such file. The files are:\n{known}", is_error=True)
        if wanted.text is None:
            return Answer(f"It is no text; it has {len(wanted.content):,} bytes.")
        start = max(0, int(arguments.get("start", 0)))
        return Answer(desk.shown(f"file {wanted.name}", wanted.text, start=start))

    return _skill(
        "read_material",
        "Read a file that came with the request.",
        {
            "file": ("string", "Its name"),
            "start": ("integer", "The character to start from, counted from 0"),
        },
        ("file",),
        run,
    )


def _skill(
    name: str,
    description: str,
    properties: Mapping[str, tuple[str, str]],
    required: tuple[str, ...],
    run: Callable[[Mapping[str, Any]], Answer],
) -> Skill:
    parameters = {
        "type": "object",
        "properties": {
            key: {"type": kind, "description": text} for key, (kind, text) in properties.items()
        },
        "required": list(required),
        "additionalProperties": False,
    }
    return Skill(Tool(name=name, description=description, parameters=parameters), run)


def _outline(desk: Desk, steps: list[Step]) -> str:
    """The steps of a script, those in the middle left out where they are many."""
    if len(steps) <= MOST_STEPS:
        return desk.listed(steps, 200)
    half = MOST_STEPS // 2
    first, last = steps[half].number, steps[-half - 1].number
    left_out = f"(steps {first} to {last} are on record: read_steps)"
    return "\n".join([desk.listed(steps[:half], 200), left_out, desk.listed(steps[-half:], 200)])
