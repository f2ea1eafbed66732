"""Flat returned fields: one fixed, short list per tool, the same in every dataset.

    Field(name="recipe_id", type="int", path="results[0].id", meanings=("recipe_id",),
          description="Number by which the recipe tools know the recipe; of the first entry.")

Results of the world are nested, documents of nested-call data are flat. A path such as `items[0].city` takes the
first entry of a list: values of one projection therefore always belong to the same record.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TypeAlias

from toolyard.core.types import JsonValue
from toolyard.text.documents.nestools import PYTHON_NAMES
from toolyard.text.names import name_in_words
from toolyard.world.kernel.graph import Edge, edges
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.types import GENERIC

MOST_FIELDS = 6
# Fields that nothing consumes only fill up to here.
ENOUGH_FIELDS = 4
LONGEST_VALUE = 2_000
# Meanings that say too little to be worth a reference.
DROPPED = frozenset(
    {"locale", "search_text", "amount", "password", "language_code", "binary_music_type", "model_year"}
    | {"unix_time", "iso_datetime", "continent", "year", "exchange", "sector"}
)
WHOLE = "result"
# Counts of a page of results, and lists whose name says nothing.
_PAGING = frozenset({"total", "offset", "count", "quantity", "limit", "page"})
_LISTS = frozenset({"", "[0]", "items", "results", "rows", "data", "entries", "list"})
_PART = re.compile(r"\[\d+\]|[^.\[\]]+")
_BARE = frozenset({"id", "code", "key", "slug", "symbol", "handle", "name", "number", "title", "path"})


@dataclass(frozen=True, slots=True)
class Field:
    """One returned value: its name, Python type name, description, path and what it means."""

    name: str
    type: str
    description: str
    path: str
    meanings: tuple[str, ...]

    @property
    def words(self) -> str:
        """The name as lower-case words, for sentences."""
        return name_in_words(self.name)

    @property
    def of_first(self) -> bool:
        """Whether it is taken from the first entry of a list."""
        return "[0]" in self.path


# Which returned fields of a tool can be seen and referred to.
View: TypeAlias = Callable[[str], tuple[Field, ...]]


@dataclass(frozen=True, slots=True)
class _Leaf:
    path: str
    schema: Schema
    certain: bool

    @property
    def meanings(self) -> tuple[str, ...]:
        return (self.schema["x-semantic"], *self.schema.get("x-is-a", ()))

    @property
    def generic(self) -> bool:
        return self.meanings[0] in GENERIC

    @property
    def type(self) -> str:
        return PYTHON_NAMES[self.schema["type"]]


@functools.cache
def output_fields(tool: str) -> tuple[Field, ...]:
    """The returned fields of a tool, in the order of its result."""
    known = library()[tool]
    found = tuple(_schema_leaves(known.document.result))
    chosen = _choose_leaves(found, _fed_paths().get(tool, {}))
    return _name_fields(chosen, tool) if chosen else (_whole_result_field(known),)


@functools.cache
def returned_fields(tool: str) -> tuple[Field, ...]:
    """Everything that a tool returns as flat fields: those of `fields` first, under the same names."""
    found = tuple(_schema_leaves(library()[tool].document.result))
    chosen = _choose_leaves(found, _fed_paths().get(tool, {}))
    if not chosen:
        return output_fields(tool)
    taken = {leaf.path for leaf in chosen}
    others = {leaf.path: leaf for leaf in reversed(found) if leaf.path not in taken}
    return _name_fields((*chosen, *sorted(others.values(), key=found.index)), tool)


@functools.cache
def telling_fields(tool: str) -> tuple[Field, ...]:
    """The returned fields, those first that say what the tool is asked for: plain facts and names in turn."""
    known = library()[tool].document
    certain = {leaf.path: leaf.certain for leaf in _schema_leaves(known.result)}
    given = {item.name for item in known.parameters}

    def rank(entry: Field) -> tuple[bool, bool, bool, int]:
        depth = entry.path.count(".") + 2 * entry.path.count("[0]")
        faint = entry.path in _PAGING or entry.path.split(".")[-1] in _PAGING
        return faint, entry.name in given, not certain.get(entry.path, True), depth

    plain = sorted((entry for entry in returned_fields(tool) if entry.meanings[0] in GENERIC), key=rank)
    named = sorted((entry for entry in returned_fields(tool) if entry.meanings[0] not in GENERIC), key=rank)
    mixed = [entry for pair in itertools.zip_longest(named, plain) for entry in pair if entry is not None]
    return tuple(sorted(mixed, key=lambda entry: rank(entry)[:2]))


def _name_fields(leaves: tuple[_Leaf, ...], tool: str) -> tuple[Field, ...]:
    return tuple(
        Field(name, leaf.type, _describe_field(leaf, name, tool), leaf.path, leaf.meanings)
        for leaf, name in zip(leaves, _names_of_leaves(leaves), strict=True)
    )


def field(tool: str, name: str) -> Field | None:
    """The returned field of that name, if the tool has one."""
    return next((known for known in returned_fields(tool) if known.name == name), None)


def project_result(tool: str, value: JsonValue, view: View = output_fields) -> dict[str, JsonValue]:
    """The fields of a result by name; one that is missing, null or empty is left out."""
    found = {known.name: value_at_path(value, known.path) for known in view(tool)}
    return {name: item for name, item in found.items() if not is_empty(item)}


def result_value(tool: str, name: str, value: JsonValue) -> JsonValue:
    """What a result has under the name that the tool's document gives it; nothing where it is empty or long."""
    path = _path_of_name(tool, name)
    found = None if path is None else value_at_path(value, path)
    too_long = isinstance(found, str) and len(found) > LONGEST_VALUE
    return None if is_empty(found) or too_long else found


@functools.cache
def _path_of_name(tool: str, name: str) -> str | None:
    """Where a result holds the value of that name; fields that documents do not choose go by their last part."""
    known = {item.name: item.path for item in reversed(returned_fields(tool))}
    last = {
        item.path.replace("[0]", "").rpartition(".")[2]: item.path for item in reversed(returned_fields(tool))
    }
    return known.get(name, last.get(name))


def value_at_path(value: JsonValue, path: str) -> JsonValue:
    """The value at a path such as `items[0].city`, None where there is none."""
    for part in _PART.findall(path):
        if part[0] == "[":
            place = int(part[1:-1])
            value = value[place] if isinstance(value, list) and len(value) > place else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def is_empty(value: JsonValue) -> bool:
    """Whether a value says nothing: null, or text, list or object without content."""
    return value is None or (isinstance(value, str | list | Mapping) and len(value) == 0)


def first_path(path: str) -> str:
    """A path of the graph (`items[].city`) as the path of the first entry (`items[0].city`)."""
    return path.replace("[]", "[0]")


@functools.cache
def speakable_edges() -> tuple[Edge, ...]:
    """Who can feed whom among the tools that can be asked for."""
    return edges(speakable().values())


@functools.cache
def _fed_paths() -> Mapping[str, Mapping[str, bool]]:
    """Tool -> the paths whose values some other tool takes -> whether only together with others."""
    found: dict[str, dict[str, bool]] = {}
    for edge in speakable_edges():
        paths = {first_path(path) for path in (edge.path, *(path for _, path in edge.partners))}
        known = found.setdefault(edge.producer, {})
        known.update({path: known.get(path, False) or len(paths) > 1 for path in sorted(paths)})
    return found


def _schema_leaves(schema: Schema, path: str = "", certain: bool = True) -> Iterator[_Leaf]:
    """Every scalar in a schema, lists by their first entry; open objects have no fixed names and give none."""
    for option in schema.get("anyOf", ()):
        yield from _schema_leaves(option, path, False)
    if schema.get("type") in ("string", "integer", "number", "boolean") and path:
        yield _Leaf(path, schema, certain)
    for name, part in schema.get("properties", {}).items():
        if not set(name) & set(".[]"):
            needed = certain and name in schema.get("required", ())
            yield from _schema_leaves(part, f"{path}.{name}" if path else name, needed)
    if isinstance(schema.get("items"), dict):
        yield from _schema_leaves(schema["items"], f"{path}[0]", certain)


def _choose_leaves(found: tuple[_Leaf, ...], fed: Mapping[str, bool]) -> tuple[_Leaf, ...]:
    """The leaves that others take first, then certain, telling and shallow ones; in the order of the schema."""
    unique = {leaf.path: leaf for leaf in reversed(found)}

    def rank(leaf: _Leaf) -> tuple[bool, bool, bool, int, int]:
        depth = leaf.path.count(".") + 2 * leaf.path.count("[0]")
        faint = leaf.path in _PAGING or leaf.meanings[0] in DROPPED
        # A latitude is of no use without its longitude: what goes together comes first.
        return faint, not fed.get(leaf.path), leaf.generic, depth, found.index(leaf)

    ranked = sorted(unique.values(), key=rank)
    taken = [leaf for leaf in ranked if leaf.path in fed and leaf.certain][:MOST_FIELDS]
    others = [leaf for leaf in ranked if leaf.path not in fed and leaf.certain]
    taken += others[: max(0, ENOUGH_FIELDS - len(taken))]
    perhaps = [leaf for leaf in ranked if fed.get(leaf.path) is False and not leaf.certain]
    taken += perhaps[: min(MOST_FIELDS - len(taken), max(1, len(taken) - 1))]
    return tuple(sorted(taken or ranked[:1], key=found.index))


def _names_of_leaves(leaves: tuple[_Leaf, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for leaf in leaves:
        parts = [part for part in _PART.findall(leaf.path) if part != "[0]"]
        options = [*_short_names(leaf, parts), *("_".join(parts[-n:]) for n in range(2, len(parts) + 1))]
        free = (option for option in options if option not in names)
        names.append(next(free, f"{'_'.join(parts) or 'value'}_{len(names) + 1}"))
    return tuple(names)


def _short_names(leaf: _Leaf, parts: list[str]) -> Iterator[str]:
    """The meaning where the last part says too little, else the last part, in the singular for one of a list."""
    if not parts:
        yield "value" if leaf.generic else leaf.meanings[0]
        return
    last = parts[-1]
    if last.lower() in _BARE and not leaf.generic:
        yield leaf.meanings[0]
    if last.lower() in _BARE and leaf.generic and len(parts) > 1:
        yield f"{_singular_name(parts[-2])}_{last}"
    yield _name_of_entry(last) if leaf.path.endswith("[0]") else last


def _name_of_entry(name: str) -> str:
    """The name of one entry: `files_written` gives `file_written`."""
    first, _, rest = name.partition("_")
    single = _singular_name(name)
    return f"{_singular_name(first)}_{rest}" if single == name and rest else single


def _singular_name(name: str) -> str:
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _describe_field(leaf: _Leaf, name: str, tool: str) -> str:
    """What the value is, by the list of returned fields; else its name with what it is part of."""
    noun = library()[tool].facts.noun or "the result"
    known = _meanings_by_field().get(name)
    text = known.replace("{noun}", noun) if known else f"{name_in_words(name)}, part of {noun}"
    unit = f" ({leaf.schema['x-unit']})" if "x-unit" in leaf.schema else ""
    return f"{text[0].upper()}{text[1:]}{unit}{_entry_in_words(leaf.path)}."


@functools.cache
def _meanings_by_field() -> Mapping[str, str]:
    """Name of a returned field -> what it says, from `returned.tsv`."""
    lines = (resources.files(__package__) / "returned.tsv").read_text("utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)


def _entry_in_words(path: str) -> str:
    """Which of several entries a value is taken from, in words."""
    parts = _PART.findall(path)
    lists = [n for n, part in enumerate(parts) if part == "[0]"]
    if not lists:
        return ""
    if lists[-1] == len(parts) - 1:
        return "; the first one listed"
    last = parts[lists[-1] - 1] if lists[-1] else ""
    return "; of the first entry" if last in _LISTS else f"; of the first entry under {name_in_words(last)}"


def _whole_result_field(tool: Tool) -> Field:
    schema = tool.document.result
    kind = PYTHON_NAMES.get(str(schema.get("type")), "str")
    return Field(WHOLE, kind, tool.document.description, "", (schema.get("x-semantic", "json"),))
