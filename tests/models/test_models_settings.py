"""Prices, decoding settings and secrets: what is looked up around a call."""

from __future__ import annotations

import pytest

from pytest_appbench.errors import SettingsError
from pytest_appbench.models import decoding, openai, prices, resolve
from pytest_appbench.models.chat import Decoding, Tokens
from pytest_appbench.models.decoding import decoding_for, judge_decoding
from pytest_appbench.models.retry import Policy
from pytest_appbench.models.scrub import is_secret, scrub

MILLION = 1_000_000


def test_cached_and_written_tokens_have_prices_of_their_own() -> None:
    def dollars(**tokens: int) -> float | None:
        return prices.cost("anthropic", "claude-opus-4-5", Tokens(**tokens))

    assert dollars(input=MILLION) == pytest.approx(5)
    assert dollars(output=MILLION) == pytest.approx(25)
    assert dollars(cached=MILLION) == pytest.approx(0.5)
    assert dollars(written=MILLION) == pytest.approx(6.25)
    assert dollars(input=1, output=1, cached=1, written=1) == pytest.approx(36.75e-6)


def test_models_are_found_by_the_names_that_providers_give() -> None:
    assert prices.cost("openai", "gpt-5.2", Tokens(input=MILLION)) == pytest.approx(1.75)
    assert prices.known("anthropic", "claude-sonnet-4-5-20250929")
    assert prices.known("openai", "gpt-5.2-2025-12-11")


@pytest.mark.parametrize(
    ("provider", "model", "endpoint"),
    [
        ("anthropic", "claude-nonesuch-9", ""),
        ("openai", "my-vllm-model", "http://127.0.0.1:8000/v1"),
        ("openai", "claude-opus-4-5", ""),
        ("openai", "gpt-oss-20b", "http://127.0.0.1:8000/v1"),
    ],
)
def test_an_unknown_price_is_none_and_never_nothing(
    provider: str, model: str, endpoint: str
) -> None:
    assert prices.cost(provider, model, Tokens(input=9, output=9), endpoint) is None
    assert not prices.known(provider, model, endpoint)


def test_who_is_asked_decides_the_price() -> None:
    tokens = Tokens(input=MILLION)
    deepseek = prices.cost("openai", "deepseek-chat", tokens, "https://api.deepseek.com/v1")
    assert deepseek is not None
    assert deepseek > 0
    gateway = prices.cost("openai", "gpt-5.2", tokens, "http://gateway.example/v1")
    assert gateway == prices.cost("openai", "gpt-5.2", tokens, "https://api.openai.com/v1")


def test_an_endpoint_that_does_not_count_gives_no_price() -> None:
    assert prices.reply_cost("openai", ("gpt-5.2",), Tokens()) is None


def test_every_decoding_setting_has_a_source_and_every_difference_a_reason() -> None:
    file = decoding.settings()
    assert len(file.models) == 16
    for setting in (file.judge, file.default, *file.models):
        assert "MiniAppBench" in setting.source
    for setting in file.models:
        assert (setting.max_tokens == setting.published_max_tokens) == (not setting.note)
    names = [name for setting in file.models for name in setting.names]
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-5.2", Decoding(temperature=1.0, top_p=1.0, max_tokens=128_000)),
        ("claude-opus-4-5-20251101", Decoding(temperature=1.0, top_p=1.0, max_tokens=64_000)),
        ("google/gemini-3-pro-preview", Decoding(temperature=0.8, top_p=0.95, max_tokens=65_536)),
        ("zai-org/GLM-4.5-Air-FP8", Decoding(temperature=1.0, top_p=0.95, max_tokens=96_000)),
        ("Qwen/Qwen3-32B", Decoding(temperature=1.0, top_p=1.0, max_tokens=32_768)),
        ("MiniMax_M2.1", Decoding(temperature=1.0, top_p=1.0)),
        ("gpt-5-2025-08-07", Decoding()),
        ("gpt-5.25", Decoding()),
        ("my-own-model", Decoding()),
    ],
)
def test_a_model_is_sampled_as_published(model: str, expected: Decoding) -> None:
    assert decoding_for(model) == expected


def test_judges_are_sampled_at_temperature_one() -> None:
    assert judge_decoding() == Decoding(temperature=1.0)


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "GITHUB_TOKEN", "MY_SECRET", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"],
)
def test_secrets_are_known_by_their_names(name: str) -> None:
    assert is_secret(name)
    told = scrub("it is s3cr3t-v4lue, so", {name: " s3cr3t-v4lue\n"})
    assert told == f"it is [{name}], so"


@pytest.mark.parametrize(
    "name", ["PATH", "TOKENIZERS_PARALLELISM", "MONKEY", "KEYBOARD", "GPG_KEY"]
)
def test_other_variables_are_no_secrets(name: str) -> None:
    assert not is_secret(name)
    assert scrub("it is some-value-here", {name: "some-value-here"}) == "it is some-value-here"


def test_a_secret_inside_another_is_replaced_as_a_whole() -> None:
    environment = {"A_TOKEN": "abcdefgh", "B_TOKEN": "abcdefgh-and-more"}
    assert scrub("abcdefgh-and-more abcdefgh", environment) == "[B_TOKEN] [A_TOKEN]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Authorization: Bearer abc.def-123", "Authorization: [hidden]"),
        ("{'authorization': 'Basic dXNlcjpwYXNz'}", "{'authorization': '[hidden]'}"),
        ("x-api-key: abc123, next", "x-api-key: [hidden], next"),
        ("Incorrect API key provided: sk-proj-abc***xyz.", "Incorrect API key provided: [hidden]."),
        ("at https://me:pass@host.example/v1", "at https://[hidden]@host.example/v1"),
        ("the risk-adjusted task-list", "the risk-adjusted task-list"),
        ("nothing to hide: https://host.example/a@b", "nothing to hide: https://host.example/a@b"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, expected: str) -> None:
    assert scrub(text, {}) == expected


def test_looks_can_be_left_alone() -> None:
    source = "headers = {'Authorization': 'Bearer demo-token-of-an-app'}"
    assert scrub(source, {"MY_API_KEY": "another-value"}, shapes=False) == source


def test_custom_headers_hold_secrets_too() -> None:
    environment = {"OPENAI_CUSTOM_HEADERS": "X-Gateway: letmein-please\nX-Team: appbench-team"}
    assert scrub("sent letmein-please", environment) == "sent [OPENAI_CUSTOM_HEADERS]"


def test_the_environment_says_how_patient_to_be() -> None:
    policy = Policy.from_environment({"APPBENCH_MODEL_TRIES": "2", "APPBENCH_MODEL_TIMEOUT": "9.5"})
    assert policy == Policy(tries=2, call=9.5)
    with pytest.raises(SettingsError, match=r"APPBENCH_MODEL_WAIT.*'soon'.*above 0"):
        Policy.from_environment({"APPBENCH_MODEL_WAIT": "soon"})


def test_the_environment_chooses_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPBENCH_OPENAI_API", "telepathy")
    with pytest.raises(SettingsError, match=r"APPBENCH_OPENAI_API.*chat or responses"):
        openai.make_chat("gpt-5.2")


def test_models_are_found_by_specification() -> None:
    assert resolve("anthropic:claude-opus-4-5").spec == "anthropic:claude-opus-4-5"
    assert resolve("openai: org/model:tag ").spec == "openai:org/model:tag"
