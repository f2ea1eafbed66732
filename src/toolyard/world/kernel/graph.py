"""Who can feed whom: edges from a returned field to a parameter of equal, non-generic meaning."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from toolyard.core.types import JsonValue
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.schema import schema_leaves, schema_meanings
from toolyard.world.kernel.types import GENERIC

Place: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """What `producer` returns at `path` can be given to `consumer` as `parameter`.

    `partners` are (parameter, path) that must go over from the same record: a region needs its country.
    """

    producer: str
    path: str
    consumer: str
    parameter: str
    semantic: str
    partners: tuple[tuple[str, str], ...] = ()


def produced_meanings(tool: Tool) -> dict[str, str]:
    """Meaning -> path of the first returned field with that meaning."""
    found: dict[str, str] = {}
    for path, meaning in schema_leaves(tool.document.result):
        found.setdefault(meaning, path)
    return found


def consumed_meanings(tool: Tool) -> Iterator[tuple[str, str]]:
    """Every (parameter, meaning it takes)."""
    for parameter in tool.document.parameters:
        for meaning in dict.fromkeys(schema_meanings(parameter.schema)):
            if meaning not in GENERIC:
                yield parameter.name, meaning


def edges(tools: Iterable[Tool] | None = None) -> tuple[Edge, ...]:
    """All edges among the tools (of the whole library by default), none from a tool to itself."""
    if tools is None:
        return _library_edges()
    chosen = tuple(tools)
    makers = {tool.id: produced_meanings(tool) for tool in chosen}
    return tuple(edge for tool in chosen for edge in _edges_into(tool, makers))


def _edges_into(tool: Tool, makers: Mapping[str, Mapping[str, str]]) -> Iterator[Edge]:
    taken = tuple(consumed_meanings(tool))
    bonds = _bound_parameters(tool)
    for parameter, meaning in taken:
        needed = bonds.get(parameter, frozenset())
        for producer, paths in makers.items():
            if producer == tool.id or meaning not in paths:
                continue
            partners = {other: paths[kind] for other, kind in taken if other in needed and kind in paths}
            if len(partners) == len(needed):
                yield Edge(producer, paths[meaning], tool.id, parameter, meaning, tuple(partners.items()))


def _bound_parameters(tool: Tool) -> Mapping[str, frozenset[str]]:
    """Parameter -> the parameters that must come with it, in both directions."""
    found: dict[str, set[str]] = {}
    for parameter in tool.document.parameters:
        for other in parameter.schema.get("x-within", ()):
            found.setdefault(parameter.name, set()).add(other)
            found.setdefault(other, set()).add(parameter.name)
    return {name: frozenset(others) for name, others in found.items()}


@functools.cache
def _library_edges() -> tuple[Edge, ...]:
    return edges(tuple(library().values()))


def feeds(edge: Edge, results: Iterable[JsonValue]) -> Iterator[dict[str, JsonValue]]:
    """What may go over, one mapping of parameters per different value, with all its partners from the same record."""
    seen: list[JsonValue] = []
    for result in results:
        for place, value in values_with_places(result, edge.path):
            if value is None or value in seen:
                continue
            seen.append(value)
            fed: dict[str, JsonValue] = {edge.parameter: value}
            for parameter, path in edge.partners:
                near = next(
                    (v for at, v in values_with_places(result, path) if _same_record(at, place)), None
                )
                fed[parameter] = near
            if None not in fed.values():
                yield fed


def _same_record(one: Place, other: Place) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def values_at(value: JsonValue, path: str) -> list[JsonValue]:
    """Every value at a path such as `items[].city`."""
    return [found for _, found in values_with_places(value, path)]


def values_with_places(value: JsonValue, path: str) -> Iterator[tuple[Place, JsonValue]]:
    """Every value at a path, with the list positions and keys on the way to it."""
    yield from _values_in(value, [step for part in path.split(".") for step in _path_steps(part) if step], ())


def _path_steps(part: str) -> list[str]:
    depth = part.count("[]")
    return [part.replace("[]", ""), *["[]"] * depth]


def _values_in(value: JsonValue, steps: list[str], place: Place) -> Iterator[tuple[Place, JsonValue]]:
    if not steps:
        yield place, value
    elif steps[0] == "[]" and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _values_in(item, steps[1:], (*place, number))
    elif steps[0] == "*" and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _values_in(item, steps[1:], (*place, key))
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _values_in(value[steps[0]], steps[1:], place)


def example_with_values(consumer: Tool, parameter: str, fed: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The consumer's example that uses the parameter (else its first), with the fed values in their places."""
    example = next((given for given in consumer.examples if parameter in given), consumer.examples[0])
    lists = {known.name for known in consumer.document.parameters if known.schema.get("type") == "array"}
    values = {
        name: [value] if name in lists and not isinstance(value, list) else value
        for name, value in fed.items()
    }
    return {**example, **values}
