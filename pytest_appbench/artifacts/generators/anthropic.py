"""`anthropic` asks one of Anthropic's models for each app."""

from __future__ import annotations

from functools import partial

from pytest_appbench.artifacts.generators import Scheme
from pytest_appbench.artifacts.prompted import make

SCHEMES = (
    Scheme(
        name="anthropic",
        help="a page that the model writes (the key is in ANTHROPIC_API_KEY)",
        example="anthropic:MODEL",
        make=partial(make, "anthropic"),
    ),
)
