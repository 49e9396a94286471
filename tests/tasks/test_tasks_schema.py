"""The shipped JSON Schema says what the loader accepts."""

from __future__ import annotations

import json

from pytest_appbench.tasks.model import TaskDocument
from pytest_appbench.tasks.schema import SCHEMA_FILE, schema_text


def test_the_shipped_schema_is_in_step_with_the_model() -> None:
    assert SCHEMA_FILE.read_text("utf-8") == schema_text(), (
        "the task model has changed; write the schema anew with "
        "`python -m pytest_appbench.tasks.schema` and commit it"
    )


def test_editors_are_told_every_key_with_its_meaning_and_no_null() -> None:
    schema = json.loads(schema_text())
    assert list(schema["properties"]) == list(TaskDocument.model_fields)
    assert all(entry["description"] for entry in schema["properties"].values())
    assert '"null"' not in schema_text()
    assert schema["additionalProperties"] is False
    assert schema["properties"]["level"]["enum"] == ["easy", "mid", "hard"]


def test_editors_do_not_miss_what_defaults_may_supply() -> None:
    assert json.loads(schema_text())["required"] == ["id", "query"]
