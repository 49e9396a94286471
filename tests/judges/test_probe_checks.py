"""Checks: what may stand in their file, and what it means when one raises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from judgekit import Judgings
from pytest_appbench.browser.clock import Clock
from pytest_appbench.errors import CheckError
from pytest_appbench.judges.judging import Check
from pytest_appbench.judges.probe.checks import from_functions, load_checks, run_check
from pytest_appbench.judges.verdict import CheckResult

APP = """<h1>Hi</h1><input aria-label=n value=3><input aria-label=e><p id=p>0</p><button disabled>Off</button>
<script>setInterval(() => { p.textContent = 1 }, 60000)</script>"""
Run = Callable[..., CheckResult]


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "sample.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def run(judging: Judgings, file: Callable[[str], Path]) -> Run:
    """Runs the one check whose body is given."""

    def run_body(body: str) -> CheckResult:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        path = file(
            "import re\nfrom playwright.sync_api import expect\n"
            f"def check_static_sample(page):\n{lines}"
        )
        (check,) = load_checks(path)
        return run_check(check, judging(APP))

    return run_body


# Reading


def test_reads_checks_in_the_order_of_the_file(file: Callable[[str], Path]) -> None:
    path = file(
        "from __future__ import annotations\n"
        "def _helper(page): ...\n"
        "def check_static_has_it(page):\n"
        '    """It is there.\n\n    Details.\n    """\n'
        "def check_dynamic_runs_down(page, clock): ...\n"
    )
    first, second = load_checks(path)
    assert (first.name, first.dimension, first.claim) == (
        "check_static_has_it",
        "static",
        "It is there.",
    )
    assert (second.dimension, second.claim, second.line) == ("dynamic", "runs down", 8)
    assert (first.takes_clock, second.takes_clock) == (False, True)


def test_leaves_nothing_beside_the_file(file: Callable[[str], Path]) -> None:
    path = file("def check_static_a(page): ...")
    load_checks(path)
    assert list(path.parent.iterdir()) == [path]


def test_reads_two_files_of_the_same_name_apart(tmp_path: Path) -> None:
    names = []
    for folder, what in (("a", "one"), ("b", "two")):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "same.py"
        path.write_text(f"def check_static_{what}(page): return {what!r}")
        (check,) = load_checks(path)
        names.append((check.name, check.function(None)))
    assert names == [("check_static_one", "one"), ("check_static_two", "two")]


@pytest.mark.parametrize(
    ("source", "line", "problem"),
    [
        ("x = 1", 1, "the file holds no check"),
        ("\ndef check_static_a(page:", 2, "not valid Python"),
        ("\nimport nowhere_to_be_found\ndef check_static_a(page): ...", 2, "ModuleNotFoundError"),
        ("a = 1\nb = a / 0\ndef check_static_a(page): ...", 2, "ZeroDivisionError"),
        ("\n\ndef check_speed_is_high(page): ...", 3, "write check_<dimension>_<what must hold>"),
        ("def check_static(page): ...", 1, "not a name of a check"),
        ("def check_static_a(): ...", 1, "takes ()"),
        ("def check_static_a(page, speed): ...", 1, "takes (page, speed)"),
        ("async def check_static_a(page): ...", 1, "without async and yield"),
        ("def check_static_a(page):\n    yield", 1, "without async and yield"),
        (
            "def check_static_a(page): ...\ndef check_static_a(page): ...",
            2,
            "hides the one on line 1",
        ),
        ("def check_static_a(page):\n    expect.soft(page)", 2, "expect.soft"),
    ],
)
def test_says_what_is_wrong_with_a_file(
    file: Callable[[str], Path], source: str, line: int, problem: str
) -> None:
    path = file(source)
    with pytest.raises(CheckError) as raised:
        load_checks(path)
    assert str(raised.value).startswith(f"{path}:{line}: ")
    assert problem in str(raised.value)


def test_names_all_problems_of_a_file_at_once(file: Callable[[str], Path]) -> None:
    path = file("def check_a(page): ...\ndef check_static_b(): ...\ndef check_static_c(page): ...")
    with pytest.raises(CheckError) as raised:
        load_checks(path)
    assert [text.partition(": ")[0] for text in str(raised.value).splitlines()] == [
        f"{path}:1",
        f"{path}:2",
    ]


def test_takes_plain_functions() -> None:
    def check_intention_adds(page: Page) -> None:
        """It adds."""

    (check,) = from_functions([check_intention_adds])
    assert (check.dimension, check.claim, check.path) == ("intention", "It adds.", Path(__file__))


# Running


def test_a_check_that_returns_has_passed(run: Run) -> None:
    result = run("expect(page.get_by_role('heading')).to_have_text('Hi')")
    assert (result.outcome, result.message, result.where) == ("passed", "", "")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("assert 1 == 2, 'one is not two'", "one is not two"),
        ("assert 1 == 2", "`assert 1 == 2` does not hold"),
        ("assert (\n    1\n    == 2\n)", "`assert 1 == 2` does not hold"),
        (
            "expect(page.get_by_text('nope'), 'no nope').to_be_visible(timeout=50)",
            "no nope (element(s) not found)",
        ),
        (
            "expect(page.get_by_role('heading'), 'wrong title').to_have_text('Ho', timeout=50)",
            "wrong title (expected 'Ho', found 'Hi')",
        ),
        (
            "expect(page.get_by_role('heading')).to_have_text(re.compile('Ho+', re.I), timeout=50)",
            "found 'Hi'",
        ),
        (
            "expect(page.get_by_label('e'), 'no e').to_have_value('x', timeout=50)",
            "no e (expected 'x', found '')",
        ),
        (
            "expect(page.get_by_label('n'), 'wrong n').to_have_value('4', timeout=50)",
            "wrong n (expected '4', found '3')",
        ),
        ("int(page.get_by_role('heading').inner_text())", "invalid literal for int()"),
        ("[][0]", "IndexError: list index out of range in `[][0]`"),
        ("1 / 0", "ZeroDivisionError"),
        ("page.get_by_text('nope').click(timeout=50)", 'waiting for get_by_text("nope")'),
        ("page.get_by_text('Off').click(timeout=1500)", "element is not enabled"),
        ("page.evaluate('nothing.there')", "nothing is not defined"),
        ("page.close() or page.title()", "closed"),
    ],
)
def test_a_check_that_found_something_names_the_symptom(run: Run, body: str, message: str) -> None:
    result = run(body)
    assert result.outcome == "failed"
    assert message in result.message
    assert "Call log" not in result.message
    assert result.where.endswith("sample.py:4")


@pytest.mark.parametrize(
    "expectation",
    [
        "to_contain_text(re.compile('Ho+'), timeout=50, use_inner_text=True)",
        "to_contain_text('long ' * 30, timeout=50)",
        "not_to_be_visible(timeout=50)",
    ],
)
def test_a_message_of_ones_own_is_not_drowned_in_detail(run: Run, expectation: str) -> None:
    result = run(f"expect(page.locator('body'), 'it does not greet').{expectation}")
    assert result.message.startswith("it does not greet")
    assert len(result.message) < 50


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("undefined_name", "NameError"),
        ("page.no_such_method()", "AttributeError"),
        ("page.get_by_role()", "TypeError"),
        ("import nowhere_to_be_found", "ModuleNotFoundError"),
        ("re.search('a', None)", "TypeError"),
        ("open('/nowhere/to/be/found')", "FileNotFoundError"),
        ("page.locator('[[').click()", "while parsing css selector"),
    ],
)
def test_a_broken_check_is_not_the_apps_fault(run: Run, body: str, error: str) -> None:
    with pytest.raises(
        CheckError, match=r"sample\.py:4: check_static_sample is itself broken"
    ) as e:
        run(body)
    assert error in str(e.value)


def test_the_failing_line_is_the_checks_own_also_within_helpers(judging: Judgings) -> None:
    result = run_check(_one(check_static_uses_a_helper), judging(APP))
    assert result.where.endswith("test_probe_checks.py:" + str(_line_of("assert False")))


def check_static_uses_a_helper(page: Page) -> None:
    _helper()


def _helper() -> None:
    raise AssertionError("assert False")


def _line_of(text: str) -> int:
    lines = Path(__file__).read_text("utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if f'AssertionError("{text}")' in line)


def _one(function: Callable[..., object]) -> Check:
    (check,) = from_functions([function])
    return check


def test_each_check_gets_a_fresh_page(judging: Judgings) -> None:
    def check_dynamic_first(page: Page) -> None:
        page.evaluate("localStorage.a = 1; document.body.innerHTML = ''")

    def check_dynamic_second(page: Page) -> None:
        expect(page.get_by_role("heading")).to_be_visible()
        assert page.evaluate("localStorage.length") == 0

    sample = judging(APP, check_dynamic_first, check_dynamic_second)
    assert [run_check(check, sample).outcome for check in sample.checks] == ["passed"] * 2


def test_a_check_with_a_clock_owns_time(judging: Judgings) -> None:
    def check_dynamic_after_a_minute(page: Page, clock: Clock) -> None:
        clock.run_for(59_999)
        expect(page.locator("p")).to_have_text("0")
        clock.run_for(1)
        expect(page.locator("p")).to_have_text("1")

    assert run_check(_one(check_dynamic_after_a_minute), judging(APP)).outcome == "passed"


def test_a_check_on_a_page_that_hangs_fails(
    judging: Judgings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_appbench.judges.probe.checks.SECONDS_PER_CHECK", 2.0)

    def check_dynamic_survives(page: Page) -> None:
        page.evaluate("document.querySelector('button').click()")

    hanging = judging("<button onclick='while (true);'>Go</button>")
    result = run_check(_one(check_dynamic_survives), hanging)
    assert (result.outcome, result.message[:35]) == (
        "failed",
        "the page did not answer within 2 s;",
    )


def test_a_check_may_fail_by_pytests_own_word(run: Run) -> None:
    result = run("import pytest\npytest.fail('pressing does nothing')")
    assert (result.outcome, result.message) == ("failed", "pressing does nothing")


@pytest.mark.parametrize("body", ["import pytest\npytest.skip('not now')", "raise SystemExit(3)"])
def test_a_check_that_skips_or_exits_is_itself_broken(run: Run, body: str) -> None:
    with pytest.raises(CheckError, match="is itself broken"):
        run(body)


def test_what_stops_the_session_is_no_outcome_of_a_check(run: Run) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("raise KeyboardInterrupt")


def test_a_check_may_close_the_context_of_its_page(run: Run) -> None:
    assert run("page.context.close()").outcome == "passed"
