"""A conversation with a model that judges: turns, tools, limits, and an answer of a given shape.

It is the part that all model protocols share. It asks no model and touches no page itself: it
yields calls to `loop`, and everything a page says reaches it fenced, through `tools`.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_appbench.judges.forms import misfit, tool_of
from pytest_appbench.judges.loop import BrowserCall, ModelCall, OutOfTime, Steps
from pytest_appbench.models.chat import (
    ContextOverflow,
    Image,
    Message,
    Reply,
    Request,
    Text,
    ToolCall,
    ToolResult,
)
from pytest_appbench.models.decoding import judge_decoding
from pytest_appbench.models.limits import BudgetSpent

if TYPE_CHECKING:
    from pytest_appbench.judges.agent import Case
    from pytest_appbench.judges.desk import Answer, Desk, Skill

A = TypeVar("A", bound=BaseModel)

MOST_SILENT = 3
"""After so many answers in a row without a tool the judge is given up."""
LAST_TURNS = 2
LAST_SHARE = 0.15
"""With so many turns or this share of the time left, the judge is told to conclude."""


@dataclass(frozen=True)
class Given(Generic[A]):
    """A judge's own answer, accepted."""

    answer: A


@dataclass(frozen=True)
class Unfinished:
    """No answer: a limit was reached, or the model would not give one."""

    why: str


@dataclass
class Conversation(Generic[A]):
    """One conversation that ends with an answer of a given shape.

    Attributes:
        case: The judging.
        name: Names the conversation on record, alone within the judging.
        system: The standing instruction.
        opening: The first message.
        skills: The tools.
        form: The shape of the answer, and the schema of the tool that gives it.
        submit: The name of that tool.
        objections: What is wrong with an answer, asked once it has the right shape; the second
            answer is taken whatever it says.
        desk: Where actions are done and recorded, or None.
        later: What is shown with the first result of a tool; it is made while the model is first
            asked. It may be the app's words, which stand in results and in the opening only.
        max_turns: The most answers of this conversation; None for the judging's own limit.
        max_seconds: How long it may go on; None for as long as the judging.
    """

    case: Case
    name: str
    system: str
    opening: Sequence[Text | Image]
    skills: Sequence[Skill]
    form: type[A]
    submit: str
    submit_help: str
    objections: Callable[[A], Sequence[str]] = lambda _: ()
    desk: Desk | None = None
    later: Callable[[], Sequence[Text]] = tuple
    max_turns: int | None = None
    max_seconds: float | None = None
    _returned: bool = False
    _accepted: A | None = None
    _unshown: Sequence[Text] = ()
    _until: float = math.inf

    @property
    def most_turns(self) -> int:
        """The most answers of the model."""
        return self.max_turns or self.case.max_turns

    @property
    def time_limit(self) -> float:
        """Seconds for the whole of it."""
        whole = self.case.time_limit
        return whole if self.max_seconds is None else min(self.max_seconds, whole)

    def seconds_left(self) -> float:
        """What is left of the time of this conversation, and of the judging."""
        return min(self.case.seconds_left(), self._until - time.monotonic())

    def run(self) -> Steps[Given[A] | Unfinished]:
        """Talk until there is an answer or a limit is reached."""
        try:
            ended = yield from self._talked()
            if self.desk is not None:
                yield BrowserCall(self._catch_up)
        finally:
            self._record()
        return ended

    def _talked(self) -> Steps[Given[A] | Unfinished]:
        case = self.case
        tools = (
            *(skill.tool for skill in self.skills),
            tool_of(self.form, self.submit, self.submit_help),
        )
        case.trajectory.conversation(self.name, self.system, [tool.name for tool in tools])
        messages: list[Message] = [Message(role="user", parts=tuple(self.opening))]
        silent = turns = 0
        if self.max_seconds is not None:
            self._until = time.monotonic() + self.max_seconds
        while True:
            left = self.seconds_left()
            if turns >= self.most_turns:
                return Unfinished(f"the limit of {self.most_turns} turns was reached")
            if left <= 0:
                return self._out_of_time()
            is_last = turns == self.most_turns - 1
            request = Request(
                system=self.system,
                messages=tuple(messages),
                tools=tools,
                conversation=self.name,
                must_call=self.submit if is_last else None,
                decoding=judge_decoding(),
            )
            meanwhile = self._catch_up if turns else self._begin
            try:
                reply: Reply = yield ModelCall(case.chat, request, left, meanwhile)
            except OutOfTime:
                return self._out_of_time()
            except BudgetSpent as error:
                return Unfinished(str(error))
            except ContextOverflow as error:
                return Unfinished(f"the conversation became longer than the model reads: {error}")
            turns += 1
            case.count(reply)
            case.trajectory.turn(self.name, messages, reply)
            if reply.stop == "refusal":
                return Unfinished(f"the judge declined: {reply.message.text[:200] or 'no reason'}")
            messages.append(reply.message)
            silent = 0 if reply.message.tool_calls else silent + 1
            if silent >= MOST_SILENT:
                return Unfinished(f"the judge answered {silent} times without using a tool")
            if is_last:
                self._unshown = ()  # there is no answer that could come of it
            parts: list[Any] = []
            for call in reply.message.tool_calls:
                answer = yield from self._answer(call)
                parts.append(_result(call, answer, () if parts else self._unshown))
            if parts:
                self._unshown = ()
            if self._accepted is not None:
                return Given(self._accepted)
            parts += self._reminders(reply, turns)
            messages.append(Message(role="user", parts=tuple(parts)))

    def _out_of_time(self) -> Unfinished:
        limit = self.case.time_limit if self.case.seconds_left() <= 0 else self.time_limit
        return Unfinished(f"the time limit of {limit:g} s was reached")

    def _answer(self, call: ToolCall) -> Steps[Answer]:
        from pytest_appbench.judges.desk import Answer

        if call.arguments is None:
            text = "The arguments were not a JSON object (were they cut off?). Write them again."
            return Answer(text, is_error=True)
        if call.name == self.submit:
            return self._submitted(call.arguments)
        skill = next((skill for skill in self.skills if skill.tool.name == call.name), None)
        if skill is None:
            names = ", ".join([*(skill.tool.name for skill in self.skills), self.submit])
            return Answer(f"There is no such tool; there are {names}.", is_error=True)
        arguments = call.arguments
        answer: Answer = yield BrowserCall(lambda: self._used(skill, arguments))
        return answer

    def _used(self, skill: Skill, arguments: dict[str, Any]) -> Answer:
        """Run a tool; what is wrong with its use is an answer, not an error."""
        from pytest_appbench.browser.hands import HandsError
        from pytest_appbench.judges.desk import Answer

        try:
            return skill.run(arguments)
        except HandsError as error:
            return Answer(self.case.untrusted.fence("page", str(error)), is_error=True)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            # What was wrong is quoted in it, and that may be the app's words.
            wrong = self.case.untrusted.fence("tool error", repr(error))
            schema = json.dumps(skill.tool.parameters)[:1500]
            text = f"These arguments do not fit {skill.tool.name}:\n{wrong}\nIts schema: {schema}"
            return Answer(text, is_error=True)

    def _begin(self) -> None:
        """Do what need not be done before the model is first asked."""
        self._unshown = tuple(self.later())
        self._catch_up()

    def _catch_up(self) -> None:
        """Do what need not be done before the model is asked."""
        if self.desk is not None:
            self.desk.catch_up()
        self._record()

    def _record(self) -> None:
        if self.desk is not None:
            self.case.record(self.name, self.desk)

    def _submitted(self, arguments: dict[str, Any]) -> Answer:
        from pytest_appbench.judges.desk import Answer

        try:
            answer = self.form.model_validate(arguments)
        except ValidationError as error:
            return Answer(misfit(error), is_error=True)
        if self._unshown:
            return Answer("Not accepted yet: first read what is shown below.", is_error=True)
        problems = () if self._returned else tuple(self.objections(answer))
        if problems:
            self._returned = True
            listed = "\n".join(f"- {problem}" for problem in problems)
            text = f"Not accepted yet; you may mend it once:\n{self._fenced(listed)}"
            return Answer(text, is_error=True)
        self._accepted = answer
        return Answer("Accepted.")

    def _fenced(self, text: str) -> str:
        # The judge's own quotes stand in it, which may be the app's words, and names of files,
        # which must not come back where they are removed.
        untrusted = self.case.untrusted
        return untrusted.fence("your answer", text, search=untrusted.redact)

    def _reminders(self, reply: Reply, turns: int) -> list[Text]:
        said = []
        if reply.stop == "length":
            said.append("Your answer was cut off by its length: write less at a time.")
        if not reply.message.tool_calls:
            said.append(f"Go on with a tool, or give your answer with {self.submit}.")
        left = self.most_turns - turns
        if left <= LAST_TURNS or self.seconds_left() < LAST_SHARE * self.time_limit:
            said.append(
                f"The limits are near ({left} turns, {max(0.0, self.seconds_left()):.0f} s left): "
                f"conclude now with {self.submit}."
            )
        return [Text(text="\n".join(said))] if said else []


def _result(call: ToolCall, answer: Answer, more: Sequence[Text]) -> ToolResult:
    content: tuple[Text | Image, ...] = (Text(text=answer.text), *answer.images, *more)
    return ToolResult(id=call.id, content=content, is_error=answer.is_error)
