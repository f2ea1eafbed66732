"""Calls as people write them down: tools by the end of their id, earlier results as `$1.city`.

    ["weatherapi/search", {q = "Tromsø"}]
    ["weatherapi/forecast", {q = "$1.coordinates", days = 3, aqi = false}]

`$1` is the first call; `city` the name of a field that it returns. A list may hold references beside values.
"""

import functools
import re
from collections.abc import Mapping, Sequence

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import Argument, PlannedStep, ResultReference
from toolyard.world.kernel.registry import copies, library

_REFERENCE = re.compile(r"\$(\d+)\.(\w+)")


def plan(calls: Sequence[JsonValue], where: str) -> tuple[PlannedStep, ...]:
    """The calls with whole tool ids and references; `where` names the place for error messages."""
    return tuple(_planned_step(call, where) for call in calls)


def _planned_step(call: JsonValue, where: str) -> PlannedStep:
    if not (isinstance(call, list) and len(call) == 2 and isinstance(call[1], Mapping)):
        raise DataError(f"{where}: found {call!r}; wanted [tool, {{parameter = value}}]")
    tool = complete_tool_id(str(call[0]), where)
    known = {item.name for item in library()[tool].document.parameters}
    strange = sorted(call[1].keys() - known)
    if strange:
        raise DataError(f"{where}: {tool} has no parameter {strange[0]}; it takes {', '.join(sorted(known))}")
    ordered = [item.name for item in library()[tool].document.parameters if item.name in call[1]]
    return PlannedStep(tool, {name: _planned_argument(call[1][name]) for name in ordered})


def _planned_argument(given: JsonValue) -> Argument:
    if isinstance(given, list):
        return [_planned_argument(item) for item in given]
    found = _REFERENCE.fullmatch(given) if isinstance(given, str) else None
    return ResultReference(int(found[1]) - 1, found[2]) if found else given


def complete_tool_id(end: str, where: str) -> str:
    """The one tool whose id ends in these parts."""
    found = _tools_by_ending().get(end, ())
    if len(found) != 1:
        raise DataError(
            f"{where}: {end} names {len(found)} tools; wanted the end of one id, `toolyard tools list`"
        )
    return found[0]


@functools.cache
def _tools_by_ending() -> Mapping[str, tuple[str, ...]]:
    ends: dict[str, tuple[str, ...]] = {}
    for known in library():
        if known in copies():
            continue
        parts = known.split("/")
        for start in range(len(parts)):
            end = "/".join(parts[start:])
            ends[end] = (*ends.get(end, ()), known)
    return ends
