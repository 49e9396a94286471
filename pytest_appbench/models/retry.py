"""Asks a provider again where that helps, and says what went wrong where it does not.

One policy serves all providers; their SDKs' own retries are turned off. It knows the errors that an
SDK raises, by the names that the official SDKs share, and nothing of what was asked.
"""

from __future__ import annotations

import email.utils
import logging
import os
import random
import re
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Literal, TypeVar

import anyio

from pytest_appbench.errors import SettingsError
from pytest_appbench.models.chat import ContextOverflow, ModelRejected, ModelUnavailable
from pytest_appbench.models.progress import failed
from pytest_appbench.models.scrub import scrub

T = TypeVar("T")
log = logging.getLogger("pytest_appbench.models")

LONGEST_MESSAGE = 600
"""Characters of a provider's message that an error shows."""

_AGAIN = frozenset({408, 409, 429})
_FOREVER = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
    }
)
"""Codes of a 429 that no waiting helps against: the account has run out of money."""

_STATUS_OF = {
    "invalid_request_error": 400,
    "invalid_prompt": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error would have had if it had not come in the middle of an answer."""

_OVERFLOW = re.compile(
    r"prompt is too long|context[ _-]?(?:length|window|limit)|maximum context|max_prompt_tokens|"
    r"(?:input|prompt|request)s? (?:is |are )?too (?:long|large)|reduce the length|"
    r"exceeds? the (?:model|maximum input)|too many (?:input |prompt )?tokens",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Policy:
    """How patient a call of a model is.

    Attributes:
        tries: The most times that one call is sent.
        wait: Seconds that all waits between the tries may take together.
        call: Seconds that one try may take, from connecting to the last byte.
        connect: Seconds that connecting may take.
        first_wait: Seconds before the second try; each later wait is twice as long.
    """

    tries: int = 6
    wait: float = 180.0
    call: float = 600.0
    connect: float = 10.0
    first_wait: float = 2.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Policy:
        """The policy, with what the environment says.

        Args:
            environment: Where `APPBENCH_MODEL_TRIES`, `APPBENCH_MODEL_WAIT` and
                `APPBENCH_MODEL_TIMEOUT` are looked up; this process's if None.

        Returns:
            The policy.

        Raises:
            SettingsError: A value is no number above 0.
        """
        values = os.environ if environment is None else environment
        return cls(
            tries=max(1, int(_number(values, "APPBENCH_MODEL_TRIES", cls.tries))),
            wait=_number(values, "APPBENCH_MODEL_WAIT", cls.wait),
            call=_number(values, "APPBENCH_MODEL_TIMEOUT", cls.call),
        )

    def pause(self, tried: int) -> float:
        """Seconds to wait after so many tries: exponential, with jitter, within the whole wait."""
        planned: list[float] = [self.first_wait * 2.0**n for n in range(self.tries - 1)]
        shrink = min(1.0, self.wait / sum(planned))
        return planned[tried - 1] * shrink * random.uniform(0.5, 1.0)


class Garbled(Exception):
    """An answer that ended early or cannot be read."""


class Failed(Exception):
    """A failure that a provider reported inside an answer that had begun.

    Args:
        code: The provider's word for it.
        message: The provider's message.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


@dataclass(frozen=True)
class Failure:
    """What one try came to.

    Attributes:
        kind: Whether to ask again, or why not.
        seen: What was seen, with secrets taken out.
        status: The HTTP status, or the one it would have had; 0 where nothing answered.
        after: Seconds that the provider asks to wait, if it does.
        advice: What the user can do about it.
    """

    kind: Literal["again", "rejected", "overflow"]
    seen: str
    status: int = 0
    after: float | None = None
    advice: str = ""


@dataclass(frozen=True)
class Caller:
    """Who is asked, for errors.

    Attributes:
        spec: Such as `anthropic:MODEL`.
        endpoint: The base URL.
        key: The environment variable that holds the key.
        url: The environment variable that holds the base URL.
    """

    spec: str
    endpoint: str
    key: str
    url: str


async def persist(
    send: Callable[[], Awaitable[T]],
    *,
    sdk: Any,
    caller: Caller,
    policy: Policy,
    adapt: Callable[[Failure], bool],
) -> tuple[T, int]:
    """Send a request until it is answered, the policy ends, or the provider refuses for good.

    Args:
        send: Sends the request and reads the whole answer.
        sdk: The provider's SDK: the module with its error classes.
        caller: Who is asked.
        policy: How often and how long.
        adapt: Told why a request was refused, changes what the next one sends; answers whether
            it did.

    Returns:
        The answer, and how often the request was sent.

    Raises:
        ModelUnavailable: There was no answer within the policy.
        ModelRejected: The provider refuses the request for good.
        ContextOverflow: The prompt is longer than the model can read.
    """
    started, waited, tried, adapted = time.monotonic(), 0.0, 0, 0
    while True:
        tried += 1
        try:
            with anyio.fail_after(policy.call):
                return await send(), tried
        except (OSError, Garbled, Failed, sdk.APIError, *_transport_errors()) as error:
            failure = classify(error, sdk, caller, policy)
            failed(failure.seen)
        if failure.kind != "again":
            if adapt(failure):
                adapted += 1
                continue
            raise _final(failure, caller) from None
        pause = failure.after
        if pause is None:
            pause = policy.pause(min(tried - adapted, policy.tries - 1)) if policy.tries > 1 else 0
        patience = policy.wait - waited
        if tried - adapted >= policy.tries or pause > patience + 1e-6:
            asked = "" if failure.after is None else f", which asks to wait {failure.after:.0f} s"
            raise ModelUnavailable(
                f"{caller.spec} gave no answer after {tried} "
                f"{'try' if tried == 1 else 'tries'} in {time.monotonic() - started:.0f} s. "
                f"Last seen: {failure.seen}{asked}. {failure.advice}"
            )
        log.info("%s: %s; asked again in %.1f s", caller.spec, failure.seen, pause)
        waited += pause
        await anyio.sleep(pause)


def _final(failure: Failure, caller: Caller) -> ModelRejected | ContextOverflow:
    if failure.kind == "overflow":
        return ContextOverflow(
            f"{caller.spec} cannot read so long a prompt: {failure.seen}. "
            "Use a model with a larger context window, or a smaller app"
        )
    return ModelRejected(f"{caller.spec} refuses the request: {failure.seen}. {failure.advice}")


def classify(error: BaseException, sdk: Any, caller: Caller, policy: Policy) -> Failure:
    """Say what an error means.

    Args:
        error: What a try raised.
        sdk: The provider's SDK.
        caller: Who was asked.
        policy: The policy it was asked under.

    Returns:
        Whether to ask again, and what to tell the user.
    """
    later = "Run again later: what was finished is kept"
    if isinstance(error, sdk.APIStatusError):
        code = _field(error.body, "code") or _field(error.body, "type")
        status = int(error.status_code)
        if status < 400:
            status = _STATUS_OF.get(_field(error.body, "type"), 500)
        return _by_status(status, code, error, caller, retry_after(error.response.headers))
    if isinstance(error, sdk.APITimeoutError | TimeoutError) or _is(error, "TimeoutException"):
        return Failure(
            "again",
            f"no answer from {scrub(caller.endpoint)} within {_limit(error, policy):g} s",
            advice=f"APPBENCH_MODEL_TIMEOUT sets the seconds for a call. {later}",
        )
    if isinstance(error, Garbled):
        return Failure("again", scrub(str(error)), advice=later)
    if isinstance(error, Failed):
        return _by_status(_STATUS_OF.get(error.code, 500), error.code, error, caller, None)
    if isinstance(error, (sdk.APIConnectionError, OSError, *_transport_errors())):
        cause = error.__cause__ or error
        why = _clip(str(cause) or type(cause).__name__)
        if _is(cause, "LocalProtocolError"):
            return Failure(
                "rejected", why, advice=f"Check that {caller.key} is whole and nothing more"
            )
        return Failure(
            "again",
            f"the connection to {scrub(caller.endpoint)} failed ({why})",
            advice=f"Check that it can be reached, and {caller.url}",
        )
    code = str(getattr(error, "code", "") or getattr(error, "type", "") or "")
    return _by_status(_STATUS_OF.get(code, 500), code, error, caller, None)


def _by_status(
    status: int, code: str, error: BaseException, caller: Caller, after: float | None
) -> Failure:
    message = _message(error)
    seen = f"{status}, {_clip(message)}".rstrip("., ")
    if code == "context_length_exceeded" or status == 413:
        return Failure("overflow", seen, status)
    if status in (400, 422) and _OVERFLOW.search(message):
        return Failure("overflow", seen, status)
    if (status in _AGAIN or status >= 500) and code not in _FOREVER:
        advice = "The provider is in trouble. Run again later: what was finished is kept"
        if status == 429:
            advice = "A smaller --appbench-concurrency, or fewer workers, keeps below a rate limit"
        return Failure("again", seen, status, after, advice)
    return Failure("rejected", seen, status, advice=_advice(status, code, caller))


def _advice(status: int, code: str, caller: Caller) -> str:
    if code in _FOREVER or status == 402:
        return "The account that the key belongs to has nothing left to spend"
    if status in (401, 403):
        return f"Check {caller.key}, and that its account may use this model"
    if status == 404:
        return f"Check the model's name, and {caller.url}"
    return "It is not asked again, since the same request would be refused again"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a provider asks to wait.

    Args:
        headers: Of the response; names are looked up in lower case.

    Returns:
        The seconds, at least 0, or None if there is no such header or it cannot be read.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError, IndexError):
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time())


def _message(error: BaseException) -> str:
    body = getattr(error, "body", None)
    detail = body.get("detail") if isinstance(body, Mapping) else None
    return _field(body, "message") or str(detail or getattr(error, "message", "") or error)


def _field(body: object, name: str) -> str:
    """A field of an error's body: one provider's SDK keeps the envelope, another's takes it off."""
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error")
    found = (inner if isinstance(inner, Mapping) else body).get(name)
    if not found and isinstance(inner, Mapping) and name == "code":
        details = inner.get("details")
        found = details.get("error_code") if isinstance(details, Mapping) else None
    return found if isinstance(found, str) else ""


def _clip(text: str) -> str:
    # Scrubbed first: half a secret would not be recognised any more.
    text = " ".join(scrub(text).split())
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]} ..."


def _limit(error: BaseException, policy: Policy) -> float:
    connecting = _is(error.__cause__, "ConnectTimeout") or _is(error, "ConnectTimeout")
    return policy.connect if connecting else policy.call


def _is(error: BaseException | None, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _transport_errors() -> tuple[type[Exception], ...]:
    """What an SDK's HTTP library raises in the middle of an answer, whichever library it is."""
    loaded = (sys.modules.get(name) for name in ("httpx2", "httpx"))
    errors = tuple(module.RequestError for module in loaded if module is not None)
    return (*errors, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


def _number(values: Mapping[str, str], name: str, default: float) -> float:
    text = values.get(name, "")
    if not text:
        return default
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise SettingsError(f"{name}: cannot use {text!r}: write a number above 0")
    return number
