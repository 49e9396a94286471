"""What is kept from run to run, and when it is used."""

from __future__ import annotations

from pathlib import Path

from pytest_appbench.artifacts.cache import Cache, key_of
from pytest_appbench.options import parse_caching

KEY = key_of(task="x", attempt=1)


def cache(folder: Path, policy: str = "read") -> Cache:
    return Cache(folder, parse_caching(policy))


def test_what_was_kept_is_found_with_its_files(tmp_path: Path) -> None:
    files = tmp_path / "evidence"
    files.mkdir()
    (files / "trajectory.jsonl").write_text("{}\n")
    cache(tmp_path / "cache").put("judge", KEY, {"status": "pass"}, files)
    again = tmp_path / "again"
    assert cache(tmp_path / "cache").get("judge", KEY, again) == {"status": "pass"}
    assert (again / "trajectory.jsonl").read_text() == "{}\n"


def test_each_stage_keeps_its_own(tmp_path: Path) -> None:
    cache(tmp_path).put("generate", KEY, {"digest": "a"})
    assert cache(tmp_path).get("judge", KEY) is None


def test_refresh_keeps_what_is_new_without_looking(tmp_path: Path) -> None:
    cache(tmp_path).put("judge", KEY, {"n": 1})
    refreshing = cache(tmp_path, "judge=refresh")
    assert refreshing.get("judge", KEY) is None
    refreshing.put("judge", KEY, {"n": 2})
    assert cache(tmp_path).get("judge", KEY) == {"n": 2}


def test_off_neither_looks_nor_keeps(tmp_path: Path) -> None:
    off = cache(tmp_path, "off")
    off.put("judge", KEY, {"n": 1})
    assert cache(tmp_path).get("judge", KEY) is None


def test_a_result_that_was_torn_is_not_there(tmp_path: Path) -> None:
    cache(tmp_path).put("judge", KEY, {"n": 1})
    (result,) = tmp_path.rglob("result.json")
    result.write_text('{"n":')
    assert cache(tmp_path).get("judge", KEY) is None


def test_every_fact_makes_another_key() -> None:
    facts = {"model": "m", "temperature": 1, "files": ["a", "b"]}
    assert key_of(**facts) == key_of(**dict(reversed(facts.items())))
    others = [{**facts, name: "other"} for name in facts]
    assert len({key_of(**facts), *(key_of(**other) for other in others)}) == 4
