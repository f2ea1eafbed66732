"""What the code of a mirror is written with: tables, the five things that are done to them, and shaped answers.

    MIRROR = Mirror(Path(__file__).parent)
    NOTES = MIRROR.table("notes")

    @MIRROR.twin("get_note")
    def get_note(world: World, *, note_id: str) -> Json:
        return MIRROR.answer("get_note", read(world, NOTES, note_id), given(note_id=note_id))

Worlds, faults, budgets and the MCP server are those of the package's own world.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypeVar

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.lines import read_json_object
from toolyard.owntools.drawn_values import draw_value
from toolyard.owntools.mirror.recorded_calls import RecordedCall, call_key, read_recorded
from toolyard.owntools.mirror.result_shapes import fitting_value, kept_schema, shape_result
from toolyard.owntools.sources import load_source
from toolyard.owntools.sources.source_schemas import json_type
from toolyard.owntools.sources.tool_source import SourceTool, file_slug
from toolyard.owntools.tool_meaning import CHANGING, QUERY
from toolyard.world.kernel.document import Document, Parameter
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.registry import Tool
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.state import Store, World

__all__ = ["Json", "Mirror", "Table", "World", "create", "delete", "given", "listed", "read", "update"]
# What twins take and return, for code that people edit: anything that JSON can say.
Json: TypeAlias = Any
Twin = TypeVar("Twin", bound=Callable[..., JsonValue])
CATEGORY = "Mirror"
ABOUT = "mirror.json"
TABLES = "tables.json"
_NAMING = frozenset({"name", "title", "subject", "description", "label"})
LIMITS = ("limit", "page_size", "per_page", "max_results", "count", "top", "n")


@dataclass(frozen=True, slots=True)
class Table:
    """A kind of thing that the mirror keeps, by the field that identifies one."""

    store: Store
    key: str
    noun: str


@dataclass(frozen=True, slots=True)
class SourceDocument(Document):
    """A document whose schema is the source's own; the parameters are what calls are checked against."""

    written: Schema

    def schema(self) -> Schema:
        """The JSON schema of the arguments, as the source has it."""
        return self.written


@dataclass(frozen=True)
class TwinTool(Tool):
    """The twin of one tool of the source."""

    written: SourceDocument | None = None
    changes: bool = False

    @property
    def document(self) -> Document:
        """The source's own document."""
        assert self.written is not None
        return self.written

    @property
    def importable(self) -> bool:
        """A mirror's code is loaded from its folder, which no worker does."""
        return False

    @property
    def writes(self) -> bool:
        """Whether calls change the mirror's state."""
        return self.changes


class Mirror:
    """The files of a mirror, and the twins that its code registers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        about = read_json_object(folder / ABOUT)
        if about is None:
            raise DataError(
                f"{folder} holds no readable {ABOUT}; make the mirror again: toolyard mirror SOURCE --out DIR"
            )
        self.about = about
        self.source = load_source(str(folder))
        self.group = f"{CATEGORY}/{file_slug(str(about.get('name', 'source')))}"
        self.twins: dict[str, TwinTool] = {}
        self._seed = int(about.get("seed", 0))
        self._promises: dict[str, Record | None] = {}

    @property
    def tools(self) -> tuple[TwinTool, ...]:
        """The twins in the order of the source."""
        return tuple(self.twins[tool.name] for tool in self.source.tools if tool.name in self.twins)

    @cached_property
    def _rows(self) -> Record:
        return read_json_object(self.folder / TABLES) or {}

    @cached_property
    def _calls(self) -> tuple[RecordedCall, ...]:
        return read_recorded(self.folder)

    @cached_property
    def _results_by_call(self) -> Mapping[bytes, JsonValue]:
        shown = [(call.tool, call.arguments, call.result) for call in self._calls if not call.error]
        shown += [
            (tool.name, each.arguments, each.result)
            for tool in self.source.tools
            for each in tool.examples
            if each.has_result
        ]
        return {self._key(name, arguments): result for name, arguments, result in shown}

    @cached_property
    def _defaults(self) -> Mapping[str, Record]:
        return {
            tool.name: {each.name: each.default for each in tool.parameters} for tool in self.source.tools
        }

    def _key(self, name: str, arguments: Mapping[str, JsonValue]) -> bytes:
        """The same for a call that leaves a default out and one that spells it out."""
        usual = self._defaults.get(name, {})
        said = {key: value for key, value in arguments.items() if key not in usual or value != usual[key]}
        return call_key(name, said)

    @cached_property
    def _made_up(self) -> frozenset[str]:
        """Tools that read made-up rows which no tool changes; a real call is worth more than these."""
        tools = self.about.get("tools", ())
        changed = {each["table"] for each in tools if each["does"] in CHANGING}
        made_up = {each["name"] for each in self.about.get("tables", ()) if not each["recorded"]} - changed
        return frozenset(each["name"] for each in tools if each["table"] in made_up)

    def rows(self, name: str) -> tuple[Record, ...]:
        """The rows that the table of that name begins with."""
        return tuple(self._rows[name]["rows"])

    def table(self, name: str) -> Table:
        """The table of that name, with the rows of `tables.json` to begin with."""
        about = self._rows[name]
        key, rows = str(about["key"]), about["rows"]
        content = {str(row[key]): row for row in rows}
        return Table(Store(name, partial(_return_content, content)), key, str(about.get("noun", name)))

    def twin(
        self, name: str, *, writes: bool = False, names: Mapping[str, str] | None = None
    ) -> Callable[[Twin], Twin]:
        """Registers a function as the twin of a tool; `names` are parameters that cannot be Python names."""
        tool = self.source.tool(name)
        keywords = {documented: keyword for keyword, documented in (names or {}).items()}

        def register(function: Twin) -> Twin:
            document = source_document(tool, keywords, self._promise(name))
            self.twins[name] = TwinTool(
                f"{self.group}/{name}", function, (), written=document, changes=writes
            )
            return function

        return register

    def _promise(self, name: str) -> Record | None:
        """The schema that all answers of a tool keep; None where there is none to keep."""
        if name not in self._promises:
            tool = self.source.tool(name)
            known = [call.result for call in self._calls if call.tool == name and not call.error]
            known += [each.result for each in tool.examples if each.has_result]
            self._promises[name] = kept_schema(tool.result, known)
        return self._promises[name]

    def recorded_result(self, name: str, arguments: Record) -> object:
        """What the real tool returned for this exact call, or its document shows; None where unknown."""
        return self._results_by_call.get(self._key(name, arguments))

    def answer(self, name: str, value: JsonValue, arguments: Record) -> Json:
        """Rows, one row or nothing in the shape that the tool's result has."""
        known = self.recorded_result(name, arguments) if name in self._made_up else None
        if known is not None:
            return json.loads(json.dumps(known))
        tool = self.source.tool(name)
        answer = shape_result(tool.result, value, arguments, self._random(name, arguments))
        # Work on a row that could not be done is a fault, so a bare yes or no says that it was done.
        if isinstance(answer, bool):
            return True
        if isinstance(answer, dict) and set(answer) == {"result"} and isinstance(answer["result"], bool):
            return {"result": True}
        return fitting_value(self._promise(name), answer, self._random(name, arguments))

    def derived(self, name: str, arguments: Record) -> object:
        """The recorded result of this call, else one that follows from schema and arguments alone."""
        known = self.recorded_result(name, arguments)
        if known is not None:
            return json.loads(json.dumps(known))
        tool = self.source.tool(name)
        rng = self._random(name, arguments)
        if tool.result is not None:
            answer = shape_result(tool.result, None, arguments, rng)
            return fitting_value(self._promise(name), answer, self._random(name, arguments))
        return self._like_recorded(name, arguments, rng)

    def _like_recorded(self, name: str, arguments: Mapping[str, JsonValue], rng: Random) -> JsonValue:
        """Of tools without a result schema: a text that depends on the arguments."""
        shown = draw_value({"type": "string"}, "text", rng)
        said = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
        return {"result": f"{name}({said}): {shown}"[:600]}

    def _random(self, name: str, arguments: Mapping[str, JsonValue]) -> Random:
        return Random(derived_seed(self._seed, call_key(name, arguments).decode("utf-8", "replace"), 0))


def _return_content(content: Mapping[str, JsonValue], seed: int) -> Record:  # noqa: ARG001 - the signature of a store
    return content


def source_document(tool: SourceTool, keywords: Mapping[str, str], promise: Record | None) -> SourceDocument:
    """The document that calls are checked against, in the form of the package's own tools."""
    properties = tool.schema["properties"]
    parameters = tuple(
        Parameter(
            each.name,
            keywords.get(each.name, each.name),
            bindable_schema(properties[each.name]),
            each.required,
        )
        for each in tool.parameters
    )
    result: Schema = dict(promise) if promise is not None else {}
    return SourceDocument(tool.description, parameters, True, result, (), tool.schema)


def given(**arguments: JsonValue) -> dict[str, JsonValue]:
    """The arguments that a call gave."""
    return {name: value for name, value in arguments.items() if value is not None}


def create(world: World, table: Table, row: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A new row under a key of its own, or under the one that it brings."""
    rows = world.store(table.store)
    key = row.get(table.key)
    if key is not None and str(key) in rows:
        raise ToolFault("invalid_value", f"the {table.noun} {key!r} is there already", parameter=table.key)
    if key is None:
        key = _next_key(rows, table)
    fresh = {table.key: key, **row}
    rows[str(key)] = fresh
    return fresh


def _next_key(rows: Record, table: Table) -> JsonValue:
    known = [row[table.key] for row in rows.values() if table.key in row]
    number = 101 + len(rows)
    while any(str(each).rsplit("-", 1)[-1] == str(number) for each in known):
        number += 1
    return (
        number
        if known and all(isinstance(each, int) for each in known)
        else f"{table.noun.split()[-1]}-{number}"
    )


def read(world: World, table: Table, key: JsonValue) -> dict[str, JsonValue]:
    """The row of that key; a fault that names near ones where there is none."""
    rows = world.store(table.store)
    if str(key) not in rows:
        raise not_found(table.noun, key, known=list(rows))
    found: dict[str, JsonValue] = rows[str(key)]
    return found


def listed(world: World, table: Table, filters: Record) -> list[dict[str, JsonValue]]:
    """The rows that fit: equal fields, words of a query, at most as many as asked for."""
    found = list(world.store(table.store).values())
    for name, value in filters.items():
        if name in QUERY and isinstance(value, str):
            wanted = value.casefold()
            found = [
                row
                for row in found
                if wanted in json.dumps(list(row.values()), ensure_ascii=False).casefold()
            ]
        elif any(name in row for row in found):
            found = [row for row in found if _matches_filter(name, row.get(name), value)]
    most = next((filters[name] for name in LIMITS if isinstance(filters.get(name), int)), len(found))
    return found[: max(0, most)]


def _matches_filter(name: str, held: JsonValue, wanted: JsonValue) -> bool:
    """Equal, or a part of what a thing is called."""
    if name in _NAMING and isinstance(held, str) and isinstance(wanted, str):
        return wanted.casefold() in held.casefold()
    return bool(held == wanted)


def update(
    world: World, table: Table, key: JsonValue, changes: Mapping[str, JsonValue], *, upserts: bool = False
) -> dict[str, JsonValue]:
    """The row with other values; a new one where there is none and the tool makes it."""
    rows = world.store(table.store)
    if upserts and str(key) not in rows:
        return create(world, table, {table.key: key, **changes})
    row = {**read(world, table, key), **changes}
    rows[str(key)] = row
    return row


def delete(world: World, table: Table, key: JsonValue) -> dict[str, JsonValue]:
    """The row that is gone now."""
    row = read(world, table, key)
    del world.store(table.store)[str(key)]
    return row


_BOUNDS = {
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
_KNOWN = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})


def bindable_schema(schema: object) -> Schema:
    """Type, values, bounds and required fields; patterns and the rest of JSON Schema are not checked."""
    if not isinstance(schema, Mapping):
        return {}
    text = schema.get("description")
    described: Schema = {"description": text if isinstance(text, str) else ""}
    options = [
        each for key in ("anyOf", "oneOf") for each in schema.get(key) or () if isinstance(each, Mapping)
    ]
    if options and not json_type(
        {key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}
    ):
        return {**described, "anyOf": [bindable_schema(each) for each in options]}
    kinds = schema.get("type")
    if isinstance(kinds, list) and len(kinds) > 1:
        return {
            **described,
            "anyOf": [bindable_schema({**schema, "type": each}) for each in kinds if each in _KNOWN],
        }
    kind = json_type(schema)
    if kind not in _KNOWN:
        return described
    found: Schema = {**described, "type": kind}
    for bound in _BOUNDS.get(kind, ()):
        value = schema.get(bound)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[bound] = value
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        found["enum"] = list(schema["enum"])
    if kind == "array":
        found["items"] = bindable_schema(schema.get("items"))
    return found
