"""How a model is sampled: the settings of `decoding.yaml`, each with the source it was taken from.

It knows names of models and numbers, and nothing of how a provider is asked.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field

from pytest_appbench.models.chat import Decoding


class Setting(BaseModel):
    """One setting of the file.

    Attributes:
        temperature: As it is sent, or None to leave it to the provider.
        top_p: As it is sent, or None to leave it to the provider.
        max_tokens: The most tokens of one reply as it is sent, or None.
        source: Where the values come from.
        note: Why what is sent differs from what is published.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, gt=0)
    source: str = Field(min_length=1)
    note: str = ""

    @property
    def decoding(self) -> Decoding:
        """What is sent."""
        return Decoding(temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens)


class ModelSetting(Setting):
    """The setting of one model.

    Attributes:
        names: How the model is called.
        published_max_tokens: The value in the source's table.
    """

    names: tuple[str, ...] = Field(min_length=1)
    published_max_tokens: int = Field(gt=0)


class DecodingFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: Setting
    default: Setting
    models: tuple[ModelSetting, ...]


@cache
def settings() -> DecodingFile:
    """The settings that come with the package."""
    text = files(__package__).joinpath("decoding.yaml").read_text(encoding="utf-8")
    return DecodingFile.model_validate(yaml.safe_load(text))


def decoding_for(model: str) -> Decoding:
    """How a model is sampled when it writes an app.

    Args:
        model: The provider's name of the model, such as `claude-opus-4-5-20251101` or
            `Qwen/Qwen3-32B`.

    Returns:
        The setting of the model with exactly this name, else of the longest name that it begins
        with, else the default.
    """
    wanted = _normalised(model)
    by_name = {
        _normalised(name): setting for setting in settings().models for name in setting.names
    }
    fitting = [name for name in by_name if wanted == name or wanted.startswith(f"{name}-")]
    setting = by_name[max(fitting, key=len)] if fitting else settings().default
    return setting.decoding


def judge_decoding() -> Decoding:
    """How a judge is sampled, as published."""
    return settings().judge.decoding


def _normalised(model: str) -> str:
    return model.rpartition("/")[2].lower().replace(".", "-").replace("_", "-")
