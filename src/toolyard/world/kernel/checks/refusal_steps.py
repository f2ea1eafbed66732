"""Repair: the next step that a refusal names works when it is taken."""

import re
from collections.abc import Iterator

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.checks.check_counts import Count
from toolyard.world.kernel.checks.seen_calls import seen_call
from toolyard.world.kernel.registry import Tool, library, select
from toolyard.world.kernel.schema import schema_meanings
from toolyard.world.kernel.types import GENERIC

_INSTEAD = re.compile(r"(?:did you mean|known ones are|want one such as) (.+?)(?: \([\d,]+ in all\)|\?|;|$)")
_LISTED = re.compile(r"[;?] (\w+) lists them$")


def check_repairs(seed: int, share: float) -> Count:
    """Every example with one value misspelt: what the refusal says to do instead is done."""
    count = Count()
    for tool in library().values():
        for parameter, wrong in _misspelt_examples(tool, share):
            refused = seen_call(tool, wrong, seed)
            if refused.error is None or not isinstance(refused.value, dict):
                continue
            message = str(refused.value["error"]["message"])
            steps = list(_advised_calls(tool, wrong, parameter, message))
            if not steps:
                continue
            count.looked_at += 1
            tried = [seen_call(other, arguments, seed) for other, arguments in steps]
            if all(each.error is not None for each in tried):
                count.note_defect(tool.id, f"{parameter}={wrong[parameter]!r}: {message}")
    return count


def _misspelt_examples(tool: Tool, share: float) -> Iterator[tuple[str, Record]]:
    """Examples with one value that names something and is spelt wrong."""
    for parameter in tool.document.parameters:
        if (
            set(schema_meanings(parameter.schema)) <= GENERIC
            or seeds.unit("repair", tool.id, parameter.name) >= share
        ):
            continue
        example = next((each for each in tool.examples if isinstance(each.get(parameter.name), str)), None)
        text = str(example[parameter.name]) if example else ""
        if example is not None and len(text) > 3:
            yield parameter.name, {**example, parameter.name: f"{text[:-2]}{text[-1]}{text[-2]}x"}


def _advised_calls(
    tool: Tool, wrong: Record, parameter: str, message: str
) -> Iterator[tuple[Tool, dict[str, JsonValue]]]:
    """The calls that a message names: the same one with another value, or that of the tool that lists them."""
    found = _INSTEAD.search(message)
    if found:
        for value in re.split(r" or |, ", found[1])[:3]:
            yield tool, {**wrong, parameter: value}
    listed = _LISTED.search(message)
    for other in select(tool.category) if listed else ():
        if listed and other.name == listed[1]:
            yield other, dict(other.examples[0])
