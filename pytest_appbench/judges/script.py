"""The script tool: a model's whole test, written in JavaScript, acting on an app through `app`.

The script runs in a worker of a blank page, where it has the language and nothing else. It asks for
one thing after the other; this module does them on the main thread, in order, by the dispatcher it
was given, and answers. What was done is known on this side alone, so a script can forge nothing but
its own words. Its text and its messages are data here and are never evaluated as Python.
"""

from __future__ import annotations

import difflib
import json
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from pytest_appbench.browser.devtools import script_call
from pytest_appbench.browser.workbench import SyntaxFault, Workbench, WorkbenchLost

Call = Callable[[str, list[Any]], Any]
"""Does what a method of `app` is for: its name and arguments in, JSON out."""
Stopped = Literal["", "time", "actions", "output"]

KEPT_CHARS = 1_000_000
"""Characters of output after which a script is stopped."""
KEPT_LINES = 20_000
"""Calls of print after which a script is stopped."""
MOST_CODE = 200_000
"""Characters of a script."""

_EXPRESSION = ("(async () => (", ")), true")
_BODY = ("(async () => {", "}), false")
_LINE_END = re.compile("\n|\u2028|\u2029")
_FRAME = re.compile(r"blob:[^\s()]{1,200}?:(\d{1,9}):(\d{1,9})")
_UNFINISHED = "the script ends too early: a bracket, brace or quote is not closed"


@dataclass(frozen=True)
class ScriptResult:
    """What came of a script.

    Attributes:
        value: What it returned, as JSON; None if nothing.
        output: What it printed, as much as was asked for.
        cut: How many characters of the output are not in `output`.
        rest: The output after `output`, for when it is asked for.
        error: Why it did not end well, with the place in the judge's own text; else empty.
        line: The line of the error, counted from 1, or 0.
        column: The column of the error, counted from 1, or 0.
        actions: How many calls were given to the dispatcher, also those that failed.
        stopped: Which limit ended it, if one did. What was done by then stays done.
        seconds: How long it took.
        notes: What the judge should be told besides: what was refused, cut or not awaited.
    """

    value: Any = None
    output: str = ""
    cut: int = 0
    rest: str = ""
    error: str = ""
    line: int = 0
    column: int = 0
    actions: int = 0
    stopped: Stopped = ""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def run_script(
    bench: Workbench,
    code: str,
    call: Call,
    *,
    seconds: float,
    max_actions: int,
    output_chars: int,
    methods: Collection[str] | None = None,
    errors: tuple[type[Exception], ...] | None = None,
) -> ScriptResult:
    """Runs a judge's script to its end or to a limit.

    Calls that the script starts together are done one after the other in the order in which they
    were started, and all of them before the result is given, also those it does not await.

    Args:
        bench: Where it runs. Nothing in it outlives the script.
        code: An async function, or the body of one. `app`, `print` and `console` are there.
        call: Does what `app.name(...)` asks for. Called on this thread, one call at a time.
        seconds: How long the script and all that it does may take.
        max_actions: The most calls. The one after them ends the script.
        output_chars: The most characters of `ScriptResult.output`.
        methods: The names of the methods of `app`; by default those of `Hands`.
        errors: What `call` may raise to be thrown in the script, with its message; by default the
            errors of `Hands`. Any other exception ends the script and is raised here.

    Returns:
        What came of it; a script that fails is no exception.

    Raises:
        BrowserUnavailable: The browser is gone.
    """
    if methods is None or errors is None:
        from pytest_appbench.browser.hands import METHODS, HandsError

        methods = METHODS if methods is None else methods
        errors = (HandsError,) if errors is None else errors
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    run = _Run(bench, code, call, seconds, max_actions, frozenset(methods), errors)
    try:
        run.carry_out(output_chars)
    finally:
        bench.stop()
    return run.result(output_chars)


@dataclass
class _Run:
    bench: Workbench
    code: str
    call: Call
    seconds: float
    max_actions: int
    methods: frozenset[str]
    errors: tuple[type[Exception], ...]
    started: float = field(default_factory=time.monotonic)
    asked: int = 0
    actions: int = 0
    printed: list[str] = field(default_factory=list)
    value: Any = None
    error: str = ""
    line: int = 0
    column: int = 0
    stopped: Stopped = ""
    notes: list[str] = field(default_factory=list)
    first_line: int = 0

    def carry_out(self, value_chars: int) -> None:
        if len(self.code) > MOST_CODE:
            self.error = (
                f"the script is too long: {len(self.code)} of at most {MOST_CODE} characters"
            )
            return
        try:
            wrapped = self._wrapped()
            if wrapped is None:
                return
            limits = (self.max_actions, KEPT_CHARS, KEPT_LINES, value_chars)
            head = script_call("script_app.js", sorted(self.methods), *limits).rstrip(";")
            before, after = wrapped
            # The judge's text stands on lines of its own, so that its columns are its own, too.
            prefix = f"({head})({before}\n"
            self.first_line = len(_LINE_END.findall(prefix)) + 1
            self.started = time.monotonic()  # what opening the page took is not the script's
            self.bench.start(f"{prefix}{self.code}\n{after});")
            self._converse()
        except WorkbenchLost as error:
            self.error = (
                f"the script's own page was lost, for want of memory perhaps: {error}. What it did "
                "in the app stays; the next script gets a new page"
            )

    def result(self, output_chars: int) -> ScriptResult:
        text = _well_formed("".join(self.printed)).removesuffix("\n")
        if not (self.error or text or self.actions or self.value is not None):
            self.notes.append(
                "the script did nothing: it called no method of app, printed and returned nothing. "
                "If it only defines a function, call it"
            )
        return ScriptResult(
            value=self.value,
            output=text[:output_chars],
            cut=max(0, len(text) - output_chars),
            rest=text[output_chars:],
            error=_well_formed(self.error),
            line=self.line,
            column=self.column,
            actions=self.actions,
            stopped=self.stopped,
            seconds=round(time.monotonic() - self.started, 3),
            notes=tuple(self.notes),
        )

    def _wrapped(self) -> tuple[str, str] | None:
        """How to make a function of the text: it is an expression, or else a function's body."""
        expression = _without_end(self.code)
        for code, (before, after) in ((expression, _EXPRESSION), (self.code, _BODY)):
            fault = self.bench.check(f"({before}\n{code}\n{after})")
            if fault is None:
                self.code = code
                return before, after
        assert fault is not None
        self._blame_syntax(fault)
        return None

    def _blame_syntax(self, fault: SyntaxFault) -> None:
        lines, line = len(_LINE_END.split(self.code)), fault.line - 1
        if 1 <= line <= lines:
            self._blame(fault.message, line, fault.column)
        else:
            self._blame(f"SyntaxError: {_UNFINISHED}", lines, 1)

    def _blame(self, message: str, line: int, column: int) -> None:
        text = _LINE_END.split(self.code)[line - 1].strip()
        self.line, self.column = line, column
        self.error = f"line {line}, column {column}: {message}\n    {text[:200]}"

    def _converse(self) -> None:
        answer: list[Any] | None = None
        while True:
            left = self.started + self.seconds - time.monotonic()
            if left <= 0:
                self._stop("time", f"it took longer than {self.seconds:g} s")
                return
            heard = self.bench.exchange(answer, left)
            self.printed.append(heard.printed)
            answer = None
            match heard.message:
                case None:
                    pass
                case ["call", int(number), str(name), str(arguments)]:
                    self.asked += 1
                    if self.asked > self.max_actions:
                        self._stop("actions", f"it made more than {self.max_actions} calls of app")
                        return
                    answer = [number, *self._answer(name, arguments)]
                case ["flood"]:
                    limits = f"{KEPT_CHARS} characters or {KEPT_LINES} lines"
                    self._stop("output", f"it printed more than {limits}; print less")
                    return
                case ["end", str(value), error, list(notes)]:
                    self._end(value, error, notes)
                    return
                case ["broken", str(message), int(line), int(column)]:
                    self._blame_at(message, line, column)
                    return
                case other:
                    self.error = f"the script sent what nobody asked for: {str(other)[:200]}"
                    return

    def _answer(self, name: str, arguments: str) -> tuple[bool, str]:
        if name not in self.methods:
            return False, self._unknown(name[:100])
        try:
            given = _well_formed(json.loads(arguments))
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, list):
            return False, f"the arguments of app.{name} are no JSON"
        self.actions += 1
        try:
            value = self.call(name, given)
        except self.errors as error:
            return False, str(error)
        return True, json.dumps(value, allow_nan=False)

    def _unknown(self, name: str) -> str:
        close = difflib.get_close_matches(name, sorted(self.methods), 1)
        hint = f"did you mean {close[0]}" if close else f"it has {', '.join(sorted(self.methods))}"
        return f"app has no method {name}; {hint}"

    def _stop(self, limit: Stopped, reason: str) -> None:
        self.stopped = limit
        self.error = f"the script was stopped: {reason}. What it did stays done"

    def _end(self, value: str, error: object, notes: list[Any]) -> None:
        try:
            self.value = _well_formed(json.loads(value))
        except (ValueError, RecursionError):
            self.notes.append("the returned value could not be read")
        self.notes += [_well_formed(str(note))[:500] for note in notes[:20]]
        match error:
            case [str(name), str(message), str(stack)]:
                text = f"{name}: {message}" if name not in ("", "Error") else message
                self.error = text or name
                for place in _FRAME.finditer(stack):
                    if self._blame_at(text or name, int(place[1]), int(place[2])):
                        return

    def _blame_at(self, message: str, line: int, column: int) -> bool:
        """Blames a place of the program, if it is in the judge's text."""
        own = line - self.first_line + 1
        if 1 <= own <= len(_LINE_END.split(self.code)):
            self._blame(message, own, column)
            return True
        self.error = message
        return False


def _well_formed(value: Any) -> Any:
    """JSON whose texts can be written down, unlike the halves of characters of JavaScript."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_well_formed(item) for item in value]
        case dict():
            return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    return value


def _without_end(code: str) -> str:
    """The text without what may follow an expression: semicolons, and comments on their lines."""
    lines = code.rstrip().split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("//")):
        lines.pop()
    return "\n".join(lines).rstrip("; \t\r\n")
