"""Tools that are documented flat, as NesTools and Seal-Tools do, in the form of MTU-Bench."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.core.types import JsonValue, Record

TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}


def from_flat(tool: Record) -> dict[str, JsonValue]:
    """The document of `{"api_name", "api_description", "parameters": {}, "required": [], "responses": {}}`."""
    parameters = tool["parameters"]
    required = [name for name in parameters if name in tool["required"]]
    return {
        "name": tool["api_name"],
        "description": tool["api_description"],
        "required_parameters": [_entry(name, parameters[name]) for name in required],
        "optional_parameters": [
            _entry(name, parameters[name]) for name in parameters if name not in required
        ],
        "result_parameters": [_entry(name, entry) for name, entry in tool["responses"].items()],
    }


def _entry(name: str, entry: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    kind = str(entry.get("type", "str"))
    return {"name": name, "type": TYPES.get(kind, kind), "description": entry.get("description", "")}
