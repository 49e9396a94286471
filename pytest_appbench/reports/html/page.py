"""Puts the report together: figures, rows and details into one page that fetches nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from pytest_appbench import __version__
from pytest_appbench.reports.html import figures
from pytest_appbench.reports.html.clean import clean, for_script, packed
from pytest_appbench.reports.html.data import Side, detail, key, row
from pytest_appbench.reports.html.pictures import Pictures
from pytest_appbench.reports.panels import Panel, panels_of
from pytest_appbench.reports.results import Record
from pytest_appbench.reports.runfile import spent_at

_OUTCOMES = ("pass", "fail", "uncertain", "error")
_TABLES = (("domain", "By domain"), ("level", "By level"))
_SCRIPTS = ("making", "list", "task", "routing")
"""In this order: each uses what stands before it."""


def render(sides: Sequence[Side], *, out: Path, screenshots: str) -> str:
    """Render the report.

    Args:
        sides: The run, and the one that it is compared with, if any.
        out: Where it will be written; links to pictures start there.
        screenshots: `link` or `embed`.

    Returns:
        The page.
    """
    main, *others = sides
    other = others[0] if others else None
    pictures = Pictures(out, screenshots)
    records = main.tasks
    before = {key(record): record for record in other.tasks} if other else {}
    rows = [row(record, before.get(key(record))) for record in records]
    details = []
    for record in records:
        shown = {"main": detail(main, record, pictures)}
        if other and key(record) in before:
            shown["other"] = detail(other, before[key(record)], pictures)
        details.append(packed(shown))
    style, script = _asset("report.css"), _script()
    return _environment().get_template("report.html.jinja").render(
        version=__version__,
        policy=_policy(style, script, screenshots),
        style=Markup(style),
        script=Markup(script),
        data=Markup(for_script({"rows": rows})),
        details=[Markup(text) for text in details],
        pictures=[Markup(text) for text in pictures.embedded],
        run=_run(main),
        other=_run(other) if other else None,
        changes=_changes(records, before) if other else None,
        panels=[_shown(panel) for panel in panels_of(main.folder)],
        outcomes=_OUTCOMES,
    )  # fmt: skip


def _run(side: Side) -> dict[str, Any]:
    records = side.tasks
    tables = []
    for attribute, title in _TABLES:
        found = figures.groups(records, lambda r, a=attribute: getattr(r.task, a))  # type: ignore[misc]
        if any(one.name != "-" for one in found):
            tables.append((title, attribute, found))
    judges, generators = figures.judges_of(records), side.generators
    if len(judges) > 1:
        by_judge = figures.groups(records, lambda r: r.verdict.judge if r.verdict else None)
        tables.append(("By judge", "judge", by_judge))
    if len(generators) > 1:
        tables.append(("By generator", "generator", figures.groups(records, lambda r: r.generator)))
    return {
        "name": side.name,
        "when": side.when,
        "judges": judges,
        "generators": generators,
        "all": figures.group("all", records),
        "tables": tables,
        "rates": {attribute: {g.name: g for g in found} for _, attribute, found in tables},
        "histograms": figures.histograms(records),
        "spent": figures.spent(records, spent_at(side.place)),
        "guards": sorted({clean(r.verdict.guard, 40) for r in records if r.verdict}),
    }


def _changes(records: Iterable[Record], before: dict[str, Record]) -> dict[str, Any]:
    """How outcomes moved from the other run to this one, and what only one of them has."""
    table = {was: dict.fromkeys(_OUTCOMES, 0) for was in _OUTCOMES}
    records = list(records)
    shared = [record for record in records if key(record) in before]
    for record in shared:
        table[before[key(record)].outcome][record.outcome] += 1
    return {
        "table": table,
        "there": [was for was in _OUTCOMES if any(table[was].values())],
        "here": [to for to in _OUTCOMES if any(moved[to] for moved in table.values())],
        "shared": len(shared),
        "only_here": len(records) - len(shared),
        "only_there": len(before) - len(shared),
    }


def _shown(panel: Panel) -> Panel:
    return Panel(
        title=clean(panel.title, 200),
        lines=tuple(clean(line) for line in panel.lines),
        head=tuple(clean(cell, 200) for cell in panel.head),
        rows=tuple(tuple(clean(cell, 500) for cell in cells) for cells in panel.rows),
    )


def _policy(style: str, script: str, screenshots: str) -> str:
    """What the page may do: run our script, use our style, show pictures; nothing else."""
    shown = "data:" if screenshots == "embed" else "'self' file:"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            f"img-src {shown}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _script() -> str:
    """All of the report's script, as one scope of its own."""
    parts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    names = ("report.html.jinja", "parts.html.jinja")
    environment = Environment(
        loader=DictLoader({name: _asset(name) for name in names}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": _percent,
        "score": _score,
        "spell": _spell,
        "money": _money,
        "tokens": figures.tokens,
    }
    return environment


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _money(value: float | None) -> str:
    return "not known" if value is None else f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def _spell(seconds: float) -> str:
    """A time as one would say it: 8.3 s, 4 min 12 s, 2 h 5 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
