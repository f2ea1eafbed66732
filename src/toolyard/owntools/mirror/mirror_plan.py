"""What a mirror is to be: tables with their fields and first rows, and for every tool what it does with them."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from random import Random

from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.owntools.drawn_values import draw_different_value, draw_value, example_names
from toolyard.owntools.mirror.recorded_calls import RecordedCall
from toolyard.owntools.sources.source_schemas import json_type
from toolyard.owntools.sources.tool_source import SourceTool, ToolSource, file_slug
from toolyard.owntools.tool_meaning import (
    CHANGING,
    QUERY,
    Kind,
    Meaning,
    plural_noun,
    singular_noun,
    tool_meanings,
)
from toolyard.text.names import name_words

ROWS = 5
_BARE_KEYS = frozenset({"id", "uuid", "key", "number", "slug", "code"})
MOST_RECORDED_ROWS = 50
PAGING = frozenset(
    {"limit", "offset", "page", "cursor", "page_size", "per_page", "count", "max_results", "top", "skip"}
)
FIRST_STATUS = "open"


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A kind of thing that the source keeps: its fields, the one that identifies it, and rows to begin with."""

    name: str
    noun: str
    key: str
    fields: Record
    rows: tuple[Record, ...]
    recorded: int = 0


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """What the twin of one tool does; `table` is empty where its result follows from its arguments alone."""

    tool: SourceTool
    meaning: Meaning
    kind: Kind
    table: str = ""
    # parameters of the call -> fields of the table
    renames: Mapping[str, str] = field(default_factory=dict)
    upserts: bool = False
    recorded: int = 0
    # fields that the call itself settles, such as the status of a thing that is closed
    sets: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_filler(self) -> bool:
        """Whether nothing is known of its results: no table, no shape, no recorded call and no example."""
        shown = self.recorded or any(example.has_result for example in self.tool.examples)
        return not self.table and self.tool.result is None and not shown

    @property
    def origin(self) -> str:
        """Where its results come from, for the card."""
        if self.recorded:
            return f"recorded ({self.recorded} call{'' if self.recorded == 1 else 's'}), else inferred"
        if any(example.has_result for example in self.tool.examples):
            return "examples of the document, else inferred"
        if self.table:
            return "inferred: state of the table"
        return "inferred: result schema" if self.tool.result is not None else "filler: no result schema"


@dataclass(frozen=True, slots=True)
class MirrorPlan:
    """Everything that the files of a mirror say."""

    source: ToolSource
    seed: int
    tables: tuple[TablePlan, ...]
    tools: tuple[ToolPlan, ...]
    recorded: tuple[RecordedCall, ...] = ()

    def table(self, name: str) -> TablePlan:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)

    @property
    def filler(self) -> str:
        """The tools whose results are unknown, in one line; empty where there are none."""
        names = [each.tool.name for each in self.tools if each.is_filler]
        if not names:
            return ""
        returned = "returns" if len(self.tools) == 1 else "return"
        return f"{len(names)} of {len(self.tools)} tools {returned} filler: {', '.join(names)}"


def plan_mirror(source: ToolSource, seed: int = 0, recorded: Sequence[RecordedCall] = ()) -> MirrorPlan:
    """The mirror of a source, from its documents and what was recorded of it."""
    meanings = tool_meanings(source.tools)
    groups = _tools_by_thing(source.tools, meanings, {call.tool for call in recorded if not call.error})
    drafts = {noun: _draft_table(noun, members, meanings) for noun, members in groups.items()}
    keys = {draft.key: draft.noun for draft in drafts.values() if draft.key not in ("id", "name", "key")}
    tables = tuple(
        _fill_table(draft, drafts, keys, seed, recorded, groups, meanings) for draft in drafts.values()
    )
    tools = tuple(_tool_plan(tool, meanings[tool.name], drafts, recorded) for tool in source.tools)
    return MirrorPlan(source, seed, tables, tools, tuple(recorded))


def _tools_by_thing(
    tools: Sequence[SourceTool], meanings: Mapping[str, Meaning], recorded: Set[str]
) -> dict[str, list[SourceTool]]:
    """Tools by the thing they keep: several operations on it that know it by a key or its looks, or a search for it."""
    groups: dict[str, list[SourceTool]] = {}
    for tool in tools:
        meaning = meanings[tool.name]
        if meaning.kind != "compute" and meaning.noun:
            groups.setdefault(meaning.noun, []).append(tool)
    pointed = {
        " ".join(name_words(name)[:-1])
        for tool in tools
        for name in tool.schema["properties"]
        if _is_id(name)
    }
    kept: dict[str, list[SourceTool]] = {}
    for noun, members in groups.items():
        several = len({meanings[tool.name].kind for tool in members}) > 1
        known = any(meanings[tool.name].key for tool in members) or any(map(_item_fields, members))
        seeded = not recorded & {tool.name for tool in members} and all(
            _reads_things(tool, meanings[tool.name], referred=noun in pointed) for tool in members
        )
        if (several and known) or seeded:
            kept[noun] = members
    return kept


def _is_id(name: str) -> bool:
    words = name_words(name)
    return len(words) > 1 and words[-1] in ("id", "uuid", "number", "key")


def _reads_things(tool: SourceTool, meaning: Meaning, *, referred: bool) -> bool:
    """Whether a tool looks things up that no tool makes: its name has their plural, or other tools point to them."""
    shown = tool.result is None or (meaning.named in ("list", "search") and bool(_item_fields(tool)))
    return meaning.kind in ("list", "search") and shown and (meaning.many or referred)


def _draft_table(noun: str, members: Sequence[SourceTool], meanings: Mapping[str, Meaning]) -> TablePlan:
    keys = [meanings[tool.name].key for tool in members if meanings[tool.name].key]
    # The id that names the thing comes before one that it is only known by.
    keys.sort(
        key=lambda key: (
            noun.split()[-1] not in map(singular_noun, name_words(key)) and key.lower() not in _BARE_KEYS
        )
    )
    shown: dict[str, JsonValue] = {}
    for tool in members:
        for name, schema in _item_fields(tool).items():
            shown.setdefault(name, schema)
    looks = bool(shown)
    key = _key_field(keys, shown, noun)
    fields: dict[str, JsonValue] = {key: shown.pop(key, _key_schema(members, key))}
    for tool in members:
        if meanings[tool.name].kind not in CHANGING and (looks or tool.result is not None):
            continue
        for name, schema in tool.schema["properties"].items():
            if name not in keys and name not in PAGING and name.lower() not in QUERY:
                shown.setdefault(name, schema)
    if not any(json_type(schema) in ("string", "") and not _is_id(name) for name, schema in shown.items()):
        shown.update({} if looks else {"name": {"type": "string", "examples": example_names(noun)}})
    if any(meanings[tool.name].status for tool in members) and not looks:
        shown.setdefault("status", {"type": "string", "enum": [FIRST_STATUS]})
    return TablePlan(file_slug(plural_noun(noun)), noun, key, {**fields, **shown}, ())


def _key_field(keys: Sequence[str], shown: Mapping[str, JsonValue], noun: str) -> str:
    """The field of a row that calls point to it by."""
    for key in [*keys, f"{noun.split()[-1]}_id", f"{noun.split()[-1]}Id", "id", "name", "key", "path"]:
        if key in shown:
            return key
    for key in keys:  # `note_id` of a call may be the row's `id`
        for name in shown:
            if name_words(name)[-1:] == name_words(key)[-1:] and len(name_words(name)) == 1:
                return name
    return keys[0] if keys else f"{noun.split()[-1]}_id"


def _key_schema(members: Sequence[SourceTool], key: str) -> JsonValue:
    found = [tool.schema["properties"].get(key) for tool in members]
    return next((each for each in found if each), {"type": "string"})


def _item_fields(tool: SourceTool) -> Mapping[str, JsonValue]:
    """The fields of one thing that a tool returns, itself or in a list."""
    schema: JsonValue = tool.result or {}
    for _ in range(4):
        if not isinstance(schema, Mapping):
            return {}
        if json_type(schema) == "array":
            schema = schema.get("items")
            continue
        fields = schema.get("properties")
        if not isinstance(fields, Mapping):
            return {}
        inner = [each for each in fields.values() if json_type(each) == "array" and isinstance(each, Mapping)]
        lists = [each for each in inner if json_type(each.get("items")) == "object"]
        if len(lists) == 1 and len(fields) <= 4:
            schema = lists[0]
        elif len(fields) == 1 and json_type(next(iter(fields.values()))) == "object":
            schema = next(iter(fields.values()))
        else:
            # How many there are is said beside a list; elsewhere `total` is a sum, a field of the thing itself.
            plain = ("deleted", "success", "ok", *(("count", "total") if inner else ()))
            return {str(name): each for name, each in fields.items() if name not in plain}
    return {}


def _fill_table(
    draft: TablePlan,
    drafts: Mapping[str, TablePlan],
    keys: Mapping[str, str],
    seed: int,
    recorded: Sequence[RecordedCall],
    groups: Mapping[str, Sequence[SourceTool]],
    meanings: Mapping[str, Meaning],
) -> TablePlan:
    members = {tool.name: meanings[tool.name].key for tool in groups[draft.noun]}
    found = recorded_rows(draft, [call for call in recorded if call.tool in members], members)
    rows = list(found.values())[:MOST_RECORDED_ROWS]
    if not rows:
        rows = [_draw_row(draft, drafts, keys, seed, number) for number in range(ROWS)]
    return TablePlan(draft.name, draft.noun, draft.key, draft.fields, tuple(rows), len(found))


def key_value(table: TablePlan, number: int, seed: int) -> JsonValue:
    """The key of a table's row by its number: counted where it is a number, else a word with a number."""
    schema = table.fields[table.key]
    if json_type(schema) in ("integer", "number"):
        return 101 + number
    words = name_words(table.key)
    if words[-1:] in (["id"], ["uuid"], ["key"], ["code"], ["number"]):
        return f"{table.noun.split()[-1]}-{101 + number}"
    return draw_value(schema, table.key, Random(derived_seed(seed, f"{table.name}/{table.key}", number)))


def _draw_row(
    table: TablePlan, drafts: Mapping[str, TablePlan], keys: Mapping[str, str], seed: int, number: int
) -> dict[str, JsonValue]:
    rng = Random(derived_seed(seed, f"row/{table.name}", number))
    row: dict[str, JsonValue] = {table.key: key_value(table, number, seed)}
    for name, schema in table.fields.items():
        if name == table.key:
            continue
        other = keys.get(name)
        if other and other != table.noun:
            row[name] = key_value(drafts[other], rng.randrange(ROWS), seed)
        elif name == "name" and isinstance(schema, Mapping) and len(schema.get("examples") or ()) >= ROWS:
            row[name] = schema["examples"][number]
        else:
            row[name] = draw_different_value(schema, name, rng, ())
    return row


def recorded_rows(
    table: TablePlan, calls: Sequence[RecordedCall], asked_by: Mapping[str, str]
) -> dict[str, dict[str, JsonValue]]:
    """The things of a table that recorded results show, by key.

    A result that does not repeat its key has the one that the call asked for, by the tool's parameter in `asked_by`.
    """
    found: dict[str, dict[str, JsonValue]] = {}
    for call in calls:
        if call.error:
            continue
        asked = call.arguments.get(asked_by.get(call.tool) or table.key)
        for item in _objects_inside(call.result, 0):
            if table.key not in item and asked is not None and item == call.result:
                item = {table.key: asked, **item}
            key = item.get(table.key)
            if isinstance(key, str | int) and not isinstance(key, bool):
                found[str(key)] = {**found.get(str(key), {}), **item}
    return found


def _objects_inside(value: JsonValue, depth: int) -> list[dict[str, JsonValue]]:
    if depth > 4:
        return []
    if isinstance(value, Mapping):
        inner = [
            each
            for part in value.values()
            if isinstance(part, list | Mapping)
            for each in _objects_inside(part, depth + 1)
        ]
        return [dict(value), *inner]
    if isinstance(value, list):
        return [each for part in value[:200] for each in _objects_inside(part, depth + 1)]
    return []


def _tool_plan(
    tool: SourceTool, meaning: Meaning, drafts: Mapping[str, TablePlan], recorded: Sequence[RecordedCall]
) -> ToolPlan:
    calls = sum(call.tool == tool.name and not call.error for call in recorded)
    table = drafts.get(meaning.noun)
    if meaning.kind == "compute" or table is None:
        return ToolPlan(tool, meaning, "compute", recorded=calls)
    renames = {meaning.key: table.key} if meaning.key and meaning.key != table.key else {}
    words = name_words(tool.name)
    upserts = meaning.kind == "update" and bool({"put", "set", "override", "upsert"} & set(words))
    sets = _resulting_status(meaning, table, tool)
    return ToolPlan(tool, meaning, meaning.kind, table.name, renames, upserts, calls, sets)


def _resulting_status(meaning: Meaning, table: TablePlan, tool: SourceTool) -> dict[str, str]:
    """The status that a call gives an item, as its schema spells it; a new item is open."""
    name = next((each for each in ("status", "state") if each in table.fields), "")
    schema = table.fields.get(name)
    if not isinstance(schema, Mapping) or json_type(schema) != "string" or name in tool.schema["properties"]:
        return {}
    allowed = [each for each in schema.get("enum") or () if isinstance(each, str)]
    if meaning.kind == "create":
        return {name: FIRST_STATUS} if allowed == [FIRST_STATUS] else {}
    if not meaning.status:
        return {}
    if not allowed or allowed == [FIRST_STATUS]:
        return {name: meaning.status}
    fitting = [each for each in allowed if each.lower()[:4] == meaning.status[:4]]
    return {name: fitting[0]} if fitting else {}
