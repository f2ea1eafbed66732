"""Call chains that were executed: later arguments refer to fields that earlier calls really returned.

    Chain(seed=0, steps=(
        Step("Location/Geodatabase/find_places", {"namePrefix": "Par"}, result={"city": "Paris"}, output={...}),
        Step("Weather/weatherapi/current", {"q": Reference(0, "city")}, result={"temp_c": 14.2}, output={...})))

A plan is executed in one fresh world per chain, so a chain that writes files or sends mail can be run again.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias, cast

from toolyard.core import nesting
from toolyard.core.types import Failure, JsonValue, Observation, Record
from toolyard.synth.chains.example_values import other_values
from toolyard.synth.chains.projection import View, field, is_empty, output_fields, project_result
from toolyard.synth.chains.remembered_calls import call
from toolyard.text.json_values import leaves
from toolyard.world.kernel.graph import values_at
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case


@dataclass(frozen=True, slots=True)
class ResultReference:
    """The value of a returned field of an earlier step; steps count from 0."""

    step: int
    field: str


# How long a value is that tells itself where a stated text holds it.
_TELLING = 6
# A value, a reference, or a list in which references stand.
Argument: TypeAlias = "JsonValue | ResultReference | list[Argument]"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A call before it is executed: literal values and references by parameter name."""

    tool: str
    arguments: Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class ChainStep:
    """An executed call. `result` holds the projected fields that had a value, `output` everything returned."""

    tool: str
    arguments: Mapping[str, Argument]
    result: Record
    output: JsonValue

    @property
    def links(self) -> tuple[tuple[str, ResultReference], ...]:
        """Every reference with its parameter, also those that stand in a list."""
        return tuple(
            (name, found) for name, given in self.arguments.items() for found in references_in(given)
        )

    @property
    def references(self) -> Mapping[str, ResultReference]:
        """The arguments that are references, by parameter."""
        return {name: value for name, value in self.arguments.items() if isinstance(value, ResultReference)}

    @property
    def literals(self) -> Record:
        """The arguments that are values, by parameter."""
        return {name: value for name, value in self.arguments.items() if not any(references_in(value))}


@dataclass(frozen=True, slots=True)
class Chain:
    """Executed steps in their order, and the seed of the world they ran in."""

    steps: tuple[ChainStep, ...]
    seed: int

    @property
    def edges(self) -> frozenset[nesting.Edge]:
        """The (producer, consumer) pairs, counted from 0."""
        found = ((ref.step, n) for n, step in enumerate(self.steps) for _, ref in step.links)
        return frozenset(found)

    @property
    def depth(self) -> int:
        """The longest chain of feeding calls; 1 where nothing is nested."""
        return nesting.depth(len(self.steps), self.edges)

    @property
    def structure(self) -> str:
        """The NesTools name of the shape, `other` for shapes that the paper does not compare."""
        return nesting.chain_structure(len(self.steps), self.edges)

    @property
    def plan(self) -> tuple[PlannedStep, ...]:
        """The calls without what they returned."""
        return tuple(PlannedStep(step.tool, step.arguments) for step in self.steps)

    def resolved(self, index: int) -> dict[str, JsonValue]:
        """The arguments of a step with the values that its references stood for."""
        return resolve_arguments(self.steps[index], self.steps)


def references_in(given: Argument) -> Iterator[ResultReference]:
    """The references of an argument: itself, or those among the entries of a list."""
    for item in given if isinstance(given, list) else (given,):
        if isinstance(item, ResultReference):
            yield item


def takes_list(tool: str, parameter: str) -> bool:
    """Whether the parameter is a list: a reference to one value is then given as a list of that value."""
    known = library()[tool].document.parameters
    return any(item.name == parameter and item.schema.get("type") == "array" for item in known)


def execute(plan: Sequence[PlannedStep], world_seed: int = 0, view: View = output_fields) -> Chain | Failure:
    """The executed chain, or why it does not stand; `view` says which returned fields of a tool can be referred to.

    Kinds: `unknown_tool`, `unknown_reference`, `empty_reference`, `tool_error`, `empty_result`, `cut_result`,
    `repeated_call`.
    """
    world = World.fresh(world_seed)
    steps: tuple[ChainStep, ...] = ()
    for planned in plan:
        done = execute_step(world, planned, steps, view)
        if isinstance(done, Failure):
            return done
        steps = (*steps, done)
    return _repeated_call(Chain(steps, world_seed)) or Chain(steps, world_seed)


def execute_step(
    world: World, planned: PlannedStep, earlier: Sequence[ChainStep], view: View = output_fields
) -> ChainStep | Failure:
    """The next step of a chain in this world (which it may change), or why it does not stand."""
    if planned.tool not in library():
        return Failure("unknown_tool", planned.tool)
    trouble = next(_unresolvable_references(planned, earlier), None)
    if trouble:
        return trouble
    observation = call(world, planned.tool, resolve_arguments(planned, earlier))
    shown = project_result(planned.tool, observation.value, view)
    return _unusable_result(planned.tool, observation, shown) or ChainStep(
        planned.tool, dict(planned.arguments), shown, observation.value
    )


def resolve_arguments(planned: PlannedStep | ChainStep, earlier: Sequence[ChainStep]) -> dict[str, JsonValue]:
    """The arguments of a call with the values that its references stand for."""
    return {
        name: _resolve_value(planned.tool, name, given, earlier) for name, given in planned.arguments.items()
    }


def _unresolvable_references(planned: PlannedStep, earlier: Sequence[ChainStep]) -> Iterator[Failure]:
    for name, given in planned.arguments.items():
        for found in references_in(given):
            where = f"{planned.tool} {name}: step {found.step} {found.field}"
            if not 0 <= found.step < len(earlier) or field(earlier[found.step].tool, found.field) is None:
                yield Failure("unknown_reference", where)
            elif found.field not in earlier[found.step].result:
                yield Failure("empty_reference", where)


def _resolve_value(tool: str, parameter: str, given: Argument, earlier: Sequence[ChainStep]) -> JsonValue:
    if isinstance(given, list):
        return [_resolve_value("", "", item, earlier) for item in given]
    if not isinstance(given, ResultReference):
        return given
    value = earlier[given.step].result[given.field]
    return [value] if tool and takes_list(tool, parameter) and not isinstance(value, list) else value


def _unusable_result(tool: str, observation: Observation, shown: Mapping[str, JsonValue]) -> Failure | None:
    if observation.error is not None:
        return Failure("tool_error", f"{tool}: {observation.error}")
    if _is_cut(observation.value):
        return Failure("cut_result", tool)
    if says_nothing(observation.value) or not shown:
        return Failure("empty_result", tool)
    return None


def says_nothing(value: JsonValue) -> bool:
    """Whether a result is empty: no content at all, or nothing but empty lists beside counts."""
    if is_empty(value):
        return True
    if not isinstance(value, Mapping):
        return False
    lists = [item for item in value.values() if isinstance(item, list)]
    others = [item for item in value.values() if not isinstance(item, list)]
    empty = bool(lists) and not any(lists)
    counted = all(item is None or isinstance(item, int | float) for item in others)
    return empty and (counted or value.get("total") == 0)


def _is_cut(value: JsonValue) -> bool:
    """Whether the budget of the executor left something out: it then adds `cut` with the paths."""
    last = value[-1] if isinstance(value, list) and value else value
    cuts = last.get("cut") if isinstance(last, Mapping) else None
    return isinstance(cuts, list) and all(isinstance(cut, Mapping) and "path" in cut for cut in cuts)


def _repeated_call(chain: Chain) -> Failure | None:
    seen: set[str] = set()
    for index, step in enumerate(chain.steps):
        key = encode([step.tool, sorted(chain.resolved(index).items())])
        if key in seen:
            return Failure("repeated_call", step.tool)
        seen.add(key)
    return None


def to_json(chain: Chain) -> dict[str, JsonValue]:
    """The chain as plain data; a reference is `{"reference": {"step": 0, "field": "city"}}`."""
    steps = [
        {
            "tool": step.tool,
            "arguments": {name: argument_to_json(given) for name, given in step.arguments.items()},
            "result": dict(step.result),
            "output": step.output,
        }
        for step in chain.steps
    ]
    return {"seed": chain.seed, "steps": steps}


def plan_to_json(plan: Sequence[PlannedStep]) -> list[JsonValue]:
    """Calls that were not executed, as plain data."""
    return [
        {
            "tool": step.tool,
            "arguments": {name: argument_to_json(given) for name, given in step.arguments.items()},
        }
        for step in plan
    ]


def plan_from_json(rows: Sequence[Record]) -> tuple[PlannedStep, ...]:
    """The calls that `plan_to_json` wrote."""
    return tuple(
        PlannedStep(
            row["tool"], {name: argument_from_json(given) for name, given in row["arguments"].items()}
        )
        for row in rows
    )


def argument_to_json(given: Argument) -> JsonValue:
    """An argument as plain data; a reference is `{"reference": {"step": 0, "field": "city"}}`."""
    if isinstance(given, list):
        return [argument_to_json(item) for item in given]
    if isinstance(given, ResultReference):
        return {"reference": {"step": given.step, "field": given.field}}
    return given


def chain_from_json(row: Record) -> Chain:
    """The chain that `to_json` wrote, or an execution, which keeps no outputs."""
    steps = tuple(
        ChainStep(
            step["tool"],
            {name: argument_from_json(given) for name, given in step["arguments"].items()},
            step["result"],
            step.get("output"),
        )
        for step in row["steps"]
    )
    return Chain(steps, row["seed"])


def argument_from_json(given: JsonValue) -> Argument:
    """The argument that `argument_to_json` wrote."""
    if isinstance(given, list):
        return [argument_from_json(item) for item in given]
    if isinstance(given, Mapping) and given.keys() == {"reference"}:
        reference = cast(Record, given["reference"])
        return ResultReference(reference["step"], reference["field"])
    return given


def idle_reference(chain: Chain) -> Failure | None:
    """None when every reference matters, else what is idle.

    `known_value`: a literal or another reference already says what the reference stands for.
    `idle_step`: other values of the same meaning leave the consumer's result and effects as they are.
    """
    stated = {fold_case(value) for step in chain.steps for value in leaves(list(step.literals.values()))}
    meant: dict[str, ResultReference] = {}
    world = World.fresh(chain.seed)
    for index, step in enumerate(chain.steps):
        for parameter, reference in step.references.items():
            value = fold_case(chain.steps[reference.step].result[reference.field])
            if _is_stated(value, stated) or meant.setdefault(value, reference) != reference:
                return Failure("known_value", f"{step.tool} {parameter}: {value}")
            if not _reference_matters(chain, index, parameter, world):
                return Failure("idle_step", f"{step.tool} {parameter}")
        call(world, step.tool, chain.resolved(index))
    return None


def _is_stated(value: str, stated: Set[str]) -> bool:
    """Whether a value is one of the texts that are stated, or a word of theirs that is long enough to be no chance."""
    return value in stated or (len(value) >= _TELLING and any(value in text for text in stated))


def _reference_matters(chain: Chain, index: int, parameter: str, world: World) -> bool:
    """Whether some other value changes what the step returns or does; an error counts unless others change nothing."""
    step = chain.steps[index]
    arguments = chain.resolved(index)
    actual = _call_effect(world, step.tool, arguments, arguments[parameter])
    failed = unchanged = False
    for other in _alternative_values(chain, step.references[parameter]):
        given = [other] if isinstance(arguments[parameter], list) and not isinstance(other, list) else other
        effect = _call_effect(world, step.tool, {**arguments, parameter: given}, given)
        if effect is None:
            failed = True
        elif effect != actual:
            return True
        else:
            unchanged = True
    if failed or unchanged:
        return not unchanged
    without = {name: value for name, value in arguments.items() if name != parameter}
    return _call_effect(world, step.tool, without, None) != actual


def _alternative_values(chain: Chain, reference: ResultReference) -> tuple[JsonValue, ...]:
    """Some other values of the same meaning: further entries of the same result, then what examples know."""
    producer = chain.steps[reference.step]
    known = field(producer.tool, reference.field)
    value = producer.result[reference.field]
    if known is None:
        return ()
    nearby = [
        other for other in values_at(producer.output, known.path.replace("[0]", "[]"))
        if other != value and not is_empty(other)
    ]  # fmt: skip
    return (*nearby[:2], *other_values(known.meanings, value)[:3])


def _call_effect(world: World, tool: str, arguments: Mapping[str, JsonValue], given: JsonValue) -> str | None:
    """What a call returns and changes, less the places where it only repeats the given value; None for an error."""
    twin = world.copy()
    before = twin.snapshot()
    observation = call(twin, tool, arguments)
    if observation.error is not None:
        return None
    echoes = {fold_case(value) for value in leaves([given])}
    return encode([_drop_echoes(observation.value, echoes), twin.diff(before)])


def _drop_echoes(value: JsonValue, echoes: Set[str]) -> JsonValue:
    if isinstance(value, Mapping):
        return {key: _drop_echoes(item, echoes) for key, item in value.items()}
    if isinstance(value, list):
        return [_drop_echoes(item, echoes) for item in value]
    return None if fold_case(value) in echoes else value
