"""Makes functions callable by name with JSON arguments, each checked before anything happens.

A function's own annotations are the schema: positional parameters are positional arguments, and
keyword-only parameters are the fields of an options object that may come last.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

_Function = TypeVar("_Function", bound=Callable[..., Any])

TARGET_KEYS = frozenset({"ref", "role", "name", "text", "label", "css", "nth", "x", "y"})


class HandsError(Exception):
    """Something cannot be done; the message tells a judge what went wrong and what to try."""


RECORDED: Any = object()
"""In place of an answer: the record is the answer."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes:
        target: What it was about, for the record.
        changed: What it changed or answered, in words, for the record.
        value: The answer as JSON; without one the record says it all.
        more: What goes with the record where there is no other answer, as JSON.
    """

    target: str
    changed: str
    value: Any = RECORDED
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """A function that can be called by name.

    Attributes:
        name: Its name in JSON.
        usage: How it is called and what it does, in one line.
        function: Takes its owner first.
    """

    name: str
    usage: str
    function: Callable[..., Any]

    def bind(self, arguments: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Check arguments.

        Args:
            arguments: As they came.

        Returns:
            Positional and keyword arguments, converted.

        Raises:
            HandsError: They do not fit; the message says what fits.
        """
        given = list(arguments)
        options: Mapping[str, Any] = {}
        if given and self._is_options(given):
            options = given.pop()
        while given and given[-1] is None and len(given) > len(self._required):
            given.pop()
        if len(given) < len(self._required) or (not self._rest and len(given) > len(self._named)):
            raise self._wrong(f"{len(given)} arguments were given")
        unknown = [name for name in options if name not in self._options]
        if unknown:
            raise self._wrong(f"there is no option {unknown[0]!r}")
        names = [*self._named, *[self._rest] * len(given)]
        return (
            [self._checked(name, value) for name, value in zip(names, given, strict=False)],
            {name: self._checked(name, value) for name, value in options.items()},
        )

    def _is_options(self, given: Sequence[Any]) -> bool:
        last = given[-1]
        if not isinstance(last, dict) or not self._options:
            return False
        if self._rest:
            return not (last.keys() & TARGET_KEYS)
        if len(given) > len(self._named):
            return True
        name = self._named[len(given) - 1]
        return len(given) > len(self._required) and not _takes_objects(self._types[name])

    def _checked(self, name: str, value: Any) -> Any:
        try:
            return self._adapters[name].validate_python(value)
        except ValidationError as error:
            first = error.errors()[0]
            said = first["msg"].removeprefix("Value error, ")
            shown = json.dumps(value, default=str)[:80]
            raise self._wrong(f"{name} is {shown}: {said}") from None

    def _wrong(self, problem: str) -> HandsError:
        return HandsError(f"{self.name}: {problem}. Use it as {self.usage}")

    @cached_property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def _adapters(self) -> dict[str, TypeAdapter[Any]]:
        names = (*self._named, *self._options, *([self._rest] if self._rest else ()))
        return {name: TypeAdapter(self._types[name]) for name in names}

    def _parameters(self, *kinds: Any) -> list[inspect.Parameter]:
        found = list(inspect.signature(self.function).parameters.values())[1:]
        return [parameter for parameter in found if parameter.kind in kinds]

    @cached_property
    def _named(self) -> list[str]:
        return [one.name for one in self._parameters(inspect.Parameter.POSITIONAL_OR_KEYWORD)]

    @cached_property
    def _required(self) -> list[str]:
        found = self._parameters(inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return [one.name for one in found if one.default is inspect.Parameter.empty]

    @cached_property
    def _options(self) -> list[str]:
        return [one.name for one in self._parameters(inspect.Parameter.KEYWORD_ONLY)]

    @cached_property
    def _rest(self) -> str:
        return "".join(one.name for one in self._parameters(inspect.Parameter.VAR_POSITIONAL))


def method(usage: str, meaning: str) -> Callable[[_Function], _Function]:
    """Marks a function as one that can be called by name.

    Args:
        usage: How it is called, such as `press(key, {times})`; the name in it is the JSON name.
        meaning: What it does.
    """

    def mark(function: _Function) -> _Function:
        name = usage.partition("(")[0]
        function.method = Method(name, f"{usage} - {meaning}", function)  # type: ignore[attr-defined]
        return function

    return mark


def methods_of(owner: type) -> dict[str, Method]:
    """The marked functions of a class, by name.

    Args:
        owner: The class.
    """
    found = (getattr(value, "method", None) for value in vars(owner).values())
    return {one.name: one for one in found if isinstance(one, Method)}


def _takes_objects(annotation: Any) -> bool:
    return annotation is Any or "dict" in str(annotation) or "Mapping" in str(annotation)
