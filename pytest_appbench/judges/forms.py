"""The shapes of answers as models are sent them."""

from __future__ import annotations

from typing import Any


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON Schema without references, which some providers do not follow.

    Args:
        schema: As pydantic makes it.
    """
    definitions = schema.pop("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return resolve(definitions[node["$ref"].rpartition("/")[2]])
            return {key: resolve(value) for key, value in node.items() if key != "title"}
        return [resolve(one) for one in node] if isinstance(node, list) else node

    found: dict[str, Any] = resolve(schema)
    return found
