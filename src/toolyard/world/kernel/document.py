"""A tool's document: generated from signature and docstring, and checked against them."""

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel.schema import Schema, schema_from_hint, without_none
from toolyard.world.kernel.types import Named

# What services ask for so as to know who calls; nobody has to in this world.
CREDENTIALS = frozenset(
    {
        "access_token",
        "amadeus_api_key",
        "amadeus_api_secret",
        "apiKey",
        "api_key",
        "apikey",
        "appid",
        "key",
        "login_email",
        "login_password",
        "password",
        "Proxy_Secret",
        "public_key",
        "secret_key",
        "serpapi_key",
        "token",
    }
)
_ENTRY = re.compile(r"(\S+): (.*)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its documented name, the Python keyword behind it, and its schema."""

    name: str
    keyword: str
    schema: Schema
    required: bool


@dataclass(frozen=True, slots=True)
class Document:
    """All that is known about calling a tool."""

    description: str
    parameters: tuple[Parameter, ...]
    takes_world: bool
    result: Schema
    stray: tuple[str, ...]

    def schema(self) -> Schema:
        """The JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {parameter.name: parameter.schema for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.required],
            "additionalProperties": False,
        }


def tool_document(function: Callable[..., object]) -> Document:
    """The document of a typed function whose docstring describes each parameter as `name: text`."""
    hints = typing.get_type_hints(function, include_extras=True)
    arguments = inspect.signature(function).parameters
    raw: list[_Raw] = []
    texts = [inspect.getdoc(function) or ""]
    for name, argument in arguments.items():
        if argument.kind is inspect.Parameter.VAR_KEYWORD:
            shape = get_args(hints[name])[0]
            raw.extend(_record_parameters(shape))
            texts.append(inspect.getdoc(shape) or "")
        elif name != "world":
            raw.append(_Raw(name, hints[name], argument.default))
    names = {_documented_name(item): item for item in raw}
    sections = [_docstring_sections(text, names) for text in texts]
    described = {name: text for section in sections for name, text in section.entries.items()}
    return Document(
        description=sections[0].summary,
        parameters=tuple(_make_parameter(name, item, described) for name, item in names.items()),
        takes_world="world" in arguments,
        result=schema_from_hint(hints["return"]),
        stray=tuple(word for section in sections for word in section.stray),
    )


@dataclass(frozen=True, slots=True)
class _Raw:
    keyword: str
    hint: object
    default: object


@dataclass(frozen=True, slots=True)
class _Sections:
    summary: str
    entries: Mapping[str, str]
    stray: tuple[str, ...]


def _record_parameters(shape: Any) -> Iterable[_Raw]:
    hints = typing.get_type_hints(shape, include_extras=True)
    for name, hint in hints.items():
        optional = name in shape.__optional_keys__ or get_origin(hint) is typing.NotRequired
        bare = get_args(hint)[0] if get_origin(hint) is typing.NotRequired else hint
        yield _Raw(name, bare, None if optional else inspect.Parameter.empty)


def _documented_name(item: _Raw) -> str:
    """`from_` stands for `from`, unless the hint names it otherwise."""
    hint = without_none(item.hint)
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    named = [note.name for note in notes if isinstance(note, Named)]
    return named[0] if named else item.keyword.rstrip("_")


def _make_parameter(name: str, item: _Raw, described: Mapping[str, str]) -> Parameter:
    schema = schema_from_hint(without_none(item.hint))
    schema["description"] = described.get(name, "")
    required = item.default is inspect.Parameter.empty
    if not required and item.default is not None:
        schema["default"] = list(item.default) if isinstance(item.default, tuple) else item.default
    return Parameter(name, item.keyword, schema, required)


def _docstring_sections(text: str, names: Iterable[str]) -> _Sections:
    """The text before the first `name: ...` line, and what each such line (with its continuation) says."""
    known = set(names)
    summary: list[str] = []
    entries: dict[str, str] = {}
    stray: list[str] = []
    current = ""
    for line in text.splitlines():
        entry = _ENTRY.fullmatch(line.strip())
        if entry and entry[1] in known:
            current = entry[1]
            entries[current] = entry[2]
        elif current and entry and not line.startswith(" "):
            stray.append(entry[1])
        elif current and line.strip():
            entries[current] += " " + line.strip()
        elif not current:
            summary.append(line.strip())
    return _Sections(" ".join(filter(None, summary)), entries, tuple(stray))


def to_json(document: Document, examples: Iterable[Mapping[str, JsonValue]]) -> Record:
    """The document as plain data, as `tools show --json` prints it."""
    return {
        "description": document.description,
        "parameters": document.schema(),
        "result": document.result,
        "examples": [{"arguments": dict(arguments)} for arguments in examples],
    }
