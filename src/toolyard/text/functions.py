"""Tools as functions of an endpoint: names that every endpoint takes, and calls read back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import read_literal

# What the usual endpoints allow in the name of a function.
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST_NAME = 64


def function_names(names: Sequence[str]) -> tuple[str, ...]:
    """A valid and distinct function name for each tool, its own wherever that is one."""
    given: dict[str, int] = {}
    found = []
    for number, name in enumerate(names, 1):
        plain = _FOREIGN.sub("_", name).strip("_")[: LONGEST_NAME - 4] or f"tool_{number}"
        given[plain] = given.get(plain, 0) + 1
        found.append(plain if given[plain] == 1 else f"{plain}_{given[plain]}")
    return tuple(found)


def read_arguments(call: Mapping[str, JsonValue]) -> dict[str, JsonValue] | Failure:
    """The arguments of a native call, or why they are none."""
    function = call.get("function")
    raw = function.get("arguments") if isinstance(function, Mapping) else None
    value = read_literal(raw.strip() or "{}", lenient=True) if isinstance(raw, str) else raw if raw else {}
    if isinstance(value, Failure):
        return value
    return dict(value) if isinstance(value, Mapping) else Failure("not_an_object", str(value)[:80])


def name_of(call: Mapping[str, JsonValue]) -> str:
    """The name of the function that a native call names."""
    function = call.get("function")
    return str(function.get("name") or "") if isinstance(function, Mapping) else ""
