"""What a reply costs, by the price list that comes with genai-prices.

The list is the one that was installed: nothing is ever fetched. A price that is not known is None,
never 0.
"""

from __future__ import annotations

from functools import lru_cache

from pytest_appbench.models.chat import Tokens
from pytest_appbench.models.endpoints import ANTHROPIC, OPENAI

_PROVIDERS = {endpoint.provider: endpoint for endpoint in (ANTHROPIC, OPENAI)}

_OPEN_WEIGHTS = "gpt-oss"
"""OpenAI lists these too, but who serves them under an address of their own sets the price."""


def cost(provider: str, model: str, tokens: Tokens, endpoint: str = "") -> float | None:
    """The price of some tokens.

    Args:
        provider: Who the model is asked from: `anthropic` or `openai`.
        model: The provider's name of the model.
        tokens: What was consumed; cached and written tokens have prices of their own.
        endpoint: The base URL that was asked, empty for the provider's own. A company that the
            list knows by its address sets its own prices; for an unknown address, such as a
            gateway's, the price is the one of the provider's model of this name.

    Returns:
        US dollars, or None where the list does not have the model.
    """
    from genai_prices import Usage

    usage = Usage(
        # The list counts the whole prompt as input and takes off what has a price of its own.
        input_tokens=tokens.prompt,
        cache_read_tokens=tokens.cached,
        cache_write_tokens=tokens.written,
        output_tokens=tokens.output,
    )
    return _price(usage, provider, model, endpoint)


def reply_cost(
    provider: str, models: tuple[str, ...], tokens: Tokens, endpoint: str = ""
) -> float | None:
    """The price of a reply.

    Args:
        provider: As for `cost`.
        models: Names of the model, the one that the reply gives first.
        tokens: What the reply consumed. A reply always consumes some, so none at all means that
            the endpoint does not count.
        endpoint: As for `cost`.

    Returns:
        US dollars, or None where no name has a price or the endpoint does not count.
    """
    if not tokens.total:
        return None
    found = (cost(provider, model, tokens, endpoint) for model in models)
    return next((price for price in found if price is not None), None)


@lru_cache(maxsize=256)
def known(provider: str, model: str, endpoint: str = "") -> bool:
    """Whether the list has a price for a model.

    Args:
        provider: As for `cost`.
        model: As for `cost`.
        endpoint: As for `cost`.

    Returns:
        True if `cost` will answer with a number.
    """
    return cost(provider, model, Tokens(input=1, output=1), endpoint) is not None


def known_for(spec: str) -> bool:
    """Whether replies of a model will have a price, as far as can be told before it is asked.

    Args:
        spec: The model, such as `anthropic:MODEL`, at the address that the environment gives.

    Returns:
        False if the list is certain not to have it. A provider that the package does not know may
        give prices of its own, so that counts as known.
    """
    provider, _, model = spec.partition(":")
    if provider not in _PROVIDERS:
        return True
    return known(provider, model, _PROVIDERS[provider].address())


def _price(usage: object, provider: str, model: str, endpoint: str) -> float | None:
    from genai_prices import calc_price

    try:
        elsewhere = endpoint and not _PROVIDERS[provider].owns(endpoint)
        if elsewhere and _is_listed(endpoint):
            calculated = calc_price(usage, model, provider_api_url=endpoint)
        elif elsewhere and _OPEN_WEIGHTS in model.lower():
            return None
        else:
            calculated = calc_price(usage, model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    price = calculated.model_price
    if price.input_mtok is None or price.output_mtok is None:
        return None
    return float(calculated.total_price)


def _is_listed(endpoint: str) -> bool:
    from genai_prices.data_snapshot import get_snapshot

    try:
        get_snapshot().find_provider(None, None, endpoint)
    except LookupError:
        return False
    return True
