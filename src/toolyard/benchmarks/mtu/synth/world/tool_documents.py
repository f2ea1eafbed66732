"""The world's tools as MTU-Bench shows them: short names, documents in the paper's form, observations, distractors.

    {"name": "current_weather", "description": "...", "required_parameters": [{"name": "q", "type": "string", ...}],
     "optional_parameters": [], "result_parameters": [{"name": "city", "type": "string", ...}]}

Results of the world are nested and long. What a document promises, and what an observation shows, is the short
list of fields that all data sets share (`synth.projection`) and a few more that tell a person something.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from toolyard.core.types import JsonValue
from toolyard.synth.chains.projection import Field, fields, is_empty, value_at_path
from toolyard.text import documents
from toolyard.text.documents.dialect_parts import ABSENT
from toolyard.text.names import name_in_words
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.naming import SPELLING
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.schema import Schema

NONSENSE = ("aaa", "bbb", "ddd", "eee", "hhh", "kkk", "mmm", "ppp", "qqq", "sss", "ttt", "vvv", "www", "zzz")
MOST_SHOWN = 9
MOST_ADDED = 4
MOST_OPTIONAL = 8
_LONGEST_ADDED = 200
_ISO_DATE = re.compile(r"^\^\(\?:\\d\{4\}-")
_PYTHON_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_PAGING = frozenset({"total", "offset", "count", "quantity", "limit", "page", "time", "width", "height"})


@functools.cache
def names() -> Mapping[str, str]:
    """Tool id -> its name: the last part where that says enough and is the only one, else with its group."""
    last = {tool.id: _snake_case_name(tool.name) for tool in speakable().values()}
    often = Counter(last.values())
    return {
        tool_id: library()[tool_id].facts.called_as
        or (name if often[name] == 1 and "_" in name else _name_with_group(tool_id, name))
        for tool_id, name in last.items()
    }


def _snake_case_name(name: str) -> str:
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for wrong, right in SPELLING.items():
        plain = plain.replace(wrong, right.replace(" ", ""))
    return plain


def _name_with_group(tool_id: str, name: str) -> str:
    group = tool_id.split("/")[1].lower().removeprefix("api_")
    return name if name.startswith(group) else f"{group}_{name}"


def names_of(tools: Sequence[str], rng: Random, *, nonsense: bool) -> dict[str, str]:
    """What the tools are called; where `nonsense`, one of them by a name that means nothing."""
    found = {tool: names()[tool] for tool in tools}
    word = rng.choice(NONSENSE) if nonsense else ""
    if word and tools:
        found[rng.choice(list(tools))] = word
    return found


def tool_list(
    used: Iterable[str],
    given: Mapping[str, Collection[str]],
    called: Mapping[str, str],
    beside: Iterable[str],
    rng: Random,
) -> list[dict[str, object]]:
    """The documents of the tools that are used, with the parameters that they are given, and of others, shuffled."""
    found = [document(tool, called[tool], used=frozenset(given[tool])) for tool in used]
    found += [document(tool, names()[tool]) for tool in beside]
    rng.shuffle(found)
    return found


def document(tool_id: str, name: str, *, used: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The tool's document under a name; optional parameters beyond the first few only where they are used."""
    known = library()[tool_id].document
    optional = [item for item in known.parameters if not item.required]
    kept = {item.name for item in optional[:MOST_OPTIONAL]} | used
    parameters = tuple(_parameter(item) for item in known.parameters if item.required or item.name in kept)
    returns = tuple(
        documents.Parameter(item.name, _PYTHON_TYPES.get(item.type, "string"), item.description)
        for item in shown_fields(tool_id)
    )
    return documents.to_mtu(documents.ToolDocument(name, known.description, parameters, returns))


def _parameter(item: Parameter) -> documents.Parameter:
    schema = item.schema
    kinds = [schema.get("type"), *(option.get("type") for option in schema.get("anyOf", ()))]
    inner = schema.get("items")
    choices: list[JsonValue] = schema.get("enum") or (
        inner.get("enum", []) if isinstance(inner, dict) else []
    )
    return documents.Parameter(
        name=item.name,
        type=next((kind for kind in kinds if kind and kind != "null"), "string"),
        description=schema.get("description", name_in_words(item.name)),
        required=item.required,
        default=schema.get("default", ABSENT) if not item.required else ABSENT,
        choices=tuple(choices),
        format=value_format(schema),
    )


def value_format(schema: Schema) -> str | None:
    """How a text must be written, where the schema says so."""
    pattern = schema.get("pattern")
    if pattern is None:
        return None
    return "YYYY-MM-DD" if is_day(schema) else str(pattern).removeprefix("^(?:").removesuffix(")$")


def is_day(schema: Schema) -> bool:
    """Whether the schema takes a day as YYYY-MM-DD."""
    return _ISO_DATE.match(str(schema.get("pattern", ""))) is not None


def parameter_schema(tool_id: str, parameter: str) -> Schema:
    """The schema of one parameter."""
    return next(item.schema for item in library()[tool_id].document.parameters if item.name == parameter)


@functools.cache
def shown_fields(tool_id: str) -> tuple[Field, ...]:
    """The shared fields of the tool, then a few shallow ones with a unit or a text, if there is room."""
    shared = fields(tool_id)
    taken = {item.name for item in shared}
    paths = {item.path for item in shared}
    added: list[Field] = []
    for path, schema in sorted(_leaves(library()[tool_id].document.result), key=_rank):
        name = path.rsplit(".", 1)[-1].replace("[0]", "")
        if path in paths or name in taken or name in _PAGING or not _tells(schema):
            continue
        unit = f", in {schema['x-unit']}" if "x-unit" in schema else ""
        described = str(schema.get("description") or name_in_words(name).capitalize()) + unit
        added.append(Field(name, schema["type"], described, path, (schema.get("x-semantic", "text"),)))
        taken.add(name)
    room = max(0, min(MOST_ADDED, MOST_SHOWN - len(shared)))
    return (*shared, *added[:room])


def _tells(schema: Schema) -> bool:
    return "x-unit" in schema or (schema.get("type") == "string" and "enum" not in schema)


def _rank(leaf: tuple[str, Schema]) -> tuple[bool, int]:
    path, schema = leaf
    return schema.get("x-unit", "degree") == "degree", path.count(".") + path.count("[0]")


def _leaves(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Every scalar below a record, lists of records by their first entry."""
    if schema.get("type") in ("string", "integer", "number") and path and not path.endswith("[0]"):
        yield path, schema
    for name, part in schema.get("properties", {}).items():
        if not set(name) & set(".[]"):
            yield from _leaves(part, f"{path}.{name}" if path else name)
    if isinstance(schema.get("items"), dict) and path.count("[0]") < 1:
        yield from _leaves(schema["items"], f"{path}[0]")


def observed_result(tool_id: str, output: JsonValue) -> dict[str, JsonValue]:
    """What an observation shows of a result; added texts that are long are left out, so that none is cut."""
    shared = {item.name for item in fields(tool_id)}
    found = {item.name: value_at_path(output, item.path) for item in shown_fields(tool_id)}
    return {
        name: value
        for name, value in found.items()
        if not is_empty(value) and (name in shared or len(str(value)) <= _LONGEST_ADDED)
    }


def unit_of(tool_id: str, name: str) -> str:
    """The unit of a shown field, empty where it has none."""
    path = next(item.path for item in shown_fields(tool_id) if item.name == name)
    found = dict(_leaves(library()[tool_id].document.result))
    return str(found.get(path, {}).get("x-unit", ""))


def is_of_first_entry(tool_id: str, name: str) -> bool:
    """Whether a shown field belongs to the first entry of a list."""
    return any(item.name == name and item.of_first for item in shown_fields(tool_id))
