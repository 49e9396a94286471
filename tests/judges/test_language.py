"""Whether a page is in the language that was asked for, and whether it can be read at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_appbench.judges.language import is_garbled, measure

CHINESE = "做一个聚餐分账的小工具，总金额和人数，加一人，减一人，重置"
JAPANESE = "東京の天気はどうですか。今日はとても暑いです"
ENGLISH = "A small tool that splits the bill among friends, with Reset"
RUSSIAN = "Небольшая программа делит счёт между друзьями"
KOREAN = "친구들과 계산서를 나누는 작은 도구입니다"


@pytest.mark.parametrize(
    ("wanted", "declared", "text", "outcome"),
    [
        ("zh", "zh-CN", CHINESE, "fits"),
        ("zh", "", CHINESE, "fits"),
        ("zh-Hant", "en", CHINESE, "fits"),
        ("zh", "zh", ENGLISH, "differs"),
        ("zh", "zh", JAPANESE, "differs"),
        ("zh", "zh", f"Pomodoro OK {CHINESE} GitHub", "fits"),
        ("ja", "ja", JAPANESE, "fits"),
        ("ja", "ja", CHINESE, "differs"),
        ("ko", "", KOREAN, "fits"),
        ("en", "en-GB", ENGLISH, "fits"),
        ("en", "", ENGLISH, "unknown"),
        ("de", "en", ENGLISH, "unknown"),
        ("en", "en", CHINESE, "differs"),
        ("ru", "ru", RUSSIAN, "fits"),
        ("ru", "ru", ENGLISH, "differs"),
        ("sr-Latn", "sr-Latn", "Mali alat koji deli račun", "fits"),
        ("zh", "zh", "42 : 17", "unknown"),
        ("qaa", "qaa", ENGLISH, "unknown"),
    ],
)
def test_a_language_is_told_by_its_letters_and_the_attribute(
    wanted: str, declared: str, text: str, outcome: str
) -> None:
    assert measure(wanted, declared, text).outcome == outcome


@given(declared=st.text(max_size=40), text=st.text(max_size=200))
def test_the_words_of_a_measure_hold_nothing_of_the_page_but_a_tag(
    declared: str, text: str
) -> None:
    words = measure("en", declared, text).words
    assert words.isascii()
    assert "\n" not in words
    assert len(words) < 140


def test_a_text_in_a_wrong_encoding_is_garbled() -> None:
    assert is_garbled(CHINESE.encode().decode("latin-1"))
    assert is_garbled("naïve café résumé coöperation".encode().decode("cp1252"))
    assert is_garbled("\ufffd\ufffd\ufffd a b")
    for text in (
        CHINESE,
        JAPANESE,
        ENGLISH,
        RUSSIAN,
        KOREAN,
        "Déjà vu à Besançon, café ångström",
        "",
    ):
        assert not is_garbled(text), text
