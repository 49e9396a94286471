"""Whatever an app says stays text, in every place where a report shows it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pytest_appbench.cli import main
from pytest_appbench.reports import escape
from runkit import Foretold

HOSTILE = (
    "\x1b[31m\x9b2J\x07 | a | b |\r\n::error::pwned\n  ::stop-commands::x\n##[command]ls\n"
    "<img src=x onerror=alert(1)><script>1</script> ![i](https://evil.example/i.png) "
    "[l](javascript:alert(1)) https://evil.example www.evil.example a@evil.example "
    "`x` ``y`` \\| </code> @someone %0A::error::late \u202egnp.exe"
)
ALLOWED = {"table", "thead", "tbody", "tr", "th", "td", "h3", "p", "ul", "li", "code"}


def rendered(text: str) -> str:
    """Markdown as GitHub has it: tables, bare addresses as links, HTML let through."""
    markdown = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    html: str = markdown.render(text)
    return html


def tags(html: str) -> set[str]:
    return set(re.findall(r"<\s*([a-z0-9]+)", html))


nasty = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["`", "``", "|", "\\", "\n", "\r", "::", "##[", "%", "<b>", "](x)", "![", "a", " "]
        )
    ).map("".join),
)


@settings(deadline=None, max_examples=60)
@given(st.one_of(nasty, st.just(HOSTILE)))
def test_a_row_stays_one_row_and_keeps_its_spacing(text: str) -> None:
    shown = escape.spaced(f"  {text}  x")
    assert len(shown.splitlines()) == 1
    assert shown.startswith("  ")
    assert shown.endswith("  x")
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]|##\\[", shown)


@settings(deadline=None, max_examples=60)
@given(nasty)
def test_a_text_in_markdown_is_code_and_nothing_else_also_in_a_table(text: str) -> None:
    shown = escape.code(text)
    table = f"| head | tail |\n| --- | --- |\n| {shown} | end |\n"
    for document in (table, f"- {shown}\n"):
        html = rendered(document)
        assert tags(html) <= ALLOWED
        assert html.count("<code>") == (1 if shown else 0)
    assert rendered(table).count("<td") == 2


@settings(deadline=None, max_examples=60)
@given(nasty)
def test_a_text_in_a_log_holds_no_control_character_and_no_command(text: str) -> None:
    shown = escape.plain(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)
    assert "##[" not in shown
    assert not any(line.lstrip().startswith("::") for line in re.split(r"[\n\r]", shown))


@settings(deadline=None, max_examples=60)
@given(nasty, nasty)
def test_a_workflow_command_is_one_line_whose_parts_stay_apart(title: str, message: str) -> None:
    command = f"::error title={escape.command_property(title)}::{escape.command_data(message)}"
    assert len(command.splitlines()) == 1
    _, properties, _ = command.split("::", 2)
    assert "," not in properties
    assert properties.startswith("error title=")


@settings(deadline=None, max_examples=60)
@given(st.text())
def test_a_text_in_xml_can_be_read_back(text: str) -> None:
    element = ElementTree.Element("failure", message=escape.xml(text))
    element.text = escape.xml(text)
    again = ElementTree.fromstring(ElementTree.tostring(element))
    # XML itself makes one line break of each kind.
    shown = escape.xml(text).replace("\r\n", "\n").replace("\r", "\n")
    assert (again.text or "") == shown
    if not set(text) - {chr(n) for n in range(0x20, 0xD800)}:
        assert again.get("message") == shown == text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Foretold:
    """A run of GitHub Actions in which an app says what it should not."""
    made = Foretold(tmp_path_factory.mktemp("hostile"), ("fail-a", "pass-b"))
    done = made.pytest(
        "--junitxml=own.xml",
        "--appbench-gate=pass_rate >= 90%",
        FORETOLD_TEXT=HOSTILE,
        GITHUB_ACTIONS="true",
        GITHUB_STEP_SUMMARY=str(made.root / "summary.md"),
        GITHUB_WORKSPACE=str(made.root),
    )
    (made.root / "stdout").write_text(done.stdout, newline="")
    return made


def test_the_terminal_shows_no_sequence_and_gives_only_commands_of_ours(hostile: Foretold) -> None:
    text = (hostile.root / "stdout").read_bytes().decode()
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "\\x1b[31m" in text
    commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == 2
    assert commands[0].startswith("::error title=gate pass_rate >= 90%25::fails: 0.500")
    assert commands[1].startswith("::warning file=bench/all.task.yaml,title=fail-a%3A fail::")
    assert "##[" not in text


def test_the_summary_links_nowhere_and_runs_nothing(hostile: Foretold) -> None:
    html = rendered((hostile.root / "summary.md").read_text())
    assert tags(html) <= ALLOWED
    assert "pwned" in html
    assert "pass_rate &gt;= 90%" in html


def test_junit_of_pytest_and_of_merge_is_xml_without_control_characters(
    hostile: Foretold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile.root)
    run = hostile.runs()[0]
    assert main(["merge", str(run), "-o", "all.jsonl", "--junitxml", "all.xml"]) == 0
    for name in ("own.xml", "all.xml"):
        (failure,) = ElementTree.parse(name).iter("failure")
        assert "pwned" in (failure.text or "")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", failure.text or "")


def test_outside_of_github_nothing_is_said_to_it(hostile: Foretold) -> None:
    assert "GITHUB_ACTIONS" not in hostile.environment()
    done = hostile.pytest()
    assert not any(line.startswith("::") for line in done.stdout.splitlines())
    assert "::warning" not in done.stdout
