"""The calls that checks look at: every example, and arguments drawn from what other tools returned."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.document import Parameter
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.graph import Edge, edges, example_with_values, feeds
from toolyard.world.kernel.registry import Tool, library
from toolyard.world.kernel.state import World

# No result is cut.
BUDGET = 10**7


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call in a fresh world, what it returned, and what it changed."""

    tool: Tool
    arguments: Record
    seed: int
    text: str
    value: JsonValue
    error: str | None
    changes: Record
    # Who returned what was given, where it was not an example.
    edge: Edge | None = None


def seen_call(
    tool: Tool,
    arguments: Mapping[str, object],
    seed: int,
    edge: Edge | None = None,
    after: SeenCall | None = None,
) -> SeenCall:
    """One call in a fresh world, or in one in which another call was made."""
    world = World.fresh(seed)
    if after is not None:
        call(world, after.tool.id, after.arguments)
    before = world.snapshot()
    found = call(world, tool.id, dict(arguments), budget_tokens=BUDGET)
    return SeenCall(tool, arguments, seed, found.text, found.value, found.error, world.diff(before), edge)


def example_calls(seed: int) -> list[SeenCall]:
    """Every example of every tool."""
    return [seen_call(tool, example, seed) for tool in library().values() for example in tool.examples]


def drawn_calls(seed: int, share: float) -> list[SeenCall]:
    """An example of a share of the tools with one argument drawn from its schema; less those that are refused."""
    calls = []
    for tool in library().values():
        if seeds.unit("drawn", tool.id) >= share:
            continue
        example = seeds.pick(tool.examples, seed, tool.id)
        others = [
            (parameter.name, value)
            for parameter in tool.document.parameters
            for value in _allowed_values(parameter, seed)
        ]
        if others:
            name, value = seeds.pick(others, seed, tool.id, "argument")
            given = {key: part for key, part in {**example, name: value}.items() if part is not None}
            calls.append(seen_call(tool, given, seed))
    return [each for each in calls if each.error is None]


def _allowed_values(parameter: Parameter, seed: int) -> list[JsonValue]:
    """Values of a parameter that its schema allows, None for leaving it out."""
    schema = parameter.schema
    absent: list[JsonValue] = [] if parameter.required else [None]
    if "enum" in schema:
        return [*absent, *schema["enum"]]
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer" and {"minimum", "maximum"} <= schema.keys():
        return [
            *absent,
            seeds.stream(seed, parameter.name).randint(int(schema["minimum"]), int(schema["maximum"])),
        ]
    return absent


def closure_calls(examples: Iterable[SeenCall], share: float) -> list[SeenCall]:
    """What tools returned, given to those that take such values.

    One tool that returns it is drawn for every parameter and meaning, and one of its values. Whether a parameter is
    among the share depends on its own name alone, so that a new tool moves no other one.
    """
    returned: dict[str, list[SeenCall]] = {}
    for each in examples:
        if each.error is None:
            returned.setdefault(each.tool.id, []).append(each)
    drawn: dict[tuple[str, str, str], list[Edge]] = {}
    for edge in edges():
        key = (edge.consumer, edge.parameter, edge.semantic)
        if edge.producer in returned and seeds.unit("closure", *key) < share:
            drawn.setdefault(key, []).append(edge)
    return [found for key, into in drawn.items() for found in drawn_call(key, into, returned)]


def drawn_call(
    key: tuple[str, str, str], into: Iterable[Edge], returned: Mapping[str, list[SeenCall]]
) -> list[SeenCall]:
    """The consumer's call with a value of a drawn producer; of the next one where all of its values are beyond a range."""
    found: list[SeenCall] = []
    seed = next(iter(returned.values()))[0].seed
    for edge in sorted(into, key=lambda each: seeds.unit(seed, each.producer, *key)):
        found = list(_consumer_calls(edge, returned[edge.producer]))
        if not found or found[0].error != "out_of_range":
            break
    return found


def _consumer_calls(edge: Edge, producers: list[SeenCall]) -> Iterator[SeenCall]:
    """The consumer's call with one of the values that the first producing call with any returned.

    The other arguments are those of an example, or where they do not suit the value, only those that are required. A
    value beyond a range, such as a day too far ahead, is refused rightly; then another one must be taken.
    """
    seed = producers[0].seed
    for producer in producers:
        values = [each for each in islice(feeds(edge, [producer.value]), 40) if _is_new_value(edge, each)]
        if values:
            found = _first_accepted(edge, producer, seeds.pick(values, seed, edge.consumer, edge.parameter))
            others = iter(values[:12])
            while found.error == "out_of_range" and (other := next(others, None)):
                found = _first_accepted(edge, producer, other)
            yield found
            return


def _is_new_value(edge: Edge, fed: Mapping[str, JsonValue]) -> bool:
    """Whether no other argument has the value already: nobody flies from a town to itself."""
    whole = example_with_values(library()[edge.consumer], edge.parameter, fed)
    return all(whole[edge.parameter] != value for name, value in whole.items() if name not in fed)


def _first_accepted(edge: Edge, producer: SeenCall, fed: Mapping[str, JsonValue]) -> SeenCall:
    tool = library()[edge.consumer]
    whole = example_with_values(tool, edge.parameter, fed)
    needed = {each.name for each in tool.document.parameters if each.required} | fed.keys()
    bare = {name: value for name, value in whole.items() if name in needed}
    found = seen_call(tool, whole, producer.seed, edge, producer if producer.changes else None)
    if found.error is not None:
        found = seen_call(tool, bare, producer.seed, edge, producer)
    return found
