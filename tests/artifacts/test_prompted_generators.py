"""`anthropic` and `openai` ask a model once; any model will do to see what they make of its reply."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kit import run_async
from pytest_appbench.artifacts.candidate import Candidate, Means
from pytest_appbench.artifacts.generators import resolve
from pytest_appbench.artifacts.prompted import PromptedGenerator, prompt
from pytest_appbench.errors import GenerationFailed, SettingsError
from pytest_appbench.judges.verdict import Usage
from pytest_appbench.models.chat import (
    Chat,
    Message,
    ModelUnavailable,
    Reply,
    Request,
    Stop,
    Text,
    Tokens,
)
from pytest_appbench.models.decoding import decoding_for
from pytest_appbench.tasks.model import Task

PAGE = "<!DOCTYPE html>\n<html><body><h1>Timer</h1></body></html>"
ANSWER = f"A timer.\n\n#### `index.html`\n```html\n{PAGE}\n```\n"


@dataclass
class Scripted:
    """A model that always gives one answer."""

    text: str = ANSWER
    stop: Stop = "end"
    failure: Exception | None = None
    spec: str = "anthropic:scripted"
    requests: list[Request] = field(default_factory=list)
    asked_as: list[tuple[str, str]] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        return Reply(
            message=Message(role="assistant", parts=(Text(text=self.text),)),
            stop=self.stop,
            tokens=Tokens(input=100, cached=20, output=300),
            cost_usd=0.01,
        )

    def chat(self, spec: str, task_id: str) -> Chat:
        self.asked_as.append((spec, task_id))
        return self


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(
        id="timer", domain="tools", query="A timer, please.", path=tmp_path / "a.task.yaml", line=1
    )


def make(model: Scripted, task: Task, spec: str = "anthropic:some-model") -> Candidate:
    generator = resolve(spec, task.folder, Means(model.chat))
    assert isinstance(generator, PromptedGenerator)
    return run_async(generator(task))


@pytest.mark.parametrize("spec", ["anthropic:some-model", "openai:org/other-model"])
def test_the_app_is_what_the_model_wrote(spec: str, task: Task) -> None:
    model = Scripted()

    candidate = make(model, task, spec)

    assert (candidate.source / "index.html").read_text() == PAGE
    assert [path.name for path in candidate.source.iterdir()] == ["index.html"]
    assert candidate.temporary
    assert not candidate.source.is_relative_to(task.folder)
    assert (candidate.origin, candidate.notes) == (spec, ANSWER)
    assert candidate.usage == Usage(turns=1, tokens_in=120, tokens_out=300, cost_usd=0.01)
    assert model.asked_as == [(spec, "timer")]


def test_the_model_gets_the_prompt_as_its_standing_instruction_and_the_query_as_it_is(
    task: Task,
) -> None:
    model = Scripted()

    make(model, task)

    (request,) = model.requests
    assert request.system == prompt("html")
    assert request.messages == (Message(role="user", parts=(Text(text="A timer, please."),)),)
    assert request.decoding == decoding_for("some-model")
    assert request.tools == ()


def test_a_react_task_is_asked_for_and_answered_with_sources(task: Task) -> None:
    files = "#### `src/App.tsx`\n```tsx\nexport {}\n```\n**src/x.ts**\n```ts\n1\n```\n"
    model = Scripted(text=f"{files}#### `src/index.css`\n```css\np {{}}\n```\n")

    candidate = make(model, task.model_copy(update={"format": "react"}))

    (request,) = model.requests
    assert request.system == prompt("react") != prompt("html")
    found = [p.relative_to(candidate.source) for p in candidate.source.rglob("*") if p.is_file()]
    assert sorted(map(str, found)) == ["src/App.tsx", "src/index.css", "src/x.ts"]


def test_what_was_assumed_stands_before_the_reply(task: Task) -> None:
    model = Scripted(text=f"```html\n{PAGE}", stop="length")

    candidate = make(model, task)

    assert candidate.notes == (
        "Assumed to find the app in the reply:\n"
        "- the reply was cut off; what there is of its last file was taken\n\n"
        f"The reply:\n\n```html\n{PAGE}"
    )


def test_a_refusal_is_the_candidates_failure_in_the_models_words(task: Task) -> None:
    model = Scripted(text="I'd rather not.", stop="refusal")

    with pytest.raises(GenerationFailed, match=r"declined to write .*I'd rather not"):
        make(model, task)


def test_an_answer_that_takes_too_long_is_the_candidates_failure(task: Task) -> None:
    with pytest.raises(GenerationFailed, match="within 900 s: --appbench-time-limit raises"):
        make(Scripted(failure=TimeoutError()), task)


def test_a_reply_without_an_app_is_the_candidates_failure(task: Task) -> None:
    with pytest.raises(GenerationFailed, match="it holds no HTML page") as caught:
        make(Scripted(text="First, a question."), task)

    assert caught.value.notes == "First, a question."


def test_a_model_that_cannot_be_asked_is_not_the_candidates_failure(task: Task) -> None:
    with pytest.raises(ModelUnavailable):
        make(Scripted(failure=ModelUnavailable("529 after 5 tries")), task)


def identity(spec: str, root: Path) -> str:
    found = resolve(spec, root, Means(Scripted().chat)).identity
    assert found is not None
    return found


def test_the_identity_changes_with_all_that_decides_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    first = identity("openai:a", tmp_path)
    assert identity("openai:a", tmp_path) == first
    assert identity("openai:b", tmp_path) != first

    with monkeypatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", "http://me:hunter2@127.0.0.1:8000/v1")
        assert identity("openai:a", tmp_path) != first
        assert "hunter2" not in identity("openai:a", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("pytest_appbench.artifacts.prompted.prompt", lambda name: "another prompt")
        assert identity("openai:a", tmp_path) != first
    with monkeypatch.context() as patch:
        warmer = decoding_for("a").model_copy(update={"temperature": 1.7})
        patch.setattr("pytest_appbench.models.decoding.decoding_for", lambda model: warmer)
        assert identity("openai:a", tmp_path) != first


@pytest.mark.parametrize("spec", ["anthropic", "anthropic:", "openai: "])
def test_a_model_must_be_named(spec: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"needs the model .* such as \w+:MODEL"):
        resolve(spec, tmp_path)


def test_no_sdk_is_imported_before_a_model_is_asked(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from pytest_appbench.artifacts.generators import resolve\n"
        "print(resolve('anthropic:a', Path('.')).identity, resolve('openai:a', Path('.')).identity)\n"
        "print('imported', {'anthropic', 'openai', 'playwright', 'pytest'} & set(sys.modules))"
    )

    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert run.stdout.endswith("imported set()\n")
