"""`openai` asks a model of OpenAI, or of any compatible endpoint, for each app."""

from __future__ import annotations

from functools import partial

from pytest_appbench.artifacts.generators import Scheme
from pytest_appbench.artifacts.prompted import make

SCHEMES = (
    Scheme(
        name="openai",
        help="a page that the model writes (OPENAI_API_KEY; OPENAI_BASE_URL for other endpoints)",
        example="openai:MODEL",
        make=partial(make, "openai"),
    ),
)
