"""Fixtures for the tests of models: a portal, a provider, and a way to ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modelkit import PATIENT, WIRES, Ask, Serve, ask_for, model
from provider import Brain, Provider
from pytest_appbench.models import parameters
from pytest_appbench.models.chat import Reply, Request
from pytest_appbench.models.portal import Portal
from pytest_appbench.models.retry import Policy


@pytest.fixture(scope="session")
def portal() -> Iterator[Portal]:
    """A portal for all tests of a session."""
    portal = Portal()
    yield portal
    portal.close()


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    """Each wire format in turn."""
    return str(request.param)


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test's endpoint refused is not remembered for the next test's."""
    monkeypatch.setattr(parameters, "_refused", {})


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Starts a provider and points this process at it."""
    providers: list[Provider] = []

    def start(brain: Brain, **options: Any) -> Provider:
        provider = Provider(brain, **options).__enter__()
        providers.append(provider)
        for name, value in provider.environment().items():
            monkeypatch.setenv(name, value)
        return provider

    yield start
    for provider in providers:
        provider.__exit__(None, None, None)


@pytest.fixture
def ask(portal: Portal) -> Ask:
    """Asks a model over a wire and waits for the reply."""

    def call(wire: str, request: Request | str = "Hello?", policy: Policy = PATIENT) -> Reply:
        sent = ask_for(request) if isinstance(request, str) else request
        return portal.call(model(wire, policy).ask, sent)

    return call
