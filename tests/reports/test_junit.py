"""What a verdict puts into JUnit XML."""

from __future__ import annotations

from pytest_appbench.judges.verdict import Usage, Verdict
from pytest_appbench.reports.junit import properties


def test_tokens_that_were_not_counted_are_absent_instead_of_0() -> None:
    def tokens_of(usage: Usage) -> list[object]:
        verdict = Verdict(
            status="pass", judge="openai:j", protocol="miniapp", threshold=0.8, usage=usage
        )
        found = properties(verdict, "reference:good")
        return [found.get(f"appbench.tokens_{way}") for way in ("in", "out")]

    assert tokens_of(Usage(turns=2, tokens_in=0, tokens_out=0)) == [None, None]
    assert tokens_of(Usage(turns=2, tokens_in=7, tokens_out=5)) == [7, 5]
