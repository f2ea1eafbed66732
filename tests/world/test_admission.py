"""Admission to the library: no tool does what another tool of its subcategory does already.

Decided by running: a tool is a subset of another when every one of its examples is a valid call of the
other and everything it returns (name and value of each leaf) is in the other's answer to the same call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from toolyard.world import Tool, World, call, library
from toolyard.world.kernel.registry import twins

GROUPS = sorted({tool_id.rsplit("/", 1)[0] for tool_id in library()})


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, name)
    else:
        yield name, repr(value)


def is_subset(tool: Tool, other: Tool) -> bool:
    for example in tool.examples:
        own = call(World.fresh(), tool.id, example)
        its = call(World.fresh(), other.id, example)
        if its.error or not set(leaves(own.value)) <= set(leaves(its.value)):
            return False
    return True


@pytest.mark.parametrize("group", GROUPS)
def test_no_tool_is_a_duplicate_or_subset_within_its_subcategory(group: str) -> None:
    tools = [tool for tool in library().values() if tool.id.startswith(f"{group}/")]
    found = [
        (tool.id, other.id)
        for tool in tools
        for other in tools
        if tool is not other
        and not {f"{tool.id}_2", f"{other.id}_2"} & set(twins())
        and is_subset(tool, other)
    ]
    assert found == []
