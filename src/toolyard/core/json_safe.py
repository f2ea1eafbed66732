"""Values of model text made safe for writing, see `json_safe`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Set
from typing import Any

from toolyard.core.types import JsonValue

SAFE_DEPTH = 200
SMALLEST_INTEGER = -(2**63)
LARGEST_INTEGER = 2**64 - 1
# Python writes at most 4300 decimal digits; 14,000 bits are 4,215 of them.
DECIMAL_BITS = 14_000


def json_safe(value: object, depth: int = 0) -> JsonValue:
    r"""The nearest value that every JSON writer accepts; the same input always gives the same output.

    lone surrogates      their escape as text: \ud800
    NaN, infinities      "NaN", "Infinity", "-Infinity"
    integers > 64 bit    their decimal digits as text, hexadecimal beyond 4,000 digits
    tuples, sets         lists; a set in the order of its elements' JSON text
    bytes                text, with \xNN for what is not UTF-8
    keys not strings     their JSON text (null, true, 1, [1, 2]); a second of the same name gets "#2"
    deeper than 200      "<too deep>"
    anything else        its type's name: "<complex>"
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _not_finite(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "backslashreplace")
    return _container(value, depth)


def safe_object(value: Mapping[str, object]) -> dict[str, JsonValue]:
    """The same for an object, which stays one."""
    return _mapping(value, 0)


def _container(value: object, depth: int) -> JsonValue:
    if depth >= SAFE_DEPTH:
        return "<too deep>"
    if isinstance(value, Mapping):
        return _mapping(value, depth)
    if isinstance(value, list | tuple):
        return [json_safe(item, depth + 1) for item in value]
    if isinstance(value, Set):
        return sorted((json_safe(item, depth + 1) for item in value), key=_json_text)
    return f"<{type(value).__name__}>"


def _mapping(value: Mapping[Any, object], depth: int) -> dict[str, JsonValue]:
    safe: dict[str, JsonValue] = {}
    for key, item in value.items():
        name = key if isinstance(key, str) else _json_text(json_safe(key, depth + 1))
        name = _text(name)
        if name in safe:
            repeats = 2
            while f"{name}#{repeats}" in safe:
                repeats += 1
            name = f"{name}#{repeats}"
        safe[name] = json_safe(item, depth + 1)
    return safe


def _json_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def _integer(value: int) -> int | str:
    if SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return int(value)
    return str(int(value)) if value.bit_length() <= DECIMAL_BITS else hex(value)


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
