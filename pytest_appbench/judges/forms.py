"""The schemas of what a judge hands in, as providers of models take them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from pytest_appbench.models.chat import Tool


def tool_of(form: type[BaseModel], name: str, description: str) -> Tool:
    """The tool by which something is handed in.

    Args:
        form: Its shape.
        name: The tool's name.
        description: What it does.
    """
    return Tool(name=name, description=description, parameters=inlined(form.model_json_schema()))


def misfit(error: ValidationError) -> str:
    """Why what was handed in does not have the shape, in words for the judge.

    Args:
        error: What is wrong with it.
    """
    lines = [
        f"- {'.'.join(map(str, problem['loc'])) or 'the answer'}: {problem['msg']}"
        for problem in error.errors()[:8]
    ]
    return "This does not fit the schema:\n" + "\n".join(lines)


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
