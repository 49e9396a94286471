"""What can be said of a file of checks without running it.

The file is parsed, never executed or imported: it is the user's code, and looking for mistakes must
be safe and quick. What a check may do once it runs is no matter of this module.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from pytest_appbench.errors import Problem
from pytest_appbench.judges.verdict import DIMENSIONS

MAX_BYTES = 2**20
SHAPE = "check_<dimension>_<what must hold>"

_NAME = re.compile(rf"check_(?:{'|'.join(DIMENSIONS)})_\w+")
_PARAMETERS = (["page"], ["page", "clock"])

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def problems_of_checks(path: Path) -> list[Problem]:
    """Find what keeps the checks of a file from running.

    Args:
        path: The file.

    Returns:
        The problems in the order of their lines; none means that the file compiles and that each of
        its functions named `check...` is a check.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            return [Problem(path, 1, f"the file is larger than {MAX_BYTES} bytes; make it smaller")]
        tree = _compile(path, path.read_bytes())
    except OSError as error:
        return [Problem(path, 1, f"the checks cannot be read: {error.strerror}")]
    except SyntaxError as error:
        return [Problem(path, error.lineno or 1, f"the checks are not valid Python: {error.msg}")]
    except (ValueError, RecursionError, MemoryError) as error:
        return [Problem(path, 1, f"the checks are not valid Python: {error}")]
    found = (*_problems_of_functions(tree), *_soft_expectations(tree))
    return [Problem(path, line, message) for line, message in sorted(found)]


def _compile(path: Path, source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source, str(path))
        # Some mistakes, such as a return outside a function, show only when code is generated.
        compile(source, str(path), "exec", dont_inherit=True)
    return tree


def _problems_of_functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    checks = [
        node for node in tree.body if isinstance(node, _Function) and node.name.startswith("check")
    ]
    if not checks:
        yield 1, f"the file holds no check; write functions named {SHAPE}"
    lines: dict[str, int] = {}
    for check in checks:
        first = lines.setdefault(check.name, check.lineno)
        if first != check.lineno:
            yield (
                check.lineno,
                f"a second {check.name} hides the one on line {first}; give each its own name",
            )
        if message := _problem_of(check):
            yield check.lineno, message


def _problem_of(check: _Function) -> str | None:
    if not _NAME.fullmatch(check.name):
        return f"{check.name} is not a name of a check; {_better_name(check.name)}"
    if isinstance(check, ast.AsyncFunctionDef) or _yields(check):
        return f"{check.name} must be a plain function; write it without async and yield"
    arguments = check.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = [each.arg for each in every if each]
    extra = [each.arg for each in (arguments.vararg, arguments.kwarg) if each]
    if names not in _PARAMETERS or extra:
        return (
            f"{check.name} takes ({', '.join(names + extra)}); a check takes (page), or "
            "(page, clock) to own the page's time"
        )
    return None


def _better_name(name: str) -> str:
    _, _, rest = name.partition("_")
    dimension, _, what = rest.partition("_")
    if near := get_close_matches(dimension, DIMENSIONS, n=1):
        return f"write check_{near[0]}_{what or '<what must hold>'}"
    return f"write {SHAPE}, with one of {', '.join(DIMENSIONS)} for the dimension"


def _yields(function: _Function) -> bool:
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _soft_expectations(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="expect"), attr="soft"):
                yield (
                    node.lineno,
                    "expect.soft does not make a check fail; write expect, and a check of its own "
                    "for each thing that must hold",
                )
