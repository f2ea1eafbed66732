"""Who can feed whom: edges from a returned field to a parameter of equal, non-generic meaning."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from toolyard.core.types import Json, Observation
from toolyard.world.executor import call
from toolyard.world.registry import Tool, library
from toolyard.world.schema import Schema, leaves
from toolyard.world.state import World
from toolyard.world.types import GENERIC

# An edge holds when one of the first values that the producer shows is taken by the consumer.
TRIED_VALUES = 12


@dataclass(frozen=True, slots=True)
class Edge:
    """What `producer` returns at `path` can be given to `consumer` as `parameter`."""

    producer: str
    path: str
    consumer: str
    parameter: str
    semantic: str


@dataclass(frozen=True, slots=True)
class Chain:
    """An edge that was executed: the value that went over, and what came back."""

    edge: Edge
    value: Json
    observation: Observation | None

    @property
    def works(self) -> bool:
        """Whether the consumer took the value and answered without an error."""
        return self.observation is not None and self.observation.error is None


def produced(tool: Tool) -> dict[str, str]:
    """Meaning -> path of the first returned field with that meaning."""
    found: dict[str, str] = {}
    for path, meaning in leaves(tool.document.result):
        found.setdefault(meaning, path)
    return found


def consumed(tool: Tool) -> Iterator[tuple[str, str]]:
    """Every (parameter, meaning it takes)."""
    for parameter in tool.document.parameters:
        for meaning in dict.fromkeys(_meanings(parameter.schema)):
            if meaning not in GENERIC:
                yield parameter.name, meaning


def _meanings(schema: Schema) -> Iterator[str]:
    if "x-semantic" in schema:
        yield schema["x-semantic"]
    yield from schema.get("x-accepts", ())
    if isinstance(schema.get("items"), dict):
        yield from _meanings(schema["items"])
    for option in schema.get("anyOf", ()):
        yield from _meanings(option)


def edges(tools: Iterable[Tool] | None = None) -> tuple[Edge, ...]:
    """All edges among the tools (of the whole library by default), none from a tool to itself."""
    if tools is None:
        return _library_edges()
    chosen = tuple(tools)
    makers: dict[str, list[tuple[str, str]]] = {}
    for tool in chosen:
        for meaning, path in produced(tool).items():
            makers.setdefault(meaning, []).append((tool.id, path))
    return tuple(
        Edge(producer, path, tool.id, parameter, meaning)
        for tool in chosen
        for parameter, meaning in consumed(tool)
        for producer, path in makers.get(meaning, ())
        if producer != tool.id
    )


@functools.cache
def _library_edges() -> tuple[Edge, ...]:
    return edges(tuple(library().values()))


def execute_edge(edge: Edge, seed: int = 0) -> Chain:
    """Runs the producer's examples and gives what they return to the consumer, until it takes one value."""
    producer, consumer = library()[edge.producer], library()[edge.consumer]
    chain = Chain(edge, None, None)
    for value in _values(producer, edge.path, seed):
        world = World.fresh(seed)
        for example in producer.examples:
            call(world, producer.id, example)
        observation = call(world, consumer.id, _arguments(consumer, edge.parameter, value))
        chain = Chain(edge, value, observation)
        if chain.works:
            return chain
    return chain


def _values(producer: Tool, path: str, seed: int) -> list[Json]:
    world = World.fresh(seed)
    found: list[Json] = []
    for example in producer.examples:
        result = call(world, producer.id, example).value
        found.extend(value for value in values_at(result, path) if value is not None and value not in found)
    return found[:TRIED_VALUES]


def values_at(value: Json, path: str) -> Iterator[Json]:
    """Every value at a path such as `items[].city`."""
    yield from _at(value, [step for part in path.split(".") for step in _steps(part) if step])


def _steps(part: str) -> list[str]:
    depth = part.count("[]")
    return [part.replace("[]", ""), *["[]"] * depth]


def _at(value: Json, steps: list[str]) -> Iterator[Json]:
    if not steps:
        yield value
    elif steps[0] == "[]" and isinstance(value, list):
        for item in value:
            yield from _at(item, steps[1:])
    elif steps[0] == "*" and isinstance(value, Mapping):
        for item in value.values():
            yield from _at(item, steps[1:])
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


def _arguments(consumer: Tool, parameter: str, value: Json) -> dict[str, Json]:
    """The consumer's example that uses the parameter (else its first), with this value in its place."""
    example = next((given for given in consumer.examples if parameter in given), consumer.examples[0])
    schema = next(known.schema for known in consumer.document.parameters if known.name == parameter)
    fed = [value] if schema.get("type") == "array" and not isinstance(value, list) else value
    return {**example, parameter: fed}
