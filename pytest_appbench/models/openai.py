"""Asks a model through OpenAI's SDK: OpenAI's own endpoint, or any endpoint that is compatible.

OpenAI's own is asked by the Responses API, which can take back what a model has thought; all others
by Chat Completions, which all of them know. The two wire formats have a module each.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Literal

from pytest_appbench.errors import SettingsError
from pytest_appbench.models import completions, prices, responses
from pytest_appbench.models.chat import Message, ModelRejected, Reply, Request
from pytest_appbench.models.endpoints import OPENAI
from pytest_appbench.models.parameters import Parameters
from pytest_appbench.models.portal import client
from pytest_appbench.models.retry import Caller, Policy, persist
from pytest_appbench.models.wire import Collected, sendable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

PROVIDER = OPENAI.provider
API = "APPBENCH_OPENAI_API"

Api = Literal["chat", "responses"]
_FORMATS = {"chat": completions, "responses": responses}
_NO_KEY = "none"
"""Sent where an endpoint needs no key: the SDK insists on one."""


def make_chat(model: str, *, policy: Policy | None = None, api: Api | None = None) -> OpenAIChat:
    """A model of OpenAI's, or of a compatible endpoint.

    Args:
        model: The endpoint's name of the model.
        policy: How patient to be; what the environment says if None.
        api: Which API to use; if None, what the environment variable `APPBENCH_OPENAI_API` says,
            else Responses for OpenAI's own endpoint and Chat Completions for every other.

    Returns:
        The model. Key and address are looked up when it is asked.

    Raises:
        SettingsError: The environment variable names no API.
    """
    chosen = api or os.environ.get(API) or None
    if chosen not in (None, *_FORMATS):
        raise SettingsError(f"{API}: cannot use {chosen!r}: write chat or responses")
    return OpenAIChat(model, policy or Policy.from_environment(), chosen)


class OpenAIChat:
    """One model of an endpoint that speaks OpenAI's APIs.

    Args:
        model: The endpoint's name of the model.
        policy: How patient to be.
        api: `chat`, `responses`, or None to choose by the endpoint.
    """

    def __init__(self, model: str, policy: Policy, api: str | None) -> None:
        self._model, self._policy, self._api = model, policy, api

    @property
    def spec(self) -> str:
        """The specification that names it."""
        return f"{PROVIDER}:{self._model}"

    async def ask(self, request: Request) -> Reply:
        """Ask once, with retries where that helps; see `Chat.ask`."""
        import openai

        endpoint = OPENAI.address()
        own = OPENAI.owns(endpoint)
        asked = _client(endpoint, self._policy)
        wire: Any = _FORMATS[self._api or ("responses" if own else "chat")]
        body = sendable(wire.payload(self._model, request))
        parameters = Parameters(self.spec, endpoint, wire.optional(request, own))

        async def send() -> Collected:
            collected: Collected = await wire.send(asked, body, parameters.sent)
            return collected

        started = time.monotonic()
        got, tries = await persist(
            send,
            sdk=openai,
            caller=Caller(self.spec, endpoint, OPENAI.keys[0], OPENAI.url),
            policy=self._policy,
            adapt=parameters.adapt,
        )
        model = got.model or self._model
        return Reply(
            message=Message(role="assistant", parts=got.parts),
            stop=got.stop,
            tokens=got.tokens,
            cost_usd=prices.reply_cost(PROVIDER, (model, self._model), got.tokens, endpoint),
            model=model,
            seconds=time.monotonic() - started,
            tries=tries,
        )


def _client(endpoint: str, policy: Policy) -> AsyncOpenAI:
    _, key = OPENAI.key()
    if missing := OPENAI.missing_key():
        raise ModelRejected(missing)

    def make() -> AsyncOpenAI:
        from openai import AsyncOpenAI, Timeout

        return AsyncOpenAI(
            api_key=key or _NO_KEY,
            base_url=endpoint,
            max_retries=0,
            timeout=Timeout(policy.call, connect=policy.connect),
        )

    return client((PROVIDER, endpoint, hash(key), policy), make)
