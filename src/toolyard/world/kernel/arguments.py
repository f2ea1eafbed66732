"""Arguments against a document: every fault is named, and in compatibility mode strings are read as meant.

The official documents type every parameter as a string. In compatibility mode "5" is therefore read as 5,
"true" as true, "a, b" as a list, and credentials are accepted and dropped.
"""

import ast
import json
import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel.document import CREDENTIALS, Document, Parameter
from toolyard.world.kernel.faults import ToolFault, join_faults
from toolyard.world.kernel.schema import Schema

# What a value with a pattern looks like, for those who got it wrong.
_FORMS = {
    **dict.fromkeys(
        (
            "iso_date",
            "forecast_date",
            "future_date",
            "past_date",
            "basketball_day",
            "football_day",
            "cricket_day",
            "racing_day",
        ),
        "a calendar date as YYYY-MM-DD, e.g. 2024-05-15",
    ),
    "clock_time": "a time of day as HH:MM, e.g. 15:00",
    "airport_code": "an airport code of three letters, e.g. LHR",
    "icao_code": "an airport code of four letters, e.g. EGLL",
    "city_code": "the code of a city or airport, three letters, e.g. PAR",
    "entity_id": "an entity's id, Q and digits, e.g. Q76",
}
_LARGEST = 2**63 - 1
_DEEPEST = 32
_LONGEST_LITERAL = 20_000
_NUMBER = r"[+-]?\d{1,18}(?:\.\d{0,18})?(?:[eE][+-]?\d{1,2})?"
# No tool has a use for more: the longest text that any takes is 100,000 characters, the longest list 100 entries.
_MOST_BITS = 1_100
_LONGEST_TEXT = 110_000
_LONGEST_LIST = 1_000
_MOST_VALUES = 5_000
_MOST_CHARACTERS = 200_000
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_KINDS: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and value == int(value),
    "number": lambda value: _is_number(value),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list | tuple),
    "object": lambda value: isinstance(value, Mapping),
    "null": lambda value: value is None,
}


def bind_arguments(
    document: Document,
    arguments: Record,
    *,
    compatibility: bool = False,
    renames: Mapping[str, str] | None = None,
    examples: Sequence[Mapping[str, JsonValue]] = (),
) -> dict[str, object]:
    """Keyword arguments for the tool's function; raises a ToolFault that names every mistake.

    A mistake of form comes with a value out of the examples, where one has the parameter.
    """
    known = {parameter.name: parameter for parameter in document.parameters}
    bound: dict[str, object] = {}
    wrong: list[ToolFault] = []
    tried: set[str] = set()
    for given, value in arguments.items():
        name = (renames or {}).get(given, given)
        if name not in known and compatibility and name in CREDENTIALS:
            continue
        if name not in known:
            wrong.append(_unknown_parameter_fault(given, known))
            continue
        if compatibility and (value is None or value == "") and not known[name].required:
            continue
        tried.add(name)
        try:
            bound[known[name].keyword] = _check_value(known[name], value, compatibility, given)
        except ToolFault as fault:
            wrong.append(_with_example(fault, name, examples))
    shown = {ours: documented for documented, ours in (renames or {}).items()}
    wrong += [
        _with_example(_missing_parameter_fault(each, shown), each.name, examples)
        for each in document.parameters
        if each.required and each.name not in tried
    ]
    if wrong:
        raise join_faults(wrong)
    return bound


def _with_example(fault: ToolFault, name: str, examples: Sequence[Mapping[str, JsonValue]]) -> ToolFault:
    """The fault with a value that the parameter takes, where its message names none."""
    shown = next((json.dumps(one[name], ensure_ascii=False) for one in examples if name in one), "")
    if not 0 < len(shown) <= 80 or "e.g." in fault.message or "wanted one of" in fault.message:
        return fault
    return ToolFault(fault.kind, f"{fault.message.rstrip('.')} (e.g. {shown})", **fault.details)


def measure_arguments(arguments: Mapping[str, JsonValue]) -> int:
    """Characters and values in the arguments; raises a ToolFault where they are beyond any use."""
    size, count, depth = 0, 0, 0
    level: list[JsonValue] = [arguments]
    while level:
        inner: list[JsonValue] = []
        for value in level:
            parts = _inner_values(value)
            count += len(parts)
            if count > _MOST_VALUES:
                raise _size_fault(f"at most {_MOST_VALUES} values in all")
            inner += parts
            size += _count_characters(value)
        if size > _MOST_CHARACTERS:
            raise _size_fault(f"at most {_MOST_CHARACTERS} characters in all")
        level, depth = inner, depth + 1
        # The arguments are an object themselves, hence one more.
        if depth > _DEEPEST + 2:
            raise _size_fault(f"lists and objects may be nested {_DEEPEST} deep")
    return size + count


def _inner_values(value: JsonValue) -> Sequence[JsonValue]:
    """What a list or an object holds."""
    if isinstance(value, Mapping):
        return [part for item in value.items() for part in item]
    if not isinstance(value, list | tuple):
        return ()
    if len(value) > _LONGEST_LIST:
        raise _size_fault(f"a list has {_LONGEST_LIST} entries at most, got {len(value)}")
    return value


def _count_characters(value: JsonValue) -> int:
    """Characters of a single value."""
    if isinstance(value, str):
        if len(value) > _LONGEST_TEXT:
            raise _size_fault(f"a text has {_LONGEST_TEXT} characters at most, got {len(value)}")
        return len(value)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise _size_fault(f"a number has {_MOST_BITS} bits at most, got {value.bit_length()}")
    if value is None or isinstance(value, bool | int | float | list | tuple | Mapping):
        return 0
    raise ToolFault("wrong_type", f"arguments are JSON values, got {type(value).__name__}")


def _size_fault(wanted: str) -> ToolFault:
    return ToolFault("out_of_range", f"the arguments are too large: {wanted}")


def _plain(value: JsonValue, schema: Schema) -> object:
    """The value as its function takes it: whole floats as integers, text that can be written as UTF-8."""
    if isinstance(value, str):
        # A lone surrogate becomes a question mark.
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if "anyOf" in schema:
        return _plain(value, next((each for each in schema["anyOf"] if not schema_problem(value, each)), {}))
    if isinstance(value, float) and schema.get("type") == "integer":
        return int(value)
    if isinstance(value, list | tuple):
        return [_plain(item, schema.get("items", {})) for item in value]
    if isinstance(value, Mapping):
        known, other = schema.get("properties", {}), schema.get("additionalProperties") or {}
        return {_plain(key, {}): _plain(item, known.get(key, other)) for key, item in value.items()}
    return value


def _unknown_parameter_fault(given: str, known: Mapping[str, Parameter]) -> ToolFault:
    from rapidfuzz import process

    given = str(given)[:200]
    near = process.extractOne(given, list(known), score_cutoff=60)
    hint = f"did you mean {near[0]!r}? " if near else ""
    takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
    return ToolFault("unknown_parameter", f"unknown parameter {given!r}: {hint}{takes}", parameter=given)


def _missing_parameter_fault(parameter: Parameter, shown: Mapping[str, str]) -> ToolFault:
    name = shown.get(parameter.name, parameter.name)
    return ToolFault(
        "missing_parameter",
        f"{name} is required ({parameter.schema.get('type', 'any value')}): "
        f"{parameter.schema.get('description', '')}",
        parameter=name,
    )


def _check_value(parameter: Parameter, value: JsonValue, compatibility: bool, name: str) -> object:
    """The value as the function takes it; faults call the parameter by the name that was given."""
    if compatibility:
        value = coerce_value(value, parameter.schema)
        measure_arguments({name: value})
    value = _match_enum_case(value, parameter.schema)
    problem = schema_problem(value, parameter.schema)
    if problem:
        raise ToolFault(problem[0], f"{name}: {problem[1]}", parameter=name)
    return _plain(value, parameter.schema)


def schema_problem(value: JsonValue, schema: Schema) -> tuple[str, str] | None:
    """Why a value does not fit a schema, as (fault kind, message); None when it fits."""
    if "anyOf" in schema:
        problems = [schema_problem(value, option) for option in schema["anyOf"]]
        return None if None in problems else problems[0]
    kind = schema.get("type")
    if (isinstance(value, int) or kind == "integer") and _is_number(value) and abs(value) > _LARGEST:
        return "out_of_range", f"wanted a number of at most 64 bits, got {_short_repr(value)}"
    if kind is not None and not _KINDS[kind](value):
        return "wrong_type", f"wanted {_kind_with_article(kind)}, got {_short_repr(value)}"
    if "enum" in schema and value not in schema["enum"]:
        return (
            "invalid_value",
            f"wanted one of {', '.join(map(str, schema['enum']))}, got {_short_repr(value)}",
        )
    if "pattern" in schema and not re.fullmatch(schema["pattern"], str(value)):
        wanted = _FORMS.get(schema["x-semantic"], schema["x-semantic"].replace("_", " "))
        return "invalid_value", f"wanted {wanted}, got {_short_repr(value)}"
    return _range_problem(value, schema, kind) or _inner_problem(value, schema, kind)


def _range_problem(value: Any, schema: Schema, kind: str | None) -> tuple[str, str] | None:
    low, high, size = {"string": ("minLength", "maxLength", len), "array": ("minItems", "maxItems", len)}.get(
        kind or "", ("minimum", "maximum", None)
    )
    if low not in schema and high not in schema:
        return None
    measured = size(value) if size else value
    if measured < schema.get(low, measured) or measured > schema.get(high, measured):
        what = "length" if size else "value"
        bounds = f"{schema.get(low, 'any')} to {schema.get(high, 'any')}"
        return "out_of_range", f"wanted a {what} of {bounds}, got {_short_repr(measured)}"
    return None


def _inner_problem(value: Any, schema: Schema, kind: str | None) -> tuple[str, str] | None:
    if kind == "array":
        parts = [(f"[{index}]", item, schema["items"]) for index, item in enumerate(value)]
    elif kind == "object" and "properties" in schema:
        absent = [name for name in schema["required"] if name not in value]
        extra = [name for name in value if name not in schema["properties"]]
        if absent or extra:
            return "wrong_type", f"an object with {', '.join(schema['properties'])} was wanted"
        parts = [(f".{name}", item, schema["properties"][name]) for name, item in value.items()]
    else:
        return None
    for where, item, part in parts:
        problem = schema_problem(item, part)
        if problem:
            return problem[0], f"at {where}: {problem[1]}"
    return None


def coerce_value(value: JsonValue, schema: Schema) -> JsonValue:
    """The value as the schema's type where a string plainly stands for one; else unchanged."""
    if "anyOf" in schema:
        return value
    kind = schema.get("type")
    if isinstance(value, str):
        value = _parse_string(value.strip() if kind != "string" else value, schema)
    elif kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    elif kind == "array" and not isinstance(value, list):
        value = [value]
    if kind == "array" and isinstance(value, list):
        return [coerce_value(item, schema["items"]) for item in value]
    return value


def _match_enum_case(value: JsonValue, schema: Schema) -> JsonValue:
    """The value with words of a closed list in the letters of that list: peanut is Peanut."""
    if isinstance(value, list) and "items" in schema:
        return [_match_enum_case(item, schema["items"]) for item in value]
    options = schema.get("enum", ())
    if not isinstance(value, str) or value in options:
        return value
    return next((option for option in options if str(option).lower() == value.lower()), value)


def _parse_string(text: str, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind in ("integer", "number") and re.fullmatch(_NUMBER, text):
        return _parse_number(text)
    if kind == "boolean" and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if kind in ("array", "object"):
        parsed = _json_or_none(text)
        if parsed is not None:
            return parsed
        return [part.strip() for part in text.split(",") if part.strip()] if kind == "array" else text
    return text


def _parse_number(text: str) -> int | float:
    """A number as JSON writes it; 1e3 and 5.0 are whole numbers."""
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    return int(value) if "e" in text.lower() and value.is_integer() and abs(value) < 2**53 else value


def _json_or_none(text: str) -> object:
    """A list or object out of JSON, or as Python writes it: ['a', 'b'], ('a',), {'a': True, 'b': None}."""
    if not text.startswith(("[", "{", "(")) or len(text) > _LONGEST_LITERAL:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _python_or_none(text)


def _python_or_none(text: str) -> JsonValue:
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    found = list(found) if isinstance(found, tuple | set) else found
    return found if isinstance(found, list | dict) else None


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or value - value == 0


def _kind_with_article(kind: str) -> str:
    return {"integer": "an integer", "array": "a list", "object": "an object"}.get(kind, f"a {kind}")


def _short_repr(value: JsonValue) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # integers of more than 4,300 digits cannot be written
        return f"a {type(value).__name__} with an integer beyond all bounds"
