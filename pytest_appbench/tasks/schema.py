"""The JSON Schema of a task document, for editors that complete and check YAML.

The schema is made of the task model and ships beside this module as `schema.json`. Run this module
(`python -m pytest_appbench.tasks.schema`) to write that file anew after the model has changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from pytest_appbench.tasks.model import TaskDocument

SCHEMA_FILE = Path(__file__).with_name("schema.json")

_FROM_DEFAULTS = frozenset({"domain"})
"""Required keys that a file of defaults may supply: an editor must not miss them in a task."""


def schema_text() -> str:
    """Make the schema of one document of a task file.

    Returns:
        A JSON Schema (draft 2020-12), as the shipped file holds it. It says what a person would
        write: a key that may be left out is optional, not a choice between a value and null.
    """
    schema = TaskDocument.model_json_schema(schema_generator=_ForEditors)
    schema["required"] = [key for key in schema["required"] if key not in _FROM_DEFAULTS]
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


class _ForEditors(GenerateJsonSchema):
    """Leaves out what an editor would offer as text to insert: null, defaults, titles."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), "utf-8")
