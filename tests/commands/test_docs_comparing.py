"""Every example of docs/comparing.md is run, and prints what stands there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_appbench.cli import main
from pytest_appbench.reports.results import Record, Run
from recordkit import a_record, a_run, of_outcomes

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[tuple[str, str]]:
    """Each command with the text that follows it, if that is its output."""
    found = BLOCK.findall(DOC)
    for (kind, text), (after, output) in zip(found, [*found[1:], ("", "")], strict=True):
        if kind == "console":
            yield text.removeprefix("$ ").strip(), output if after == "text" else ""


EXAMPLES = list(examples())


def board(generator: str, passed: int) -> list[Record]:
    return [
        a_record(
            "pass" if i * 7 % 40 < passed else "fail",
            f"t{i}",
            domain="games" if i % 2 else "tools",
            level="hard" if i % 4 == 0 else "easy",
            generator=generator,
        )
        for i in range(40)
    ]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The runs and labels that the document speaks of."""
    monkeypatch.chdir(tmp_path)
    before = {f"t{i}": "pass" if i < 36 else "fail" for i in range(60)}
    after = {**before, "t0": "fail", "t1": "fail", **{f"t{i}": "pass" for i in range(36, 42)}}
    for name, outcomes in (("main", before), ("branch", after)):
        path = a_run(tmp_path, name, of_outcomes(outcomes, generator="command:./agent"))  # type: ignore[arg-type]
        Run(path.parent, path.name).join()
        (path / "results.jsonl").rename(tmp_path / f"{name}.jsonl")
    for name, passed in (("a", 20), ("b", 38), ("c", 37)):
        a_run(tmp_path / "runs", name, board(f"openai:{name}", passed))
    judged = [
        a_record("fail", "golf-solitaire", file="games/card.task.yaml", domain="games"),
        a_record("pass", "pendulum-lab", file="science/physics.task.yaml", domain="science"),
    ]
    path = a_run(tmp_path, "judged", judged)
    Run(path.parent, path.name).join()
    (path / "results.jsonl").rename(tmp_path / "results.jsonl")
    (labels,) = (text for _, text in BLOCK.findall(DOC) if text.startswith("task,label,"))
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "output"), EXAMPLES, ids=[command.split()[1] for command, _ in EXAMPLES]
)
def test_each_example_works_and_prints_what_is_shown(
    runs: Path, capsys: pytest.CaptureFixture[str], command: str, output: str
) -> None:
    program, *words = shlex.split(command)
    assert program == "appbench"
    assert main(words) in (0, 1), capsys.readouterr().err
    shown = capsys.readouterr().out
    kept = output.partition("  ...\n")[0].splitlines()
    if words[0] == "calibrate":
        kept = kept[:1]  # prices change with the list that is installed
    lines = [line for line in shown.splitlines() if not line.startswith("written: ")]
    assert kept == lines[: len(kept)], shown
