"""The other end of `function_process`: imports a module, describes its functions, calls them."""

import contextlib
import importlib
import inspect
import json
import os
import queue
import resource
import sys
import threading
import typing
from collections.abc import Callable
from typing import Any

from toolyard.core.types import JsonValue, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.owntools.sources.docstrings import described_parameters, docstring_summary
from toolyard.world.isolation.worker_messages import own_pipes
from toolyard.world.kernel.schema import schema_from_hint

LONGEST_VALUE = 2_000_000


def main(memory: int, folders: list[str]) -> None:
    """Answers requests until their pipe is closed; modules are looked for in these folders first."""
    requests, replies = own_pipes()
    limit = getattr(resource, "RLIMIT_DATA", resource.RLIMIT_AS)
    for what, most in ((limit, memory), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a limit that is lower already stays
            resource.setrlimit(what, (most, most))
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_forward_requests, args=(requests, lines), daemon=True).start()
    sys.path[:0] = folders
    module: object = None
    while True:
        request = json.loads(lines.get())
        try:
            if module is None:
                module = importlib.import_module(request["module"])
            reply = (
                _describe_module(module, request) if "names" in request else _call_function(module, request)
            )
        except BaseException as error:  # whatever a stranger's code raises is the reply
            reply = {"error": type(error).__name__, "text": f"{type(error).__name__}: {error}"[:500]}
        with os.fdopen(os.dup(replies), "wb") as pipe:
            pipe.write(json.dumps(json_safe(reply)).encode() + b"\n")


def _forward_requests(requests: int, lines: queue.Queue[str]) -> None:
    """Hands on requests; ends the process with the one that asked, whatever it is busy with."""
    with os.fdopen(requests, encoding="utf-8") as pipe:
        for line in pipe:
            lines.put(line)
    os._exit(0)


def _describe_module(module: object, request: Record) -> dict[str, JsonValue]:
    public = public_names(module)
    names = request["names"] or public
    missing = [name for name in names if not callable(getattr(module, name, None))]
    if missing:
        return {"missing": missing[0], "public": public[:20]}
    return {"tools": [_function_document(name, getattr(module, name)) for name in names]}


def public_names(module: object) -> list[str]:
    """The functions that a module offers, those of other modules left out."""
    listed = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    return [
        name
        for name in listed
        if isinstance(name, str)
        and inspect.isroutine(getattr(module, name, None))
        and getattr(getattr(module, name), "__module__", None) == getattr(module, "__name__", None)
    ]


def _function_document(name: str, function: Callable[..., object]) -> dict[str, JsonValue]:
    documentation = inspect.getdoc(function) or ""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {"name": name, "unsigned": True}
    hints = _type_hints(function)
    described = described_parameters(documentation, parameters)
    properties, required = {}, []
    for key, each in parameters.items():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        properties[key] = _property_schema(each, hints.get(key), described.get(key, ""))
        if each.default is each.empty:
            required.append(key)
    return {
        "name": name,
        "description": docstring_summary(documentation),
        "schema": {"type": "object", "properties": properties, "required": required},
        "result": _schema_of_hint(hints["return"]) if "return" in hints else None,
        "place": _source_location(function),
    }


def _type_hints(function: Callable[..., object]) -> dict[str, JsonValue]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # hints are code of the module
        return dict(getattr(function, "__annotations__", {}))


def _schema_of_hint(hint: object) -> Record:
    """The JSON schema of a hint; nothing where the hint has none."""
    try:
        return dict(_open_schema(schema_from_hint(hint)))
    except Exception:  # as above
        return {}


def _open_schema(schema: object) -> Any:
    """The schema without a ban on further fields: a bare `dict` names none, and a record may hold more."""
    if isinstance(schema, list):
        return [_open_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    empty: tuple[tuple[str, JsonValue], ...] = (
        ("additionalProperties", False),
        ("properties", {}),
        ("required", []),
    )
    return {key: _open_schema(value) for key, value in schema.items() if (key, value) not in empty}


def _property_schema(parameter: inspect.Parameter, hint: object, text: str) -> dict[str, JsonValue]:
    schema = (
        {} if hint is None else {key: v for key, v in _schema_of_hint(hint).items() if key != "x-semantic"}
    )
    default = parameter.default
    if text:
        schema["description"] = text
    kind = {str: "string", bool: "boolean", int: "integer", float: "number"}.get(type(default))
    if kind:
        schema["default"] = default
        schema.setdefault("type", kind)
    return schema


def _source_location(function: Callable[..., object]) -> list[JsonValue]:
    try:
        return [inspect.getsourcefile(function) or "", inspect.getsourcelines(function)[1]]
    except Exception:  # the source may be gone, or be no Python
        return [f"{getattr(function, '__module__', '')}.{getattr(function, '__name__', '')}", None]


def _call_function(module: object, request: Record) -> dict[str, JsonValue]:
    """The function's value; parameters that are positional only are given by place."""
    function, arguments = getattr(module, request["call"]), dict(request["arguments"])
    parameters = inspect.signature(function).parameters.values()
    first = [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY and each.name in arguments]
    given = [arguments.pop(name) for name in first]
    value = json_safe(function(*given, **arguments))
    text = value if isinstance(value, str) else str(value)
    if len(text) > LONGEST_VALUE:
        return {"error": "too_large", "text": f"the result has more than {LONGEST_VALUE:,} characters"}
    return {"value": value, "text": text}
