"""Valid types with hostile values: every tool answers with a result or a fault, and never raises."""

from collections.abc import Iterator
from typing import Any

import pytest

from toolyard.world import Tool, World, call, library
from toolyard.world.kernel.faults import KINDS
from toolyard.world.kernel.result_text import count_tokens

TOOLS = list(library().values())
HOSTILE: dict[str, list[Any]] = {
    "string": [
        "",
        " ",
        "\x00",
        "x" * 5000,
        "a\ud800b",
        "Zürich ß 東京",
        "-1",
        "0",
        "9" * 400,
        "9999-99-99",
        "0001-01-01",
        "../../etc/passwd",
        "/etc/passwd",
        "' OR 1=1 --",
        "{{7*7}}",
        "%s%n",
        "$(id)",
        "a,b,,c",
        "(((((",
        "[" * 500,
    ],
    "integer": [0, -1, 1, 10**6, 2**62, -(2**62), 10**5000],
    "number": [0, -1, 0.5, 1e-320, 1e308, -1e308, float("inf"), float("nan")],
    "boolean": [True, False],
    "array": [[], [""], ["x"] * 200, [0], [None], [[[]]]],
    "object": [{}, {"": ""}, {"a": {"b": []}}],
}


def attempts(tool: Tool) -> Iterator[dict[str, Any]]:
    """The first example with one parameter replaced; it takes every second hostile value, its neighbour the others."""
    for place, parameter in enumerate(tool.document.parameters):
        kinds = [option.get("type") for option in parameter.schema.get("anyOf", [parameter.schema])]
        values = [value for kind in kinds for value in HOSTILE.get(kind or "string", [None])]
        for value in values[(len(tool.id) + place) % min(2, len(values)) :: 2]:
            yield {**tool.examples[0], parameter.name: value}


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.id for tool in TOOLS])
def test_hostile_values_never_raise(tool: Tool) -> None:
    for arguments in attempts(tool):
        observation = call(World.fresh(), tool.id, arguments)
        assert observation.error is None or observation.error in KINDS
        assert count_tokens(observation.text) <= 4096
        observation.text.encode("utf-8")
