"""What a failing test with the `appbench` fixture shows: the test, and what went wrong."""

from __future__ import annotations

from kit import DEAD_COUNTER, Benchmark

TESTS = """
    from checks import check_dynamic_goes_on_counting

    def test_counts(appbench):
        verdict = appbench.judge("dead.html", query="A counter", checks="checks.py")
        assert verdict.passed, verdict

    def test_hostile(appbench):
        verdict = appbench.judge("hostile.html", query="A counter", checks="checks.py")
        assert verdict.passed, verdict

    def test_nothing_there(appbench):
        appbench.judge("nowhere", query="A counter")

    def test_no_checks(appbench):
        appbench.judge("dead.html", query="A counter", checks="none.py")
"""
CHECKS = '''
    from playwright.sync_api import expect

    def check_dynamic_goes_on_counting(page):
        """It counts."""
        page.get_by_role("button").click()
        assert page.get_by_role("status").inner_text() == "1", page.title()
'''


def test_a_failing_test_shows_itself_and_no_source_of_the_plugin(benchmark: Benchmark) -> None:
    hostile = DEAD_COUNTER.replace("<title>Counter", "<title>\u202e&#x9b;31m red \\n fake")
    benchmark.write("dead.html", DEAD_COUNTER)
    benchmark.write("hostile.html", hostile)
    benchmark.write("checks.py", CHECKS)
    benchmark.write("test_app.py", TESTS)
    result = benchmark.run("test_app.py")
    result.assert_outcomes(failed=4)
    shown = result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            ">       assert verdict.passed, verdict",
            'E       AssertionError: <fail by probe: "Counter*", evidence tasks/test_app.py/test_counts*',
            "E        +  where False = <fail by probe: *>.passed",
            "E       pytest_appbench.errors.MissingArtifact: there is no app at nowhere; build it *",
            "E       pytest_appbench.errors.CheckError: none.py:1: the checks cannot be read: *",
        ]
    )
    for source in ("Verdict(", "api.py", "store.py", "checks.py:", "direct cause"):
        assert source not in shown
    assert not {"\u202e", "\x9b"} & set(shown)
