"""The schemas of what a judge hands in, as providers of models take them."""

from __future__ import annotations

from typing import Any


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON Schema without references, which some providers do not follow.

    Args:
        schema: As pydantic gives it; its definitions are taken out.
    """
    definitions = schema.pop("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return resolve(definitions[node["$ref"].rpartition("/")[2]])
            return {
                key: resolve(value)
                for key, value in node.items()
                if key != "title" or not isinstance(value, str)
            }
        return [resolve(one) for one in node] if isinstance(node, list) else node

    inlined: dict[str, Any] = resolve(schema)
    return inlined
