"""Values of model text made safe for writing, see `json_safe`."""

import json
import math
from collections.abc import Mapping, Set
from typing import Any

import orjson

from toolyard.core.types import JsonValue

SAFE_DEPTH = 200
SMALLEST_INTEGER = -(2**63)
LARGEST_INTEGER = 2**64 - 1
# Python writes at most 4300 decimal digits; 14,000 bits are 4,215 of them.
DECIMAL_BITS = 14_000
_ONLY_JSON = (
    orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
)


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
    # The plain kinds first: values of answers are made of them, and there are many.
    if type(value) is str:
        return _safe_text(value)
    kind = type(value)
    if kind is dict or kind is list:
        return (_value_read_back(value) if depth == 0 else None) or _name_of_container(value, depth)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _safe_text(value)
    if isinstance(value, int):
        return _safe_integer(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _not_finite(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "backslashreplace")
    return _name_of_container(value, depth)


def _value_read_back(value: object) -> JsonValue:
    """What reading gives back after writing; None where that is not sure to be the same value."""
    try:
        text = orjson.dumps(value, option=_ONLY_JSON)
    except TypeError:
        return None
    # Not finite numbers are written as null, and whoever has more brackets may be too deep.
    if b"null" in text or text.count(b"[") + text.count(b"{") >= SAFE_DEPTH:
        return None
    found: JsonValue = orjson.loads(text)
    return found


def safe_object(value: Mapping[str, object]) -> dict[str, JsonValue]:
    """The same for an object, which stays one."""
    return _safe_mapping(value, 0)


def _name_of_container(value: object, depth: int) -> JsonValue:
    if depth >= SAFE_DEPTH:
        return "<too deep>"
    if isinstance(value, Mapping):
        return _safe_mapping(value, depth)
    if isinstance(value, list | tuple):
        return [json_safe(item, depth + 1) for item in value]
    if isinstance(value, Set):
        return sorted((json_safe(item, depth + 1) for item in value), key=_json_text)
    return f"<{type(value).__name__}>"


def _safe_mapping(value: Mapping[Any, object], depth: int) -> dict[str, JsonValue]:
    safe: dict[str, JsonValue] = {}
    for key, item in value.items():
        name = key if isinstance(key, str) else _json_text(json_safe(key, depth + 1))
        name = _safe_text(name)
        if name in safe:
            repeats = 2
            while f"{name}#{repeats}" in safe:
                repeats += 1
            name = f"{name}#{repeats}"
        safe[name] = json_safe(item, depth + 1)
    return safe


def _json_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _safe_text(value: str) -> str:
    return str(value) if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")


def _safe_integer(value: int) -> int | str:
    if SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return int(value)
    return str(int(value)) if value.bit_length() <= DECIMAL_BITS else hex(value)


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
