"""Tools of the world that a data set shows under its own names, in documents that were made from the world's."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from toolyard.core.scene import DocumentedTool
from toolyard.core.types import Observation


def tool_ids(documented: Mapping[str, DocumentedTool]) -> dict[str, str]:
    """The id of each tool by its name; a document keeps the words of the world's, whatever the tool is called."""
    return {
        name: found
        for name, tool in documented.items()
        if (found := _nearest_id(name, _ids_by_description().get(tool.description, ())))
    }


def _nearest_id(name: str, ids: tuple[str, ...]) -> str:
    """The id whose parts the name has; the first where it has none."""
    plain = name.lower()
    return max(ids, key=lambda each: sum(part.lower() in plain for part in each.split("/")), default="")


@cache
def _ids_by_description() -> Mapping[str, tuple[str, ...]]:
    from toolyard.world.kernel.registry import library

    found: dict[str, tuple[str, ...]] = {}
    for tool_id, tool in library().items():
        described = tool.document.description
        found[described] = (*found.get(described, ()), tool_id)
    return found


def named_results(tool_id: str, tool: DocumentedTool, found: Observation) -> Observation:
    """What the document says that the tool returns, by name; refusals, and results without any of it, as they are."""
    from toolyard.synth.chains.projection import result_value

    if found.error:
        return found
    values = {name: result_value(tool_id, name, found.value) for name in tool.results}
    shown = {name: value for name, value in values.items() if value is not None}
    return replace(found, text=json.dumps(shown, ensure_ascii=False), value=shown) if shown else found
