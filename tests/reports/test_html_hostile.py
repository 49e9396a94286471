"""Text of apps, models and task files is shown as text: nothing of it runs, nothing is fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_appbench.browser.launch import BrowserKeeper
from pytest_appbench.reports.html import write
from pytest_appbench.reports.html.clean import clean, for_script
from reportkit import Reader, action, everywhere, record, unpacked, write_run

HOSTILE = {
    "script": "<script>window.pwned = 1; alert(1)</script>",
    "ends-a-script": "</script><script>window.pwned = 1</script>",
    "ends-a-script-with-a-space": "</script \t\n><img src=x onerror='window.pwned=1'>",
    "comment": "<!--<script>",
    "ends-a-comment": "--><svg onload=window.pwned=1>",
    "double-quotes": '"><img src=http://evil.example/ onerror="window.pwned=1"><a b="',
    "single-quotes": "' onmouseover='window.pwned=1' autofocus onfocus='window.pwned=1' x='",
    "backticks": "` onclick=window.pwned=1 ${window.pwned=1} {{7*7}} {% raw %}",
    "javascript": "javascript:window.pwned=1",
    "javascript-with-a-tab": "java\tscript:window.pwned=1//",
    "data": "data:text/html,<script>parent.pwned=1</script>",
    "file": "file:///etc/passwd",
    "fetches": "<link rel=stylesheet href=http://evil.example/><iframe src=//evil.example></iframe>",
    "style": "</style><style>@import 'http://evil.example/'; body{display:none}</style>",
    "refresh": '<meta http-equiv=refresh content="0;url=http://evil.example/">',
    "base": "<base href=http://evil.example/><form action=//evil.example><button>ok",
    "entities": "&lt;script&gt;&#x3c;script&#x3e;&amp;&NewLine;",
    "json": '"}];window.pwned=1;[{"\\u003cscript\\u003e\\',
    "line-separators": "a\u2028window.pwned=1\u2029b",
    "turns-the-direction": "safe \u202egpj.exe\u202c \u2066\u2069",
    "controls": "\x00\x01\x1b[31mred\x1b]8;;http://evil.example\x07link\x7f\x9b2J\x08\r\n\t",
    "halves": "\ud800 \udfff \ud83d",
    "marks": "z" + "\u0300\u0489" * 400,
    "wide": "w" * 20_000,
    "prototype": "__proto__",
    "address": "a&task=b#task=%00%ff&step=1+2%",
    "nothing-seen": "\u200b\ufeff\u00ad",
    "right-to-left": "שלום world مرحبا",
}


@pytest.fixture
def reader(keeper: BrowserKeeper) -> Iterator[Reader]:
    reader = Reader.start(keeper.get())
    yield reader
    reader.page.context.close()


def read_all(reader: Reader, texts: dict[str, str], root: Path) -> dict[str, str]:
    """Write a report with each text everywhere, read every page of it, and say what was shown."""
    made = {name: everywhere(text, name) for name, text in texts.items()}
    steps = {f"tasks/hostile/{name}/1/1": lines for name, (_, lines) in made.items()}
    # As the records of a run are written, which replaces halves of characters.
    records = [one.model_copy(update={"run": "run"}) for one, _ in made.values()]
    run = root / "run"
    (run / "results").mkdir(parents=True)
    lines = [json.dumps(one.model_dump(exclude_none=True), ensure_ascii=False) for one in records]
    (run / "results" / "main-1.jsonl").write_text(
        "".join(line + "\n" for line in lines), encoding="utf-8", errors="replace"
    )
    for place, trajectory in steps.items():
        (run / place).mkdir(parents=True)
        text = "".join(json.dumps(line) + "\n" for line in trajectory)
        (run / place / "trajectory.jsonl").write_text(text, encoding="utf-8")
    report = write(root / "report.html", run, against=run)
    page = reader.open(report)
    shown = {}
    addresses = page.eval_on_selector_all(
        "#list tbody a", "all => all.map((one) => one.getAttribute('href'))"
    )
    assert len(addresses) == len(texts)
    for address in addresses:
        page.goto(report.as_uri() + address)
        (key,) = parse_qs(address[1:], keep_blank_values=True)["task"]
        page.wait_for_function(
            "key => document.querySelector('#task .meta')?.textContent.endsWith(key)", arg=key
        )
        for _ in range(5):
            page.keyboard.press("l")
        name = key.partition("::")[0]
        shown[name] = page.text_content("#task h1") or ""
        page.hover("#task h1")
    return shown


# What the harness makes is named here; anything else in the page came out of a text.
FOREIGN = """() => {
  const found = [];
  for (const one of document.querySelectorAll('*')) {
    for (const { name, value } of one.attributes) {
      if (name.startsWith('on') || name === 'style' || name === 'srcdoc') found.push(one.tagName + ' ' + name);
      if (name === 'href' && !value.startsWith('#')) found.push(value);
      if (['src', 'action', 'formaction', 'data', 'xlink:href'].includes(name)) found.push(name + ' ' + value);
    }
    if (['IFRAME', 'OBJECT', 'EMBED', 'LINK', 'BASE', 'FORM'].includes(one.tagName) && !one.matches('form.filter, dialog form')) found.push(one.tagName);
  }
  return [...found, ...(window.pwned ? ['ran'] : [])];
}"""


def test_hostile_text_runs_nothing_and_fetches_nothing(reader: Reader, tmp_path: Path) -> None:
    shown = read_all(reader, HOSTILE, tmp_path)
    assert reader.done == []
    assert reader.page.evaluate(FOREIGN) == []
    assert reader.page.evaluate("document.scripts.length") == 2 + len(HOSTILE)
    for name, text in HOSTILE.items():
        known = text.encode("utf-8", "replace").decode()  # as records are written
        assert shown[name] == clean(known, 120), name


def test_every_hostile_text_is_seen_on_the_page_of_its_task(reader: Reader, tmp_path: Path) -> None:
    text = HOSTILE["double-quotes"]
    read_all(reader, {"one": text}, tmp_path)
    for place in ("#task blockquote", ".reasons", ".items .symptom", ".track", ".plain-facts"):
        assert text in (reader.page.text_content(place) or ""), place
    assert reader.page.evaluate(FOREIGN) == []


@given(st.lists(st.text(max_size=60), min_size=5, max_size=12, unique=True))
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_text_comes_out_as_it_went_in(reader: Reader, texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        named = {f"t{number}": text for number, text in enumerate(texts)}
        shown = read_all(reader, named, Path(folder))
    assert reader.done == []
    assert shown == {name: clean(text, 120) or "–" for name, text in named.items()}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_data_in_a_script_element_cannot_end_it(value: object) -> None:
    text = for_script(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")
    assert text.isascii()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet=st.characters(), max_size=200), st.integers(1, 300))
def test_cleaned_text_hides_nothing_and_has_a_bound(text: str, most: int) -> None:
    cleaned = clean(text, most)
    assert not any(one in cleaned for one in "\x00\x07\x1b\x7f\x9b\r\u202a\u202e\u2066\u2069\ufeff")
    assert not any(0xD800 <= ord(one) <= 0xDFFF for one in cleaned)
    assert len(cleaned) <= 8 * most + 40
    assert ("more characters" in cleaned) == (len(text) > most) or "more characters" in text


def test_evidence_outside_the_run_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    line = json.dumps(action(1, "click", "secret", "secret"))
    (tmp_path / "secret" / "trajectory.jsonl").write_text(line + "\n", encoding="utf-8")
    for number, place in enumerate(("../secret", str(tmp_path / "secret"), "../runs/../secret")):
        run = write_run(tmp_path / str(number), [record(evidence=place)])
        report = write(tmp_path / f"{number}.html", run)
        (detail,) = unpacked(report)
        assert "st" not in detail["main"]["p"][0]
