"""Tools as functions of an endpoint: names that every endpoint takes, and calls read back."""

import json
import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword

from toolyard.core.types import Failure, JsonValue
from toolyard.text.documents.nestools import PYTHON_NAMES
from toolyard.text.json_values import mapping
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


def python_stub(name: str, function: Mapping[str, JsonValue]) -> str:
    """A function's document as the head of a Python function with keyword arguments."""
    schema = mapping(function.get("parameters"))
    properties, required = schema.get("properties"), schema.get("required")
    entries = {key: mapping(entry) for key, entry in mapping(properties).items()}
    needed = set(required) if isinstance(required, list | tuple) else set()
    given = [_parameter_code(key, entry, key in needed) for key, entry in entries.items()]
    lines = [str(function.get("description") or "").strip()]
    lines += [f"{key}: {_parameter_meaning(entry)}" for key, entry in entries.items()]
    text = "\n    ".join(" ".join(line.split()) for line in lines)
    return f'def {name}({", ".join(["*", *given]) if given else ""}):\n    """{text}"""'


def _parameter_code(name: str, entry: Mapping[str, JsonValue], needed: bool) -> str:
    kind = entry.get("type")
    typed = f"{name}: {PYTHON_NAMES[kind]}" if isinstance(kind, str) and kind in PYTHON_NAMES else name
    return typed if needed else f"{typed} = None"


def _parameter_meaning(entry: Mapping[str, JsonValue]) -> str:
    """What a parameter is for, with the rest of its schema."""
    rest = {key: value for key, value in entry.items() if key not in ("description", "type", "title")}
    return f"{entry.get('description') or ''} {json.dumps(rest, ensure_ascii=False) if rest else ''}".strip()


def python_arguments(arguments: Mapping[str, str]) -> str:
    """Keyword arguments of a call, their values as expressions; a name that is no identifier stands in a dictionary."""
    plain = {name: value for name, value in arguments.items() if name.isidentifier() and not iskeyword(name)}
    rest = {name: value for name, value in arguments.items() if name not in plain}
    parts = [f"{name}={value}" for name, value in plain.items()]
    if rest:
        parts.append("**{" + ", ".join(f"{name!r}: {value}" for name, value in rest.items()) + "}")
    return ", ".join(parts)


def python_names(names: Sequence[str]) -> tuple[str, ...]:
    """A name for each tool that a program can call it by."""
    plain = [name.replace("-", "_") for name in function_names(names)]
    return function_names(
        [name if name.isidentifier() and not iskeyword(name) else f"f_{name}" for name in plain]
    )
