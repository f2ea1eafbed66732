"""Literal values by meaning, so that arguments vary beyond the examples of a tool.

Values come from what the tools' own examples give and return; whether one tool takes a value of another is
for the execution to say. What they return stands in `example_values.jsonl`, written by `recipes/example_values.py`:

    {"world": "4"}
    {"meaning": "ticker", "values": ["AAPL", "MSFT"]}
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from toolyard.core.declared_world import VERSION
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.lines import read_lines
from toolyard.synth.chains.projection import is_empty
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.types import GENERIC

# Meanings so wide that a value only suits the neighbours of the tool it was meant for.
BROAD = frozenset({"search_text", "prose", "place", "topic", "word", "shop_query", "food_query", "url"})
_SPREAD = 12
RETURNED = Path(__file__).with_name("example_values.jsonl")


def is_sayable(value: JsonValue) -> bool:
    """Whether a person could say the value: something in it is a letter or a digit."""
    return not is_empty(value) and any(sign.isalnum() for sign in str(value))


@functools.cache
def values_of_meaning(meaning: str, near: str | None = None) -> tuple[JsonValue, ...]:
    """Distinct scalar values with that meaning, sorted; `near` keeps those of tools under `Category/Subcategory`."""
    found = {encode(value): value for value in _argument_values(meaning, near)}
    if near is None:
        found |= {encode(value): value for value in _returned_values().get(meaning, ())}
    return tuple(found[key] for key in sorted(found))


def _argument_values(meaning: str, near: str | None) -> Iterator[JsonValue]:
    """What examples give for parameters of that meaning."""
    for group, kind, value in _example_values():
        if kind == meaning and near in (None, group):
            yield value


@functools.cache
def _example_values() -> tuple[tuple[str, str, JsonValue], ...]:
    """Every (Category/Subcategory, meaning, scalar) that the examples give."""
    return tuple(
        (f"{tool.category}/{tool.subcategory}", meaning, value)
        for tool in speakable().values()
        for parameter in tool.document.parameters
        for example in tool.examples
        if parameter.name in example
        for meaning, value in _scalars_in(parameter.schema, example[parameter.name])
    )


def _scalars_in(schema: Schema, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, list):
        for item in value:
            yield from _scalars_in(schema.get("items", {}), item)
    elif not isinstance(value, Mapping) and is_sayable(value):
        meaning = schema.get("x-semantic", "json")
        if meaning not in GENERIC:
            yield meaning, value


@functools.cache
def _returned_values() -> Mapping[str, Sequence[JsonValue]]:
    """Meaning -> what examples return of it, as it was executed in this version of the world."""
    head, *lines = read_lines(RETURNED)
    if head["world"] != VERSION:
        raise DataError(
            f"{RETURNED.name} is of world {head['world']}, this is world {VERSION}; run recipes/example_values.py"
        )
    return {line["meaning"]: line["values"] for line in lines}


def other_values(meanings: Sequence[str], value: JsonValue) -> tuple[JsonValue, ...]:
    """Values of the first of these meanings that has any, of the same type but different."""
    for meaning in meanings:
        found = tuple(
            other for other in values_of_meaning(meaning) if type(other) is type(value) and other != value
        )
        if found:
            return found
    return ()


def vary_value(tool: str, parameter: str, given: JsonValue, rng: Random) -> JsonValue:
    """Another value that the parameter may take, or the given one where none is known."""
    schema = next(item.schema for item in library()[tool].document.parameters if item.name == parameter)
    if isinstance(given, list):
        return _vary_list(tool, schema, given, rng)
    return _vary_scalar(tool, schema, given, rng)


def _vary_list(tool: str, schema: Schema, given: list[JsonValue], rng: Random) -> list[JsonValue]:
    items = [_vary_scalar(tool, schema.get("items", {}), item, rng) for item in given]
    return [item for n, item in enumerate(items) if item not in items[:n]]


def _vary_scalar(tool: str, schema: Schema, given: JsonValue, rng: Random) -> JsonValue:
    if isinstance(given, Mapping | list | bool) or is_empty(given):
        return given
    options = [option for option in _options_for(tool, schema, given) if type(option) is type(given)]
    return rng.choice(options) if options else given


def _options_for(tool: str, schema: Schema, given: JsonValue) -> Sequence[JsonValue]:
    if "enum" in schema:
        return list(schema["enum"])
    meaning = schema.get("x-semantic", "json")
    if meaning not in GENERIC:
        known = library()[tool]
        return values_of_meaning(
            meaning, f"{known.category}/{known.subcategory}" if meaning in BROAD else None
        )
    if isinstance(given, int) and "x-unit" not in schema and 1 <= given <= _SPREAD:
        low, high = schema.get("minimum", 1), schema.get("maximum", _SPREAD)
        return range(max(2, int(low)), min(_SPREAD, int(high)) + 1)
    return ()
