"""Python functions as tools: the signature gives the schema, the docstring the words.

python:statistics                  every public function of a module
python:statistics:mean,median      these of them
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
import typing
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from toolyard.core.errors import DataError, UsageError
from toolyard.core.json_safe import json_safe
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.owntools.sources.source import Call, SourcePlace, ToolSource, WrittenTool, slug_of, tools_of
from toolyard.world.schema import schema_of

# `name: text`, `name (type): text`, `:param type name: text` and `name : type` of the usual styles.
_ENTRY = re.compile(
    r"^\s{0,12}(?::param\s+)?(?:[\w\[\], |.]+\s+)?\*{0,2}(\w+)\s*(?:\([^)]{0,80}\))?\s*:\s*(.*)$"
)
_SECTION = re.compile(
    r"^\s*(args|arguments|parameters|returns?|raises|yields|examples?|notes?)\s*:?\s*$", re.I
)
SECONDS = 10.0


def read_functions(text: str) -> ToolSource:
    """The functions of `MODULE` or `MODULE:name,name`; importing the module runs its code."""
    module_name, _, wanted = text.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(
            f"python:{module_name} cannot be imported ({error}); install it, or start from its folder"
        ) from None
    names = [name.strip() for name in wanted.split(",") if name.strip()] or _public(module)
    functions = {name: getattr(module, name, None) for name in names}
    missing = [name for name, found in functions.items() if not callable(found)]
    if missing:
        raise UsageError(
            f"python:{module_name} has no function {missing[0]!r}; it has {', '.join(_public(module)[:20])}"
        )
    written = [_tool(name, function) for name, function in functions.items() if function is not None]
    return ToolSource(
        slug_of(module_name), "python", tools_of(written, f"python:{text}"), lambda: _connected(functions)
    )


def _public(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    return [
        name
        for name in listed
        if inspect.isroutine(getattr(module, name, None))
        and getattr(getattr(module, name), "__module__", None) == module.__name__
    ]


def _tool(name: str, function: Callable[..., Any]) -> WrittenTool:
    documentation = inspect.getdoc(function) or ""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise DataError(f"function {name} has no signature; name others: python:MODULE:name,name") from None
    hints = _hints(function)
    described = described_parameters(documentation, parameters)
    properties, required = {}, []
    for key, each in parameters.items():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        properties[key] = _property(each, hints.get(key), described.get(key, ""))
        if each.default is each.empty:
            required.append(key)
    return WrittenTool(
        name=name,
        description=summary_of(documentation),
        schema={"type": "object", "properties": properties, "required": required},
        result=_schema(hints["return"]) if "return" in hints else None,
        place=_place(function),
    )


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except (TypeError, NameError, AttributeError):
        return dict(getattr(function, "__annotations__", {}))


def _schema(hint: Any) -> dict[str, Any]:
    """The JSON schema of a hint; nothing where the hint has none."""
    try:
        return dict(schema_of(hint))
    except (TypeError, KeyError, ValueError, AttributeError):
        return {}


def _property(parameter: inspect.Parameter, hint: Any, text: str) -> dict[str, JsonValue]:
    schema = {} if hint is None else {key: v for key, v in _schema(hint).items() if key != "x-semantic"}
    default = parameter.default
    if text:
        schema["description"] = text
    if default is not parameter.empty and isinstance(default, str | int | float | bool):
        schema["default"] = default
        kinds = {str: "string", bool: "boolean", int: "integer", float: "number"}
        schema.setdefault("type", kinds[type(default)])
    return schema


def _place(function: Callable[..., Any]) -> SourcePlace:
    try:
        return SourcePlace(inspect.getsourcefile(function) or "", inspect.getsourcelines(function)[1])
    except (OSError, TypeError):
        return SourcePlace(f"{function.__module__}.{function.__name__}")


def summary_of(documentation: str) -> str:
    """The text before sections and examples, on one line."""
    kept: list[str] = []
    for line in documentation.splitlines():
        entry = _ENTRY.match(line) if line.lstrip().startswith(":param") else None
        if _SECTION.match(line) or line.strip().startswith((">>>", "---")) or entry:
            break
        kept.append(line.strip())
    return " ".join(filter(None, kept))


def described_parameters(documentation: str, names: Mapping[str, Any]) -> dict[str, str]:
    """What the docstring says of each parameter, in any of the usual styles."""
    found: dict[str, str] = {}
    current = ""
    for line in documentation.splitlines():
        entry = _ENTRY.match(line)
        if entry and entry[1] in names:
            current = entry[1]
            found[current] = entry[2].strip()
        elif current and line.startswith((" ", "\t")) and line.strip() and not _SECTION.match(line):
            found[current] = f"{found[current]} {line.strip()}".strip()
        else:
            current = ""
    return found


@asynccontextmanager
async def _connected(functions: Mapping[str, Any]) -> AsyncIterator[Call]:
    async def call(name: str, arguments: Record) -> Observation:
        try:
            done = asyncio.to_thread(_called, functions[name], dict(arguments))
            value = json_safe(await asyncio.wait_for(done, SECONDS))
        except Exception as error:  # whatever a stranger's function raises is its answer
            return Observation(f"{type(error).__name__}: {error}"[:500], error=type(error).__name__)
        return Observation(value if isinstance(value, str) else str(value), value)

    yield call


def _called(function: Callable[..., Any], arguments: dict[str, JsonValue]) -> Any:
    """The function's value; parameters that are positional only are given by place."""
    parameters = inspect.signature(function).parameters.values()
    first = [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY and each.name in arguments]
    given = [arguments.pop(name) for name in first]
    return function(*given, **arguments)
