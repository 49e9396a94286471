"""A task's executable checks: reads them from their file and runs each one on a fresh page.

It decides whether a check that raised found something wrong with the app or is itself broken, which
is an error of the harness and never counts against the app. It knows nothing of scores.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from pytest_appbench.errors import CheckError
from pytest_appbench.judges.judging import Check, Judging, require_browser
from pytest_appbench.judges.verdict import DIMENSIONS, CheckResult, Dimension
from pytest_appbench.tasks.checkfile import SHAPE, problems_of_checks

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

SECONDS_PER_CHECK = 20.0
ACTION_TIMEOUT_MS = 5_000

_NAME = re.compile(rf"check_(?P<dimension>{'|'.join(DIMENSIONS)})_(?P<what>\w+)")
_EXPECTATION = re.compile(
    r"(?P<message>.*?)"
    r"(?:\nExpected value: '(?P<expected>.*?)')?"
    r"(?:\nActual value:(?: (?P<actual>.*?))?\s*(?:\nError: (?P<error>.*))?)?",
    re.DOTALL,
)
_BRIEF = 80
_ABOUT_THE_APP = (AssertionError, ValueError, LookupError, ArithmeticError)


class _SourceOnly(SourceFileLoader):
    """Loads a module from its source and leaves no bytecode beside it."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """Refuse to date the source: without a date, bytecode is neither read nor written."""
        raise OSError(f"{path} is always read anew")


def load_checks(path: Path) -> tuple[Check, ...]:
    """Read the checks of one file.

    Args:
        path: A Python file with functions `check_<dimension>_<what>(page)` or `(page, clock)`.

    Returns:
        The checks in the order of the file.

    Raises:
        CheckError: The file cannot be imported, or holds things that can never run as checks; the
            message lists them all, each with its file and line.
    """
    if problems := problems_of_checks(path):
        raise CheckError("\n".join(map(str, problems)))
    module = _import(path)
    found = [
        value
        for name, value in vars(module).items()
        if name.startswith("check")
        and inspect.isfunction(value)
        and value.__module__ == module.__name__
    ]
    return from_functions(found, path)


def from_functions(
    functions: Iterable[Callable[..., object]], path: Path | None = None
) -> tuple[Check, ...]:
    """Make checks of plain functions.

    Args:
        functions: Functions named and declared as in a file of checks.
        path: The file they stand in; None to take it from each function.

    Returns:
        The checks, in the order given.

    Raises:
        CheckError: A function can never run as a check; the message lists all problems.
    """
    checks, problems = [], []
    for function in functions:
        file, line = _place(function, path)
        if problem := _problem_of(function):
            problems.append(f"{file}:{line}: {problem}")
            continue
        name = function.__name__
        match = _NAME.fullmatch(name)
        assert match is not None
        doc = (inspect.getdoc(function) or "").strip().split("\n\n")[0].replace("\n", " ")
        checks.append(
            Check(
                name=name,
                dimension=cast("Dimension", match["dimension"]),
                claim=doc or match["what"].replace("_", " "),
                function=function,
                takes_clock="clock" in inspect.signature(function).parameters,
                path=file,
                line=line,
            )
        )
    if problems:
        raise CheckError("\n".join(problems))
    return tuple(checks)


def run_check(check: Check, judging: Judging) -> CheckResult:
    """Run one check on a fresh page that has loaded the app.

    Args:
        check: The check.
        judging: Where the app is, and the way to a page.

    Returns:
        How it ended.

    Raises:
        CheckError: The check is itself broken.
        BrowserUnavailable: The browser died.
    """
    started = time.monotonic()
    error: BaseException | None = None
    with judging.sessions.open(clock=check.takes_clock) as session:
        try:
            _run_on(check, session, judging.url)
        except BaseException as raised:
            if not isinstance(raised, Exception) and not _is_said_by(check, raised):
                raise  # what stops the session, such as Ctrl-C or a time-out
            error = raised
            require_browser(session)
    failed = {} if error is None else _failure(check, error)
    return CheckResult(
        name=check.name,
        dimension=check.dimension,
        outcome="failed" if error else "passed",
        claim=check.claim,
        seconds=round(time.monotonic() - started, 3),
        **failed,
    )


def _run_on(check: Check, session: Session, url: str) -> None:
    session.open(url)
    session.page.set_default_timeout(ACTION_TIMEOUT_MS)
    arguments = (session.page, session.clock) if check.takes_clock else (session.page,)
    with session.bounded(SECONDS_PER_CHECK):
        check.function(*arguments)


# What may stand in a file


def _import(path: Path) -> ModuleType:
    name = f"_appbench_checks_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = spec_from_loader(name, _SourceOnly(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and annotations look their own module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = _line_in(path, error) or 1
        raise CheckError(
            f"{path}:{line}: the checks cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return module


def _problem_of(function: Callable[..., object]) -> str | None:
    """What is wrong with how a check is named or declared, or None."""
    name = getattr(function, "__name__", repr(function))
    if not _NAME.fullmatch(name):
        return f"{name} is not a name for a check; write {SHAPE}"
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        return f"{name} must be a plain function: no async def, no yield"
    parameters = [p.name for p in inspect.signature(function).parameters.values()]
    if parameters not in (["page"], ["page", "clock"]):
        return f"{name} takes ({', '.join(parameters)}); a check takes (page) or (page, clock)"
    return None


def _place(function: Callable[..., object], path: Path | None) -> tuple[Path, int]:
    code = inspect.unwrap(function).__code__ if isinstance(function, FunctionType) else None
    line = code.co_firstlineno if code else 1
    return path or Path(code.co_filename if code else "<checks>"), line


# What it means that a check raised


def _is_said_by(check: Check, error: BaseException) -> bool:
    """Whether a check itself ended with what is no ordinary error: `pytest.fail`, `sys.exit`.

    pytest is told by the name of its base class: the engine does not import it.
    """
    names = {base.__name__ for base in type(error).__mro__}
    if not names & {"OutcomeException", "SystemExit"}:
        return False
    frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return str(check.path) in frames and not any("pytest_timeout" in name for name in frames)


def _failure(check: Check, error: BaseException) -> dict[str, str]:
    """The symptom and its place; raises CheckError if the error says nothing of the app."""
    line = _line_in(check.path, error) or check.line
    statement = _statement(check.path, line)
    where = f"{_short(check.path)}:{statement.lineno if statement else line}"
    if not _tells_of_the_app(error):
        raise CheckError(
            f"{where}: {check.name} is itself broken and says nothing of the app: "
            f"{type(error).__name__}: {error}\nMend the check, or remove it."
        ) from error
    source = _clip(ast.unparse(statement), 160) if statement else ""
    return {"message": _symptom(error, source), "where": where}


def _tells_of_the_app(error: BaseException) -> bool:
    from playwright.sync_api import Error as PlaywrightError

    from pytest_appbench.browser.errors import PageLost

    if isinstance(error, PlaywrightError):
        return "while parsing css selector" not in error.message
    return isinstance(error, (*_ABOUT_THE_APP, PageLost)) or _is_failure_by_pytest(error)


def _is_failure_by_pytest(error: BaseException) -> bool:
    return type(error).__name__ == "Failed" and not isinstance(error, Exception)


def _symptom(error: BaseException, source: str) -> str:
    """What a user would see, without the call log that Playwright appends."""
    from playwright.sync_api import Error as PlaywrightError

    if isinstance(error, PlaywrightError):
        return _playwright_symptom(error.message)
    if isinstance(error, AssertionError):
        text = str(error).partition("\nCall log:")[0]
        return _expectation(text) if text.strip() else f"`{source or 'assert'}` does not hold"
    if isinstance(error, _ABOUT_THE_APP):
        return f"{type(error).__name__}: {error}" + (f" in `{source}`" if source else "")
    return str(error)


def _expectation(text: str) -> str:
    """Playwright's "message / Expected value / Actual value / Error" lines as one sentence."""
    match = _EXPECTATION.fullmatch(text)
    assert match is not None
    message, expected, actual, error = match.group("message", "expected", "actual", "error")
    is_own = not message.startswith(("Locator expected", "Page expected"))
    notes = []
    if expected not in (None, "<None>") and _tells_more(expected, is_own):
        notes.append(f"expected {_clip(expected)!r}")
    if error:
        notes.append(_clip(error.splitlines()[0]))
    elif actual not in (None, "None") and _tells_more(actual, is_own):
        notes.append(f"found {_clip(actual)!r}")
    return f"{message} ({', '.join(notes)})" if notes else message


def _tells_more(value: str, is_own: bool) -> bool:
    """Whether a value is worth a place beside a message of the check's own."""
    return not is_own or (len(value) <= _BRIEF and not value.startswith("re.compile("))


def _playwright_symptom(message: str) -> str:
    head, _, log = message.partition("\nCall log:")
    lines = [line.strip(" -") for line in log.splitlines()]
    target = next((line for line in lines if line.startswith("waiting for ")), "")
    obstacle = next(
        (line for line in reversed(lines) if "intercepts pointer" in line or " is not " in line), ""
    )
    details = [_clip(text) for text in (target, obstacle) if text]
    return "; ".join([_clip(head.strip(), 300), *details])


def _statement(path: Path, line: int) -> ast.stmt | None:
    """The innermost statement that the line is part of."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _line_in(path: Path, error: BaseException | None) -> int | None:
    """The innermost line of the file on the way to an error, or to what it was made from."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        if lines:
            return lines[-1]
        error = error.__cause__
    return None


def _short(path: Path) -> str:
    """The path as a user in the working directory would write it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _clip(text: str, limit: int = 120) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
